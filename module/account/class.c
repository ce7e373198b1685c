// SPDX-License-Identifier: GPL-2.0-only
/*
 * class.c - classes of objects: one call site, one group, one bytes_req, one bytes_alloc.
 *
 * The design and the locking are in class.h.
 *
 * Long file: classes, their indexes, growth and reuse share numbers, a lock and all state.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "account/area.h"
#include "account/budget.h"
#include "account/class.h"
#include "account/group.h"
#include "account/lock.h"
#include "account/site.h"
#include "account/word.h"
#include "compat/stub.h"

/* At boot thousands of classes are created before the worker can run. */
#ifdef KMA_BOOT
#define KMA_CLASS_ROOM_MIN	8192u
#else
#define KMA_CLASS_ROOM_MIN	2048u
#endif
#define KMA_CLASS_ROOM_MAX	65536u	/* the power of two above KMA_CLASS_END */
#define KMA_CLASS_FEW_CPUS	16	/* up to so many CPUs, one page of marks each is enough */

/* The sizes by which the index identifies classes without a size. No object has 0 bytes. */
static const struct kma_size kma_class_sized_key = { .bytes = 0, .req = KMA_CLASS_SIZED };
static const struct kma_size kma_class_rare_key = { .bytes = 0, .req = KMA_CLASS_RARE };

/*
 * The index of all classes: an open hash table of their numbers; 0 is a free slot. The key of a
 * slot is the class itself (kma_class_word()).
 */
struct kma_class_table {
	u32 mask;
	u16 class[];
};

struct kma_class *kma_classes;
unsigned int kma_class_copies;
unsigned int kma_class_mark_bytes = PAGE_SIZE;
struct kma_class_index *kma_class_quick;
DEFINE_PER_CPU(struct kma_class_count *, kma_class_counts);

static DEFINE_PER_CPU(struct kma_area, kma_class_cpu_area);
static struct kma_area kma_class_area;
static struct kma_class_table *kma_class_table;
static struct kma_class_table *kma_class_copy;	/* the next table, while it is filled */
static u32 kma_class_room;		/* numbers for which there is memory */
static u32 kma_class_next = KMA_CLASS_FIRST;
static u32 kma_class_next_sized = 1;
static u32 kma_class_quick_used;	/* quick index: slots in use or retired */
static u32 kma_class_stale;		/* table: slots whose number was freed */
static u16 kma_class_unused;		/* first free number; linked by owner */
static u16 kma_class_unused_sized;	/* the same for classes without a size */
static u64 kma_class_arrays;		/* ticket (area.h) of the arrays */
static void (*kma_class_wake)(void);

/* Indexes that a search may still use, until @ticket has passed; none if @quick is NULL. */
static struct {
	struct kma_class_index *quick;
	struct kma_class_table *table;
	u32 room;
	u64 ticket;
} kma_class_old;

/* The class of a free number; its owner is the next free number. */
#define KMA_CLASS_UNUSED(next)	((struct kma_class){ .owner = (next), .size.req = KMA_CLASS_FREE })

/* A class as one word. */
static u64 kma_class_word(struct kma_class c)
{
	return *(const u64 *)&c;
}

static struct kma_class kma_class_known_by(u16 owner, unsigned int group, struct kma_size size)
{
	return (struct kma_class){
		.owner = owner, .group = group, .size = size,
	};
}

/*
 * Fibonacci hashing (Knuth, The Art of Computer Programming 3, section 6.4), with bits from
 * the upper end of the product, which depend on all bits of the key.
 */
static u32 kma_class_hash_of(u64 key)
{
	return (key << 32 | key >> 32) * 0x9e3779b97f4a7c15ull >> 47;
}

/*
 * Return the number of the slot where the search for @key ends: the slot of that class, or a free
 * slot. Set @nr to the contents of the slot. A caller without the lock must use @nr and must not
 * read the slot again: a slot that was free may belong to another class by then.
 */
static u32 kma_class_slot(const struct kma_class_table *table, u64 key, u16 *nr)
{
	u32 i;

	for (i = kma_class_hash_of(key);; i++) {
		/* Pairs with the smp_store_release() in kma_class_insert(). */
		*nr = smp_load_acquire(&table->class[i & table->mask]);
		/*
		 * Pairs with the kma_word_release() in kma_class_write(). A stale slot may lead to
		 * a number that is in use again, and its counters were cleared before that.
		 */
		if (!*nr || kma_word_acquire((u64 *)(READ_ONCE(kma_classes) + *nr)) == key)
			return i & table->mask;
	}
}

static unsigned int kma_class_lookup(u16 owner, unsigned int group, struct kma_size size)
{
	u16 nr;

	kma_class_slot(READ_ONCE(kma_class_table),
		       kma_class_word(kma_class_known_by(owner, group, size)), &nr);
	return nr;
}

static __cold void kma_class_insert(struct kma_class_table *table, u32 nr)
{
	const struct kma_class *c = READ_ONCE(kma_classes) + nr;
	u16 found;
	u32 i;

	if (kma_class_kind(c) == KMA_CLASS_FREE)
		return;
	i = kma_class_slot(table, kma_class_word(*c), &found);

	/* Publishes the class; pairs with the smp_load_acquire() in kma_class_slot(). */
	smp_store_release(&table->class[i], nr);
}

/* With the lock held: add a class to the index, and to the next one if that is being filled. */
static __cold void kma_class_publish(u32 nr)
{
	struct kma_class_table *copy = READ_ONCE(kma_class_copy);

	kma_class_insert(kma_class_table, nr);
	if (copy)
		kma_class_insert(copy, nr);
}

/* Return how many numbers a class has to which objects belong. */
static u32 kma_class_numbers(u32 nr)
{
	return kma_class_is_plain(nr) ? 1 : 3;
}

/*
 * Write all numbers of a class, the first one last. Each is written as one word, so a search
 * without the lock sees the old class or the new one.
 */
static __cold void kma_class_write(u32 nr, struct kma_class c)
{
	u32 i = kma_class_numbers(nr), next = kma_class_kind(&c) == KMA_CLASS_SIZED;

	for (c.size.req += (i - 1) * next; i--; c.size.req -= next)
		/* Pairs with the kma_word_acquire() in kma_class_slot(). */
		kma_word_release((u64 *)(READ_ONCE(kma_classes) + nr + i), kma_class_word(c));
}

static bool kma_class_wants_growth(void)
{
	return (kma_class_room < KMA_CLASS_END &&
		READ_ONCE(kma_class_next) > kma_class_room / 4 * 3) ||
	       READ_ONCE(kma_class_quick_used) > kma_class_room ||
	       READ_ONCE(kma_class_stale) > kma_class_room / 4;
}

/*
 * Check if a number is left for a class of @group. Groups do not get the reserved numbers. Without
 * the lock, the answer may be out of date.
 */
static bool kma_class_left(unsigned int group, bool sized)
{
	u32 end = (group & KMA_GROUP_NUMBER) > KMA_GROUP_OTHER ?
		  KMA_CLASS_END - KMA_CLASS_SPARE : KMA_CLASS_END;

	if (sized)
		return READ_ONCE(kma_class_unused_sized) ||
		       READ_ONCE(kma_class_next_sized) < KMA_CLASS_FIRST;
	return READ_ONCE(kma_class_unused) ||
	       READ_ONCE(kma_class_next) < min(READ_ONCE(kma_class_room), end);
}

/*
 * With the lock held: create a class. Its number is one that is free again, whose stale slots of
 * the index stay, or else the next one.
 */
static __cold u32 kma_class_add(u16 owner, unsigned int group, struct kma_size size)
{
	struct kma_class c = kma_class_known_by(owner, group, size);
	bool sized = kma_class_kind(&c) == KMA_CLASS_SIZED;
	u16 *unused = sized ? &kma_class_unused_sized : &kma_class_unused;
	u32 *next = sized ? &kma_class_next_sized : &kma_class_next;
	u32 nr = *unused, end = *next;

	if (!kma_class_left(group, sized))
		return KMA_CLASS_NONE;
	if (nr) {
		WRITE_ONCE(*unused, READ_ONCE(kma_classes)[nr].owner);
	} else {
		nr = end;
		end += kma_class_numbers(nr);
	}
	kma_class_write(nr, c);
	/* Pairs with the smp_load_acquire() in kma_class_nr() and kma_class_sized_nr(). */
	smp_store_release(next, end);
	kma_class_publish(nr);
	smp_wmb(); /* before the counts of this CPU; pairs with the smp_rmb() in kma_sum_cpu() */
	return nr;
}

/* Further sizes of the owner's objects are in the live map. */
static bool kma_class_has_all(u16 owner)
{
	unsigned int site = owner & ((1u << KMA_OWNER_SITE_BITS) - 1);

	return owner < KMA_OWNER_NO_SITE &&
	       READ_ONCE(kma_sites.sites[site].classes) >= KMA_CLASS_SIZES;
}

/* With the lock held: find or create the class of an object in no group. */
static __cold u32 kma_class_make_base(u16 owner, struct kma_size size)
{
	u32 nr = kma_class_lookup(owner, 0, size);

	if (!nr && kma_class_has_all(owner))
		nr = kma_class_lookup(owner, 0, kma_class_sized_key) ?:
		     kma_class_add(owner, 0, kma_class_sized_key);
	if (nr)
		return nr;
	nr = kma_class_add(owner, 0, size);
	if (nr && owner < KMA_OWNER_NO_SITE && !kma_class_has_all(owner)) {
		struct kma_site *s = &kma_sites.sites[kma_class_owner(nr)];

		WRITE_ONCE(s->classes, s->classes + 1);
	}
	return nr;
}

/* Return the group of an object for whose own group no number is left. */
static unsigned int kma_class_other(unsigned int group)
{
	return KMA_GROUP_OTHER | (group & KMA_GROUP_CHARGED);
}

/* With the lock held: find or create the class in a group whose class of no group is @base. */
static __cold u32 kma_class_make_in(u16 owner, unsigned int group, struct kma_size size, u32 base)
{
	if (!kma_class_is_plain(base))
		size = kma_class_sized_key;
	return kma_class_lookup(owner, group, size) ?: kma_class_add(owner, group, size);
}

/* With the lock held: find or create the class of an object. */
static __cold u32 kma_class_make(u16 owner, unsigned int group, struct kma_size size)
{
	u32 base = kma_class_make_base(owner, size), nr;

	if (!base || !group)
		return base;
	nr = kma_class_make_in(owner, group, size, base);
	return nr ?: kma_class_make_in(owner, kma_class_other(group), size, base) ?: base;
}

static u32 kma_class_find(u16 owner, unsigned int group, struct kma_size size)
{
	u32 nr = kma_class_lookup(owner, group, size);

	if (likely(nr) || !kma_class_has_all(owner))
		return nr;
	return kma_class_lookup(owner, group, kma_class_sized_key);
}

/*
 * When numbers have run out, find the class that kma_class_make() would find for an object whose
 * class is not in the index, so that events need not take the lock. Return false if the caller
 * must take the lock.
 */
static bool kma_class_find_instead(u16 owner, unsigned int group, struct kma_size size, u32 *nr)
{
	bool sized = kma_class_has_all(owner) && !kma_class_lookup(owner, 0, size);

	*nr = 0;
	if (kma_class_left(group, sized))
		return false;
	if (group)
		*nr = kma_class_find(owner, kma_class_other(group), size);
	if (!*nr && !kma_class_left(KMA_GROUP_OTHER, sized))
		*nr = kma_class_find(owner, 0, size);
	return *nr || !kma_class_left(0, false);
}

unsigned int kma_class_of(u16 owner, unsigned int group, struct kma_size size)
{
	u32 nr = kma_class_find(owner, group, size);
	bool grow;

	if (likely(nr) || kma_class_find_instead(owner, group, size, &nr))
		return nr;
	kma_lock(&kma_sites.lock);
	nr = kma_class_make(owner, group, size);
	grow = kma_class_wants_growth();
	kma_unlock(&kma_sites.lock);
	if (grow)
		kma_class_wake();
	return nr;
}

/* kma_class_begin() creates the class of KMA_SITE_OTHER, so that class always exists. */
struct kma_class_count *kma_class_rare(unsigned int site)
{
	u32 nr = kma_class_lookup(site, 0, kma_class_rare_key);
	bool grow = false;

	if (unlikely(!nr)) {
		kma_lock(&kma_sites.lock);
		nr = kma_class_lookup(site, 0, kma_class_rare_key) ?:
		     kma_class_add(site, 0, kma_class_rare_key);
		grow = kma_class_wants_growth();
		kma_unlock(&kma_sites.lock);
	}
	if (grow)
		kma_class_wake();
	return kma_class_count(nr ?: KMA_CLASS_FIRST);
}

/* Return the number of copies: of a per-CPU object, all copies count. */
static size_t kma_class_times(struct kma_size size)
{
	return kma_size_is_copies(size) ? kma_class_copies : 1;
}

size_t kma_class_bytes(struct kma_size size)
{
	return kma_size_bytes(size) * kma_class_times(size);
}

size_t kma_class_req(struct kma_size size)
{
	return kma_size_req(size) * kma_class_times(size);
}

/*
 * Add to a counter of each number of a class: bytes_alloc, bytes_req and, last, objects. A class
 * without objects may be folded while this event goes on, so the bytes must be visible first.
 */
static void kma_class_add_all(unsigned int class, size_t word, struct kma_size size, s64 n)
{
	if (kma_class_numbers(class) > 1) {
		kma_class_add_to(class + 2, word, n * kma_class_bytes(size));
		kma_class_add_to(class + 1, word, n * kma_class_req(size));
		smp_wmb(); /* pairs with the smp_rmb() in kma_class_is_empty() */
	}
	kma_class_add_to(class, word, n);
}

void kma_class_count_objects(unsigned int class, struct kma_size size, int n)
{
	kma_class_add_all(class, KMA_CLASS_WORD(in), size, n);
}

void kma_class_credit(unsigned int class, struct kma_size size)
{
	kma_class_add_all(class, KMA_CLASS_WORD(out), size, 1);
}

#ifndef CONFIG_64BIT
/*
 * Two CPUs never write the same counter, and irqs are off while a CPU counts. In a panic, an
 * NMI may read a counter that its own CPU was writing, and must not wait for that CPU.
 */
u64 kma_class_word_of(const struct kma_class_count *count, size_t word)
{
	const u32 *half = (const u32 *)((const u64 *)count + word);
	u32 carries, low, high;

	do {
		/* Pairs with the smp_store_release() in kma_class_carry(). */
		carries = smp_load_acquire(&count->carries);
		/* An acquire only for the unit tests, which run another CPU after each one. */
		high = smp_load_acquire(&half[!KMA_CLASS_LOW]);
		low = READ_ONCE(half[KMA_CLASS_LOW]);
		smp_rmb(); /* pairs with the smp_wmb() in kma_class_carry() */
	} while ((READ_ONCE(count->carries) != carries || carries & 1) && !oops_in_progress);
	return (u64)high << 32 | low;
}

void kma_class_carry(struct kma_class_count *count, size_t word, u64 n)
{
	u64 *counter = (u64 *)count + word, sum = *counter + n;
	u32 *half = (u32 *)counter;

	WRITE_ONCE(count->carries, count->carries + 1);
	smp_wmb(); /* pairs with the smp_rmb() in kma_class_word_of() */
	WRITE_ONCE(half[!KMA_CLASS_LOW], sum >> 32);
	WRITE_ONCE(half[KMA_CLASS_LOW], sum);
	/* Pairs with the smp_load_acquire() in kma_class_word_of(). */
	smp_store_release(&count->carries, count->carries + 1);
}
#endif

/* Return the number of slots where a search may begin. */
static u32 kma_class_quick_slots(const struct kma_class_index *index)
{
	return (index->mask + sizeof(struct kma_class_slot)) / sizeof(struct kma_class_slot);
}

void kma_class_enter(unsigned long call_site, size_t req, size_t bytes,
		     unsigned int group, unsigned int class)
{
	u32 sizes = kma_class_sizes(req, bytes);
	u64 key = kma_class_key(call_site, group);
	struct kma_class_slot *s, *end;
	bool grow;

	kma_lock(&kma_sites.lock);
	s = (struct kma_class_slot *)kma_class_quick_at(kma_class_quick, key, req);
	end = kma_class_quick->slot + kma_class_quick_slots(kma_class_quick) +
	      KMA_CLASS_BEHIND - 1;
	while (s->sizes && (s->sizes != sizes || s->key != key))
		s++;
	if (!s->sizes && s != end) {
		WRITE_ONCE(kma_class_quick_used, kma_class_quick_used + 1);
		s->key = key;
		s->class = class;
		s->group = group;
		/* Pairs with the acquire in kma_class_slot_is(). */
		smp_store_release(&s->sizes, sizes);
	}
	grow = kma_class_wants_growth();
	kma_unlock(&kma_sites.lock);
	if (grow)
		kma_class_wake();
}

/*
 * Retire slots of the quick index: those of a call site, those of groups, or all. KMA_CLASS_STEP
 * slots at a time, so that irqs are not off for long. The index may be replaced between two steps:
 * events no longer add slots that are to be retired.
 */
#define KMA_CLASS_STEP	1024u

static __cold void kma_class_retire_slots(unsigned long call_site, const u16 *groups)
{
	struct kma_class_slot *s;
	unsigned long flags;
	u32 i = 0, nr, end;

	do {
		kma_lock_irqsave(&kma_sites.lock, flags);
		nr = kma_class_quick ?
		     kma_class_quick_slots(kma_class_quick) + KMA_CLASS_BEHIND : 0;
		for (end = min(nr, i + KMA_CLASS_STEP); i < end; i++) {
			s = &kma_class_quick->slot[i];
			if (groups ? groups[s->group & KMA_GROUP_NUMBER] :
				     s->sizes && (!call_site ||
						  s->key == kma_class_key(call_site, s->group)))
				WRITE_ONCE(s->sizes, KMA_CLASS_RETIRED);
		}
		/* with the lock: kma_class_enter() adds to it */
		if (i >= nr && !call_site && !groups)
			WRITE_ONCE(kma_class_quick_used, kma_class_room + 1);
		kma_unlock_irqrestore(&kma_sites.lock, flags);
	} while (i < nr);
}

__cold void kma_class_retire(unsigned long call_site)
{
	kma_class_retire_slots(call_site, NULL);
}

__cold void kma_class_forget(void)
{
	kma_class_retire_slots(0, NULL);
	if (kma_class_grow())
		kma_class_wake();
}

static __cold size_t kma_class_quick_bytes(u32 room)
{
	return sizeof(struct kma_class_index) +
	       (2ul * room + KMA_CLASS_BEHIND) * sizeof(struct kma_class_slot);
}

static __cold struct kma_class_index *kma_class_quick_create(u32 room)
{
	struct kma_class_index *index = kma_budget_zalloc(kma_class_quick_bytes(room),
							  NUMA_NO_NODE);

	if (index)
		index->mask = (2ull * room - 1) * sizeof(struct kma_class_slot);
	return index;
}

static __cold size_t kma_class_table_bytes(u32 room)
{
	return sizeof(struct kma_class_table) + 2ul * room * sizeof(u16);
}

static __cold struct kma_class_table *kma_class_table_create(u32 room)
{
	struct kma_class_table *table = kma_budget_zalloc(kma_class_table_bytes(room),
							  NUMA_NO_NODE);

	if (table)
		table->mask = 2 * room - 1;
	return table;
}

static __cold void kma_class_free_indexes(struct kma_class_index *index,
					  struct kma_class_table *table, u32 room)
{
	kma_budget_free(index, kma_class_quick_bytes(room));
	kma_budget_free(table, kma_class_table_bytes(room));
}

/* With the lock for each class: irqs must not be off for all of them. */
static __cold void kma_class_copy_one(struct kma_class_table *table, u32 nr)
{
	unsigned long flags;

	kma_lock_irqsave(&kma_sites.lock, flags);
	kma_class_insert(table, nr);
	kma_unlock_irqrestore(&kma_sites.lock, flags);
}

/*
 * Copy all classes to @table. A class that is created in the meantime, with any number, is added
 * to both tables: each holder of the lock sees @table once the first class has been copied, and
 * classes that were created before are copied.
 */
static __cold void kma_class_table_publish(struct kma_class_table *table)
{
	unsigned long flags;
	u32 nr;

	/* Publishes the mask; pairs with the address dependency in kma_class_publish(). */
	smp_store_release(&kma_class_copy, table);
	for (nr = KMA_CLASS_FIRST; nr < kma_class_nr(); nr++)
		kma_class_copy_one(table, nr);
	for (nr = 1; nr < kma_class_sized_nr(); nr += 3)
		kma_class_copy_one(table, nr);
	kma_lock_irqsave(&kma_sites.lock, flags);
	/* Publishes the mask and the slots; pairs with the address dependency of searches. */
	smp_store_release(&kma_class_table, table);
	kma_class_copy = NULL;
	kma_unlock_irqrestore(&kma_sites.lock, flags);
}

/* Extend an area to @bytes, if it is smaller. */
static __cold int kma_class_extend(struct kma_area *area, size_t bytes, void **publish)
{
	size_t have = area->nr << PAGE_SHIFT;

	return have >= bytes ? 0 : kma_area_grow(area, bytes - have, publish);
}

static __cold int kma_class_extend_cpu(int cpu, u32 room)
{
	return kma_class_extend(per_cpu_ptr(&kma_class_cpu_area, cpu),
				KMA_CLASS_MARKS + room * sizeof(struct kma_class_count),
				(void **)per_cpu_ptr(&kma_class_counts, cpu));
}

static __cold int kma_class_extend_classes(u32 room)
{
	return kma_class_extend(&kma_class_area, room * sizeof(struct kma_class),
				(void **)&kma_classes);
}

/*
 * Make space for @room classes in the array of classes and in the counters of all CPUs. Return
 * -EAGAIN while an event may use an old base: one grace period for all CPUs.
 */
static __cold int kma_class_grow_arrays(u32 room)
{
	u64 last = kma_area_last();
	int cpu, err = kma_class_extend_classes(room);

	for_each_possible_cpu(cpu)
		if (!err && per_cpu(kma_class_counts, cpu))
			err = kma_class_extend_cpu(cpu, room);
	if (kma_area_last() != last)
		kma_class_arrays = kma_area_last();
	return err ?: kma_area_passed(kma_class_arrays) ? 0 : -EAGAIN;
}

static __cold void kma_class_free_old(void)
{
	kma_class_free_indexes(kma_class_old.quick, kma_class_old.table, kma_class_old.room);
	kma_class_old.quick = NULL;
	kma_class_old.table = NULL;
}

/*
 * Replace both indexes by new ones for @room classes, and return -EAGAIN: the next call of
 * kma_class_grow() frees the old ones. If memory is refused, the old ones stay.
 */
static __cold int kma_class_grow_indexes(u32 room)
{
	struct kma_class_index *quick = kma_class_quick_create(room), *old_quick;
	struct kma_class_table *table = kma_class_table_create(room), *old_table;
	u32 old_room = kma_class_room;
	unsigned long flags;

	if (!quick || !table) {
		kma_class_free_indexes(quick, table, room);
		return -ENOMEM;
	}
	old_table = kma_class_table;
	old_quick = kma_class_quick;
	kma_class_table_publish(table);
	kma_lock_irqsave(&kma_sites.lock, flags);
	kma_class_quick_used = 0;
	kma_class_stale = 0;
	/* Publishes the mask; pairs with the READ_ONCE() in kma_class_find_quick(). */
	smp_store_release(&kma_class_quick, quick);
	WRITE_ONCE(kma_class_room, room);
	kma_unlock_irqrestore(&kma_sites.lock, flags);
	/* preemption is off during a search */
	kma_class_old.quick = old_quick;
	kma_class_old.table = old_table;
	kma_class_old.room = old_room;
	kma_class_old.ticket = kma_area_publish();
	return -EAGAIN;
}

__cold int kma_class_grow(void)
{
	u32 room = kma_class_room;
	int err;

	if (kma_class_old.quick) {
		if (!kma_area_passed(kma_class_old.ticket))
			return -EAGAIN;
		kma_class_free_old();
	}
	if (!kma_class_wants_growth())
		return 0;
	/* if only an index is full or stale, it is replaced by one of the same size */
	if (kma_class_nr() > room / 4 * 3)
		room = min(2 * room, KMA_CLASS_ROOM_MAX);
	if (!cpus_read_trylock())
		return -EBUSY;
	err = kma_class_grow_arrays(room) ?: kma_class_grow_indexes(room);
	cpus_read_unlock();
	return err;
}

/* The counters of a class, summed over all CPUs, by KMA_CLASS_WORD(). */
struct kma_class_sum {
	u64 word[KMA_CLASS_WORDS];
};

static struct kma_class_sum kma_class_sum(u32 class)
{
	struct kma_class_sum sum = {};
	int cpu, i;

	for_each_possible_cpu(cpu) {
		const struct kma_class_count *c = per_cpu(kma_class_counts, cpu);

		for (i = KMA_CLASS_WORDS - 1; c && i >= 0; i--)
			sum.word[i] += kma_class_word_of(c + class, i);
	}
	return sum;
}

static bool kma_class_is_empty(u32 class)
{
	struct kma_class_sum sum = kma_class_sum(class);

	smp_rmb(); /* before the bytes of a class without a size; see kma_class_add_all() */
	return sum.word[KMA_CLASS_WORD(in)] == sum.word[KMA_CLASS_WORD(out)];
}

/*
 * Move all counts of class @from, including those at the last look at the peaks, to class @to. No
 * event counts in @from any more. Frees are moved before allocations, so a reader without a lock
 * (oom_report.c) never sees objects that were not allocated.
 */
static __cold void kma_class_move(u32 from, u32 to)
{
	struct kma_class_sum sum = kma_class_sum(from);
	unsigned long flags;
	int cpu, i;

	local_irq_save(flags);
	for (i = KMA_CLASS_WORDS - 1; i >= 0; i--)
		kma_class_add_to(to, i, sum.word[i]);
	local_irq_restore(flags);
	for_each_possible_cpu(cpu)
		if (per_cpu(kma_class_counts, cpu))
			per_cpu(kma_class_counts, cpu)[from] = (struct kma_class_count){};
}

/*
 * Fold the number @nr, whose class is @old but hidden, and which no event finds any more. If an
 * object was added to the class after all, restore the class.
 */
static __cold void kma_class_fold_one(u32 nr, struct kma_class old, const u16 *heir)
{
	unsigned int to = heir[old.group & KMA_GROUP_NUMBER] | (old.group & KMA_GROUP_CHARGED);
	u16 *unused = kma_class_is_plain(nr) ? &kma_class_unused : &kma_class_unused_sized;
	bool empty = kma_class_is_empty(nr);
	u32 target = 0, i;
	unsigned long flags;

	kma_lock_irqsave(&kma_sites.lock, flags);
	if (empty)
		target = kma_class_make(old.owner, to, old.size);
	kma_class_write(nr, target ? KMA_CLASS_UNUSED(0) : old);
	/* another index may have replaced the one in which it was, while it was hidden */
	if (!target)
		kma_class_publish(nr);
	kma_unlock_irqrestore(&kma_sites.lock, flags);
	if (!target)
		return;
	for (i = 0; i < kma_class_numbers(nr); i++)
		kma_class_move(nr + i, target + i);
	kma_lock_irqsave(&kma_sites.lock, flags);
	kma_class_write(nr, KMA_CLASS_UNUSED(*unused));
	WRITE_ONCE(*unused, nr);
	kma_class_stale++;
	kma_unlock_irqrestore(&kma_sites.lock, flags);
}

/*
 * Hide classes of dead groups that no object belongs to from all searches, at most
 * KMA_CLASS_BATCH. Store their numbers in @nrs and their previous contents in @old.
 */
#define KMA_CLASS_BATCH		64
#define KMA_CLASS_BATCHES	8	/* maximum of one kma_class_fold(): so many grace periods */

static u32 kma_class_fold_from = 1;	/* where the next kma_class_fold() continues */

static __cold u32 kma_class_conceal(const u16 *heir, u32 *from, u16 *nrs, struct kma_class *old)
{
	u32 end = kma_class_nr(), n = 0;

	for (; *from < end && n < KMA_CLASS_BATCH; *from += kma_class_numbers(*from)) {
		struct kma_class c = kma_class_get(*from);

		if (!heir[c.group & KMA_GROUP_NUMBER])
			continue;
		/* each sum reads the counters of all CPUs */
		cond_resched();
		if (!kma_class_is_empty(*from))
			continue;
		old[n] = c;
		nrs[n++] = *from;
		c.group |= KMA_CLASS_HIDDEN;
		kma_class_write(*from, c);
	}
	return n;
}

__cold bool kma_class_fold(const u16 *heir, u32 *left, void (*wait)(void))
{
	struct kma_class old[KMA_CLASS_BATCH];
	u32 batches = 0, nr, n, i;
	u16 nrs[KMA_CLASS_BATCH];

	kma_class_retire_slots(0, heir);
	for (; batches < KMA_CLASS_BATCHES && kma_class_stale < kma_class_room / 2; batches++) {
		n = kma_class_conceal(heir, &kma_class_fold_from, nrs, old);
		if (!n) {
			kma_class_fold_from = 1;
			break;
		}
		/* until no event uses one: preemption is off from the search to the count */
		wait();
		for (i = 0; i < n; i++)
			kma_class_fold_one(nrs[i], old[i], heir);
		cond_resched();
	}
	if (kma_class_wants_growth())
		kma_class_wake();
	for (nr = 1; nr < kma_class_nr(); nr++)
		left[kma_classes[nr].group & KMA_GROUP_NUMBER]++;
	return batches == KMA_CLASS_BATCHES;
}

__cold int kma_class_add_cpu(unsigned int cpu)
{
	struct kma_area *area = per_cpu_ptr(&kma_class_cpu_area, cpu);
	int err;

	KMA_STUB(kma_class_add_cpu, cpu);
	if (area->nr)
		return 0;
	/* a CPU must not fail to come online because the budget is used up */
	area->must = !cpu_online(cpu);
	area->local = true;
	area->node = cpu_to_node(cpu);
	area->front = KMA_CLASS_MARKS >> PAGE_SHIFT;
	area->fronts = kma_class_mark_bytes >> PAGE_SHIFT;
	err = kma_area_init(area, KMA_CLASS_MARKS +
				  KMA_CLASS_ROOM_MAX * sizeof(struct kma_class_count)) ?:
	      kma_class_extend_cpu(cpu, kma_class_room);
	area->must = false;
	if (err)
		kma_area_deinit(area);
	return err;
}

/* The first number is the class that counts rare events when no number is left. */
static __cold void kma_class_begin(void)
{
	kma_class_next = KMA_CLASS_FIRST;
	kma_class_next_sized = 1;
	kma_class_quick_used = 0;
	kma_class_stale = 0;
	kma_class_unused = 0;
	kma_class_unused_sized = 0;
	kma_class_add(KMA_SITE_OTHER, 0, kma_class_rare_key);
}

__cold int kma_class_init(void (*wake)(void))
{
	int err;

	KMA_STUB(kma_class_init, wake);
	kma_class_wake = wake;
	kma_class_copies = num_possible_cpus();
	kma_class_mark_bytes = min_t(u32, KMA_CLASS_MARKS,
				     (kma_class_copies > KMA_CLASS_FEW_CPUS ? 4 : 1) * PAGE_SIZE);
	kma_class_room = KMA_CLASS_ROOM_MIN;
	err = kma_area_init(&kma_class_area, KMA_CLASS_ROOM_MAX * sizeof(struct kma_class)) ?:
	      kma_class_extend_classes(kma_class_room);
	kma_class_quick = kma_class_quick_create(kma_class_room);
	kma_class_table = kma_class_table_create(kma_class_room);
	if (err || !kma_class_quick || !kma_class_table) {
		kma_class_deinit();
		return -ENOMEM;
	}
	kma_class_begin();
	return 0;
}

__cold void kma_class_deinit(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		per_cpu(kma_class_counts, cpu) = NULL;
		kma_area_deinit(per_cpu_ptr(&kma_class_cpu_area, cpu));
	}
	kma_class_free_old();
	kma_class_free_indexes(kma_class_quick, kma_class_table, kma_class_room);
	kma_area_deinit(&kma_class_area);
	kma_class_quick = NULL;
	kma_class_table = NULL;
	kma_classes = NULL;
	kma_class_next = KMA_CLASS_FIRST;
	kma_class_next_sized = 1;
}

__cold void kma_class_hide(void)
{
	unsigned long flags;
	u32 i, nr;

	if (!kma_class_quick)
		return;
	nr = kma_class_quick_slots(kma_class_quick) + KMA_CLASS_BEHIND;
	/* some at a time, as in kma_class_retire_slots() */
	for (i = 0; i < nr; i += KMA_CLASS_STEP) {
		kma_lock_irqsave(&kma_sites.lock, flags);
		/* a late event may read a slot at this time, and undoes what it counts */
		data_race(memset(&kma_class_quick->slot[i], 0,
				 min(nr - i, KMA_CLASS_STEP) * sizeof(*kma_class_quick->slot)));
		WRITE_ONCE(kma_class_quick_used, 0);
		kma_unlock_irqrestore(&kma_sites.lock, flags);
	}
}

__cold void kma_class_reset(void)
{
	int cpu;

	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		struct kma_class_count *counts = per_cpu(kma_class_counts, cpu);

		if (!counts)
			continue;
		memset(kma_class_marks(counts), 0, kma_class_mark_bytes);
		memset(counts, 0, kma_class_room * sizeof(*counts));
	}
	cpus_read_unlock();
	kma_class_hide();
	memset(kma_class_table->class, 0,
	       (kma_class_table->mask + 1) * sizeof(*kma_class_table->class));
	memset(kma_classes, 0, kma_class_room * sizeof(*kma_classes));
	kma_class_begin();
}

unsigned int kma_class_nr(void)
{
	/* Pairs with the smp_store_release() in kma_class_add(). */
	return smp_load_acquire(&kma_class_next);
}

unsigned int kma_class_sized_nr(void)
{
	/* Pairs with the smp_store_release() in kma_class_add(). */
	return smp_load_acquire(&kma_class_next_sized);
}

__cold size_t kma_class_memory(void)
{
	size_t bytes = kma_area_memory(&kma_class_area);
	int cpu;

	if (!kma_class_quick)
		return 0;
	for_each_possible_cpu(cpu)
		bytes += kma_area_memory(per_cpu_ptr(&kma_class_cpu_area, cpu));
	return bytes + kma_class_quick_bytes(kma_class_room) +
	       kma_class_table_bytes(kma_class_room);
}
