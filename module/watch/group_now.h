/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group_now.h - the groups that are at hand: of the cgroup that has allocated last on this CPU, of
 * interrupts, of threads of the kernel, of nodes (group.h).
 *
 * The inline half of an event adds to the word that it looks up what is at hand for its group. If
 * nothing is, the quick index of classes does not have the word, and the account asks group.c,
 * which puts the group here.
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
 * kma_class_key_of() as it is kept: one word, which another CPU may read while it is written. With
 * 32 bits it is the group itself.
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
 * struct kma_group_recent - the groups of the cgroup that has allocated last on a CPU
 * @cgroup: the cgroup, which a group has pinned; NULL for none
 * @kept: its groups by node, the first one while the switch node is off; 0 if not at hand
 */
struct kma_group_recent {
	const struct cgroup *cgroup;
	kma_group_kept kept[KMA_GROUP_NODES];
};

DECLARE_STATIC_KEY_FALSE(kma_group_cgroup);
DECLARE_STATIC_KEY_FALSE(kma_group_node);
DECLARE_PER_CPU(struct kma_group_recent, kma_group_recent);

/*
 * The groups of KMA_ID_NONE, KMA_ID_IRQ and KMA_ID_KTHREAD by node; 0 if not at hand. Such a
 * group is never removed.
 */
#define KMA_GROUP_FIXED	3
extern kma_group_kept kma_group_fixed[KMA_GROUP_FIXED][KMA_GROUP_NODES];

#ifdef CONFIG_CGROUPS
/*
 * Where a css_set has the state of a cgroup that says which one it is: of v2 the cgroup's own, of
 * v1 the memory controller's.
 */
extern size_t kma_group_at;

/* Irqs are off: the css_set and its cgroup stay until they go on. */
static __always_inline struct cgroup *kma_group_current(void)
{
	const void *set = rcu_dereference_raw(current->cgroups);

	/* a cgroup begins with its own state */
	BUILD_BUG_ON(offsetof(struct cgroup, self));
	return (*(struct cgroup_subsys_state *const *)(set + READ_ONCE(kma_group_at)))->cgroup;
}
#else
static __always_inline struct cgroup *kma_group_current(void)
{
	return NULL;
}
#endif

/* The node that a slab object is of, by its page. Slabs are in the direct map. */
static __always_inline unsigned int kma_group_node_of(unsigned long addr)
{
#ifdef CONFIG_X86_64
	return page_to_nid(pfn_to_page((addr - PAGE_OFFSET) >> PAGE_SHIFT));
#else
	return page_to_nid(virt_to_page((void *)addr));
#endif
}

/**
 * kma_group_now() - the group of an object of the slab allocator, if it is at hand
 * @addr: its address
 *
 * Context: any, irqs off.
 * Return: kma_class_key_of() of the group; 0 if it is not at hand. While both switches are off, the
 * group is not looked at, or it is one of before.
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
