/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * export.h - an account in the formats of other tools. A format is a row of a table; what it
 * writes depends on nothing but struct kma_export, so the same account gives the same bytes.
 */
#ifndef KMA_EXPORT_EXPORT_H
#define KMA_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/err.h"
#include "lib/strbuf.h"
#include "model/account.h"
#include "tree/source.h"

/* The nodes above the functions of a stack. */
enum kma_roots {
	KMA_ROOTS_DIR,	  /* directories and the file, where they are known */
	KMA_ROOTS_MODULE, /* the module, or vmlinux */
	KMA_ROOTS_NONE,	  /* nothing */
	KMA_NR_ROOTS,
};

/* Names as on the command line. */
extern const char *const kma_roots_names[KMA_NR_ROOTS];

/* The input of an export. Texts and accounts belong to the caller. */
struct kma_export {
	const struct kma_account *account;
	struct kma_source *source;	  /* source of files and lines; NULL: none */
	const struct kma_account *groups; /* metrics: its rows by cgroup or node; NULL: none */
	const struct kma_account *before; /* folded: what it is compared with; NULL: nothing */
	struct kma_source *before_source;
	const char *release;  /* of the kernel, "" when not known */
	const char *build_id; /* of the kernel in hex, "" when not known */
	int64_t time;	      /* seconds since 1970; 0: not known */
	enum kma_metric_id
		metric; /* the metric of a format that has only one; the account has this metric */
	enum kma_roots roots;
	unsigned long top;   /* call sites with series of their own */
	bool keep_wrappers;  /* name kzalloc() and its like, too */
	bool hide_addresses; /* no text is an address of the running kernel */
	bool allocs;	     /* pprof: the default is what was allocated since the start */
};

struct kma_export_format {
	const char *name; /* on the command line */
	const char *what; /* for the help */
	bool binary;	  /* nothing for a terminal */
	bool compares;	  /* takes two accounts */
	bool one_metric;  /* takes -a */
	bool stacks;	  /* has frames: --keep-wrappers */
	bool roots;	  /* --roots */
	bool series;	  /* --top */

	/* Append the file to @out. */
	struct kma_err *(*write)(const struct kma_export *export, struct kma_strbuf *out);
};

/* The formats, each in a file of its own. */
extern const struct kma_export_format kma_export_pprof;
extern const struct kma_export_format kma_export_folded;
extern const struct kma_export_format kma_export_speedscope;
extern const struct kma_export_format kma_export_prometheus;
extern const struct kma_export_format kma_export_openmetrics;

#endif /* KMA_EXPORT_EXPORT_H */
