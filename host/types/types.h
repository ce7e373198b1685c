/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * types.h - what a call site allocates: the type of the variable, the member or the result that takes
 * what the call returns, by the debugging information of vmlinux or of a module.
 */
#ifndef KMA_TYPES_TYPES_H
#define KMA_TYPES_TYPES_H

#include "symbol/image.h"
#include "symbol/symtab.h"

/* Text of a call site whose type is not known. */
#define KMA_TYPE_NONE "[no type]"

/* A question: what does the call that returns to an address allocate? */
struct kma_type_ask {
	uint64_t addr;	   /* return address, as in image.h */
	uint64_t objects;  /* objects of the call site; 0: their sizes are not known */
	uint64_t bytes;	   /* their sum of sizes */
	bool exact;	   /* as they were requested; false: rounded up, by the allocator */
	bool array;	   /* the call is kcalloc() or another one for arrays */
	bool slab;	   /* the objects are of slab caches with names */
	const char *cache; /* name of the only one; NULL: unknown */
	char *type;	   /* the answer, to be freed; NULL: none */
};

/**
 * kma_types_find() - find the types of call sites of one file
 * @image: the file; without debugging information there is no answer
 * @symtab: its symbols; NULL: not known
 * @asks: the answers are set
 * @nr: number of @asks
 *
 * A type is a name without "struct": "inode". "pipe_buffer[]": arrays of it. "sock+": the objects are
 * larger than the type, which does not end with an array: more follows, or they are arrays. "a or b": the
 * sources disagree.
 *
 * Return: NULL, or an error that names the file.
 */
struct kma_err *kma_types_find(const struct kma_image *image, const struct kma_symtab *symtab,
			       struct kma_type_ask *asks, size_t nr);

#endif /* KMA_TYPES_TYPES_H */
