/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * load.h - load an account from a DB file.
 */
#ifndef KMA_STORE_LOAD_H
#define KMA_STORE_LOAD_H

#include "model/account.h"
#include "snapshot.h"

/**
 * kma_db_load() - load a snapshot
 * @ref: the snapshot
 * @name: NULL; or the name in messages if the file of @ref is a private copy of that input
 * @snapshot: filled in; for kma_snapshot_deinit() in any case
 * @ret: its account, finished. Release and build ID of the kernel are among its notes
 *
 * Return: NULL, or an error that names the file: it cannot be opened (kma_conn_open()), it has no
 * such snapshot, or the snapshot's rows do not add up to the totals that were saved with it.
 */
struct kma_err *kma_db_load(const struct kma_db_ref *ref, const char *name,
			    struct kma_snapshot *snapshot, struct kma_account **ret);

#endif /* KMA_STORE_LOAD_H */
