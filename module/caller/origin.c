// SPDX-License-Identifier: GPL-2.0-only
/*
 * origin.c - the callers of the page and per-CPU allocators, and of allocations that wait.
 *
 * The design is in origin.h.
 */
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>

#include "caller/frame.h"
#include "caller/origin.h"
#include "caller/stack.h"

void kma_origin_nobody(void)
{
}

static unsigned long kma_origin_or_nobody(unsigned long call_site)
{
	return call_site ?: (unsigned long)kma_origin_nobody;
}

static enum kma_owner kma_origin_owner(unsigned int kind)
{
	if (kind & KMA_FRAME_SLAB)
		return KMA_OWNER_SLAB;
	return kind & KMA_FRAME_PERCPU ? KMA_OWNER_PERCPU : KMA_OWNER_CALLER;
}

struct kma_origin kma_origin_pages(void)
{
	struct kma_stack_origin origin = kma_stack_origin();

	return (struct kma_origin){
		.call_site = kma_origin_or_nobody(origin.call_site),
		.owner = kma_origin_owner(origin.kind),
	};
}

/* The first address of the stack, from index @i on, that has none of these kinds. */
static unsigned long kma_origin_beyond(const struct kma_stack *s,
				       unsigned int i, unsigned int kinds)
{
	while (i < s->nr && kma_frame_kind(s->addr[i]) & kinds)
		i++;
	return i < s->nr ? s->addr[i] : 0;
}

struct kma_origin kma_origin_above(struct pt_regs *regs, unsigned long caller)
{
	const unsigned int kinds = KMA_FRAME_PAGE | KMA_FRAME_WRAPPER;
	struct kma_origin origin = { .call_site = caller, .owner = KMA_OWNER_CALLER };
	const struct kma_stack *s;
	unsigned int at;

	if (kma_frame_kind(caller) & kinds) {
		/* the maximum depth of nested helpers */
		s = kma_stack_above(regs, caller, KMA_STACK_SHORT / 2, &at);
		origin.call_site = (s ? kma_origin_beyond(s, at + 1, kinds) : 0) ?: caller;
	}
	return origin;
}

unsigned long kma_origin_percpu(void)
{
	const struct kma_stack *s = kma_stack_walk(KMA_STACK_SHORT);

	return kma_origin_or_nobody(kma_origin_beyond(s, 0, KMA_FRAME_TRACE |
						      KMA_FRAME_PERCPU |
						      KMA_FRAME_WRAPPER));
}

unsigned long kma_origin_wait(void)
{
	const unsigned int kinds = KMA_FRAME_TRACE | KMA_FRAME_RECLAIM |
				   KMA_FRAME_PAGE | KMA_FRAME_SLAB |
				   KMA_FRAME_PERCPU | KMA_FRAME_WRAPPER;
	const struct kma_stack *s = kma_stack_walk(KMA_STACK_SHORT);
	unsigned long call_site = kma_origin_beyond(s, 0, kinds);

	if (!call_site && !s->all)
		call_site = kma_origin_beyond(kma_stack_walk(KMA_STACK_MAX), 0, kinds);
	return call_site;
}
