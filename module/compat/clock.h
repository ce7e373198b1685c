/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock.h - the counter of the machine, and whether it is the kernel's clocksource.
 *
 * For the clock of the event log alone. The counter is read in program order, so the time of
 * a free is never earlier than the time at which this CPU saw the object from another CPU.
 */
#ifndef KMA_COMPAT_CLOCK_H
#define KMA_COMPAT_CLOCK_H

#include <linux/ktime.h>
#include <linux/types.h>

#if defined(CONFIG_X86)
#include <asm/msr.h>
#include <asm/tsc.h>

#define KMA_HAS_COUNTER	1

static __always_inline u64 kma_counter(void)
{
	return rdtsc_ordered();
}

/* 0 if the counter was never calibrated, or must not be used. */
static inline u64 kma_counter_rate(void)
{
	return 1000ull * tsc_khz;
}
#elif defined(CONFIG_ARM64)
#include <linux/timex.h>
#include <asm/arch_timer.h>

#define KMA_HAS_COUNTER	1

/* get_cycles() works around the errata of the machine. */
static __always_inline u64 kma_counter(void)
{
	return get_cycles();
}

static inline u64 kma_counter_rate(void)
{
	return arch_timer_get_cntfrq();
}
#elif defined(CONFIG_ARM) && defined(CONFIG_ARM_ARCH_TIMER)
#include <asm/arch_timer.h>
#include <asm/cputype.h>

#define KMA_HAS_COUNTER	1

/* get_cycles() returns only the lower half of the counter. */
static __always_inline u64 kma_counter(void)
{
	return arch_timer_read_counter();
}

/* 0 if the CPU has no generic timer, as Cortex-A9: reading it is an undefined instruction. */
static inline u64 kma_counter_rate(void)
{
	return cpuid_feature_extract(CPUID_EXT_PFR1, 16) ? arch_timer_get_cntfrq() : 0;
}
#else
#define KMA_HAS_COUNTER	0

static __always_inline u64 kma_counter(void)
{
	return 0;
}

static inline u64 kma_counter_rate(void)
{
	return 0;
}
#endif

/* Read the kernel's clocksource. */
static inline u64 kma_clocksource_cycles(void)
{
	struct system_time_snapshot snapshot;

#ifdef KMA_SNAPSHOT_REAL
	/* Up to v7.1 the snapshot always includes the real time. */
	ktime_get_snapshot(&snapshot);
#else
	ktime_get_snapshot_id(CLOCK_REALTIME, &snapshot);
#endif
	return snapshot.cycles;
}

#endif /* KMA_COMPAT_CLOCK_H */
