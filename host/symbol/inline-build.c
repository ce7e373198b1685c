// SPDX-License-Identifier: GPL-2.0-only
/*
 * inline-build.c - build the table of inlines of a file (inline-table.h).
 *
 * First, up to 8 threads walk the compilation units (unit-walk.h, inline-walk.c). Each one lists the
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
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "inline-build.h"
#include "inline-frame.h"
#include "inline-walk.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "srcpath.h"
#include "unit-walk.h"

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
	kma_walk_begin(((struct kma_build_thread *)thread)->walker);
}

static struct kma_err *build_unit(void *thread, uint32_t number, Dwarf_Die *die, Dwarf_Die *split)
{
	kma_walk_unit(((struct kma_build_thread *)thread)->walker, number, die, split);
	return NULL;
}

static struct kma_err *build_end(void *thread)
{
	kma_walker_sort(((struct kma_build_thread *)thread)->walker);
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

struct kma_err *kma_inlines_walk(const struct kma_image *image, struct kma_inlines_header **ret,
				 uint64_t *missing)
{
	struct kma_build *build = kma_xcalloc(1, sizeof(*build));
	struct kma_err *err;

	build->image = image;
	for (unsigned int i = 0; i < KMA_UNIT_THREADS; i++)
		build->walkers[i].walk = &build->walk;
	err = build_walk(build);
	if (!err)
		*ret = build_table(build);
	*missing = build->missing;
	for (unsigned int i = 0; i < KMA_UNIT_THREADS; i++)
		kma_walker_deinit(&build->walkers[i]);
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
