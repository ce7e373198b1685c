// SPDX-License-Identifier: GPL-2.0-only
/*
 * symtab.c - symbols of code, by name and by address.
 *
 * Names are stored in one growing pool. Until the table is finished, kma_symbol.name is an offset
 * in the pool, because the pool may move. Adding 100,000 symbols thus costs a few allocations.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "symtab.h"

struct kma_symtab {
	struct kma_symbol *symbols; /* until finished with the ends; then sorted by address */
	size_t nr;
	size_t alloc;
	struct kma_strbuf pool;		   /* the names, each ends with a NUL */
	const struct kma_symbol **by_name; /* the same symbols, sorted by name */
};

/* Until the table is finished, the end of a section is a symbol with this "name". */
#define KMA_POOL_END SIZE_MAX

void kma_symtab_create(struct kma_symtab **ret)
{
	*ret = kma_xcalloc(1, sizeof(**ret));
}

void kma_symtab_destroy(struct kma_symtab *tab)
{
	if (!tab)
		return;
	free(tab->symbols);
	free(tab->by_name);
	kma_strbuf_deinit(&tab->pool);
	free(tab);
}

/* Is it a symbol that scripts/kallsyms.c or scripts/mksysmap of the kernel leaves out? */
static bool symbol_ignored(const char *name)
{
	static const char *const prefixes[] = { ".L", "$", "__pfx_", "__cfi_", "L0\001" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return !*name;
}

static void symtab_push(struct kma_symtab *tab, size_t name, uint64_t addr, uint64_t size)
{
	kma_array_room(tab->symbols, tab->nr, tab->alloc);
	tab->symbols[tab->nr++] = (struct kma_symbol){
		.name = (const char *)(uintptr_t)name,
		.addr = addr,
		.size = size,
	};
}

void kma_symtab_add(struct kma_symtab *tab, const char *name, uint64_t addr, uint64_t size)
{
	size_t at = tab->pool.len;

	if (symbol_ignored(name))
		return;
	kma_strbuf_add(&tab->pool, name, strlen(name) + 1);
	symtab_push(tab, at, addr, size);
}

void kma_symtab_add_end(struct kma_symtab *tab, uint64_t addr)
{
	symtab_push(tab, KMA_POOL_END, addr, 0);
}

static int cmp_addr(const void *a, const void *b)
{
	const struct kma_symbol *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

/* Sort aliases like scripts/kallsyms.c: fewer "_" first, then in the order of their addition. */
static int cmp_added(const void *a, const void *b, void *arg)
{
	const struct kma_symbol *x = a, *y = b;
	uintptr_t one = (uintptr_t)x->name, two = (uintptr_t)y->name;
	int cmp = cmp_addr(a, b);
	const char *pool = arg;

	if (!cmp && one != KMA_POOL_END && two != KMA_POOL_END) {
		size_t m = underscores(pool + one), n = underscores(pool + two);

		cmp = (m > n) - (m < n);
	}
	return cmp ? cmp : (one > two) - (one < two);
}

static int cmp_name(const void *a, const void *b)
{
	const struct kma_symbol *const *x = a, *const *y = b;
	int cmp = strcmp((*x)->name, (*y)->name);

	return cmp ? cmp : cmp_addr(*x, *y);
}

void kma_symtab_finish(struct kma_symtab *tab)
{
	uint64_t next = 0, here = 0;
	size_t kept = 0;

	if (!tab->nr)
		return;
	qsort_r(tab->symbols, tab->nr, sizeof(*tab->symbols), cmp_added, tab->pool.str);
	/* From the end, so that all aliases get the distance to the address after them. */
	for (size_t i = tab->nr; i-- > 0;) {
		struct kma_symbol *sym = &tab->symbols[i];

		if (i + 1 == tab->nr || sym->addr != here)
			next = i + 1 == tab->nr ? sym->addr + sym->size : here;
		here = sym->addr;
		sym->span = next - here;
	}
	for (size_t i = 0; i < tab->nr; i++) {
		struct kma_symbol *sym = &tab->symbols[i];

		if ((uintptr_t)sym->name == KMA_POOL_END)
			continue;
		sym->name = tab->pool.str + (uintptr_t)sym->name;
		tab->symbols[kept++] = *sym;
	}
	tab->nr = kept;
	tab->by_name = kma_xmalloc((kept + 1) * sizeof(*tab->by_name));
	for (size_t i = 0; i < kept; i++)
		tab->by_name[i] = &tab->symbols[i];
	qsort(tab->by_name, kept, sizeof(*tab->by_name), cmp_name);
}

size_t kma_symtab_count(const struct kma_symtab *tab)
{
	return tab->nr;
}

const struct kma_symbol *const *kma_symtab_named(const struct kma_symtab *tab, const char *name,
						 size_t *nr)
{
	size_t low = kma_array_search(tab->nr, i, strcmp(tab->by_name[i]->name, name) < 0), end;

	for (end = low; end < tab->nr && !strcmp(tab->by_name[end]->name, name);)
		end++;
	*nr = end - low;
	return *nr ? &tab->by_name[low] : NULL;
}

const struct kma_symbol *kma_symtab_at(const struct kma_symtab *tab, uint64_t addr)
{
	size_t low = kma_array_search(tab->nr, i, tab->symbols[i].addr <= addr);

	if (!low || addr - tab->symbols[low - 1].addr >= tab->symbols[low - 1].span)
		return NULL;
	/* Take the first alias, as the kernel does. */
	while (low > 1 && tab->symbols[low - 2].addr == tab->symbols[low - 1].addr)
		low--;
	return &tab->symbols[low - 1];
}
