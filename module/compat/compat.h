/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat.h - properties of this kernel's slab allocator.
 *
 * Kbuild includes this header first in every file.
 */
#ifdef KMA_ANY_KERNEL
/*
 * The newest kernel is the normal case in all other directories. compat/Kbuild.include
 * searches the kernel's own headers for older interfaces, because distributions backport
 * changes. Documentation/design/compat.rst lists the changes.
 *
 * patches/jury-rig.sh resolves the macros of Kbuild.include for one kernel. So a comment
 * about an older kernel stands in the branch of that kernel.
 */
#endif
#ifndef KMA_COMPAT_H
#define KMA_COMPAT_H

#ifdef KMA_LARGE_ONCE
/* Up to v6.9: a kmalloc() of more than KMALLOC_MAX_CACHE_SIZE bytes is one event. */
#define KMA_LARGE_TWICE	0
#define KMA_LARGE_FUNCTIONS	{ NULL }
#else
/*
 * A kmalloc() of more than KMALLOC_MAX_CACHE_SIZE bytes is two events if the compiler
 * does not know the size. The caller in the first event is one of these functions of the
 * allocator.
 */
#define KMA_LARGE_TWICE	1
#ifdef KMA_KVMALLOC_APART
/*
 * Up to v6.14 (539f552892b7): __kvmalloc_node_noprof() is a caller of
 * __kmalloc_node_noprof() like any other.
 */
#define KMA_LARGE_FUNCTIONS	{ __kmalloc_noprof, __kmalloc_node_noprof, \
				  __kmalloc_node_track_caller_noprof }
#else
#define KMA_LARGE_FUNCTIONS	{ __kmalloc_noprof, __kmalloc_node_noprof, \
				  __kmalloc_node_track_caller_noprof, \
				  __kvmalloc_node_noprof }
#endif
#endif

#ifdef KMA_NO_CACHE_ARG
/* Before v6.0 (commit b347aa7b5747) the events do not say which cache an object is of. */
#define KMA_EVENTS_HAVE_CACHE	0
#else
/* An event tells whether memcg is asked to charge the object: by its GFP flags and its cache. */
#define KMA_EVENTS_HAVE_CACHE	1
#endif

#ifdef KMA_HAS_SLOB
/* Up to v6.3: the allocator SLOB cannot identify the cache of an object. */
#define KMA_KFREE_TAKES_ALL	0
/* It puts objects of any sizes into one page. */
#define KMA_MIXED_SLABS	IS_ENABLED(CONFIG_SLOB)
#else
/* kfree() accepts objects of any cache. */
#define KMA_KFREE_TAKES_ALL	1
/* All objects of a page have one stride. */
#define KMA_MIXED_SLABS	0
#endif

#endif /* KMA_COMPAT_H */
