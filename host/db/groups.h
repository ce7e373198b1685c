/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * groups.h - what the call sites of a snapshot hold for each cgroup, NUMA node or task. Only for db/.
 *
 * The tables were added to the format within its version: files of older programs lack them, and
 * older programs ignore them.
 */
#ifndef KMA_DB_GROUPS_H
#define KMA_DB_GROUPS_H

#include "conn.h"
#include "model/account.h"
#include "snapshot.h"

/**
 * kma_db_groups_save() - save the groups of an account
 * @conn: for writing
 * @id: of the snapshot, whose call sites are saved
 * @account: with groups or without
 *
 * A file of an older program gets the tables.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_db_groups_save(const struct kma_conn *conn, int64_t id,
				   const struct kma_account *account);

/**
 * kma_db_groups_load() - load the groups of a snapshot
 * @conn: the file
 * @snapshot: which one
 * @account: has the call sites of the snapshot, in their order
 *
 * Return: NULL, or an error: the groups are not as they were saved.
 */
struct kma_err *kma_db_groups_load(const struct kma_conn *conn, const struct kma_snapshot *snapshot,
				   struct kma_account *account);

#endif /* KMA_DB_GROUPS_H */
