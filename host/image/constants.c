// SPDX-License-Identifier: GPL-2.0-only
/*
 * constants.c - compute which constants a linker keeps.
 *
 * The entries of all sections are in one array, 32 bytes each. They are sorted by group, then from
 * their last byte to the first: equal entries become neighbours, and a string comes right before
 * the strings that it ends. One walk from the last entry to the first decides which are kept, by a
 * comparison with the last kept one. Then the kept entries are laid out again, section by section,
 * each at its alignment, because that is how ld computes the size of a section.
 *
 * It repeats bfd/merge.c of binutils, not its code. Time is that of the sorts.
 */
#include <stdlib.h>
#include <string.h>

#include "constants.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"

/* A string with its end, or one constant. */
struct kma_constants_entry {
	const unsigned char *bytes; /* in the contents of its section */
	uint32_t len;		    /* bytes, with the end of a string */
	uint32_t section;	    /* index in @sections */
	uint32_t align;		    /* bytes: alignment of its offset, at most its section's */
	uint32_t class;		    /* strings of different classes cannot end one another */
	bool kept;		    /* the linker keeps it */
};

struct kma_constants {
	enum kma_constants_linker linker;
	struct kma_constants_section *sections;
	size_t nr, alloc;
	struct kma_constants_entry *entries;
	size_t nr_entries, alloc_entries;
};

struct kma_constants *kma_constants_create(enum kma_constants_linker linker)
{
	struct kma_constants *cst = kma_xcalloc(1, sizeof(*cst));

	cst->linker = linker;
	return cst;
}

void kma_constants_destroy(struct kma_constants *cst)
{
	if (!cst)
		return;
	free(cst->sections);
	free(cst->entries);
	free(cst);
}

static void kma_constants_entry(struct kma_constants *cst, size_t at, uint64_t len)
{
	const struct kma_constants_section *section = &cst->sections[cst->nr - 1];
	uint64_t align = at & -at;

	kma_array_room(cst->entries, cst->nr_entries, cst->alloc_entries);
	/* An entry needs no more alignment than its offset has. */
	if (!align || align > section->align)
		align = section->align;
	cst->entries[cst->nr_entries++] = (struct kma_constants_entry){
		.bytes = section->bytes + at,
		.len = len,
		.section = cst->nr - 1,
		.align = align,
	};
}

/* The empty strings of a section are one entry: the first, with the largest alignment. */
static void kma_constants_empty(struct kma_constants *cst, uint64_t at, size_t *first)
{
	const struct kma_constants_section *section = &cst->sections[cst->nr - 1];
	struct kma_constants_entry added;

	kma_constants_entry(cst, at, section->entsize);
	if (*first == SIZE_MAX) {
		*first = cst->nr_entries - 1;
		return;
	}
	added = cst->entries[--cst->nr_entries];
	if (added.align > cst->entries[*first].align)
		cst->entries[*first].align = added.align;
}

/* Is the character at an offset zero? It ends a string. */
static bool kma_constants_is_end(const struct kma_constants_section *section, uint64_t at)
{
	for (uint64_t i = 0; i < section->entsize; i++)
		if (section->bytes[at + i])
			return false;
	return true;
}

static void kma_constants_strings(struct kma_constants *cst)
{
	const struct kma_constants_section section = cst->sections[cst->nr - 1];
	size_t empty = SIZE_MAX;
	uint64_t begin = 0;

	for (uint64_t at = 0; at < section.size; at += section.entsize) {
		if (!kma_constants_is_end(&section, at))
			continue;
		/* Before 2.41, an empty string counts only at an aligned offset; else it is fill. */
		if (at == begin && cst->linker == KMA_LINKER_LD_2_41)
			kma_constants_empty(cst, at, &empty);
		else if (at > begin || !(at & (section.align - 1)))
			kma_constants_entry(cst, begin, at + section.entsize - begin);
		begin = at + section.entsize;
	}
}

/* Does ld merge this section (bfd/merge.c)? The entries have to fit their alignment. */
static bool kma_constants_may_merge(const struct kma_constants_section *section)
{
	uint64_t entsize = section->entsize, align = section->align;

	if (!entsize || !section->size || section->size % entsize || section->size > UINT32_MAX)
		return false;
	if (entsize < align)
		return section->strings && !(entsize & (entsize - 1));
	return !(entsize & (align - 1));
}

void kma_constants_add(struct kma_constants *cst, const struct kma_constants_section *section)
{
	uint64_t entsize = section->entsize;

	*section->kept = section->size;
	if (!kma_constants_may_merge(section))
		return;
	if (section->strings &&
	    !kma_constants_is_end(section, section->size - entsize)) /* the last has no end */
		return;
	kma_array_room(cst->sections, cst->nr, cst->alloc);
	cst->sections[cst->nr++] = *section;
	*section->kept = 0;
	if (section->strings) {
		kma_constants_strings(cst);
		return;
	}
	for (uint64_t at = 0; at < section->size; at += entsize)
		kma_constants_entry(cst, at, entsize);
}

static int kma_cmp_group(const struct kma_constants_section *x,
			 const struct kma_constants_section *y)
{
	int cmp = (x->output > y->output) - (x->output < y->output);

	if (!cmp)
		cmp = x->strings - y->strings;
	if (!cmp)
		cmp = (x->entsize > y->entsize) - (x->entsize < y->entsize);
	return cmp ? cmp : (x->align > y->align) - (x->align < y->align);
}

/* Compares from the last byte to the first; if one is the end of the other, the longer is later. */
static int kma_cmp_tail(const struct kma_constants_entry *x, const struct kma_constants_entry *y)
{
	uint32_t len = x->len < y->len ? x->len : y->len;

	for (uint32_t i = 1; i <= len; i++) {
		int cmp = x->bytes[x->len - i] - y->bytes[y->len - i];

		if (cmp)
			return cmp;
	}
	return (x->len > y->len) - (x->len < y->len);
}

static int kma_cmp_constant(const void *a, const void *b, void *arg)
{
	const struct kma_constants *cst = arg;
	const struct kma_constants_entry *x = a, *y = b;
	int cmp = kma_cmp_group(&cst->sections[x->section], &cst->sections[y->section]);

	if (!cmp)
		cmp = (x->class > y->class) - (x->class < y->class);
	if (!cmp)
		cmp = kma_cmp_tail(x, y);
	if (!cmp) /* of equal entries, the one with the largest alignment can replace all */
		cmp = (x->align < y->align) - (x->align > y->align);
	if (!cmp)
		cmp = (x->section > y->section) - (x->section < y->section);
	return cmp ? cmp : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int kma_cmp_place(const void *a, const void *b)
{
	const struct kma_constants_entry *x = a, *y = b;
	int cmp = (x->section > y->section) - (x->section < y->section);

	return cmp ? cmp : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Index of the first entry after the group that starts at entry @from. */
static size_t kma_constants_group(const struct kma_constants *cst, size_t from)
{
	size_t to = from + 1;

	while (to < cst->nr_entries && !kma_cmp_group(&cst->sections[cst->entries[from].section],
						      &cst->sections[cst->entries[to].section]))
		to++;
	return to;
}

/*
 * Gives equal strings of a group the largest alignment among them, as ld does since 2.41. In the
 * group equal strings are neighbours, the largest alignment first. Returns the alignment that all
 * strings of the group have, 0 if they differ.
 */
static uint32_t kma_constants_unify(struct kma_constants *cst, size_t from, size_t to)
{
	uint32_t all = cst->entries[from].align;

	for (size_t i = from + 1; i < to; i++) {
		struct kma_constants_entry *entry = &cst->entries[i];

		if (!kma_cmp_tail(&entry[-1], entry))
			entry->align = entry[-1].align;
		if (entry->align != all)
			all = 0;
	}
	return all;
}

/*
 * Sets the classes of strings. If all strings of a group have one alignment, a string can be the
 * end of another only if their lengths have equal remainders. Before 2.41 every group is so.
 */
static void kma_constants_classes(struct kma_constants *cst)
{
	size_t to;

	if (cst->linker != KMA_LINKER_LD_2_41) {
		for (size_t i = 0; i < cst->nr_entries; i++) {
			struct kma_constants_entry *entry = &cst->entries[i];

			entry->class = entry->len & (cst->sections[entry->section].align - 1);
		}
		return;
	}
	qsort_r(cst->entries, cst->nr_entries, sizeof(*cst->entries), kma_cmp_constant, cst);
	for (size_t from = 0; from < cst->nr_entries; from = to) {
		uint32_t all;

		to = kma_constants_group(cst, from);
		all = kma_constants_unify(cst, from, to);
		for (size_t i = from; i < to && all; i++)
			cst->entries[i].class = cst->entries[i].len & (all - 1);
	}
}

/* Is @x the end of @y, and at an offset that its alignment permits? */
static bool kma_constants_ends(const struct kma_constants_entry *x,
			       const struct kma_constants_entry *y)
{
	return x->len < y->len && !memcmp(x->bytes, y->bytes + y->len - x->len, x->len) &&
	       x->align <= y->align && !((y->len - x->len) & (x->align - 1));
}

/* Sets which entries are kept, from the last to the first: a string before the strings it ends. */
static void kma_constants_choose(struct kma_constants *cst)
{
	const struct kma_constants_entry *later = NULL;

	for (size_t i = cst->nr_entries; i-- > 0;) {
		struct kma_constants_entry *entry = &cst->entries[i];
		const struct kma_constants_section *section = &cst->sections[entry->section];

		/* Not the first of equal entries: dropped. */
		if (i && !kma_cmp_group(section, &cst->sections[entry[-1].section]) &&
		    !kma_cmp_tail(&entry[-1], entry))
			continue;
		if (cst->linker != KMA_LINKER_LLD && section->strings && later &&
		    !kma_cmp_group(section, &cst->sections[later->section]) &&
		    kma_constants_ends(entry, later))
			continue;
		entry->kept = true;
		later = entry;
	}
}

void kma_constants_finish(struct kma_constants *cst)
{
	if (!cst->nr_entries)
		return;
	kma_constants_classes(cst);
	qsort_r(cst->entries, cst->nr_entries, sizeof(*cst->entries), kma_cmp_constant, cst);
	kma_constants_choose(cst);
	qsort(cst->entries, cst->nr_entries, sizeof(*cst->entries), kma_cmp_place);
	for (size_t i = 0; i < cst->nr_entries; i++) {
		const struct kma_constants_entry *entry = &cst->entries[i];
		uint64_t *kept = cst->sections[entry->section].kept;

		if (entry->kept)
			*kept = ((*kept + entry->align - 1) & -(uint64_t)entry->align) + entry->len;
	}
	/* A section never grows by the new layout. */
	for (size_t i = 0; i < cst->nr; i++)
		if (*cst->sections[i].kept > cst->sections[i].size)
			*cst->sections[i].kept = cst->sections[i].size;
}
