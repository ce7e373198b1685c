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
#include "caller/text.h"

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

/* Where vmlinux is; no bytes: unknown. */
static unsigned long kma_rcu_free_from, kma_rcu_free_bytes;

__cold void kma_rcu_free_switch(bool on)
{
	struct kma_text text;

	if (on) {
		kma_text_vmlinux(&text);
		WRITE_ONCE(kma_rcu_free_from, text.at);
		/* Publishes the start; pairs with the smp_load_acquire() in kma_rcu_free_ask(). */
		smp_store_release(&kma_rcu_free_bytes, text.size);
	}
	WRITE_ONCE(kma_rcu_free_on, on);
}

bool kma_rcu_free_ask(unsigned long call_site)
{
	/* Pairs with the smp_store_release() in kma_rcu_free_switch(). */
	unsigned long bytes = smp_load_acquire(&kma_rcu_free_bytes);
	bool ends = (!bytes || call_site - 1 - READ_ONCE(kma_rcu_free_from) < bytes) &&
		    kma_rcu_free_is_end(call_site);

	kma_word_set(kma_rcu_free_slot(call_site), (u64)call_site << 1 | ends);
	return ends;
}
#endif /* !KMA_RCU_ENDS_IN_BULK */
