/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * save.h - adds an account to a DB file.
 */
#ifndef KMA_DB_SAVE_H
#define KMA_DB_SAVE_H

#include "model/account.h"
#include "snapshot.h"

/**
 * kma_db_save() - add a snapshot
 * @path: the file, which is made when it is not there
 * @snapshot: what is known; id, sites and live are filled in
 * @account: finished
 *
 * Return: NULL, or an error that names @path: not a DB file, of another version, corrupt, locked,
 * read-only, has a snapshot of that label, or the disk is full. The file is then unchanged.
 */
struct kma_err *kma_db_save(const char *path, struct kma_snapshot *snapshot,
			    const struct kma_account *account);

#endif /* KMA_DB_SAVE_H */
