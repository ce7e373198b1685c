// SPDX-License-Identifier: GPL-2.0-only
/*
 * inline-walk.c - walk the entries of a compilation unit: its functions, what is inlined into them,
 * and its table of lines.
 *
 * libdw is only used to read entries one after the other. It is never asked which scopes contain an
 * address, because that costs a millisecond each time. A unit, a function and an inlined function
 * each become a frame, which points to its parent; all of their ranges become spans.
 *
 * Recursion is at most KMA_WALK_DEPTH deep; deeper entries are counted as lost.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "inline-walk.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "srcpath.h"

/* No kernel nests blocks and inlined functions this deep, but a corrupt file may. */
#define KMA_WALK_DEPTH 200

/* Make space for one more element of a list. */
#define kma_walk_room(a) kma_array_room((a)->list, (a)->nr, (a)->alloc)

static bool kma_walk_place(struct kma_walker *walker, uint64_t addr, uint32_t *ret)
{
	const struct kma_walk *walk = walker->walk;
	const struct kma_walk_place *place = walker->hint;

	if (!place || addr - place->from >= place->size) {
		for (size_t i = 0; i < walk->nr_places; i++) {
			place = &walk->places[i];
			if (addr - place->from < place->size)
				break;
		}
		if (!place || addr - place->from >= place->size)
			return false;
		walker->hint = place;
	}
	*ret = addr - place->from + place->to;
	return true;
}

/* Convert a range. Its end may be the end of its section, so the last byte is converted. */
static bool walk_range(struct kma_walker *walker, uint64_t start, uint64_t end,
		       struct kma_span *ret)
{
	uint32_t last;

	if (start >= end || !kma_walk_place(walker, start, &ret->start) ||
	    !kma_walk_place(walker, end - 1, &last) || last < ret->start)
		return false;
	ret->end = last + 1;
	return true;
}

/* The part of a name after the build directory; all of it if the name is elsewhere. */
static const char *walk_below(const char *name, const char *dir)
{
	size_t len = dir ? strlen(dir) : 0;

	return len && !strncmp(name, dir, len) && name[len] == '/' ? name + len + 1 : name;
}

/* Get the number of a file by its name. libdw returns the same pointer for the same file. */
static uint32_t walk_file(struct kma_walker *walker, const char *name)
{
	_cleanup_free_ char *path = NULL;
	size_t at = ((uintptr_t)name >> 3) % KMA_WALK_NAMES;
	const char *rest;

	if (!name)
		return 0;
	if (walker->by_name[at].name == name)
		return walker->by_name[at].file;
	rest = walk_below(name, walker->dir);
	if (strstr(rest, "/.") || strstr(rest, "//") || *rest == '.') {
		path = kma_xstrdup(rest);
		kma_srcpath_normalise(path);
	}
	walker->by_name[at].name = name;
	walker->by_name[at].file = kma_texts_add(&walker->walk->files, path ?: rest);
	return walker->by_name[at].file;
}

/* Get the number of a function's name, which may be in the entry that @die refers to. */
static uint32_t walk_name(struct kma_walker *walker, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;
	size_t at;

	if (dwarf_attr(die, DW_AT_abstract_origin, &attr) && dwarf_formref_die(&attr, &origin))
		die = &origin;
	at = (uintptr_t)die->addr % KMA_WALK_ENTRIES;
	if (walker->by_entry[at].entry != die->addr) {
		walker->by_entry[at].entry = die->addr;
		walker->by_entry[at].name =
			kma_texts_add(&walker->walk->names, dwarf_diename(die) ?: "");
	}
	return walker->by_entry[at].name;
}

static void walk_add_frame(struct kma_walker *walker, const struct kma_inlines_frame *frame,
			   uint32_t *ret)
{
	kma_walk_room(&walker->frames);
	*ret = walker->frames.nr;
	walker->frames.list[walker->frames.nr++] = *frame;
}

/* Add all ranges of an entry; @nr: how many it has. */
static void walk_spans(struct kma_walker *walker, Dwarf_Die *die, uint32_t frame,
		       unsigned int depth, size_t *nr)
{
	struct kma_span span = { .frame = frame, .order = depth << 24 | walker->unit };
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	for (*nr = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0; (*nr)++) {
		if (!walk_range(walker, start, end, &span)) {
			/* Ranges that the linker has removed start at 0. They are not lost. */
			walker->lost += start && start < end;
			continue;
		}
		kma_walk_room(&walker->spans);
		walker->spans.list[walker->spans.nr++] = span;
	}
}

static void walk_inlined(struct kma_walker *walker, Dwarf_Die *die, uint32_t parent, uint32_t *ret)
{
	struct kma_inlines_frame frame = { .parent = parent };
	Dwarf_Word file, line = 0;
	Dwarf_Attribute attr;

	if (dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attr), &line))
		line = 0;
	frame.line = line;
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attr), &file) &&
	    file < walker->nr_files)
		frame.file =
			walk_file(walker, dwarf_filesrc(walker->dwarf_files, file, NULL, NULL));
	frame.name = walk_name(walker, die);
	walk_add_frame(walker, &frame, ret);
}

/* The position of a walk in the tree of entries. */
struct kma_walk_level {
	uint32_t unit;	 /* frame of the unit */
	uint32_t parent; /* frame of the enclosing function, or of the unit */
	unsigned int depth;
};

static void walk_children(struct kma_walker *walker, Dwarf_Die *die,
			  const struct kma_walk_level *level);

/*
 * Walk a function, or an inlined one. A function without code is a declaration, and is skipped. An
 * inlined function may seem to have no code, although entries inside it have: in DWARF 4 an empty
 * range at the start of the unit looks like the end of a list of ranges.
 */
static void walk_function(struct kma_walker *walker, Dwarf_Die *die, int tag,
			  const struct kma_walk_level *level)
{
	struct kma_walk_level below = { level->unit, level->unit, level->depth + 1 };
	size_t first = walker->spans.nr, nr;
	struct kma_inlines_frame frame;

	walk_spans(walker, die, 0, below.depth, &nr);
	if (!nr && tag == DW_TAG_subprogram)
		return;
	if (tag == DW_TAG_inlined_subroutine) {
		walk_inlined(walker, die, level->parent, &below.parent);
	} else {
		frame = walker->frames.list[level->unit];
		frame.name = walk_name(walker, die);
		walk_add_frame(walker, &frame, &below.parent);
	}
	while (first < walker->spans.nr)
		walker->spans.list[first++].frame = below.parent;
	walk_children(walker, die, &below);
}

static void walk_entry(struct kma_walker *walker, Dwarf_Die *die,
		       const struct kma_walk_level *level)
{
	struct kma_walk_level below = *level;
	int tag = dwarf_tag(die);

	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
		walk_function(walker, die, tag, level);
		return;
	case DW_TAG_lexical_block:
	case DW_TAG_namespace:
		below.depth++;
		walk_children(walker, die, &below);
		return;
	default:
		return;
	}
}

static void walk_children(struct kma_walker *walker, Dwarf_Die *die,
			  const struct kma_walk_level *level)
{
	Dwarf_Die child;

	if (level->depth == KMA_WALK_DEPTH) {
		walker->lost++;
		return;
	}
	if (dwarf_child(die, &child))
		return;
	do
		walk_entry(walker, &child, level);
	while (!dwarf_siblingof(&child, &child));
}

/* Add a row. Of several rows at one address the last one counts. */
static void walk_add_line(struct kma_walker *walker, struct kma_sequence *seq, Dwarf_Line *line,
			  uint32_t start)
{
	struct kma_line row = { .start = start }, *last;
	int number;

	row.file = walk_file(walker, dwarf_linesrc(line, NULL, NULL));
	row.line = dwarf_lineno(line, &number) ? 0 : number;
	last = seq->nr ? &walker->lines.list[walker->lines.nr - 1] : NULL;
	if (last && last->start == start) {
		*last = row;
		return;
	}
	if (last && last->file == row.file && last->line == row.line)
		return;
	kma_walk_room(&walker->lines);
	if (!seq->nr++) {
		seq->first = walker->lines.nr;
		seq->start = start;
	}
	walker->lines.list[walker->lines.nr++] = row;
}

static void walk_end(struct kma_walker *walker, struct kma_sequence *seq, uint32_t end)
{
	if (!seq->nr)
		return;
	kma_walk_room(&walker->sequences);
	seq->end = end;
	walker->sequences.list[walker->sequences.nr++] = *seq;
	memset(seq, 0, sizeof(*seq));
}

/* The range of the unit that has an address; mostly @same, the range of the last address. */
static const struct kma_span *walk_within(const struct kma_walker *walker, size_t first, size_t nr,
					  const struct kma_span *same, uint32_t addr)
{
	if (same && addr >= same->start && addr < same->end)
		return same;
	for (size_t i = first; i < first + nr; i++)
		if (addr >= walker->spans.list[i].start && addr < walker->spans.list[i].end)
			return &walker->spans.list[i];
	return NULL;
}

/*
 * libdw sorts rows by address, and the end mark of a sequence before other rows of that address. A
 * last row without bytes is therefore after the end, and would extend into the next sequence. So a
 * sequence ends with the range of the unit in which it starts; @first and @nr are the unit's
 * ranges.
 */
static void walk_lines(struct kma_walker *walker, Dwarf_Die *die, size_t first, size_t nr_ranges)
{
	const struct kma_span *range = NULL, *next;
	struct kma_sequence seq = { 0 };
	Dwarf_Lines *lines;
	size_t nr;

	if (dwarf_getsrclines(die, &lines, &nr))
		return;
	for (size_t i = 0; i < nr; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		Dwarf_Addr addr;
		uint32_t start;
		bool end;

		if (dwarf_lineaddr(line, &addr) || dwarf_lineendsequence(line, &end))
			continue;
		next = kma_walk_place(walker, addr, &start) ?
			       walk_within(walker, first, nr_ranges, range, start) :
			       NULL;
		if (range && (next != range || end))
			walk_end(walker, &seq, next == range ? start : range->end);
		range = end ? NULL : next;
		if (range)
			walk_add_line(walker, &seq, line, start);
	}
	if (range)
		walk_end(walker, &seq, range->end);
}

void kma_walk_begin(struct kma_walker *walker)
{
	memset(walker->by_name, 0, sizeof(walker->by_name));
	memset(walker->by_entry, 0, sizeof(walker->by_entry));
}

void kma_walk_unit(struct kma_walker *walker, uint32_t unit, Dwarf_Die *die, Dwarf_Die *split)
{
	struct kma_inlines_frame frame = { .parent = KMA_INLINES_NONE };
	struct kma_walk_level level = { 0 };
	size_t first = walker->spans.nr, nr;
	Dwarf_Attribute attr;

	walker->unit = unit;
	walker->dir = dwarf_formstring(dwarf_attr(die, DW_AT_comp_dir, &attr));
	walker->nr_files = 0;
	if (dwarf_getsrcfiles(split, &walker->dwarf_files, &walker->nr_files))
		walker->nr_files = 0;
	frame.file = walk_file(walker, dwarf_diename(split) ?: dwarf_diename(die));
	walk_add_frame(walker, &frame, &level.unit);
	walk_spans(walker, die, level.unit, 0, &nr);
	level.parent = level.unit;
	walker->units++;
	walk_lines(walker, die, first, walker->spans.nr - first);
	walk_children(walker, split, &level);
}

/* One pass of a radix sort, by 16 bits of the address. It keeps the order of equal elements. */
static void walker_sort_pass(const struct kma_span *from, struct kma_span *to, size_t nr,
			     uint32_t *places, unsigned int shift)
{
	uint32_t place = 0;

	memset(places, 0, sizeof(*places) << 16);
	for (size_t i = 0; i < nr; i++)
		places[from[i].start >> shift & 0xffff]++;
	for (size_t i = 0; i < 1 << 16; i++) {
		uint32_t count = places[i];

		places[i] = place;
		place += count;
	}
	for (size_t i = 0; i < nr; i++)
		to[places[from[i].start >> shift & 0xffff]++] = from[i];
}

void kma_walker_sort(struct kma_walker *walker)
{
	_cleanup_free_ struct kma_span *other = NULL;
	_cleanup_free_ uint32_t *places = NULL;
	size_t nr = walker->spans.nr;

	if (!nr)
		return;
	places = kma_xmalloc(sizeof(*places) << 16);
	other = kma_xmalloc(nr * sizeof(*other));
	if (nr > UINT32_MAX)
		kma_atend_no_memory();
	walker_sort_pass(walker->spans.list, other, nr, places, 0);
	walker_sort_pass(other, walker->spans.list, nr, places, 16);
}

void kma_walker_deinit(struct kma_walker *walker)
{
	free(walker->spans.list);
	free(walker->frames.list);
	free(walker->lines.list);
	free(walker->sequences.list);
}
