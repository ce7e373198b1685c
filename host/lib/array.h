/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * array.h - arrays that grow one element at a time, and sorted arrays. The owner keeps the pointer,
 * the number of elements and the room; the room doubles, so that n elements are moved fewer than 2n
 * times.
 */
#ifndef KMA_LIB_ARRAY_H
#define KMA_LIB_ARRAY_H

#include <stdbool.h>
#include <stdlib.h>

/**
 * kma_array_room() - make room for one more element at the end of an array
 * @array: variable with the elements, NULL or memory for realloc(); may move
 * @nr: number of elements in use
 * @room: variable with the number of elements that the memory holds
 *
 * New memory is not cleared. Each argument is evaluated more than once.
 *
 * Return: true if @array has room for element number @nr; false, with nothing changed, if memory
 * is out or the type of @room cannot hold twice its value.
 */
#define kma_array_room(array, nr, room)                                                      \
	({                                                                                   \
		bool kma_has_room = (nr) < (room);                                           \
		if (!kma_has_room) {                                                         \
			size_t kma_more = (room) ? 2 * (size_t)(room) : 8;                   \
			void *kma_moved = NULL;                                              \
			if ((typeof(room))kma_more == kma_more)                              \
				kma_moved = reallocarray(array, kma_more, sizeof(*(array))); \
			kma_has_room = kma_moved;                                            \
			if (kma_has_room) {                                                  \
				(array) = kma_moved;                                         \
				(room) = kma_more;                                           \
			}                                                                    \
		}                                                                            \
		kma_has_room;                                                                \
	})

/**
 * kma_array_search() - find a place in a sorted array, by bisection
 * @nr: number of elements
 * @i: name of an index, for @before
 * @before: expression with @i: is element @i before the place? If it is, so are all below it.
 *
 * Return: number of elements that are before the place: the index of the first that is not, or @nr.
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
