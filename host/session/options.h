/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - what a command line asks for, with types. cli/options.c has the table that fills
 * it in; a text here is a name that the user chose (a file, a branch, a title).
 */
#ifndef KMA_SESSION_OPTIONS_H
#define KMA_SESSION_OPTIONS_H

#include "export/export.h"
#include "input/input.h"
#include "lib/format.h"
#include "model/metric.h"
#include "model/restack.h"
#include "tree/footprint.h"
#include "tree/kernel.h"
#include "view/chart/chart.h"
#include "view/picture.h"
#include "view/text/rows.h"

#define KMA_MAX_ARGS	4096
#define KMA_MAX_OUTPUTS 8

/* The sheets of objects. */
enum kma_show {
	KMA_SHOW_TOTAL,
	KMA_SHOW_SIZES,
	KMA_SHOW_WASTE,
	KMA_SHOW_LIFETIMES,
	KMA_SHOW_SITES,
	KMA_SHOW_CPUS,
	KMA_SHOW_NODES,
	KMA_SHOW_ERRORS,
	KMA_NR_SHOWS,
};

/* When the static sizes of the built tree are added to the account. */
enum kma_sizes_when {
	KMA_SIZES_NEVER,
	KMA_SIZES_IF_ASKED, /* a requested metric needs a tree, or there is no account */
	KMA_SIZES_IF_THERE, /* also if the kernel's tree is there anyway */
};

/* Pictures to write. */
struct kma_outputs {
	unsigned int nr;
	unsigned int pages; /* how many of them are pages, FILE.html */
	struct {
		const char *path;
		const struct kma_picture *picture;
	} list[KMA_MAX_OUTPUTS];
};

struct kma_options {
	const char *account; /* FILE or FILE@LABEL; NULL when not given */
	const char *command; /* name of the command, for messages; NULL for none */
	const char *db_file; /* as account, and has to be a DB file */
	const char *save_db;
	const char *args[KMA_MAX_ARGS];
	unsigned int nr_args;
	struct kma_interval interval; /* of an event log */
	const char *slabinfo;	   /* /proc/slabinfo of the account's machine; NULL: see caches.h */
	const char *slab;	   /* /sys/kernel/slab of it, the same */
	const char *meminfo;	   /* /proc/meminfo of it */
	bool where;		   /* all of the machine's memory */
	struct kma_restack stacks; /* rows that are chosen by stacks */
	enum kma_grouped groups;   /* rows are call sites of groups */
	const char *past_from, *past_to; /* of a history, or of a log, as typed */
	unsigned int kinds;		 /* set of 1 << enum kma_kind to show; 0: all */
	struct kma_kernel_query kernel;
	const char *package; /* directory of a kernel's debug package; NULL when not given */
	enum kma_sizes_when sizes;
	bool asks_tree; /* a metric of KMA_TREE_METRICS is requested */

	const char *branch;
	enum kma_by by;
	enum kma_footprint_key key;    /* rows of static sizes */
	enum kma_metric_id attr, sort; /* if they are given, see below */
	unsigned int columns;	       /* set of metrics, KMA_METRICS_ALL is all; if given */
	enum kma_format format;
	enum kma_show show;
	unsigned int table; /* enum kma_modtable_id, if given: rows with its own columns */
	const char *output;
	unsigned long top;   /* rows; 0: all */
	unsigned long depth; /* levels of directories; 0: all */
	uint64_t floor;
	uint64_t fail_above;
	unsigned int fail_on; /* enum kma_leak_verdict */
	uint64_t every;	      /* ns between inputs; 0: they have times */
	uint64_t available;   /* bytes left; 0: not known */
	unsigned long points;

	struct kma_outputs render;
	enum kma_chart_by chart_by;
	const char *workload;  /* of leaks: the command */
	unsigned long samples; /* of it */
	bool probe;
	const char *prometheus, *match; /* of leaks: a server's address, labels of its series */
	enum kma_chart_kind chart;
	enum kma_theme_id theme;
	const char *title;
	unsigned long levels; /* of a chart; 0: as many as its kind has */
	unsigned long width;
	unsigned long max_nodes; /* 0: as many as usual */
	bool plain;
	const char *source_url; /* template of an address of a line; NULL: no links */

	enum kma_roots roots; /* export: what stands above the functions */
	bool keep_wrappers;   /* export: show them, too */
	bool trees;	      /* diff: the arguments are built trees */
	bool image;
	bool bytes;
	bool all;
	bool csv_safe;
	bool quiet;
	bool has_by, has_attr, has_sort, has_columns, has_format, has_show, has_fail_above, has_to,
		has_fail_on, has_roots, has_table, has_points;
};

#endif /* KMA_SESSION_OPTIONS_H */
