// SPDX-License-Identifier: GPL-2.0-only
/*
 * group.c - the groups of the switches cgroup and node: one cgroup, one NUMA node.
 *
 * The design and the locking are in group.h.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "account/budget.h"
#include "account/class.h"
#include "account/lock.h"
#include "watch/group.h"
#include "watch/group_now.h"

/* An open hash table of the numbers of groups; 0 is a free slot. */
struct kma_group_index {
	u32 mask;
	u16 group[];
};

unsigned int kma_max_cgroups = 4096;
struct kma_group *kma_groups;
bool kma_group_cgroup __read_mostly;
DEFINE_STATIC_KEY_FALSE(kma_group_node);
DEFINE_PER_CPU(struct kma_group_recent, kma_group_recent);
kma_group_kept kma_group_fixed[KMA_GROUP_FIXED][KMA_GROUP_NODES];

#ifdef CONFIG_CGROUPS
size_t kma_group_at __read_mostly;
#endif

static DEFINE_RAW_SPINLOCK(kma_group_lock);
static struct kma_group_index *kma_group_index;
static struct kma_group_index *kma_group_copy;	/* the next index, while it is filled */
static u32 kma_group_room;		/* numbers in the table */
static u32 kma_group_next;
static u32 kma_group_unused;		/* first number that was freed; linked by node; or 0 */
static bool kma_group_full;		/* no number is left */
static size_t kma_group_path_bytes;	/* of all paths: the budget counts the pages of the sum */
static void (*kma_group_wake)(void);

/* Fibonacci hashing, as in class.c. */
static u32 kma_group_hash(s64 id, int node)
{
	return (id + ((u64)(u16)node << 48)) * 0x9e3779b97f4a7c15ull >> 40;
}

/* Return the slot where the search for a group ends: the slot of the group, or a free one. */
static u32 kma_group_slot(const struct kma_group_index *index, s64 id, int node, u16 *nr)
{
	u32 i;

	for (i = kma_group_hash(id, node);; i++) {
		/* Pairs with the smp_store_release() in kma_group_enter(). */
		*nr = smp_load_acquire(&index->group[i & index->mask]);
		if (!*nr || (kma_groups[*nr].id == id && kma_groups[*nr].node == node))
			return i & index->mask;
	}
}

static void kma_group_enter(struct kma_group_index *index, unsigned int nr)
{
	u16 found;
	u32 i = kma_group_slot(index, kma_groups[nr].id, kma_groups[nr].node, &found);

	/* Publishes the group; pairs with the smp_load_acquire() in kma_group_slot(). */
	smp_store_release(&index->group[i], nr);
}

/* With the lock held: return a free number, or 0. Irqs are off, so there is no search. */
static u32 kma_group_number(void)
{
	u32 nr = kma_group_unused;

	if (kma_group_next < kma_group_room)
		return kma_group_next;
	if (nr)
		kma_group_unused = kma_groups[nr].node;
	else
		WRITE_ONCE(kma_group_full, true);
	return nr;
}

/* Take a reference to a cgroup. Return false if it is being freed, or if there are no cgroups. */
static bool kma_group_pin(struct cgroup_subsys_state *css)
{
#ifdef CONFIG_CGROUPS
	return css && css_tryget(css);
#else
	return false;
#endif
}

/* With the lock held: add a group. A cgroup that cannot be pinned has no name. */
static u32 kma_group_add(s64 id, int node, struct cgroup_subsys_state *css)
{
	u32 nr = kma_group_number();
	struct kma_group *g = &kma_groups[nr];

	if (!nr)
		return 0;
	*g = (struct kma_group){ .id = id, .css = kma_group_pin(css) ? css : NULL, .node = node };
	/* Publishes a group whose number is used again; pairs with kma_group_used(). */
	smp_store_release(&g->used, true);
	if (nr == kma_group_next)
		/* Pairs with the smp_load_acquire() in kma_group_nr(). */
		smp_store_release(&kma_group_next, nr + 1);
	kma_group_enter(kma_group_index, nr);
	if (kma_group_copy)
		kma_group_enter(kma_group_copy, nr);
	return nr;
}

unsigned int kma_group_find(s64 id, int node, struct cgroup_subsys_state *css)
{
	u16 nr;

	kma_group_slot(READ_ONCE(kma_group_index), id, node, &nr);
	if (likely(nr))
		return nr;
	if (!kma_may_lock() || READ_ONCE(kma_group_full))
		return KMA_GROUP_OTHER;
	kma_lock(&kma_group_lock);
	kma_group_slot(kma_group_index, id, node, &nr);
	nr = nr ?: kma_group_add(id, node, css);
	kma_unlock(&kma_group_lock);
	if (css && nr)
		kma_group_wake();
	return nr ?: KMA_GROUP_OTHER;
}

static s64 kma_group_id(struct cgroup_subsys_state **css)
{
	if (!in_task())
		return KMA_ID_IRQ;
	if (current->flags & PF_KTHREAD)
		return KMA_ID_KTHREAD;
	*css = kma_group_current(current);
#ifdef CONFIG_CGROUPS
	return cgroup_id((*css)->cgroup);
#else
	return KMA_ID_NONE;
#endif
}

/* Find which member of css_set has a task's cgroup: with v1, the one of the memory controller. */
static void kma_group_find_cgroups(void)
{
#ifdef CONFIG_CGROUPS
	size_t at = offsetof(struct css_set, dfl_cgrp);

#ifdef CONFIG_MEMCG
	rcu_read_lock();
	if (task_css_check(current, memory_cgrp_id, true)->cgroup->root != &cgrp_dfl_root)
		at = offsetof(struct css_set, subsys[memory_cgrp_id]);
	rcu_read_unlock();
#endif
	WRITE_ONCE(kma_group_at, at);
#endif
}

static kma_group_kept kma_group_kept_of(unsigned int group)
{
	return IS_ENABLED(CONFIG_64BIT) ? kma_class_key_of(group) : group;
}

/*
 * Keep a group for the next event of its cgroup, kind or node. KMA_GROUP_OTHER is not kept, because
 * a number may become free. A cgroup that is not pinned is not kept either: it may be freed, and
 * another cgroup may get its address.
 */
static void kma_group_keep(s64 id, const struct cgroup_subsys_state *css, int node,
			   unsigned int group)
{
	struct kma_group_recent *recent = this_cpu_ptr(&kma_group_recent);

	node = max(node, 0);
	if (node >= KMA_GROUP_NODES || group == KMA_GROUP_OTHER)
		return;
	if (!css) {
		WRITE_ONCE(kma_group_fixed[-id][node], kma_group_kept_of(group));
		return;
	}
	if (kma_groups[group].css != css)
		return;
	if (recent->css != css) {
		*recent = (struct kma_group_recent){};
		WRITE_ONCE(recent->css, css);
	}
	recent->kept[node] = kma_group_kept_of(group);
}

static unsigned int kma_group_slow(unsigned long addr, unsigned int charged)
{
	bool node_on = static_key_enabled(&kma_group_node);
	struct cgroup_subsys_state *css = NULL;
	int node = KMA_NODE_NONE;
	s64 id = KMA_ID_NONE;
	unsigned int group;

	if (READ_ONCE(kma_group_cgroup))
		id = kma_group_id(&css);
	else if (!node_on)
		return KMA_GROUP_NONE;
	if (node_on && addr)
		node = kma_group_node_of(addr);
	group = kma_group_find(id, node, css);
	/* an object without an address belongs to no node, so its group is not kept */
	if (addr || !node_on)
		kma_group_keep(id, css, node, group);
	/* reports leave the bit of the root's own group out, but not that of [other] */
	if (!css || (id == KMA_ID_ROOT && group == KMA_GROUP_OTHER))
		charged = 0;
	return group | charged;
}

void kma_group_forget(void)
{
	int cpu, i;

	for_each_possible_cpu(cpu)
		WRITE_ONCE(per_cpu(kma_group_recent, cpu).css, NULL);
	/* each word by one store, because events go on */
	for (i = 0; i < KMA_GROUP_FIXED * KMA_GROUP_NODES; i++)
		WRITE_ONCE(kma_group_fixed[i % KMA_GROUP_FIXED][i / KMA_GROUP_FIXED], 0);
}

void kma_group_switch(bool cgroup, bool node)
{
	kma_group_find_cgroups();
	WRITE_ONCE(kma_group_cgroup, cgroup);
	if (node)
		static_branch_enable(&kma_group_node);
	else
		static_branch_disable(&kma_group_node);
	kma_group_use(cgroup || node ? kma_group_slow : NULL);
}

static size_t kma_group_index_bytes(void)
{
	return sizeof(struct kma_group_index) +
	       2 * roundup_pow_of_two(kma_group_room) * sizeof(u16);
}

static struct kma_group_index *kma_group_index_create(void)
{
	struct kma_group_index *index = kma_budget_zalloc(kma_group_index_bytes(), NUMA_NO_NODE);

	if (index)
		index->mask = 2 * roundup_pow_of_two(kma_group_room) - 1;
	return index;
}

int kma_group_reserve(void (*wake)(void))
{
	if (kma_groups)
		return 0;
	kma_group_wake = wake;
	kma_group_room = KMA_GROUP_FIRST + kma_max_cgroups;
	kma_group_next = KMA_GROUP_FIRST;
	kma_group_unused = 0;
	kma_group_full = false;
	kma_group_index = kma_group_index_create();
	kma_groups = kma_budget_zalloc(kma_group_room * sizeof(*kma_groups), NUMA_NO_NODE);
	if (kma_groups && kma_group_index) {
		kma_groups[KMA_GROUP_OTHER].id = KMA_ID_OTHER;
		return 0;
	}
	kma_group_release();
	return -ENOMEM;
}

void kma_group_release(void)
{
	unsigned int nr;

	/* neither switch was ever on: there is no table, and its size is not known */
	if (!kma_group_room)
		return;
	for (nr = 0; kma_groups && nr < kma_group_nr(); nr++)
		kma_group_free(nr);
	kma_budget_free(kma_group_index, kma_group_index_bytes());
	kma_budget_free(kma_groups, kma_group_room * sizeof(*kma_groups));
	kma_group_index = NULL;
	kma_groups = NULL;
	kma_group_next = 0;
}

unsigned int kma_group_nr(void)
{
	/* Pairs with the smp_store_release() in kma_group_add(). */
	return smp_load_acquire(&kma_group_next);
}

int kma_group_hide(const u16 *dead, void (*wait)(void))
{
	struct kma_group_index *index = kma_group_index_create(), *old = kma_group_index;
	unsigned long flags;
	unsigned int nr;

	if (!index)
		return -ENOMEM;
	/* the lock for each group: irqs must not be off for all of them; new groups are in both */
	kma_lock_irqsave(&kma_group_lock, flags);
	kma_group_copy = index;
	kma_unlock_irqrestore(&kma_group_lock, flags);
	for (nr = KMA_GROUP_FIRST; nr < kma_group_nr(); nr++) {
		kma_lock_irqsave(&kma_group_lock, flags);
		if (kma_groups[nr].used && !dead[nr])
			kma_group_enter(index, nr);
		else
			kma_groups[nr].hidden = true;
		kma_unlock_irqrestore(&kma_group_lock, flags);
	}
	kma_lock_irqsave(&kma_group_lock, flags);
	kma_group_copy = NULL;
	/* Publishes the contents; pairs with the READ_ONCE() in kma_group_find(). */
	smp_store_release(&kma_group_index, index);
	kma_unlock_irqrestore(&kma_group_lock, flags);
	wait();
	kma_budget_free(old, kma_group_index_bytes());
	kma_group_forget();
	wait();
	return 0;
}

void kma_group_set_path(struct kma_group *g, const char *path)
{
	size_t bytes = strlen(path) + 1, sum = kma_group_path_bytes + bytes;
	size_t more = PAGE_ALIGN(sum) - PAGE_ALIGN(kma_group_path_bytes);

	if (more && !kma_budget_take(more))
		return;
	g->path = kstrdup(path, GFP_KERNEL);
	if (!g->path) {
		kma_budget_give(more);
		return;
	}
	g->path_bytes = bytes;
	kma_group_path_bytes = sum;
}

void kma_group_unpin(struct kma_group *g)
{
#ifdef CONFIG_CGROUPS
	if (g->css)
		css_put(g->css);
#endif
	g->css = NULL;
}

void kma_group_free(unsigned int nr)
{
	struct kma_group *g = &kma_groups[nr];
	unsigned long flags;
	size_t sum;

	kma_group_unpin(g);
	kfree(g->path);
	sum = kma_group_path_bytes - g->path_bytes;
	kma_budget_give(PAGE_ALIGN(kma_group_path_bytes) - PAGE_ALIGN(sum));
	kma_group_path_bytes = sum;
	g->path = NULL;
	g->path_bytes = 0;
	/* the lock: an event that finds no number sets kma_group_full before, or finds this one */
	kma_lock_irqsave(&kma_group_lock, flags);
	if (g->used) {
		g->node = kma_group_unused;
		kma_group_unused = nr;
	}
	g->used = false;
	WRITE_ONCE(kma_group_full, false);
	kma_unlock_irqrestore(&kma_group_lock, flags);
}

size_t kma_group_memory(void)
{
	if (!kma_groups)
		return 0;
	return kma_group_index_bytes() + kma_group_room * sizeof(*kma_groups) +
	       kma_group_path_bytes;
}
