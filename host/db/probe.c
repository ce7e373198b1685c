// SPDX-License-Identifier: GPL-2.0-only
/*
 * probe.c - recognises SQLite files.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/cleanup.h"
#include "probe.h"

static const char kma_db_magic[KMA_DB_MAGIC_LEN] = "SQLite format 3";

bool kma_db_probe(const char *head, size_t len)
{
	return len >= sizeof(kma_db_magic) && !memcmp(head, kma_db_magic, sizeof(kma_db_magic));
}

bool kma_db_is_file(const char *path)
{
	_cleanup_fclose_ FILE *f = NULL;
	char head[sizeof(kma_db_magic)];
	struct stat st;

	/* A pipe is not opened: what is read from it would be gone. */
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	f = fopen(path, "re");
	return f && kma_db_probe(head, fread(head, 1, sizeof(head), f));
}
