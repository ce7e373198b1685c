/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * find.h - rows of table snapshot: the one that the user named, or all.
 */
#ifndef KMA_DB_FIND_H
#define KMA_DB_FIND_H

#include "conn.h"
#include "snapshot.h"

/**
 * kma_find_snapshot() - the snapshot that a label means
 * @conn: the file
 * @label: its label; "#3" is number 3; NULL the newest
 * @ret: filled in, to be given to kma_snapshot_deinit() in any case
 *
 * Return: NULL, or an error that names the snapshots there are.
 */
struct kma_err *kma_find_snapshot(const struct kma_conn *conn, const char *label,
				  struct kma_snapshot *ret);

/**
 * kma_find_all() - all snapshots of an open file, in the order in which they were saved
 * @conn: the file
 * @ret: array of them, each to be given to kma_snapshot_deinit(), the array to free(); also
 *	after an error
 * @nr: how many
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_find_all(const struct kma_conn *conn, struct kma_snapshot **ret, size_t *nr);

#endif /* KMA_DB_FIND_H */
