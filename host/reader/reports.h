/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reports.h - the reports of a text that has several, as the log of a console has: each is an
 * account.
 *
 * A reader fills one account, that of the last report. Where a report ends because another one
 * begins, the reader asks for an account to fill with it. It gets one if the caller of the reader
 * wants that report.
 */
#ifndef KMA_READER_REPORTS_H
#define KMA_READER_REPORTS_H

#include "input/input.h"
#include "model/account.h"
#include "stamp.h"

/* The reports that the caller of a reader wants. */
enum kma_reports_keep {
	KMA_REPORTS_LAST,
	KMA_REPORTS_ENDS, /* the first and the last one; KMA_ERR_NOT_FOUND if the format has only one */
	KMA_REPORTS_ALL,
};

struct kma_reports {
	/* set by the caller */
	enum kma_reports_keep keep;
	unsigned int part;  /* only this report, from 1; 0: as @keep says */
	const char *format; /* key of the only format to read; NULL: the content decides */
	/* The key of the format that has such a row; NULL: none. Set by kma_reader_read(). */
	const char *(*format_of)(const char *text);
	/* set by the reader */
	unsigned int nr;	   /* reports of the text */
	struct kma_account **list; /* those that are wanted, finished; in the order of the text */
	size_t nr_list, room, next;
	struct kma_times times;	   /* set by the filter of the lines */
	struct kma_stamps *stamps; /* of each report of @list */
	size_t room_stamps;
};

/*
 * The current report has ended, and another one begins. Returns an empty account for the report
 * that has ended, owned by the reports of @input; NULL if it is not wanted.
 */
struct kma_account *kma_reports_end(struct kma_input *input);

/* Is the last report wanted? Its number is one more than that of the ended ones. */
bool kma_reports_want_last(const struct kma_input *input);

/* Adds the account of the last report, or destroys it if another one is wanted. */
void kma_reports_add_last(struct kma_reports *reports, struct kma_account *account);

/* Takes the next account out of the list, in order; NULL: there are no more. */
struct kma_account *kma_reports_take(struct kma_reports *reports);

void kma_reports_deinit(struct kma_reports *reports);

#endif /* KMA_READER_REPORTS_H */
