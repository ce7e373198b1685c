/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * db.h - snapshots of accounts in an SQLite file. A snapshot is a whole, unfiltered account, with
 * data about its kernel, its time and its host. A file has any number of them;
 * Documentation/format/db.rst describes the tables.
 *
 * A file is changed in one transaction, and a new file gets its name only when it is complete: a
 * program that is killed while it saves leaves the old contents. Other programs may read and write
 * the file at the same time.
 *
 * An existing snapshot is never changed, and files of other programs are never modified. The number
 * of call sites and the total of each metric are stored twice; a snapshot whose rows do not add up
 * to them is an error, never a result.
 */
#ifndef KMA_STORE_DB_H
#define KMA_STORE_DB_H

#include <sys/types.h>

#include "snapshot.h"

/**
 * kma_db_list() - get all snapshots, in the order in which they were saved
 * @path: the file
 * @ret: array, for kma_db_list_free()
 * @nr: number of snapshots
 *
 * Return: NULL, or an error that names @path.
 */
struct kma_err *kma_db_list(const char *path, struct kma_snapshot **ret, size_t *nr);

/**
 * kma_db_list_free() - free a list
 * @snapshots: from kma_db_list(); NULL is fine
 * @nr: how many
 */
void kma_db_list_free(struct kma_snapshot *snapshots, size_t nr);

/* Which snapshot a name means: two names of one snapshot have equal members. */
struct kma_db_found {
	dev_t dev; /* device and inode of the file */
	ino_t ino;
	int64_t id; /* number of the snapshot */
};

/**
 * kma_db_try_delete() - check that a snapshot can be deleted
 * @ref: the snapshot; must have a label
 * @ret: filled in
 *
 * The snapshot is deleted in a transaction that is undone, so that a file or directory that is
 * read-only is found.
 *
 * Return: NULL, or an error: no label, no such snapshot, or it cannot be deleted.
 */
struct kma_err *kma_db_try_delete(const struct kma_db_ref *ref, struct kma_db_found *ret);

/**
 * kma_db_delete() - remove a snapshot
 * @ref: the snapshot; must have a label, so that the newest one is never deleted by mistake
 *
 * Return: NULL, or an error that names the file, which is then unchanged.
 */
struct kma_err *kma_db_delete(const struct kma_db_ref *ref);

#endif /* KMA_STORE_DB_H */
