/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * class.h - classes of objects: one call site, one group, one bytes_req, one bytes_alloc.
 *
 * The live map has 16 bits for what it knows of an object besides its address. They are
 * the number of the object's class. All objects of a class are alike, so an event changes
 * one counter of the class and no sum of bytes: the bytes of a site are the objects of
 * its classes times their sizes, and a report computes them.
 *
 *  - the classes: an array by number. A class does not change while objects are of it. It stays
 *    until kma_class_reset(), or until its group is dead and it is folded (see below); its number
 *    is then used again.
 *  - the counters of each CPU (count.h): an array by number.
 *  - the quick index: {call site, group, bytes_req, bytes_alloc} -> number. An open hash table
 *    that the inline half of an allocation searches (account.h), without a lock. One word
 *    says which call site and which group it is (kma_class_key()); a call site that is not
 *    near (site.h), and a call site that is no whole site (path.h), are not in this index.
 *  - the index: {owner, sizes} -> number, of all classes. For all other events.
 *
 * A site gets at most KMA_CLASS_SIZES classes: a system call may choose the size of an
 * object, and must not use up the numbers. Further objects of the site, if they are large
 * enough, are in one class that has no size, and their sizes are in the map (sized.h).
 * Such a class takes three numbers that follow each other: objects, bytes_req,
 * bytes_alloc. These numbers are the lowest ones, so that one comparison tells them.
 *
 * While the switch cgroup or node is on, a class is also of a group (group.h), so that a free
 * needs no search for the group of its object, and the sums over the groups are the account.
 * An object in no group is of group 0. The first object of a site, a group and a size makes
 * the class without group as well: a site has at most KMA_CLASS_SIZES sizes in all groups.
 * The last KMA_CLASS_SPARE numbers are for classes of no group and of KMA_GROUP_OTHER, which
 * has the objects for which there is no number else. A group that is dead gives the numbers of
 * its classes back when no object is of them (kma_class_fold()); their counts go to the
 * classes of another group. Such a number leaves slots of the index behind that lead to no class,
 * or to the class that has the number next; the index is rebuilt before they are too many.
 *
 * What a site does besides, frees of unknown objects and allocations that failed, is
 * counted in a class, too, which no object is of.
 *
 * When there is no number left, an event is dropped and counted (KMA_DROP_CLASS).
 *
 * All tables grow: kma_class_grow(), called by a worker, doubles them when three quarters
 * of the numbers are given out. The arrays are areas (area.h); an index is made anew. A
 * new quick index is empty, and fills as events look for their classes.
 *
 * Never done here: no allocation but in kma_class_init(), _add_cpu() and _grow(), which
 * kma_class_forget() calls; no number is used again while an object is of its class.
 *
 * Locking:
 *  kma_sites.lock   raw spinlock, irqs off: adding a class or an entry of an index.
 *  cpus_read_lock() kma_class_grow() and _reset(), against kma_class_add_cpu(), which is
 *                   called while a CPU is brought up or under cpus_read_lock().
 *  The caller serialises kma_class_init(), _deinit(), _reset(), _grow(), and those who
 *  walk over all classes (sum.h, peak.h).
 */
#ifndef KMA_CLASS_H
#define KMA_CLASS_H

#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/types.h>

#include "account/count.h"
#include "account/site.h"
#include "account/size.h"

#define KMA_CLASS_SIZES		64	/* classes with a size, of each site */
#define KMA_SIZED_MIN		32	/* bytes of an object whose sizes may be in the map */
#define KMA_CLASS_SIZED_MAX	256	/* sites with more sizes */
/* Number 0 is none; a class without a size has three. */
#define KMA_CLASS_NONE		0u
#define KMA_CLASS_FIRST		(1 + 3 * KMA_CLASS_SIZED_MAX)
#define KMA_CLASS_SPARE		0x1000u	/* numbers that groups leave */

/**
 * enum kma_made - by which function an object was allocated
 * @KMA_MADE_UNWATCHED: not watched: the object is older than the switch
 * @KMA_MADE_KMALLOC: kmalloc() and its family
 * @KMA_MADE_CACHE: kmem_cache_alloc() and its family
 */
enum kma_made {
	KMA_MADE_UNWATCHED,
	KMA_MADE_KMALLOC,
	KMA_MADE_CACHE,
};

/*
 * The owner of a class: the id of a site has 14 bits, and the two bits above it say by
 * which function its objects were allocated, while that is watched (errors.h). Owners
 * from KMA_OWNER_NO_SITE on are no sites (pages.h), and are whole.
 */
#define KMA_OWNER_SITE_BITS	14
#define KMA_OWNER_NO_SITE	(3u << KMA_OWNER_SITE_BITS)

/**
 * kma_owner_of() - the owner for objects of a site
 * @site: id of the site
 * @made: by which function the objects are allocated
 *
 * Return: the owner.
 */
static __always_inline u16 kma_owner_of(unsigned int site, enum kma_made made)
{
	return site | made << KMA_OWNER_SITE_BITS;
}

/**
 * enum kma_class_kind - what the counters of a class count
 * @KMA_CLASS_PLAIN: objects of one size
 * @KMA_CLASS_SIZED: objects whose sizes are in the map
 * @KMA_CLASS_SIZED_REQ: the next number: their bytes_req
 * @KMA_CLASS_SIZED_BYTES: and the next: their bytes_alloc
 * @KMA_CLASS_RARE: no objects: unknown frees by a site, and allocations that failed
 * @KMA_CLASS_FREE: nothing: the number is free again
 */
enum kma_class_kind {
	KMA_CLASS_PLAIN,
	KMA_CLASS_SIZED,
	KMA_CLASS_SIZED_REQ,
	KMA_CLASS_SIZED_BYTES,
	KMA_CLASS_RARE,
	KMA_CLASS_FREE,
};

/**
 * struct kma_class - a class
 * @owner: kma_owner_of(), or no site
 * @kind: enum kma_class_kind
 * @group: the group of its objects (group.h); 0 for none
 * @size: sizes of each of its objects; of a class that is not plain, what tells it
 *	apart in the index
 */
struct kma_class {
	u16 owner;
	u16 kind : 3;
	u16 group : 13;
	struct kma_size size;
} __aligned(sizeof(u64));	/* written and compared in one piece */

#define KMA_CLASS_GROUPS	8192u

/**
 * struct kma_class_slot - a slot of the quick index
 * @sizes: kma_class_sizes(); 0 if the slot is free, KMA_CLASS_RETIRED if it has retired
 * @class: number of the class
 * @group: group of the object, as kma_class_of() was asked for it
 * @key: kma_class_key()
 *
 * A slot is written once, @sizes last. Then only @sizes changes: the slot retires with
 * the code of the call site, with the group, or when the index forgets all.
 */
struct kma_class_slot {
	u32 sizes;
	u16 class;
	u16 group;
	u64 key;
};

/**
 * struct kma_class_index - the quick index
 * @mask: number of slots where a search begins, a power of two, less one; in bytes
 * @slot: the slots; a search goes on to the next slot, and there are KMA_CLASS_BEHIND more
 *	of them, of which the last one is always free
 */
struct kma_class_index {
	u64 mask;
	struct kma_class_slot slot[];
};

#define KMA_CLASS_BEHIND	64u
#define KMA_CLASS_RETIRED	1u	/* no object has 1 byte */

/* The upper half tells groups apart; by the lower half they are far apart in the index. */
#define KMA_CLASS_SPREAD	((1ull << 32) + 40503)

extern struct kma_class *kma_classes;
extern unsigned int kma_class_copies;	/* of a per-CPU object: one for each possible CPU */
extern struct kma_class_index *kma_class_quick;

/**
 * kma_class_bytes() - compute the bytes that an object adds to its site
 * @size: sizes of the object
 *
 * Return: bytes allocated; for a per-CPU object, the bytes of all copies.
 */
size_t kma_class_bytes(struct kma_size size);

/**
 * kma_class_req() - compute the bytes requested for an object, of all its copies
 * @size: sizes of the object
 *
 * Return: bytes.
 */
size_t kma_class_req(struct kma_size size);

/**
 * kma_class_weight() - by how many bytes_alloc does one count of a class change its site?
 * @class: its number
 *
 * Context: as kma_class_owner().
 * Return: bytes of one object; 1 if the class counts bytes; 0 if it counts neither.
 */
static inline u64 kma_class_weight(unsigned int class)
{
	const struct kma_class *c = READ_ONCE(kma_classes) + class;

	if (c->kind == KMA_CLASS_PLAIN)
		return kma_class_bytes(c->size);
	return c->kind == KMA_CLASS_SIZED_BYTES;
}

static __always_inline u32 kma_class_sizes(size_t req, size_t bytes)
{
	return req << 16 | bytes;
}

/**
 * kma_class_key_of() - what a group adds to a call site
 * @group: the group
 *
 * Return: a number, added for kma_class_key(); 0 for no group.
 */
static __always_inline u64 kma_class_key_of(unsigned int group)
{
	return group * KMA_CLASS_SPREAD;
}

/**
 * kma_class_key() - one word for a call site and a group
 * @call_site: return address into the caller of the allocator, kma_site_near()
 * @group: group of the object
 *
 * Return: the word. Two call sites are less than 2^32 apart, and what two groups add is more
 * than 2^32 apart: no two have the same word.
 */
static __always_inline u64 kma_class_key(unsigned long call_site, unsigned int group)
{
	return call_site + kma_class_key_of(group);
}

/**
 * kma_class_key_group() - the group of a word
 * @key: from kma_class_key()
 *
 * Return: the group; @key less what the group adds is the call site.
 */
static inline unsigned int kma_class_key_group(u64 key)
{
	u64 rest = key - KMA_SITE_LOWEST;
	unsigned int group = rest >> 32;

	/* the lower halves may have carried, once at most */
	return rest < kma_class_key_of(group) ? group - 1 : group;
}

/**
 * kma_class_quick_at() - the slot of the quick index where a search begins
 * @index: the index
 * @key: kma_class_key()
 * @req: bytes asked for
 *
 * Where in its kilobytes a call lies is as good as random.
 *
 * Return: the slot.
 */
static __always_inline const struct kma_class_slot *
kma_class_quick_at(const struct kma_class_index *index, u64 key, size_t req)
{
	u64 at = (key + req * 8) * sizeof(struct kma_class_slot) & index->mask;

	return (const void *)index->slot + at;
}

/**
 * kma_class_find_quick() - the class of an allocation, if the quick index has it
 * @key: kma_class_key()
 * @req: bytes asked for
 * @bytes: bytes given, kma_size_is_slab()
 * @class: set to its number, a plain class
 *
 * Context: any, irqs off.
 * Return: false if it is not there.
 */
static __always_inline bool
kma_class_find_quick(u64 key, size_t req, size_t bytes, unsigned int *class)
{
	/* An address dependency: what it points to is read behind it. */
	const struct kma_class_index *index = READ_ONCE(kma_class_quick);
	const struct kma_class_slot *s = kma_class_quick_at(index, key, req);
	u32 sizes = kma_class_sizes(req, bytes);

	for (;; s++) {
		/* Pairs with the smp_store_release() in kma_class_enter(). */
		u32 found = smp_load_acquire(&s->sizes);

		if (likely(found == sizes && s->key == key))
			break;
		if (!found)
			return false;
	}
	*class = s->class;
	return true;
}

/**
 * kma_class_is_plain() - has a class a size?
 * @class: its number, or any other 16 bits of the map
 *
 * Return: false also if it is no class.
 */
static __always_inline bool kma_class_is_plain(unsigned int class)
{
	return class - KMA_CLASS_FIRST < KMA_CLASS_END - KMA_CLASS_FIRST;
}

/**
 * kma_class_is_sized() - are the sizes of its objects in the map?
 * @class: its number, or any other 16 bits of the map
 *
 * Return: false also if it is no class.
 */
static __always_inline bool kma_class_is_sized(unsigned int class)
{
	return class < KMA_CLASS_FIRST;
}

/**
 * kma_class_owner() - whose objects are of a class?
 * @class: its number
 *
 * Context: irqs off, or serialised with kma_class_grow().
 * Return: the id of the site, or what is no site (pages.h).
 */
static __always_inline u16 kma_class_owner(unsigned int class)
{
	u16 owner = READ_ONCE(kma_classes)[class].owner;

	return owner < KMA_OWNER_NO_SITE ?
	       owner & ((1u << KMA_OWNER_SITE_BITS) - 1) : owner;
}

/**
 * kma_class_made() - by which function were the objects of a class allocated?
 * @class: its number
 *
 * Context: as kma_class_owner().
 * Return: the function; KMA_MADE_UNWATCHED also if their owner is no site.
 */
static __always_inline enum kma_made kma_class_made(unsigned int class)
{
	u16 owner = READ_ONCE(kma_classes)[class].owner;

	return owner < KMA_OWNER_NO_SITE ?
	       owner >> KMA_OWNER_SITE_BITS : KMA_MADE_UNWATCHED;
}

/**
 * kma_class_group() - the group of the objects of a class
 * @class: its number
 *
 * Context: as kma_class_owner().
 * Return: the group; 0 for none.
 */
static __always_inline unsigned int kma_class_group(unsigned int class)
{
	return READ_ONCE(kma_classes)[class].group;
}

/**
 * kma_class_size() - sizes of the objects of a class
 * @class: its number, a plain class
 *
 * Context: as kma_class_owner().
 * Return: the sizes.
 */
static __always_inline struct kma_size kma_class_size(unsigned int class)
{
	return READ_ONCE(kma_classes)[class].size;
}

/**
 * kma_class_of() - the class of an object, given out at its first event
 * @owner: kma_owner_of(), or no site
 * @group: its group; 0 for none, and if @owner is no site
 * @size: sizes of the object
 *
 * Without a number for @group the class is of KMA_GROUP_OTHER, or of none.
 *
 * Context: any but NMI, irqs off.
 * Return: its number; if kma_class_is_sized(), the sizes go into the map (sized.h).
 * KMA_CLASS_NONE when there is no number left.
 */
unsigned int kma_class_of(u16 owner, unsigned int group, struct kma_size size);

/**
 * kma_class_rare() - get this CPU's counters of the rare events of a site
 * @site: id of the site
 *
 * Context: any but NMI, irqs off.
 * Return: counters of a class of the kind KMA_CLASS_RARE: those of the site, or of
 * KMA_SITE_OTHER when there is no number left.
 */
struct kma_class_count *kma_class_rare(unsigned int site);

/**
 * kma_class_count_objects() - count allocations
 * @class: number of a class that objects are of
 * @size: sizes of one object
 * @n: how many objects: 1, or -1 to take one back
 *
 * Context: any but NMI, irqs off.
 */
void kma_class_count_objects(unsigned int class, struct kma_size size, int n);

/**
 * kma_class_credit() - count the free of an object
 * @class: number of its class
 * @size: its sizes
 *
 * Context: any but NMI, irqs off.
 */
void kma_class_credit(unsigned int class, struct kma_size size);

/**
 * kma_class_enter() - let the quick index know a class
 * @call_site: return address into the caller of the allocator, kma_site_near()
 * @req: bytes asked for
 * @bytes: bytes given, kma_size_is_slab(), not 0
 * @group: group of the object
 * @class: the class of such an object, plain, of the whole site of @call_site
 *
 * Without room nothing is done: the class is found by kma_class_of().
 *
 * Context: any but NMI, irqs off.
 */
void kma_class_enter(unsigned long call_site, size_t req, size_t bytes,
		     unsigned int group, unsigned int class);

/**
 * kma_class_retire() - the code of a call site goes away
 * @call_site: the call site
 *
 * The quick index forgets it: other code may have the same address later.
 *
 * Context: process, may sleep. No event of the call site is under way.
 */
void kma_class_retire(unsigned long call_site);

/**
 * kma_class_forget() - the quick index forgets all classes; events find them anew
 *
 * Where there is memory, the index is made anew; else it is left to the worker.
 *
 * Context: process, may sleep; serialised with kma_class_grow(); events go on.
 */
void kma_class_forget(void);

/**
 * kma_class_fold() - take back the numbers of classes that dead groups do not use
 * @heir: by group: the group that gets what a dead group has counted; 0 if it is not dead
 * @left: by group: counts the classes that are left of it, also of those that live
 *
 * Both have KMA_CLASS_GROUPS numbers. Events no longer use a class of a dead group. While
 * too many slots of the index are stale, classes stay until kma_class_grow() has rebuilt the
 * index; @left is right in any case.
 *
 * Context: process, may sleep; serialised with kma_class_grow() and those who walk over all
 * classes; events go on.
 */
void kma_class_fold(const u16 *heir, u32 *left);

/**
 * kma_class_hide() - empty the quick index, so that events no longer find their classes
 *
 * Context: process, may sleep.
 */
void kma_class_hide(void);

/**
 * kma_class_init() - reserve small tables
 * @wake: called when kma_class_grow() should run; from any context but NMI, with irqs
 *	off, maybe often
 *
 * No CPU has counters before kma_class_add_cpu() is called for it.
 *
 * Context: process, may sleep; after kma_site_init().
 * Return: 0, or -ENOMEM with nothing reserved.
 */
int kma_class_init(void (*wake)(void));

/**
 * kma_class_add_cpu() - reserve counters for a CPU, unless the CPU has counters
 * @cpu: number of the CPU
 *
 * A CPU that is not online yet gets its counters even if they exceed the budget.
 *
 * Context: process, may sleep; the CPU is about to come online, or under
 * cpus_read_lock().
 * Return: 0 or -ENOMEM.
 */
int kma_class_add_cpu(unsigned int cpu);

/**
 * kma_class_deinit() - release the tables; no event or report may use them from now on
 *
 * Context: process, may sleep; no call of kma_class_add_cpu() follows.
 */
void kma_class_deinit(void);

/**
 * kma_class_reset() - forget all classes and counts
 *
 * Context: process, may sleep. No event is under way.
 */
void kma_class_reset(void);

/**
 * kma_class_grow() - double the tables if three quarters of them are used
 *
 * Context: process, may sleep; one caller at a time; events go on.
 * Return: 0 or -ENOMEM.
 */
int kma_class_grow(void);

/**
 * kma_class_nr() - numbers given out so far
 *
 * Context: any.
 * Return: classes below it may be read; numbers that are not in use have no counts.
 */
unsigned int kma_class_nr(void);

/**
 * kma_class_sized_nr() - the same of the numbers for classes without a size
 *
 * Context: any.
 * Return: from this number on to KMA_CLASS_FIRST, numbers are not in use.
 */
unsigned int kma_class_sized_nr(void);

/**
 * kma_class_memory() - what the tables take
 *
 * Return: bytes.
 */
size_t kma_class_memory(void);

#endif /* KMA_CLASS_H */
