// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-look.c - the intervals between two samples of the peaks.
 */
#include "account/live.h"
#include "ktap.h"
#include "shim.h"

struct work_struct {
	void (*fn)(struct work_struct *work);
};

struct delayed_work {
	struct work_struct work;
};

struct workqueue_struct;

#define HZ			1000ul
#define MAX_JIFFY_OFFSET	((~0ul >> 2) - 1)
#define system_dfl_wq		NULL
#define DECLARE_DEFERRABLE_WORK(n, f) struct delayed_work n = { .work.fn = f }
#define queue_delayed_work(wq, w, delay) ((void)(w), queued(delay))
#define cancel_delayed_work_sync(w) ((void)(w))
/* as include/linux/minmax.h in v6.1 */
#undef clamp
#define clamp(v, lo, hi)	min(max(v, lo), hi)
/* as kernel/time/time.c with this HZ */
#define msecs_to_jiffies(ms)	((int)(ms) < 0 ? MAX_JIFFY_OFFSET : (unsigned long)(ms))
#define nsecs_to_jiffies(ns)	((unsigned long)((ns) / 1000000))

static unsigned long delay;

static void queued(unsigned long jiffies)
{
	delay = jiffies;
}

#include "peak_work.c"

/* Milliseconds; ten times 429,496,730 is more than 2^32. */
static const unsigned int intervals[] = {
	1, 100, 1000000, 429496729, 429496730, 1000000000, INT_MAX, INT_MAX + 1u, UINT_MAX,
};

TEST(an_interval_however_long)
{
	for (size_t i = 0; i < ARRAY_SIZE(intervals); i++) {
		kma_peak_ms = intervals[i];
		kma_look_after(0);
		EXPECT_EQ(delay, msecs_to_jiffies(intervals[i]));
		/* a sample that took a second is a thousandth of the time */
		kma_look_after(NSEC_PER_SEC);
		EXPECT(delay >= msecs_to_jiffies(intervals[i]));
		EXPECT_EQ(delay, max(min(1000000ul, 10ull * msecs_to_jiffies(intervals[i])),
				     msecs_to_jiffies(intervals[i])));
	}
}

TEST(no_interval_no_samples)
{
	delay = 12345;
	kma_peak_ms = 0;
	kma_look_after(0);
	EXPECT_EQ(delay, 12345);
}

TEST_MAIN()
