// SPDX-License-Identifier: GPL-2.0-only
/*
 * live.c - the live map: the functions that events and readers call.
 *
 * The design and the locking are in live.h. resize.c changes the size of the map.
 */
#include <linux/build_bug.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/processor.h>
#include <linux/string.h>

#include "account/live.h"
#include "account/spare.h"

struct kma_live_map kma_live __read_mostly;

u32 kma_nr_homes __read_mostly;
struct kma_live_limits kma_live_limits __read_mostly;

static __always_inline struct kma_live_entry
kma_bucket_entry(const struct kma_bucket *b, u32 i)
{
	return (struct kma_live_entry){
		.class = b->class[i], .found = KMA_LIVE_OLD,
	};
}

/* Check the limits that the worker has set. */
static bool kma_live_wants_growth(void)
{
	return kma_spare_taken() > READ_ONCE(kma_live_limits.taken) ||
	       kma_spare_left() < READ_ONCE(kma_live_limits.left);
}

/*
 * Take a spare bucket for a chain; return 0 if there is none. The limits are checked only
 * when this CPU had no spare buckets left, and so accessed data that all CPUs share anyway.
 */
static u32 kma_chain_extend(void)
{
	bool fetched;
	u32 next = kma_spare_pop(&fetched);

	if (unlikely(fetched) && kma_live_wants_growth())
		kma_live_limits.wake();
	return next;
}

/* Return the number of the home bucket of @hash in a map of @homes buckets. */
static u32 kma_live_home_number(u32 hash, u32 homes)
{
	u32 level = rounddown_pow_of_two(homes), i = hash & (2 * level - 1);

	return i < homes ? i : i & (level - 1);
}

/*
 * Return the number of the home bucket of @ptr. The caller holds the bucket's lock, so no bucket
 * that @ptr could belong to is split or joined during the call.
 */
static u32 kma_live_number(const void *ptr)
{
	return kma_live_home_number(kma_live_hash(ptr), READ_ONCE(kma_nr_homes));
}

struct kma_bucket *kma_live_relock(const void *ptr, u32 *head)
{
	for (;;) {
		/* Pairs with the smp_store_release() in kma_live_set_homes(). */
		u32 homes = smp_load_acquire(&kma_nr_homes);
		struct kma_bucket *b = READ_ONCE(kma_live.homes) +
				       kma_live_home_number(kma_live_hash(ptr), homes);

		*head = kma_bucket_lock(b);
		if (*head == KMA_BUCKET_LOCKED) {
			cpu_relax();
			continue;
		}
		if (READ_ONCE(kma_nr_homes) == homes)
			return b;
		kma_bucket_unlock(b, *head);
	}
}

struct kma_bucket *kma_live_lock(const void *ptr, u32 *head)
{
	/* Pairs with the smp_store_release() in kma_live_open(). */
	return smp_load_acquire(&kma_live.end) ? kma_live_relock(ptr, head) : NULL;
}

/*
 * Search for @tag from bucket *@b on, whose head is *@head. On return, *@b and *@head are those of
 * the bucket where the search ended: true with the entry in slot *@i, or false at the end of
 * the chain. noinline, because one copy for all callers is small.
 */
static noinline bool kma_chain_search(struct kma_bucket **b, u32 *head, u32 tag, u32 *i)
{
	for (;;) {
		/* slots after those in use have old contents */
		*i = kma_bucket_search(*b, tag);
		if (*i < kma_bucket_count(*head))
			return true;
		if (!kma_bucket_next(*head))
			return false;
		*b = kma_overflow(kma_bucket_next(*head));
		*head = (*b)->head;
	}
}

/*
 * The functions that access births look up the object a second time, so an event without
 * births needs no register for them. @head is the head of @home, and @ptr is in the chain.
 */
static noinline __cold u32 kma_birth_find(struct kma_bucket *home, u32 head,
					  const void *ptr, struct kma_birth_place *at)
{
	struct kma_bucket *b = home;
	u32 i;

	*at = (struct kma_birth_place){ .home = kma_live_number(ptr) };
	for (;;) {
		for (i = 0; i < kma_bucket_count(head); i++)
			if (b->tag[i] == kma_live_tag(ptr))
				return i;
		at->next = kma_bucket_next(head);
		b = kma_overflow(at->next);
		head = b->head;
	}
}

static noinline __cold void kma_birth_put(struct kma_bucket *home, u32 head, const void *ptr,
					  const struct kma_birth *birth)
{
	struct kma_birth_place at;
	u32 i = kma_birth_find(home, head, ptr, &at);

	kma_birth_set(at, i, birth);
}

static noinline __cold void kma_birth_look(struct kma_bucket *home, u32 head, const void *ptr,
					   struct kma_birth *birth)
{
	struct kma_birth_place at;
	u32 i = kma_birth_find(home, head, ptr, &at);

	*birth = kma_birth_get(at, i);
}

/* Before kma_chain_remove(): move the last birth of the chain to the slot of @ptr. */
static noinline __cold void kma_birth_take(struct kma_bucket *home, u32 head, const void *ptr,
					   struct kma_birth *birth)
{
	struct kma_birth_place at, last;
	u32 i = kma_birth_find(home, head, ptr, &at), next = 0, count;

	*birth = kma_birth_get(at, i);
	last.home = at.home;
	/* find the last entry; only the last bucket may be empty */
	do {
		last.next = next;
		count = kma_bucket_count(head);
		next = kma_bucket_next(head);
		head = next ? kma_overflow(next)->head : 0;
	} while (next && kma_bucket_count(head));
	kma_birth_move(at, i, last, count - 1);
}

struct kma_live_entry kma_live_put(struct kma_bucket *home, u32 first, const void *ptr,
				   u16 class, const struct kma_birth *birth)
{
	u32 tag = kma_live_tag(ptr), head = first, count, i;
	struct kma_bucket *b = home;

	if (kma_chain_search(&b, &head, tag, &i)) {
		struct kma_live_entry old = kma_bucket_entry(b, i);

		kma_bucket_set(b, i, tag, class);
		if (unlikely(kma_births_kept()))
			kma_birth_put(home, first, ptr, birth);
		kma_bucket_unlock(home, first);
		if (unlikely(old.class >= KMA_LIVE_PART))
			old.found = KMA_LIVE_NONE;
		return old;
	}

	count = kma_bucket_count(head);

	if (unlikely(count == KMA_BUCKET_SLOTS)) {
		u32 next = kma_chain_extend();

		if (unlikely(!next)) {
			kma_bucket_unlock(home, first);
			return (struct kma_live_entry){ .found = KMA_LIVE_FULL };
		}
		head = kma_bucket_head(count, next);
		if (b == home)
			first = head;
		else
			b->head = head;
		b = kma_overflow(next);
		head = 0;
		count = 0;
	}
	kma_bucket_set(b, count, tag, class);
	if (b == home)
		first = head + 1;
	else
		b->head = head + 1;
	if (unlikely(kma_births_kept()))
		kma_birth_put(home, first, ptr, birth);
	kma_bucket_unlock(home, first);
	return (struct kma_live_entry){ .found = KMA_LIVE_NONE };
}

/*
 * Remove the entry in slot @i of @b, a bucket of the chain of @home: fill the slot with the last
 * entry of the chain. Return the new head of @home. A bucket that becomes empty stays the
 * last one of the chain, for the next object. It becomes spare when another entry is removed.
 */
static __always_inline u32 kma_chain_remove(struct kma_bucket *home, u32 first,
					    struct kma_bucket *b, u32 i)
{
	struct kma_bucket *prev = NULL, *tail = home;
	u32 head = first, link = 0;

	while (kma_bucket_next(head)) {
		prev = tail;
		link = head;
		tail = kma_overflow(kma_bucket_next(head));
		head = tail->head;
	}
	if (unlikely(!kma_bucket_count(head) && prev)) {
		kma_spare_push(kma_bucket_next(link));
		tail = prev;
		head = kma_bucket_head(KMA_BUCKET_SLOTS, 0);
	}
	head--;
	kma_bucket_move(b, i, tail, kma_bucket_count(head));
	if (tail == home)
		return head;
	tail->head = head;
	return first;
}

struct kma_live_entry kma_live_look(struct kma_bucket *home, u32 first, const void *ptr,
				    struct kma_birth *birth)
{
	struct kma_bucket *b = home;
	u32 head = first, i;

	if (!kma_chain_search(&b, &head, kma_live_tag(ptr), &i) || b->class[i] >= KMA_LIVE_PART)
		return (struct kma_live_entry){ .found = KMA_LIVE_NONE };
	if (birth && unlikely(kma_births_kept()))
		kma_birth_look(home, first, ptr, birth);
	return kma_bucket_entry(b, i);
}

struct kma_live_entry kma_live_take(struct kma_bucket *home, u32 first, const void *ptr,
				    struct kma_birth *birth)
{
	struct kma_live_entry old = { .found = KMA_LIVE_NONE };
	struct kma_bucket *b = home;
	u32 head = first, i;

	if (kma_chain_search(&b, &head, kma_live_tag(ptr), &i) && b->class[i] < KMA_LIVE_PART) {
		old = kma_bucket_entry(b, i);
		if (unlikely(kma_births_kept()))
			kma_birth_take(home, first, ptr, birth);
		first = kma_chain_remove(home, first, b, i);
	}
	kma_bucket_unlock(home, first);
	return old;
}

__cold u16 kma_live_part(const void *ptr, bool take)
{
	struct kma_bucket *home, *b;
	struct kma_birth birth;
	u32 first, head, i;
	u16 part = 0;

	home = kma_live_relock(ptr, &first);
	b = home;
	head = first;
	if (kma_chain_search(&b, &head, kma_live_tag(ptr), &i) &&
	    b->class[i] >= KMA_LIVE_PART) {
		part = b->class[i];
		if (take && unlikely(kma_births_kept()))
			kma_birth_take(home, first, ptr, &birth);
		if (take)
			first = kma_chain_remove(home, first, b, i);
	}
	kma_bucket_unlock(home, first);
	return part;
}

u32 kma_live_homes(void)
{
	return kma_nr_homes;
}

/* The bucket to read: number @home in a map of @homes buckets. */
struct kma_live_part_of {
	u32 home;
	u32 homes;
};

/*
 * Copy the objects of bucket @of that are in the chain of bucket @h to @buf, from element @n on.
 * Return the new @n. If the map is now smaller than when the walk began, the chain also has
 * objects of other buckets, which are skipped.
 */
static __cold u32 kma_live_visit(u32 h, struct kma_live_part_of of,
				 struct kma_live_object *buf, u32 n, u32 max)
{
	struct kma_bucket *home = &kma_live.homes[h], *b = home;
	struct kma_birth_place at = { .home = h };
	unsigned long flags;
	u32 first, head, i;

	local_irq_save(flags);
	first = kma_bucket_lock_wait(home);
	for (head = first;; head = b->head) {
		for (i = 0; i < kma_bucket_count(head); i++) {
			unsigned long ptr = kma_live_ptr(b->tag[i], h);

			if (kma_live_home_number(kma_live_hash((void *)ptr), of.homes) != of.home)
				continue;
			if (n++ >= max)
				continue;
			buf[n - 1].ptr = ptr;
			buf[n - 1].class = b->class[i];
			buf[n - 1].birth = kma_birth_get(at, i);
		}
		at.next = kma_bucket_next(head);
		if (!at.next)
			break;
		b = kma_overflow(at.next);
	}
	kma_bucket_unlock(home, first);
	local_irq_restore(flags);
	return n;
}

__cold u32 kma_live_read(u32 home, u32 homes, struct kma_live_object *buf, u32 max)
{
	const struct kma_live_part_of of = { .home = home, .homes = homes };
	u32 level = rounddown_pow_of_two(homes), n = 0;

	/* in a map of @homes buckets, is @home one half of a bucket that was split? */
	if (home >= level || home + level < homes)
		level *= 2;
	if (kma_nr_homes < level)
		home = kma_live_home_number(home, kma_nr_homes);
	/* later splits have moved objects to buckets at this distance */
	for (; home < kma_nr_homes; home += level)
		n = kma_live_visit(home, of, buf, n, max);
	return n;
}

__cold void kma_live_open(void)
{
	/* Publishes the tables; pairs with smp_load_acquire() in kma_live_home(). */
	smp_store_release(&kma_live.end, (unsigned long)kma_nr_homes << KMA_BUCKET_SHIFT);
}

__cold void kma_live_close(void)
{
	WRITE_ONCE(kma_live.end, 0);
}
