/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - what the functions of session/ need to know of a command line: what kma_load() reads,
 * what is drawn, which static sizes are read. A command has those that it needs in addition to
 * options of its own, and its table (cli/rows.h) fills them in.
 *
 * Each value is checked and converted once, so no later code compares texts of options. A text is a
 * name that the user chose (a file, a branch, a title). A member that the user did not set has its
 * default, or 0; where 0 is a valid value, a bool has_... tells whether the option was given.
 */
#ifndef KMA_SESSION_OPTIONS_H
#define KMA_SESSION_OPTIONS_H

#include "input/input.h"
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

/* What kma_load() reads, and which rows of it are shown. */
struct kma_load_options {
	/* the input */
	const char *command;	      /* name of the command, for messages; NULL for none */
	struct kma_series *input;     /* the opened input; NULL: @account is opened */
	const char *account;	      /* FILE or FILE@LABEL; NULL when not given */
	const char *db_file;	      /* as account, but it has to be a DB file */
	const char *save_db;	      /* DB file to which a snapshot is added; NULL: none */
	struct kma_interval interval; /* of an event log, in ns from its start */
	bool quiet;		      /* no progress */

	/* files of the kernel and of the account's machine */
	struct kma_kernel_query kernel;
	enum kma_sizes_when sizes;
	bool asks_tree;	      /* a metric of KMA_TREE_METRICS is requested */
	const char *slabinfo; /* /proc/slabinfo of the account's machine; NULL: see load.c */
	const char *meminfo;  /* /proc/meminfo of that machine; NULL: of this one, see load.c */
	const char *slab;     /* /sys/kernel/slab of that machine; NULL: see load.c */
	bool all_slab;	      /* a row has the slab memory that is not in the account */
	bool earlier; /* rows by cache have what was allocated before the account, see load.c */

	/* the rows */
	uint64_t page_size;	   /* bytes of a page of the input's kernel; 0: not given */
	unsigned int kinds;	   /* set of 1 << enum kma_kind to show; 0: all */
	struct kma_restack stacks; /* rows that are selected by stacks */
	struct kma_only only;	   /* rules that select call sites */
	bool may_miss;		   /* not an error if no call site is selected */
	enum kma_grouped groups;   /* rows are call sites of groups; 0: call sites */
	struct kma_keys by;	   /* what a row, or a level of a picture, stands for */
	bool has_by;
	bool drawn;		 /* the command draws a chart of one account */
	bool page;		 /* an HTML page is drawn, which can have several trees */
	enum kma_metric_id attr; /* the metric that is shown; valid with has_attr */
	bool has_attr;
	const char *branch;  /* path in the tree to show; NULL: all */
	unsigned long depth; /* levels of directories; 0: all */
};

/* Several accounts over time: those of a history, or inputs of a command line. */
struct kma_over_options {
	struct kma_load_options load; /* its input is the history */
	char *const *inputs;
	unsigned int nr_inputs; /* several: the inputs; else the history */
	const char *from, *to;	/* of the history, as typed */
	unsigned long points;	/* about how many samples to show */
};

/* Pictures and pages. */
struct kma_chart_options {
	struct kma_outputs render;
	const char *file; /* a chart of an account without a time has that of this file; or NULL */
	enum kma_chart_kind chart;
	enum kma_theme_id theme;
	const char *title;
	unsigned long levels;	 /* of a chart; 0: the default of its kind */
	unsigned long width;	 /* in pixels */
	unsigned long max_nodes; /* of a page; 0: the default */
	bool plain;		 /* do not compress the data of a page */
	const char *source_url;	 /* template of an address of a line; NULL: no links */
};

#define KMA_CHART_WIDTH 1600 /* pixels without --width */

/* Static sizes of a built tree, or of the debug files of a kernel. */
struct kma_sizes_options {
	struct kma_kernel_query kernel;
	const char *package;	    /* directory of a kernel's debug package; or NULL */
	bool trees;		    /* each argument is a kernel, whatever kind of files it has */
	bool image;		    /* of built trees: sizes in the linked vmlinux */
	enum kma_footprint_key key; /* what a row stands for */
	const char *branch;	    /* path in the tree; NULL: all */
};

#endif /* KMA_SESSION_OPTIONS_H */
