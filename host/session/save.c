// SPDX-License-Identifier: GPL-2.0-only
/*
 * save.c - save a loaded account in a DB file.
 */
#include <time.h>
#include <unistd.h>

#include "store/db.h"
#include "store/snapshot.h"
#include "loaded.h"
#include "model/account.h"
#include "model/regroup.h"
#include "save.h"

/* Describes a new snapshot. Its texts belong to @loaded and to @host. */
static void describe(const struct kma_loaded *loaded, struct kma_snapshot *ret, char *host,
		     size_t size)
{
	const struct kma_account *account = loaded->whole ?: loaded->account;
	const char *release = loaded->release ?: kma_account_note(account, KMA_NOTE_RELEASE) ?: "";

	if (gethostname(host, size))
		*host = '\0';
	host[size - 1] = '\0';
	*ret = (struct kma_snapshot){
		.time = time(NULL),
		.host = *host ? host : NULL,
		.input = (char *)kma_account_name(account),
		.release = *release ? (char *)release : NULL,
		.build_id = (char *)kma_account_note(account, KMA_NOTE_BUILD_ID),
	};
}

struct kma_err *kma_save_account(const char *file, const struct kma_loaded *loaded)
{
	_cleanup_(kma_db_ref_deinit) struct kma_db_ref ref = { 0 };
	_cleanup_account_ struct kma_account *plain = NULL;
	const struct kma_account *account = loaded->whole ?: loaded->account;
	struct kma_snapshot snapshot = loaded->snapshot;
	struct kma_err *err;
	char host[256];

	/* a DB file has each call site once, and the rows by group in tables of their own */
	err = kma_ungroup(account, &plain);
	if (err)
		return err;
	account = plain ?: account;

	if (!snapshot.id)
		describe(loaded, &snapshot, host, sizeof(host));
	err = kma_db_ref_parse(file, &ref);
	if (err)
		return err;
	if (ref.label)
		snapshot.label = ref.label;
	return kma_db_save(ref.path, &snapshot, account);
}
