/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * db.h - snapshots of accounts in an SQLite file. A snapshot is a whole, unfiltered account, with
 * data about its kernel, its time and its host. One file holds many; Documentation/format/db.rst
 * has the tables.
 *
 * A file is changed in one transaction, and a new file gets its name only when it is complete: a
 * program that is killed while it saves leaves the old contents. Other programs may read and write
 * the file at the same time.
 *
 * An existing snapshot is never changed, other files are never modified, and numbers that do not
 * add up are never shown.
 */
#ifndef KMA_DB_DB_H
#define KMA_DB_DB_H

#include "snapshot.h"

/**
 * kma_db_list() - all snapshots, in the order in which they were saved
 * @path: the file
 * @ret: array to be given to kma_db_list_free()
 * @nr: how many
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

/**
 * kma_db_delete() - remove a snapshot
 * @ref: with a label: the newest is never meant by leaving it out
 *
 * Return: NULL, or an error that names the file; then it is as it was.
 */
struct kma_err *kma_db_delete(const struct kma_db_ref *ref);

#endif /* KMA_DB_DB_H */
