/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * array.h - arrays that grow one element at a time, arrays of elements by number, and bisection in sorted
 * arrays. The owner of a growing array has three variables: the pointer, the number of elements in use,
 * and the number of allocated elements. The latter doubles, so n additions copy fewer than 2n elements.
 */
#ifndef KMA_LIB_ARRAY_H
#define KMA_LIB_ARRAY_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"

/**
 * kma_array_room() - make sure that an array has space for one more element
 * @array: variable with the elements, NULL or from malloc(); may be moved
 * @nr: number of elements in use
 * @room: variable with the number of allocated elements
 *
 * New memory is not cleared. Each argument is evaluated more than once. Without memory, or if the
 * type of @room cannot hold twice its value, the program ends.
 */
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

/**
 * kma_array_reach() - make sure that an array has the element of a number
 * @array: variable with the elements, NULL or from malloc(); may be moved
 * @room: variable with the number of allocated elements, all of which are in use
 * @number: of the element, from 0
 *
 * New elements are zero. Otherwise as kma_array_room().
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

/**
 * kma_array_search() - find the first element of a sorted array that does not satisfy a condition
 * @nr: number of elements
 * @i: name of a variable for @before
 * @before: expression that is the condition for element @i. The elements that satisfy it must be
 *	before all others
 *
 * Return: index of the first element that does not satisfy @before; @nr if all do.
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
