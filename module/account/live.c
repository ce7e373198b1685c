// SPDX-License-Identifier: GPL-2.0
/*
 * live.c - the live map: which objects exist, who allocated them, how large.
 *
 * The design and the locking are told in live.h.
 */
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/processor.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "account/area.h"
#include "account/direct_map.h"
#include "account/live.h"
#include "account/spare.h"

#define KMA_HASH_MUL_INV	0xebb34377u	/* modulo 2^32 */

/*
 * Overflow buckets kept ready for allocations that outrun the worker: half as
 * many as homes, within these bounds. 8192 hold 49,152 objects.
 */
#define KMA_RESERVE_MIN		8192u
#define KMA_RESERVE_MAX		32768u

struct kma_live_map kma_live __read_mostly;
unsigned int kma_bucket_shift __read_mostly = KMA_BUCKET_SHIFT;

static struct kma_area kma_home_area;
static u32 kma_nr_homes;		/* also while the map is closed */
static unsigned long kma_grow_runs, kma_grow_refused;
static void (*kma_live_wake)(void);

/* The address of an object, by its tag and its bucket. */
static unsigned long kma_live_ptr(u32 tag, u32 home)
{
	/* what the tag adds to the bucket's number; the rest is the top bits */
	u32 top = home - (u32)((u64)tag * KMA_HASH_MUL >> 32);
	unsigned long base = kma_linear_base, ptr;

	top = top * KMA_HASH_MUL_INV & (KMA_HOMES_MIN - 1);
	ptr = ((unsigned long)top << 32 | tag) << KMA_PTR_SHIFT;
	ptr |= base & ~(BIT(KMA_PTR_BITS) - 1);
	return ptr < base ? ptr + BIT(KMA_PTR_BITS) : ptr;
}

static __always_inline struct kma_live_entry
kma_bucket_entry(const struct kma_bucket *b, u32 i)
{
	return (struct kma_live_entry){
		.size = b->size[i], .site = kma_slot_site(b->site[i]),
		.found = KMA_LIVE_OLD, .made = kma_slot_made(b->site[i]),
	};
}

/* Half as many overflow buckets as homes: about 6.6 objects for each home. */
static bool kma_live_crowded(void)
{
	return kma_spare_taken() > READ_ONCE(kma_nr_homes) / 2;
}

/* Overflow buckets for what the probes put while the worker waits for a CPU. */
static u32 kma_live_reserve(void)
{
	return clamp(READ_ONCE(kma_nr_homes) / 2, KMA_RESERVE_MIN,
		     KMA_RESERVE_MAX);
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
 * Look for @tag from bucket @b on, whose head is @head. Either way they are
 * those of the bucket where the search ends: with the entry in slot @i, or the
 * last one of the chain.
 */
static bool kma_chain_find(struct kma_bucket **b, u32 *head, u32 tag, u32 *i)
{
	for (;;) {
		u32 count = kma_bucket_count(*head);

		for (*i = 0; *i < count; ++*i)
			if (unlikely((*b)->tag[*i] == tag))
				return true;
		if (!kma_bucket_next(*head))
			return false;
		*b = kma_overflow(kma_bucket_next(*head));
		*head = (*b)->head;
	}
}

struct kma_live_entry kma_live_put(struct kma_bucket *home, u32 first, u32 tag,
				   u16 owner, struct kma_size size,
				   const struct kma_birth *birth)
{
	struct kma_bucket *b = home;
	u32 head = first, count, i;

	if (kma_chain_find(&b, &head, tag, &i)) {
		struct kma_live_entry old = kma_bucket_entry(b, i);

		kma_bucket_set(b, i, tag, size, owner);
		if (kma_births_kept())
			*kma_bucket_birth(b, i) = *birth;
		kma_bucket_unlock(home, first);
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
	kma_bucket_set(b, count, tag, size, owner);
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
 * and drop that. Returns the new head of @home.
 */
static u32 kma_chain_remove(struct kma_bucket *home, u32 first,
			    struct kma_bucket *b, u32 i)
{
	struct kma_bucket *prev = NULL, *tail = home;
	u32 head = first, link = 0, last;

	while (kma_bucket_next(head)) {
		prev = tail;
		link = head;
		tail = kma_overflow(kma_bucket_next(head));
		head = tail->head;
	}
	last = kma_bucket_count(head) - 1;
	kma_bucket_move(b, i, tail, last);
	head--;
	if (tail == home)
		return head;
	if (last) {
		tail->head = head;
		return first;
	}
	kma_spare_push(kma_bucket_next(link));
	link = kma_bucket_head(KMA_BUCKET_SLOTS, 0);
	if (prev == home)
		return link;
	prev->head = link;
	return first;
}

struct kma_live_entry kma_live_look(struct kma_bucket *home, u32 head, u32 tag)
{
	struct kma_bucket *b = home;
	u32 i;

	if (kma_chain_find(&b, &head, tag, &i))
		return kma_bucket_entry(b, i);
	return (struct kma_live_entry){ .found = KMA_LIVE_NONE };
}

struct kma_live_entry kma_live_take(struct kma_bucket *home, u32 first,
				    u32 tag, struct kma_birth *birth)
{
	struct kma_live_entry old = { .found = KMA_LIVE_NONE };
	struct kma_bucket *b = home;
	u32 head = first, i;

	if (kma_chain_find(&b, &head, tag, &i)) {
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
	if (kma_chain_find(&b, &head, kma_live_tag(ptr), &i)) {
		e = kma_bucket_entry(b, i);
		if (kma_births_kept())
			*birth = *kma_bucket_birth(b, i);
	}
	kma_bucket_unlock(home, first);
	return e;
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

/*
 * Copy the chain of bucket @h to @buf from @n on; the new @n. Without @buf, forget how the
 * objects there were allocated.
 */
static u32 kma_live_visit(u32 h, struct kma_live_object *buf, u32 n, u32 max)
{
	struct kma_bucket *home = kma_bucket_at(kma_live.homes, h), *b = home;
	u32 first, head, i;
	unsigned long flags;

	local_irq_save(flags);
	first = kma_bucket_lock_wait(home);
	for (head = first;; head = b->head) {
		for (i = 0; i < kma_bucket_count(head); i++, n++) {
			if (!buf)
				b->site[i] = kma_slot_site(b->site[i]);
			if (n >= max)
				continue;
			buf[n].ptr = kma_live_ptr(b->tag[i], h);
			buf[n].size = b->size[i];
			buf[n].site = kma_slot_site(b->site[i]);
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

void kma_live_unwatch(void)
{
	u32 h;

	for (h = 0; h < kma_nr_homes; h++) {
		kma_live_visit(h, NULL, 0, 0);
		cond_resched();
	}
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

/* Where the next entry of a chain that is being built goes. */
struct kma_chain_end {
	struct kma_bucket *b;
	u32 count;
	u32 link;		/* index + 1 of the bucket behind b, or 0 */
};

/* Close @end->b, which is full, and go on in the bucket behind it. */
static void kma_chain_step(struct kma_chain_end *end, u32 *home_head,
			   const struct kma_bucket *home)
{
	u32 head = kma_bucket_head(end->count, end->link);

	if (end->b == home)
		*home_head = head;
	else
		end->b->head = head;
	end->b = kma_overflow(end->link);
	end->count = 0;
}

/*
 * Move those entries of bucket @nr, at @from, whose hash has the bit @bit to
 * bucket @to, which nobody can see yet. @spare is a list of as many overflow buckets as the
 * chain of @from has; what is not used of it and what comes free is given back.
 */
static u32 kma_live_divide(u32 nr, struct kma_bucket *from, u32 first,
			   struct kma_bucket *to, u32 bit, u32 *spare)
{
	struct kma_chain_end keep = { .b = from }, move = { .b = to };
	struct kma_bucket *b = from;
	u32 keep_first = first, move_first = 0, head = first, freed, i;

	for (;;) {
		u32 count = kma_bucket_count(head);
		u32 next = kma_bucket_next(head);

		for (i = 0; i < count; i++) {
			bool moves = kma_live_hash((void *)
				kma_live_ptr(b->tag[i], nr)) & bit;
			struct kma_chain_end *end = moves ? &move : &keep;

			if (end->count == KMA_BUCKET_SLOTS && moves) {
				end->link = *spare;
				*spare = kma_overflow(end->link)->head;
				kma_chain_step(end, &move_first, to);
				end->link = 0;
			} else if (end->count == KMA_BUCKET_SLOTS) {
				/* at most at b: its head is not needed again */
				end->link = kma_bucket_next(end->b == from ?
							    first : end->b->head);
				kma_chain_step(end, &keep_first, from);
			}
			kma_bucket_move(end->b, end->count++, b, i);
		}
		if (!next)
			break;
		b = kma_overflow(next);
		head = b->head;
	}

	/* cut the old chain behind its last entry */
	freed = kma_bucket_next(keep.b == from ? first : keep.b->head);
	while (freed) {
		u32 next = kma_bucket_next(kma_overflow(freed)->head);

		kma_spare_push(freed);
		freed = next;
	}
	keep.link = 0;
	if (keep.b == from)
		keep_first = kma_bucket_head(keep.count, 0);
	else
		keep.b->head = kma_bucket_head(keep.count, 0);
	if (move.b == to)
		move_first = kma_bucket_head(move.count, 0);
	else
		move.b->head = kma_bucket_head(move.count, 0);
	to->head = move_first;
	return keep_first;
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
	first = kma_live_divide(n - bit, from, first, to, bit, &spare);
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

/* Split one more bucket, with more homes or spares where it needs them. */
static int kma_live_split_next(void)
{
	if (kma_nr_homes == kma_area_buckets(&kma_home_area)) {
		int err = kma_area_grow_buckets(&kma_home_area,
						&kma_live.homes);

		if (err)
			return err;
	}
	return kma_live_split() ? 0 : kma_spare_add();
}

int kma_live_grow(void)
{
	int err;

	do {
		err = 0;
		if (kma_live_short_of_spares(kma_live_reserve()))
			err = kma_spare_add();
		if (kma_live_crowded())
			err = kma_live_split_next();
		cond_resched();
	} while (!err && (kma_live_short_of_spares(kma_live_reserve()) ||
			  kma_live_crowded()));
	kma_grow_runs++;
	kma_grow_refused += err == -ENOMEM;
	return err;
}

int kma_live_init(unsigned long max_objects, bool births, void (*wake)(void))
{
	/* room for all in home buckets, and as much again for their chains */
	unsigned long max = clamp(max_objects / KMA_BUCKET_SLOTS + 1,
				  (unsigned long)KMA_HOMES_MIN,
				  (unsigned long)KMA_BUCKET_NEXT_MAX);
	int err;

	kma_linear_init();
	if (!kma_linear_fits(KMA_PTR_BITS))
		return -EOPNOTSUPP;
	kma_live_wake = wake;
	kma_bucket_shift = KMA_BUCKET_SHIFT + births;
	err = kma_area_init(&kma_home_area, kma_homes_bytes(max)) ?:
	      kma_spare_init(max(max, (unsigned long)KMA_RESERVE_MIN)) ?:
	      kma_area_grow_buckets(&kma_home_area, &kma_live.homes);
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
