/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * by-btf.h - the types of a kernel by its BTF, which has all structs and what functions return, but
 * neither variables nor calls.
 */
#ifndef KMA_TYPES_BY_BTF_H
#define KMA_TYPES_BY_BTF_H

#include "symbol/btf.h"
#include "table.h"

struct kma_by_btf_function;

/* All zero: no BTF. */
struct kma_by_btf {
	struct kma_btf *btf;		       /* owned; NULL: none */
	uint32_t *numbers;		       /* by number in @btf: of the table; NONE */
	struct kma_by_btf_function *functions; /* sorted by name */
	uint32_t nr;
};

/* Adds all structs and unions of @btf, which moves to @ret, to a table. */
void kma_by_btf_create(struct kma_btf *btf, struct kma_types *types, struct kma_by_btf *ret);

void kma_by_btf_deinit(struct kma_by_btf *by);

/*
 * The type to which a function returns a pointer, by the name of its symbol; NONE: another type, no such
 * function, or several of that name that return different ones.
 */
uint32_t kma_by_btf_returns(const struct kma_by_btf *by, const char *function);

#endif /* KMA_TYPES_BY_BTF_H */
