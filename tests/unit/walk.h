/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * walk.h - all objects of the live map, one after the other.
 */
#ifndef KMA_TEST_WALK_H
#define KMA_TEST_WALK_H

#include "account/live.h"
#include "account/sized.h"

#define WALK_ROOM	4096

/* Of a map whose numbers are classes; a test of the map alone has its own. */
#ifndef WALK_READ
#define WALK_READ	kma_object_read
#endif

static inline void walk_live(void (*fn)(const struct kma_live_object *object, void *arg), void *arg)
{
	static struct kma_live_object objects[WALK_ROOM];
	u32 homes = kma_live_homes();

	for (u32 home = 0; home < homes; home++) {
		u32 n = WALK_READ(home, homes, objects, WALK_ROOM);

		if (n > WALK_ROOM)
			abort();
		for (u32 i = 0; i < n; i++)
			fn(&objects[i], arg);
	}
}

#endif /* KMA_TEST_WALK_H */
