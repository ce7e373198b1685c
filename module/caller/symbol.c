// SPDX-License-Identifier: GPL-2.0-only
/*
 * symbol.c - the kind of the function at an address, looked up by its symbol.
 *
 * The design is in symbol.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/topology.h>

#include "account/budget.h"
#include "caller/name.h"
#include "caller/symbol.h"

static DEFINE_PER_CPU(char *, kma_symbol_text);

static bool kma_symbol_own(unsigned long addr)
{
#ifdef MODULE
	return within_module(addr, THIS_MODULE);
#else
	return false;
#endif
}

unsigned int kma_symbol_kind(unsigned long addr)
{
	char *symbol = this_cpu_read(kma_symbol_text);

	if (kma_symbol_own(addr))
		return KMA_FRAME_TRACE;
	/* A call that never returns may be the last instruction of its function. */
	sprint_symbol_no_offset(symbol, addr - 1);
	kma_name_cut(symbol);
	return kma_name_kind(symbol);
}

__cold int kma_symbol_init(void)
{
	int cpu;

	if (!IS_ENABLED(CONFIG_KALLSYMS)) {
		pr_err("cannot look up names of functions: the kernel is built without CONFIG_KALLSYMS\n");
		return -EOPNOTSUPP;
	}
	for_each_possible_cpu(cpu) {
		char *symbol = kma_budget_zalloc(KSYM_SYMBOL_LEN, cpu_to_node(cpu));

		if (!symbol) {
			kma_symbol_deinit();
			return -ENOMEM;
		}
		per_cpu(kma_symbol_text, cpu) = symbol;
	}
	return 0;
}

__cold void kma_symbol_deinit(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		kma_budget_free(per_cpu(kma_symbol_text, cpu), KSYM_SYMBOL_LEN);
		per_cpu(kma_symbol_text, cpu) = NULL;
	}
}
