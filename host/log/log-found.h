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
	KMA_LOG_BAD_CHUNK,    /* bytes outside all chunks; number: of bytes */
	KMA_LOG_BAD_STREAM,   /* bytes of a stream that are not valid records; number: of bytes */
	KMA_LOG_MISSING,      /* records that are missing and not reported as lost; number */
	KMA_LOG_CUT,	      /* the file ends too early; number: of bytes that it should have */
	KMA_LOG_OVERRUN,      /* events that did not fit into the buffers; number */
	KMA_LOG_BAD_LOST,     /* a LOST that does not agree with the numbers; number: its events */
	KMA_LOG_BAD_SEQUENCE, /* numbers go back; number: by how many */
	KMA_LOG_BAD_TIME,     /* time goes back; number: by how many ns */
	KMA_LOG_EARLY,	      /* an event from before the log began; number: by how many ns */
	KMA_LOG_BAD_VALUE,    /* an event with invalid values; number: enum kma_log_value */
	KMA_LOG_NO_END,	      /* the log has no end; number: streams without an END */
	KMA_LOG_MISSED,	      /* calls that the kernel's kprobes skipped; number: of calls */
	KMA_LOG_REFUSED,      /* events of NMIs, which are not recorded; number: of events */
	KMA_LOG_NR_WHATS,
};

/* Why the values of an event are invalid. */
enum kma_log_value {
	KMA_LOG_VALUE_KIND,    /* unknown kind of allocation */
	KMA_LOG_VALUE_NULL,    /* failed with an address, or NULL without having failed */
	KMA_LOG_VALUE_SHORT,   /* fewer bytes allocated than requested */
	KMA_LOG_VALUE_ALIGN,   /* the address is not aligned */
	KMA_LOG_VALUE_ADDRESS, /* the address is not in the kernel's range */
	KMA_LOG_VALUE_SITE,    /* the call site is neither in the kernel's text nor in a module */
	KMA_LOG_VALUE_NODE,    /* unknown memory node */
	KMA_LOG_NR_VALUES,
};

/* Names of the kinds in CSV and JSON. */
extern const char *const kma_log_what_names[KMA_LOG_NR_WHATS];

/* Titles of the kinds, to follow a number: "bytes are missing at the end". */
extern const char *const kma_log_what_titles[KMA_LOG_NR_WHATS];

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
	uint64_t unknown;		  /* records of unknown types */
	uint64_t what[KMA_LOG_NR_WHATS];  /* sums of the findings' numbers */
	uint64_t times[KMA_LOG_NR_WHATS]; /* how many findings */
	uint64_t first, last;		  /* time of the first and last event */
	uint64_t start, wall;		  /* of the header: the log's start, and its wall time */
	uint64_t began;			  /* time of the START records; 0: no START was read */
	uint32_t ends, streams; /* END records read; END records that the log should have */
};

/**
 * kma_log_finding_sentence() - describe one finding
 * @finding: any but of kind KMA_LOG_NO_END, which only kma_log_sentence() describes
 * @ret: buffer for the sentence
 * @size: bytes of @ret
 */
void kma_log_finding_sentence(const struct kma_log_finding *finding, char *ret, size_t size);

/**
 * kma_log_sentence() - describe all findings of one kind
 * @sums: sums of a log
 * @what: the kind
 * @ret: the sentence is appended; nothing is appended if there is no such finding
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
 * Return: events that the log reports as lost, and records that are missing without a report.
 */
uint64_t kma_log_lost(const struct kma_log_sums *sums);

#endif /* KMA_LOG_LOG_FOUND_H */
