// SPDX-License-Identifier: GPL-2.0-only
/*
 * origin.c - names of source files from STT_FILE and the addresses of symbols.
 *
 * An anchor is an address whose object (unit) is known. Anchors are made of the local symbols and
 * sorted. Then each global symbol that a local one gives a hint for by its name, and that the
 * anchors do not place, becomes an anchor, too. A look-up searches the anchors binarily: the anchor
 * at the address, or the two around it if they are of the same unit.
 *
 * An anchor takes 16 bytes; the symbols stay open for the names of the units.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "binary.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "origin.h"

/* A symbol of code whose unit is known. */
struct kma_origin_anchor {
	uint64_t addr;
	uint32_t unit; /* number of the unit; 0: symbols at this address are of several units */
};

/* A local symbol whose name tells the unit of a global symbol. */
struct kma_hint {
	const char *name; /* of the global symbol */
	size_t len;	  /* bytes of @name, which may be followed by others */
	uint32_t unit;
};

struct kma_origins {
	struct kma_binary *bin;
	struct kma_origin_anchor *anchors; /* sorted by address, one for each address */
	size_t nr;
};

/* State while the table is built. */
struct kma_origins_build {
	const struct kma_binary *bin;
	bool *code; /* by index of a section: it has code */
	uint32_t nr_code;
	bool *has_code; /* by number of a unit: it has local symbols of code */
	struct kma_hint *hints;
	size_t nr_hints;
};

void kma_origins_destroy(struct kma_origins *origins)
{
	if (!origins)
		return;
	kma_binary_close(origins->bin);
	free(origins->anchors);
	free(origins);
}

static int cmp_anchor(const void *a, const void *b)
{
	const struct kma_origin_anchor *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

static int cmp_hint(const void *a, const void *b)
{
	const struct kma_hint *x = a, *y = b;
	size_t len = x->len < y->len ? x->len : y->len;
	int cmp = memcmp(x->name, y->name, len);

	return cmp ? cmp : (x->len > y->len) - (x->len < y->len);
}

static bool origins_is_code(const struct kma_origins_build *build,
			    const struct kma_binary_symbol *symbol)
{
	return symbol->section < build->nr_code && build->code[symbol->section];
}

static void origins_begin(struct kma_origins_build *build)
{
	const struct kma_binary *bin = build->bin;

	for (size_t i = 0; i < bin->nr_sections; i++)
		if (bin->sections[i].exec && bin->sections[i].index >= build->nr_code)
			build->nr_code = bin->sections[i].index + 1;
	build->code = kma_xcalloc(build->nr_code + 1, sizeof(*build->code));
	build->has_code = kma_xcalloc(bin->nr_units + 1, sizeof(*build->has_code));
	build->hints = kma_xmalloc((bin->nr_symbols + 1) * sizeof(*build->hints));
	for (size_t i = 0; i < bin->nr_sections; i++)
		if (bin->sections[i].exec)
			build->code[bin->sections[i].index] = true;
	for (size_t i = 0; i < bin->nr_symbols; i++)
		if (origins_is_code(build, &bin->symbols[i]))
			build->has_code[bin->symbols[i].unit] = true;
}

/* Is a local symbol a hint? A unit that only exports symbols, without code, gives no hints. */
static bool origins_hint(const struct kma_origins_build *build,
			 const struct kma_binary_symbol *symbol, struct kma_hint *ret)
{
	static const char exported[] = "__ksymtab_";

	ret->name = symbol->name;
	ret->unit = symbol->unit;
	if (!strncmp(symbol->name, exported, strlen(exported)) && build->has_code[symbol->unit]) {
		ret->name += strlen(exported);
		ret->len = strlen(ret->name);
		return true;
	}
	ret->len = strcspn(symbol->name, ".");
	return origins_is_code(build, symbol) && ret->len && symbol->name[ret->len];
}

static void origins_hints(struct kma_origins_build *build)
{
	const struct kma_binary *bin = build->bin;

	for (size_t i = 0; i < bin->nr_symbols; i++)
		if (bin->symbols[i].unit &&
		    origins_hint(build, &bin->symbols[i], &build->hints[build->nr_hints]))
			build->nr_hints++;
	qsort(build->hints, build->nr_hints, sizeof(*build->hints), cmp_hint);
}

/* The unit that all hints for a name agree on, or 0. */
static uint32_t origins_hinted(const struct kma_origins_build *build, const char *name)
{
	const struct kma_hint key = { .name = name, .len = strlen(name) };
	const struct kma_hint *found, *end = build->hints + build->nr_hints;
	uint32_t unit;

	found = bsearch(&key, build->hints, build->nr_hints, sizeof(key), cmp_hint);
	if (!found)
		return 0;
	while (found > build->hints && !cmp_hint(found - 1, &key))
		found--;
	unit = found->unit;
	for (; found < end && !cmp_hint(found, &key); found++)
		if (found->unit != unit)
			return 0;
	return unit;
}

/* Sort the anchors, and join those of one address. */
static void origins_sort(struct kma_origins *origins)
{
	size_t nr = origins->nr;

	qsort(origins->anchors, nr, sizeof(*origins->anchors), cmp_anchor);
	origins->nr = 0;
	for (size_t i = 0; i < nr; i++) {
		struct kma_origin_anchor *last = &origins->anchors[origins->nr - !!origins->nr];

		if (!origins->nr || last->addr != origins->anchors[i].addr)
			origins->anchors[origins->nr++] = origins->anchors[i];
		else if (last->unit != origins->anchors[i].unit)
			last->unit = 0;
	}
}

/* The unit of the anchor at an address, or of both anchors around it; 0 if unknown. */
static uint32_t origins_place(const struct kma_origins *origins, uint64_t addr)
{
	const struct kma_origin_anchor *anchors = origins->anchors;
	size_t low = kma_array_search(origins->nr, i, anchors[i].addr <= addr);

	if (!low)
		return 0;
	if (anchors[low - 1].addr == addr ||
	    (low < origins->nr && anchors[low - 1].unit == anchors[low].unit))
		return anchors[low - 1].unit;
	return 0;
}

/*
 * Make the anchors. Local symbols come first: if they place a symbol, a hint does not count,
 * because a file may export a symbol of another one.
 */
static void origins_anchors(struct kma_origins *origins, const struct kma_origins_build *build)
{
	const struct kma_binary *bin = build->bin;
	size_t nr;

	origins->anchors = kma_xmalloc((bin->nr_symbols + 1) * sizeof(*origins->anchors));
	for (size_t i = 0; i < bin->nr_symbols; i++)
		if (bin->symbols[i].unit && origins_is_code(build, &bin->symbols[i]))
			origins->anchors[origins->nr++] =
				(struct kma_origin_anchor){ bin->symbols[i].value,
							    bin->symbols[i].unit };
	origins_sort(origins);
	nr = origins->nr;
	for (size_t i = 0; i < bin->nr_symbols; i++) {
		const struct kma_binary_symbol *symbol = &bin->symbols[i];
		uint32_t unit;

		if (symbol->local || !origins_is_code(build, symbol))
			continue;
		unit = origins_hinted(build, symbol->name);
		if (unit && !origins_place(origins, symbol->value))
			origins->anchors[nr++] = (struct kma_origin_anchor){ symbol->value, unit };
	}
	origins->nr = nr;
	origins_sort(origins);
}

struct kma_err *kma_origins_create(const char *path, struct kma_origins **ret)
{
	struct kma_origins *origins = kma_xcalloc(1, sizeof(*origins));
	struct kma_origins_build build = { 0 };
	struct kma_err *err;

	err = kma_binary_open(AT_FDCWD, path, true, &origins->bin);
	if (err) {
		kma_origins_destroy(origins);
		return err;
	}
	build.bin = origins->bin;
	origins_begin(&build);
	origins_hints(&build);
	origins_anchors(origins, &build);
	free(build.code);
	free(build.has_code);
	free(build.hints);
	*ret = origins;
	return NULL;
}

size_t kma_origins_count(const struct kma_origins *origins)
{
	return origins->nr;
}

/* The name of a unit; NULL if it is empty, or a file that link-time optimisation made. */
static const char *origins_name(const struct kma_origins *origins, uint32_t unit)
{
	const char *name = unit ? origins->bin->units[unit - 1] : "", *slash;

	if (!*name || !strcmp(name, "ld-temp.o"))
		return NULL;
	/* Drop a directory of the machine that built the kernel: it is not in the source tree. */
	slash = strrchr(name, '/');
	return *name == '/' || strstr(name, "../") ? slash + 1 : name;
}

const char *kma_origins_at(const struct kma_origins *origins, uint64_t addr)
{
	return origins_name(origins, origins_place(origins, addr));
}
