/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.h - the paths, ports or names of the objects of a type: a sample, or all, read and grouped.
 *
 * The objects are found in the slabs (census.h), so those that are older than the module are among
 * them, and no module is needed. Each slot that is in use has the same chance to be in the sample,
 * wherever its slab is: reservoir sampling over the walk along all slabs. The sample depends on the
 * order of the slots only, so a dump always gives the same one.
 *
 * The kernel goes on. Each object is read twice, after all others. What differs, and what is on a
 * list of free objects by then, is left out and counted. So the objects of the rows and those that
 * were left out are all objects of the sample.
 *
 * Digits and hashes in a text become "*" (name-pattern.h), so that the files of a program are one row.
 *
 * Memory: 16 bytes for each object of the sample, and each free object of all caches; the rows.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_NAMES_H
#define KMA_HEAP_NAMES_H

#include "lib/arena.h"
#include "lib/notes.h"
#include "name-types.h"
#include "target.h"

struct kma_names_wish {
	struct kma_heap_source source;
	const struct kma_name_type *type;
	unsigned long sample; /* objects; 0: all */
};

struct kma_names_row {
	const char *keys[KMA_NAME_KEYS]; /* NULL: the type has fewer */
	uint64_t objects, flagged;	 /* of the sample; @flagged: those with the type's flag */
	uint32_t len;			 /* bytes of all keys */
	const char *pinned; /* what holds the flagged ones (pins.h); NULL: nothing to say */
};

struct kma_name_sample {
	struct kma_names_row *rows; /* most objects first */
	uint32_t nr, room;
	uint64_t found;	  /* objects in the slabs */
	uint64_t sampled; /* of these, all in a row or left out */
	uint64_t named;	  /* in rows */
	uint64_t changed, freed,
		unknown; /* left out; @unknown: of another type, or not understood */
	struct kma_map by_keys;
	struct kma_arena texts;
	struct kma_notes notes; /* what the result lacks, a sentence each */
};

/*
 * @ret is zeroed. It is an error if there is no permission, a kernel that is not supported, or one
 * that has no such objects.
 */
struct kma_err *kma_names_read(const struct kma_names_wish *wish, struct kma_name_sample *ret);

/* @names may be zeroed. */
void kma_names_deinit(struct kma_name_sample *names);

/*
 * By how much a share of the sample may differ from that of all, at most and with a probability of
 * 95 %: half of Wilson's interval, narrowed for a sample that is a large part of all. @hits of
 * @sample have it. 0 if the sample is all.
 */
double kma_names_error(uint64_t hits, uint64_t sample, uint64_t all);

#endif /* KMA_HEAP_NAMES_H */
