// SPDX-License-Identifier: GPL-2.0-only
/*
 * stacks.c - the call stacks of an account.
 */
#include <stdlib.h>
#include <string.h>

#include "intern.h"
#include "lib/alloc.h"
#include "lib/arena.h"
#include "lib/array.h"
#include "stacks.h"

struct kma_stacks {
	struct kma_arena arena;		  /* texts, and the arrays of frame numbers */
	struct kma_intern *intern;	  /* numbers of frames, by text */
	struct kma_site *frames;	  /* by number */
	uint32_t nr_parsed, alloc_frames; /* elements of @frames: filled in, and allocated */
	struct kma_callstack *stacks;
	size_t nr, alloc;
	bool have_frames; /* a stack with frames was added */
};

struct kma_stacks *kma_stacks_create(void)
{
	struct kma_stacks *stacks = kma_xcalloc(1, sizeof(*stacks));

	kma_arena_init(&stacks->arena);
	stacks->intern = kma_intern_new();
	return stacks;
}

void kma_stacks_destroy(struct kma_stacks *stacks)
{
	if (!stacks)
		return;
	kma_intern_destroy(stacks->intern);
	kma_arena_deinit(&stacks->arena);
	free(stacks->frames);
	free(stacks->stacks);
	free(stacks);
}

/* Parse the texts of frames that were added since the last call. */
static void stacks_parse(struct kma_stacks *stacks)
{
	uint32_t nr = kma_intern_count(stacks->intern);

	if (nr > stacks->alloc_frames) {
		uint32_t alloc = nr + nr / 2 + 64;
		struct kma_site *frames = kma_xrealloc(stacks->frames, alloc, sizeof(*frames));

		stacks->frames = frames;
		stacks->alloc_frames = alloc;
	}
	for (; stacks->nr_parsed < nr; stacks->nr_parsed++) {
		struct kma_site *frame = &stacks->frames[stacks->nr_parsed];
		enum kma_kind unused;
		char *pieces;
		size_t len;

		memset(frame, 0, sizeof(*frame));
		frame->caller = kma_intern_site(stacks->intern, stacks->nr_parsed, &unused, &len);
		pieces = kma_arena_text(&stacks->arena, frame->caller, len);
		kma_site_parse(pieces, frame);
	}
}

static void stacks_grow(struct kma_stacks *stacks)
{
	kma_array_room(stacks->stacks, stacks->nr, stacks->alloc);
}

/* Set the frames of a stack from its text. */
static void stacks_frames(struct kma_stacks *stacks, const char *text, struct kma_callstack *ret)
{
	unsigned int nr = 1;
	uint32_t *frames;

	for (const char *p = text; *p; p++)
		nr += *p == ';';
	frames = kma_arena_zalloc(&stacks->arena, nr * sizeof(*frames));
	for (unsigned int i = 0; i < nr; i++) {
		size_t len = strcspn(text, ";");

		frames[i] = kma_intern(stacks->intern, KMA_KIND_UNKNOWN, text, len);
		text += len + 1;
	}
	ret->frames = frames;
	ret->nr_frames = nr;
	stacks->have_frames = true;
	stacks_parse(stacks);
}

/*
 * Does the text name a row without frames? A stack may also begin with a name in brackets: "[no
 * symbol]", or "[nosymbol]" on a 32-bit kernel.
 */
static bool stacks_is_rest(const char *text)
{
	return !strcmp(text, "-") || (*text == '[' && !strchr(text, ';') &&
				      strcmp(text, "[no symbol]") && strcmp(text, "[nosymbol]"));
}

void kma_stacks_add(struct kma_stacks *stacks, size_t site, const char *text,
		    const struct kma_values *values)
{
	struct kma_callstack stack = { .site = site, .values = *values };

	stacks_grow(stacks);
	if (stacks_is_rest(text)) {
		text = strcmp(text, "-") ? text : KMA_STACK_NONE;
		stack.rest = kma_arena_text(&stacks->arena, text, strlen(text));
	} else {
		stacks_frames(stacks, text, &stack);
	}
	stacks->stacks[stacks->nr++] = stack;
}

void kma_stacks_copy(struct kma_stacks *stacks, size_t site, const struct kma_stacks *from,
		     const struct kma_callstack *stack)
{
	struct kma_callstack copy = *stack;
	uint32_t *frames;

	if (stack->rest) {
		kma_stacks_add(stacks, site, stack->rest, &stack->values);
		return;
	}
	stacks_grow(stacks);
	frames = kma_arena_zalloc(&stacks->arena, stack->nr_frames * sizeof(*frames));
	for (unsigned int i = 0; i < stack->nr_frames; i++) {
		const char *text = kma_stacks_frame(from, stack->frames[i])->caller;

		frames[i] = kma_intern(stacks->intern, KMA_KIND_UNKNOWN, text, strlen(text));
	}
	copy.site = site;
	copy.frames = frames;
	stacks->stacks[stacks->nr++] = copy;
	stacks->have_frames = true;
	stacks_parse(stacks);
}

void kma_stacks_renumber(struct kma_stacks *stacks, const size_t *numbers)
{
	for (size_t i = 0; i < stacks->nr; i++)
		stacks->stacks[i].site = numbers[stacks->stacks[i].site];
}

const struct kma_callstack *kma_stacks_all(const struct kma_stacks *stacks, size_t *nr)
{
	*nr = stacks->nr;
	return stacks->stacks;
}

struct kma_callstack *kma_stacks_change(struct kma_stacks *stacks, size_t *nr)
{
	*nr = stacks->nr;
	return stacks->stacks;
}

bool kma_stacks_have_frames(const struct kma_stacks *stacks)
{
	return stacks->have_frames;
}

uint32_t kma_stacks_nr_frames(const struct kma_stacks *stacks)
{
	return stacks->nr_parsed;
}

const struct kma_site *kma_stacks_frame(const struct kma_stacks *stacks, uint32_t frame)
{
	return &stacks->frames[frame];
}
