/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * graph.h - the objects of a kernel's heap, and which of them a word in memory refers to.
 *
 * An aligned word that holds an address inside an object is a reference to the object, whatever the
 * word means: the search is conservative. The start of the object, a list head in its middle and a
 * pointer with bits set at its lower end are the same. A word inside an object makes an edge
 * between two objects. A word outside all objects is a root. An object that no path of edges from a
 * root reaches is unreached.
 *
 * Two kinds of ranges are neither objects nor roots, and a word that points into them refers to
 * nothing. Ignored ranges are not read at all. Free ranges hold what their last use has left: free
 * slab objects, stale entries of magazines. The kernel goes on during a scan, so a range that was
 * free before it can be in use when its words are read. Only ranges that are still free after the
 * scan (kma_graph_still_free()) are left out; all others are roots.
 *
 * The memory of this program becomes memory of the kernel when it ends, and is not always cleared
 * before. So that a later scan does not find references there, addresses are stored XORed with a
 * constant, and buffers with memory of the kernel are wiped.
 *
 * Memory: 16 bytes for each object and range, 8 of the index, 10 of a scan; 4 bytes for each edge.
 * With @keep: 5 bytes for each edge, one more while they are joined, and 16 for each root.
 *
 * Locking: none. kma_graph_scan() starts threads, and waits for them.
 */
#ifndef KMA_HEAP_GRAPH_H
#define KMA_HEAP_GRAPH_H

#include "lib/cleanup.h"
#include "memory.h"

/* Changes an address so that it is not the address of kernel memory. */
#define KMA_HEAP_KEY UINT64_C(0x5a5a5a5a5a5a5a5a)

/* Sites of ranges that are not objects. */
#define KMA_HEAP_IGNORED UINT32_MAX
#define KMA_HEAP_FREE	 (UINT32_MAX - 1)

/* No object has this number. */
#define KMA_HEAP_NONE UINT32_MAX

/* Most objects and ranges of a graph, and most roots: both together have numbers of 32 bits. */
#define KMA_HEAP_MOST UINT32_C(2000000000)

struct kma_graph_object {
	uint64_t key; /* address of the first byte, XORed with KMA_HEAP_KEY */
	uint32_t len; /* bytes, a multiple of 8 */
	uint32_t site;
};

/* What a scan has counted. */
struct kma_graph_counts {
	uint64_t pages;	  /* read */
	uint64_t skipped; /* pages that were left out */
	uint64_t roots;	  /* words outside objects that refer to an object */
	uint64_t ignored; /* bytes of ignored ranges */
	uint64_t edges;
	uint64_t reached; /* objects */
};

/* A word outside objects that refers to one. */
struct kma_graph_root {
	uint64_t key; /* address of the word, XORed with KMA_HEAP_KEY */
	uint32_t to;
};

/* Place of a word in an object, in words; from this number on it is not known. */
#define KMA_HEAP_FAR 255

struct kma_graph {
	struct kma_graph_object *objects; /* sorted by address after kma_graph_finish() */
	uint32_t nr, room;
	bool full;		/* there were more than KMA_HEAP_MOST */
	uint64_t min, span;	/* addresses of objects are from @min, XORed, below @min + @span */
	unsigned int shift;	/* of an address for @index */
	uint32_t *index;	/* by address: first object from there on */
	uint32_t *first, *to;	/* edges of object i: to[first[i]] to to[first[i + 1] - 1] */
	uint32_t *sums;		/* checksum of each object */
	unsigned char *reached; /* by object: 1: reached by a root or an object that is */
	unsigned char *still;	/* by object: 1: a free range that is still free */
	bool keep;		/* set before a scan: @words and @roots are wanted */
	unsigned char *words;	/* by edge: place of its word in the object, up to KMA_HEAP_FAR */
	struct kma_graph_root *roots;
	size_t nr_roots;
	struct kma_graph_counts counts;
};

void kma_graph_init(struct kma_graph *graph);
void kma_graph_deinit(struct kma_graph *graph);

static inline void kma_cleanup_graph(struct kma_graph *graph)
{
	kma_graph_deinit(graph);
}

#define _cleanup_graph_ _cleanup_(kma_cleanup_graph)

/* Not a range that is ignored or free. */
static inline bool kma_graph_is_object(const struct kma_graph *graph, uint32_t i)
{
	return graph->objects[i].site < KMA_HEAP_FREE;
}

/*
 * Adds an object, or a range, before kma_graph_finish(). The address is rounded down to 8, and the
 * end of @len bytes, more than 0, up to 8. @site is the number of the call site, KMA_HEAP_IGNORED
 * or KMA_HEAP_FREE.
 */
void kma_graph_add(struct kma_graph *graph, uint64_t addr, uint64_t len, uint32_t site);

/*
 * Sorts the objects, and makes them disjoint. An object counts before a range that is not one, and
 * the first of two objects before the other: events went on while the list was made, so an address
 * can occur twice. What overlaps is left out. But a free range that begins after the first byte of
 * an object cuts the object off there: the array of a sheaf.
 */
void kma_graph_finish(struct kma_graph *graph);

/*
 * The number of the object that a word refers to, after kma_graph_finish(); KMA_HEAP_NONE if there
 * is none.
 */
uint32_t kma_graph_find(const struct kma_graph *graph, uint64_t word);

/* Does an object or a range of a finished graph have an address? */
bool kma_graph_has(const struct kma_graph *graph, uint64_t addr);

/*
 * Reads all memory by @threads threads, from 1 to KMA_HEAP_THREADS, and finds the references;
 * results of an earlier scan are replaced. @stop is set by a handler of a signal to end the scan.
 * It is an error if the scan was interrupted, or if there are too many objects, references or
 * roots.
 */
struct kma_err *kma_graph_scan(struct kma_graph *graph, const struct kma_memory *memory,
			       unsigned int threads, const int *stop);

/* Address of the first byte, which the caller must not store. */
static inline uint64_t kma_graph_addr(const struct kma_graph_object *object)
{
	return object->key ^ KMA_HEAP_KEY;
}

/*
 * A range is free after the scan. @addr is as given to kma_graph_add(); others have no effect. An
 * object that was freed during the scan counts as reached: nothing refers to it, but it is not lost.
 */
void kma_graph_still_free(struct kma_graph *graph, uint64_t addr, uint64_t len);

/* Finds out which objects are reached, after kma_graph_scan(). */
void kma_graph_mark(struct kma_graph *graph);

/*
 * After kma_graph_mark(): also marks what is reached from those unreached objects for whose call
 * site @holds says that they hold what they refer to. Such an object stays unreached, unless
 * another one refers to it.
 */
void kma_graph_mark_from(struct kma_graph *graph, bool (*holds)(void *arg, uint32_t site),
			 void *arg);

#endif /* KMA_HEAP_GRAPH_H */
