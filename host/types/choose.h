/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * choose.h - what the objects of a call site are, by a table of types (table.h) and their sizes.
 *
 * A type is a name without "struct": "inode". "pipe_buffer[]": arrays of it. "sock+": the objects are
 * larger than the type, which does not end with an array: more follows, or they are arrays. "a or b":
 * the sources disagree.
 */
#ifndef KMA_TYPES_CHOOSE_H
#define KMA_TYPES_CHOOSE_H

#include "table.h"

/* Text of a call site whose type is not known. */
#define KMA_TYPE_NONE "[no type]"

/* A question: of which type are these objects? */
struct kma_type_ask {
	const struct kma_types_call *call; /* that allocates them */
	uint64_t objects;  /* objects of the call site; 0: their sizes are not known */
	uint64_t bytes;	   /* their sum of sizes */
	uint64_t slots;	   /* the same sum, rounded up by the allocator */
	bool exact;	   /* as they were requested; false: rounded up, by the allocator */
	bool slab;	   /* the objects are of slab caches with names */
	const char *cache; /* name of the only one; NULL: unknown */
};

/* The answer. */
struct kma_type_answer {
	char *text;    /* to be freed; NULL: no type */
	uint32_t type; /* its number; KMA_TYPES_NONE: there is none, or there are two */
	bool array;    /* the objects are arrays of it */
};

struct kma_type_answer kma_types_choose(const struct kma_types *types,
					const struct kma_type_ask *ask);

#endif /* KMA_TYPES_CHOOSE_H */
