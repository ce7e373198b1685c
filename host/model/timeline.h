/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timeline.h - live bytes of each call site of an account at several times. It is filled from an
 * event log (reader/log-timeline.h) or from a history directory (cli/cmd-timeline.c).
 *
 * Sites have numbers, which the code that fills the timeline assigns as sites appear. A sample has
 * the bytes of those numbers that were assigned at its time; a site with a higher number had no
 * bytes. It takes 8 bytes for each of these sites.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_MODEL_TIMELINE_H
#define KMA_MODEL_TIMELINE_H

#include "account.h"

struct kma_timeline_sample {
	uint64_t *bytes; /* live bytes, by number of the site */
	uint32_t nr;	 /* elements of @bytes */
	uint64_t ns;	 /* time since the start of the log, or since 1970 */
	uint64_t lost;	 /* events lost up to this time */
	bool begins;	 /* the sample is of another boot or account than the one before */
};

struct kma_timeline {
	struct kma_account *account;	     /* its sites are the rows */
	uint32_t *rows;			     /* for each row, the number of its site */
	struct kma_timeline_sample *samples; /* in the order of time */
	size_t nr, room;
	bool clock; /* times are since 1970 */
};

/* Destroys its account, too. @timeline is from calloc(), complete or not; NULL is fine. */
void kma_timeline_destroy(struct kma_timeline *timeline);

/*
 * Adds a sample in which all sites have 0 bytes; valid until the next one is added. @nr is above
 * all numbers of sites at that time.
 */
struct kma_timeline_sample *kma_timeline_add(struct kma_timeline *timeline, uint32_t nr,
					     uint64_t ns);

/* @point is the index of the sample, @row that of the site in the account. */
uint64_t kma_timeline_bytes(const struct kma_timeline *timeline, size_t point, size_t row);

#endif /* KMA_MODEL_TIMELINE_H */
