/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * types.h - find what may be allocated by calls of a kernel: the types of the variable, the member or
 * the result that takes what the call returns, by the debugging information of vmlinux or of a module.
 */
#ifndef KMA_TYPES_TYPES_H
#define KMA_TYPES_TYPES_H

#include "symbol/image.h"
#include "symbol/symtab.h"
#include "table.h"

/* What is looked for in a file. */
struct kma_types_wish {
	uint32_t image;	       /* number of the file in the table */
	const uint64_t *calls; /* return addresses, as in image.h */
	size_t nr;
	bool all;	/* also all other calls that may allocate */
	bool variables; /* all variables outside of functions */
};

/**
 * kma_types_find() - add the calls of one file, and their types, to a table
 * @image: the file; without debugging information nothing is added
 * @symtab: its symbols; NULL: not known
 * @wish: what is looked for
 * @types: the table
 *
 * Return: NULL, or an error that names the file.
 */
struct kma_err *kma_types_find(const struct kma_image *image, const struct kma_symtab *symtab,
			       const struct kma_types_wish *wish, struct kma_types *types);

#endif /* KMA_TYPES_TYPES_H */
