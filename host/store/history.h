/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * history.h - a directory with the snapshots of many days: a marker, and a file for each day
 * (day.h).
 *
 *	DIR/kmem-account-history	"kmem_account history 1"; locked by the program that writes
 *	DIR/2026-11-25.kmh		the samples of that day, UTC
 *
 * A directory without the marker is not a history and is not changed. Old days are removed by
 * unlinking whole files, oldest first, but never the day of the current sample.
 *
 * A history can also be read from a bundle (pack.h): its days are then in memory.
 *
 * A file that cannot be read costs its day, and a sample that cannot be decoded itself: the others
 * are used, and kma_history.damage has a sentence for each such day. kma_history_at(), which needs
 * one certain sample, returns the error instead.
 *
 * Locking: a writer holds a lock on the marker (flock(2)). A second one may write, too, in series
 * of its own; SQLite locks the files between the two.
 */
#ifndef KMA_STORE_HISTORY_H
#define KMA_STORE_HISTORY_H

#include "day.h"
#include "lib/clock.h"
#include "lib/strbuf.h"
#include "lib/notes.h"
#include "model/account.h"
#include "model/moment.h"
#include "pack.h"

#define KMA_HISTORY_MARKER  "kmem-account-history"
#define KMA_HISTORY_NAME    "kmem_account history "
#define KMA_HISTORY_VERSION "1"
#define KMA_HISTORY_SUFFIX  ".kmh"
#define KMA_HISTORY_DAY_LEN 14 /* bytes of a name: "2026-11-25.kmh" */

/* The limits of a history that is written. */
struct kma_history_bounds {
	uint64_t keep;	   /* ns after which a day is removed; 0: never */
	uint64_t max_size; /* bytes of all files; 0: no limit */
};

struct kma_history {
	char *path;
	char (*days)[KMA_HISTORY_DAY_LEN + 1]; /* names of files, oldest first */
	size_t nr_days;
	struct kma_packed *packed; /* the days of a bundle, in memory; otherwise NULL */
	size_t nr_packed;
	/* set by a reader before the first sample */
	bool groups;		      /* read cgroups and nodes, too */
	struct kma_columns_need need; /* what is needed of each call site and group */
	/* the day that was read last */
	struct kma_day *day;
	size_t day_at; /* its index in @days */
	struct kma_day_sample *samples;
	size_t nr_samples;
	bool *lost;		 /* by day: it cannot be read, which is in @damage */
	struct kma_notes damage; /* sentences: what cannot be read and is left out */
	size_t nr_damaged;	 /* days of which something is left out */
	/* for writing */
	struct kma_history_bounds bounds;
	int lock;	       /* file descriptor of the marker; -1: not open */
	bool alone;	       /* no other program writes */
	struct kma_day *today; /* the file that is written; NULL: none is open */
	char today_name[KMA_HISTORY_DAY_LEN + 1];
	struct kma_day_series series;
	struct kma_moment last; /* times of the last sample; its text belongs to @series */
	bool has_series;
};

/* Has a directory the marker, of any version? */
bool kma_history_is(const char *path);

/**
 * kma_history_refuse() - say why a directory is not an account
 * @path: what the user named as an account
 *
 * Return: NULL if @path is a history, is not a directory, or does not exist; otherwise an error
 * that says what to give instead, or that the marker cannot be read (KMA_ERR_NOT_READABLE).
 */
struct kma_err *kma_history_refuse(const char *path);

/* Is a path a directory with the marker, or a bundle with a history? */
bool kma_history_has(const char *path);

/**
 * kma_history_pack() - write the last day of a history as text (pack.h)
 * @path: the directory
 * @out: the text is appended
 * @newest: time of the newest sample, ns since 1970
 * @damage: a sentence is added for each day that cannot be read and is left out
 *
 * The text has the whole files of the days that the last 24 hours before the newest sample are in.
 */
struct kma_err *kma_history_pack(const char *path, struct kma_strbuf *out, uint64_t *newest,
				 struct kma_notes *damage);

/**
 * kma_history_open() - open a directory, or the history of a bundle, for reading
 * @path: the directory or the bundle
 * @ret: the history
 *
 * Return: NULL, or an error: there is no history, or it has an unsupported version.
 */
struct kma_err *kma_history_open(const char *path, struct kma_history **ret);

/**
 * kma_history_unpack() - open the history of a bundle whose text is in memory
 * @name: name of the bundle
 * @text: the text, not needed afterwards
 * @len: its bytes
 * @ret: the history
 *
 * Return: NULL, or an error: the section is not supported, corrupt or truncated.
 */
struct kma_err *kma_history_unpack(const char *name, const char *text, size_t len,
				   struct kma_history **ret);

/**
 * kma_history_close() - close the history, free all
 * @history: from kma_history_open() or kma_history_create(); NULL is fine
 */
void kma_history_close(struct kma_history *history);

/**
 * kma_history_at() - get the newest sample that is not after a time
 * @history: open
 * @time: ns since 1970
 * @ret: its account
 *
 * Return: NULL, or an error: of kind KMA_ERR_NOT_FOUND, with the times of the first and last
 * sample, if there is none; or that of a file or sample that cannot be read.
 */
struct kma_err *kma_history_at(struct kma_history *history, uint64_t time,
			       struct kma_account **ret);

/*
 * The functions below leave out a day whose file cannot be read, and a sample that cannot be
 * decoded. Member damage has a sentence for each such day.
 */

/* A walk over the samples of an interval, in the order of the files. */
struct kma_history_walk {
	struct kma_history *history;
	uint64_t from, to;  /* ns since 1970, both included */
	size_t max;	    /* take about this many samples, at equal distances; 0: all */
	size_t nr;	    /* samples of the interval */
	size_t seen, taken; /* of these: those that were visited, and those that were read */
	size_t day, next;   /* the next sample */
	size_t looked;	    /* samples of the current day that were read */
	size_t broken;	    /* of these: those that cannot be decoded */
	char *why;	    /* the error of the first one */
};

/* Starts a walk: counts the samples. The last one is always taken. */
struct kma_err *kma_history_walk_begin(struct kma_history *history, uint64_t from, uint64_t to,
				       size_t max, struct kma_history_walk *ret);

/*
 * Reads the next sample; *ret is NULL after the last one. It is an error if there was no sample that
 * can be read.
 */
struct kma_err *kma_history_walk_next(struct kma_history_walk *walk, struct kma_account **ret);

/* Ends a walk, also before its last sample: unlocks the day. */
void kma_history_walk_end(struct kma_history_walk *walk);

/**
 * kma_history_span() - get the times of the oldest and the newest sample
 * @history: open
 * @from: of the oldest, ns since 1970
 * @to: of the newest
 * @nr: number of samples
 */
struct kma_err *kma_history_span(struct kma_history *history, uint64_t *from, uint64_t *to,
				 size_t *nr);

/**
 * kma_history_times() - get the times of all samples
 * @history: open
 * @ret: array of ns since 1970, for free(3), in the order of the files; if a clock was set, times
 *	may go back
 * @nr: number of samples, more than 0
 *
 * Return: NULL, or an error: there is no sample that can be read.
 */
struct kma_err *kma_history_times(struct kma_history *history, uint64_t **ret, size_t *nr);

/* The functions below are shared with history-write.c and open/past.c. */

/* Allocate a history that is not open, for kma_history_close(). */
struct kma_history *kma_history_alloc(const char *path);

/* Check that the directory is a history of this version. */
struct kma_err *kma_history_check(const struct kma_history *history);

/* Find the files of the days; the list of days is replaced. */
struct kma_err *kma_history_list(struct kma_history *history);

/* Open the file of day @i for reading, unless it is open. */
struct kma_err *kma_history_load(struct kma_history *history, size_t i);

/*
 * The same, but a day that cannot be read has no samples, and is reported once, in member damage. An
 * error then does not concern this day alone.
 */
struct kma_err *kma_history_visit(struct kma_history *history, size_t i);

/* Free the series that is written. */
void kma_history_end_series(struct kma_history *history);

/* The path of a file in the directory, for free(3). */
char *kma_history_file(const struct kma_history *history, const char *name);

/* May the day with the file @name have samples from @from to @to, ns since 1970? */
bool kma_history_in(const char *name, uint64_t from, uint64_t to);

#endif /* KMA_STORE_HISTORY_H */
