// SPDX-License-Identifier: GPL-2.0-only
/*
 * inline.c - search the table of inlines.
 *
 * The checksum of a stored table detects damage, but not manipulation, so each number from the
 * table is checked before its use. A cycle of frames ends after KMA_FRAMES_MAX steps.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>

#include "image.h"
#include "inline-frame.h"
#include "inline.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cachefile.h"
#include "lib/cleanup.h"
#include "lib/texts.h"
#include "srcpath.h"
#include "unit-walk.h"

/*
 * The bytes of a table of inlines, for the files that build, store and search it:
 * inline-build.c, inline.c. Documentation/format/inlines.rst describes it, too.
 *
 * A header is followed by arrays ("parts"). Two of them form the index of functions: ascending
 * addresses, and for each the innermost frame from there up to the next address. A frame links to
 * the frame it was inlined into, so the chain of an address takes one binary search and a walk of
 * a list. Three other arrays form the index of lines in the same way. Addresses have 32 bits and
 * count from the header's base, so the code of a file may span up to 4 GiB.
 *
 * The bytes are the same in memory and in the cache file.
 *
 * Test whether a table of inlines is complete.
 */

const unsigned char kma_inlines_width[KMA_NR_PARTS] = {
	[KMA_PART_SPAN_START] = sizeof(uint32_t),
	[KMA_PART_SPAN_FRAME] = sizeof(uint32_t),
	[KMA_PART_FRAMES] = sizeof(struct kma_inlines_frame),
	[KMA_PART_LINE_START] = sizeof(uint32_t),
	[KMA_PART_LINE_FILE] = sizeof(uint32_t),
	[KMA_PART_LINE] = sizeof(uint32_t),
	[KMA_PART_FILES] = sizeof(uint32_t),
	[KMA_PART_TEXT] = sizeof(char),
};

bool kma_inlines_sound(const struct kma_inlines_header *hdr, size_t size)
{
	const char *text;
	uint64_t nr;

	if (size < sizeof(*hdr) || hdr->size != size)
		return false;
	for (unsigned int i = 0; i < KMA_NR_PARTS; i++) {
		uint64_t at = hdr->parts[i].at;

		nr = hdr->parts[i].nr;
		if (at % 8 || at > size || nr > UINT32_MAX ||
		    nr > (size - at) / kma_inlines_width[i])
			return false;
	}
	nr = hdr->parts[KMA_PART_TEXT].nr;
	text = (const char *)hdr + hdr->parts[KMA_PART_TEXT].at;
	return nr && !*text && !text[nr - 1] &&
	       hdr->parts[KMA_PART_SPAN_START].nr == hdr->parts[KMA_PART_SPAN_FRAME].nr &&
	       hdr->parts[KMA_PART_LINE_START].nr == hdr->parts[KMA_PART_LINE_FILE].nr &&
	       hdr->parts[KMA_PART_LINE_START].nr == hdr->parts[KMA_PART_LINE].nr;
}

/*
 * Build the table of inlines of a file from its debugging information.
 *
 * Build the table of inlines of a file.
 *
 * First, up to 8 threads walk the compilation units (unit-walk.h). Each one lists the
 * ranges of frames and the sequences of lines that it finds, and sorts its ranges. Then one thread
 * merges the lists and writes the table.
 *
 * Ranges: they are taken in the order of address and then depth, and pushed on a stack, which has
 * the ranges that cover the current address. The table gets an element wherever the top of the
 * stack, the innermost frame, changes. A range that extends beyond its parent ends the parent, too.
 *
 * Lines: sequences are taken in the order of their start. They do not overlap in a valid file;
 * otherwise the later one loses its beginning.
 *
 * The block is allocated for the largest possible number of elements, and its parts are moved
 * together at the end.
 *
 * Locking: each walker writes only its own data, except for the texts, which have a lock (lib/texts.h).
 * Results are read after the threads have been joined.
 */

/*
 * Walk the entries of a compilation unit: its functions, what is inlined into them,
 * and its table of lines.
 *
 * libdw is only used to read entries one after the other. It is never asked which scopes contain an
 * address, because that costs a millisecond each time. A unit, a function and an inlined function
 * each become a frame, which points to its parent; all of their ranges become spans.
 *
 * Recursion is at most KMA_WALK_DEPTH deep; deeper entries are counted as lost.
 */

/* A range of addresses that a frame covers; nested ranges may cover parts of it again. */
struct kma_span {
	uint32_t start;
	uint32_t end;	/* address after the last byte */
	uint32_t frame; /* number of the frame in this walker */
	uint32_t order; /* nesting depth in the upper 8 bits, number of the unit in the lower 24 */
};

/* A row of a table of lines. */
struct kma_line {
	uint32_t start; /* address of the row */
	uint32_t file;	/* number of the file in kma_walk.files */
	uint32_t line;	/* 0: unknown */
};

/* Rows without a gap between them. */
struct kma_sequence {
	uint32_t start;
	uint32_t end;		      /* address after the last byte */
	size_t first;		      /* index of the first row in the walker's lines */
	size_t nr;		      /* number of rows */
	const struct kma_line *lines; /* the first row, set when all walkers have ended */
};

/* A section of code: maps its addresses in the debugging information to those of the table. */
struct kma_walk_place {
	uint64_t from; /* address of its first byte in the debugging information */
	uint64_t size; /* bytes */
	uint64_t to;   /* address of its first byte, from the base of the table */
};

/* Arrays that grow. */
struct kma_spans {
	struct kma_span *list;
	size_t nr, alloc;
};

struct kma_frames {
	struct kma_inlines_frame *list;
	size_t nr, alloc;
};

struct kma_lines {
	struct kma_line *list;
	size_t nr, alloc;
};

struct kma_sequences {
	struct kma_sequence *list;
	size_t nr, alloc;
};

/* Data that all walkers share. The texts have a lock; the rest does not change. */
struct kma_walk {
	const struct kma_walk_place *places;
	size_t nr_places;
	struct kma_texts names; /* of functions */
	struct kma_texts files; /* of files, as in DWARF, but without the build directory */
};

/* Entries of the two caches below; powers of 2. */
#define KMA_WALK_NAMES	 4096
#define KMA_WALK_ENTRIES 65536

/* One thread's work. */
struct kma_walker {
	struct kma_walk *walk;
	struct kma_spans spans;
	struct kma_frames frames;
	struct kma_lines lines;
	struct kma_sequences sequences;
	const struct kma_walk_place *hint; /* section of the last address */
	uint64_t lost;	/* ranges outside all sections of code, and entries nested too deep */
	uint64_t units; /* units that were walked */
	/* state of the current unit */
	uint32_t unit;	 /* its number */
	const char *dir; /* its build directory, or NULL */
	Dwarf_Files *dwarf_files;
	size_t nr_files;
	/*
	 * Two direct-mapped caches: libdw returns the same pointer to a name, and the same entry,
	 * many times. They are valid only for one handle of libdw.
	 */
	struct {
		const char *name;
		uint32_t file;
	} by_name[KMA_WALK_NAMES];
	struct {
		const void *entry; /* first byte of the entry; offsets are not unique with .dwo */
		uint32_t name;
	} by_entry[KMA_WALK_ENTRIES];
};

/* No kernel nests blocks and inlined functions this deep, but a corrupt file may. */
#define KMA_WALK_DEPTH 200

/* Make space for one more element of a list. */
#define kma_walk_room(a) kma_array_room((a)->list, (a)->nr, (a)->alloc)

static bool walk_place(struct kma_walker *walker, uint64_t addr, uint32_t *ret)
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

	if (start >= end || !walk_place(walker, start, &ret->start) ||
	    !walk_place(walker, end - 1, &last) || last < ret->start)
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
		next = walk_place(walker, addr, &start) ?
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

/* Prepare for another handle of libdw. */
static void walk_begin(struct kma_walker *walker)
{
	memset(walker->by_name, 0, sizeof(walker->by_name));
	memset(walker->by_entry, 0, sizeof(walker->by_entry));
}

static void walk_unit(struct kma_walker *walker, uint32_t unit, Dwarf_Die *die, Dwarf_Die *split)
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

/*
 * Sort the ranges by address. The sort keeps the order of ranges with equal starts. A nested
 * range comes later in a unit, and so after its enclosing range.
 */
static void walker_sort(struct kma_walker *walker)
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

static void walker_deinit(struct kma_walker *walker)
{
	free(walker->spans.list);
	free(walker->frames.list);
	free(walker->lines.list);
	free(walker->sequences.list);
}

/* State while one table is built. */
struct kma_build {
	const struct kma_image *image;
	struct kma_walk walk;
	struct kma_walk_place *places; /* of the sections of code */
	uint64_t base;		       /* address that the table's addresses count from */
	uint64_t missing;	       /* units that are corrupt, or without their .dwo */
	struct kma_walker walkers[KMA_UNIT_THREADS];
	unsigned int nr_walkers;
	struct kma_sequence *sequences;
	size_t nr_sequences;
	char **paths; /* by number of the file: its name, relative to the top of the source */
};

static int cmp_span(const void *a, const void *b)
{
	const struct kma_span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* One thread of the walk. */
struct kma_build_thread {
	struct kma_build *build;
	struct kma_walker *walker;
};

static void build_begin(void *thread)
{
	walk_begin(((struct kma_build_thread *)thread)->walker);
}

static struct kma_err *build_unit(void *thread, uint32_t number, Dwarf_Die *die, Dwarf_Die *split)
{
	walk_unit(((struct kma_build_thread *)thread)->walker, number, die, split);
	return NULL;
}

static struct kma_err *build_end(void *thread)
{
	walker_sort(((struct kma_build_thread *)thread)->walker);
	return NULL;
}

/* Notes where libdwfl has put the sections of a module; its debugging information uses this. */
static struct kma_err *build_place(void *thread, struct Elf *elf, uint64_t bias)
{
	struct kma_build *build = ((struct kma_build_thread *)thread)->build;
	const struct kma_image_text *texts;
	size_t nr;

	texts = kma_image_texts(build->image, &nr);
	for (size_t i = 0; i < nr; i++) {
		Elf_Scn *scn = elf_getscn(elf, texts[i].index);
		GElf_Shdr hdr;

		if (scn && gelf_getshdr(scn, &hdr))
			build->places[build->walk.nr_places++] =
				(struct kma_walk_place){ hdr.sh_addr + bias, texts[i].size,
							 texts[i].addr - build->base };
	}
	return NULL;
}

/* A linked file has its addresses. */
static void build_linked_places(struct kma_build *build)
{
	const struct kma_image_text *texts;
	size_t nr;

	texts = kma_image_texts(build->image, &nr);
	for (size_t i = 0; i < nr; i++)
		build->places[i] = (struct kma_walk_place){ texts[i].addr, texts[i].size,
							    texts[i].addr - build->base };
	build->walk.nr_places = nr;
}

/* Walks all units. A module without debugging information, also elsewhere, has none. */
static struct kma_err *build_units(struct kma_build *build)
{
	struct kma_build_thread threads[KMA_UNIT_THREADS];
	struct kma_unit_walk walk = {
		.image = build->image,
		.nr_threads = kma_unit_threads(build->image),
		.place = build_place,
		.begin = build_begin,
		.unit = build_unit,
		.end = build_end,
	};
	struct kma_err *err;

	build->nr_walkers = walk.nr_threads;
	for (unsigned int i = 0; i < walk.nr_threads; i++) {
		threads[i] = (struct kma_build_thread){ build, &build->walkers[i] };
		walk.threads[i] = &threads[i];
	}
	if (!kma_image_relocatable(build->image))
		build_linked_places(build);
	err = kma_unit_walk(&walk);
	build->missing = walk.missing;
	if (!kma_err_is(err, KMA_ERR_NOT_FOUND))
		return err;
	kma_err_destroy(err);
	return NULL;
}

static struct kma_err *build_walk(struct kma_build *build)
{
	const struct kma_image_text *texts;
	size_t nr;

	texts = kma_image_texts(build->image, &nr);
	if (nr && texts[nr - 1].addr + texts[nr - 1].size - texts[0].addr >= UINT32_MAX)
		return kma_err_create_kind(KMA_ERR_DAMAGED, kma_image_name(build->image), 0,
					   "its code spans more than 4 GiB");
	build->base = nr ? texts[0].addr : 0;
	build->places = kma_xcalloc(nr + 1, sizeof(*build->places));
	build->walk.places = build->places;
	/* number 0: no name */
	kma_texts_add(&build->walk.names, "");
	kma_texts_add(&build->walk.files, "");
	return build_units(build);
}

/* Make the names of files relative to the top of the source, all at once (srcpath.h). */
static void build_paths(struct kma_build *build)
{
	const struct kma_texts *files = &build->walk.files;

	build->paths = kma_xcalloc(files->map.nr, sizeof(*build->paths));
	for (uint32_t i = 0; i < files->map.nr; i++)
		build->paths[i] = kma_xstrdup(kma_texts_get(files, i));
	kma_srcpath_relative(build->paths, files->map.nr);
}

static int cmp_sequence(const void *a, const void *b)
{
	const struct kma_sequence *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

static void build_sequences(struct kma_build *build)
{
	size_t nr = 0;

	for (unsigned int i = 0; i < build->nr_walkers; i++)
		nr += build->walkers[i].sequences.nr;
	build->sequences = kma_xmalloc((nr + 1) * sizeof(*build->sequences));
	for (unsigned int i = 0; i < build->nr_walkers; i++) {
		const struct kma_walker *walker = &build->walkers[i];

		for (size_t k = 0; k < walker->sequences.nr; k++) {
			struct kma_sequence seq = walker->sequences.list[k];

			seq.lines = &walker->lines.list[seq.first];
			build->sequences[build->nr_sequences++] = seq;
		}
	}
	qsort(build->sequences, nr, sizeof(*build->sequences), cmp_sequence);
}

/* Allocate the table for the largest number of elements that it can get. */
static struct kma_inlines_header *build_alloc(const struct kma_build *build)
{
	uint64_t spans = 0, frames = 0, lines = 2 * build->nr_sequences, texts, at;
	struct kma_inlines_header *hdr;

	texts = build->walk.names.pool.len;
	for (uint32_t i = 0; i < build->walk.files.map.nr; i++)
		texts += strlen(build->paths[i]) + 1;
	for (unsigned int i = 0; i < build->nr_walkers; i++) {
		spans += 2 * build->walkers[i].spans.nr;
		frames += build->walkers[i].frames.nr;
		lines += build->walkers[i].lines.nr;
	}
	const uint64_t nr[KMA_NR_PARTS] = {
		spans, spans, frames, lines, lines, lines, build->walk.files.map.nr, texts,
	};

	at = sizeof(*hdr);
	for (unsigned int i = 0; i < KMA_NR_PARTS; i++)
		at += (nr[i] * kma_inlines_width[i] + 7) & ~7ULL;
	hdr = kma_xcalloc(1, at);
	hdr->size = at;
	at = sizeof(*hdr);
	for (unsigned int i = 0; i < KMA_NR_PARTS; i++) {
		hdr->parts[i].at = at;
		at += (nr[i] * kma_inlines_width[i] + 7) & ~7ULL;
	}
	return hdr;
}

static void *build_part(struct kma_inlines_header *hdr, enum kma_inlines_part part)
{
	return (char *)hdr + hdr->parts[part].at;
}

/* From @addr on, @frame is the innermost one. A second call for an address replaces the first. */
static void build_emit(struct kma_inlines_header *hdr, uint32_t addr, uint32_t frame)
{
	uint32_t *starts = build_part(hdr, KMA_PART_SPAN_START);
	uint32_t *frames = build_part(hdr, KMA_PART_SPAN_FRAME);
	uint64_t nr = hdr->parts[KMA_PART_SPAN_START].nr;

	if (nr && starts[nr - 1] == addr)
		nr--;
	if (nr && frames[nr - 1] == frame) {
		hdr->parts[KMA_PART_SPAN_START].nr = nr;
		return;
	}
	starts[nr] = addr;
	frames[nr] = frame;
	hdr->parts[KMA_PART_SPAN_START].nr = nr + 1;
}

/* The ranges that cover the current address, the innermost one last. */
struct kma_stack {
	struct kma_span spans[KMA_FRAMES_MAX * 4];
	unsigned int nr;
};

/* Remove all ranges that end at @addr or before. */
static void build_pop(struct kma_inlines_header *hdr, struct kma_stack *stack, uint64_t addr)
{
	while (stack->nr && stack->spans[stack->nr - 1].end <= addr) {
		uint32_t end = stack->spans[--stack->nr].end;

		/* A range that extends beyond its parent ends the parent, too. */
		while (stack->nr && stack->spans[stack->nr - 1].end <= end)
			stack->nr--;
		build_emit(hdr, end,
			   stack->nr ? stack->spans[stack->nr - 1].frame : KMA_INLINES_NONE);
	}
}

static void build_spans(struct kma_build *build, struct kma_inlines_header *hdr,
			const uint32_t *first_frame)
{
	size_t at[KMA_UNIT_THREADS] = { 0 };
	struct kma_stack stack = { .nr = 0 };

	for (;;) {
		const struct kma_span *next = NULL;
		unsigned int from = 0;

		for (unsigned int i = 0; i < build->nr_walkers; i++) {
			const struct kma_walker *walker = &build->walkers[i];
			const struct kma_span *span;

			if (at[i] == walker->spans.nr)
				continue;
			span = &walker->spans.list[at[i]];
			if (!next || cmp_span(span, next) < 0) {
				next = span;
				from = i;
			}
		}
		build_pop(hdr, &stack, next ? next->start : UINT64_MAX);
		if (!next)
			break;
		at[from]++;
		if (stack.nr == ARRAY_SIZE(stack.spans)) {
			hdr->lost++;
			continue;
		}
		stack.spans[stack.nr] = *next;
		stack.spans[stack.nr].frame += first_frame[from];
		build_emit(hdr, next->start, stack.spans[stack.nr++].frame);
	}
	hdr->parts[KMA_PART_SPAN_FRAME].nr = hdr->parts[KMA_PART_SPAN_START].nr;
}

static void build_frames(struct kma_build *build, struct kma_inlines_header *hdr,
			 uint32_t *first_frame)
{
	struct kma_inlines_frame *to = build_part(hdr, KMA_PART_FRAMES);
	const struct kma_texts *names = &build->walk.names;
	uint32_t nr = 0;

	for (unsigned int i = 0; i < build->nr_walkers; i++) {
		const struct kma_walker *walker = &build->walkers[i];

		first_frame[i] = nr;
		for (size_t k = 0; k < walker->frames.nr; k++) {
			struct kma_inlines_frame frame = walker->frames.list[k];

			frame.name = names->at[frame.name];
			if (frame.parent != KMA_INLINES_NONE)
				frame.parent += first_frame[i];
			to[nr++] = frame;
		}
		hdr->lost += walker->lost;
		hdr->units += walker->units;
	}
	hdr->lost += build->missing;
	hdr->parts[KMA_PART_FRAMES].nr = nr;
}

static void build_lines(struct kma_build *build, struct kma_inlines_header *hdr)
{
	uint32_t *starts = build_part(hdr, KMA_PART_LINE_START);
	uint32_t *files = build_part(hdr, KMA_PART_LINE_FILE);
	uint32_t *lines = build_part(hdr, KMA_PART_LINE);
	uint64_t nr = 0, end = 0;

	for (size_t i = 0; i < build->nr_sequences; i++) {
		const struct kma_sequence *seq = &build->sequences[i];

		if (seq->end <= end)
			continue;
		if (nr && seq->start == end)
			nr--; /* no gap: remove the end of the previous element */
		for (size_t k = 0; k < seq->nr; k++) {
			if (k + 1 < seq->nr && seq->lines[k + 1].start <= end)
				continue;
			starts[nr] = seq->lines[k].start < end ? end : seq->lines[k].start;
			files[nr] = seq->lines[k].file;
			lines[nr++] = seq->lines[k].line;
		}
		end = seq->end;
		starts[nr] = end;
		files[nr] = KMA_INLINES_NONE;
		lines[nr++] = 0;
	}
	for (unsigned int part = KMA_PART_LINE_START; part <= KMA_PART_LINE; part++)
		hdr->parts[part].nr = nr;
}

static void build_texts(struct kma_build *build, struct kma_inlines_header *hdr)
{
	uint32_t *files = build_part(hdr, KMA_PART_FILES);
	char *text = build_part(hdr, KMA_PART_TEXT), *p;

	memcpy(text, build->walk.names.pool.str, build->walk.names.pool.len);
	p = text + build->walk.names.pool.len;
	for (uint32_t i = 0; i < build->walk.files.map.nr; i++) {
		files[i] = p - text;
		p = stpcpy(p, build->paths[i]) + 1;
	}
	hdr->parts[KMA_PART_FILES].nr = build->walk.files.map.nr;
	hdr->parts[KMA_PART_TEXT].nr = p - text;
}

/* Move the parts together: they have fewer elements than space was allocated for. */
static void build_pack(struct kma_inlines_header *hdr)
{
	uint64_t at = sizeof(*hdr);

	for (unsigned int i = 0; i < KMA_NR_PARTS; i++) {
		uint64_t len = hdr->parts[i].nr * kma_inlines_width[i];
		uint64_t padded = (len + 7) & ~7ULL;

		memmove((char *)hdr + at, build_part(hdr, i), len);
		memset((char *)hdr + at + len, 0, padded - len);
		hdr->parts[i].at = at;
		at += padded;
	}
	hdr->size = at;
}

static struct kma_inlines_header *build_table(struct kma_build *build)
{
	uint32_t first_frame[KMA_UNIT_THREADS] = { 0 };
	struct kma_inlines_header *hdr;

	build_paths(build);
	build_sequences(build);
	hdr = build_alloc(build);
	memcpy(hdr->magic, KMA_INLINES_MAGIC, sizeof(hdr->magic));
	hdr->version = KMA_INLINES_VERSION;
	hdr->order = KMA_INLINES_ORDER;
	hdr->base = build->base;
	hdr->source = kma_image_size(build->image);
	strcpy(hdr->build_id, kma_image_build_id(build->image));
	build_frames(build, hdr, first_frame);
	build_spans(build, hdr, first_frame);
	build_lines(build, hdr);
	build_texts(build, hdr);
	build_pack(hdr);
	return hdr;
}

/*
 * Builds the table: header and parts in one block, for the caller to free; the hash is not set.
 * @missing: see kma_inlines_missing().
 */
static struct kma_err *inlines_walk(const struct kma_image *image, struct kma_inlines_header **ret,
				    uint64_t *missing)
{
	struct kma_build *build = kma_xcalloc(1, sizeof(*build));
	struct kma_err *err;

	build->image = image;
	for (unsigned int i = 0; i < KMA_UNIT_THREADS; i++)
		build->walkers[i].walk = &build->walk;
	err = build_walk(build);
	*ret = err ? NULL : build_table(build);
	*missing = build->missing;
	for (unsigned int i = 0; i < KMA_UNIT_THREADS; i++)
		walker_deinit(&build->walkers[i]);
	for (uint32_t i = 0; build->paths && i < build->walk.files.map.nr; i++)
		free(build->paths[i]);
	free(build->paths);
	free(build->sequences);
	free(build->places);
	kma_texts_deinit(&build->walk.names);
	kma_texts_deinit(&build->walk.files);
	free(build);
	return err;
}

/*
 * Tables of inlines in the cache directory, by the build ID of their file
 * (lib/cachefile.h). An invalid table is built again.
 */

#define KMA_CACHE_FOLDER "inlines"

static uint64_t cache_hash(const struct kma_inlines_header *hdr)
{
	size_t from = offsetof(struct kma_inlines_header, hash) + sizeof(hdr->hash);

	return XXH3_64bits((const char *)hdr + from, hdr->size - from);
}

static bool cache_right(const struct kma_image *image, const struct kma_inlines_header *hdr,
			size_t size)
{
	return size >= sizeof(*hdr) && !memcmp(hdr->magic, KMA_INLINES_MAGIC, sizeof(hdr->magic)) &&
	       hdr->version == KMA_INLINES_VERSION && hdr->order == KMA_INLINES_ORDER &&
	       hdr->source == kma_image_size(image) &&
	       !strncmp(hdr->build_id, kma_image_build_id(image), sizeof(hdr->build_id)) &&
	       kma_inlines_sound(hdr, size) && hdr->hash == cache_hash(hdr);
}

/* Read a stored table. */
static void inlines_load(const struct kma_image *image, struct kma_inlines **ret)
{
	struct kma_inlines_header *hdr;
	size_t size;

	*ret = NULL;
	hdr = kma_cachefile_map(KMA_CACHE_FOLDER, kma_image_build_id(image), &size);
	if (!hdr)
		return;
	if (!cache_right(image, hdr, size)) {
		munmap(hdr, size);
		return;
	}
	*ret = kma_xcalloc(1, sizeof(**ret));
	(*ret)->hdr = hdr;
	(*ret)->mapped = size;
}

/*
 * Store a table. Failure to store it (no cache directory, disk full, no build ID) is not an
 * error.
 */
static void inlines_keep(struct kma_inlines_header *hdr)
{
	hdr->hash = cache_hash(hdr);
	if (hdr->units)
		kma_cachefile_keep(KMA_CACHE_FOLDER, hdr->build_id, hdr, hdr->size);
}

static const void *inlines_part(const struct kma_inlines *tab, enum kma_inlines_part part)
{
	return (const char *)tab->hdr + tab->hdr->parts[part].at;
}

struct kma_err *kma_inlines_create(const struct kma_image *image, struct kma_inlines **ret)
{
	struct kma_inlines_header *hdr;
	struct kma_inlines *tab;
	struct kma_err *err = NULL;
	uint64_t missing;

	inlines_load(image, ret);
	if (err || *ret)
		return err;
	err = inlines_walk(image, &hdr, &missing);
	if (err)
		return err;
	/* Missing files may be present next time, but build ID and size would be the same. */
	if (!missing)
		inlines_keep(hdr);
	tab = kma_xcalloc(1, sizeof(*tab));
	tab->hdr = hdr;
	tab->missing = missing;
	*ret = tab;
	return NULL;
}

void kma_inlines_destroy(struct kma_inlines *tab)
{
	if (!tab)
		return;
	if (tab->mapped)
		munmap((void *)tab->hdr, tab->mapped);
	else
		free((void *)tab->hdr);
	free(tab);
}

static const char *inlines_text(const struct kma_inlines *tab, uint32_t at)
{
	const char *text = inlines_part(tab, KMA_PART_TEXT);

	return at < tab->hdr->parts[KMA_PART_TEXT].nr ? text + at : "";
}

static const char *inlines_file(const struct kma_inlines *tab, uint32_t file)
{
	const uint32_t *files = inlines_part(tab, KMA_PART_FILES);

	return file < tab->hdr->parts[KMA_PART_FILES].nr ? inlines_text(tab, files[file]) : "";
}

/* Index of the last element that is not above @addr; NONE if all are. */
static uint32_t inlines_search(const struct kma_inlines *tab, enum kma_inlines_part part,
			       uint32_t addr)
{
	const uint32_t *starts = inlines_part(tab, part);
	uint32_t low = kma_array_search(tab->hdr->parts[part].nr, i, starts[i] <= addr);

	return low - 1;
}

static void inlines_line(const struct kma_inlines *tab, uint32_t addr, struct kma_frame *frame)
{
	const uint32_t *files = inlines_part(tab, KMA_PART_LINE_FILE);
	const uint32_t *lines = inlines_part(tab, KMA_PART_LINE);
	uint32_t i = inlines_search(tab, KMA_PART_LINE_START, addr);

	frame->file = i == KMA_INLINES_NONE ? "" : inlines_file(tab, files[i]);
	frame->line = *frame->file ? lines[i] : 0;
}

unsigned int kma_inlines_at(const struct kma_inlines *tab, uint64_t addr,
			    struct kma_frame frames[KMA_FRAMES_MAX], const char **unit)
{
	const struct kma_inlines_frame *all = inlines_part(tab, KMA_PART_FRAMES);
	const uint32_t *span_frames = inlines_part(tab, KMA_PART_SPAN_FRAME);
	uint64_t nr_frames = tab->hdr->parts[KMA_PART_FRAMES].nr;
	uint32_t span, at;
	unsigned int nr;

	*unit = NULL;
	addr -= tab->hdr->base;
	if (addr > UINT32_MAX)
		return 0;
	span = inlines_search(tab, KMA_PART_SPAN_START, addr);
	at = span == KMA_INLINES_NONE ? KMA_INLINES_NONE : span_frames[span];
	for (nr = 0; at < nr_frames && nr < KMA_FRAMES_MAX; at = all[at].parent) {
		const struct kma_inlines_frame *frame = &all[at];

		if (!nr)
			inlines_line(tab, addr, &frames[0]);
		frames[nr++].function = inlines_text(tab, frame->name);
		*unit = inlines_file(tab, frame->file);
		if (frame->parent == KMA_INLINES_NONE)
			break;
		if (nr < KMA_FRAMES_MAX) {
			frames[nr].file = *unit;
			frames[nr].line = frame->line;
		}
	}
	return nr;
}

size_t kma_inlines_units(const struct kma_inlines *tab)
{
	return tab->hdr->units;
}

uint64_t kma_inlines_missing(const struct kma_inlines *tab)
{
	return tab->missing;
}
