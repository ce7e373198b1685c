/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * groups.h - save and load the memory of the call sites of a snapshot by cgroup, NUMA node or task.
 * Only for the files of db/.
 *
 * Table grouping has a row for each kind of groups with the number and sum of its parts, grouped
 * has the names, and part has one row for each pair of a call site and a group. Numbers of sites
 * are those of table site. The number and sum of the parts are compared when they are loaded.
 *
 * Tables charging and charged have what a memory cgroup was to be charged for: the sum of a kind,
 * and the bytes of each part that has some. A kind without a row in charging does not tell it,
 * which is not the same as 0.
 *
 * The tables were added to the format within its version: files of older programs lack them, and
 * older programs ignore them.
 */
#ifndef KMA_STORE_GROUPS_H
#define KMA_STORE_GROUPS_H

#include "conn.h"
#include "model/account.h"
#include "snapshot.h"

/**
 * kma_db_groups_save() - save the groups of an account
 * @conn: opened for writing
 * @id: number of the snapshot, whose call sites are saved
 * @account: with or without groups
 *
 * A file of an older program gets the tables.
 */
struct kma_err *kma_db_groups_save(const struct kma_conn *conn, int64_t id,
				   const struct kma_account *account);

/**
 * kma_db_groups_load() - load the groups of a snapshot
 * @conn: the file
 * @snapshot: the snapshot
 * @account: has the call sites of the snapshot, in their order
 *
 * Return: NULL, or an error: the groups do not add up to the saved sums.
 */
struct kma_err *kma_db_groups_load(const struct kma_conn *conn, const struct kma_snapshot *snapshot,
				   struct kma_account *account);

#endif /* KMA_STORE_GROUPS_H */
