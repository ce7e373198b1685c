/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * export.h - write an account in the formats of other tools.
 *
 * A format is a struct kma_export_format in a file of its own. Its output depends only on struct
 * kma_export, not on the time, the machine or the user. So equal input gives equal bytes.
 */
#ifndef KMA_EXPORT_EXPORT_H
#define KMA_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/err.h"
#include "lib/strbuf.h"
#include "model/account.h"
#include "tree/key.h"
#include "tree/maintainers.h"
#include "tree/source.h"

/* The input of an export. Texts and accounts belong to the caller. */
struct kma_export {
	const struct kma_account *account;
	struct kma_source *source;	  /* source of files and lines; NULL: none */
	const struct kma_account *groups; /* metrics: its rows by cgroup or node; NULL: none */
	const struct kma_account *before; /* folded: an older account to compare with; NULL: none */
	struct kma_source *before_source; /* the source of @before; NULL: none */
	const char *release;		  /* of the kernel, "" when unknown */
	const char *build_id;		  /* of the kernel in hex, "" when unknown */
	int64_t time;			  /* of the account, seconds since 1970; 0: unknown */
	enum kma_metric_id
		metric; /* the metric of a format that has only one; the account has this metric */
	struct kma_keys
		keys; /* the frames above the functions; of a profile: labels of its samples */
	struct kma_maintainers *maintainers; /* for subsystems; NULL: none are known */
	unsigned long top;   /* metrics: number of call sites with series; 0: the default */
	bool keep_wrappers;  /* show kzalloc() and related functions, too */
	bool hide_addresses; /* write no address of the running kernel */
	bool allocs;	     /* pprof: show the bytes of all allocations by default */
};

struct kma_export_format {
	const char *name; /* on the command line */
	const char *what; /* for the help */
	bool binary;	  /* not for a terminal */
	bool compares;	  /* can compare two accounts */
	bool one_metric;  /* has one metric: -a is accepted */
	bool stacks;	  /* has frames: --keep-wrappers is accepted */
	bool roots;	  /* --roots is accepted */
	bool series;	  /* --top is accepted */

	/* Appends the whole file to @out. */
	struct kma_err *(*write)(const struct kma_export *export, struct kma_strbuf *out);
};

/* The formats, each in a file of its own. */
extern const struct kma_export_format kma_export_pprof;
extern const struct kma_export_format kma_export_folded;
extern const struct kma_export_format kma_export_speedscope;
extern const struct kma_export_format kma_export_prometheus;
extern const struct kma_export_format kma_export_openmetrics;

#endif /* KMA_EXPORT_EXPORT_H */
