/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-found.h - findings: what may be wrong with an event log. Their sums, names and sentences.
 *
 * A finding has a kind, a CPU, a position and a number. The meaning of the number depends on the
 * kind: for most kinds it counts missing things (bytes, records, events), so the sum over all
 * findings counts them, too; for some it is the size of an error, and only the number of findings
 * is of use.
 */
#ifndef KMA_LOG_LOG_FOUND_H
#define KMA_LOG_LOG_FOUND_H

#include <stdint.h>

#include "lib/strbuf.h"

#define KMA_LOG_NO_CPU UINT32_MAX

/* Kinds of findings. The text after "number:" is the meaning of kma_log_finding.number. */
enum kma_log_what {
	KMA_LOG_BAD_CHUNK,    /* bytes outside all chunks; number: of bytes */
	KMA_LOG_BAD_STREAM,   /* bytes of a stream that are not valid records; number: of bytes */
	KMA_LOG_MISSING,      /* records are missing and not reported as lost; number: of records */
	KMA_LOG_CUT,	      /* the file is truncated; number: of missing bytes */
	KMA_LOG_OVERRUN,      /* events did not fit into the buffers; number: of events */
	KMA_LOG_BAD_LOST,     /* a LOST does not match the record numbers; number: its events */
	KMA_LOG_BAD_SEQUENCE, /* record numbers go back; number: difference */
	KMA_LOG_BAD_TIME,     /* a time goes back; number: ns */
	KMA_LOG_EARLY,	      /* an event is before the start of the log; number: ns */
	KMA_LOG_BAD_VALUE,    /* an event with invalid values; number: enum kma_log_value */
	KMA_LOG_NO_END,	      /* the end of the log is missing; number: of streams without an END */
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
	uint32_t cpu;	 /* KMA_LOG_NO_CPU: it does not concern one CPU */
	uint64_t pos;	 /* position in the decompressed file, in bytes */
	uint64_t number; /* see enum kma_log_what */
};

typedef void(kma_log_found_fn)(void *arg, const struct kma_log_finding *finding);

/* Sums over all that was read so far. */
struct kma_log_sums {
	uint64_t records[2];		  /* number of allocations, and of frees */
	uint64_t others;		  /* number of records of known types that are not events */
	uint64_t unknown;		  /* number of records of unknown types */
	uint64_t what[KMA_LOG_NR_WHATS];  /* by kind: sum of the findings' numbers */
	uint64_t times[KMA_LOG_NR_WHATS]; /* by kind: number of findings */
	uint64_t first, last;		  /* time of the first and last event, in ns */
	uint64_t start, wall;	/* of the header: start of the log in ns; the same since 1970 */
	uint64_t began;		/* time of the START records in ns; 0: no START was read */
	uint32_t ends, streams; /* END records that were read, and that the log should have */
};

/* Describes one finding of any kind but KMA_LOG_NO_END, which only kma_log_sentence() describes. */
void kma_log_finding_sentence(const struct kma_log_finding *finding, char *ret, size_t size);

/* Appends a sentence about all findings of one kind; nothing if there are none. */
void kma_log_sentence(const struct kma_log_sums *sums, enum kma_log_what what,
		      struct kma_strbuf *ret);

/*
 * Appends the sentence that an interval has no event; nothing if events were read in it. The log
 * was read to the end of the interval, which begins @from ns after the start of the log; 0: there
 * is no interval.
 */
void kma_log_sentence_missed(const struct kma_log_sums *sums, uint64_t from,
			     struct kma_strbuf *ret);

/* The time of the last event, ns since the start of the log; 0 if there is no event. */
uint64_t kma_log_last(const struct kma_log_sums *sums);

/* Events that the log reports as lost, and records that are missing without a report. */
uint64_t kma_log_lost(const struct kma_log_sums *sums);

#endif /* KMA_LOG_LOG_FOUND_H */
