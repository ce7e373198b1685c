/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * modtables.h - the tables of the module with their own columns in a DB file: those of a snapshot are
 * one packed text. Files of programs that did not know them have none.
 */
#ifndef KMA_DB_MODTABLES_H
#define KMA_DB_MODTABLES_H

#include <stdint.h>

#include "conn.h"
#include "model/account.h"

/**
 * kma_modtables_save() - save the tables of an account, if it has any
 * @conn: in a transaction
 * @id: of the snapshot
 * @account: the account
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_modtables_save(const struct kma_conn *conn, int64_t id,
				   const struct kma_account *account);

/**
 * kma_modtables_load() - read the tables of a snapshot, if it has any
 * @conn: open
 * @id: of the snapshot
 * @account: gets them
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_modtables_load(const struct kma_conn *conn, int64_t id,
				   struct kma_account *account);

#endif /* KMA_DB_MODTABLES_H */
