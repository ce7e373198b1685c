/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaks-text.h - what kmem-account leaks prints: a row for each call site, and for each leak a
 * sentence for a bug report.
 */
#ifndef KMA_CLI_LEAKS_TEXT_H
#define KMA_CLI_LEAKS_TEXT_H

#include "lib/format.h"
#include "lib/strbuf.h"
#include "model/leak.h"
#include "model/site.h"
#include "session/options.h"

/* A judged call site. */
struct kma_leak_row {
	const char *caller;
	const char *cgroup;	     /* NULL: rows are not by cgroup */
	const struct kma_site *site; /* in the newest account */
	uint64_t oldest;	     /* ns, of its oldest live object; 0: not known */
	const char *file;	     /* NULL: not known */
	unsigned long line;	     /* 0: not known */
	struct kma_leak_result result;
	struct kma_strbuf reasons;
	struct kma_strbuf sentence; /* sentence about a leak; otherwise empty */
};

struct kma_leak_table {
	struct kma_leak_row *rows; /* as ranked */
	size_t nr;
	size_t counts[KMA_LEAK_NR_VERDICTS];
	size_t samples;
	size_t damaged; /* inputs, and days of histories, of which something is left out */
	double covers;	/* s */
	bool sparks;	/* draw the minima of each row in a table */
};

/**
 * kma_leaks_sentence() - make the sentence for a bug report
 * @row: a judged site; its sentence is filled in
 * @available: bytes that are left until memory is exhausted; 0: not known
 */
void kma_leaks_sentence(struct kma_leak_row *row, uint64_t available);

/**
 * kma_leaks_write() - print all rows
 * @table: the rows
 * @opts: top, bytes, csv_safe and groups are looked at
 * @format: of the output
 * @out: where to append
 */
void kma_leaks_write(const struct kma_leak_table *table, const struct kma_options *opts,
		     enum kma_format format, struct kma_strbuf *out);

#endif /* KMA_CLI_LEAKS_TEXT_H */
