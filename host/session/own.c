// SPDX-License-Identifier: GPL-2.0-only
/*
 * own.c - find the account of the machine that the program runs on.
 */
#include <stddef.h>
#include <unistd.h>

#include "lib/cleanup.h"
#include "lib/err.h"
#include "lib/module-files.h"
#include "own.h"

/*
 * Files of the module in order of preference: the first that can be read is used. The snapshot has
 * all tables of one moment, with the rows by cgroup and node. Older modules have no snapshot.
 */
static const char *const kma_own_files[] = {
	KMA_FILE_SNAPSHOT,
	KMA_FILE_SITES,
	KMA_FILE_ACCOUNT,
};

const char *kma_own_account(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_own_files); i++)
		if (!access(kma_own_files[i], R_OK))
			return kma_own_files[i];
	return NULL;
}

struct kma_err *kma_own_need(const char *command, const char **ret)
{
	*ret = kma_own_account();
	if (*ret)
		return NULL;
	return kma_err_create_kind(
		KMA_ERR_USAGE, NULL, 0,
		"%s: no account given, and no file of the module can be read here (as root: modprobe kmem_account); name a file, or - for the standard input",
		command);
}
