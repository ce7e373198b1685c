// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack.c - make the stack of a call site for a flame graph.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "stack.h"

const char *const kma_roots_names[KMA_NR_ROOTS] = {
	[KMA_ROOTS_DIR] = "dir",
	[KMA_ROOTS_MODULE] = "module",
	[KMA_ROOTS_NONE] = "none",
};

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

/* Adds the nodes above the functions. A row in brackets has no directory and no module. */
static void push_roots(struct kma_graph_stack *stack, const struct kma_export *export,
		       const struct kma_export_site *site, struct kma_arena *arena)
{
	if (site->site->named && !site->site->path)
		return;
	if (export->roots == KMA_ROOTS_DIR)
		push_path(stack, site->path, arena);
	else if (export->roots == KMA_ROOTS_MODULE)
		push_name(stack, site->module ?: "vmlinux");
}

/* Adds the functions of a site or a caller, without the @skip innermost ones. */
static void push_functions(struct kma_graph_stack *stack, const struct kma_export_site *site,
			   unsigned int skip)
{
	for (unsigned int i = site->nr_frames; i-- > skip;)
		push(stack, &site->frames[i]);
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
	if (site->site->group)
		push_name(ret, site->site->group);
	push_roots(ret, export, site, arena);
	for (unsigned int i = sample->nr_callers; i-- > 0 && export->roots == KMA_ROOTS_NONE;)
		push_functions(ret, sample->callers[i], 0);
	push_functions(ret, site, skip);
}

void kma_wrappers_compile(regex_t *ret)
{
	/* a fixed expression: only memory can be missing */
	if (regcomp(ret, "^(" KMA_WRAPPERS ")$", REG_EXTENDED | REG_NOSUB))
		kma_atend_no_memory();
}
