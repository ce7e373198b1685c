/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack.h - make the stack of a call site for a flame graph, from its root: the texts of keys, as
 * directories and the file, or the callers; then the functions, the outermost first.
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

/*
 * Functions that only pass an allocation on: kzalloc(), kmem_cache_zalloc(). They are inlined into
 * nearly every call site, and would hide the function that allocates. A regular expression for
 * whole names, in the syntax that RE2 (of pprof) and POSIX share.
 */
#define KMA_WRAPPERS                                                   \
	"_*kv?[mzc]alloc(_[a-z_]+)?|krealloc(_[a-z_]+)?|"              \
	"_*kmem_cache_z?alloc(_[a-z_]+)?|slab_[a-z]*_?alloc[a-z_]*|"   \
	"_*v[mz]?alloc(_[a-z_]+)?|"                                    \
	"_*(alloc_pages?|folio_alloc|get_free_pages?|get_zeroed_page)" \
	"(_[a-z_]+)?|_*alloc_percpu[a-z_]*|pcpu_alloc[a-z_]*"

/* To be freed by regfree(). */
void kma_wrappers_compile(regex_t *ret);

/*
 * Make the stack of a sample, by the options keys and keep_wrappers of @export. All frames up to
 * the outermost wrapper are left out; the outermost frame never counts as one, so that one function
 * remains. Texts of keys are in @arena or belong to the account, the other texts to @sample.
 */
void kma_graph_stack_make(const struct kma_export *export, const struct kma_export_sample *sample,
			  const regex_t *wrappers, struct kma_arena *arena,
			  struct kma_graph_stack *ret);

/* The text of a call site for a key; it is in @arena or belongs to the account. */
const char *kma_export_text(const struct kma_export *export, const struct kma_export_site *site,
			    enum kma_key_id id, struct kma_arena *arena);

void kma_graph_stack_deinit(struct kma_graph_stack *stack);

#endif /* KMA_EXPORT_STACK_H */
