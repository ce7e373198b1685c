/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wrappers.h - functions that only pass an allocation on: kzalloc(), kmem_cache_zalloc(). They
 * are inlined into nearly every call site, where they hide the function that allocates.
 */
#ifndef KMA_EXPORT_WRAPPERS_H
#define KMA_EXPORT_WRAPPERS_H

#include <regex.h>

#include "symbol/inline-frame.h"

/* A regular expression of whole names, in what RE2 and POSIX have in common. */
#define KMA_WRAPPERS                                                   \
	"_*kv?[mzc]alloc(_[a-z_]+)?|krealloc(_[a-z_]+)?|"              \
	"_*kmem_cache_z?alloc(_[a-z_]+)?|slab_[a-z]*_?alloc[a-z_]*|"   \
	"_*v[mz]?alloc(_[a-z_]+)?|"                                    \
	"_*(alloc_pages?|folio_alloc|get_free_pages?|get_zeroed_page)" \
	"(_[a-z_]+)?|_*alloc_percpu[a-z_]*|pcpu_alloc[a-z_]*"

/**
 * kma_wrappers_compile() - make the expression
 * @ret: to be given to regfree()
 *
 * Return: 0, or an error of regcomp(3): no memory.
 */
int kma_wrappers_compile(regex_t *ret);

/**
 * kma_wrappers_skip() - how many frames are wrappers
 * @wrappers: as compiled
 * @frames: innermost first
 * @nr: how many, at least one
 *
 * The outermost function is never one: something has to be named.
 *
 * Return: number of frames to leave out, less than @nr.
 */
unsigned int kma_wrappers_skip(const regex_t *wrappers, const struct kma_frame *frames,
			       unsigned int nr);

#endif /* KMA_EXPORT_WRAPPERS_H */
