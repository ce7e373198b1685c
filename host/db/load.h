/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * load.h - reads an account from a DB file.
 */
#ifndef KMA_DB_LOAD_H
#define KMA_DB_LOAD_H

#include "model/account.h"
#include "snapshot.h"

/**
 * kma_db_load() - read a snapshot
 * @ref: which one
 * @name: NULL; or the name in messages when the file of @ref is a private copy of that input
 * @snapshot: filled in; to be given to kma_snapshot_deinit() in any case
 * @ret: its account, finished. Release and build ID of the kernel are among its notes
 *
 * Return: NULL, or an error that names the file: as above, there is no such snapshot, or its
 * rows do not add up to the totals that were saved with it.
 */
struct kma_err *kma_db_load(const struct kma_db_ref *ref, const char *name,
			    struct kma_snapshot *snapshot, struct kma_account **ret);

#endif /* KMA_DB_LOAD_H */
