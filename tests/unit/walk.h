/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * walk.h - all objects of the live map, one after the other.
 */
#ifndef KMA_TEST_WALK_H
#define KMA_TEST_WALK_H

#include "account/live.h"

#define WALK_ROOM	4096

static inline void walk_live(void (*fn)(const struct kma_live_object *object, void *arg), void *arg)
{
	static struct kma_live_object objects[WALK_ROOM];

	for (u64 at = kma_live_next(0); at != KMA_LIVE_END; at = kma_live_next(at + 1)) {
		u32 n = kma_live_read(at, objects, WALK_ROOM);

		if (n > WALK_ROOM)
			abort();
		for (u32 i = 0; i < n; i++)
			fn(&objects[i], arg);
	}
}

#endif /* KMA_TEST_WALK_H */
