/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * metric.h - the table of everything that is counted. Each column of a report, each attribute of a
 * chart and each sort key is a row of this table. A new metric takes a member of struct kma_values,
 * an identifier, a row, and a line in kma_values_add() and in kma_values_bits(). A metric that an
 * input does not have is absent (its bit is not in the input's set), which is not the same as 0.
 */
#ifndef KMA_MODEL_METRIC_H
#define KMA_MODEL_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"
#include "lib/units.h"

/*
 * The numbers of one owner: a call site, a file or a directory. The members from @text to
 * @discarded are static sizes in bytes: a built tree has them, an account does not.
 */
struct kma_values {
	uint64_t current;   /* live bytes, with the bytes that the allocator added */
	uint64_t req;	    /* live bytes as requested */
	uint64_t waste;	    /* bytes of the difference: slack, internal fragmentation */
	uint64_t allocs;    /* allocations */
	uint64_t frees;	    /* frees */
	uint64_t total;	    /* bytes of all allocations, including freed ones */
	uint64_t peak;	    /* largest live bytes so far; for several owners: the sum of these */
	uint64_t objects;   /* live objects */
	uint64_t remote;    /* frees on another CPU than that of the allocation */
	uint64_t wrong;	    /* frees by the function of another allocator */
	uint64_t text;	    /* code */
	uint64_t rodata;    /* constants and strings */
	uint64_t data;	    /* variables with a value */
	uint64_t bss;	    /* variables that begin as zero */
	uint64_t init;	    /* code and data that are freed after boot */
	uint64_t other;	    /* other tables of the kernel: symbols, unwinding, notes */
	uint64_t merged;    /* constants of objects that the linker merged into equal ones */
	uint64_t discarded; /* sections of objects that are not in the linked kernel */
	uint64_t latency;   /* ns that allocations took, for those in a log of latencies */
	uint64_t waits;	    /* number of the allocations in @latency */
	uint64_t samples;   /* sampled stacks: live objects whose stack was recorded */
	uint64_t error; /* bytes: standard error of @current; for several stacks: an upper limit */
	uint64_t charged;  /* bytes of @current that a memory cgroup was to be charged for */
	uint64_t retained; /* bytes that would go with the owner's objects; sums count some twice */
};

struct kma_metric {
	const char *name;  /* stable, in CSV and JSON and on the command line */
	const char *alias; /* in files of the module or of trace_analyze, or NULL */
	const char *title; /* heading of a table column */
	const char *what;  /* for a sentence: "live bytes" */
	enum kma_unit unit;
	bool shown; /* a default column of a table */
	uint64_t (*get)(const struct kma_values *values);
	void (*set)(struct kma_values *values, uint64_t value); /* NULL: a sum of other metrics */
	int (*compare)(const struct kma_values *a, const struct kma_values *b); /* largest first */
};

/* Indexes of kma_metrics[]. A set of metrics is a word with the bits 1 << index. */
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
	KMA_STATIC,    /* sum of text, rodata, data, bss, init and other */
	KMA_FOOTPRINT, /* static and live bytes */
	KMA_MERGED,
	KMA_DISCARDED,
	KMA_LATENCY,
	KMA_WAITS,
	KMA_SAMPLES,
	KMA_ERROR,
	KMA_CHARGED,  /* of rows by cgroup alone */
	KMA_RETAINED, /* of a scan's file */
	KMA_NR_METRICS,
};

/* The metrics of allocations: all from KMA_CURRENT to KMA_WRONG. */
#define KMA_DYNAMIC_METRICS ((1U << KMA_TEXT) - 1)

/* The metrics of a built tree alone; KMA_FOOTPRINT needs an account as well. */
#define KMA_STATIC_METRICS                                                                     \
	(1U << KMA_TEXT | 1U << KMA_RODATA | 1U << KMA_DATA | 1U << KMA_BSS | 1U << KMA_INIT | \
	 1U << KMA_OTHER | 1U << KMA_STATIC)

/* The metrics that need a built tree. */
#define KMA_TREE_METRICS (KMA_STATIC_METRICS | 1U << KMA_FOOTPRINT)

/* Further numbers of a linked image: bytes of its objects that were merged or discarded. */
#define KMA_IMAGE_METRICS (KMA_STATIC_METRICS | 1U << KMA_MERGED | 1U << KMA_DISCARDED)

extern const struct kma_metric kma_metrics[KMA_NR_METRICS];

/* "all" in a set of metrics that a user typed: all that the input has. */
#define KMA_METRICS_ALL (~0U)

/*
 * Finds a metric by a name or an alias that a user typed ("current_dynamic", "total", "live").
 * False if there is none.
 */
bool kma_metric_find(const char *name, enum kma_metric_id *ret);

/*
 * The same for names separated by commas; "all" is KMA_METRICS_ALL. @unknown is set to a copy of
 * the first unknown name, to be freed by the caller, and @ret is then incomplete; otherwise to
 * NULL.
 */
void kma_metric_find_set(const char *names, unsigned int *ret, char **unknown);

/*
 * An error with the first metric of @asked that an input with @have lacks, and all available ones.
 */
struct kma_err *kma_metric_check(unsigned int asked, unsigned int have);

/*
 * The default columns of a table: all metrics of @have if these are at most six. Those of @wanted
 * are always included.
 */
unsigned int kma_metric_shown(unsigned int have, unsigned int wanted);

void kma_values_add(struct kma_values *to, const struct kma_values *from);

/*
 * All numbers, combined with a bitwise or: an upper limit of each, cheaper than their maximum; 0 if
 * all are 0.
 */
uint64_t kma_values_bits(const struct kma_values *values);

/* Is each metric 0? */
bool kma_values_is_zero(const struct kma_values *values);

#endif /* KMA_MODEL_METRIC_H */
