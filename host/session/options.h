/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - the options of a command line, with their types.
 *
 * cli/options.c has the table that fills in struct kma_options. It has checked and converted each
 * value once, so no later code compares texts of options. A text is a name that the user chose (a
 * file, a branch, a title). A member that the user did not set has its default, or 0; where 0 is a
 * valid value, a bool has_... tells whether the option was given.
 */
#ifndef KMA_SESSION_OPTIONS_H
#define KMA_SESSION_OPTIONS_H

#include "export/export.h"
#include "input/input.h"
#include "lib/format.h"
#include "model/metric.h"
#include "model/restack.h"
#include "open/open.h"
#include "tree/footprint.h"
#include "tree/key.h"
#include "tree/kernel.h"
#include "tree/only.h"
#include "view/chart/chart.h"
#include "view/picture.h"

#define KMA_MAX_ARGS	4096 /* most inputs of a command line */
#define KMA_MAX_OUTPUTS 8    /* most pictures of a command line */

/* When the static sizes of the built tree are added to the account. */
enum kma_sizes_when {
	KMA_SIZES_NEVER,
	KMA_SIZES_IF_ASKED, /* a requested metric needs a tree, or there is no account */
	KMA_SIZES_IF_THERE, /* also if the kernel's tree is there anyway */
};

/* Pictures to write. */
struct kma_outputs {
	unsigned int nr;
	unsigned int pages; /* number of them that are pages, FILE.html */
	struct {
		const char *path;
		const struct kma_picture *picture;
	} list[KMA_MAX_OUTPUTS];
};

struct kma_options {
	/* the input */
	struct kma_series *input;	/* the opened input; NULL: kma_load() opens @account */
	const char *account;		/* FILE or FILE@LABEL; NULL when not given */
	const char *command;		/* name of the command, for messages; NULL for none */
	const char *db_file;		/* as account, but it has to be a DB file */
	const char *save_db;		/* DB file to which a snapshot is added; NULL: none */
	const char *args[KMA_MAX_ARGS]; /* arguments that are not options */
	unsigned int nr_args;
	struct kma_interval interval; /* of an event log, in ns from its start */
	const char *slabinfo;	   /* /proc/slabinfo of the account's machine; NULL: see caches.h */
	const char *slab;	   /* /sys/kernel/slab of that machine; NULL: see caches.h */
	struct kma_restack stacks; /* rows that are selected by stacks */
	enum kma_grouped groups;   /* rows are call sites of groups; 0: call sites */
	const char *past_from, *past_to; /* of a history, or of a log, as typed */
	unsigned int kinds;		 /* set of 1 << enum kma_kind to show; 0: all */
	struct kma_kernel_query kernel;	 /* files of the kernel */
	const char *package; /* directory of a kernel's debug package; NULL when not given */
	enum kma_sizes_when sizes;
	bool asks_tree; /* a metric of KMA_TREE_METRICS is requested */

	/* rows, columns and their format */
	const char *branch;	       /* path in the tree to show; NULL: all */
	struct kma_keys by;	       /* what a row, or a level of a picture, stands for */
	enum kma_footprint_key key;    /* the same for static sizes */
	enum kma_metric_id attr, sort; /* valid with has_attr, has_sort */
	unsigned int columns; /* set of metrics, KMA_METRICS_ALL is all; with has_columns */
	enum kma_format format;
	const char *output;  /* file of the text; NULL: standard output */
	unsigned long top;   /* rows; 0: all */
	unsigned long depth; /* levels of directories; 0: all */
	uint64_t floor;	     /* diff: bytes of change of a row; leaks: bytes per hour; less is */
	/* not shown, or not a leak */
	uint64_t fail_above;  /* diff: growth in bytes that fails; valid with has_fail_above */
	unsigned int fail_on; /* enum kma_leak_verdict; valid with has_fail_on */
	uint64_t every;	      /* ns between inputs; 0: the inputs have times */
	uint64_t available;   /* bytes of free memory, for a forecast; 0: unknown */
	unsigned long points; /* about how many samples of a history or a log to show */

	/* pictures */
	struct kma_outputs render;
	bool drawn;			/* the command draws a chart of one account */
	struct kma_only only;		/* rules that select call sites */
	bool may_miss;			/* it is no error if no call site is selected */
	const char *workload;		/* leaks: command of a workload; NULL: none */
	unsigned long samples;		/* leaks: number of samples of the workload */
	bool probe;			/* leaks: drop the kernel's caches before each sample */
	const char *scan;		/* leaks: file of a scan of the heap; NULL: none */
	const char *prometheus, *match; /* leaks: a server's address, labels of its series */
	enum kma_chart_kind chart;
	enum kma_theme_id theme;
	const char *title;
	unsigned long levels;	 /* of a chart; 0: the default of its kind */
	unsigned long width;	 /* of a picture, in pixels */
	unsigned long max_nodes; /* of a page; 0: the default */
	bool plain;		 /* do not compress the data of a page */
	const char *source_url;	 /* template of an address of a line; NULL: no links */

	/* single commands */
	enum kma_roots roots; /* export: the nodes above the functions */
	bool keep_wrappers;   /* export: show wrappers of allocators, too */
	bool trees;	      /* diff: the arguments are built trees */
	bool image;	      /* of built trees: sizes in the linked vmlinux */
	bool bytes;	      /* print plain numbers instead of KiB and MiB */
	bool all;	      /* print all rows on a terminal, not only those that fit */
	bool csv_safe;	      /* csv: guard names that look like formulas */
	bool accept_unread;   /* report: succeed although lines of events were not understood */
	bool quiet;	      /* no progress */
	bool has_by, has_attr, has_sort, has_columns, has_format, has_fail_above, has_to,
		has_fail_on, has_roots, has_points;
};

#endif /* KMA_SESSION_OPTIONS_H */
