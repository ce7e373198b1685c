/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack.h - make the stack of a call site for a flame graph, from its root: directories and the
 * file, or the module, or the callers; then the functions, the outermost first.
 */
#ifndef KMA_EXPORT_STACK_H
#define KMA_EXPORT_STACK_H

#include <regex.h>

#include "export.h"
#include "places.h"

/* Most nodes above the functions: a path has at most 64 components, as in the tree of owners. */
#define KMA_STACK_ROOTS 65

/* Zero is empty. */
struct kma_graph_stack {
	unsigned int nr, alloc;	  /* number of frames, allocated length */
	struct kma_frame *frames; /* the root first */
};

/**
 * kma_graph_stack_make() - make the stack of a sample
 * @export: options: roots, keep_wrappers
 * @sample: the sample; its callers are used only with KMA_ROOTS_NONE
 * @wrappers: from kma_wrappers_compile()
 * @arena: owns the names of directories
 * @ret: filled in; its texts belong to @sample and @arena
 *
 * Return: NULL, or an error if out of memory.
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
