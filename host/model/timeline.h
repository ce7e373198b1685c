/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timeline.h - live bytes of each call site of an account at several times. An event log
 * (reader/log-timeline.h) and a history folder (session/past-timeline.h) fill one.
 *
 * A site has a number, which the filler gives. The numbers of a sample are those that were known when
 * it was taken: a site with a later number had no bytes then.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_MODEL_TIMELINE_H
#define KMA_MODEL_TIMELINE_H

#include "account.h"

struct kma_timeline_sample {
	uint64_t *bytes; /* by number of the site */
	uint32_t nr;
	uint64_t ns;   /* since the log began, or since 1970 */
	uint64_t lost; /* events that were not recorded, up to then */
	bool begins;   /* of another boot or account than the sample before */
};

struct kma_timeline {
	struct kma_account *account; /* its sites are the rows */
	uint32_t *rows;		     /* number of the site of each row */
	struct kma_timeline_sample *samples;
	size_t nr, room;
	bool clock; /* times are since 1970 */
};

/**
 * kma_timeline_destroy() - free it
 * @timeline: from malloc(), filled in as far as it is; NULL is fine
 */
void kma_timeline_destroy(struct kma_timeline *timeline);

/**
 * kma_timeline_add() - add a sample without bytes
 * @timeline: to be filled in
 * @nr: how many sites it has bytes of
 * @ns: its time
 *
 * Return: the sample, valid until the next one is added; NULL if memory is out.
 */
struct kma_timeline_sample *kma_timeline_add(struct kma_timeline *timeline, uint32_t nr,
					     uint64_t ns);

/**
 * kma_timeline_bytes() - live bytes of a row
 * @timeline: filled in
 * @point: number of the sample
 * @row: of which site of the account, by place
 *
 * Return: bytes.
 */
uint64_t kma_timeline_bytes(const struct kma_timeline *timeline, size_t point, size_t row);

#endif /* KMA_MODEL_TIMELINE_H */
