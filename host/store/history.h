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

/* Does a directory have the marker, of any version? */
bool kma_history_is(const char *path);

/*
 * The error that a directory is not an account, with what to give instead; or that its marker
 * cannot be read (KMA_ERR_NOT_READABLE). NULL if @path is a history, is not a directory, or does
 * not exist.
 */
struct kma_err *kma_history_refuse(const char *path);

/* Is a path a directory with the marker, or a bundle with a history? */
bool kma_history_has(const char *path);

/*
 * Appends the whole files of the days that the last 24 hours before the newest sample are in, as
 * text (pack.h). @newest is the time of that sample, ns since 1970. @damage gets a sentence for
 * each day that cannot be read and is left out.
 */
struct kma_err *kma_history_pack(const char *path, struct kma_strbuf *out, uint64_t *newest,
				 struct kma_notes *damage);

/*
 * Opens a directory, or the history of a bundle, for reading. It is an error if there is no
 * history, or it has an unsupported version.
 */
struct kma_err *kma_history_open(const char *path, struct kma_history **ret);

/* The same for a bundle whose text is in memory, and not needed afterwards. */
struct kma_err *kma_history_unpack(const char *name, const char *text, size_t len,
				   struct kma_history **ret);

/* NULL is fine. */
void kma_history_close(struct kma_history *history);

/*
 * The newest sample that is not after a time, ns since 1970. If there is none, the error is of kind
 * KMA_ERR_NOT_FOUND, with the times of the first and last sample; or it is that of a file or sample
 * that cannot be read.
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
 * Reads the next sample; *ret is NULL after the last one. It is an error if no sample of the walk
 * can be read.
 */
struct kma_err *kma_history_walk_next(struct kma_history_walk *walk, struct kma_account **ret);

/* Ends a walk, also before its last sample: unlocks the day. */
void kma_history_walk_end(struct kma_history_walk *walk);

/* Times of the oldest and the newest sample, ns since 1970, and the number of samples. */
struct kma_err *kma_history_span(struct kma_history *history, uint64_t *from, uint64_t *to,
				 size_t *nr);

/*
 * Times of all samples, ns since 1970, in the order of the files: an array for free(3), of at least
 * one. If a clock was set, times may go back. It is an error if no sample can be read.
 */
struct kma_err *kma_history_times(struct kma_history *history, uint64_t **ret, size_t *nr);

/* The functions below are shared with day-write.c and open/past.c. */

/* A history that is not open, for kma_history_close(). */
struct kma_history *kma_history_alloc(const char *path);

/* Checks that the directory is a history of this version. */
struct kma_err *kma_history_check(const struct kma_history *history);

/* Finds the files of the days; the list of days is replaced. */
struct kma_err *kma_history_list(struct kma_history *history);

/* Opens the file of day @i for reading, unless it is open. */
struct kma_err *kma_history_load(struct kma_history *history, size_t i);

/*
 * The same, but a day that cannot be read has no samples, and is reported once, in member damage.
 * An error then does not concern this day alone.
 */
struct kma_err *kma_history_visit(struct kma_history *history, size_t i);

/* Frees the series that is written. */
void kma_history_end_series(struct kma_history *history);

/* The path of a file in the directory, for free(3). */
char *kma_history_file(const struct kma_history *history, const char *name);

/* May the day with the file @name have samples from @from to @to, ns since 1970? */
bool kma_history_in(const char *name, uint64_t from, uint64_t to);

#endif /* KMA_STORE_HISTORY_H */
