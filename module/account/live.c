// SPDX-License-Identifier: GPL-2.0
/*
 * live.c - the live map: which objects exist, and of which class each is.
 *
 * The design and the locking are in live.h.
 */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/processor.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "account/area.h"
#include "account/direct_map.h"
#include "account/divide.h"
#include "account/live.h"
#include "account/spare.h"

/*
 * Overflow buckets kept ready for allocations that outrun the worker: one for each 64
 * homes, within these bounds. 4096 hold 40,960 objects.
 */
#define KMA_RESERVE_MIN		4096u
#define KMA_RESERVE_MAX		32768u

#define KMA_SAMPLES		2048u	/* buckets that are looked at for the load */

struct kma_live_map kma_live __read_mostly;
unsigned int kma_bucket_shift __read_mostly = KMA_BUCKET_SHIFT;

static struct kma_area kma_home_area;
static u32 kma_nr_homes;		/* also while the map is closed */
static u32 kma_live_taken_max;		/* overflow buckets that wake no worker */
static unsigned long kma_grow_runs, kma_grow_refused;
static void (*kma_live_wake)(void);

static __always_inline struct kma_live_entry
kma_bucket_entry(const struct kma_bucket *b, u32 i)
{
	return (struct kma_live_entry){
		.class = b->class[i], .found = KMA_LIVE_OLD,
	};
}

/*
 * Are more overflow buckets in chains than the worker has left there? With six objects for
 * each home of ten slots they are 4 to 10 for 100 homes: most while the map is half-way
 * between two powers of two.
 */
static bool kma_live_crowded(void)
{
	return kma_spare_taken() > READ_ONCE(kma_live_taken_max);
}

/* Overflow buckets for what the probes put while the worker waits for a CPU. */
static u32 kma_live_reserve(void)
{
	return clamp(READ_ONCE(kma_nr_homes) / 64, KMA_RESERVE_MIN, KMA_RESERVE_MAX);
}

static bool kma_live_short_of_spares(u32 wanted)
{
	return kma_spare_left() < wanted && kma_spare_can_add();
}

/* Is it time for the worker? Half a reserve is left for until it comes. */
static bool kma_live_wants_growth(void)
{
	return kma_live_crowded() ||
	       kma_live_short_of_spares(kma_live_reserve() / 2);
}

/*
 * A spare bucket for a chain, or 0. Whether to ask for growth is looked at only
 * when this CPU needed more than it keeps, and so met what all CPUs share anyway.
 */
static u32 kma_chain_extend(void)
{
	bool fetched;
	u32 next = kma_spare_pop(&fetched);

	if (unlikely(fetched) && kma_live_wants_growth())
		kma_live_wake();
	return next;
}

struct kma_bucket *kma_live_lock(const void *ptr, u32 *head)
{
	while (kma_live_is_open()) {
		struct kma_bucket *b = kma_live_home_of(ptr, kma_bucket_shift,
							head);

		if (*head != KMA_BUCKET_LOCKED)
			return b;
		cpu_relax();
	}
	return NULL;
}

/*
 * The first slot of a bucket that has a tag, in use or not, or KMA_BUCKET_SLOTS. Written out:
 * two instructions for each slot in place of five.
 */
static __always_inline u32 kma_bucket_search(const struct kma_bucket *b, u32 tag)
{
	BUILD_BUG_ON(KMA_BUCKET_SLOTS != 10);
	if (b->tag[0] == tag)
		return 0;
	if (b->tag[1] == tag)
		return 1;
	if (b->tag[2] == tag)
		return 2;
	if (b->tag[3] == tag)
		return 3;
	if (b->tag[4] == tag)
		return 4;
	if (b->tag[5] == tag)
		return 5;
	if (b->tag[6] == tag)
		return 6;
	if (b->tag[7] == tag)
		return 7;
	if (b->tag[8] == tag)
		return 8;
	if (b->tag[9] == tag)
		return 9;
	return KMA_BUCKET_SLOTS;
}

/*
 * Look for @tag from bucket @b on, whose head is @head. Either way they are
 * those of the bucket where the search ends: with the entry in slot @i, or the
 * last one of the chain. Inline, so that all of them are in registers.
 */
static __always_inline bool kma_chain_find(struct kma_bucket **b, u32 *head, u32 tag,
					   u32 *i)
{
	for (;;) {
		/* slots behind those in use have what was there before */
		*i = kma_bucket_search(*b, tag);
		if (*i < kma_bucket_count(*head))
			return true;
		if (!kma_bucket_next(*head))
			return false;
		*b = kma_overflow(kma_bucket_next(*head));
		*head = (*b)->head;
	}
}

struct kma_live_entry kma_live_put(struct kma_bucket *home, u32 first, u32 tag,
				   u16 class, const struct kma_birth *birth)
{
	struct kma_bucket *b = home;
	u32 head = first, count, i;

	if (kma_chain_find(&b, &head, tag, &i)) {
		struct kma_live_entry old = kma_bucket_entry(b, i);

		kma_bucket_set(b, i, tag, class);
		if (kma_births_kept())
			*kma_bucket_birth(b, i) = *birth;
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
	if (kma_births_kept())
		*kma_bucket_birth(b, count) = *birth;
	if (b == home)
		first = head + 1;
	else
		b->head = head + 1;
	kma_bucket_unlock(home, first);
	return (struct kma_live_entry){ .found = KMA_LIVE_NONE };
}

/*
 * Fill slot @i of @b, in the chain of @home, with the last entry of the chain
 * and drop that. Returns the new head of @home. A bucket that becomes empty stays as the
 * last one, so that the next object has it; it goes when one before it has room.
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

struct kma_live_entry kma_live_look(struct kma_bucket *home, u32 head, u32 tag)
{
	struct kma_bucket *b = home;
	u32 i;

	if (kma_chain_find(&b, &head, tag, &i) && b->class[i] < KMA_LIVE_PART)
		return kma_bucket_entry(b, i);
	return (struct kma_live_entry){ .found = KMA_LIVE_NONE };
}

struct kma_live_entry kma_live_take(struct kma_bucket *home, u32 first,
				    u32 tag, struct kma_birth *birth)
{
	struct kma_live_entry old = { .found = KMA_LIVE_NONE };
	struct kma_bucket *b = home;
	u32 head = first, i;

	if (kma_chain_find(&b, &head, tag, &i) && b->class[i] < KMA_LIVE_PART) {
		old = kma_bucket_entry(b, i);
		if (kma_births_kept())
			*birth = *kma_bucket_birth(b, i);
		first = kma_chain_remove(home, first, b, i);
	}
	kma_bucket_unlock(home, first);
	return old;
}

struct kma_live_entry kma_live_find(const void *ptr, struct kma_birth *birth)
{
	struct kma_live_entry e = { .found = KMA_LIVE_NONE };
	struct kma_bucket *home, *b;
	u32 first, head, i;

	home = kma_live_lock(ptr, &first);
	if (!home)
		return e;
	b = home;
	head = first;
	if (kma_chain_find(&b, &head, kma_live_tag(ptr), &i) &&
	    b->class[i] < KMA_LIVE_PART) {
		e = kma_bucket_entry(b, i);
		if (kma_births_kept())
			*birth = *kma_bucket_birth(b, i);
	}
	kma_bucket_unlock(home, first);
	return e;
}

u16 kma_live_part(const void *ptr, bool take)
{
	struct kma_bucket *home, *b;
	u32 first, head, i;
	u16 part = 0;

	home = kma_live_lock(ptr, &first);
	if (!home)
		return 0;
	b = home;
	head = first;
	if (kma_chain_find(&b, &head, kma_live_tag(ptr), &i) &&
	    b->class[i] >= KMA_LIVE_PART) {
		part = b->class[i];
		if (take)
			first = kma_chain_remove(home, first, b, i);
	}
	kma_bucket_unlock(home, first);
	return part;
}

/* Lock a bucket that nobody splits meanwhile. */
static u32 kma_bucket_lock_wait(struct kma_bucket *b)
{
	for (;;) {
		u32 head = kma_bucket_lock(b);

		if (head != KMA_BUCKET_LOCKED)
			return head;
		cpu_relax();
	}
}

u32 kma_live_homes(void)
{
	return kma_nr_homes;
}

/* Copy the chain of bucket @h to @buf from @n on; the new @n. */
static u32 kma_live_visit(u32 h, struct kma_live_object *buf, u32 n, u32 max)
{
	struct kma_bucket *home = kma_bucket_at(kma_live.homes, h), *b = home;
	u32 first, head, i;
	unsigned long flags;

	local_irq_save(flags);
	first = kma_bucket_lock_wait(home);
	for (head = first;; head = b->head) {
		for (i = 0; i < kma_bucket_count(head); i++, n++) {
			if (n >= max)
				continue;
			buf[n].ptr = kma_live_ptr(b->tag[i], h);
			buf[n].class = b->class[i];
			if (kma_births_kept())
				buf[n].birth = *kma_bucket_birth(b, i);
		}
		if (!kma_bucket_next(head))
			break;
		b = kma_overflow(kma_bucket_next(head));
	}
	kma_bucket_unlock(home, first);
	local_irq_restore(flags);
	return n;
}

u32 kma_live_read(u32 home, u32 homes, struct kma_live_object *buf, u32 max)
{
	u32 level = rounddown_pow_of_two(homes), n = 0;

	/* among @homes, is @home one of the two halves of a bucket? */
	if (home >= level || home + level < homes)
		level *= 2;
	/* where the objects went by later splits, their hash is the same */
	for (; home < kma_nr_homes; home += level)
		n = kma_live_visit(home, buf, n, max);
	return n;
}

static u32 kma_chain_length(u32 head)
{
	u32 n = 0;

	for (; kma_bucket_next(head); n++)
		head = kma_overflow(kma_bucket_next(head))->head;
	return n;
}

static u64 kma_homes_bytes(u32 n)
{
	return (u64)n << kma_bucket_shift;
}

/* How many home buckets the map has, for the worker and for the events. */
static void kma_live_set_homes(u32 n)
{
	WRITE_ONCE(kma_nr_homes, n);
	if (!kma_live_is_open())
		return;
	/* What was split is in its place; pairs with kma_live_home(). */
	smp_store_release(&kma_live.end, kma_homes_bytes(n));
}

/* Of @n homes all are split equally often: from now on one bit more counts. */
static void kma_live_next_level(u32 n)
{
	WRITE_ONCE(kma_live.mask, kma_homes_bytes(2 * n - 1));
	/* until nobody is left that has read the old mask; see kma_area_grow() */
	synchronize_rcu_expedited();
}

/*
 * Split one bucket. False if there were too few spare buckets for the new
 * chain; the depot must be refilled then.
 */
static bool kma_live_split(void)
{
	u32 n = kma_nr_homes, bit = rounddown_pow_of_two(n);
	struct kma_bucket *to = kma_bucket_at(kma_live.homes, n);
	struct kma_bucket *from = kma_bucket_at(kma_live.homes, n - bit);
	u32 spare = 0, first, left;
	bool done = false, fetched;
	unsigned long flags;

	if (n == bit)
		kma_live_next_level(n);
	local_irq_save(flags);
	first = kma_bucket_lock_wait(from);
	for (left = kma_chain_length(first); left; left--) {
		u32 next = kma_spare_pop(&fetched);

		if (!next)
			goto out;
		kma_overflow(next)->head = spare;
		spare = next;
	}
	first = kma_chain_divide(n - bit, from, first, to, bit, &spare);
	kma_live_set_homes(n + 1);
	done = true;
out:
	kma_bucket_unlock(from, first);
	while (spare) {
		u32 next = kma_overflow(spare)->head;

		kma_spare_push(spare);
		spare = next;
	}
	local_irq_restore(flags);
	return done;
}

/* Objects in the chain of a home bucket, of about now: the chain may change meanwhile. */
static u32 kma_live_count(u32 h)
{
	struct kma_bucket *home = kma_bucket_at(kma_live.homes, h);
	u32 first, head, n;
	unsigned long flags;

	local_irq_save(flags);
	first = kma_bucket_lock_wait(home);
	head = first;
	for (n = kma_bucket_count(head); kma_bucket_next(head); n += kma_bucket_count(head))
		head = kma_overflow(kma_bucket_next(head))->head;
	kma_bucket_unlock(home, first);
	local_irq_restore(flags);
	return n;
}

/*
 * How many homes more should the map have? By KMA_SAMPLES homes at equal distances, which
 * have both halves of the map in their proportion: the hash has put the objects there by
 * chance, and the number of objects is found with an error of about 1 %. Less than one
 * home of 128 is none.
 */
static u32 kma_live_lacking(void)
{
	u32 homes = kma_nr_homes, samples = min(homes, KMA_SAMPLES), i;
	u64 objects = 0, want;

	for (i = 0; i < samples; i++)
		objects += kma_live_count((u64)i * homes / samples);
	want = div_u64(objects * homes * 8, samples * KMA_LIVE_LOAD_8);
	return want > homes + homes / 128 ? want - homes : 0;
}

/* Events take spares meanwhile: they come first. */
static int kma_live_refill(void)
{
	int err = 0;

	while (!err && kma_live_short_of_spares(kma_live_reserve()))
		err = kma_spare_add();
	return err;
}

/* Room for so many homes more: once, for each time that takes a grace period. */
static int kma_live_make_room(u32 n)
{
	u32 have = kma_area_buckets(&kma_home_area) - kma_nr_homes;

	return have >= n ? 0 : kma_area_grow(&kma_home_area, kma_homes_bytes(n - have),
					     (void **)&kma_live.homes);
}

/* Split so many buckets, or as many as can be. */
static int kma_live_split_some(u32 n)
{
	int err = kma_live_make_room(n);
	u32 room = kma_area_buckets(&kma_home_area) - kma_nr_homes;

	/* the last ones of a map that has its full size */
	if (err == -ENOSPC && room)
		err = 0;
	n = min(n, room);
	while (n-- && !err) {
		err = kma_live_refill();
		if (!err && !kma_live_split())
			err = kma_spare_add();
		cond_resched();
	}
	return err;
}

int kma_live_grow(void)
{
	int err = kma_live_refill();
	u32 lacking;

	while (!err && (lacking = kma_live_lacking()))
		err = kma_live_split_some(lacking);
	/* a worker that found no more to do is not to be woken for the same again */
	WRITE_ONCE(kma_live_taken_max, max(kma_nr_homes / 16, kma_spare_taken() / 8 * 9));
	kma_grow_runs++;
	kma_grow_refused += err == -ENOMEM;
	return err;
}

int kma_live_init(unsigned long max_objects, bool births, void (*wake)(void))
{
	/* room for all at the usual load, and half as many buckets for their chains */
	unsigned long max = clamp(max_objects / KMA_LIVE_LOAD_8 * 8 + 1,
				  (unsigned long)KMA_HOMES_MIN,
				  (unsigned long)KMA_BUCKET_NEXT_MAX);
	int err;

	kma_direct_init();
	if (!kma_direct_fits(KMA_PTR_BITS))
		return -EOPNOTSUPP;
	kma_live_wake = wake;
	kma_bucket_shift = KMA_BUCKET_SHIFT + (births ? KMA_BUCKET_BIRTH_SHIFT : 0);
	err = kma_area_init(&kma_home_area, kma_homes_bytes(max)) ?:
	      kma_spare_init(max(max / 2, (unsigned long)KMA_RESERVE_MIN)) ?:
	      kma_area_grow(&kma_home_area, kma_homes_bytes(KMA_HOMES_MIN),
			    (void **)&kma_live.homes);
	if (err)
		goto err_areas;
	kma_live.mask = kma_homes_bytes(KMA_HOMES_MIN - 1);
	kma_live_set_homes(KMA_HOMES_MIN);
	err = kma_live_grow();
	if (err)
		goto err_areas;
	kma_grow_runs = 0;
	kma_grow_refused = 0;
	return 0;

err_areas:
	kma_live_deinit();
	return err;
}

void kma_live_deinit(void)
{
	kma_live_close();
	kma_spare_deinit();
	kma_area_deinit(&kma_home_area);
	kma_live.homes = NULL;
}

void kma_live_open(void)
{
	/* The tables before the gate; pairs with kma_live_home(). */
	smp_store_release(&kma_live.end, kma_homes_bytes(kma_nr_homes));
}

void kma_live_close(void)
{
	WRITE_ONCE(kma_live.end, 0);
}

void kma_live_reset(void)
{
	u32 i;

	for (i = 0; i < kma_nr_homes; i++)
		kma_bucket_at(kma_live.homes, i)->head = 0;
	kma_spare_reset();
}

struct kma_live_stats kma_live_stats(void)
{
	unsigned long spares, max_spares;
	size_t bytes = kma_spare_memory(&spares, &max_spares);
	unsigned long max_homes = kma_home_area.max <<
				  (PAGE_SHIFT - kma_bucket_shift);

	return (struct kma_live_stats){
		.slots = (kma_area_buckets(&kma_home_area) + spares) *
			 KMA_BUCKET_SLOTS,
		.max_slots = (max_homes + max_spares) * KMA_BUCKET_SLOTS,
		.bytes = bytes + kma_area_memory(&kma_home_area),
		.homes = kma_nr_homes,
		.overflow = kma_spare_used(),
		.grow_runs = kma_grow_runs,
		.grow_refused = kma_grow_refused,
	};
}
