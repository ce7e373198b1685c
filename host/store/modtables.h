/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * modtables.h - save and load the module's tables with their own columns. All tables of a snapshot
 * are one text, compressed with gzip. Files of programs that did not know the tables have none.
 */
#ifndef KMA_STORE_MODTABLES_H
#define KMA_STORE_MODTABLES_H

#include <stdint.h>

#include "conn.h"
#include "model/account.h"

/**
 * kma_modtables_save() - save the tables of an account, if it has any
 * @conn: in a transaction
 * @id: number of the snapshot
 * @account: the account
 */
struct kma_err *kma_modtables_save(const struct kma_conn *conn, int64_t id,
				   const struct kma_account *account);

/**
 * kma_modtables_private() - check whether a file with these tables is for its owner only
 * @account: the account
 *
 * Return: true if a table has a column of addresses, which reveal where the kernel is.
 */
bool kma_modtables_private(const struct kma_account *account);

/**
 * kma_modtables_load() - load the tables of a snapshot, if it has any
 * @conn: the file
 * @id: number of the snapshot
 * @account: gets the tables
 *
 * Return: NULL, or an error: the text is corrupt, or larger than 1 GiB.
 */
struct kma_err *kma_modtables_load(const struct kma_conn *conn, int64_t id,
				   struct kma_account *account);

#endif /* KMA_STORE_MODTABLES_H */
