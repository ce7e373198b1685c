/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * backtrace.h - the call site in a stack that begins within an allocator. The reports of other tools
 * (page_owner, kmemleak, memleak) have a stack for each row, whose first frames are functions of
 * the tool and of the allocator.
 *
 * The call site is the first frame outside of these. Pages that the slab allocator takes, or the
 * per-CPU allocator, have a named row instead, because they hold the objects of many callers, and
 * a report that has the objects too counts them twice; their stacks are kept.
 */
#ifndef KMA_READER_BACKTRACE_H
#define KMA_READER_BACKTRACE_H

#include <stdbool.h>

#include "lib/strbuf.h"
#include "model/merge.h"

#define KMA_BACKTRACE_CALLER 512 /* a longer name is cut */

struct kma_backtrace {
	struct kma_strbuf stack; /* from the call site outwards, separated by ";" */
	bool pages;		 /* the first function of an allocator is of the page allocator */
	const char *taker;	 /* row of the allocator that takes the pages, if there is one */
	bool large;		 /* a large kmalloc() takes them */
	bool early;		 /* they were there before the tool was */
	char caller[KMA_BACKTRACE_CALLER]; /* empty until the call site is found */
};

/**
 * kma_backtrace_start() - begin a new stack
 * @frames: zeroed, or of an earlier stack
 */
void kma_backtrace_start(struct kma_backtrace *frames);

/**
 * kma_backtrace_deinit() - free the stack
 * @frames: as started
 */
void kma_backtrace_deinit(struct kma_backtrace *frames);

/**
 * kma_backtrace_add() - add a frame, the innermost one first
 * @frames: as started
 * @frame: "function+0x1/0x2 [module]", or a part of that
 */
void kma_backtrace_add(struct kma_backtrace *frames, const char *frame);

/**
 * kma_backtrace_end() - add the numbers of a stack to those of its call site
 * @frames: the stack, complete
 * @merge: the sites
 * @kind: of what was allocated. KMA_KIND_PAGE means that the report has pages alone: those of a
 *	large kmalloc() are then its caller's.
 * @values: numbers of the stack
 *
 * Return: as kma_merge_add().
 */
struct kma_err *kma_backtrace_end(struct kma_backtrace *frames, struct kma_merge *merge,
				  enum kma_kind kind, const struct kma_values *values);

#endif /* KMA_READER_BACKTRACE_H */
