/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * array.h - arrays that grow one element at a time, arrays of elements by number, and bisection in
 * sorted arrays.
 *
 * The owner of a growing array has three variables: the pointer (NULL or from malloc()), the number
 * of elements in use, and the number of allocated elements. The latter doubles, so n additions copy
 * fewer than 2n elements. If the type of the third variable cannot hold twice its value, the
 * program ends as for lack of memory.
 *
 * The macros evaluate their arguments more than once.
 */
#ifndef KMA_LIB_ARRAY_H
#define KMA_LIB_ARRAY_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"

/* Makes sure that an array has space for one more element, which is not cleared. */
#define kma_array_room(array, nr, room)                                            \
	do {                                                                       \
		if ((nr) >= (room)) {                                              \
			size_t kma_more = (room) ? 2 * (size_t)(room) : 8;         \
			if ((typeof(room))kma_more != kma_more)                    \
				kma_atend_no_memory();                             \
			(array) = kma_xrealloc(array, kma_more, sizeof(*(array))); \
			(room) = kma_more;                                         \
		}                                                                  \
	} while (0)

/*
 * Makes sure that an array has element @number. New elements are zero, and all @room elements are
 * in use.
 */
#define kma_array_reach(array, room, number)                                                 \
	do {                                                                                 \
		if ((number) >= (room)) {                                                    \
			size_t kma_more = (room) ?: 64;                                      \
			while (kma_more <= (number))                                         \
				kma_more *= 2;                                               \
			if ((typeof(room))kma_more != kma_more)                              \
				kma_atend_no_memory();                                       \
			(array) = kma_xrealloc(array, kma_more, sizeof(*(array)));           \
			memset((array) + (room), 0, (kma_more - (room)) * sizeof(*(array))); \
			(room) = kma_more;                                                   \
		}                                                                            \
	} while (0)

/*
 * The first of @nr elements that does not satisfy a condition; @nr if all do. @before is an
 * expression that says whether element @i, a variable that the macro declares, satisfies it. The
 * elements that do must be before all others.
 */
#define kma_array_search(nr, i, before)                                \
	({                                                             \
		size_t kma_low = 0, kma_high = (nr);                   \
		while (kma_low < kma_high) {                           \
			size_t i = kma_low + (kma_high - kma_low) / 2; \
			if (before)                                    \
				kma_low = i + 1;                       \
			else                                           \
				kma_high = i;                          \
		}                                                      \
		kma_low;                                               \
	})

#endif /* KMA_LIB_ARRAY_H */
