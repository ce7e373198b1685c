// SPDX-License-Identifier: GPL-2.0-only
/*
 * live.c - map from the address of a live object to its call site, sizes, CPU and kind.
 *
 * A log has up to millions of live objects, and each event of the log looks up one of them. The map
 * therefore has to be compact, and must not stop to copy itself when it grows. It uses extendible
 * hashing (Fagin, Nievergelt, Pippenger and Strong, ACM TODS 4(3), 1979):
 *
 *	hash of the address -- top bits --> directory --> segment of 4,096 entries
 *	                    -- bits 16-27 -------------> first slot to try in the segment
 *
 * A segment is an open-addressing table with linear probing. When three quarters of its slots are
 * used, it is split: the next bit of the hash decides which entries move to a new segment. The map
 * thus grows by 64 KiB at a time. If a segment already uses all bits of the directory, the
 * directory doubles; a segment that lacks n of these bits is in 2^n consecutive slots of the
 * directory.
 *
 * A removal moves later entries back (Knuth, TAOCP 3, 6.4, algorithm R). There are no tombstones,
 * so lookups stay fast however many events there were. Segments are never merged: the map keeps the
 * size of its largest content.
 *
 * An entry has two words (struct kma_live_entry). What does not fit into them is stored elsewhere:
 *
 * - Regions. An entry has the low 40 bits of the address and a number for the upper 24 bits, which
 *   the map assigns in order of appearance. A kernel uses few regions of 1 TiB. Objects in the
 *   256th and later regions become strays.
 * - Wide sizes. If the requested bytes or the slack are 1 MiB or more, both sizes are in the array
 *   kma_live.wide, and the entry has their position.
 * - Strays. They are in a binary tree (tsearch(3)), with two calls of malloc() and about 56 bytes
 *   of payload each. An object is also a stray if its segment is full and cannot be split:
 *   addresses with equal hashes must not double the directory for ever.
 *
 * An address is either in its segment or in the tree, never in both. A segment always has free
 * slots, so each search ends.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "live.h"

#define KMA_SLOTS	 4096U		     /* in a segment; a power of two */
#define KMA_SLOTS_USED	 (KMA_SLOTS / 4 * 3) /* A segment with so many entries is split. */
#define KMA_LOW_BITS	 40		     /* of an address that an entry stores */
#define KMA_REGIONS	 255		     /* that have a number: 8 bits, and 0 is none */
#define KMA_REGION_SLOTS 1024		     /* four times the regions: searches are short */
#define KMA_SIZE_BITS	 20
#define KMA_SIZE_MASK	 ((1U << KMA_SIZE_BITS) - 1)

/*
 * An entry, from the lowest bit up:
 *
 *	where	40 low bits of the address, 8 number of its region, 16 CPU
 *	what	20 site, 3 kind, 1 wide = 0, 20 requested bytes, 20 slack (bytes beyond these)
 *	what	20 site, 3 kind, 1 wide = 1, 32 position in kma_live.wide plus 1, 8 unused
 *
 * Numbers of regions start at 1, so @where is 0 only in a free slot. The lower 48 bits of @where
 * identify the address; the hash is over these.
 */
struct kma_live_entry {
	uint64_t where;
	uint64_t what;
};

#define KMA_WHERE_BITS	48
#define KMA_WHERE_MASK	((1UL << KMA_WHERE_BITS) - 1)
#define KMA_KIND_SHIFT	20
#define KMA_WIDE	(1UL << 23)
#define KMA_REQ_SHIFT	24
#define KMA_SLACK_SHIFT (KMA_REQ_SHIFT + KMA_SIZE_BITS)

struct kma_segment {
	uint32_t used;	/* entries, at most KMA_SLOTS_USED */
	uint32_t depth; /* number of top bits of the hash that all its entries share */
	struct kma_live_entry entries[KMA_SLOTS];
};

/* A slot of the table that numbers regions. */
struct kma_region {
	uint32_t high;	 /* upper 24 bits of the addresses in the region */
	uint32_t number; /* from 1 up; 0: the slot is free */
};

/* Sizes of an object that do not fit into its entry. */
struct kma_wide {
	uint64_t req, alloc; /* bytes */
	uint32_t next;	     /* of a free element: the next free one, as kma_live.free_wide */
};

/* An object outside the segments: a node of the tree of strays. */
struct kma_stray {
	uint64_t ptr;
	struct kma_live_object object;
};

struct kma_live {
	struct kma_segment **dir;    /* 1 << dir_bits slots */
	unsigned int dir_bits;	     /* number of top bits of the hash that choose a slot */
	size_t nr_segments;	     /* different segments in the directory */
	size_t count;		     /* objects, including strays */
	struct kma_segment *scratch; /* copy of a segment while it is split */
	unsigned int nr_regions;
	struct kma_region regions[KMA_REGION_SLOTS];
	struct kma_wide *wide;
	uint32_t nr_wide, room_wide; /* elements of @wide that were ever used, and allocated */
	uint32_t free_wide; /* position plus 1 of the first free element; 0: none is free */
	void *strays;	    /* root of tsearch(3), by address */
	size_t nr_strays;
};

struct kma_live *kma_live_create(void)
{
	struct kma_live *live = kma_xcalloc(1, sizeof(*live));

	live->dir = kma_xcalloc(1, sizeof(*live->dir));
	live->scratch = kma_xmalloc(sizeof(*live->scratch));
	live->dir[0] = kma_xcalloc(1, sizeof(**live->dir));
	live->nr_segments = 1;
	return live;
}

void kma_live_destroy(struct kma_live *live)
{
	if (!live)
		return;
	for (size_t i = 0; live->dir && i < (size_t)1 << live->dir_bits;) {
		struct kma_segment *segment = live->dir[i];

		/* A segment whose depth is n bits below dir_bits is in 2^n slots. */
		i += segment ? (size_t)1 << (live->dir_bits - segment->depth) : 1;
		free(segment);
	}
	tdestroy(live->strays, free);
	free(live->dir);
	free(live->scratch);
	free(live->wide);
	free(live);
}

/* Slot of a region in the table of regions, or the free slot where it would be added. */
static inline unsigned int region_find(const struct kma_live *live, uint32_t high)
{
	unsigned int i = high * 0x9e3779b1U >> 22;

	while (live->regions[i].number && live->regions[i].high != high)
		i = (i + 1) % KMA_REGION_SLOTS;
	return i;
}

/* The lower 48 bits of kma_live_entry.where for an address; 0: its region has no number. */
static inline uint64_t place_of(const struct kma_live *live, uint64_t ptr)
{
	uint64_t number = live->regions[region_find(live, ptr >> KMA_LOW_BITS)].number;

	return number ? number << KMA_LOW_BITS | (ptr & ((1UL << KMA_LOW_BITS) - 1)) : 0;
}

/* As place_of(), but number the region if it is new; 0: all numbers are in use. */
static uint64_t where_new(struct kma_live *live, uint64_t ptr)
{
	uint32_t high = ptr >> KMA_LOW_BITS;
	unsigned int i = region_find(live, high);

	if (!live->regions[i].number) {
		if (live->nr_regions == KMA_REGIONS)
			return 0;
		live->regions[i].high = high;
		live->regions[i].number = ++live->nr_regions;
	}
	return place_of(live, ptr);
}

static inline uint64_t hash_of(uint64_t where)
{
	uint64_t hash = where * 0x9e3779b97f4a7c15UL;

	hash ^= hash >> 32;
	return hash * 0xd6e8feb86659fd93UL;
}

/*
 * The top dir_bits bits of the hash choose the segment. The shift by 1 avoids a shift by 64 while
 * dir_bits is 0. slot_of() uses other bits, so a split does not crowd entries together.
 */
static inline struct kma_segment *segment_of(const struct kma_live *live, uint64_t hash)
{
	return live->dir[hash >> 1 >> (63 - live->dir_bits)];
}

static inline unsigned int slot_of(uint64_t hash)
{
	return hash >> 16 & (KMA_SLOTS - 1);
}

void kma_live_prefetch(const struct kma_live *live, uint64_t ptr)
{
	uint64_t hash = hash_of(place_of(live, ptr));

	__builtin_prefetch(&segment_of(live, hash)->entries[slot_of(hash)], 1);
}

/* Entry of the address @where, or the free slot where it would be inserted. */
static inline struct kma_live_entry *entry_find(struct kma_segment *segment, uint64_t where,
						uint64_t hash)
{
	unsigned int i = slot_of(hash);

	for (;; i = (i + 1) & (KMA_SLOTS - 1)) {
		struct kma_live_entry *entry = &segment->entries[i];

		if (!entry->where || (entry->where & KMA_WHERE_MASK) == where)
			return entry;
	}
}

/*
 * Free the slot @gap. A search stops at a free slot, so entries after the gap that were displaced
 * across it move into the gap, which then moves on.
 */
static void entry_shift(struct kma_segment *segment, unsigned int gap)
{
	for (unsigned int i = (gap + 1) & (KMA_SLOTS - 1);; i = (i + 1) & (KMA_SLOTS - 1)) {
		struct kma_live_entry *entry = &segment->entries[i];
		unsigned int home;

		if (!entry->where)
			break;
		home = slot_of(hash_of(entry->where & KMA_WHERE_MASK));
		/* The gap is not between the entry's home slot and the entry: the entry stays. */
		if (((gap - home) & (KMA_SLOTS - 1)) > ((i - home) & (KMA_SLOTS - 1)))
			continue;
		segment->entries[gap] = *entry;
		gap = i;
	}
	segment->entries[gap].where = 0;
}

/* Store the sizes of an object; return their position plus 1. */
static uint32_t wide_add(struct kma_live *live, const struct kma_live_object *object)
{
	uint32_t place = live->free_wide;

	if (place) {
		live->free_wide = live->wide[place - 1].next;
	} else {
		kma_array_room(live->wide, live->nr_wide, live->room_wide);
		place = ++live->nr_wide;
	}
	live->wide[place - 1].req = object->req;
	live->wide[place - 1].alloc = object->alloc;
	return place;
}

/* Make kma_live_entry.what of an object. */
static inline uint64_t what_pack(struct kma_live *live, const struct kma_live_object *object)
{
	uint64_t what = object->site | (uint64_t)object->kind << KMA_KIND_SHIFT;
	uint64_t slack = object->alloc - object->req;

	if (object->req <= KMA_SIZE_MASK && slack <= KMA_SIZE_MASK)
		return what | object->req << KMA_REQ_SHIFT | slack << KMA_SLACK_SHIFT;
	return what | KMA_WIDE | (uint64_t)wide_add(live, object) << KMA_REQ_SHIFT;
}

/* Decode an entry that is about to be removed or overwritten, and free its wide sizes. */
static inline void entry_take(struct kma_live *live, const struct kma_live_entry *entry,
			      struct kma_live_object *ret)
{
	uint64_t what = entry->what;

	ret->site = what & (KMA_LIVE_MAX_SITES - 1);
	ret->kind = what >> KMA_KIND_SHIFT & 7;
	ret->cpu = entry->where >> KMA_WHERE_BITS;
	ret->req = what >> KMA_REQ_SHIFT & KMA_SIZE_MASK;
	ret->alloc = ret->req + (what >> KMA_SLACK_SHIFT);
	if (what & KMA_WIDE) {
		uint32_t place = what >> KMA_REQ_SHIFT;
		struct kma_wide *wide = &live->wide[place - 1];

		ret->req = wide->req;
		ret->alloc = wide->alloc;
		wide->next = live->free_wide;
		live->free_wide = place;
	}
}

/*
 * Double the directory; each segment is then in twice as many slots. False if the
 * directory is already large for the number of segments: splitting a segment whose entries all
 * have the same hash would double the directory without end.
 */
static bool dir_grow(struct kma_live *live)
{
	size_t nr = (size_t)1 << live->dir_bits;
	struct kma_segment **dir;

	if (nr > 16 * live->nr_segments + 64 || live->dir_bits >= 40)
		return false;
	dir = kma_xcalloc(2 * nr, sizeof(*dir));
	for (size_t i = 0; i < 2 * nr; i++)
		dir[i] = live->dir[i / 2];
	free(live->dir);
	live->dir = dir;
	live->dir_bits++;
	return true;
}

/*
 * Move the entries of a segment whose next bit of the hash is 1 to a new segment. @hash: of any
 * address of the segment, to find its slots in the directory. False if the
 * directory cannot grow; the segment is then unchanged.
 */
static bool segment_split(struct kma_live *live, struct kma_segment *segment, uint64_t hash)
{
	struct kma_segment *other;
	size_t places, first;

	if (segment->depth == live->dir_bits && !dir_grow(live))
		return false;
	other = kma_xcalloc(1, sizeof(*other));
	live->nr_segments++;
	memcpy(live->scratch, segment, sizeof(*segment));
	memset(segment, 0, sizeof(*segment));
	segment->depth = other->depth = live->scratch->depth + 1;
	places = (size_t)1 << (live->dir_bits - segment->depth);
	first = (hash >> 1 >> (63 - live->dir_bits)) & ~(2 * places - 1);
	for (size_t i = 0; i < places; i++)
		live->dir[first + places + i] = other;
	for (unsigned int i = 0; i < KMA_SLOTS; i++) {
		struct kma_live_entry entry = live->scratch->entries[i];
		struct kma_segment *to;

		if (!entry.where)
			continue;
		hash = hash_of(entry.where & KMA_WHERE_MASK);
		to = hash >> (64 - segment->depth) & 1 ? other : segment;
		*entry_find(to, entry.where & KMA_WHERE_MASK, hash) = entry;
		to->used++;
	}
	return true;
}

static int stray_compare(const void *a, const void *b)
{
	const struct kma_stray *x = a, *y = b;

	return (x->ptr > y->ptr) - (x->ptr < y->ptr);
}

static void stray_insert(struct kma_live *live, uint64_t ptr, const struct kma_live_object *object,
			 struct kma_live_object *old, bool *was)
{
	struct kma_stray *stray = kma_xmalloc(sizeof(*stray));
	struct kma_stray **node;

	stray->ptr = ptr;
	node = tsearch(stray, &live->strays, stray_compare);
	if (!node)
		kma_atend_no_memory();
	*was = *node != stray;
	if (*was) {
		free(stray);
		*old = (*node)->object;
	} else {
		live->nr_strays++;
		live->count++;
	}
	(*node)->object = *object;
}

static bool stray_remove(struct kma_live *live, uint64_t ptr, struct kma_live_object *ret)
{
	struct kma_stray key = { .ptr = ptr }, **node, *stray;

	node = live->nr_strays ? tfind(&key, &live->strays, stray_compare) : NULL;
	if (!node)
		return false;
	stray = *node;
	tdelete(stray, &live->strays, stray_compare);
	*ret = stray->object;
	free(stray);
	live->nr_strays--;
	live->count--;
	return true;
}

void kma_live_insert(struct kma_live *live, uint64_t ptr, const struct kma_live_object *object,
		     struct kma_live_object *old, bool *was)
{
	uint64_t where = where_new(live, ptr), hash = hash_of(where);
	struct kma_segment *segment;
	struct kma_live_entry *entry;
	uint64_t what;

	if (!where) {
		stray_insert(live, ptr, object, old, was);
		return;
	}
	segment = segment_of(live, hash);
	entry = entry_find(segment, where, hash);
	while (!entry->where && segment->used >= KMA_SLOTS_USED) {
		if (!segment_split(live, segment, hash)) {
			stray_insert(live, ptr, object, old, was);
			return;
		}
		segment = segment_of(live, hash);
		entry = entry_find(segment, where, hash);
	}
	what = what_pack(live, object);
	*was = entry->where;
	if (*was) {
		entry_take(live, entry, old);
	} else {
		/* The address may be a stray from a time when the segment could not be split. */
		*was = stray_remove(live, ptr, old);
		segment->used++;
		live->count++;
	}
	entry->where = where | (uint64_t)object->cpu << KMA_WHERE_BITS;
	entry->what = what;
}

bool kma_live_remove(struct kma_live *live, uint64_t ptr, struct kma_live_object *ret)
{
	uint64_t where = place_of(live, ptr), hash = hash_of(where);
	struct kma_segment *segment = segment_of(live, hash);
	struct kma_live_entry *entry;

	if (!where)
		return stray_remove(live, ptr, ret);
	entry = entry_find(segment, where, hash);
	if (!entry->where)
		return stray_remove(live, ptr, ret);
	entry_take(live, entry, ret);
	entry_shift(segment, entry - segment->entries);
	segment->used--;
	live->count--;
	return true;
}

size_t kma_live_count(const struct kma_live *live)
{
	return live->count;
}

size_t kma_live_bytes(const struct kma_live *live)
{
	return live->nr_segments * sizeof(struct kma_segment) +
	       ((size_t)1 << live->dir_bits) * sizeof(*live->dir) +
	       live->room_wide * sizeof(*live->wide) +
	       /* A node of tsearch(3) in glibc has three pointers. */
	       live->nr_strays * (sizeof(struct kma_stray) + 3 * sizeof(void *));
}
