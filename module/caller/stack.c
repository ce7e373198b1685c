// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack.c - the stack of an event.
 *
 * The design is in stack.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/stacktrace.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "account/budget.h"
#include "caller/frame.h"
#include "caller/stack.h"
#include "compat/unwind.h"

/* Kernels for x86 with a reliable unwinder export its steps. */
#if defined(CONFIG_X86) && \
	(defined(CONFIG_UNWINDER_ORC) || defined(CONFIG_UNWINDER_FRAME_POINTER))
#define KMA_STACK_STEPS
#include <asm/ptrace.h>
#include <asm/segment.h>
#include <asm/unwind.h>
#endif

static DEFINE_PER_CPU(struct kma_stack *, kma_stacks);

/* Cut the stack after the entry of an interrupt, a trap or a system call. */
static void kma_stack_end(struct kma_stack *s)
{
	bool breakpoint = false;
	unsigned int i;

	for (i = 0; i < s->nr; i++) {
		unsigned int kind = kma_frame_kind(s->addr[i]);

		breakpoint = kind & KMA_FRAME_ENTRY &&
			     (breakpoint || kind & KMA_FRAME_TRACE);
		if (!(kind & KMA_FRAME_ENTRY) || breakpoint)
			continue;
		s->nr = i + 1;
		s->all = true;
	}
}

const struct kma_stack *kma_stack_walk(unsigned int max)
{
	struct kma_stack *s = this_cpu_read(kma_stacks);

#ifdef CONFIG_STACKTRACE
	s->nr = stack_trace_save(s->addr, max, 0);
#endif
	s->all = s->nr < max;
	kma_stack_end(s);
	return s;
}

#ifdef KMA_STACK_STEPS
const struct kma_stack *kma_stack_find(const unsigned long *from, unsigned long call_site,
				       unsigned int after, unsigned int *at)
{
	struct kma_stack *s = this_cpu_read(kma_stacks);
	unsigned int max = min(after + 1, KMA_STACK_MAX), before = 0;
	/* a frame begins with the caller's frame pointer and the return address */
	struct pt_regs regs = {
		.bp = from[0], .ip = from[1], .sp = (unsigned long)(from + 2), .cs = __KERNEL_CS,
	};
	struct unwind_state state;
	unsigned long addr;

	s->nr = 0;
	unwind_start(&state, current, &regs, NULL);
	while (s->nr < max && (addr = unwind_get_return_address(&state))) {
		if (s->nr || addr == call_site)
			s->addr[s->nr++] = addr;
		else if (++before == KMA_STACK_MAX)
			break;
		unwind_next_frame(&state);
	}
	s->all = s->nr < max;
	kma_stack_end(s);
	*at = 0;
	return s->nr ? s : NULL;
}
#else
const struct kma_stack *kma_stack_find(const unsigned long *from, unsigned long call_site,
				       unsigned int after, unsigned int *at)
{
	struct kma_stack *own = this_cpu_read(kma_stacks);
	unsigned int max = min(own->near + after + 1, KMA_STACK_MAX), i;
	const struct kma_stack *s;

	for (;;) {
		s = kma_stack_walk(max);
		for (i = 0; i < s->nr && s->addr[i] != call_site; i++)
			;
		if (s->all || max == KMA_STACK_MAX || i + after < s->nr)
			break;
		max = KMA_STACK_MAX;
	}
	*at = i;
	if (i == s->nr)
		return NULL;
	own->near = max(own->near, min(i, KMA_STACK_SHORT));
	return s;
}
#endif

#ifdef CONFIG_ARM
const struct kma_stack *kma_stack_above(struct pt_regs *regs, unsigned long caller,
					unsigned int after, unsigned int *at)
{
	struct kma_stack *s = this_cpu_read(kma_stacks);
	unsigned int max = min(after + 1, KMA_STACK_MAX);

	s->nr = kma_unwind_callers(regs, s->addr, max);
	s->all = s->nr < max;
	kma_stack_end(s);
	*at = 0;
	return s->nr ? s : NULL;
}
#else
/*
 * True if a walk finds the return address of a function that starts. It does not if the address is
 * in a register, or if the kernel walks by frame pointers and the function has no frame yet (i386).
 */
#define KMA_CALLER_ON_STACK	IS_ENABLED(CONFIG_X86_64)

const struct kma_stack *kma_stack_above(struct pt_regs *regs, unsigned long caller,
					unsigned int after, unsigned int *at)
{
	const struct kma_stack *s =
		kma_stack_find(__builtin_frame_address(0),
			       KMA_CALLER_ON_STACK ? caller : instruction_pointer(regs), after, at);

	/* no tail call: the walk begins with the frame of this function */
	barrier();
	return s;
}
#endif

unsigned int kma_stack_skip(const struct kma_stack *s, unsigned int i, unsigned int kinds)
{
	while (i < s->nr && kma_frame_kind(s->addr[i]) & kinds)
		i++;
	return i;
}

/*
 * The functions of this module come first, then the page allocator. Functions of this module
 * outside of the page allocator are users of pages like any other.
 */
static bool kma_stack_owner(const struct kma_stack *s, struct kma_stack_origin *origin)
{
	unsigned int i, owner;

	i = kma_stack_skip(s, 0, KMA_FRAME_TRACE);
	i = kma_stack_skip(s, i, KMA_FRAME_PAGE);
	if (i == s->nr)
		return false;
	origin->call_site = s->addr[i];
	origin->kind = kma_frame_kind(s->addr[i]) &
		       (KMA_FRAME_SLAB | KMA_FRAME_PERCPU);
	if (origin->kind)
		return true;
	owner = kma_stack_skip(s, i, KMA_FRAME_WRAPPER);
	if (owner == s->nr)
		return false;
	origin->call_site = s->addr[owner];
	return true;
}

struct kma_stack_origin kma_stack_origin(void)
{
	struct kma_stack_origin origin = {};
	const struct kma_stack *s = kma_stack_walk(KMA_STACK_SHORT);

	if (!kma_stack_owner(s, &origin) && !s->all)
		kma_stack_owner(kma_stack_walk(KMA_STACK_MAX), &origin);
	return origin;
}

__cold int kma_stack_init(void)
{
	int cpu;

	if (!IS_ENABLED(CONFIG_STACKTRACE)) {
		pr_err("cannot record stacks: the kernel has no CONFIG_STACKTRACE\n");
		return -EOPNOTSUPP;
	}
	for_each_possible_cpu(cpu) {
		struct kma_stack *s = kma_budget_zalloc(sizeof(*s), cpu_to_node(cpu));

		if (!s) {
			kma_stack_deinit();
			return -ENOMEM;
		}
		per_cpu(kma_stacks, cpu) = s;
	}
	return 0;
}

__cold void kma_stack_deinit(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		kma_budget_free(per_cpu(kma_stacks, cpu), sizeof(struct kma_stack));
		per_cpu(kma_stacks, cpu) = NULL;
	}
}

__cold size_t kma_stack_memory(void)
{
	return num_possible_cpus() * PAGE_SIZE;
}
