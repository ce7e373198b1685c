/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-totals.h - the totals that the recorder writes at the end of a log: the module's counts for
 * each CPU after the last byte of the streams was written. Only for log*.c.
 *
 * They are lines of the file's text: "#total CPU RECORDS LOST NMI" for each CPU, and as the last
 * line of all "#end N", N being the number of the lines before. A log whose header announces totals
 * and that lacks the last line is truncated.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LOG_LOG_TOTALS_H
#define KMA_LOG_LOG_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/err.h"

/* Of one CPU, as the module has counted; and what was read of its stream. */
struct kma_log_total {
	bool known;		  /* there is a line for this CPU */
	uint64_t records, lost;	  /* @records include @lost */
	uint64_t read, read_lost; /* the same of the stream in the file */
};

struct kma_log_totals {
	struct kma_log_total *cpus; /* nr_cpus of the header; NULL: there is no line */
	uint32_t nr;		    /* how many are known */
	bool whole;		    /* the last line is there, and agrees with @nr */
};

/**
 * kma_log_totals_parse() - take one line of the file's text
 * @totals: zeroed before the first line
 * @line: ends with a line feed
 * @nr_cpus: of the header; a line of a CPU that is not below it is ignored
 * @err: an error (memory), or left alone
 *
 * Return: true if the line is one of totals.
 */
bool kma_log_totals_parse(struct kma_log_totals *totals, const char *line, uint32_t nr_cpus,
			  struct kma_err **err);

/**
 * kma_log_totals_free() - free the memory
 * @totals: as parsed
 */
void kma_log_totals_free(struct kma_log_totals *totals);

#endif /* KMA_LOG_LOG_TOTALS_H */
