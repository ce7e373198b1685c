/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * db.h - snapshots of accounts in a DB file. A snapshot is a whole, unfiltered account, with data
 * about its kernel, its time and its host. A file has any number of them; it is a history with
 * labels (day.h), and Documentation/format/db.rst describes it.
 *
 * A file is changed in one transaction, and a new file gets its name only when it is complete: a
 * program that is killed while it saves leaves the old contents. Other programs may read and write
 * the file at the same time.
 *
 * An existing snapshot is never changed, and files of other programs are never modified. A file of
 * version 1 (old.h) is read as it is. When a snapshot is added to it, it is converted, and a copy
 * of the old file is kept as FILE.v1.
 */
#ifndef KMA_STORE_DB_H
#define KMA_STORE_DB_H

#include <sys/types.h>

#include "model/account.h"
#include "snapshot.h"

/*
 * All snapshots, in the order in which they were saved, for kma_db_list_free(). NULL is fine there.
 */
struct kma_err *kma_db_list(const char *path, struct kma_snapshot **ret, size_t *nr);
void kma_db_list_free(struct kma_snapshot *snapshots, size_t nr);

/*
 * Loads a snapshot and its finished account; release and build ID of the kernel are among its
 * notes. A label that no snapshot has may be a time, which means the newest snapshot that is not
 * after it. @name is NULL; or the name in messages if the file of @ref is a private copy of that
 * input. @snapshot needs kma_snapshot_deinit() also after an error.
 */
struct kma_err *kma_db_load(const struct kma_db_ref *ref, const char *name,
			    struct kma_snapshot *snapshot, struct kma_account **ret);

/*
 * Adds a snapshot, and sets its id, sites and live. The file is created if it does not exist. It is
 * unchanged after an error: it is not a DB file, has another version, is corrupt, locked or
 * read-only, has a snapshot with that label, or the disk is full.
 */
struct kma_err *kma_db_save(const char *path, struct kma_snapshot *snapshot,
			    const struct kma_account *account);

/* Which snapshot a name means: two names of one snapshot have equal members. */
struct kma_db_found {
	dev_t dev; /* device and inode of the file */
	ino_t ino;
	int64_t id; /* number of the snapshot */
};

/*
 * Removes a snapshot. @ref must have a label, so that the newest one is never deleted by mistake.
 * @try: only try it, in a transaction that is undone, so that a file or directory that is read-only
 * is found. After an error the file is unchanged.
 */
struct kma_err *kma_db_delete(const struct kma_db_ref *ref, bool try, struct kma_db_found *ret);

#endif /* KMA_STORE_DB_H */
