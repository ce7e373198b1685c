/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * grown.h - what the workers do when they may go on, for tests that are no work items.
 */
#ifndef KMA_TEST_GROWN_H
#define KMA_TEST_GROWN_H

#include <linux/errno.h>

#include "account/area.h"
#include "account/class.h"
#include "account/live.h"
#include "shim.h"

/* The map grows as far as it can, with a grace period before each step that needs one. */
static inline int map_grow(void)
{
	int err;

	while ((err = kma_live_grow()) == -EAGAIN)
		kma_area_drain();
	kma_area_drain();
	return err;
}

/* A run of the worker that gives back, without a bound of its walks. */
static inline int map_shrink(bool hard)
{
	bool look = true;
	int err;

	while ((err = kma_live_shrink(hard, look)) == -EAGAIN || err == -EINPROGRESS) {
		look &= err == -EAGAIN;
		kma_area_drain();
	}
	kma_area_drain();
	return err;
}

static bool map_asked;	/* the worker of the map is woken */

static inline void map_wake(void)
{
	WRITE_ONCE(map_asked, true);
}

/* What the worker does when it is woken; called between two events. */
static inline void map_serve(void)
{
	if (__atomic_exchange_n(&map_asked, false, __ATOMIC_SEQ_CST))
		map_grow();
}

/* What the work item does that waits for the workers. */
static inline void map_pass(void)
{
	u64 last = kma_area_last();

	if (kma_area_passed(last))
		return;
	synchronize_rcu();
	kma_area_settle(last);
}

static inline int classes_grow(void)
{
	int err;

	while ((err = kma_class_grow()) == -EAGAIN)
		kma_area_drain();
	return err;
}

#endif /* KMA_TEST_GROWN_H */
