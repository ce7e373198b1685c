/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-found.h - what may be wrong with a log: findings, their sums, names and sentences.
 */
#ifndef KMA_LOG_LOG_FOUND_H
#define KMA_LOG_LOG_FOUND_H

#include <stdint.h>

#include "lib/strbuf.h"

#define KMA_LOG_NO_CPU UINT32_MAX

/* What may be wrong with a log. */
enum kma_log_what {
	KMA_LOG_BAD_CHUNK,    /* bytes between chunks that are none; number: of bytes */
	KMA_LOG_BAD_STREAM,   /* bytes of a stream that are no records; number: of bytes */
	KMA_LOG_MISSING,      /* records that are neither there nor said to be lost; number */
	KMA_LOG_CUT,	      /* the file ends too early; number: of bytes that it should have */
	KMA_LOG_OVERRUN,      /* events that the kernel had no room for; number */
	KMA_LOG_BAD_LOST,     /* a LOST that does not agree with the numbers; number: its events */
	KMA_LOG_BAD_SEQUENCE, /* numbers go back; number: by how many */
	KMA_LOG_BAD_TIME,     /* time goes back; number: by how many ns */
	KMA_LOG_EARLY,	      /* an event from before the log began; number: by how many ns */
	KMA_LOG_BAD_VALUE,    /* an event that cannot be; number: enum kma_log_value */
	KMA_LOG_NO_END,	      /* the log has no end; number: streams without an END */
	KMA_LOG_MISSED,	      /* calls that no kprobe saw; number: of calls */
	KMA_LOG_REFUSED,      /* events of NMIs, which are not recorded; number: of events */
	KMA_LOG_NR_WHATS,
};

/* Why an event cannot be. */
enum kma_log_value {
	KMA_LOG_VALUE_KIND,    /* no such kind of allocation */
	KMA_LOG_VALUE_NULL,    /* an allocation at NULL that has not failed, or failed elsewhere */
	KMA_LOG_VALUE_SHORT,   /* fewer bytes than were asked for */
	KMA_LOG_VALUE_ALIGN,   /* an address that is not aligned */
	KMA_LOG_VALUE_ADDRESS, /* an address that is not the kernel's */
	KMA_LOG_VALUE_SITE,    /* a call site neither in the kernel's text nor in a module's */
	KMA_LOG_VALUE_NODE,    /* no such node */
	KMA_LOG_NR_VALUES,
};

/* As names in csv and json, and as sentences: "%u bytes ..." without the number. */
extern const char *const kma_log_what_names[KMA_LOG_NR_WHATS];
extern const char *const kma_log_what_titles[KMA_LOG_NR_WHATS];
extern const char *const kma_log_value_names[KMA_LOG_NR_VALUES];

struct kma_log_finding {
	enum kma_log_what what;
	uint32_t cpu;	 /* or KMA_LOG_NO_CPU */
	uint64_t pos;	 /* in the file as it is unpacked */
	uint64_t number; /* see enum kma_log_what */
};

typedef void(kma_log_found_fn)(void *arg, const struct kma_log_finding *finding);

/* What was read so far. */
struct kma_log_sums {
	uint64_t records[2];		  /* allocations, frees */
	uint64_t others;		  /* records that are not events, of known types */
	uint64_t unknown;		  /* records of types that are not known */
	uint64_t what[KMA_LOG_NR_WHATS];  /* sums of the findings' numbers */
	uint64_t times[KMA_LOG_NR_WHATS]; /* how many findings */
	uint64_t first, last;		  /* time of the first and last event */
	uint64_t start, wall;		  /* of the header: the log's beginning, real time then */
	uint64_t began;			  /* time of the STARTs; 0: none was met */
	uint32_t ends, streams;		  /* ENDs met; ENDs that there are, as they say */
};

/**
 * kma_log_sentence() - what a report says of one kind of findings
 * @sums: of a log
 * @what: the kind
 * @ret: appended to; nothing if there are none
 */
void kma_log_sentence(const struct kma_log_sums *sums, enum kma_log_what what,
		      struct kma_strbuf *ret);

/**
 * kma_log_last() - time of the last event
 * @sums: of a log
 *
 * Return: ns since the log began; 0 if there is no event.
 */
uint64_t kma_log_last(const struct kma_log_sums *sums);

/**
 * kma_log_lost() - events that happened and are not in the log
 * @sums: of a log
 *
 * Return: how many, said to be lost or gone without a word.
 */
uint64_t kma_log_lost(const struct kma_log_sums *sums);

#endif /* KMA_LOG_LOG_FOUND_H */
