// SPDX-License-Identifier: GPL-2.0-only
/*
 * growth.c - the worker that lets the live map grow.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>

#include "account/area.h"
#include "account/class.h"
#include "account/live.h"
#include "compat/workqueue.h"
#include "growth.h"
#include "guard/serial.h"

#define KMA_GROW_RETRY		(HZ / 50)	/* while a CPU goes online or offline */

/* Not a bool: not every architecture exchanges single bytes. */
static unsigned int kma_grow_asked;
static bool kma_grow_refused;			/* the last run got no memory */
static bool kma_grow_waits;			/* the last run could not go on */
static bool kma_grow_ends;			/* kma_growth_stop() runs */
static struct workqueue_struct *kma_grow_wq;	/* NULL: use that of the kernel */

static void kma_grow(struct work_struct *work);
static DECLARE_DELAYED_WORK(kma_grow_work, kma_grow);

static void kma_grace(struct work_struct *work);
static DECLARE_WORK(kma_grace_work, kma_grace);

static struct workqueue_struct *kma_grow_queue(void)
{
	return READ_ONCE(kma_grow_wq) ?: kma_unbound_wq;
}

/* Run the worker now, also if it is to run later. */
static void kma_grow_now(void)
{
	mod_delayed_work(kma_grow_queue(), &kma_grow_work, 0);
}

static void kma_grow_irq(struct irq_work *work)
{
	kma_grow_now();
}

static DEFINE_IRQ_WORK(kma_grow_irq_work, kma_grow_irq);

void kma_growth_wake(void)
{
	if (!READ_ONCE(kma_grow_asked) && !xchg(&kma_grow_asked, 1))
		irq_work_queue(&kma_grow_irq_work);
}

bool kma_growth_asked(void)
{
	return READ_ONCE(kma_grow_asked) && !READ_ONCE(kma_grow_refused);
}

/*
 * If memory is refused, the worker queues itself for a second later, so events need not
 * request growth. A map of full size stops requesting (live.c), but classes may still grow.
 * While a CPU goes online or offline, classes do not grow: the worker tries again soon.
 */
static void kma_grow(struct work_struct *work)
{
	int classes, map;
	bool refused, before, pass;

	kma_serial_lock_map();
	before = !kma_area_passed(kma_area_last());
	/* Clear the request before growing: a request from here on queues the worker again. */
	smp_store_mb(kma_grow_asked, 0);
	/* the map first, because events take its spare memory */
	map = kma_live_grow();
	classes = kma_class_grow();
	refused = classes == -ENOMEM || map == -ENOMEM;
	WRITE_ONCE(kma_grow_refused, refused);
	if (refused)
		WRITE_ONCE(kma_grow_asked, 1);
	/* what was to be released before is in the budget until a grace period has ended */
	WRITE_ONCE(kma_grow_waits, map == -EAGAIN || classes == -EAGAIN || (refused && before));
	pass = !kma_area_passed(kma_area_last());
	kma_serial_unlock_map();
	if (refused || classes == -EBUSY)
		queue_delayed_work(kma_grow_queue(), &kma_grow_work, refused ? HZ : KMA_GROW_RETRY);
	if (pass)
		queue_work(kma_grow_queue(), &kma_grace_work);
}

void kma_growth_pass(void)
{
	u64 last;
	bool pass;

	kma_serial_lock_map();
	last = kma_area_last();
	pass = !kma_area_passed(last);
	kma_serial_unlock_map();
	if (!pass)
		return;
	/* not expedited, because nobody waits for it */
	synchronize_rcu();
	kma_serial_lock_map();
	kma_area_settle(last);
	kma_serial_unlock_map();
}

static void kma_grace(struct work_struct *work)
{
	kma_growth_pass();
	if (READ_ONCE(kma_grow_waits) && !READ_ONCE(kma_grow_ends))
		kma_grow_now();
}

void kma_growth_allow(bool on)
{
	WRITE_ONCE(kma_grow_refused, false);
	WRITE_ONCE(kma_grow_asked, !on);
}

void kma_growth_start(void)
{
	/* without its own queue the worker runs on that of the kernel */
	if (!kma_grow_wq)
		WRITE_ONCE(kma_grow_wq,
			   alloc_workqueue("kmem_account", WQ_UNBOUND | WQ_HIGHPRI, 2));
	kma_grow_now();
}

void kma_growth_settle(void)
{
	/* irq_work_sync() supports one waiting task */
	kma_serial_lock();
	irq_work_sync(&kma_grow_irq_work);
	kma_serial_unlock();
	do {
		flush_delayed_work(&kma_grow_work);
		flush_work(&kma_grace_work);
	} while (READ_ONCE(kma_grow_waits));
}

void kma_growth_stop(void)
{
	irq_work_sync(&kma_grow_irq_work);
	WRITE_ONCE(kma_grow_ends, true);
	/* each may queue the other one; the second one of these no longer does */
	cancel_work_sync(&kma_grace_work);
	cancel_delayed_work_sync(&kma_grow_work);
	cancel_work_sync(&kma_grace_work);
	WRITE_ONCE(kma_grow_waits, false);
	WRITE_ONCE(kma_grow_ends, false);
	if (kma_grow_wq)
		destroy_workqueue(kma_grow_wq);
	kma_grow_wq = NULL;
}
