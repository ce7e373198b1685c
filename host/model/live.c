// SPDX-License-Identifier: GPL-2.0-only
/*
 * live.c - objects that are live, by address.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "live.h"

#define KMA_SLOTS	 4096U /* of a segment */
#define KMA_SLOTS_USED	 (KMA_SLOTS / 4 * 3)
#define KMA_LOW_BITS	 40 /* of an address, in an entry */
#define KMA_REGIONS	 255
#define KMA_REGION_SLOTS 1024
#define KMA_SIZE_BITS	 20
#define KMA_SIZE_MASK	 ((1U << KMA_SIZE_BITS) - 1)

/* where | cpu << 48; 0 is a free slot. site | kind << 20 | wide << 23 | req << 24 | slack << 44 */
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
	uint32_t used;
	uint32_t depth; /* bits of the hash that its entries have in common */
	struct kma_live_entry entries[KMA_SLOTS];
};

struct kma_region {
	uint32_t high;
	uint32_t number; /* 1 and up, 0 in a free slot */
};

/* Sizes that an entry has no room for; next is used in a free one. */
struct kma_wide {
	uint64_t req, alloc;
	uint32_t next;
};

/* In the tree. */
struct kma_stray {
	uint64_t ptr;
	struct kma_live_object object;
};

struct kma_live {
	struct kma_segment **dir;
	unsigned int dir_bits;
	size_t nr_segments;
	size_t count;
	struct kma_segment *scratch; /* for splitting */
	unsigned int nr_regions;
	struct kma_region regions[KMA_REGION_SLOTS];
	struct kma_wide *wide;
	uint32_t nr_wide, room_wide;
	uint32_t free_wide; /* first free one, 1 and up; 0: none */
	void *strays;	    /* of tsearch() */
	size_t nr_strays;
};

struct kma_err *kma_live_create(struct kma_live **ret)
{
	struct kma_live *live = calloc(1, sizeof(*live));

	if (!live)
		return &kma_enomem;
	live->dir = calloc(1, sizeof(*live->dir));
	live->scratch = malloc(sizeof(*live->scratch));
	if (live->dir)
		live->dir[0] = calloc(1, sizeof(**live->dir));
	if (!live->dir || !live->dir[0] || !live->scratch) {
		kma_live_destroy(live);
		return &kma_enomem;
	}
	live->nr_segments = 1;
	*ret = live;
	return NULL;
}

void kma_live_destroy(struct kma_live *live)
{
	if (!live)
		return;
	for (size_t i = 0; live->dir && i < (size_t)1 << live->dir_bits;) {
		struct kma_segment *segment = live->dir[i];

		/* A segment is in 2^n slots of the directory if it lacks n bits. */
		i += segment ? (size_t)1 << (live->dir_bits - segment->depth) : 1;
		free(segment);
	}
	tdestroy(live->strays, free);
	free(live->dir);
	free(live->scratch);
	free(live->wide);
	free(live);
}

/* Place of a region in the table, or of the free slot where it would be. */
static inline unsigned int kma_region_find(const struct kma_live *live, uint32_t high)
{
	unsigned int i = high * 0x9e3779b1U >> 22;

	while (live->regions[i].number && live->regions[i].high != high)
		i = (i + 1) % KMA_REGION_SLOTS;
	return i;
}

/* The number of an address in an entry; 0: the address's region has no number. */
static inline uint64_t kma_where(const struct kma_live *live, uint64_t ptr)
{
	uint64_t number = live->regions[kma_region_find(live, ptr >> KMA_LOW_BITS)].number;

	return number ? number << KMA_LOW_BITS | (ptr & ((1UL << KMA_LOW_BITS) - 1)) : 0;
}

static uint64_t kma_where_new(struct kma_live *live, uint64_t ptr)
{
	uint32_t high = ptr >> KMA_LOW_BITS;
	unsigned int i = kma_region_find(live, high);

	if (!live->regions[i].number) {
		if (live->nr_regions == KMA_REGIONS)
			return 0;
		live->regions[i].high = high;
		live->regions[i].number = ++live->nr_regions;
	}
	return kma_where(live, ptr);
}

static inline uint64_t kma_hash(uint64_t where)
{
	uint64_t hash = where * 0x9e3779b97f4a7c15UL;

	hash ^= hash >> 32;
	return hash * 0xd6e8feb86659fd93UL;
}

/* The top bits choose the segment, others the slot: splitting keeps the slot. */
static inline struct kma_segment *kma_segment_of(const struct kma_live *live, uint64_t hash)
{
	return live->dir[hash >> 1 >> (63 - live->dir_bits)];
}

static inline unsigned int kma_slot_of(uint64_t hash)
{
	return hash >> 16 & (KMA_SLOTS - 1);
}

void kma_live_prefetch(const struct kma_live *live, uint64_t ptr)
{
	uint64_t hash = kma_hash(kma_where(live, ptr));

	__builtin_prefetch(&kma_segment_of(live, hash)->entries[kma_slot_of(hash)], 1);
}

/* The entry of @where, or the free slot where its search ends. */
static inline struct kma_live_entry *kma_entry_find(struct kma_segment *segment, uint64_t where,
						    uint64_t hash)
{
	unsigned int i = kma_slot_of(hash);

	for (;; i = (i + 1) & (KMA_SLOTS - 1)) {
		struct kma_live_entry *entry = &segment->entries[i];

		if (!entry->where || (entry->where & KMA_WHERE_MASK) == where)
			return entry;
	}
}

/* Close the gap: whoever would not be found behind a free slot moves into it. */
static void kma_entry_shift(struct kma_segment *segment, unsigned int gap)
{
	for (unsigned int i = (gap + 1) & (KMA_SLOTS - 1);; i = (i + 1) & (KMA_SLOTS - 1)) {
		struct kma_live_entry *entry = &segment->entries[i];
		unsigned int home;

		if (!entry->where)
			break;
		home = kma_slot_of(kma_hash(entry->where & KMA_WHERE_MASK));
		/* Is the way from its home to the gap no longer than to where it is? */
		if (((gap - home) & (KMA_SLOTS - 1)) > ((i - home) & (KMA_SLOTS - 1)))
			continue;
		segment->entries[gap] = *entry;
		gap = i;
	}
	segment->entries[gap].where = 0;
}

/* 0 without memory; else place + 1. */
static uint32_t kma_wide_add(struct kma_live *live, const struct kma_live_object *object)
{
	uint32_t place = live->free_wide;

	if (place) {
		live->free_wide = live->wide[place - 1].next;
	} else {
		if (live->nr_wide == live->room_wide) {
			uint32_t room = live->room_wide ? live->room_wide * 2 : 64;
			struct kma_wide *wide = realloc(live->wide, room * sizeof(*wide));

			if (!wide || room < live->room_wide) {
				live->wide = wide ?: live->wide;
				return 0;
			}
			live->wide = wide;
			live->room_wide = room;
		}
		place = ++live->nr_wide;
	}
	live->wide[place - 1].req = object->req;
	live->wide[place - 1].alloc = object->alloc;
	return place;
}

/* false without memory */
static inline bool kma_what_pack(struct kma_live *live, const struct kma_live_object *object,
				 uint64_t *ret)
{
	uint64_t what = object->site | (uint64_t)object->kind << KMA_KIND_SHIFT;
	uint64_t slack = object->alloc - object->req;
	uint32_t place;

	if (object->req <= KMA_SIZE_MASK && slack <= KMA_SIZE_MASK) {
		*ret = what | object->req << KMA_REQ_SHIFT | slack << KMA_SLACK_SHIFT;
		return true;
	}
	place = kma_wide_add(live, object);
	*ret = what | KMA_WIDE | (uint64_t)place << KMA_REQ_SHIFT;
	return place;
}

/* Unpacks, and gives back the place of wide sizes. */
static inline void kma_entry_take(struct kma_live *live, const struct kma_live_entry *entry,
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
 * Twice as many places, each segment in both of its own. No more of them than
 * segments deserve: entries of one hash could double it for ever.
 */
static bool kma_dir_grow(struct kma_live *live)
{
	size_t nr = (size_t)1 << live->dir_bits;
	struct kma_segment **dir;

	if (nr > 16 * live->nr_segments + 64 || live->dir_bits >= 40)
		return false;
	dir = malloc(2 * nr * sizeof(*dir));
	if (!dir)
		return false;
	for (size_t i = 0; i < 2 * nr; i++)
		dir[i] = live->dir[i / 2];
	free(live->dir);
	live->dir = dir;
	live->dir_bits++;
	return true;
}

/* Half of a segment's entries get one of their own; false when that is not possible. */
static bool kma_segment_split(struct kma_live *live, struct kma_segment *segment, uint64_t hash)
{
	struct kma_segment *other;
	size_t places, first;

	if (segment->depth == live->dir_bits && !kma_dir_grow(live))
		return false;
	other = calloc(1, sizeof(*other));
	if (!other)
		return false;
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
		hash = kma_hash(entry.where & KMA_WHERE_MASK);
		to = hash >> (64 - segment->depth) & 1 ? other : segment;
		*kma_entry_find(to, entry.where & KMA_WHERE_MASK, hash) = entry;
		to->used++;
	}
	return true;
}

static int kma_stray_compare(const void *a, const void *b)
{
	const struct kma_stray *x = a, *y = b;

	return (x->ptr > y->ptr) - (x->ptr < y->ptr);
}

static struct kma_err *kma_stray_insert(struct kma_live *live, uint64_t ptr,
					const struct kma_live_object *object,
					struct kma_live_object *old, bool *was)
{
	struct kma_stray *stray = malloc(sizeof(*stray));
	struct kma_stray **node;

	if (!stray)
		return &kma_enomem;
	stray->ptr = ptr;
	node = tsearch(stray, &live->strays, kma_stray_compare);
	if (!node) {
		free(stray);
		return &kma_enomem;
	}
	*was = *node != stray;
	if (*was) {
		free(stray);
		*old = (*node)->object;
	} else {
		live->nr_strays++;
		live->count++;
	}
	(*node)->object = *object;
	return NULL;
}

static bool kma_stray_remove(struct kma_live *live, uint64_t ptr, struct kma_live_object *ret)
{
	struct kma_stray key = { .ptr = ptr }, **node, *stray;

	node = live->nr_strays ? tfind(&key, &live->strays, kma_stray_compare) : NULL;
	if (!node)
		return false;
	stray = *node;
	tdelete(stray, &live->strays, kma_stray_compare);
	*ret = stray->object;
	free(stray);
	live->nr_strays--;
	live->count--;
	return true;
}

struct kma_err *kma_live_insert(struct kma_live *live, uint64_t ptr,
				const struct kma_live_object *object, struct kma_live_object *old,
				bool *was)
{
	uint64_t where = kma_where_new(live, ptr), hash = kma_hash(where);
	struct kma_segment *segment;
	struct kma_live_entry *entry;
	uint64_t what;

	if (!where)
		return kma_stray_insert(live, ptr, object, old, was);
	segment = kma_segment_of(live, hash);
	entry = kma_entry_find(segment, where, hash);
	while (!entry->where && segment->used >= KMA_SLOTS_USED) {
		if (!kma_segment_split(live, segment, hash))
			return kma_stray_insert(live, ptr, object, old, was);
		segment = kma_segment_of(live, hash);
		entry = kma_entry_find(segment, where, hash);
	}
	if (!kma_what_pack(live, object, &what))
		return &kma_enomem;
	*was = entry->where;
	if (*was) {
		kma_entry_take(live, entry, old);
	} else {
		/* An address may have become a stray when its segment was full. */
		*was = kma_stray_remove(live, ptr, old);
		segment->used++;
		live->count++;
	}
	entry->where = where | (uint64_t)object->cpu << KMA_WHERE_BITS;
	entry->what = what;
	return NULL;
}

bool kma_live_remove(struct kma_live *live, uint64_t ptr, struct kma_live_object *ret)
{
	uint64_t where = kma_where(live, ptr), hash = kma_hash(where);
	struct kma_segment *segment = kma_segment_of(live, hash);
	struct kma_live_entry *entry;

	if (!where)
		return kma_stray_remove(live, ptr, ret);
	entry = kma_entry_find(segment, where, hash);
	if (!entry->where)
		return kma_stray_remove(live, ptr, ret);
	kma_entry_take(live, entry, ret);
	kma_entry_shift(segment, entry - segment->entries);
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
	       /* tsearch()'s node is three pointers */
	       live->nr_strays * (sizeof(struct kma_stray) + 3 * sizeof(void *));
}
