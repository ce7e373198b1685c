/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wrappers.h - recognise functions that only pass an allocation on: kzalloc(), kmem_cache_zalloc().
 * They are inlined into nearly every call site, and would hide the function that allocates.
 */
#ifndef KMA_EXPORT_WRAPPERS_H
#define KMA_EXPORT_WRAPPERS_H

#include <regex.h>

#include "symbol/inline-frame.h"

/* A regular expression for whole names, in the syntax that RE2 (of pprof) and POSIX share. */
#define KMA_WRAPPERS                                                   \
	"_*kv?[mzc]alloc(_[a-z_]+)?|krealloc(_[a-z_]+)?|"              \
	"_*kmem_cache_z?alloc(_[a-z_]+)?|slab_[a-z]*_?alloc[a-z_]*|"   \
	"_*v[mz]?alloc(_[a-z_]+)?|"                                    \
	"_*(alloc_pages?|folio_alloc|get_free_pages?|get_zeroed_page)" \
	"(_[a-z_]+)?|_*alloc_percpu[a-z_]*|pcpu_alloc[a-z_]*"

/**
 * kma_wrappers_compile() - compile the expression
 * @ret: to be freed by regfree()
 *
 * Return: 0, or an error of regcomp(3): out of memory.
 */
int kma_wrappers_compile(regex_t *ret);

/**
 * kma_wrappers_skip() - count the inner frames that are wrappers
 * @wrappers: from kma_wrappers_compile()
 * @frames: innermost first
 * @nr: number of frames, at least one
 *
 * All frames up to the outermost wrapper are left out. The outermost frame never counts as a
 * wrapper, so that one function remains.
 *
 * Return: number of frames to leave out, less than @nr.
 */
unsigned int kma_wrappers_skip(const regex_t *wrappers, const struct kma_frame *frames,
			       unsigned int nr);

#endif /* KMA_EXPORT_WRAPPERS_H */
