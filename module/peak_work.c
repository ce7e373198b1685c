// SPDX-License-Identifier: GPL-2.0-only
/*
 * peak_work.c - samples the peaks (peak.h) at regular intervals.
 */
#include <linux/jiffies.h>
#include <linux/kernel.h>

#include "account/live.h"
#include "account/peak.h"
#include "compat/workqueue.h"
#include "guard/serial.h"
#include "peak_work.h"

/* Samples take at most this fraction of the time of a CPU: 1 / KMA_LOOK_SHARE. */
#define KMA_LOOK_SHARE		1000
#define KMA_LOOK_STRETCH	10

unsigned int kma_peak_ms = 100;

static void kma_look(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(kma_look_work, kma_look);

static void kma_look_after(u64 ns)
{
	/* 64 bits, because ten intervals may be more than 2^32 jiffies */
	u64 interval = msecs_to_jiffies(kma_peak_ms);
	u64 rest = nsecs_to_jiffies(ns * KMA_LOOK_SHARE);

	if (kma_peak_ms)
		queue_delayed_work(kma_unbound_wq, &kma_look_work,
				   clamp(rest, interval, KMA_LOOK_STRETCH * interval));
}

static void kma_look(struct work_struct *work)
{
	kma_serial_lock();
	if (kma_live_is_open())
		kma_look_after(kma_peak_look());
	kma_serial_unlock();
}

void kma_peak_work_start(void)
{
	kma_look_after(0);
}

void kma_peak_work_stop(void)
{
	cancel_delayed_work_sync(&kma_look_work);
}
