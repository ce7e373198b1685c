/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot.h - the data of a snapshot except its account, its name on the command line, and how a
 * DB file is recognised.
 */
#ifndef KMA_STORE_SNAPSHOT_H
#define KMA_STORE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

/* Bytes at the beginning of an SQLite file that identify it. */
#define KMA_DB_MAGIC_LEN 16

/* The name of a snapshot on the command line: FILE, FILE@LABEL, or FILE@#NUMBER. */
struct kma_db_ref {
	char *path;
	char *label; /* NULL: the newest one; "#3" is number 3 */
};

/* The data of a snapshot, except its account. Unknown texts are NULL. */
struct kma_snapshot {
	int64_t id; /* number in the file, assigned by kma_db_save() */
	char *label;
	int64_t time;	/* time of saving, seconds since 1970 */
	char *host;	/* host that saved it */
	char *input;	/* name of the input */
	char *release;	/* of the kernel */
	char *build_id; /* of the kernel, in hex */
	uint64_t sites; /* number of call sites, set by kma_db_save() */
	uint64_t live;	/* live bytes of all sites, if @has_live; set by kma_db_save() */
	bool has_live;	/* the account has live bytes */
};

/*
 * Splits FILE@LABEL; if a file with this whole name exists, it is the file. A label contains
 * neither '/' nor '@', so the text after the last '@' is a label only without '/'. @ret needs
 * kma_db_ref_deinit() also after an error: the label is empty.
 */
struct kma_err *kma_db_ref_parse(const char *text, struct kma_db_ref *ret);

/* @ref may be zeroed. */
void kma_db_ref_deinit(struct kma_db_ref *ref);

/* @snapshot may be zeroed. */
void kma_snapshot_deinit(struct kma_snapshot *snapshot);

/* Is @head the beginning of an SQLite file, of any program? */
bool kma_db_probe(const char *head, size_t len);

/* Is it the name of a regular file that begins so? */
bool kma_db_is_file(const char *path);

#endif /* KMA_STORE_SNAPSHOT_H */
