/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group_now.h - the inline half of kma_group_slow(): the group of the cgroup that has
 * allocated last on this CPU, or of a node (group.h).
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

#define KMA_GROUP_NODES	8	/* nodes whose groups a CPU keeps */

/**
 * struct kma_group_recent - the groups of the cgroup that has allocated last on a CPU
 * @id: its id; 0 for none
 * @group: its groups by node; 0 if not known yet
 */
struct kma_group_recent {
	s64 id;
	u16 group[KMA_GROUP_NODES];
};

DECLARE_STATIC_KEY_FALSE(kma_group_cgroup);
DECLARE_STATIC_KEY_FALSE(kma_group_node);
DECLARE_PER_CPU(struct kma_group_recent, kma_group_recent);

/*
 * While the switch cgroup is off: the groups of the first nodes; 0 if not known yet. Such a group
 * is never removed.
 */
extern u16 kma_group_nodes[KMA_GROUP_NODES];

/**
 * kma_group_slow() - the group of an object, given out at its first object
 * @addr: the object's address, or 0 if it is of several nodes
 *
 * Context: any but NMI, irqs off. In an NMI a group that there is not yet is KMA_GROUP_OTHER.
 * Return: the group; KMA_GROUP_NONE while no switch is on.
 */
unsigned int kma_group_slow(unsigned long addr);

/* Irqs are off: the css_set and its cgroup stay until they go on. */
static __always_inline s64 kma_group_cgroup_id(void)
{
#ifdef CONFIG_CGROUPS
	return rcu_dereference_raw(current->cgroups)->dfl_cgrp->kn->id;
#else
	return 0;
#endif
}

/**
 * kma_group_now() - the group of an object of the slab allocator
 * @addr: its address
 *
 * The inline half of kma_group_slow(), for a task that has allocated before.
 *
 * Context: any, irqs off.
 * Return: the group.
 */
static __always_inline unsigned int kma_group_now(unsigned long addr)
{
	unsigned int node = 0, group = 0;

	if (static_branch_unlikely(&kma_group_node)) {
		node = page_to_nid(virt_to_page((void *)addr));
		if (unlikely(node >= KMA_GROUP_NODES))
			return kma_group_slow(addr);
		group = READ_ONCE(kma_group_nodes[node]);
	}
	if (static_branch_likely(&kma_group_cgroup)) {
		group = 0;
		if (likely(in_task() && !(current->flags & PF_KTHREAD) &&
			   this_cpu_read(kma_group_recent.id) == kma_group_cgroup_id()))
			group = this_cpu_read(kma_group_recent.group[node]);
	}
	return likely(group) ? group : kma_group_slow(addr);
}

#endif /* KMA_GROUP_NOW_H */
