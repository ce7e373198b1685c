/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * find.h - find snapshots in an open file: the one that the user named, or all.
 */
#ifndef KMA_STORE_FIND_H
#define KMA_STORE_FIND_H

#include "conn.h"
#include "snapshot.h"

/**
 * kma_find_snapshot() - find a snapshot by its label or number
 * @conn: the file
 * @label: its label; "#3" is number 3; NULL: the one with the latest time of saving
 * @ret: filled in; for kma_snapshot_deinit() in any case
 *
 * Return: NULL, or an error that lists the existing snapshots.
 */
struct kma_err *kma_find_snapshot(const struct kma_conn *conn, const char *label,
				  struct kma_snapshot *ret);

/**
 * kma_find_all() - get all snapshots of an open file, in the order in which they were added
 * @conn: the file
 * @ret: array, for kma_snapshot_deinit() on each element and free(3), also after an error
 * @nr: number of snapshots
 */
struct kma_err *kma_find_all(const struct kma_conn *conn, struct kma_snapshot **ret, size_t *nr);

#endif /* KMA_STORE_FIND_H */
