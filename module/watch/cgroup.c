// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup.c - looks up the names of cgroups, and folds the groups of removed cgroups.
 *
 * The design and the locking are in cgroup.h.
 */
#include <linux/cgroup.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "account/class.h"
#include "compat/workqueue.h"
#include "guard/serial.h"
#include "watch/cgroup.h"
#include "watch/group.h"

#define KMA_CGROUP_INTERVAL	(2 * HZ)
#define KMA_CGROUP_PAUSE	(HZ / 50)	/* when there is more to fold */

static bool kma_cgroup_on;

static void kma_cgroup_look(struct work_struct *work);
static DECLARE_DELAYED_WORK(kma_cgroup_work, kma_cgroup_look);

static void kma_cgroup_irq(struct irq_work *work)
{
	mod_delayed_work(kma_unbound_wq, &kma_cgroup_work, 0);
}

static DEFINE_IRQ_WORK(kma_cgroup_irq_work, kma_cgroup_irq);

void kma_cgroup_wake(void)
{
	irq_work_queue(&kma_cgroup_irq_work);
}

#ifdef CONFIG_CGROUPS
/* If memory is refused, the next run of the worker tries again. */
static void kma_cgroup_name(struct kma_group *g, char *buf)
{
	bool known;

	if (!buf)
		return;
	/* the root of a hierarchy of v1 is not pinned: it may be unmounted */
	rcu_read_lock();
	known = cgroup_path(READ_ONCE(g->css->cgroup), buf, PATH_MAX) >= 0;
	rcu_read_unlock();
	if (known)
		kma_group_set_path(g, buf);
}

static void kma_cgroup_names(void)
{
	char *buf = kmalloc(PATH_MAX, GFP_KERNEL);
	unsigned int nr;

	for (nr = KMA_GROUP_FIRST; nr < kma_group_nr(); nr++) {
		struct kma_group *g = &kma_groups[nr];

		if (kma_group_used(g) && g->css && !g->path)
			kma_cgroup_name(g, buf);
	}
	kfree(buf);
}

/*
 * Check whether a group belongs to a cgroup that was removed. The test is that of the kernel's
 * cgroup_is_dead(), which is internal until 7.x. css_is_dying() does not work: from 6.12 stable
 * on it tests CSS_DYING, which a removal sets in the controllers' states and not in ->self. The
 * flag is read in the state, because the root cgroup of v1 is not pinned.
 */
static bool kma_cgroup_is_dead(const struct kma_group *g)
{
	return kma_group_used(g) && g->id > 0 &&
	       (!g->css || !(READ_ONCE(g->css->flags) & CSS_ONLINE));
}
#else
static void kma_cgroup_names(void)
{
}

static bool kma_cgroup_is_dead(const struct kma_group *g)
{
	return false;
}
#endif

/* Check whether a group is dead. Set @found if events still find a dead group. */
static bool kma_cgroup_dead(bool *found)
{
	bool dead = false;
	unsigned int nr;

	for (nr = KMA_GROUP_FIRST; nr < kma_group_nr(); nr++) {
		if (!kma_cgroup_is_dead(&kma_groups[nr]))
			continue;
		dead = true;
		*found = *found || !kma_groups[nr].hidden;
	}
	return dead;
}

/*
 * Set @heir of each dead group to the group that receives its counts. If kma_cgroup_dead() has not
 * @found a group that events find, the index stays as it is. Events still find a cgroup that was
 * removed since then, so it gets no heir before the next look.
 */
static void kma_cgroup_heirs(u16 *heir, bool found)
{
	unsigned long flags;
	unsigned int nr;

	for (nr = KMA_GROUP_FIRST; nr < kma_group_nr(); nr++) {
		if (!kma_cgroup_is_dead(&kma_groups[nr]) || (!found && !kma_groups[nr].hidden))
			continue;
		local_irq_save(flags);
		heir[nr] = kma_group_find(KMA_ID_GONE, kma_groups[nr].node, NULL);
		local_irq_restore(flags);
	}
}

static void kma_cgroup_unpin(const u16 *heir)
{
	unsigned int nr;

	for (nr = KMA_GROUP_FIRST; nr < kma_group_nr(); nr++)
		if (heir[nr])
			kma_group_unpin(&kma_groups[nr]);
}

/*
 * Wait for a grace period, with the map's mutex released: the map and the tables of classes may
 * have to grow meanwhile. Nobody waits for this worker, so the grace period is not expedited.
 */
static void kma_cgroup_wait(void)
{
	kma_serial_unlock_map();
	synchronize_rcu();
	kma_serial_lock_map();
}

/* Fold dead groups. @found: events still find some of them. Return true if more can be folded. */
static bool kma_cgroup_fold(u16 *heir, u32 *left, bool found)
{
	unsigned int nr;
	bool more;

	kma_cgroup_heirs(heir, found);
	if (found && kma_group_hide(heir, kma_cgroup_wait))
		return false;
	kma_cgroup_unpin(heir);
	more = kma_class_fold(heir, left, kma_cgroup_wait);
	for (nr = KMA_GROUP_FIRST; nr < kma_group_nr(); nr++)
		if (heir[nr] && !left[nr])
			kma_group_free(nr);
	return more;
}

static bool kma_cgroup_bury(void)
{
	bool found = false, more = false;
	u16 *heir;
	u32 *left;

	if (!kma_cgroup_dead(&found))
		return false;
	heir = kvcalloc(KMA_CLASS_GROUPS, sizeof(*heir), GFP_KERNEL);
	left = kvcalloc(KMA_CLASS_GROUPS, sizeof(*left), GFP_KERNEL);
	if (heir && left)
		more = kma_cgroup_fold(heir, left, found);
	kvfree(heir);
	kvfree(left);
	return more;
}

static void kma_cgroup_look(struct work_struct *work)
{
	kma_serial_lock();
	if (kma_cgroup_on) {
		kma_cgroup_names();
		/* between two runs the locks are free for growth */
		queue_delayed_work(kma_unbound_wq, &kma_cgroup_work,
				   kma_cgroup_bury() ? KMA_CGROUP_PAUSE : KMA_CGROUP_INTERVAL);
	}
	kma_serial_unlock();
}

void kma_cgroup_start(void)
{
	kma_cgroup_on = true;
	queue_delayed_work(kma_unbound_wq, &kma_cgroup_work, 0);
}

void kma_cgroup_stop(void)
{
	kma_cgroup_on = false;
	irq_work_sync(&kma_cgroup_irq_work);
	cancel_delayed_work_sync(&kma_cgroup_work);
}
