/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * series.h - the accounts that an input has, and what it is. kma_open() makes a series (open.h).
 */
#ifndef KMA_OPEN_SERIES_H
#define KMA_OPEN_SERIES_H

#include "store/snapshot.h"
#include "store/history.h"
#include "input/input.h"
#include "lib/notes.h"
#include "model/account.h"
#include "reader/reports.h"

enum kma_series_kind {
	KMA_SERIES_ACCOUNT, /* for a reader of accounts, or of logs */
	KMA_SERIES_DB,
	KMA_SERIES_HISTORY, /* a directory */
	KMA_SERIES_TABLE,   /* a file of the module, not an account */
	KMA_SERIES_DIR,	    /* any other directory: a built tree, or a mistake */
	KMA_SERIES_ELF,
};

/* Metrics that suffice to know which call sites exist and how many bytes each has. */
#define KMA_SERIES_COUNTS \
	(1U << KMA_CURRENT | 1U << KMA_REQUESTED | 1U << KMA_ALLOCS | 1U << KMA_FREES)

/* What to read. Zeroed: the last account, with all that it has. */
struct kma_series_wish {
	bool all;		    /* all accounts, in the order of the input; not only the last */
	bool db;		    /* the input has to be a DB file */
	bool quiet;		    /* show no progress */
	uint64_t page_size;	    /* bytes; 0: not given */
	struct kma_interval events; /* of an event log */
	bool tasks, cgroups;	    /* of an event log: distinguish tasks, or their cgroups */
	/* of the samples of a history, with @all */
	const char *from,
		*to; /* as a person writes it; NULL: a day before the newest; the newest */
	size_t max;  /* about the most samples, at equal distances; 0: all */
	enum kma_grouped groups; /* rows are call sites of groups; samples without are left out */
	bool with_groups;	 /* the accounts keep their groups, as tables next to the sites */
	struct kma_columns_need need; /* columns of each row to read; the others are skipped */
	bool own;    /* after the samples of a bundle, without from and to: its own account, too */
	uint64_t at; /* without @all: read this sample, ns since 1970; 0: as named */
};

struct kma_series {
	struct kma_series_wish wish; /* set by the caller before the first account */
	char *name;		     /* as typed */
	struct kma_db_ref ref;	     /* its path, and label or time */
	enum kma_series_kind kind;
	struct kma_input *input;     /* NULL: a directory, or nothing is left to read */
	struct kma_history *history; /* open while samples are read */
	struct kma_history_walk walk;
	/* of the last account */
	struct kma_snapshot snapshot; /* its id is not 0 if the account is one of a DB file */
	struct kma_reports reports;   /* of a text, or the one account of any other input */
	/* of a DB file of which all snapshots are read */
	struct kma_snapshot *list;
	size_t nr_list;
	size_t nr;		/* snapshots of @list so far */
	size_t left_out;	/* samples without the groups */
	struct kma_notes notes; /* sentences about what cannot be read and is left out */
	size_t damaged;		/* days of a history that are not read whole */
	enum {
		KMA_SERIES_BEGIN,
		KMA_SERIES_LIST,    /* the snapshots of a DB file */
		KMA_SERIES_WALK,    /* the samples of an interval */
		KMA_SERIES_ONE,	    /* one sample */
		KMA_SERIES_INPUT,   /* the reports of a text, or the account of any other input */
		KMA_SERIES_REPORTS, /* which were read */
		KMA_SERIES_END,
	} state;
};

/* NULL is fine. */
void kma_close(struct kma_series *series);

static inline void kma_cleanup_close(struct kma_series **series)
{
	kma_close(*series);
}

#define _cleanup_close_ __attribute__((cleanup(kma_cleanup_close)))

/* Does a series have the samples of a history: is it a directory with one, or a bundle? */
bool kma_series_has_past(const struct kma_series *series);

/* Lets a series of a history read another sample next, of the time @at, ns since 1970. */
void kma_series_again(struct kma_series *series, uint64_t at);

/* Prints the sentences about what was left out, and forgets them. */
void kma_series_say(struct kma_series *series);

#endif /* KMA_OPEN_SERIES_H */
