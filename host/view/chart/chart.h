/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chart.h - the content of a chart, without its drawing: a branch of a tree, the metric of the
 * sizes, and the notes on both. All writers of pictures get this structure. For SVG, PNG
 * and PDF view/picture.c makes a scene of it; HTML uses the tree itself.
 */
#ifndef KMA_VIEW_CHART_CHART_H
#define KMA_VIEW_CHART_CHART_H

#include "model/account.h"
#include "scene.h"
#include "tree/join.h"
#include "tree/node.h"
#include "view/text/rows.h"

enum kma_chart_kind {
	KMA_CHART_RINGS,
	KMA_CHART_TREEMAP,
	KMA_CHART_ICICLE,
	KMA_CHART_FLAME,
	KMA_NR_CHARTS
};

/* Two accounts as one tree, whose nodes have the numbers of both (node->sides). */
struct kma_chart_sides {
	const struct kma_account *accounts[KMA_NR_SIDES];
	const char *about[KMA_NR_SIDES];   /* kernel, when and where it was saved; "" is nothing */
	uint64_t unresolved[KMA_NR_SIDES]; /* live bytes without a directory */
};

/* What the parts of a chart are. */
enum kma_chart_by {
	KMA_CHART_BY_DIR,     /* directories, files and callers */
	KMA_CHART_BY_STACK,   /* functions of stacks, from the outermost one to the call site */
	KMA_CHART_BY_CALLERS, /* functions that allocate, and their callers */
	KMA_CHART_BY_CGROUP,  /* cgroups, and the call sites that their tasks passed */
	KMA_CHART_BY_CGROUP_DIR,
	KMA_CHART_BY_NODE, /* NUMA nodes, and call sites */
	KMA_CHART_BY_NODE_DIR,
	KMA_CHART_BY_TASK,
	KMA_CHART_BY_TASK_DIR,
	KMA_CHART_BY_SUBSYSTEM, /* these three, and directories and files below them */
	KMA_CHART_BY_MODULE,
	KMA_CHART_BY_CACHE,
	KMA_NR_CHART_BY,
};

/* One time of an account over time. */
struct kma_chart_time {
	uint64_t ns;	  /* since 1970, never falls; 0: not known of any of them */
	const char *name; /* of the input */
	uint64_t lost;	  /* events that were not recorded since the time before */
	bool begins;	  /* of another boot, load of the module or account than the one before */
	size_t order;	  /* place in the input */
};

/* An account over time: a page gets a slider. */
struct kma_chart_times {
	size_t nr;
	size_t damaged; /* files that are left out because they are corrupt or truncated */
	const struct kma_chart_time *(*at)(void *arg, size_t point);
	void (*use)(void *arg, size_t point); /* give the tree the numbers of a time */
	void *arg;
};

/* What a chart shows, by another key than directories. */
struct kma_chart_tree {
	enum kma_chart_by by;
	const struct kma_account *account; /* its rows */
	struct kma_node *root;
	unsigned int metrics;		     /* set of all that it has */
	bool has_source;		     /* directories are below the key */
	uint64_t unresolved;		     /* as in struct kma_chart */
	const struct kma_chart_times *times; /* the tree has the numbers of the last one; or NULL */
};

struct kma_chart {
	enum kma_chart_kind kind;
	enum kma_theme_id theme;
	const struct kma_account *account; /* for its name and its losses; NULL: there is none */
	const char *input;		   /* name of the input, when there is no account */
	struct kma_node *branch;	   /* what to draw; gets sorted by @metric */
	enum kma_metric_id metric;	   /* what sizes mean */
	unsigned int metrics;		   /* set of the metrics that the tree has */
	unsigned int depth;		   /* levels below the branch */
	double width;			   /* of the picture in pixels */
	bool plain;			   /* the data of a page is not packed */
	const char *source_url; /* of a page: template of an address of a line, or NULL */
	size_t max_nodes;	/* that a page may have; 0: as many as usual */
	const char *title;	/* heading, NULL for one that fits */
	const char *by;		/* what the parts are; NULL: as has_source says */
	const char *release;	/* of the kernel, "" when not known */
	const char *build_id;	/* of the kernel, "" when not known */
	int64_t time;		/* of the account, in seconds since 1970; 0: not known */
	bool stacks;		/* nodes are functions of stacks */
	bool groups;		/* directories are below cgroups or NUMA nodes */
	bool has_source;	/* files were looked up */
	uint64_t unresolved;	/* live bytes of the account without a directory */
	size_t objects;		/* whose static sizes are shown; 0: they are not */
	const struct kma_chart_sides *sides; /* of a comparison, else NULL */
	bool same;	       /* of a comparison: nothing changed, and sizes are those of after */
	enum kma_chart_by key; /* what the parts are at first; @branch is of main_key */
	enum kma_chart_by main_key;
	const struct kma_chart_times *times; /* the tree has the numbers of the last one; or NULL */
	const struct kma_chart_tree *trees;  /* other trees of the same */
	size_t nr_trees;
};

/* Names of the kinds of parts, as typed. */
extern const char *const kma_chart_bys[KMA_NR_CHART_BY];

/* What each kind of parts needs of the account and its tree. */
struct kma_chart_key {
	const char *title;	     /* what a page calls it: "slab cache" */
	const char *subtitle;	     /* what the chart is by; NULL: the chart says so itself */
	bool stacks;		     /* the account's rows are stacks */
	enum kma_grouped groups;     /* or call sites of groups */
	enum kma_join_levels levels; /* above the call sites */
	enum kma_by row;	     /* or rows of a report, with directories below; or 0 */
};

extern const struct kma_chart_key kma_chart_keys[KMA_NR_CHART_BY];

/* Names of the kinds of charts, and of the commands that draw them. */
extern const char *const kma_chart_names[KMA_NR_CHARTS];

/* Default number of levels below the branch, for each kind. */
extern const unsigned int kma_chart_depths[KMA_NR_CHARTS];

/**
 * kma_chart_tree() - one of the other trees
 * @chart: the chart
 * @by: by which key
 *
 * Return: the tree; NULL if the chart does not have it.
 */
const struct kma_chart_tree *kma_chart_tree(const struct kma_chart *chart, enum kma_chart_by by);

/**
 * kma_chart_title() - the heading
 * @chart: the chart
 *
 * Return: the requested heading, or a default for the content.
 */
const char *kma_chart_title(const struct kma_chart *chart);

/**
 * kma_chart_base() - short name of an input
 * @path: of the input
 *
 * Return: the last component of @path, within @path.
 */
const char *kma_chart_base(const char *path);

/**
 * kma_chart_side() - short name of one of two inputs
 * @sides: both
 * @side: KMA_BEFORE or KMA_AFTER
 *
 * Return: the last component of its path, or the whole path if both have the same last component.
 */
const char *kma_chart_side(const struct kma_chart_sides *sides, unsigned int side);

/**
 * kma_chart_colours() - colours of the branch's children
 * @chart: what to draw; its branch is sorted by its metric
 * @theme: of the picture
 * @ret: one for each child, and grey after the last
 *
 * Children with a size get their colours first. The colours of those that fit into the legend
 * differ.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_chart_colours(const struct kma_chart *chart, const struct kma_theme *theme,
				  kma_rgb *ret);

#endif /* KMA_VIEW_CHART_CHART_H */
