/* SPDX-License-Identifier: GPL-2.0 */
/*
 * private.h - what the files of an analysis share; for nobody else.
 */
#ifndef KMA_LATENCY_PRIVATE_H
#define KMA_LATENCY_PRIVATE_H

#include "latency.h"

#define KMA_LAT_NAME(name)             \
	{                              \
		name, sizeof(name) - 1 \
	}

/* The stack that is being read. */
struct kma_lat_reading {
	struct kma_lat_task *task; /* NULL: none is */
	bool allocates, found;
};

#define KMA_LAT_KNOWN 64

/* A shrinker as events have it, and its rows. */
struct kma_lat_known {
	size_t len;
	char text[KMA_LAT_MAX_TEXT];
	struct kma_lat_row *by_name, *by_both;
};

struct kma_lat_names;

struct kma_lat {
	struct kma_lat_options opts;
	struct kma_lat_tasks *tasks;
	struct kma_lat_rows *rows;
	struct kma_lat_sums sums;
	uint64_t gaps[KMA_LAT_MAX_CPUS], all_gaps;
	bool failed; /* no memory */
	struct kma_lat_reading stack;
	struct kma_lat_known known[KMA_LAT_KNOWN];
	struct kma_lat_names *names; /* of shrinkers; NULL: the log has none */
};

static inline void kma_lat_keep(struct kma_strbuf *to, const char *line, size_t len)
{
	to->len = 0;
	kma_strbuf_add(to, line, len);
}

/**
 * kma_lat_row_add() - one more of a row
 * @lat: the analysis
 * @of: see kma_lat_rows_get()
 * @text: the row's name
 * @ns: how long it took
 */
void kma_lat_row_add(struct kma_lat *lat, unsigned int of, struct kma_lat_text text, uint64_t ns);

/**
 * kma_lat_count() - one more of a cause
 * @lat: the analysis
 * @cause: what took time
 * @task: whose
 * @args: those of the event that began it, empty if there is none; by site: the site
 * @ns: how long it took
 */
void kma_lat_count(struct kma_lat *lat, enum kma_lat_cause cause, const struct kma_lat_task *task,
		   const struct kma_lat_text *args, uint64_t ns);

/**
 * kma_lat_allocates() - is a function one that allocates pages, in any kernel?
 * @name: perhaps with what the compiler adds
 *
 * Return: true if it is.
 */
bool kma_lat_allocates(const struct kma_lat_text *name);

/**
 * kma_lat_shrinker() - what tells a shrinker
 * @args: of its event
 *
 * Return: function and address, in front of ": nid".
 */
struct kma_lat_text kma_lat_shrinker(const struct kma_lat_text *args);

/**
 * kma_lat_count_shrinker() - one more run of a shrinker
 * @lat: the analysis
 * @shrinker: from kma_lat_shrinker()
 * @ns: how long it took
 */
void kma_lat_count_shrinker(struct kma_lat *lat, const struct kma_lat_text *shrinker, uint64_t ns);

/**
 * kma_lat_address() - read an address
 * @text: hexadecimal, perhaps behind 0x
 *
 * Return: the address; 0 if it is none.
 */
uint64_t kma_lat_address(const struct kma_lat_text *text);

/**
 * kma_lat_name_shrinker() - a shrinker has a name, from now on
 * @lat: the analysis
 * @address: of the shrinker
 * @name: its folder's in debugfs
 */
void kma_lat_name_shrinker(struct kma_lat *lat, uint64_t address, const struct kma_lat_text *name);

/**
 * kma_lat_name_rows() - let names hold for what came before them, too
 * @lat: the analysis
 */
void kma_lat_name_rows(struct kma_lat *lat);

/**
 * kma_lat_share_ended() - a wait has ended that may be one of an allocation
 * @task: whose
 * @cause: direct reclaim, compaction, shrink
 * @begin: when it began, ns
 * @took: ns
 */
void kma_lat_share_ended(struct kma_lat_task *task, enum kma_lat_cause cause, uint64_t begin,
			 uint64_t took);

/**
 * kma_lat_share_add() - an allocation has ended: what has its time gone to?
 * @sums: are added to
 * @task: whose; what was in its past is no more
 * @line: where the function ended
 */
void kma_lat_share_add(struct kma_lat_sums *sums, struct kma_lat_task *task,
		       const struct kma_lat_line *line);

/**
 * kma_lat_site() - who called a function that allocates
 * @lat: the analysis
 * @task: whose; a stack that is used is none of the next call
 * @line: where the function ended
 *
 * Return: the site, until the next stack; empty if nobody knows.
 */
struct kma_lat_text kma_lat_site(const struct kma_lat *lat, struct kma_lat_task *task,
				 const struct kma_lat_line *line);

/**
 * kma_lat_settle() - count what has ended, as it is known now whose it was
 * @lat: the analysis
 * @task: nothing may have ended
 * @site: NULL: nobody knows
 */
void kma_lat_settle(struct kma_lat *lat, struct kma_lat_task *task,
		    const struct kma_lat_text *site);

/**
 * kma_lat_stack_begin() - a stack follows
 * @lat: the analysis
 * @task: whose
 * @line: its heading
 */
void kma_lat_stack_begin(struct kma_lat *lat, struct kma_lat_task *task,
			 const struct kma_lat_line *line);

/**
 * kma_lat_stack_frame() - the next one of the stack
 * @lat: the analysis
 * @frame: function, offset, module
 */
void kma_lat_stack_frame(struct kma_lat *lat, const struct kma_lat_text *frame);

/**
 * kma_lat_stack_end() - it had no more
 * @lat: the analysis; there need not have been one
 */
void kma_lat_stack_end(struct kma_lat *lat);

#endif /* KMA_LATENCY_PRIVATE_H */
