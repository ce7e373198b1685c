// SPDX-License-Identifier: GPL-2.0-only
/*
 * frame.c - to what kind of function a return address belongs.
 *
 * The design is in frame.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "account/budget.h"
#include "caller/frame.h"
#include "caller/name.h"

#define KMA_MEMO_WAYS		4
#define KMA_MEMO_SETS		4096
#define KMA_MEMO_SLOTS		(KMA_MEMO_WAYS * KMA_MEMO_SETS)
#define KMA_MEMO_BITS		56
#define KMA_MEMO_ADDR		((1ul << KMA_MEMO_BITS) - 1)

/*
 * The memo: in each slot the lower 56 bits of an address, whose upper eight are
 * ones in every kernel, and there its kinds.
 */
static u64 *kma_memo;
static DEFINE_PER_CPU(char *, kma_frame_symbol);

static bool kma_frame_own(unsigned long addr)
{
#ifdef MODULE
	return within_module(addr, THIS_MODULE);
#else
	return false;
#endif
}

static unsigned int kma_frame_look(unsigned long addr)
{
	char *symbol = this_cpu_read(kma_frame_symbol);

	if (kma_frame_own(addr))
		return KMA_FRAME_TRACE;
	/* a call that never returns may be the last of its function */
	sprint_symbol_no_offset(symbol, addr - 1);
	kma_name_cut(symbol);
	return kma_name_kind(symbol);
}

/* The first of the slots in which an address can be. */
static u64 *kma_memo_set(unsigned long addr)
{
	return kma_memo + (u32)addr % KMA_MEMO_SETS * KMA_MEMO_WAYS;
}

static void kma_memo_keep(unsigned long addr, unsigned int kind)
{
	u64 *set = kma_memo_set(addr);
	unsigned int i;

	for (i = 0; i < KMA_MEMO_WAYS && READ_ONCE(set[i]); i++)
		;
	/* full: any of them, but not always the same */
	if (i == KMA_MEMO_WAYS)
		i = addr / KMA_MEMO_SETS % KMA_MEMO_WAYS;
	WRITE_ONCE(set[i], (u64)kind << KMA_MEMO_BITS |
		   (addr & KMA_MEMO_ADDR));
}

unsigned int kma_frame_kind(unsigned long addr)
{
	const u64 *set = kma_memo_set(addr);
	unsigned int kind, i;

	for (i = 0; i < KMA_MEMO_WAYS; i++) {
		u64 slot = READ_ONCE(set[i]);

		if (!((slot ^ addr) & KMA_MEMO_ADDR))
			return slot >> KMA_MEMO_BITS;
	}
	kind = kma_frame_look(addr);
	kma_memo_keep(addr, kind);
	return kind;
}

__cold void kma_frame_forget(bool (*inside)(unsigned long addr, void *arg), void *arg)
{
	unsigned int i;

	for (i = 0; kma_memo && i < KMA_MEMO_SLOTS; i++) {
		u64 slot = READ_ONCE(kma_memo[i]);

		if (slot && inside(slot | ~KMA_MEMO_ADDR, arg))
			WRITE_ONCE(kma_memo[i], 0);
	}
}

void kma_frame_settle(void)
{
	unsigned int i;

	kma_name_settle();
	for (i = 0; kma_memo && i < KMA_MEMO_SLOTS; i++)
		WRITE_ONCE(kma_memo[i], 0);
}

static int kma_frame_reserve(void)
{
	int cpu;

	kma_memo = kma_budget_zalloc(KMA_MEMO_SLOTS * sizeof(*kma_memo), NUMA_NO_NODE);
	if (!kma_memo)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		char *symbol = kma_budget_zalloc(KSYM_SYMBOL_LEN, cpu_to_node(cpu));

		if (!symbol)
			return -ENOMEM;
		per_cpu(kma_frame_symbol, cpu) = symbol;
	}
	return 0;
}

__cold int kma_frame_init(void)
{
	int err;

	if (!IS_ENABLED(CONFIG_KALLSYMS)) {
		pr_err("no names of functions: the kernel has no CONFIG_KALLSYMS\n");
		return -EOPNOTSUPP;
	}
	err = kma_frame_reserve();
	if (err)
		kma_frame_deinit();
	return err;
}

__cold void kma_frame_deinit(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		kma_budget_free(per_cpu(kma_frame_symbol, cpu), KSYM_SYMBOL_LEN);
		per_cpu(kma_frame_symbol, cpu) = NULL;
	}
	kma_budget_free(kma_memo, KMA_MEMO_SLOTS * sizeof(*kma_memo));
	kma_memo = NULL;
	kma_name_release();
}

__cold size_t kma_frame_memory(void)
{
	if (!kma_memo)
		return 0;
	return KMA_MEMO_SLOTS * sizeof(*kma_memo) +
	       num_possible_cpus() * PAGE_SIZE;
}
