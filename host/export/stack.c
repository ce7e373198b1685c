// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack.c - make the stack of a call site for a flame graph.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "stack.h"

void kma_graph_stack_deinit(struct kma_graph_stack *stack)
{
	free(stack->frames);
	*stack = (struct kma_graph_stack){ 0 };
}

static void push(struct kma_graph_stack *stack, const struct kma_frame *frame)
{
	kma_array_room(stack->frames, stack->nr, stack->alloc);
	stack->frames[stack->nr++] = *frame;
}

static void push_name(struct kma_graph_stack *stack, const char *name)
{
	push(stack, &(struct kma_frame){ .function = name, .file = "" });
}

static void push_path(struct kma_graph_stack *stack, const char *path, struct kma_arena *arena)
{
	while (path && *path) {
		size_t len = stack->nr + 1 < KMA_STACK_ROOTS ? strcspn(path, "/") : strlen(path);

		/* A name in brackets may contain slashes: "[module a/b]" is one node. */
		if (*path == '[')
			len = strcspn(path, "]") + !!strchr(path, ']');
		push_name(stack, kma_arena_text(arena, path, len));
		path += len + (path[len] == '/');
	}
}

/* Adds the functions of a site or a caller, without the @skip innermost ones. */
static void push_functions(struct kma_graph_stack *stack, const struct kma_export_site *site,
			   unsigned int skip)
{
	for (unsigned int i = site->nr_frames; i-- > skip;)
		push(stack, &site->frames[i]);
}

/*
 * Adds the frames of one key. A row in brackets is a leaf, which is not repeated. The file is below its
 * directories if these are the last key.
 */
static void push_key(struct kma_graph_stack *stack, const struct kma_export *export,
		     const struct kma_export_sample *sample, unsigned int i,
		     struct kma_arena *arena)
{
	const struct kma_export_site *site = sample->site;
	bool row = site->site->named && !site->site->path;
	const char *path = site->path, *text;

	switch (export->keys.list[i]) {
	case KMA_KEY_CALLER:
		break;
	case KMA_KEY_STACK:
		for (unsigned int k = sample->nr_callers; k-- > 0;)
			push_functions(stack, sample->callers[k], 0);
		break;
	case KMA_KEY_DIR:
		if (path && i + 1 < export->keys.nr && strchr(path, '/'))
			path = kma_arena_text(arena, path, kma_place_dir(path));
		if (!row)
			push_path(stack, path, arena);
		break;
	default:
		text = kma_export_text(export, site, export->keys.list[i], arena);
		if (!row || strcmp(text, site->site->caller) != 0)
			push_name(stack, text);
	}
}

void kma_graph_stack_make(const struct kma_export *export, const struct kma_export_sample *sample,
			  const regex_t *wrappers, struct kma_arena *arena,
			  struct kma_graph_stack *ret)
{
	const struct kma_export_site *site = sample->site;
	unsigned int skip = 0;

	/* As in pprof: a wrapper is left out with all functions that it calls. */
	for (unsigned int i = 0; i + 1 < site->nr_frames && !export->keep_wrappers; i++)
		if (!regexec(wrappers, site->frames[i].function, 0, NULL, 0))
			skip = i + 1;
	ret->nr = 0;
	for (unsigned int i = 0; i < export->keys.nr; i++)
		push_key(ret, export, sample, i, arena);
	push_functions(ret, site, skip);
}

const char *kma_export_text(const struct kma_export *export, const struct kma_export_site *site,
			    enum kma_key_id id, struct kma_arena *arena)
{
	const struct kma_key_ask ask = { .keys = &export->keys, .arena = arena };
	struct kma_item item;

	kma_item_of_site(site->site, export->maintainers, arena, &item);
	return kma_keys[id].text(&item, &ask);
}

void kma_wrappers_compile(regex_t *ret)
{
	/* a fixed expression: only memory can be missing */
	if (regcomp(ret, "^(" KMA_WRAPPERS ")$", REG_EXTENDED | REG_NOSUB))
		kma_atend_no_memory();
}
