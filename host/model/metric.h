/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * metric.h - the table of everything that is counted. Each column of a report,
 * each attribute of a ring chart and each sort key is a row of this table, so a
 * new metric is one new row. A metric that an input does not have is absent
 * (its bit is not in the input's set), which is not the same as zero.
 */
#ifndef KMA_MODEL_METRIC_H
#define KMA_MODEL_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"
#include "lib/units.h"

/*
 * The numbers of one owner: a call site, a file or a directory. Those from text on are static sizes
 * of a kernel's objects; only a built tree has them, an account does not.
 */
struct kma_values {
	uint64_t current; /* bytes live now, as the allocator rounded them up */
	uint64_t req;	  /* live bytes, as requested */
	uint64_t waste;	  /* the difference: slack, internal fragmentation */
	uint64_t allocs;  /* allocations */
	uint64_t frees;	  /* frees */
	uint64_t total;	  /* bytes of all allocations, those that were freed included */
	uint64_t peak; /* most bytes that were live at once; of several owners: the sum of that */
	uint64_t objects;   /* objects live now */
	uint64_t remote;    /* frees on another CPU than that of the allocation */
	uint64_t wrong;	    /* frees by the function of another allocator */
	uint64_t text;	    /* code */
	uint64_t rodata;    /* constants and strings */
	uint64_t data;	    /* variables with a value */
	uint64_t bss;	    /* variables that begin as zero */
	uint64_t init;	    /* code and data that are freed after boot */
	uint64_t other;	    /* other tables of the kernel: symbols, unwinding, notes */
	uint64_t merged;    /* constants of objects that the linker has put together with others */
	uint64_t discarded; /* what objects hold that is not in the linked kernel */
	uint64_t latency;   /* ns that allocations took, of those that a log of calls has */
	uint64_t waits;	    /* how many these were */
	uint64_t samples;   /* live objects whose stack was taken, of a stack that is an estimate */
	uint64_t error;	    /* standard error of its live bytes; of several stacks: at most */
};

struct kma_metric {
	const char *name;  /* stable, in csv and json and on the command line */
	const char *alias; /* in files of the module or of trace_analyze, or NULL */
	const char *title; /* heading of a table column */
	const char *what;  /* for a sentence: "live bytes" */
	enum kma_unit unit;
	bool shown; /* a default column of a table */
	uint64_t (*get)(const struct kma_values *values);
	void (*set)(struct kma_values *values, uint64_t value); /* NULL: a sum of others */
	int (*compare)(const struct kma_values *a, const struct kma_values *b); /* largest first */
};

/* Places in kma_metrics[]; a set of metrics is a word of 1 << place. */
enum kma_metric_id {
	KMA_CURRENT,
	KMA_REQUESTED,
	KMA_WASTE,
	KMA_ALLOCS,
	KMA_FREES,
	KMA_TOTAL,
	KMA_PEAK,
	KMA_OBJECTS,
	KMA_REMOTE,
	KMA_WRONG,
	KMA_TEXT,
	KMA_RODATA,
	KMA_DATA,
	KMA_BSS,
	KMA_INIT,
	KMA_OTHER,
	KMA_STATIC,    /* the sum of the six */
	KMA_FOOTPRINT, /* static and live bytes */
	KMA_MERGED,
	KMA_DISCARDED,
	KMA_LATENCY,
	KMA_WAITS,
	KMA_SAMPLES,
	KMA_ERROR,
	KMA_NR_METRICS,
};

/* What can be known of allocations. */
#define KMA_DYNAMIC_METRICS ((1U << KMA_TEXT) - 1)

/* What a built tree alone has; the footprint needs an account as well. */
#define KMA_STATIC_METRICS                                                                     \
	(1U << KMA_TEXT | 1U << KMA_RODATA | 1U << KMA_DATA | 1U << KMA_BSS | 1U << KMA_INIT | \
	 1U << KMA_OTHER | 1U << KMA_STATIC)

/* What needs a built tree. */
#define KMA_TREE_METRICS (KMA_STATIC_METRICS | 1U << KMA_FOOTPRINT)

/* Further numbers of a linked image: bytes of its objects that were merged or discarded. */
#define KMA_IMAGE_METRICS (KMA_STATIC_METRICS | 1U << KMA_MERGED | 1U << KMA_DISCARDED)

extern const struct kma_metric kma_metrics[KMA_NR_METRICS];

/* In a set of metrics that a person typed: all that the input has. */
#define KMA_METRICS_ALL (~0U)

/**
 * kma_metric_find() - choose a metric by a name that a person typed
 * @name: a name or an alias from the table ("current_dynamic", "total", "live")
 * @ret: the metric
 *
 * Return: false if there is no such metric.
 */
bool kma_metric_find(const char *name, enum kma_metric_id *ret);

/**
 * kma_metric_find_set() - choose metrics by a list that a person typed
 * @names: names as in kma_metric_find(), separated by commas; "all" is KMA_METRICS_ALL
 * @ret: set of metrics
 *
 * Return: false if a name is no metric, or without memory.
 */
bool kma_metric_find_set(const char *names, unsigned int *ret);

/**
 * kma_metric_check() - check that an input has the requested metrics
 * @asked: set of metrics
 * @have: set of the metrics that the input has
 *
 * Return: NULL, or an error that names the first that is missing, and the metrics there are.
 */
struct kma_err *kma_metric_check(unsigned int asked, unsigned int have);

/**
 * kma_metric_shown() - select the default columns of a table
 * @have: set of the metrics that the input has
 * @wanted: set of metrics that are always included
 *
 * Return: set of metrics: all if they are few.
 */
unsigned int kma_metric_shown(unsigned int have, unsigned int wanted);

/**
 * kma_values_add() - add the numbers of one owner to those of another
 * @to: the sum
 * @from: what is added
 */
void kma_values_add(struct kma_values *to, const struct kma_values *from);

/**
 * kma_values_bits() - the bits that any of the numbers has
 * @values: numbers of an owner
 *
 * Return: all numbers or-ed: no number is larger.
 */
uint64_t kma_values_bits(const struct kma_values *values);

/**
 * kma_values_is_zero() - is there nothing to show?
 * @values: numbers of an owner
 *
 * Return: true when every metric is 0.
 */
bool kma_values_is_zero(const struct kma_values *values);

#endif /* KMA_MODEL_METRIC_H */
