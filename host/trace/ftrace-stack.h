/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace-stack.h - which function in a stack is the owner of an event.
 *
 * Events of pages, and those of per-CPU memory in older kernels, have no call site. If the log has
 * a stack after the event, the first frame outside all allocators replaces the call site. Pages
 * that the slab or the per-CPU allocator takes for itself are not charged to its caller, because
 * the objects in them have events of their own: they get one row for each of the two allocators.
 */
#ifndef KMA_TRACE_FTRACE_STACK_H
#define KMA_TRACE_FTRACE_STACK_H

#include <stddef.h>

#include "model/account.h"

enum kma_frame_kind {
	KMA_FRAME_CALLER, /* any user of an allocator */
	KMA_FRAME_PAGE,	  /* of the page allocator or vmalloc: look at the next frame */
	KMA_FRAME_PROBE,  /* records an event, in any allocator: look at the next frame */
	KMA_FRAME_SLAB,	  /* takes pages for slabs or for large objects of kmalloc */
	KMA_FRAME_PERCPU, /* takes pages for per-CPU memory */
};

/* The allocators that take pages for themselves. */
enum kma_taker { KMA_TAKER_SLAB, KMA_TAKER_PERCPU, KMA_NR_TAKERS };

struct kma_taker_row {
	enum kma_frame_kind frame; /* class of this allocator's functions */
	const char *row;	   /* row that its pages are charged to */
	const char *row_of_task;   /* the same if tasks are distinguished, see intern.h */
	unsigned int kinds; /* kinds of the allocator's own events, bits 1 << enum kma_kind */
};

extern const struct kma_taker_row kma_takers[KMA_NR_TAKERS];

/* If tasks are distinguished: the "task" of pages that the slab or per-CPU allocator takes. */
#define KMA_TAKER_TASK "[allocator]"

/* Rows for events that have no call site in the log, by kind. */
extern const char *const kma_no_site[KMA_NR_KINDS];

/*
 * The class of a function, whose name may have an offset; KMA_FRAME_CALLER if it is not in the
 * table. Suffixes that compilers add (".isra.0") and "_noprof" are ignored. The search is binary,
 * in about 160 names.
 */
enum kma_frame_kind kma_frame_class(const char *function, size_t len);

#endif /* KMA_TRACE_FTRACE_STACK_H */
