/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * day.h - one file of a history: the samples of one day (UTC), in an SQLite file.
 *
 * A series is what belongs together: one account of one boot, written by one program, with a clock
 * that was not set. A sample of a series says what changed since the one before (code.h); each
 * KMA_DAY_KEY-th, and the first one that a program writes, is a key sample. Names of sites are
 * written once for each file.
 *
 * A sample is one transaction, on the disk when the call returns: who is killed loses the sample
 * that was being written, and the next program to open the file for writing rolls it back.
 *
 * Documentation/format/history.rst has the tables.
 *
 * Never done: a sample that is there is not changed; a file of another version is not touched.
 */
#ifndef KMA_HISTORY_DAY_H
#define KMA_HISTORY_DAY_H

#include "columns.h"
#include "db/conn.h"
#include "model/account.h"
#include "model/intern.h"
#include "model/moment.h"
#include "parts.h"

#define KMA_DAY_KEY 64 /* samples from one key sample to the next */

/* A series, as the files have it. */
struct kma_day_series {
	int64_t uid; /* the same in all files */
	char *boot, *host, *release, *build_id, *notes, *columns;
	uint64_t loaded, generation;
	char *why; /* it began: "the machine was booted" */
};

/* A sample without its numbers. */
struct kma_day_sample {
	int64_t id, series; /* in this file */
	int64_t uid;	    /* of the series */
	uint64_t time, up;  /* ns */
	bool key;
	uint64_t live; /* bytes */
	size_t bytes;  /* as kept */
};

#define KMA_DAY_LISTS 2

#define KMA_DAY_LOSSES 3

/* Notes that change within a series; written when they do, and with each key sample. */
extern const char *const kma_day_lists[KMA_DAY_LISTS];

/* A call site in the form of the file. */
struct kma_day_site {
	char *caller, *path, *build_id, *cache;
	enum kma_kind kind;
	uint64_t text;
	bool in_init, caches;
};

struct kma_day {
	struct kma_conn conn;
	char *path;
	const unsigned char *image; /* the file in memory, or NULL */
	size_t image_len;
	bool empty; /* there is nothing in the file */
	struct kma_day_series *series;
	int64_t *ids; /* of @series */
	size_t nr_series;
	struct kma_day_site *sites;
	size_t nr_sites;
	struct kma_parts parts; /* empty if it is not open to write or to read groups */
	/* writing */
	struct kma_intern *intern; /* key texts of the sites: a number is that of the site */
	size_t written;		   /* sites that are in the file */
	int64_t current;	   /* series */
	struct kma_columns columns;
	unsigned int since_key;	    /* samples; 0: the next one is a key sample */
	char *lists[KMA_DAY_LISTS]; /* as written last */
	struct kma_code code;
	/* reading */
	struct kma_columns_need need;
	struct kma_account
		*known; /* the sites, for the accounts of all samples; NULL: not yet made */
	struct sqlite3_stmt *stmt; /* of a sample; NULL: not prepared */
	struct kma_code decoded;
	struct kma_columns decoded_columns;
	struct {
		char *lists[KMA_DAY_LISTS]; /* NULL: not known */
		bool has_loss[KMA_DAY_LOSSES];
		uint64_t losses[KMA_DAY_LOSSES];
	} read; /* with @decoded */
	int64_t decoded_series;
	size_t decoded_at; /* number of the sample + 1; 0: none */
};

enum kma_day_mode {
	KMA_DAY_READ,
	KMA_DAY_READ_GROUPS, /* what call sites hold for each group, too */
	KMA_DAY_WRITE, /* make it if it is not there, and roll back what a killed program left */
};

/**
 * kma_day_open() - open a file of a day
 * @path: its name
 * @mode: what for
 * @need: of a file that is read: what of a call site; NULL: everything
 * @ret: the file
 *
 * To read, it begins a transaction, which kma_day_samples() or kma_day_close() ends.
 *
 * Return: NULL or an error that names the file: of another version, none of a history, damaged.
 */
struct kma_err *kma_day_open(const char *path, enum kma_day_mode mode,
			     const struct kma_columns_need *need, struct kma_day **ret);

/**
 * kma_day_open_image() - the same of a file in memory
 * @name: of the file, for messages
 * @image: its bytes, which stay the caller's until kma_day_close()
 * @len: how many
 * @mode: one of those that read
 * @need: as for kma_day_open()
 * @ret: the file
 *
 * Return: as kma_day_open().
 */
struct kma_err *kma_day_open_image(const char *name, const unsigned char *image, size_t len,
				   enum kma_day_mode mode, const struct kma_columns_need *need,
				   struct kma_day **ret);

/**
 * kma_day_image() - read a file as bytes, in one moment, even while watch writes it
 * @path: its name
 * @ret: the bytes, to be freed by sqlite3_free()
 * @len: how many; 0 of an empty file, as a killed program may leave one
 *
 * Return: NULL or an error that names the file.
 */
struct kma_err *kma_day_image(const char *path, unsigned char **ret, size_t *len);

/**
 * kma_day_close() - close it
 * @day: from kma_day_open(); NULL is fine
 */
void kma_day_close(struct kma_day *day);

/**
 * kma_day_samples() - all samples, in the order in which they were written
 * @day: the file
 * @ret: array to be freed
 * @nr: how many
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_day_samples(struct kma_day *day, struct kma_day_sample **ret, size_t *nr);

/**
 * kma_day_series() - a series by its number in this file
 * @day: the file
 * @id: member series of a sample
 *
 * Return: the series, which stays with the file; NULL if there is none.
 */
const struct kma_day_series *kma_day_series(const struct kma_day *day, int64_t id);

/**
 * kma_day_load_sites() - read the table of sites
 * @day: the file; no sites are in memory
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_day_load_sites(struct kma_day *day);

/**
 * kma_day_forget_sites() - drop the sites that are in memory
 * @day: the file
 */
void kma_day_forget_sites(struct kma_day *day);

/**
 * kma_day_number() - run a statement that gives one number
 * @day: the file
 * @sql: the statement
 * @ret: the number; 0 if there is no row
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_day_number(const struct kma_day *day, const char *sql, int64_t *ret);

#endif /* KMA_HISTORY_DAY_H */
