// SPDX-License-Identifier: GPL-2.0-only
/*
 * resize.c - the size of the live map: how the map grows and shrinks, and its memory.
 *
 * The design is in resize.h.
 */
#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "account/area.h"
#include "account/array.h"
#include "account/direct_map.h"
#include "account/divide.h"
#include "account/live.h"
#include "account/resize.h"
#include "account/spare.h"

/*
 * The reserve: overflow buckets that are kept ready for allocations that are faster than the
 * worker. There is one for each 64 homes, within bounds. The lower bound is 4096 buckets, which
 * hold 40,960 objects. A machine with less than 1 GiB has fewer and slower CPUs, and a lower bound
 * of one bucket for each 256 KiB of memory, but at least 512. The worker catches up with
 * allocations before they use up this reserve.
 */
#define KMA_RESERVE_LEAST	512u
#define KMA_RESERVE_MIN		4096u
#define KMA_RESERVE_MAX		32768u
#define KMA_RESERVE_PAGES	64	/* pages of memory for each bucket */

#define KMA_SAMPLES		2048u	/* buckets that are sampled for the load */
/* The number of overflow buckets is a multiple of this: whole pages, which are whole batches. */
#define KMA_RESIZE_ROUND	((u32)(PAGE_SIZE / sizeof(struct kma_bucket)))
/*
 * The map shrinks if it has more than it needs by one part in this number: of homes, of spare
 * buckets while their number changes, of spare buckets if it has not changed since the previous
 * kma_live_shrink(), and of both for a hard kma_live_shrink().
 */
#define KMA_EXCESS_HOMES	3
#define KMA_EXCESS_RUSH		1
#define KMA_EXCESS_QUIET	4
#define KMA_EXCESS_HARD		8

#define KMA_JOINS		8192u	/* maximum of one kma_live_shrink(): about 3 ms */

static struct kma_array kma_home_array;
static u32 kma_reserve_min = KMA_RESERVE_MIN;

/* For kma_live_stats() and kma_live_excess(), and the state of the worker. */
static struct {
	unsigned long grow_runs;
	unsigned long grow_refused;
	unsigned long given_back;
	unsigned long excess;
	u32 goal;		/* homes to leave if joins are to go on; else 0 */
	u32 spares;		/* kma_spare_nr() at the end of the previous kma_live_shrink() */
	/* tickets (area.h) of: the mask, the base of the home buckets, the joins */
	u64 level;
	u64 base;
	u64 joined;
} kma_resize;

static u32 kma_chain_length(u32 head)
{
	u32 n = 0;

	for (; kma_bucket_next(head); n++)
		head = kma_overflow(kma_bucket_next(head))->head;
	return n;
}

static unsigned long kma_homes_bytes(u32 n)
{
	return (unsigned long)n << KMA_BUCKET_SHIFT;
}

/* Set the number of home buckets for the worker, and for events if the map is open. */
static void kma_live_set_homes(u32 n)
{
	/* Both publish the bucket that was split or joined. Pairs with kma_live_relock(). */
	smp_store_release(&kma_nr_homes, n);
	if (!kma_live_is_open())
		return;
	/* Pairs with kma_live_home(). */
	smp_store_release(&kma_live.end, kma_homes_bytes(n));
}

/*
 * All @n homes are split equally often: use one more bit of the hash from now on. Return false
 * while an event may have the old mask. An event reads the base of the homes and the mask in any
 * order, and the mask may lead it to any of the @n homes. So no event may have a base of fewer.
 */
static bool kma_live_next_level(u32 n)
{
	unsigned long mask = kma_homes_bytes(2 * n - 1);

	if (kma_live.mask != mask) {
		if (!kma_area_passed(kma_resize.base))
			return false;
		/* after kma_live.end: an event that has this mask reads it again */
		smp_store_release(&kma_live.mask, mask);
		kma_resize.level = kma_area_publish();
	}
	return kma_area_passed(kma_resize.level);
}

/* Check if a home can be split now. If not, a grace period must end first. */
static bool kma_live_may_split(void)
{
	u32 n = kma_nr_homes;

	return kma_area_passed(kma_resize.joined) &&
	       (!is_power_of_2(n) || kma_live_next_level(n));
}

/* Take @n spare buckets as a list. Return false if there are fewer; @list has those. */
static bool kma_live_borrow(u32 n, u32 *list)
{
	bool fetched;

	for (; n; n--) {
		u32 bucket = kma_spare_pop(&fetched);

		if (!bucket)
			return false;
		kma_overflow(bucket)->head = *list;
		*list = bucket;
	}
	return true;
}

static void kma_live_give_back(u32 list)
{
	while (list) {
		u32 next = kma_overflow(list)->head;

		kma_spare_push(list);
		list = next;
	}
}

/*
 * Split one bucket; kma_live_may_split(). Return false if there were too few spare buckets for the
 * new chain; the caller then refills the depot.
 */
static bool kma_live_split(void)
{
	u32 n = kma_nr_homes, bit = rounddown_pow_of_two(n);
	struct kma_bucket *to = &kma_live.homes[n];
	struct kma_bucket *from = &kma_live.homes[n - bit];
	u32 spare = 0, first;
	unsigned long flags;
	bool done;

	local_irq_save(flags);
	first = kma_bucket_lock_wait(from);
	done = kma_live_borrow(kma_chain_length(first), &spare);
	if (done) {
		first = kma_chain_divide(n - bit, from, first, to, bit, &spare);
		kma_live_set_homes(n + 1);
	}
	kma_bucket_unlock(from, first);
	kma_live_give_back(spare);
	local_irq_restore(flags);
	return done;
}

/* Return the current number of objects in the chain of a home bucket, which may then change. */
static u32 kma_live_count(u32 h)
{
	struct kma_bucket *home = &kma_live.homes[h];
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
 * Return the number of homes that the map should have. Samples KMA_SAMPLES homes at equal
 * distances, so buckets of both parts of the map, split and not yet split, are sampled in
 * proportion. The hash distributes objects at random: the error of the number of objects is
 * about 1 %.
 */
static u32 kma_live_want(void)
{
	u32 homes = kma_nr_homes, samples = min(homes, KMA_SAMPLES), i;
	u64 objects = 0;

	for (i = 0; i < samples; i++)
		objects += kma_live_count(div_u64((u64)i * homes, samples));
	return div_u64(objects * homes * 8, samples * KMA_LIVE_LOAD_8);
}

/* Return the number of homes that the map lacks; 0 if it is less than 1/128 of the homes. */
static u32 kma_live_lacking(void)
{
	u32 homes = kma_nr_homes, want = kma_live_want();

	return want > homes + homes / 128 ? want - homes : 0;
}

/* Return the size of the reserve, for allocations while the worker waits for a CPU. */
static u32 kma_live_reserve(void)
{
	return clamp(kma_nr_homes / 64, kma_reserve_min, KMA_RESERVE_MAX);
}

static bool kma_live_short_of_spares(void)
{
	return kma_spare_left() < kma_live_reserve() && kma_spare_can_add();
}

/*
 * Set the limits at which events wake the worker. With six objects for each home of ten slots
 * there are 4 to 10 overflow buckets for 100 homes; most of them while the number of homes is
 * half-way between two powers of two. If the worker has found nothing more to do, the same number
 * of buckets in chains must not wake it again. The worker is woken when half of the reserve is
 * left.
 */
static void kma_live_set_limits(void)
{
	WRITE_ONCE(kma_live_limits.taken, max(kma_nr_homes / 16, kma_spare_taken() / 8 * 9));
	WRITE_ONCE(kma_live_limits.left, kma_spare_can_add() ? kma_live_reserve() / 2 : 0);
}

/* Refill the reserve. Repeat, because events take spare buckets in the meantime. */
static int kma_live_refill(void)
{
	int err = 0;

	while (!err && kma_live_short_of_spares())
		err = kma_spare_add();
	return err;
}

/* Make space for @n more homes, all at once: each growth maps the whole array again. */
static int kma_live_make_room(u32 n)
{
	u32 have = kma_array_nr(&kma_home_array) - kma_nr_homes;
	int err = have >= n ? 0 : kma_array_grow(&kma_home_array, n - have);

	if (have < n && !err)
		kma_resize.base = kma_area_last();
	return err;
}

/* Split @n buckets, or as many as possible. */
static int kma_live_split_some(u32 n)
{
	int err = kma_live_may_split() ? kma_live_make_room(n) : -EAGAIN;
	u32 room = kma_array_nr(&kma_home_array) - kma_nr_homes;

	/* near its full size, the map has space for fewer than @n homes */
	if (err == -ENOSPC && room)
		err = 0;
	n = min(n, room);
	while (n-- && !err) {
		err = kma_live_refill() ?: kma_live_may_split() ? 0 : -EAGAIN;
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
	kma_live_set_limits();
	kma_resize.grow_runs += err != -EAGAIN;
	kma_resize.grow_refused += err == -ENOMEM;
	return err;
}

/*
 * Join the last home to the bucket that it was split from. Return false if there were too few
 * spare buckets for the chain. The lock of the last home is not released (live.h).
 */
static bool kma_live_join(void)
{
	u32 n = kma_nr_homes - 1, bit = rounddown_pow_of_two(n);
	struct kma_bucket *to = &kma_live.homes[n - bit];
	struct kma_bucket *from = &kma_live.homes[n];
	u32 spare = 0, first, head;
	unsigned long flags;
	bool done;

	/* kma_live_set_homes() publishes it: see kma_live_home() */
	WRITE_ONCE(kma_live.mask, kma_homes_bytes(2 * bit - 1));
	local_irq_save(flags);
	first = kma_bucket_lock_wait(to);
	head = kma_bucket_lock_wait(from);
	/* enough, because a chain of so many buckets has no more entries */
	done = kma_live_borrow(kma_chain_length(head) + 1, &spare);
	if (done) {
		first = kma_chain_join(n - bit, to, first, from, head, bit, &spare);
		kma_live_set_homes(n);
	} else {
		kma_bucket_unlock(from, head);
	}
	kma_bucket_unlock(to, first);
	kma_live_give_back(spare);
	local_irq_restore(flags);
	return done;
}

/* Join buckets until @homes are left, at most KMA_JOINS. Events may use an older number. */
static int kma_live_join_some(u32 homes)
{
	u32 n = min(kma_nr_homes - homes, KMA_JOINS);
	int err = 0;

	while (n-- && !err) {
		err = kma_live_join() ? 0 : -ENOMEM;
		cond_resched();
	}
	kma_resize.joined = kma_area_publish();
	return err ?: kma_nr_homes > homes ? -EAGAIN : 0;
}

/* Release the memory after the last home bucket; the joins have passed (area.h). */
static int kma_live_cut_homes(void)
{
	long released = kma_array_shrink(&kma_home_array, kma_nr_homes);

	kma_resize.base = kma_area_last();
	kma_resize.given_back += max(released, 0l);
	return min(released, 0l);
}

/* Copy overflow bucket @from to @to; both belong to the chain of home @h. */
static void kma_live_copy_overflow(u32 h, u32 to, u32 from)
{
	const struct kma_birth_place to_place = { h, to }, from_place = { h, from };
	u32 i;

	*kma_overflow(to) = *kma_overflow(from);
	for (i = 0; i < KMA_BUCKET_SLOTS && kma_births_kept(); i++)
		kma_birth_move(to_place, i, from_place, i);
}

/*
 * Move the contents of withdrawn buckets of a chain to spare buckets. Return false if there is no
 * spare bucket.
 */
static bool kma_live_move_chain(u32 h)
{
	struct kma_bucket *home = &kma_live.homes[h], *b = home;
	u32 first, head, next;
	unsigned long flags;
	bool fetched;

	local_irq_save(flags);
	first = kma_bucket_lock_wait(home);
	for (head = first; (next = kma_bucket_next(head)); head = b->head) {
		u32 spare = kma_spare_stays(next) ? next : kma_spare_pop(&fetched);

		if (!spare)
			break;
		if (spare != next) {
			kma_live_copy_overflow(h, spare, next);
			head = kma_bucket_head(kma_bucket_count(head), spare);
			if (b == home)
				first = head;
			else
				b->head = head;
			kma_spare_push(next);
		}
		b = kma_overflow(spare);
	}
	kma_bucket_unlock(home, first);
	local_irq_restore(flags);
	return !next;
}

/* Check if events take spare buckets faster than memory is released: growth comes first. */
static bool kma_live_outrun(void)
{
	return kma_spare_left() < kma_live_reserve() / 2;
}

/* Reduce the overflow buckets to @keep. No CPU goes online or offline in the meantime. */
static int kma_live_cut_spares(u32 keep)
{
	long released;
	u32 h;

	kma_spare_withdraw(keep);
	for (h = 0; h < kma_nr_homes && !kma_live_outrun() && kma_live_move_chain(h); h++)
		cond_resched();
	released = kma_spare_settle(!kma_live_outrun());
	if (released > 0)
		kma_resize.given_back += released;
	return min(released, 0l);
}

/*
 * Return the number of overflow buckets that the map needs: those in chains, an eighth more, the
 * reserve, and those that kma_spare_withdraw() leaves with CPUs. A CPU that lost all
 * buckets that it keeps would soon fetch others.
 */
static u32 kma_live_spares_needed(void)
{
	u32 used = kma_spare_used();

	return round_up(used + used / 8 + kma_live_reserve() + kma_spare_kept(),
			KMA_RESIZE_ROUND);
}

/* Check if the map has more than it needs by more than one part in @share. */
static bool kma_live_too_many(u32 have, u32 need, u32 share)
{
	return have > need + need / share;
}

/*
 * Store the number of pages that a hard kma_live_shrink() would release, and for the next one how
 * many spare buckets there are.
 */
static void kma_live_set_excess(u32 homes, u32 spares)
{
	u32 buckets = kma_array_nr(&kma_home_array), all = kma_spare_nr(), excess = 0;

	if (kma_live_too_many(buckets, homes, KMA_EXCESS_HARD))
		excess += buckets - homes;
	if (kma_live_too_many(all, spares, KMA_EXCESS_HARD))
		excess += all - spares;
	kma_resize.spares = all;
	WRITE_ONCE(kma_resize.excess, kma_homes_bytes(excess) >> PAGE_SHIFT);
}

int kma_live_shrink(bool hard)
{
	u32 homes = max(kma_live_want() / 8 * 9, KMA_HOMES_MIN), spares, have, share;
	u32 buckets = kma_array_nr(&kma_home_array);
	int err = 0;

	/* continue towards the previous goal, unless more objects have been added since */
	homes = max(homes, kma_resize.goal);
	if (kma_resize.goal ||
	    kma_live_too_many(buckets, homes, hard ? KMA_EXCESS_HARD : KMA_EXCESS_HOMES)) {
		if (kma_nr_homes > homes)
			err = kma_live_join_some(homes);
		if (!err && !kma_area_passed(kma_resize.joined))
			err = -EINPROGRESS;
		kma_resize.goal = err == -EAGAIN || err == -EINPROGRESS ? homes : 0;
		err = err ?: kma_live_cut_homes();
	}
	spares = kma_live_spares_needed();
	have = kma_spare_nr();
	share = hard ? KMA_EXCESS_HARD :
		kma_resize.spares == have ? KMA_EXCESS_QUIET : KMA_EXCESS_RUSH;
	/*
	 * If a CPU goes online or offline, a later call releases the spare buckets: to wait for
	 * the CPU, which may take seconds, would keep the map from growing.
	 */
	if (!err && kma_live_too_many(have, spares, share) && cpus_read_trylock()) {
		err = kma_live_cut_spares(spares);
		cpus_read_unlock();
	}
	kma_live_set_limits();
	kma_live_set_excess(homes, spares);
	return err;
}

unsigned long kma_live_excess(void)
{
	return READ_ONCE(kma_resize.excess);
}

/* Make the map empty and of the smallest size; its array may be larger. */
static void kma_live_begin(void)
{
	u32 i;

	/* events read it, and make no use of it while the map is closed */
	WRITE_ONCE(kma_live.mask, kma_homes_bytes(KMA_HOMES_MIN - 1));
	kma_live_set_homes(KMA_HOMES_MIN);
	for (i = 0; i < KMA_HOMES_MIN; i++)
		kma_live.homes[i].head = 0;
}

int kma_live_attach(void)
{
	int err;

	/* what the map has released is in the budget until then, and somebody waits for "age on" */
	kma_area_drain();
	err = kma_spare_attach() ?: kma_array_attach(&kma_home_array);
	if (err)
		kma_live_detach();
	return err;
}

void kma_live_detach(void)
{
	WRITE_ONCE(kma_birth_arrays.homes, NULL);
	WRITE_ONCE(kma_birth_arrays.spares, NULL);
	kma_area_publish();
	/* somebody waits for "age off" */
	kma_area_drain();
	kma_array_detach(&kma_home_array);
	kma_spare_detach();
}

int kma_live_init(unsigned long max_objects, bool births, void (*wake)(void))
{
	/* homes for all objects at the usual load, and half as many overflow buckets */
	unsigned long max = clamp(max_objects / KMA_LIVE_LOAD_8 * 8 + 1,
				  (unsigned long)KMA_HOMES_MIN,
				  KMA_HOMES_MAX);
	int err;

	kma_direct_init();
	if (!kma_direct_fits(KMA_PTR_BITS))
		return -EOPNOTSUPP;
	kma_live_limits.wake = wake;
	/* a power of two, so that it is a multiple of a page and of a batch */
	kma_reserve_min = roundup_pow_of_two(clamp(totalram_pages() / KMA_RESERVE_PAGES,
						   (unsigned long)KMA_RESERVE_LEAST,
						   (unsigned long)KMA_RESERVE_MIN));
	err = kma_array_init(&kma_home_array, max, &kma_live.homes, &kma_birth_arrays.homes) ?:
	      kma_spare_init(max(max / 2, (unsigned long)KMA_RESERVE_MIN), kma_reserve_min) ?:
	      kma_array_grow(&kma_home_array, KMA_HOMES_MIN);
	if (err)
		goto err_arrays;
	kma_live_begin();
	err = kma_live_grow();
	if (!err && births)
		err = kma_live_attach();
	if (err)
		goto err_arrays;
	memset(&kma_resize, 0, sizeof(kma_resize));
	return 0;

err_arrays:
	kma_live_deinit();
	return err;
}

void kma_live_deinit(void)
{
	kma_live_close();
	kma_spare_deinit();
	kma_array_deinit(&kma_home_array);
	/* a reader finds no buckets */
	WRITE_ONCE(kma_nr_homes, 0);
}

void kma_live_reset(void)
{
	long released = kma_array_shrink(&kma_home_array, KMA_HOMES_MIN);

	/* if memory to map fewer pages is refused, all pages stay */
	kma_live_begin();
	kma_resize.given_back += max(released, 0l) + kma_spare_reset();
	kma_area_drain();
	kma_resize.excess = 0;
	kma_resize.goal = 0;
	kma_live_set_limits();
}

struct kma_live_stats kma_live_stats(void)
{
	unsigned long spares, max_spares;
	size_t bytes = kma_spare_memory(&spares, &max_spares);

	return (struct kma_live_stats){
		.slots = (kma_array_nr(&kma_home_array) + spares) *
			 KMA_BUCKET_SLOTS,
		.max_slots = (kma_array_max(&kma_home_array) + max_spares) * KMA_BUCKET_SLOTS,
		.bytes = bytes + kma_array_memory(&kma_home_array),
		.homes = kma_nr_homes,
		.overflow = kma_spare_used(),
		.grow_runs = kma_resize.grow_runs,
		.grow_refused = kma_resize.grow_refused,
		.given_back = kma_resize.given_back,
	};
}
