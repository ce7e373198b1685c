/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group_now.h - the groups that are kept for the inline half of an event: those of the cgroup that
 * allocated last on this CPU, of interrupts, of kernel threads, and of nodes (group.h).
 *
 * The inline half adds the kept value of the group to the key that it looks up. If no value is
 * kept, the quick index of classes does not have that key. The account then calls group.c,
 * which keeps the value.
 */
#ifndef KMA_GROUP_NOW_H
#define KMA_GROUP_NOW_H

#include <linux/cgroup.h>
#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/types.h>

#include "account/charge.h"
#include "account/class.h"
#include "watch/group_id.h"

#define KMA_GROUP_NODES	8	/* nodes whose groups are kept */

/*
 * kma_class_key_of() of a group as it is kept: one word, which another CPU may read while it is
 * written. On a 32-bit CPU the word is the number of the group.
 */
#ifdef CONFIG_64BIT
typedef u64 kma_group_kept;

static __always_inline u64 kma_group_kept_key(kma_group_kept kept)
{
	return kept;
}
#else
typedef u32 kma_group_kept;

static __always_inline u64 kma_group_kept_key(kma_group_kept kept)
{
	return kma_class_key_of(kept);
}
#endif

/* The groups of the cgroup that allocated last on a CPU. */
struct kma_group_recent {
	/* State of the cgroup (kma_group_current()), which a group has pinned; NULL for none */
	const struct cgroup_subsys_state *css;
	/* By node, or element 0 while the switch node is off; 0 if not kept */
	kma_group_kept kept[KMA_GROUP_NODES];
};

extern bool kma_group_cgroup;	/* the switch cgroup is on */
DECLARE_STATIC_KEY_FALSE(kma_group_node);
DECLARE_PER_CPU(struct kma_group_recent, kma_group_recent);

/*
 * The groups of KMA_ID_NONE, KMA_ID_IRQ and KMA_ID_KTHREAD by node; 0 if not kept. Such a
 * group is never removed.
 */
#define KMA_GROUP_FIXED	3
extern kma_group_kept kma_group_fixed[KMA_GROUP_FIXED][KMA_GROUP_NODES];

#ifdef CONFIG_CGROUPS
/*
 * Offset in struct css_set of the pointer to the state of a task's cgroup: with cgroup v2 that of
 * the cgroup itself, with v1 that of the memory controller.
 */
extern size_t kma_group_at;

/* Get the state of the current task's cgroup. Preemption is off, so it and the css_set stay. */
static __always_inline struct cgroup_subsys_state *
kma_group_current(const struct task_struct *task)
{
	const void *set = rcu_dereference_raw(task->cgroups);

	/* a cgroup has its own css as its first member */
	BUILD_BUG_ON(offsetof(struct cgroup, self));
	return *(struct cgroup_subsys_state *const *)(set + READ_ONCE(kma_group_at));
}
#else
static __always_inline struct cgroup_subsys_state *
kma_group_current(const struct task_struct *task)
{
	return NULL;
}
#endif

/* Get the node of a slab object, by its page. Slabs are in the direct map. */
static __always_inline unsigned int kma_group_node_of(unsigned long addr)
{
#ifdef CONFIG_X86_64
	return page_to_nid(pfn_to_page((addr - PAGE_OFFSET) >> PAGE_SHIFT));
#else
	return page_to_nid(virt_to_page((void *)addr));
#endif
}

/* Add to a key the group of what is no cgroup, if it is kept. */
static __always_inline u64 kma_group_fix(u64 key, s64 id, unsigned long node)
{
	return key + kma_group_kept_key(READ_ONCE(kma_group_fixed[-id][node]));
}

/*
 * Add to a key that memcg is asked to charge the object, if so. likely() keeps the addition in
 * line, which saves the jump back for a charged object. It costs other objects nothing.
 */
static __always_inline u64 kma_group_charge(u64 key, gfp_t gfp, enum kma_kind kind,
					    const struct kmem_cache *cache)
{
	if (likely(kma_charged(gfp, kind, cache)))
		key += kma_class_key_of(KMA_GROUP_CHARGED);
	return key;
}

/*
 * Add the kept group of an object of the slab allocator to its call site; @addr is 0 if the
 * allocation failed. Only tasks are charged, so the flags are not looked at in other cases.
 *
 * Context: any, preemption off: only events of tasks change what is kept of a CPU.
 *
 * Return: kma_class_key(); if no group is kept, that of number 0. While both switches are off, the
 * result is not used, or is by the previous switches.
 */
static __always_inline u64 kma_group_now(unsigned long call_site, unsigned long addr, gfp_t gfp,
					 enum kma_kind kind, const struct kmem_cache *cache)
{
	const struct task_struct *task;
	unsigned long node = 0;
	u64 key = call_site;

	if (static_branch_unlikely(&kma_group_node)) {
		if (unlikely(ZERO_OR_NULL_PTR((void *)addr)))
			return key;
		node = kma_group_node_of(addr);
		if (unlikely(node >= KMA_GROUP_NODES))
			return kma_group_charge(key, gfp, kind, cache);
		if (!READ_ONCE(kma_group_cgroup))
			return kma_group_fix(key, KMA_ID_NONE, node);
	}
	if (unlikely(!in_task()))
		return kma_group_fix(key, KMA_ID_IRQ, node);
	task = current;
	/* hidden, so that the compiler does not read it twice */
	OPTIMIZER_HIDE_VAR(task);
	if (unlikely(task->flags & PF_KTHREAD))
		return kma_group_fix(key, KMA_ID_KTHREAD, node);
	key = kma_group_charge(key, gfp, kind, cache);
	if (likely(this_cpu_read(kma_group_recent.css) == kma_group_current(task)))
		key += kma_group_kept_key(this_cpu_read(kma_group_recent.kept[node]));
	return key;
}

#endif /* KMA_GROUP_NOW_H */
