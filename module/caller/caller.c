// SPDX-License-Identifier: GPL-2.0-only
/*
 * caller.c - the site of an allocation, when the call site alone is not enough.
 *
 * The design is in caller.h.
 */
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/percpu.h>

#include "account/word.h"
#include "caller/caller.h"
#include "caller/frame.h"
#include "caller/path.h"
#include "caller/sample.h"
#include "caller/stack.h"

bool kma_caller_on __read_mostly;

static DEFINE_PER_CPU(u64, kma_callers_missed) __aligned(8);

__cold void kma_caller_use(bool on)
{
	/* Publishes the data of a walk; pairs with kma_caller_wanted(). */
	smp_store_release(&kma_caller_on, on);
}

__cold void kma_caller_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(kma_callers_missed, cpu) = 0;
}

u64 kma_caller_missed(void)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += kma_word_get(&per_cpu(kma_callers_missed, cpu));
	return sum;
}

/*
 * Return the stack, and set @owner to the index of the first function that is not a wrapper. The
 * stack has @depth addresses from @owner on, or all that exist. NULL if there is no such function.
 */
static const struct kma_stack *kma_caller_find(const unsigned long *from, unsigned long call_site,
					       unsigned int depth, unsigned int *owner)
{
	const struct kma_stack *s;
	unsigned int at, after;

	/* a second walk, of the whole stack, if a short walk ends within the wrappers */
	after = depth - !(kma_frame_kind(call_site) & KMA_FRAME_WRAPPER);
	for (;; after = KMA_STACK_MAX) {
		s = kma_stack_find(from, call_site, after, &at);
		if (!s)
			return NULL;
		*owner = kma_stack_skip(s, at, KMA_FRAME_WRAPPER);
		if (*owner + depth <= s->nr || s->all || after == KMA_STACK_MAX)
			break;
	}
	return *owner < s->nr ? s : NULL;
}

/*
 * Return the path of @depth addresses. If @depth is 1 or less, the path is the call site, or the
 * caller of the wrappers.
 */
static unsigned int kma_caller_path(const struct kma_event *e, const unsigned long *from,
				    unsigned int depth)
{
	const struct kma_stack *s;
	unsigned int owner;

	if (depth < 2 && !(kma_frame_kind(e->call_site) & KMA_FRAME_WRAPPER))
		return kma_path_id(&e->call_site, 1, e->kind);
	depth = max(depth, 1u);
	s = kma_caller_find(from, e->call_site, depth, &owner);
	if (likely(s))
		return kma_path_id(&s->addr[owner], min(s->nr - owner, depth), e->kind);
	kma_cpu_add(kma_callers_missed, 1);
	return kma_path_id(&e->call_site, 1, e->kind);
}

static unsigned int kma_caller_pick(const struct kma_event *e, const unsigned long *from)
{
	const unsigned int depth = kma_path_depth();
	bool taken = kma_sample_take();
	unsigned int site = kma_caller_path(e, from, taken ? depth : 1);

	if (!taken && depth && e->ptr && kma_sample_first(site))
		site = kma_caller_path(e, from, depth);
	return site;
}

unsigned int kma_caller_counted(const struct kma_event *e)
{
	unsigned int site = kma_caller_pick(e, __builtin_frame_address(0));

	/* no tail call: the walk begins with the frame of this function */
	barrier();
	return site;
}

unsigned int kma_caller_site(const struct kma_event *e, const unsigned long *from)
{
	this_cpu_dec(kma_sample.left);
	return kma_caller_pick(e, from);
}
