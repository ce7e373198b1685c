/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * backtrace.h - find the call site in a stack of another tool's report.
 *
 * The reports of page_owner, kmemleak and memleak have a stack for each row. Its first frames are
 * functions of the tool and of the allocator; the call site is the first frame outside of these
 * (ftrace-stack.h, and kma_recorders in backtrace.c).
 *
 * Pages that the slab or the per-CPU allocator takes for itself have a named row instead of a call
 * site: they hold the objects of many callers, and a report that also has these objects counts them
 * twice. The stacks of that row are kept.
 */
#ifndef KMA_READER_BACKTRACE_H
#define KMA_READER_BACKTRACE_H

#include <stdbool.h>

#include "lib/strbuf.h"
#include "model/merge.h"

#define KMA_BACKTRACE_CALLER 512 /* bytes, including the NUL; a longer name is cut */

struct kma_backtrace {
	struct kma_strbuf stack; /* from the call site outwards, separated by ";" */
	bool pages;		 /* a function of the page allocator comes before any taker */
	const char *taker;	 /* row of the allocator that takes the pages, or NULL */
	bool large;		 /* the pages are one large object of kmalloc() */
	bool early;		 /* allocated before the tool started, so the stack is unknown */
	char path[KMA_BACKTRACE_CALLER];   /* source file of the call site; empty: unknown */
	char caller[KMA_BACKTRACE_CALLER]; /* the call site; empty until it is found */
};

/*
 * Is a line, without blanks at its start, a frame of a stack? It then has an address in brackets or
 * "name+0x1", or ends as a function that was inlined does.
 */
bool kma_backtrace_is_frame(const char *text);

/*
 * Can a stack end with this frame, whatever follows its text? It is then one of "f+0x1/0x2", of
 * which only the last number or a name can be cut, and the call site is known by an earlier frame.
 */
bool kma_backtrace_may_end(const struct kma_backtrace *frames, const char *text);

/* Begins a new stack, in @frames that are zeroed or have an earlier one. */
void kma_backtrace_start(struct kma_backtrace *frames);

void kma_backtrace_deinit(struct kma_backtrace *frames);

/*
 * Adds a frame, the innermost one first: "function+0x1/0x2 [module]", or a part of that.
 * "[<address>] " may precede it, and a source line may follow. A frame that ends with " [inline]"
 * is not a call site.
 */
void kma_backtrace_add(struct kma_backtrace *frames, const char *frame);

/*
 * Adds the numbers of a complete stack to those of its call site. KMA_KIND_PAGE means that the
 * report has only pages; the pages of a large kmalloc() are then charged to its caller, because no
 * other row has them. Returns as kma_merge_add().
 */
struct kma_err *kma_backtrace_end(struct kma_backtrace *frames, struct kma_merge *merge,
				  enum kma_kind kind, const struct kma_values *values);

#endif /* KMA_READER_BACKTRACE_H */
