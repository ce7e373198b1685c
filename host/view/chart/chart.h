/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chart.h - the content of a chart, without its drawing: a branch of a tree, the metric of the
 * sizes, and facts for the heading and the footer.
 *
 * All writers of pictures get this structure. For SVG, PNG and PDF, view/picture.c makes a scene of
 * it (scene.h) with the geometry of its kind (layout.h, boxes.h). A page writes the tree itself,
 * with all metrics, and its script draws (view/page/page.h). A page may have more trees of the same
 * account by other keys, and an account over time.
 */
#ifndef KMA_VIEW_CHART_CHART_H
#define KMA_VIEW_CHART_CHART_H

#include "model/account.h"
#include "scene.h"
#include "tree/key.h"
#include "tree/node.h"

enum kma_chart_kind {
	KMA_CHART_RINGS,
	KMA_CHART_TREEMAP,
	KMA_CHART_ICICLE,
	KMA_CHART_FLAME,
	KMA_NR_CHARTS
};

/* The two accounts of a comparison. Each node of its tree has the numbers of both. */
struct kma_chart_sides {
	const struct kma_account *accounts[KMA_NR_SIDES];
	const char *about[KMA_NR_SIDES];   /* kernel, time and host of each side; "": unknown */
	uint64_t unresolved[KMA_NR_SIDES]; /* live bytes without a directory */
};

/* One time of an account over time. */
struct kma_chart_time {
	uint64_t ns;	  /* since 1970, never decreases; 0: the times are unknown */
	const char *name; /* of the input */
	uint64_t lost;	  /* events that were not recorded since the previous time */
	bool begins;	  /* another boot, load of the module or account than the previous time */
	size_t order;	  /* number in the input */
};

/* An account over time: a page gets a slider. */
struct kma_chart_times {
	size_t nr;
	size_t damaged; /* files that are left out because they are corrupt or truncated */
	/* Returns a time. */
	const struct kma_chart_time *(*at)(void *arg, size_t point);
	/* Sets the numbers of the tree to those of a time. */
	void (*use)(void *arg, size_t point);
	void *arg;
};

#define KMA_CHART_TREES 16 /* most trees of a chart */

/* A tree of the account by other keys than directories. */
struct kma_chart_tree {
	struct kma_keys by;
	const struct kma_account *account; /* the account whose rows are the leaves */
	struct kma_node *root;
	unsigned int metrics;		     /* set of 1 << enum kma_metric_id that it has */
	bool has_source;		     /* directories are below the key */
	uint64_t unresolved;		     /* live bytes without a directory */
	const struct kma_chart_times *times; /* NULL: one time. The tree has the last one's numbers */
};

struct kma_chart {
	enum kma_chart_kind kind;
	enum kma_theme_id theme;
	const struct kma_account *account; /* for its name and its losses; NULL: none */
	const char *input;		   /* name of the input, if there is no account */
	struct kma_node *branch;	   /* the part of the tree to draw; sorted by @metric */
	enum kma_metric_id metric;	   /* metric of the sizes */
	unsigned int metrics;		   /* set of 1 << enum kma_metric_id that the tree has */
	unsigned int depth;		   /* levels below the branch */
	double width;			   /* of the picture in pixels */
	bool plain;			   /* the data of a page is not compressed */
	const char *source_url; /* of a page: template of an address of a line; NULL: no links */
	size_t max_nodes;	/* most nodes of a page; 0: the default */
	const char *title;	/* heading; NULL: the default for the content */
	const char *by;		/* subtitle: what the parts are; NULL: by has_source */
	const char *only;	/* rules, and what they leave out; NULL: none */
	const char *release;	/* of the kernel, "" when unknown */
	const char *build_id;	/* of the kernel in hex, "" when unknown */
	int64_t time;		/* of the account, in seconds since 1970; 0: unknown */
	bool stacks;		/* nodes are functions of stacks */
	bool groups;		/* directories are below cgroups or NUMA nodes */
	bool has_source;	/* files were looked up */
	uint64_t unresolved;	/* live bytes of the account without a directory */
	uint64_t slab;		/* slab memory of the machine; 0: unknown */
	size_t objects;		/* number of objects whose static sizes are shown; 0: none are */
	const struct kma_chart_sides *sides; /* of a comparison, else NULL */
	bool same;		  /* of a comparison: nothing changed, and sizes are those after */
	struct kma_keys key;	  /* of the tree that is shown first */
	struct kma_keys main_key; /* of the tree of @branch */
	const struct kma_chart_times *times; /* NULL: one time. The tree has the last one's numbers */
	const struct kma_chart_tree *trees; /* trees of the account by other keys */
	size_t nr_trees;
};

/* Names of the kinds of charts, and of the commands that draw them. */
extern const char *const kma_chart_names[KMA_NR_CHARTS];

/* Default number of levels below the branch, for each kind. */
extern const unsigned int kma_chart_depths[KMA_NR_CHARTS];

/* The tree of a chart by another key; NULL if the chart does not have it. */
const struct kma_chart_tree *kma_chart_tree(const struct kma_chart *chart,
					    const struct kma_keys *by);

/*
 * Writes the requested heading, or what is counted, in one line. @amount: with the bytes, which are
 * those of one time.
 */
void kma_chart_title(const struct kma_chart *chart, bool amount, struct kma_strbuf *out);

/* The last component of a path, within @path. */
const char *kma_chart_base(const char *path);

/*
 * A short name for one of two inputs: the last component of its path, or the whole path if both
 * have the same.
 */
const char *kma_chart_side(const struct kma_chart_sides *sides, unsigned int side);

/*
 * A colour for each child of the branch, which is sorted by the chart's metric, and grey after the
 * last. Children with a size get their colours first. The colours of those that fit into the legend
 * differ.
 */
void kma_chart_colours(const struct kma_chart *chart, const struct kma_theme *theme, kma_rgb *ret);

#endif /* KMA_VIEW_CHART_CHART_H */
