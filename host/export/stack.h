/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack.h - a call site as a stack for a flame graph, from its root: directories and the file,
 * or the module, or the callers; then the functions, the outermost first.
 */
#ifndef KMA_EXPORT_STACK_H
#define KMA_EXPORT_STACK_H

#include <regex.h>

#include "export.h"
#include "places.h"

/* A path has at most 64 components, as in the tree of owners; the last component has the rest. */
#define KMA_STACK_ROOTS 65

/* Zero is empty. */
struct kma_graph_stack {
	unsigned int nr, alloc;
	struct kma_frame *frames; /* the root first */
};

/**
 * kma_graph_stack_make() - make the stack of a sample
 * @export: roots and keep_wrappers are looked at
 * @sample: the sample; its callers are used only without roots, which stand in their place
 * @wrappers: as compiled (wrappers.h)
 * @arena: the names of directories are kept there
 * @ret: filled in; texts stay with @sample and @arena
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_graph_stack_make(const struct kma_export *export,
				     const struct kma_export_sample *sample,
				     const regex_t *wrappers, struct kma_arena *arena,
				     struct kma_graph_stack *ret);

/**
 * kma_graph_stack_deinit() - free a stack
 * @stack: empty afterwards
 */
void kma_graph_stack_deinit(struct kma_graph_stack *stack);

#endif /* KMA_EXPORT_STACK_H */
