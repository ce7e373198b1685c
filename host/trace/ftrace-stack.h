/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace-stack.h - the owner of a function in a stack. Events of pages have no call site; the first
 * frame outside all allocators replaces it.
 */
#ifndef KMA_TRACE_FTRACE_STACK_H
#define KMA_TRACE_FTRACE_STACK_H

#include <stddef.h>

#include "model/account.h"

enum kma_frame_kind {
	KMA_FRAME_CALLER, /* any user of an allocator */
	KMA_FRAME_PAGE,	  /* of the page allocator and of vmalloc, or of tracing: go on */
	KMA_FRAME_SLAB,	  /* pages that become slabs, or large objects of kmalloc */
	KMA_FRAME_PERCPU, /* pages that become per-CPU memory */
};

/* The allocators that have pages of their own, and the kind of events they tell of. */
enum kma_taker { KMA_TAKER_SLAB, KMA_TAKER_PERCPU, KMA_NR_TAKERS };

struct kma_taker_row {
	enum kma_frame_kind frame;
	const char *row;	 /* site of the pages that they take */
	const char *row_of_task; /* the same where tasks are told apart, see intern.h */
	unsigned int kinds;	 /* of their own events, 1 << enum kma_kind */
};

extern const struct kma_taker_row kma_takers[KMA_NR_TAKERS];

/* Where tasks are told apart: the row of pages that the slab or per-CPU allocator takes. */
#define KMA_TAKER_TASK "[allocator]"

/* Rows of what has no call site in the log. */
extern const char *const kma_no_site[KMA_NR_KINDS];

/**
 * kma_frame_class() - whose is a function?
 * @function: its name, perhaps with an offset; need not be terminated
 * @len: bytes of @function
 *
 * Suffixes that compilers add, and _noprof, do not count.
 *
 * Return: its class.
 */
enum kma_frame_kind kma_frame_class(const char *function, size_t len);

#endif /* KMA_TRACE_FTRACE_STACK_H */
