// SPDX-License-Identifier: GPL-2.0-only
/*
 * pressure.c - releases memory of the live map: slowly, or at once when memory is short.
 *
 * The design is in pressure.h.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "account/live.h"
#include "compat/shrinker.h"
#include "compat/workqueue.h"
#include "growth.h"
#include "guard/serial.h"
#include "pressure.h"

#define KMA_PRESSURE_INTERVAL	(4 * HZ)
/*
 * Walks of a run: one looks for arrays without objects, one takes those out that still have none,
 * and two release them. Events may always leave more to do: that is for the next run.
 */
#define KMA_PRESSURE_WALKS	4

static unsigned int kma_pressure_asked;	/* the kernel has requested memory */
static unsigned long kma_pressure_ran;	/* jiffies when the work item began */
static struct shrinker *kma_shrinker;

/* A run of the work item, which takes several calls. */
static struct {
	bool goes_on;
	bool hard;		/* the kernel has requested it */
	unsigned int walks;
} kma_run;

static void kma_pressure_work_fn(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(kma_pressure_work, kma_pressure_work_fn);

/*
 * A step at a time, unless the kernel waits for memory. To a worker that has slept the scheduler
 * gives some milliseconds before others of its CPU, which cond_resched() does not take back.
 */
static void kma_pressure_work_fn(struct work_struct *work)
{
	int err;

	if (!kma_run.goes_on) {
		kma_run.hard = xchg(&kma_pressure_asked, 0);
		kma_run.walks = 0;
		WRITE_ONCE(kma_pressure_ran, jiffies);
	}
	do {
		kma_serial_lock();
		err = kma_growth_asked() ? -EBUSY : kma_live_shrink(kma_run.hard, !kma_run.walks);
		kma_serial_unlock();
		if (err != -EAGAIN) {
			kma_growth_pass();
			kma_run.walks++;
		}
		kma_run.goes_on = err == -EAGAIN ||
				  (err == -EINPROGRESS && kma_run.walks < KMA_PRESSURE_WALKS);
		cond_resched();
	} while (kma_run.goes_on && (kma_run.hard || READ_ONCE(kma_pressure_asked)));
	queue_delayed_work(kma_unbound_wq, &kma_pressure_work,
			   kma_run.goes_on ? 1 : KMA_PRESSURE_INTERVAL);
}

static bool kma_pressure_due(void)
{
	return !time_before(jiffies, READ_ONCE(kma_pressure_ran) + HZ);
}

/*
 * The excess is that of the last look. If that is a second old, any part of the map may be free
 * by now: offer all of it, and let the next look find out.
 */
static unsigned long kma_pressure_count(struct shrinker *shrinker, struct shrink_control *sc)
{
	if (kma_pressure_due())
		return kma_live_pages() ?: SHRINK_EMPTY;
	return kma_live_excess() ?: SHRINK_EMPTY;
}

/* At most once a second: the kernel requests memory far more often when it is short. */
static unsigned long kma_pressure_scan(struct shrinker *shrinker, struct shrink_control *sc)
{
	if (!kma_pressure_due())
		return SHRINK_STOP;
	if (!READ_ONCE(kma_pressure_asked) && !xchg(&kma_pressure_asked, 1))
		mod_delayed_work(kma_unbound_wq, &kma_pressure_work, 0);
	return SHRINK_STOP;
}

void kma_pressure_start(void)
{
	queue_delayed_work(kma_unbound_wq, &kma_pressure_work, KMA_PRESSURE_INTERVAL);
	if (kma_shrinker)
		return;
	kma_shrinker = kma_shrinker_alloc();
	if (!kma_shrinker)
		return;
	kma_shrinker->count_objects = kma_pressure_count;
	kma_shrinker->scan_objects = kma_pressure_scan;
	kma_shrinker->seeks = DEFAULT_SEEKS;
	if (kma_shrinker_register(kma_shrinker)) {
		kma_shrinker_drop(kma_shrinker);
		kma_shrinker = NULL;
	}
}

void kma_pressure_stop(void)
{
	if (kma_shrinker)
		kma_shrinker_free(kma_shrinker);
	kma_shrinker = NULL;
	cancel_delayed_work_sync(&kma_pressure_work);
	kma_run.goes_on = false;
}
