// SPDX-License-Identifier: GPL-2.0-only
/*
 * rcu_free.c - recognises the free with which a kfree_rcu() ends.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "caller/frame.h"
#include "caller/rcu_free.h"

#if !KMA_RCU_ENDS_IN_BULK
/*
 * If the object is not in a slab of this node, or the CPU has no sheaf, the kernel frees it
 * with kfree(). Its event is that of an object that was counted as freed when kfree_rcu() was
 * called. These functions call kfree() for that; one may be inlined into another.
 */
static const char *const kma_rcu_free_names[] = {
	"kvfree_call_rcu", "kvfree_rcu_list", "kfree_rcu_work",
	"kfree_rcu_monitor",
};

u64 kma_rcu_free_memo[KMA_RCU_FREE_MEMO] __aligned(8);
static DEFINE_PER_CPU(char [KSYM_SYMBOL_LEN], kma_rcu_free_name);

static bool kma_rcu_free_is_end(unsigned long call_site)
{
	char *name = *this_cpu_ptr(&kma_rcu_free_name);
	int i;

	sprint_symbol_no_offset(name, call_site - 1);
	kma_name_cut(name);
	for (i = 0; i < ARRAY_SIZE(kma_rcu_free_names); i++)
		if (!strcmp(name, kma_rcu_free_names[i]))
			return true;
	return false;
}

bool kma_rcu_free_on __read_mostly;

bool kma_rcu_free_ask(unsigned long call_site)
{
	bool ends = kma_rcu_free_is_end(call_site);

	kma_word_set(kma_rcu_free_slot(call_site), (u64)call_site << 1 | ends);
	return ends;
}
#endif /* !KMA_RCU_ENDS_IN_BULK */
