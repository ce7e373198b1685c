/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * save.h - add an account to a DB file.
 */
#ifndef KMA_STORE_SAVE_H
#define KMA_STORE_SAVE_H

#include "model/account.h"
#include "snapshot.h"

/**
 * kma_db_save() - add a snapshot
 * @path: the file, which is created if it does not exist
 * @snapshot: its data; id, sites and live are filled in
 * @account: finished
 *
 * Return: NULL, or an error that names @path: it is not a DB file, has another version, is corrupt,
 * locked or read-only, has a snapshot with that label, or the disk is full. The file is then
 * unchanged.
 */
struct kma_err *kma_db_save(const char *path, struct kma_snapshot *snapshot,
			    const struct kma_account *account);

#endif /* KMA_STORE_SAVE_H */
