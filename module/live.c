// SPDX-License-Identifier: GPL-2.0
/*
 * live.c - the live map: which objects exist, who allocated them, how large.
 *
 * The design and the locking are told in live.h.
 */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/processor.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "live.h"

#define KMA_BUCKET_SLOTS	6
#define KMA_BUCKET_LOCKED	(~0u)	/* a count that no bucket has */
#define KMA_BUCKET_COUNT_SHIFT	28
#define KMA_BUCKET_NEXT		((1u << KMA_BUCKET_COUNT_SHIFT) - 1)

#define KMA_SEG_SHIFT		12
#define KMA_SEG_BUCKETS		(1u << KMA_SEG_SHIFT)
#define KMA_SEG_BYTES		(KMA_SEG_BUCKETS * sizeof(struct kma_bucket))

/* Address bits [46:3] are mixed; the low ones of the result choose a bucket. */
#define KMA_KEY_BITS		44
#define KMA_KEY_SHIFT		(64 - KMA_KEY_BITS)
#define KMA_PTR_BITS		47
#define KMA_HASH_MUL		0x9e3779b97f4a7c15ull
#define KMA_HASH_MUL_INV	0xf1de83e19937733dull	/* its inverse, 2^64 */
#define KMA_TAG_SHIFT		KMA_SEG_SHIFT

/* Overflow buckets kept ready for allocations that outrun the worker. */
#define KMA_SPARE_MAX		(8 * KMA_SEG_BUCKETS)

struct kma_bucket {
	u32 head;
	u32 tag[KMA_BUCKET_SLOTS];
	u32 size[KMA_BUCKET_SLOTS];
	u16 site[KMA_BUCKET_SLOTS];
} __aligned(64);

/*
 * Free overflow buckets: the low half of top is the index + 1 of the first,
 * the high half changes with each pop so that a compare never succeeds on an
 * old top (R. K. Treiber, "Systems programming: coping with parallelism",
 * 1986). A free bucket's head holds the index + 1 of the next.
 */
struct kma_spares {
	atomic64_t top;
	atomic_t used;			/* buckets that are in some chain */
} ____cacheline_aligned;

static struct {
	/* read by every event */
	u32 nr_homes;
	u32 mask;			/* 2^k - 1, at least nr_homes - 1 */
	struct kma_bucket **homes;	/* segments */
	struct kma_bucket **overflow;	/* segments */
	void (*wake)(void);
	/* only for the worker */
	u32 nr_home_segs;
	u32 nr_overflow_segs;
	u32 max_segs;			/* of each of the two kinds */
	struct kma_spares spares;
} kma_live;

u32 kma_size_pack(size_t req, size_t bytes)
{
	size_t slack = bytes - req;

	/* words in bits 30-16, slack in 15-0 */
	if (likely(!(bytes & ~0x3fff8ul)) && slack <= 0xffff)
		return bytes << 13 | slack;
	/* bit 31, order in bits 30-26, slack in 25-0 */
	if (is_power_of_2(bytes) && bytes >= PAGE_SIZE &&
	    ilog2(bytes) - PAGE_SHIFT < 31 && slack < (1u << 26))
		return 1u << 31 | (u32)(ilog2(bytes) - PAGE_SHIFT) << 26 |
		       slack;
	return KMA_SIZE_BAD;
}

size_t kma_size_bytes(u32 size)
{
	if (likely(!(size >> 31)))
		return (size >> 16) << 3;
	return PAGE_SIZE << ((size >> 26) & 31);
}

size_t kma_size_slack(u32 size)
{
	return size & (likely(!(size >> 31)) ? 0xffff : GENMASK(25, 0));
}

static __always_inline u64 kma_live_hash(const void *ptr)
{
	u64 h = (u64)(unsigned long)ptr << (64 - KMA_PTR_BITS);

	h = h * KMA_HASH_MUL >> KMA_KEY_SHIFT;
	return h ^ h >> (KMA_KEY_BITS / 2);
}

/* The inverse of kma_live_hash(), for addresses of the direct map. */
static unsigned long kma_live_unhash(u64 h)
{
	unsigned long base = PAGE_OFFSET, ptr;

	h ^= h >> (KMA_KEY_BITS / 2);
	h = (h << KMA_KEY_SHIFT) * KMA_HASH_MUL_INV;
	ptr = (base & ~(BIT(KMA_PTR_BITS) - 1)) | h >> (64 - KMA_PTR_BITS);
	return ptr < base ? ptr + BIT(KMA_PTR_BITS) : ptr;
}

static __always_inline u32 kma_bucket_count(u32 head)
{
	return head >> KMA_BUCKET_COUNT_SHIFT;
}

static __always_inline u32 kma_bucket_head(u32 count, u32 next)
{
	return count << KMA_BUCKET_COUNT_SHIFT | next;
}

static __always_inline struct kma_bucket *
kma_bucket_at(struct kma_bucket **segs, u32 i)
{
	return segs[i >> KMA_SEG_SHIFT] + (i & (KMA_SEG_BUCKETS - 1));
}

static __always_inline struct kma_bucket *kma_overflow(u32 next)
{
	return kma_bucket_at(kma_live.overflow, next - 1);
}

static __always_inline struct kma_live_entry
kma_bucket_entry(const struct kma_bucket *b, u32 i)
{
	return (struct kma_live_entry){
		.size = b->size[i], .site = b->site[i], .found = KMA_LIVE_OLD,
	};
}

static __always_inline void kma_bucket_set(struct kma_bucket *b, u32 i, u32 tag,
					   u32 size, u16 site)
{
	b->tag[i] = tag;
	b->size[i] = size;
	b->site[i] = site;
}

/*
 * With 2^k <= n homes the buckets below n - 2^k are split already and take one
 * bit more of the hash. @mask may be older or newer than @n: the result is then
 * a wrong bucket, but one that exists.
 */
static __always_inline struct kma_bucket *kma_live_home(u64 hash, u32 n)
{
	/* Read after nr_homes; pairs with the order in kma_live_split(). */
	u32 mask = READ_ONCE(kma_live.mask);
	u32 i = (u32)hash & mask;

	if (i >= n)
		i &= mask >> 1;
	return kma_bucket_at(kma_live.homes, i);
}

static __always_inline struct kma_bucket *kma_live_lock(u64 hash, u32 *head)
{
	for (;;) {
		/* Pairs with the smp_store_release() in kma_live_split(). */
		u32 n = smp_load_acquire(&kma_live.nr_homes);
		struct kma_bucket *b = kma_live_home(hash, n);
		u32 now;

		/* Pairs with the smp_store_release() in kma_live_unlock(). */
		*head = xchg_acquire(&b->head, KMA_BUCKET_LOCKED);
		if (unlikely(*head == KMA_BUCKET_LOCKED)) {
			while (READ_ONCE(b->head) == KMA_BUCKET_LOCKED)
				cpu_relax();
			continue;
		}
		now = READ_ONCE(kma_live.nr_homes);
		if (likely(now == n) || kma_live_home(hash, now) == b)
			return b;
		smp_store_release(&b->head, *head);
	}
}

static __always_inline void kma_live_unlock(struct kma_bucket *b, u32 head)
{
	/* Pairs with the xchg_acquire() in kma_live_lock(). */
	smp_store_release(&b->head, head);
}

/* Take a free overflow bucket: its index + 1, or 0 if there is none. */
static u32 kma_spare_pop(void)
{
	u64 top = atomic64_read(&kma_live.spares.top);
	u32 next;

	do {
		if (!(u32)top)
			return 0;
		/* may be in use again; then the exchange fails */
		next = READ_ONCE(kma_overflow((u32)top)->head);
	} while (!atomic64_try_cmpxchg(&kma_live.spares.top, (s64 *)&top,
				       ((top >> 32) + 1) << 32 | next));
	return (u32)top;
}

/* Give back a list of overflow buckets that are linked by their heads. */
static void kma_spare_push(u32 first, u32 last)
{
	u64 top = atomic64_read(&kma_live.spares.top);

	do {
		WRITE_ONCE(kma_overflow(last)->head, (u32)top);
	} while (!atomic64_try_cmpxchg(&kma_live.spares.top, (s64 *)&top,
				       (top & ~0xffffffffull) | first));
}

/* Half as many overflow buckets as homes: about 6.6 objects for each home. */
static bool kma_live_crowded(void)
{
	return (u32)atomic_read(&kma_live.spares.used) >
	       READ_ONCE(kma_live.nr_homes) / 2;
}

static u32 kma_chain_extend(void)
{
	u32 next = kma_spare_pop();

	if (likely(next))
		atomic_inc(&kma_live.spares.used);
	if (unlikely(!next || kma_live_crowded()))
		kma_live.wake();
	return next;
}

static void kma_chain_shorten(u32 next)
{
	atomic_dec(&kma_live.spares.used);
	kma_spare_push(next, next);
}

struct kma_live_entry kma_live_put(const void *ptr, u16 site, u32 size)
{
	u64 hash = kma_live_hash(ptr);
	u32 tag = hash >> KMA_TAG_SHIFT;
	u32 first, head, count, i;
	struct kma_bucket *home, *b;

	home = kma_live_lock(hash, &first);
	for (b = home, head = first;; b = kma_overflow(head & KMA_BUCKET_NEXT),
				      head = b->head) {
		count = kma_bucket_count(head);
		for (i = 0; i < count; i++) {
			struct kma_live_entry old;

			if (likely(b->tag[i] != tag))
				continue;
			old = kma_bucket_entry(b, i);
			kma_bucket_set(b, i, tag, size, site);
			kma_live_unlock(home, first);
			return old;
		}
		if (!(head & KMA_BUCKET_NEXT))
			break;
	}

	if (unlikely(count == KMA_BUCKET_SLOTS)) {
		u32 next = kma_chain_extend();

		if (unlikely(!next)) {
			kma_live_unlock(home, first);
			return (struct kma_live_entry){ .found = KMA_LIVE_FULL };
		}
		head |= next;
		if (b == home)
			first = head;
		else
			b->head = head;
		b = kma_overflow(next);
		head = 0;
		count = 0;
	}
	kma_bucket_set(b, count, tag, size, site);
	head += kma_bucket_head(1, 0);
	if (b == home)
		first = head;
	else
		b->head = head;
	kma_live_unlock(home, first);
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

	while (head & KMA_BUCKET_NEXT) {
		prev = tail;
		link = head;
		tail = kma_overflow(head & KMA_BUCKET_NEXT);
		head = tail->head;
	}
	last = kma_bucket_count(head) - 1;
	kma_bucket_set(b, i, tail->tag[last], tail->size[last],
		       tail->site[last]);
	head -= kma_bucket_head(1, 0);
	if (tail == home)
		return head;
	if (last) {
		tail->head = head;
		return first;
	}
	kma_chain_shorten(link & KMA_BUCKET_NEXT);
	link &= ~KMA_BUCKET_NEXT;
	if (prev == home)
		return link;
	prev->head = link;
	return first;
}

struct kma_live_entry kma_live_take(const void *ptr)
{
	u64 hash = kma_live_hash(ptr);
	u32 tag = hash >> KMA_TAG_SHIFT;
	u32 first, head, count, i;
	struct kma_bucket *home, *b;

	home = kma_live_lock(hash, &first);
	for (b = home, head = first;; b = kma_overflow(head & KMA_BUCKET_NEXT),
				      head = b->head) {
		count = kma_bucket_count(head);
		for (i = 0; i < count; i++) {
			struct kma_live_entry old;

			if (likely(b->tag[i] != tag))
				continue;
			old = kma_bucket_entry(b, i);
			first = kma_chain_remove(home, first, b, i);
			kma_live_unlock(home, first);
			return old;
		}
		if (!(head & KMA_BUCKET_NEXT))
			break;
	}
	kma_live_unlock(home, first);
	return (struct kma_live_entry){ .found = KMA_LIVE_NONE };
}

void kma_live_for_each(void (*fn)(unsigned long ptr, u16 site, u32 size,
				  void *arg), void *arg)
{
	u32 h, head, next, i;
	unsigned long flags;

	for (h = 0; h < kma_live.nr_homes; h++) {
		struct kma_bucket *home = kma_bucket_at(kma_live.homes, h), *b;

		local_irq_save(flags);
		/* any hash of this home will do; no split can intervene */
		home = kma_live_lock(h, &head);
		for (b = home, next = head;; next = b->head) {
			for (i = 0; i < kma_bucket_count(next); i++) {
				u64 hash = (u64)b->tag[i] << KMA_TAG_SHIFT |
					   (h & (KMA_SEG_BUCKETS - 1));

				fn(kma_live_unhash(hash), b->site[i],
				   b->size[i], arg);
			}
			if (!(next & KMA_BUCKET_NEXT))
				break;
			b = kma_overflow(next & KMA_BUCKET_NEXT);
		}
		kma_live_unlock(home, head);
		local_irq_restore(flags);
		cond_resched();
	}
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
 * Move those entries of bucket @from whose hash has the bit @bit to bucket @to,
 * which nobody can see yet. @spare is a list of as many overflow buckets as the
 * chain of @from has; what is not used of it and what comes free is given back.
 */
static u32 kma_live_divide(struct kma_bucket *from, u32 first,
			   struct kma_bucket *to, u32 bit, u32 *spare)
{
	struct kma_chain_end keep = { .b = from }, move = { .b = to };
	struct kma_bucket *b = from;
	u32 keep_first = first, move_first = 0, head = first, freed, i;

	for (;;) {
		u32 count = kma_bucket_count(head);
		u32 next = head & KMA_BUCKET_NEXT;

		for (i = 0; i < count; i++) {
			bool moves = b->tag[i] & (bit >> KMA_TAG_SHIFT);
			struct kma_chain_end *end = moves ? &move : &keep;

			if (end->count == KMA_BUCKET_SLOTS && moves) {
				end->link = *spare;
				*spare = kma_overflow(end->link)->head;
				kma_chain_step(end, &move_first, to);
				end->link = 0;
				atomic_inc(&kma_live.spares.used);
			} else if (end->count == KMA_BUCKET_SLOTS) {
				/* at most at b: its head is not needed again */
				end->link = end->b == from ? first : end->b->head;
				end->link &= KMA_BUCKET_NEXT;
				kma_chain_step(end, &keep_first, from);
			}
			kma_bucket_set(end->b, end->count++, b->tag[i],
				       b->size[i], b->site[i]);
		}
		if (!next)
			break;
		b = kma_overflow(next);
		head = b->head;
	}

	/* cut the old chain behind its last entry */
	freed = (keep.b == from ? first : keep.b->head) & KMA_BUCKET_NEXT;
	while (freed) {
		u32 next = kma_overflow(freed)->head & KMA_BUCKET_NEXT;

		kma_chain_shorten(freed);
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

	for (; head & KMA_BUCKET_NEXT; n++)
		head = kma_overflow(head & KMA_BUCKET_NEXT)->head;
	return n;
}

/*
 * Split one bucket. False if there were too few spare buckets for the new
 * chain; the pool must be refilled then.
 */
static bool kma_live_split(void)
{
	u32 n = kma_live.nr_homes, bit = rounddown_pow_of_two(n);
	struct kma_bucket *to = kma_bucket_at(kma_live.homes, n), *from;
	u32 spare = 0, first, left;
	unsigned long flags;
	bool done = false;

	local_irq_save(flags);
	from = kma_live_lock(n - bit, &first);
	for (left = kma_chain_length(first); left; left--) {
		u32 next = kma_spare_pop();

		if (!next)
			goto out;
		kma_overflow(next)->head = spare;
		spare = next;
	}
	first = kma_live_divide(from, first, to, bit, &spare);
	/*
	 * The mask before the number: with n == bit both masks mean the same,
	 * beyond it only the larger one is right. Pairs with kma_live_lock().
	 */
	WRITE_ONCE(kma_live.mask, 2 * bit - 1);
	smp_store_release(&kma_live.nr_homes, n + 1);
	done = true;
out:
	kma_live_unlock(from, first);
	local_irq_restore(flags);
	while (spare) {
		u32 next = kma_overflow(spare)->head;

		kma_spare_push(spare, spare);
		spare = next;
	}
	return done;
}

/* Link the buckets of an overflow segment and give them to the stack. */
static void kma_live_feed(u32 seg)
{
	u32 first = (seg << KMA_SEG_SHIFT) + 1, i;

	for (i = first; i < first + KMA_SEG_BUCKETS - 1; i++)
		kma_overflow(i)->head = i + 1;
	kma_spare_push(first, i);
}

static int kma_live_add_overflow(void)
{
	u32 seg = kma_live.nr_overflow_segs;

	if (seg == kma_live.max_segs)
		return -ENOSPC;
	kma_live.overflow[seg] = vzalloc(KMA_SEG_BYTES);
	if (!kma_live.overflow[seg])
		return -ENOMEM;
	kma_live.nr_overflow_segs++;
	kma_live_feed(seg);
	return 0;
}

static int kma_live_add_home(void)
{
	u32 seg = kma_live.nr_home_segs;

	if (seg == kma_live.max_segs)
		return -ENOSPC;
	kma_live.homes[seg] = vzalloc(KMA_SEG_BYTES);
	if (!kma_live.homes[seg])
		return -ENOMEM;
	kma_live.nr_home_segs++;
	return 0;
}

/* Spare buckets for what the probes put while the worker waits for a CPU. */
static bool kma_live_short_of_spares(void)
{
	u32 have = kma_live.nr_overflow_segs << KMA_SEG_SHIFT;
	u32 used = atomic_read(&kma_live.spares.used);

	return have - used < min_t(u32, kma_live.nr_homes / 2, KMA_SPARE_MAX);
}

/* Split one more bucket, with a new segment or new spares where it needs them. */
static int kma_live_split_next(void)
{
	if (kma_live.nr_homes == kma_live.nr_home_segs << KMA_SEG_SHIFT) {
		int err = kma_live_add_home();

		if (err)
			return err;
	}
	return kma_live_split() ? 0 : kma_live_add_overflow();
}

int kma_live_grow(void)
{
	int err;

	do {
		err = 0;
		if (kma_live_short_of_spares())
			err = kma_live_add_overflow();
		if (kma_live_crowded())
			err = kma_live_split_next();
		cond_resched();
	} while (!err && (kma_live_short_of_spares() || kma_live_crowded()));
	return err;
}

static bool kma_live_addresses_fit(void)
{
	return (unsigned long)high_memory - 1 - PAGE_OFFSET < BIT(KMA_PTR_BITS);
}

int kma_live_init(unsigned long max_objects, void (*wake)(void))
{
	unsigned long segs;
	int err = -ENOMEM;

	if (!kma_live_addresses_fit())
		return -EOPNOTSUPP;
	/* homes filled as kma_live_grow() fills them, and room for the rest */
	segs = DIV_ROUND_UP(max_objects, KMA_SEG_BUCKETS * KMA_BUCKET_SLOTS);
	segs = clamp(segs, 1ul, (unsigned long)KMA_BUCKET_NEXT >> KMA_SEG_SHIFT);
	kma_live.max_segs = segs;
	kma_live.wake = wake;
	kma_live.homes = kvcalloc(segs, sizeof(*kma_live.homes), GFP_KERNEL);
	kma_live.overflow = kvcalloc(segs, sizeof(*kma_live.overflow),
				     GFP_KERNEL);
	if (!kma_live.homes || !kma_live.overflow)
		goto err_free;
	atomic64_set(&kma_live.spares.top, 0);
	atomic_set(&kma_live.spares.used, 0);
	err = kma_live_add_home() ?: kma_live_add_overflow();
	if (err)
		goto err_free;
	kma_live.mask = KMA_SEG_BUCKETS - 1;
	kma_live.nr_homes = KMA_SEG_BUCKETS;
	return 0;

err_free:
	kma_live_deinit();
	return err;
}

void kma_live_deinit(void)
{
	while (kma_live.nr_home_segs)
		vfree(kma_live.homes[--kma_live.nr_home_segs]);
	while (kma_live.nr_overflow_segs)
		vfree(kma_live.overflow[--kma_live.nr_overflow_segs]);
	kvfree(kma_live.homes);
	kvfree(kma_live.overflow);
	kma_live.homes = NULL;
	kma_live.overflow = NULL;
	kma_live.nr_homes = 0;
}

void kma_live_reset(void)
{
	u32 i;

	for (i = 0; i < kma_live.nr_homes; i++)
		kma_bucket_at(kma_live.homes, i)->head = 0;
	atomic64_set(&kma_live.spares.top, 0);
	atomic_set(&kma_live.spares.used, 0);
	for (i = 0; i < kma_live.nr_overflow_segs; i++)
		kma_live_feed(i);
}

struct kma_live_stats kma_live_stats(void)
{
	unsigned long segs = kma_live.nr_home_segs + kma_live.nr_overflow_segs;

	return (struct kma_live_stats){
		.slots = segs * KMA_SEG_BUCKETS * KMA_BUCKET_SLOTS,
		.max_slots = 2ul * kma_live.max_segs * KMA_SEG_BUCKETS *
			     KMA_BUCKET_SLOTS,
		.bytes = segs * KMA_SEG_BYTES +
			 2ul * kma_live.max_segs * sizeof(*kma_live.homes),
	};
}
