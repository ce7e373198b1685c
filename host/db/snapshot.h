/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot.h - the data of a snapshot in addition to its account, its name on the command line, and
 * how a DB file begins.
 */
#ifndef KMA_DB_SNAPSHOT_H
#define KMA_DB_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

/* Bytes at the beginning of an SQLite file that tell it. */
#define KMA_DB_MAGIC_LEN 16

/* The name of a snapshot on the command line: FILE, FILE@LABEL, or FILE@#NUMBER. */
struct kma_db_ref {
	char *path;
	char *label; /* NULL: the newest; "#3" is number 3 */
};

/* The data of a snapshot, except its account. Unknown texts are NULL. */
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
 * kma_db_ref_parse() - split FILE@LABEL
 * @text: as typed; if a file of this whole name exists, it is that file
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
 * kma_db_probe() - check for the header of an SQLite file
 * @head: first bytes of a file
 * @len: how many, 16 or more
 *
 * Return: true for any SQLite file; kma_db_load() checks whether it is a DB file of this program.
 */
bool kma_db_probe(const char *head, size_t len);

/**
 * kma_db_is_file() - is there an SQLite file of that name?
 * @path: the name
 *
 * Return: true for a regular file that begins as one, ours or not.
 */
bool kma_db_is_file(const char *path);

#endif /* KMA_DB_SNAPSHOT_H */
