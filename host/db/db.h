/* SPDX-License-Identifier: GPL-2.0 */
/*
 * db.h - snapshots of accounts in an SQLite file. A snapshot is a whole account,
 * unfiltered, with what is known of its kernel and of when and where it was saved.
 * One file holds many; Documentation/format/db.rst has the tables.
 *
 * A file is changed in one transaction, and a new file gets its name only when it
 * is complete: whoever is killed while he saves leaves what was there before.
 * Other programs may read and write the file at the same time.
 *
 * Never done: a snapshot that is there is not changed, a file that is not ours is
 * not touched, numbers that do not add up any more are not shown.
 */
#ifndef KMA_DB_DB_H
#define KMA_DB_DB_H

#include "model/account.h"

/* What a person calls a snapshot: FILE, FILE@LABEL, or FILE@#NUMBER. */
struct kma_db_ref {
	char *path;
	char *label; /* NULL: the newest; "#3" is number 3 */
};

/* Of a snapshot, all but its account. Texts are NULL when they are not known. */
struct kma_snapshot {
	int64_t id; /* its number in the file, given by kma_db_save() */
	char *label;
	int64_t time;	/* when it was saved, seconds since 1970 */
	char *host;	/* where it was saved */
	char *input;	/* name of the input */
	char *release;	/* of the kernel */
	char *build_id; /* of the kernel, in hex */
	uint64_t sites; /* how many, found by kma_db_save() */
	uint64_t live;	/* live bytes of all sites, when has_live; found by kma_db_save() */
	bool has_live;
};

/**
 * kma_db_probe() - is this the beginning of an SQLite file?
 * @head: first bytes of a file
 * @len: how many, 16 or more
 *
 * Return: true if it is, ours or not: kma_db_load() says whose.
 */
bool kma_db_probe(const char *head, size_t len);

/**
 * kma_db_is_file() - is there an SQLite file of that name?
 * @path: the name
 *
 * Return: true for a regular file that begins as one, ours or not.
 */
bool kma_db_is_file(const char *path);

/**
 * kma_db_ref_parse() - take FILE@LABEL apart
 * @text: as typed; a file that is there by the whole of it is taken as that file
 * @ret: to be given to kma_db_ref_deinit() in any case
 *
 * A label has no '/' and no '@', so what follows the last '@' is one only without '/'.
 *
 * Return: NULL, or a sentence: the label is empty, or cannot be one.
 */
struct kma_err *kma_db_ref_parse(const char *text, struct kma_db_ref *ret);

/**
 * kma_db_ref_deinit() - free the texts
 * @ref: as filled in
 */
void kma_db_ref_deinit(struct kma_db_ref *ref);

/**
 * kma_snapshot_deinit() - free the texts
 * @snapshot: as filled in
 */
void kma_snapshot_deinit(struct kma_snapshot *snapshot);

/**
 * kma_db_save() - add a snapshot
 * @path: the file, which is made when it is not there
 * @snapshot: what is known; id, sites and live are filled in
 * @account: finished
 *
 * Return: NULL, or an error that names @path: it is no such file, of another version, damaged,
 * locked, read-only, has a snapshot of that label, or the disk is full. Then it is as it was.
 */
struct kma_err *kma_db_save(const char *path, struct kma_snapshot *snapshot,
			    const struct kma_account *account);

/**
 * kma_db_load() - read a snapshot
 * @ref: which one
 * @name: NULL; or the name in messages when the file of @ref is a private copy of that input
 * @snapshot: filled in; to be given to kma_snapshot_deinit() in any case
 * @ret: its account, finished. Release and build ID of the kernel are among its notes
 *
 * Return: NULL, or an error that names the file: as above, there is no such snapshot, or its
 * rows do not add up to the totals that were saved with it.
 */
struct kma_err *kma_db_load(const struct kma_db_ref *ref, const char *name,
			    struct kma_snapshot *snapshot, struct kma_account **ret);

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
