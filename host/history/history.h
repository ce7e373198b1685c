/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * history.h - a folder with the snapshots of many days: a marker, and a file for each day (day.h).
 *
 *	DIR/kmem-account-history	"kmem_account history 1"; locked by the program that writes
 *	DIR/2026-11-25.kmh		the samples of that day, UTC
 *
 * A folder without the marker is not a history and is not touched. Days are removed whole, oldest
 * first.
 *
 * Locking: a writer holds a lock on the marker (flock). A second one may write, too, and has
 * series of its own; SQLite keeps the two apart.
 */
#ifndef KMA_HISTORY_HISTORY_H
#define KMA_HISTORY_HISTORY_H

#include "day.h"
#include "lib/strbuf.h"
#include "lib/notes.h"
#include "model/account.h"
#include "model/moment.h"
#include "pack.h"

#define KMA_HISTORY_MARKER  "kmem-account-history"
#define KMA_HISTORY_NAME    "kmem_account history "
#define KMA_HISTORY_VERSION "1"
#define KMA_HISTORY_SUFFIX  ".kmh"
#define KMA_HISTORY_DAY_LEN 14 /* the name without its end: "2026-11-25" */
#define KMA_HISTORY_SECOND  1000000000ULL

/* The limits of a history that is written. */
struct kma_history_bounds {
	uint64_t keep;	   /* ns; 0: days are kept for ever */
	uint64_t max_size; /* bytes; 0: as many as there are */
};

struct kma_history {
	char *path;
	char (*days)[KMA_HISTORY_DAY_LEN + 1]; /* names of files, oldest first */
	size_t nr_days;
	struct kma_packed *packed; /* the days of a bundle, in memory; otherwise NULL */
	size_t nr_packed;
	/* set by a reader before the first sample */
	bool groups;		      /* read cgroups and nodes, too */
	struct kma_columns_need need; /* what of each call site and group */
	/* the file that was read last */
	struct kma_day *day;
	size_t day_at;
	struct kma_day_sample *samples;
	size_t nr_samples;
	bool *lost;		 /* days that cannot be read, each said in @notes */
	struct kma_notes damage; /* what cannot be read, and is left out */
	size_t nr_damaged;	 /* days of which something is left out */
	/* writing */
	struct kma_history_bounds bounds;
	int lock;   /* descriptor of the marker; -1: not open */
	bool alone; /* no other process writes */
	struct kma_day *today;
	char today_name[KMA_HISTORY_DAY_LEN + 1];
	struct kma_day_series series;
	struct kma_moment last; /* its text is the series' */
	bool has_series;
};

/**
 * kma_history_is() - is there a history of this name?
 * @path: a folder
 *
 * Return: true if it has the marker, of whatever version.
 */
bool kma_history_is(const char *path);

/**
 * kma_history_refuse() - say why a directory is not an account
 * @path: what the user named as an account
 *
 * Return: NULL if @path is a history, is not a directory, or does not exist; otherwise an error that
 * says what to give instead, or that the marker cannot be read (KMA_ERR_NOT_READABLE).
 */
struct kma_err *kma_history_refuse(const char *path);

/**
 * kma_history_has() - can a history be read here?
 * @path: a folder, or a file
 *
 * Return: true of a folder with the marker, and of a bundle with a history in it.
 */
bool kma_history_has(const char *path);

/**
 * kma_history_pack() - write the last day of a history as text (pack.h)
 * @path: the folder
 * @out: appended to
 * @newest: time of the newest sample, ns since 1970
 * @damage: gets a sentence for each day that cannot be read, and is left out
 *
 * The text has the files of days that have a part of the 24 hours before the newest sample.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_history_pack(const char *path, struct kma_strbuf *out, uint64_t *newest,
				 struct kma_notes *damage);

/**
 * kma_history_open() - open a folder, or the history of a bundle, to read it
 * @path: the folder, or the bundle
 * @ret: the history
 *
 * Return: NULL or an error: it is none, or of a newer version.
 */
struct kma_err *kma_history_open(const char *path, struct kma_history **ret);

/**
 * kma_history_close() - close it
 * @history: from kma_history_open() or kma_history_create(); NULL is fine
 */
void kma_history_close(struct kma_history *history);

/**
 * kma_history_at() - the newest sample that is not after a time
 * @history: open
 * @time: ns since 1970
 * @ret: its account
 *
 * Return: NULL; or an error of kind KMA_ERR_NOT_FOUND that says from when on there are samples.
 */
struct kma_err *kma_history_at(struct kma_history *history, uint64_t time,
			       struct kma_account **ret);

/*
 * A day whose file cannot be read, and a sample that cannot be decoded, end none of the functions
 * below: the others are of use. Member damage has a sentence for each such day.
 */

/**
 * kma_history_each() - call a function for the samples of an interval, in the order of time
 * @history: open
 * @from: ns since 1970; 0 is the beginning
 * @to: ns since 1970, included; UINT64_MAX is the end
 * @max: at most about as many samples, at equal distances; 0: all
 * @fn: the function; the account is its own
 * @arg: handed to it
 *
 * Return: NULL, or an error: of @fn, or that there is no sample that can be read.
 */
struct kma_err *kma_history_each(struct kma_history *history, uint64_t from, uint64_t to,
				 size_t max,
				 struct kma_err *(*fn)(void *arg, struct kma_account *account),
				 void *arg);

/**
 * kma_history_span() - from when to when there are samples
 * @history: open
 * @from: ns since 1970, of the oldest
 * @to: of the newest
 * @nr: how many there are
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_history_span(struct kma_history *history, uint64_t *from, uint64_t *to,
				 size_t *nr);

/**
 * kma_history_times() - when the samples were taken
 * @history: open
 * @ret: array of ns since 1970, to be freed, in the order of the files; clocks may have been set
 * @nr: how many; more than 0
 *
 * Return: NULL or an error: there is no sample that can be read.
 */
struct kma_err *kma_history_times(struct kma_history *history, uint64_t **ret, size_t *nr);

/* Parts that writing shares. */

/**
 * kma_history_alloc() - a history that is not open
 * @path: the folder
 * @ret: to be given to kma_history_close()
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_history_alloc(const char *path, struct kma_history **ret);

/**
 * kma_history_check() - is the folder a history of this version?
 * @history: its path is looked at
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_history_check(const struct kma_history *history);

/**
 * kma_history_list() - find the files of the days
 * @history: its days are set
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_history_list(struct kma_history *history);

/**
 * kma_history_load() - open the file of a day to read it, unless it is open
 * @history: open
 * @i: number of the day
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_history_load(struct kma_history *history, size_t i);

/**
 * kma_history_end_series() - free what is known of the series that is written
 * @history: open
 */
void kma_history_end_series(struct kma_history *history);

/**
 * kma_history_file() - path of a file in the folder
 * @history: its path is looked at
 * @name: of the file
 *
 * Return: the path, to be freed; NULL without memory.
 */
char *kma_history_file(const struct kma_history *history, const char *name);

/**
 * kma_history_in() - may a day have samples of an interval?
 * @name: of the file of the day
 * @from: ns since 1970
 * @to: ns since 1970
 *
 * Return: true if it may.
 */
bool kma_history_in(const char *name, uint64_t from, uint64_t to);

#endif /* KMA_HISTORY_HISTORY_H */
