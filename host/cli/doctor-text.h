/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * doctor-text.h - what kmem-account doctor has found, for its text.
 *
 * Locking: none.
 */
#ifndef KMA_CLI_DOCTOR_TEXT_H
#define KMA_CLI_DOCTOR_TEXT_H

#include "doctor-rules.h"
#include "heap/scan.h"
#include "leaks-text.h"
#include "lib/notes.h"
#include "model/leak-series.h"
#include "where-rows.h"

/* What the owners of memory are. */
enum doctor_holders {
	DOCTOR_CALLERS,
	DOCTOR_TYPES,
	DOCTOR_CACHES,
	DOCTOR_CGROUPS,
	DOCTOR_NR_HOLDERS
};

struct kma_doctor {
	const char *input;   /* a bundle or a directory; NULL: this machine */
	char *release;	     /* of the kernel; NULL: unknown */
	const char *version; /* the same, or the upstream version that a distribution states */

	struct kma_meminfo meminfo;
	struct kma_where_rows memory; /* adds up to MemTotal; empty: unknown */

	/* verdicts */
	struct kma_leak_series *series;
	struct kma_leak_table table; /* ranked */
	bool caches;		     /* rows are slab caches, because no call site is known */
	const char *accounts;	     /* file or directory of the samples; NULL: there are none */
	bool history;		     /* the samples are of a history */

	struct kma_scan scan;
	bool scanned;
	const char *scan_file; /* NULL: the running kernel was scanned */

	struct kma_where_rows holders[DOCTOR_NR_HOLDERS]; /* largest first; texts are in @texts */
	uint64_t dying; /* cgroups that were removed, and are held by memory */

	struct kma_doctor_rules rules;
	struct kma_notes unseen; /* what could not be looked at, and why: a sentence each */
	bool damaged;		 /* a file of the input cannot be read */
	uint64_t ns, cpu, bytes; /* the cost: elapsed, of CPUs, largest memory of the process */
	struct kma_arena texts;
};

/* Appends the answer in at most 25 lines of 80 columns, or as a JSON document. */
void kma_doctor_write(const struct kma_doctor *doctor, const struct kma_text_options *opts,
		      struct kma_strbuf *out);

#endif /* KMA_CLI_DOCTOR_TEXT_H */
