// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock.c - the clock of the event log.
 *
 * The design is in clock.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/sched/clock.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "log/clock.h"

/* Names by the number of the clock plus one; the first is auto. */
#define KMA_CLOCK_AUTO	0
#define KMA_CLOCK_NAME(id)	((id) + 1)

static const char *const kma_clock_names[] = {
	[KMA_CLOCK_AUTO] = "auto",
	[KMA_CLOCK_NAME(KMA_LOG_CLOCK_LOCAL)] = "local",
	[KMA_CLOCK_NAME(KMA_LOG_CLOCK_MONO)] = "mono",
	[KMA_CLOCK_NAME(KMA_LOG_CLOCK_COUNTER)] = "counter",
};

DEFINE_STATIC_KEY_TRUE(kma_clock_key);
static unsigned int kma_clock_asked = KMA_CLOCK_AUTO;
static enum kma_log_clock kma_clock_id = KMA_LOG_CLOCK_COUNTER;
static DEFINE_PER_CPU(u64, kma_clock_last);

__cold int kma_clock_set(const char *name)
{
	int i = sysfs_match_string(kma_clock_names, name);

	if (i < 0)
		return i;
	WRITE_ONCE(kma_clock_asked, i);
	return 0;
}

__cold const char *kma_clock_get(void)
{
	return kma_clock_names[READ_ONCE(kma_clock_asked)];
}

/* Check whether the counter is the clocksource of the kernel. */
static __cold bool kma_clock_is_kept_by_counter(void)
{
	u64 before, between, after;
	unsigned long flags;

	local_irq_save(flags);
	before = kma_counter();
	between = kma_clocksource_cycles();
	after = kma_counter();
	local_irq_restore(flags);
	return before && before <= between && between <= after;
}

__cold int kma_clock_pick(enum kma_log_clock *id)
{
	unsigned int asked = READ_ONCE(kma_clock_asked);
	bool good = kma_counter_rate() && kma_clock_is_kept_by_counter();

	if (asked == KMA_CLOCK_AUTO) {
		*id = good ? KMA_LOG_CLOCK_COUNTER : KMA_LOG_CLOCK_MONO;
		return 0;
	}
	*id = asked - KMA_CLOCK_NAME(0);
	if (*id != KMA_LOG_CLOCK_COUNTER)
		return 0;
	if (!kma_counter_rate()) {
		pr_err("log_clock=counter: no supported counter on this machine\n");
		return -EINVAL;
	}
	if (!good)
		pr_warn("log_clock=counter: not the kernel's clocksource; timestamps may differ between CPUs\n");
	return 0;
}

/*
 * ktime_get_mono_fast_ns() needs no lock, and so may go back by some ns when the rate is
 * adjusted.
 */
static u64 kma_clock_mono(void)
{
	unsigned long flags;
	u64 now;

	local_irq_save(flags);
	now = max(ktime_get_mono_fast_ns(), __this_cpu_read(kma_clock_last));
	__this_cpu_write(kma_clock_last, now);
	local_irq_restore(flags);
	return now;
}

u64 kma_clock_now(void)
{
	switch (kma_clock_id) {
	case KMA_LOG_CLOCK_COUNTER:
		return kma_counter();
	case KMA_LOG_CLOCK_MONO:
		return kma_clock_mono();
	default:
		return local_clock();
	}
}

__cold void kma_clock_begin(enum kma_log_clock id, struct kma_log_header *h)
{
	bool counter = id == KMA_LOG_CLOCK_COUNTER;
	unsigned long flags;

	kma_clock_id = id;
	if (counter)
		static_branch_enable(&kma_clock_key);
	else
		static_branch_disable(&kma_clock_key);
	h->clock = id;
	h->version = counter ? KMA_LOG_VERSION : KMA_LOG_VERSION_NS;
	h->rate = counter ? kma_counter_rate() : NSEC_PER_SEC;
	/* interrupts are off, so that the clocks are read at one moment */
	local_irq_save(flags);
	h->start = kma_clock_now();
	h->mono = ktime_get_mono_fast_ns();
	h->wall = ktime_get_real_ns();
	local_irq_restore(flags);
}

void kma_clock_stamp(struct kma_log_bound *b)
{
	unsigned long flags;

	b->clock = kma_clock_id;
	/* interrupts are off, so that the clocks are read at one moment */
	local_irq_save(flags);
	b->time = kma_clock_now();
	b->mono = ktime_get_mono_fast_ns();
	b->wall = ktime_get_real_ns();
	local_irq_restore(flags);
}
