/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * old.h - read DB files of version 1, which programs of 2026 wrote until DB files became histories.
 * Such a file has a row for each call site of each snapshot. Documentation/format/db.rst describes
 * its tables.
 *
 * SQLite has no checksums, so data that are stored twice are compared: the number of call sites,
 * the total of each metric, and the sums of groups. A snapshot whose rows do not add up to them is
 * an error, never a result.
 *
 * Never done: adding a snapshot to such a file. db.c converts it.
 */
#ifndef KMA_STORE_OLD_H
#define KMA_STORE_OLD_H

#include "conn.h"
#include "model/account.h"
#include "snapshot.h"

#define KMA_OLD_APPLICATION 0x6b6d6163 /* "kmac" */
#define KMA_OLD_VERSION	    1

/*
 * All snapshots, in the order of their numbers: an array for kma_snapshot_deinit() on each element
 * and free(3), also after an error.
 */
struct kma_err *kma_old_list(const struct kma_conn *conn, struct kma_snapshot **ret, size_t *nr);

/* Fills and finishes @account, which is empty. @snapshot is from kma_old_list(). */
struct kma_err *kma_old_load(const struct kma_conn *conn, const struct kma_snapshot *snapshot,
			     struct kma_account *account);

/* Removes all tables of this version. */
struct kma_err *kma_old_drop(const struct kma_conn *conn);

#endif /* KMA_STORE_OLD_H */
