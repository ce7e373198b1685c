/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * class.h - classes of objects: one call site, one group, one bytes_req, one bytes_alloc.
 * Long file: the inline half of an event needs the tables, and the rules of all four are one text.
 *
 * The live map stores an address and 16 bits for each object. The 16 bits are
 * the number of the object's class. All objects of a class are alike, so an event changes
 * one counter of the class and no sum of bytes. A report computes the bytes of a site from the
 * numbers of objects of its classes and their sizes. There are four tables:
 *
 *  - the classes: an array by number. A class does not change while an object belongs to it. It
 *    exists until kma_class_reset(), or until its group is dead and it is folded (see below);
 *    then its number is used again. So an event that has taken an object from the map reads the
 *    class before it counts the free, never afterwards: **after the credit, the class is not
 *    yours.** kma_live_take() (live.h) therefore returns all that an event may need. The same
 *    holds for an allocation that is taken back. A reader that does not take the object reads
 *    the class in the section with irqs off in which it found the object.
 *  - the counters of each CPU (count.h): an array by number.
 *  - the quick index: {call site, group, bytes_req, bytes_alloc} -> number. An open hash table
 *    that the inline half of an allocation searches (account.h), without a lock. One word
 *    identifies the call site and the group (kma_class_key()). The quick index has no call site
 *    that is not near (site.h), and none that is split into paths (path.h).
 *  - the index: {owner, group, sizes} -> number, of all classes. All other events use it.
 *
 * A site gets at most KMA_CLASS_SIZES classes with a size: a system call may choose the size of
 * an object, and must not use up the numbers. Further objects of the site, if they are large
 * enough, belong to one class without a size, and their sizes are in the live map (live.h).
 * Such a class takes three consecutive numbers, which count objects, bytes_req and bytes_alloc.
 * These numbers are the lowest ones, so that one comparison identifies them.
 *
 * While the switch cgroup or node is on, a class also has a group (group.h). So a free
 * needs no search for the group of its object, and the sums over the groups equal the account.
 * An object in no group has group 0. The first object of a site, a group and a size also creates
 * the class of the same size without group, so a site has at most KMA_CLASS_SIZES sizes in all
 * groups together. The last KMA_CLASS_SPARE numbers are reserved for classes of no group and of
 * KMA_GROUP_OTHER, which gets the objects whose own group finds no number.
 *
 * A class of a dead group that no object belongs to is folded (kma_class_fold()): first it is
 * hidden, so that no search finds it. Events that found it earlier still read it and count in it
 * until a grace period has ended. If it is still empty then, its counts are
 * added to a class of another group, and its number becomes free. The number leaves stale slots
 * in the index, which lead to a free number, or to the class that has the number next. The index
 * is rebuilt before there are too many of them.
 *
 * Frees of unknown objects and failed allocations of a site are counted in a class as well, to
 * which no object belongs (KMA_CLASS_RARE).
 *
 * When no number is left, an event is dropped and counted (KMA_DROP_CLASS).
 *
 * All tables grow: a worker calls kma_class_grow(), which doubles them when three quarters
 * of the numbers are in use. The arrays are areas (area.h). An index is replaced by a new one. A
 * new quick index is empty, and fills as events look up their classes.
 *
 * Never done here: allocating, except in kma_class_init(), _add_cpu() and _grow(), which
 * kma_class_forget() calls; reusing a number while an object belongs to its class.
 *
 * Locking:
 *  kma_sites.lock   raw spinlock, irqs off: adding a class or an entry of an index.
 *  cpus_read_lock() kma_class_grow() and _reset(), against kma_class_add_cpu(), which is
 *                   called while a CPU is brought up or under cpus_read_lock(). _grow() does
 *                   not wait for it.
 *  The caller serialises kma_class_init(), _deinit(), _reset(), _grow(), and functions that
 *  walk over all classes (sum.h, peak.h).
 *
 * Contexts: process, may sleep, unless stated.
 */
#ifndef KMA_CLASS_H
#define KMA_CLASS_H

#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/types.h>

#include "account/count.h"
#include "account/site.h"
#include "account/size.h"
#include "account/word.h"

#define KMA_CLASS_SIZES		64	/* maximum number of classes with a size per site */
#define KMA_CLASS_SIZED_MAX	256	/* maximum number of classes without a size */
/* Number 0 is not a class. A class without a size has three numbers. */
#define KMA_CLASS_NONE		0u
#define KMA_CLASS_FIRST		(1 + 3 * KMA_CLASS_SIZED_MAX)
#define KMA_CLASS_SPARE		0x1000u	/* numbers that groups do not get */

/* The function that allocated an object. */
enum kma_made {
	KMA_MADE_UNWATCHED,	/* not known: the switch errors was off */
	KMA_MADE_KMALLOC,	/* kmalloc() and related functions */
	KMA_MADE_CACHE,		/* kmem_cache_alloc() and related functions */
};

/*
 * The owner of a class: the id of a site in 14 bits, and in the two bits above it the enum
 * kma_made of the class's objects, while the switch errors is on (errors.h). An owner
 * from KMA_OWNER_NO_SITE on is not a site (pages.h), and has no such parts.
 */
#define KMA_OWNER_SITE_BITS	14
#define KMA_OWNER_NO_SITE	(3u << KMA_OWNER_SITE_BITS)

static __always_inline u16 kma_owner_of(unsigned int site, enum kma_made made)
{
	return site | made << KMA_OWNER_SITE_BITS;
}

/* What the counters of a class count (kma_class_kind()). */
enum kma_class_kind {
	KMA_CLASS_PLAIN,	/* objects of one size */
	KMA_CLASS_SIZED,	/* objects whose sizes are in the live map */
	KMA_CLASS_SIZED_REQ,	/* bytes_req of these: the number after KMA_CLASS_SIZED */
	KMA_CLASS_SIZED_BYTES,	/* bytes_alloc of these: the next number */
	KMA_CLASS_RARE,		/* frees of unknown objects, and allocations that failed */
	KMA_CLASS_FREE,		/* the number is not in use */
};

struct kma_class {
	/* kma_owner_of(), or no site; of a number that is not in use, the next such number */
	u16 owner;
	/*
	 * Of its objects (group.h), maybe with KMA_GROUP_CHARGED and KMA_CLASS_HIDDEN; 0 for none.
	 */
	u16 group;
	/*
	 * Of each of its objects. No object has 0 bytes: if these are 0, the other member is the
	 * kind of the class.
	 */
	struct kma_size size;
} __aligned(sizeof(u64));	/* written and compared as one word */

#define KMA_CLASS_GROUPS	8192u	/* numbers of groups */
/* In the group of a class that is about to be folded: no search looks for it. */
#define KMA_CLASS_HIDDEN	0x4000u

/*
 * A slot of the quick index. It is written once, @sizes last. After that only @sizes changes, when
 * the slot is retired: with the code of the call site, with the group, or when the index forgets
 * all classes.
 */
struct kma_class_slot {
	union {
		/* kma_class_sizes(); 0 if the slot is free, KMA_CLASS_RETIRED if it is retired. */
		u32 sizes;
		struct kma_size size;	/* the two halves of @sizes, on x86 */
	};
	u16 class;
	u16 group;			/* of the object, as passed to kma_class_of() */
	u64 key;			/* kma_class_key() */
};

/*
 * The quick index. A search continues in the next slot, so KMA_CLASS_BEHIND slots follow those that
 * @mask counts. The last one is always free.
 */
struct kma_class_index {
	u64 mask;	/* in bytes: slots where a search may begin, a power of two, less one */
	struct kma_class_slot slot[];
};

#define KMA_CLASS_BEHIND	64u
#define KMA_CLASS_RETIRED	0xffff0001u	/* no half is that of an object */

/*
 * The upper half of the product makes the keys of two groups different. The lower half keeps
 * them apart in the index.
 */
#define KMA_CLASS_SPREAD	((1ull << 32) + 40503)

extern struct kma_class *kma_classes;
extern unsigned int kma_class_copies;	/* of a per-CPU object: number of possible CPUs */
extern struct kma_class_index *kma_class_quick;

static inline unsigned int kma_class_kind(const struct kma_class *c)
{
	return c->size.bytes ? KMA_CLASS_PLAIN : c->size.req;
}

/*
 * The bytes that an object adds to its site, and those requested for it; of a per-CPU object, of
 * all copies.
 */
size_t kma_class_bytes(struct kma_size size);
size_t kma_class_req(struct kma_size size);

/* The bytes_alloc that one count of a class adds to its site. */
static inline u64 kma_class_weight(const struct kma_class *c)
{
	if (c->size.bytes)
		return kma_class_bytes(c->size);
	return c->size.req == KMA_CLASS_SIZED_BYTES;
}

static __always_inline u32 kma_class_sizes(size_t req, size_t bytes)
{
	return req << 16 | bytes;
}

/* The part of a key that stands for a group, beside the call site; 0 for no group. */
static __always_inline u64 kma_class_key_of(unsigned int group)
{
	return group * KMA_CLASS_SPREAD;
}

/*
 * One word that identifies a near call site and a group: two near call sites are less than 2^32
 * apart, and the parts of two groups are more than 2^32 apart.
 */
static __always_inline u64 kma_class_key(unsigned long call_site, unsigned int group)
{
	return call_site + kma_class_key_of(group);
}

/* The call site is @key less kma_class_key_of() of the group. */
static inline unsigned int kma_class_key_group(u64 key)
{
	u64 rest = key - KMA_SITE_LOWEST;
	unsigned int group = rest >> 32;

	/* the sum of the lower halves may have carried, at most once */
	return rest < kma_class_key_of(group) ? group - 1 : group;
}

/*
 * Where a search of the quick index begins. The key needs no hash function: the low bits of return
 * addresses are distributed as if at random.
 */
static __always_inline const struct kma_class_slot *
kma_class_quick_at(const struct kma_class_index *index, u64 key, size_t req)
{
	u64 at = (key + req * 8) * sizeof(struct kma_class_slot) & index->mask;

	return (const void *)index->slot + at;
}

/* x86 loads in order, which ThreadSanitizer does not know. */
#ifdef __SANITIZE_THREAD__
#define KMA_LOADS_IN_ORDER	0
#else
#define KMA_LOADS_IN_ORDER	IS_ENABLED(CONFIG_X86)
#endif

/*
 * Does the slot have this class, so that its number may be read? Two comparisons with memory take
 * x86 two instructions less than to join the sizes first. The bytes are kma_size_is_slab().
 */
static __always_inline bool kma_class_slot_is(const struct kma_class_slot *s, u64 key, size_t req,
					      size_t bytes)
{
	if (!KMA_LOADS_IN_ORDER)
		/* Pairs with the smp_store_release() in kma_class_enter(). */
		return smp_load_acquire(&s->sizes) == kma_class_sizes(req, bytes) && s->key == key;
	/* a slot that is being written, or retired, has no half of an object's sizes */
	if (data_race(unlikely(s->key != key) || unlikely(s->size.req != (u16)req) ||
		      unlikely(s->size.bytes != (u16)bytes)))
		return false;
	barrier(); /* an acquire on x86, which loads in order; same partner as above */
	return true;
}

/*
 * Look up the plain class of an allocation of kma_size_is_slab() bytes in the quick index. Context:
 * any, preemption off.
 */
static __always_inline bool
kma_class_find_quick(u64 key, size_t req, size_t bytes, unsigned long *class)
{
	/* The address dependency orders the reads of the index after this read of its address. */
	const struct kma_class_index *index = READ_ONCE(kma_class_quick);
	const struct kma_class_slot *s = kma_class_quick_at(index, key, req);

	for (; unlikely(!kma_class_slot_is(s, key, req, bytes)); s++)
		if (!READ_ONCE(s->sizes))
			return false;
	*class = s->class;
	/* one register for its uses: gcc would make a copy of it */
	OPTIMIZER_HIDE_VAR(*class);
	return true;
}

/* Has the class a size? Not KMA_CLASS_NONE. */
static __always_inline bool kma_class_is_plain(unsigned int class)
{
	return class >= KMA_CLASS_FIRST;
}

/* Are the sizes of the class's objects in the live map? */
static __always_inline bool kma_class_is_sized(unsigned int class)
{
	return class < KMA_CLASS_FIRST;
}

/* Read a class at once: all members are of one instant. Context: as kma_class_owner(). */
static __always_inline struct kma_class kma_class_get(unsigned int class)
{
	union {
		u64 word;
		struct kma_class class;
	} c = { .word = kma_word_get((const u64 *)(READ_ONCE(kma_classes) + class)) };

	return c.class;
}

/* The id of the site of a class's objects, or an owner that is not a site (pages.h). */
static __always_inline u16 kma_class_site_of(struct kma_class c)
{
	return c.owner < KMA_OWNER_NO_SITE ?
	       c.owner & ((1u << KMA_OWNER_SITE_BITS) - 1) : c.owner;
}

/* KMA_MADE_UNWATCHED also if the owner of the class is not a site. */
static __always_inline enum kma_made kma_class_made_of(struct kma_class c)
{
	return c.owner < KMA_OWNER_NO_SITE ? c.owner >> KMA_OWNER_SITE_BITS : KMA_MADE_UNWATCHED;
}

/* With KMA_GROUP_CHARGED for objects that memcg is asked to charge; 0 for none. */
static __always_inline unsigned int kma_class_group_of(struct kma_class c)
{
	return c.group & ~KMA_CLASS_HIDDEN;
}

/*
 * As kma_class_site_of() and kma_class_group_of(). Context: irqs off, and the caller has an object
 * of the class that it has not credited, or has found one in the live map in this section; or
 * serialised with kma_class_grow() and kma_class_fold().
 */
static __always_inline u16 kma_class_owner(unsigned int class)
{
	return kma_class_site_of(kma_class_get(class));
}

static __always_inline unsigned int kma_class_group(unsigned int class)
{
	return kma_class_group_of(kma_class_get(class));
}

/* Of a plain class. Context: as kma_class_owner(). */
static __always_inline struct kma_size kma_class_size(unsigned int class)
{
	return READ_ONCE(kma_classes)[class].size;
}

/*
 * Look up the class of an object; create it at the first such object. @group is 0 for none, and if
 * @owner is not a site. If no number is left for it, the class is one of KMA_GROUP_OTHER, or of no
 * group.
 *
 * Context: any but NMI, irqs off.
 *
 * Return: number of the class. If it is kma_class_is_sized(), the caller puts the sizes into the
 * live map. KMA_CLASS_NONE if no number is left.
 */
unsigned int kma_class_of(u16 owner, unsigned int group, struct kma_size size);

/*
 * This CPU's counters of the rare events of a site: of its class of the kind KMA_CLASS_RARE, or
 * that of KMA_SITE_OTHER if there is no number left. Context: any but NMI, irqs off.
 */
struct kma_class_count *kma_class_rare(unsigned int site);

/*
 * Count @n = 1 allocations of an object; or take one back by -1: then the caller does not read the
 * class any more, as after kma_class_credit(). Context: any but NMI, irqs off.
 */
void kma_class_count_objects(unsigned int class, struct kma_size size, int n);

/*
 * Count the free of an object. After the credit, the class is not the caller's: its number may be
 * used again at once. Context: any but NMI, irqs off.
 */
void kma_class_credit(unsigned int class, struct kma_size size);

/*
 * Add a class to the quick index: a plain one of a near call site itself, not of one of its paths,
 * whose @bytes are kma_size_is_slab(), not 0. If the search meets no free slot, the call has no
 * effect, and events find the class by kma_class_of(). Context: any but NMI, irqs off.
 */
void kma_class_enter(unsigned long call_site, size_t req, size_t bytes,
		     unsigned int group, unsigned int class);

/*
 * Remove a call site from the quick index, because its code is unloaded. Other code may have the
 * same address later. No event of the call site is in progress.
 */
void kma_class_retire(unsigned long call_site);

/*
 * Empty the quick index; events add their classes again. The index is replaced by a new one. If
 * that fails now, or has to wait, the worker does it later. Serialised with kma_class_grow();
 * events go on.
 */
void kma_class_forget(void);

/*
 * Free the numbers of a dead group's classes that no object belongs to. By number of the group:
 * @heir is the group that receives the counts of a dead one, 0 if it is alive; @left is increased
 * by the number of classes that are left, for dead and live groups. Both have KMA_CLASS_GROUPS
 * elements. Events no longer create objects of a dead group. @wait waits for a grace period;
 * kma_class_grow() may run meanwhile.
 *
 * While too many slots of the index are stale, classes stay until kma_class_grow() has rebuilt the
 * index; @left is right in any case. Others must not wait long, so one call folds 512 classes at
 * most, and the next call continues there.
 *
 * Context: serialised with kma_class_grow(), but for @wait, and with functions that walk over all
 * classes; events go on.
 *
 * Return: true if there may be more to fold.
 */
bool kma_class_fold(const u16 *heir, u32 *left, void (*wait)(void));

/* Empty the quick index, so that events no longer find their classes. */
void kma_class_hide(void);

/*
 * Reserve small tables, after kma_site_init(). No CPU has counters before kma_class_add_cpu().
 * @wake is called when kma_class_grow() should run; in any context but NMI, with irqs off, maybe
 * often. Returns 0, or -ENOMEM with nothing reserved.
 */
int kma_class_init(void (*wake)(void));

/*
 * Reserve counters for a CPU, unless it has some: one that is about to come online, or under
 * cpus_read_lock(). A CPU that is not online yet gets them even if they exceed the budget. Returns
 * 0 or -ENOMEM.
 */
int kma_class_add_cpu(unsigned int cpu);

/*
 * Only when no event or report may use the tables from now on, and no call of kma_class_add_cpu()
 * follows.
 */
void kma_class_deinit(void);

/* Forget all classes and counts. No event is in progress. */
void kma_class_reset(void);

/*
 * Double the tables if three quarters of the numbers are in use. The indexes are also rebuilt, in
 * the same size, if too many of their slots are used or stale. One caller at a time; events go on.
 *
 * Return: 0; -EAGAIN if more is to be done, or memory to be freed, when kma_area_settle() (area.h)
 * has been called for the last ticket: the caller calls again then; -ENOMEM; or -EBUSY while a CPU
 * goes online or offline: call again later.
 */
int kma_class_grow(void);

/*
 * The end of the numbers that were used so far: classes below may be read, and one that is not in
 * use has no counts. The numbers from kma_class_sized_nr() to KMA_CLASS_FIRST are not in use. Any
 * context.
 */
unsigned int kma_class_nr(void);
unsigned int kma_class_sized_nr(void);

size_t kma_class_memory(void);

#endif /* KMA_CLASS_H */
