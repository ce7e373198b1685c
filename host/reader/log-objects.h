/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-objects.h - single allocations of an event log: sizes, waste, lifetimes, freeing CPUs, and
 * wrong frees. An account has only sums by call site.
 *
 * The address identifies an object, as in the ledger (model/ledger.h), with two differences. A
 * block of pages that is freed in parts has no lifetime, and is counted. A freed address is stored,
 * so that a second free is recognised. Memory therefore grows with the addresses that were ever in
 * use; an entry has 80 bytes.
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
/* Errors of which more than their number is kept. */
#define KMA_FREE_ERRORS 10000

struct kma_objects_bin {
	uint64_t objects;
	uint64_t req, alloc; /* bytes */
};

/* What the objects of a call site did. */
struct kma_objects_site {
	uint64_t allocs, req, alloc; /* bytes of all allocations */
	uint64_t freed;		     /* with a lifetime */
	uint64_t live;		     /* at the end, of those that were allocated */
	uint64_t life_sum, life_max; /* ns */
	uint32_t lives[64];	     /* objects by lifetime: bin n is below 2^n ns */
};

/* From where to where; CPUs and nodes by their place in the list of those that were met. */
struct kma_objects_matrix {
	uint32_t nr;
	uint32_t *names;	       /* CPUs or nodes; KMA_LOG_NO_CPU: not known */
	struct kma_objects_bin *cells; /* [allocated * room + freed] */
	uint32_t room;
};

struct kma_free_error {
	bool twice; /* else by the function of another allocator */
	bool lossy; /* events were lost in between: an allocation may be one of them */
	uint64_t ptr;
	struct kma_objects_where alloc, freed, again; /* @again: the second of two frees */
	bool has_alloc;				      /* it is in the log */
};

struct kma_log_objects {
	struct kma_log_sums sums; /* lost events and corrupt bytes */
	struct kma_intern *intern;
	enum kma_grouped by; /* the texts in @intern have a second line with it */
	struct kma_objects_bin sizes[KMA_SIZE_BINS];  /* by requested bytes */
	struct kma_objects_bin wastes[KMA_SIZE_BINS]; /* by bytes given beyond */
	struct kma_objects_bin lives[KMA_LIFE_BINS];
	struct kma_objects_site *sites; /* by number in @intern */
	uint32_t nr_sites;
	struct kma_objects_matrix cpus, nodes;
	struct kma_free_error *errors;
	uint32_t nr_errors;	   /* of these, at most KMA_FREE_ERRORS */
	uint64_t twice, wrong;	   /* double frees; frees by another function */
	bool kfree_frees_all;	   /* from 6.4 on; kmem_cache_free() does not */
	uint64_t unknown;	   /* frees of what the log does not have as allocated */
	uint64_t parts;		   /* pages freed in parts */
	uint64_t implied;	   /* allocated again without a free */
	uint64_t failed, before;   /* allocations that failed; frees of what is older than @from */
	uint64_t live, live_alloc; /* objects at the end, and their bytes */
	struct kma_objects_bin total; /* of all allocations */
};

/**
 * kma_log_objects_read() - read a log
 * @input: nothing was taken yet; its interval is heeded
 * @ret: to be destroyed
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_log_objects_read(struct kma_input *input, struct kma_log_objects **ret);

/**
 * kma_log_objects_destroy() - free it
 * @objects: from kma_log_objects_read(); NULL is fine
 */
void kma_log_objects_destroy(struct kma_log_objects *objects);

/**
 * kma_size_bin() - bin of a number of bytes
 * @bytes: any
 *
 * Return: below KMA_SIZE_BINS.
 */
unsigned int kma_size_bin(uint64_t bytes);

/**
 * kma_objects_median() - half of a site's lifetimes are below
 * @site: with objects that were freed
 *
 * Return: ns, a power of two: the end of the bin that the median is in.
 */
uint64_t kma_objects_median(const struct kma_objects_site *site);

#endif /* KMA_READER_LOG_OBJECTS_H */
