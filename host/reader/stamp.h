/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stamp.h - the times in a text that has several reports, as people paste it: of the kernel log, of
 * mails, of date and uptime between the reports.
 *
 * A text may have several clocks. Of each clock, a report has the time on its first row, or the
 * last one in the other text before it. A clock is usable if each report has a time of its own by
 * it.
 */
#ifndef KMA_READER_STAMP_H
#define KMA_READER_STAMP_H

#include <stdbool.h>
#include <stddef.h>

/* In the order in which they are chosen. */
enum kma_clock {
	KMA_CLOCK_KERNEL, /* s since the boot: "[   63.201234]" */
	KMA_CLOCK_DATE,	  /* s since 1970; a zone that has only a name counts as UTC */
	KMA_CLOCK_NO_YEAR,
	KMA_CLOCK_OF_DAY, /* reports that follow are less than a day apart */
	KMA_NR_CLOCKS,
};

extern const char *const kma_clocks[KMA_NR_CLOCKS];

struct kma_stamps {
	double at[KMA_NR_CLOCKS]; /* s; 0: none */
};

/* The times up to the current line of a text. */
struct kma_times {
	struct kma_stamps before; /* of other text since the last line of the format */
	struct kma_stamps head;	  /* of the last line of the format */
	struct kma_stamps report; /* of the current report */
	bool row;		  /* the first report has begun */
};

/* Adds the times that begin in the first @len bytes of a line. */
void kma_stamps_find(const char *text, size_t len, struct kma_stamps *stamps);

/*
 * Adds the time of a line of other text, if it has hardly more than a time, or is the head of a
 * mail.
 */
void kma_stamps_of_other(const char *text, struct kma_stamps *stamps);

/*
 * Counts a line, whose times @line has. @of_format: it is one of a report; @row: its first row, or
 * a later one.
 */
void kma_times_pass(struct kma_times *times, const struct kma_stamps *line, bool of_format,
		    bool row);

/*
 * Chooses the clock by which each of @nr reports has a time of its own, and sets @times to it.
 * False: there is none; @clock is then the one that the most reports have, and @which the first
 * report, from 0, that has no later time.
 */
bool kma_stamps_choose(const struct kma_stamps *stamps, size_t nr, double *times,
		       enum kma_clock *clock, size_t *which);

#endif /* KMA_READER_STAMP_H */
