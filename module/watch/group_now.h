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
#include <linux/types.h>

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

/**
 * struct kma_group_recent - the groups of the cgroup that allocated last on a CPU
 * @cgroup: the cgroup, which a group has pinned; NULL for none
 * @kept: the groups of @cgroup by node, or element 0 while the switch node is off; 0 if not kept
 */
struct kma_group_recent {
	const struct cgroup *cgroup;
	kma_group_kept kept[KMA_GROUP_NODES];
};

DECLARE_STATIC_KEY_FALSE(kma_group_cgroup);
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
 * Offset in struct css_set of the pointer that leads to a task's cgroup: with cgroup v2 that of the
 * default hierarchy, with v1 that of the memory controller.
 */
extern size_t kma_group_at;

/* Get the cgroup of the current task. Irqs are off, so the css_set and the cgroup stay. */
static __always_inline struct cgroup *kma_group_current(void)
{
	const void *set = rcu_dereference_raw(current->cgroups);

	/* a cgroup has its own css as its first member */
	BUILD_BUG_ON(offsetof(struct cgroup, self));
	return (*(struct cgroup_subsys_state *const *)(set + READ_ONCE(kma_group_at)))->cgroup;
}
#else
static __always_inline struct cgroup *kma_group_current(void)
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

/**
 * kma_group_now() - get the kept group of an object of the slab allocator
 * @addr: address of the object
 *
 * Context: any, irqs off.
 * Return: kma_class_key_of() of the group; 0 if no group is kept. While both switches are off, the
 * result is not used, or is by the previous switches.
 */
static __always_inline u64 kma_group_now(unsigned long addr)
{
	unsigned int node = 0;

	if (static_branch_unlikely(&kma_group_node)) {
		node = kma_group_node_of(addr);
		if (unlikely(node >= KMA_GROUP_NODES))
			return 0;
		if (!static_branch_unlikely(&kma_group_cgroup))
			return kma_group_kept_key(READ_ONCE(kma_group_fixed[-KMA_ID_NONE][node]));
	}
	if (unlikely(!in_task()))
		return kma_group_kept_key(READ_ONCE(kma_group_fixed[-KMA_ID_IRQ][node]));
	if (unlikely(current->flags & PF_KTHREAD))
		return kma_group_kept_key(READ_ONCE(kma_group_fixed[-KMA_ID_KTHREAD][node]));
	if (unlikely(this_cpu_read(kma_group_recent.cgroup) != kma_group_current()))
		return 0;
	return kma_group_kept_key(this_cpu_read(kma_group_recent.kept[node]));
}

#endif /* KMA_GROUP_NOW_H */
