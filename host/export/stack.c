// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack.c - make the stack of a call site for a flame graph.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "stack.h"
#include "wrappers.h"

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

static struct kma_err *kma_graph_stack_push(struct kma_graph_stack *stack,
					    const struct kma_frame *frame)
{
	kma_array_room(stack->frames, stack->nr, stack->alloc);
	stack->frames[stack->nr++] = *frame;
	return NULL;
}

static struct kma_err *kma_graph_stack_name(struct kma_graph_stack *stack, const char *name)
{
	return kma_graph_stack_push(stack, &(struct kma_frame){ .function = name, .file = "" });
}

static struct kma_err *kma_graph_stack_path(const char *path, struct kma_arena *arena,
					    struct kma_graph_stack *ret)
{
	struct kma_err *err = NULL;

	while (path && *path && !err) {
		size_t len = ret->nr + 1 < KMA_STACK_ROOTS ? strcspn(path, "/") : strlen(path);
		char *name;

		/* A name in brackets may contain slashes: "[module a/b]" is one node. */
		if (*path == '[')
			len = strcspn(path, "]") + !!strchr(path, ']');
		name = kma_arena_text(arena, path, len);
		err = name ? kma_graph_stack_name(ret, name) : &kma_enomem;
		path += len + (path[len] == '/');
	}
	return err;
}

/* Adds the nodes above the functions. A row in brackets has no directory and no module. */
static struct kma_err *kma_graph_stack_roots(const struct kma_export *export,
					     const struct kma_export_site *site,
					     struct kma_arena *arena, struct kma_graph_stack *ret)
{
	if (site->site->named && !site->site->path)
		return NULL;
	if (export->roots == KMA_ROOTS_DIR)
		return kma_graph_stack_path(site->path, arena, ret);
	if (export->roots == KMA_ROOTS_MODULE)
		return kma_graph_stack_name(ret, site->module ?: "vmlinux");
	return NULL;
}

/* Adds the functions of a site or a caller, without the @skip innermost ones. */
static struct kma_err *kma_graph_stack_functions(const struct kma_export_site *site,
						 unsigned int skip, struct kma_graph_stack *ret)
{
	struct kma_err *err = NULL;

	for (unsigned int i = site->nr_frames; i-- > skip && !err;)
		err = kma_graph_stack_push(ret, &site->frames[i]);
	return err;
}

struct kma_err *kma_graph_stack_make(const struct kma_export *export,
				     const struct kma_export_sample *sample,
				     const regex_t *wrappers, struct kma_arena *arena,
				     struct kma_graph_stack *ret)
{
	const struct kma_export_site *site = sample->site;
	unsigned int skip = export->keep_wrappers ?
				    0 :
				    kma_wrappers_skip(wrappers, site->frames, site->nr_frames);
	struct kma_err *err;

	ret->nr = 0;
	err = site->site->group ? kma_graph_stack_name(ret, site->site->group) : NULL;
	if (!err)
		err = kma_graph_stack_roots(export, site, arena, ret);
	for (unsigned int i = sample->nr_callers;
	     i-- > 0 && !err && export->roots == KMA_ROOTS_NONE;)
		err = kma_graph_stack_functions(sample->callers[i], 0, ret);
	return err ?: kma_graph_stack_functions(site, skip, ret);
}
