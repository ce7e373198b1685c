/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaks-text.h - the output of kmem-account leaks: a row for each call site, and for each leak a
 * sentence for a bug report.
 */
#ifndef KMA_CLI_LEAKS_TEXT_H
#define KMA_CLI_LEAKS_TEXT_H

#include "lib/format.h"
#include "lib/strbuf.h"
#include "model/leak.h"
#include "model/site.h"
#include "model/unread.h"
#include "rows.h"
#include "tree/key.h"

/* A judged call site. */
struct kma_leak_row {
	const char *caller;	     /* text of the keys of the rows */
	struct kma_strbuf label;     /* the same for people, with the remark */
	const struct kma_site *site; /* in the newest account */
	const char *remark;	     /* its kind, if rows of its caller have several; else "" */
	uint64_t oldest;	     /* age of its oldest live object in ns; 0: unknown */
	const char *file;	     /* NULL: unknown */
	unsigned long line;	     /* 0: unknown */
	bool scanned;		     /* a scan has objects of it; the numbers that follow are its */
	unsigned int kinds;	     /* rows of its caller with which it shares these numbers */
	bool by_scan;		     /* a leak for its lost objects, and not for its samples */
	uint64_t lost, lost_of; /* lost objects of the live ones; @lost_of: 0 if none is lost */
	bool chained;		/* other lost objects refer to each lost one */
	uint64_t held, held_of; /* objects that @holder holds, of those in the last pass */
	const char *holder;	/* the root that holds most of them; NULL: none */
	struct kma_leak_result result;
	struct kma_strbuf reasons;  /* the evidence in words */
	struct kma_strbuf sentence; /* for a bug report; empty unless the verdict is leak */
};

struct kma_leak_table {
	struct kma_leak_row *rows;	     /* in the order of their ranks */
	size_t nr;			     /* number of rows */
	size_t counts[KMA_LEAK_NR_VERDICTS]; /* rows with each verdict */
	size_t samples;			     /* number of accounts */
	size_t damaged;		  /* inputs, and days of histories, that were not read whole */
	struct kma_unread unread; /* event lines that the accounts lack; the first of an input */
	const char *unread_input; /* the first input that lacks some */
	double covers;		  /* seconds from the first sample to the last */
	struct kma_keys by;	  /* keys of the rows */
	struct kma_strbuf only;	  /* rules that select call sites; "": none */
	bool runs;		  /* growth is that of a run of a workload, not of an hour */
	bool scan;		  /* rows have what a scan has found */
	size_t missing;		  /* call sites with lost objects that have no row */
	bool sparks;		  /* draw the minima of each row as a line of blocks */
};

/*
 * The unit of growth: seconds of the time of the samples that are an hour, or a run of a workload.
 */
double kma_leaks_unit(const struct kma_leak_table *table);

/* Makes the label of a row. */
void kma_leaks_label(const struct kma_leak_table *table, struct kma_leak_row *row);

/* What a row is: "call site", "call sites" for another number than 1, or "row". */
const char *kma_leaks_word(const struct kma_leak_table *table, size_t nr);

/* Appends "98 of 100 objects have no reference left in the kernel". */
void kma_leaks_say_lost(const struct kma_leak_row *row, struct kma_strbuf *text);

/* Appends "held by variable foo_list: 480 of 500 (96 %)". */
void kma_leaks_say_holder(const struct kma_leak_row *row, struct kma_strbuf *text);

/*
 * Makes the sentence for a bug report. @available: bytes until memory is exhausted, for a forecast;
 * 0: unknown.
 */
void kma_leaks_sentence(const struct kma_leak_table *table, struct kma_leak_row *row,
			uint64_t available);

/* Writes all rows as a document in @format, which need not be that of @opts. */
void kma_leaks_write(const struct kma_leak_table *table, const struct kma_text_options *opts,
		     enum kma_format format, struct kma_strbuf *out);

#endif /* KMA_CLI_LEAKS_TEXT_H */
