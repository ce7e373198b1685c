/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-objects.h - single objects of an event log: sizes, waste, lifetimes, the CPU that frees, and
 * wrong frees. An account has only sums by call site.
 *
 * The address identifies an object, as in the ledger (model/ledger.h), with two differences. A
 * block of pages that is freed in parts has no lifetime; such frees are only counted. A freed
 * address stays in the table with its last allocation and free, so a second free is recognised.
 *
 * A double free is reported only if the log can prove it. It is not reported for pages, for frees
 * that kfree_rcu() may report twice, and for addresses whose last free is older than the log.
 * If events were lost since that free, the report says so (lossy): an allocation may be missing.
 *
 * Memory grows with the number of addresses that were ever in use: 107 to 213 bytes for each, as
 * the table (log-seen.h) has 80 bytes per slot and is 3/8 to 3/4 full. The other tables grow with
 * call sites (312 bytes each) and the squares of the numbers of CPUs and nodes.
 *
 * Events before the interval create objects, but are not counted.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_READER_LOG_OBJECTS_H
#define KMA_READER_LOG_OBJECTS_H

#include "log-seen.h"
#include "log/log.h"
#include "model/intern.h"

/* Sizes by powers of two: bin 0 is 0, 1 is 1, n is 2^(n-2)+1 to 2^(n-1). */
#define KMA_SIZE_BINS 66

/* Lifetimes by powers of ten: bin 0 is below a microsecond, the last one has no end. */
#define KMA_LIFE_BINS 11

/* Wrong frees that are stored. Further ones are only counted. */
#define KMA_FREE_ERRORS 10000

/* Sums over some objects. */
struct kma_objects_bin {
	uint64_t objects;
	uint64_t req, alloc; /* bytes */
};

/* Sums over the objects of a call site. */
struct kma_objects_site {
	uint64_t allocs, req, alloc; /* all allocations, and their bytes */
	uint64_t freed;		     /* objects with a lifetime */
	uint64_t live;		     /* objects that are live at the end */
	uint64_t life_sum, life_max; /* ns */
	uint32_t lives[64];	     /* objects by lifetime: bin n has those below 2^n ns */
};

/*
 * Objects by the CPU or node that allocated them and the one that freed them. CPUs and nodes are
 * numbered in the order in which they occur.
 */
struct kma_objects_matrix {
	uint32_t nr;
	uint32_t *names;	       /* CPU or node by number; KMA_LOG_NO_CPU: unknown */
	struct kma_objects_bin *cells; /* [number of allocator * room + number of freer] */
	uint32_t room;		       /* numbers that @names and a row of @cells have space for */
};

/* A wrong free. */
struct kma_free_error {
	bool twice; /* freed twice; otherwise freed by the function of another allocator */
	bool lossy; /* events were lost in between, so an allocation may be missing */
	uint64_t ptr;
	struct kma_objects_where alloc, freed, again; /* @again: the second of two frees */
	bool has_alloc;				      /* the allocation is in the log */
};

struct kma_log_objects {
	struct kma_log_sums sums; /* lost events and corrupt bytes */
	struct kma_intern *intern;
	enum kma_grouped by;			      /* if set, sites are of a task or cgroup */
	struct kma_objects_bin sizes[KMA_SIZE_BINS];  /* by requested bytes */
	struct kma_objects_bin wastes[KMA_SIZE_BINS]; /* by allocated minus requested bytes */
	struct kma_objects_bin lives[KMA_LIFE_BINS];  /* by lifetime */
	struct kma_objects_site *sites;		      /* by number in @intern */
	struct kma_account
		*account;  /* a row for each of @sites that has allocations, in their order */
	uint32_t nr_sites; /* allocated elements of @sites */
	struct kma_objects_matrix cpus, nodes;
	struct kma_free_error *errors;
	uint32_t nr_errors; /* elements of @errors, at most KMA_FREE_ERRORS */
	uint32_t room_errors;
	uint64_t twice, wrong;	      /* double frees; frees by another allocator's function */
	bool kfree_frees_all;	      /* from Linux 6.4 on, which makes some of these frees legal */
	uint64_t unknown;	      /* frees of objects whose allocation is not in the log */
	uint64_t parts;		      /* blocks of pages that were freed in parts */
	uint64_t implied;	      /* addresses that were allocated again without a free */
	uint64_t failed, before;      /* failed allocations; frees of objects older than @from */
	uint64_t live, live_alloc;    /* objects at the end, and their bytes */
	struct kma_objects_bin total; /* all allocations */
};

/*
 * Reads the objects of an input of which nothing was consumed, in its interval. @ret is unchanged
 * after an error.
 */
struct kma_err *kma_log_objects_read(struct kma_input *input, struct kma_log_objects **ret);

void kma_objects_site_add(struct kma_objects_site *to, const struct kma_objects_site *from);
void kma_log_objects_destroy(struct kma_log_objects *objects);
unsigned int kma_size_bin(uint64_t bytes);

/*
 * Estimates the median lifetime of a site's freed objects: a power of two, the upper bound in ns of
 * the bin that has the median.
 */
uint64_t kma_objects_median(const struct kma_objects_site *site);

#endif /* KMA_READER_LOG_OBJECTS_H */
