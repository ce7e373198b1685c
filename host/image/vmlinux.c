// SPDX-License-Identifier: GPL-2.0-only
/*
 * vmlinux.c - the image that the kernel was linked to: its sections and symbols.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "vmlinux.h"

static int kma_cmp_by_name(const void *a, const void *b)
{
	const struct kma_binary_symbol *x = *(const struct kma_binary_symbol *const *)a;
	const struct kma_binary_symbol *y = *(const struct kma_binary_symbol *const *)b;

	return strcmp(x->name, y->name);
}

static int kma_cmp_by_addr(const void *a, const void *b)
{
	const struct kma_binary_symbol *x = *(const struct kma_binary_symbol *const *)a;
	const struct kma_binary_symbol *y = *(const struct kma_binary_symbol *const *)b;

	return (x->value > y->value) - (x->value < y->value);
}

void kma_vmlinux_index(struct kma_vmlinux *priv)
{
	size_t nr = priv->bin->nr_symbols;

	priv->filled = kma_xcalloc(priv->bin->nr_sections + 1, sizeof(*priv->filled));
	priv->used = kma_xcalloc(priv->bin->nr_sections + 1, sizeof(*priv->used));
	priv->by_name = kma_xmalloc((nr + 1) * sizeof(*priv->by_name));
	priv->by_addr = kma_xmalloc((nr + 1) * sizeof(*priv->by_addr));
	for (size_t i = 0; i < nr; i++)
		priv->by_name[i] = priv->by_addr[i] = &priv->bin->symbols[i];
	qsort(priv->by_name, nr, sizeof(*priv->by_name), kma_cmp_by_name);
	qsort(priv->by_addr, nr, sizeof(*priv->by_addr), kma_cmp_by_addr);
}

void kma_vmlinux_deinit(struct kma_vmlinux *priv)
{
	kma_binary_close(priv->bin);
	kma_lds_destroy(priv->lds);
	free(priv->filled);
	free(priv->used);
	free(priv->by_name);
	free(priv->by_addr);
	for (size_t i = 0; i < priv->nr_names; i++)
		free(priv->names[i]);
	free(priv->names);
}

const struct kma_binary_symbol *kma_vmlinux_symbol(const struct kma_vmlinux *priv, const char *name)
{
	const struct kma_binary_symbol key = { .name = name }, *p = &key, **found;

	found = bsearch(&p, priv->by_name, priv->bin->nr_symbols, sizeof(p), kma_cmp_by_name);
	return found ? *found : NULL;
}

bool kma_vmlinux_is_init(const struct kma_vmlinux *priv, const struct kma_binary_section *section)
{
	const struct kma_binary_symbol *begin = kma_vmlinux_symbol(priv, "__init_begin");
	const struct kma_binary_symbol *end = kma_vmlinux_symbol(priv, "__init_end");

	return begin && end && section->addr >= begin->value &&
	       section->addr + section->size <= end->value &&
	       strcmp(section->name, ".data..percpu");
}
