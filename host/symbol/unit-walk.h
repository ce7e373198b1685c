/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unit-walk.h - call a function for each compilation unit of a file, in several threads.
 *
 * Each thread has its own handle of libdw and goes through all units in order, but reads only the
 * units whose number it took from a counter. A module is relocated by libdwfl, and read in one
 * thread; modules are small.
 *
 * Locking: two threads must not use the same handle of libdw. An atomic counter assigns the units.
 * The functions of a walk get the data of their thread, and are called for no other thread's. The
 * threads are joined before kma_unit_walk() returns.
 */
#ifndef KMA_SYMBOL_UNIT_WALK_H
#define KMA_SYMBOL_UNIT_WALK_H

#include <elfutils/libdw.h>
#include <stdint.h>

#include "image.h"
#include "lib/err.h"

#define KMA_UNIT_THREADS 8 /* most threads of a walk */

struct kma_unit_walk {
	const struct kma_image *image;
	unsigned int nr_threads;	 /* from kma_unit_threads() */
	void *threads[KMA_UNIT_THREADS]; /* data of each thread, passed to the functions */

	/*
	 * Of a module: called first, by the only thread. The debugging information has the address
	 * of a section at its sh_addr in @elf plus @bias.
	 */
	struct kma_err *(*place)(void *thread, struct Elf *elf, uint64_t bias);
	/*
	 * Called for each handle of libdw; pointers to entries and names are of one. May be NULL.
	 */
	void (*begin)(void *thread);
	/*
	 * Called for each unit, except units of types and partial ones. @split is the entry of the
	 * unit's split part (.dwo); it is @die if there is none or if it was not found.
	 */
	struct kma_err *(*unit)(void *thread, uint32_t number, Dwarf_Die *die, Dwarf_Die *split);
	/* Called at the end of each thread. May be NULL. */
	struct kma_err *(*end)(void *thread);

	uint64_t missing; /* result: units that are corrupt, or whose split part was not found */
};

/* 1 for a module, otherwise one for each CPU, at most KMA_UNIT_THREADS. */
unsigned int kma_unit_threads(const struct kma_image *image);

/*
 * Reads the units of a file, up to the first error of a function. An error of kind
 * KMA_ERR_NOT_FOUND means that a module has no debugging information, neither in the file nor where
 * packages put it.
 */
struct kma_err *kma_unit_walk(struct kma_unit_walk *walk);

#endif /* KMA_SYMBOL_UNIT_WALK_H */
