// SPDX-License-Identifier: GPL-2.0-only
/*
 * spare.c - overflow buckets of the live map that are in no chain: the spare buckets.
 *
 * The design is in spare.h.
 */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "account/array.h"
#include "account/spare.h"

/* Maximum number of buckets, in whole pages: the index + 1 of each fits into a head. */
#define KMA_SPARE_MAX	(KMA_BUCKET_NEXT_MAX - PAGE_SIZE / sizeof(struct kma_bucket))

struct kma_bucket *kma_spare_buckets;

static struct kma_array kma_spare_array;
static u32 kma_spare_buckets_nr;
static u32 kma_spare_step;	/* minimum that kma_spare_add() adds when few are left */
static u32 kma_spare_rush;	/* buckets that events took during the last kma_spare_add() */

/*
 * The batches that no CPU keeps, and their number. There are two depots. A CPU takes batches from
 * depot @at first. The other depot is empty, except while buckets are withdrawn.
 */
static struct {
	atomic64_t top[2];
	atomic_t batches;
	u32 at;
} kma_depot ____cacheline_aligned;

/*
 * A bucket whose index + 1 is above @keep is put aside when it is returned. @nr is the number of
 * buckets aside, and @last is the head of their list.
 */
static struct {
	u32 keep;
	atomic_t nr;
	atomic64_t last;
} kma_withdrawn = { .keep = U32_MAX };

/*
 * The spare buckets that a CPU keeps: a list of @nr buckets from @first on, less than a batch, and
 * @batches whole batches. @open is the number of batches from which this CPU has begun to take
 * buckets, less the number that it has filled again; kma_spare_open includes @added of them.
 * @aside is the number of buckets that this CPU has put aside, modulo a batch; it is negative if
 * more were taken back. kma_spare_sort_cpus() has not sorted the first @unsorted batches yet, or
 * all if there are fewer. The number of buckets in chains is the sum over all CPUs of the buckets
 * of @open batches, less @nr and @aside. A batch for which this CPU has no space goes to depot @at.
 */
struct kma_spare_cpu {
	u32 first;
	u32 nr;
	u32 batches;
	s32 open;
	s32 added;
	s32 aside;
	u32 at;
	u32 unsorted;
	u32 batch[KMA_SPARE_CPU_BATCHES];
};

static DEFINE_PER_CPU(struct kma_spare_cpu, kma_spare_cpu);

/* Number of batches in chains, of all CPUs; see kma_spare_taken(). */
static atomic_t kma_spare_open ____cacheline_aligned;

/*
 * This CPU has begun a batch (1) or filled one (-1). Write the sum of all CPUs only
 * when this CPU's number differs by two batches from the number that it has added. A CPU that
 * repeatedly passes the end of a batch must not contend for the cache line.
 */
static void kma_spare_tell(struct kma_spare_cpu *c, int batches)
{
	c->open += batches;
	if (abs(c->open - c->added) < 2)
		return;
	atomic_add(c->open - c->added, &kma_spare_open);
	c->added = c->open;
}

/* A list of batches or of buckets. */
struct kma_spare_list {
	u32 first;
	u32 last;
	u32 nr;
};

/* Push a list of batches, which are linked like those of a depot. */
static void kma_depot_push(u32 at, const struct kma_spare_list *batches)
{
	u64 top = atomic64_read(&kma_depot.top[at]);

	/* Before any of them can be taken, so the number is never less than the actual one. */
	atomic_add(batches->nr, &kma_depot.batches);
	do {
		WRITE_ONCE(kma_overflow(batches->last)->tag[0], (u32)top);
	} while (!atomic64_try_cmpxchg(&kma_depot.top[at], (s64 *)&top,
				       (top & ~0xffffffffull) | batches->first));
}

static void kma_depot_push_one(u32 at, u32 batch)
{
	kma_depot_push(at, &(struct kma_spare_list){ batch, batch, 1 });
}

static u32 kma_depot_pop_from(atomic64_t *depot)
{
	u64 top = atomic64_read(depot);
	u32 next;

	do {
		if (!(u32)top)
			return 0;
		/* the base of the buckets after the bucket; pairs with the exchange of a push */
		smp_rmb();
		/* the bucket may be in use again; then the exchange fails */
		next = READ_ONCE(kma_overflow((u32)top)->tag[0]);
	} while (!atomic64_try_cmpxchg(depot, (s64 *)&top, ((top >> 32) + 1) << 32 | next));
	atomic_dec(&kma_depot.batches);
	return (u32)top;
}

static u32 kma_depot_pop(void)
{
	u32 at = READ_ONCE(kma_depot.at);

	return kma_depot_pop_from(&kma_depot.top[at]) ?:
	       kma_depot_pop_from(&kma_depot.top[!at]);
}

/* Make batches of the buckets from index @from on. The first batch ends at the top of the depot. */
static __cold void kma_spare_feed(u32 from)
{
	u32 first, i;

	/* an area grows by whole pages, which must be whole batches */
	BUILD_BUG_ON(PAGE_SIZE / sizeof(struct kma_bucket) %
		     KMA_SPARE_BATCH);
	for (first = kma_spare_buckets_nr; first > from; first -= KMA_SPARE_BATCH) {
		for (i = first; i > first - KMA_SPARE_BATCH; i--)
			kma_overflow(i)->head = i == first ? 0 : i + 1;
		kma_depot_push_one(kma_depot.at, i + 1);
	}
}

/* Empty the depots and the lists of all CPUs. */
static __cold void kma_spare_empty(void)
{
	int cpu;

	atomic64_set(&kma_depot.top[0], 0);
	atomic64_set(&kma_depot.top[1], 0);
	atomic_set(&kma_depot.batches, 0);
	kma_depot.at = 0;
	atomic_set(&kma_spare_open, 0);
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&kma_spare_cpu, cpu), 0,
		       sizeof(struct kma_spare_cpu));
}

__cold int kma_spare_init(u32 max, u32 step)
{
	kma_spare_step = step;
	max = min_t(u64, (u64)max + num_possible_cpus() * KMA_SPARE_CPU_MAX,
		    KMA_SPARE_MAX);
	kma_spare_buckets_nr = 0;
	kma_spare_empty();
	return kma_array_init(&kma_spare_array, max, &kma_spare_buckets,
			      &kma_birth_arrays.spares);
}

__cold int kma_spare_attach(void)
{
	return kma_array_attach(&kma_spare_array);
}

__cold void kma_spare_detach(void)
{
	kma_array_detach(&kma_spare_array);
}

__cold void kma_spare_deinit(void)
{
	kma_array_deinit(&kma_spare_array);
	kma_spare_buckets_nr = 0;
	kma_spare_empty();
}

/* Release all buckets but the first @keep. Return the number of pages released, or -ENOMEM. */
static __cold long kma_spare_cut(u32 keep)
{
	long released = kma_array_shrink(&kma_spare_array, keep);

	WRITE_ONCE(kma_spare_buckets_nr, kma_array_nr(&kma_spare_array));
	return released;
}

__cold long kma_spare_reset(void)
{
	long released;

	kma_spare_empty();
	released = kma_spare_cut(kma_spare_step);
	kma_spare_feed(0);
	/* if memory to map fewer pages is refused, all buckets stay */
	return max(released, 0l);
}

__cold int kma_spare_add(void)
{
	u32 old = kma_spare_buckets_nr, left = kma_spare_left(), rush = kma_spare_rush;
	u32 more = max(old / 8, kma_spare_step);
	int err;

	kma_spare_rush = 0;
	more = left < kma_spare_step / 4 ? more : more / 8;
	err = kma_array_grow(&kma_spare_array, max(more, 2 * rush));
	/* there may be memory for fewer */
	if (err == -ENOMEM && 2 * rush > more)
		err = kma_array_grow(&kma_spare_array, more);
	if (err)
		return err;
	kma_spare_rush = left - min(left, kma_spare_left());
	WRITE_ONCE(kma_spare_buckets_nr, kma_array_nr(&kma_spare_array));
	kma_spare_feed(old);
	return 0;
}

u32 kma_spare_pop(bool *fetched)
{
	struct kma_spare_cpu *c = this_cpu_ptr(&kma_spare_cpu);
	u32 bucket;

	*fetched = !c->nr && !c->batches;
	if (*fetched) {
		c->first = kma_depot_pop();
		if (!c->first)
			return 0;
		WRITE_ONCE(c->nr, KMA_SPARE_BATCH);
		kma_spare_tell(c, 1);
	} else if (!c->nr) {
		WRITE_ONCE(c->batches, c->batches - 1);
		c->first = c->batch[c->batches];
		WRITE_ONCE(c->nr, KMA_SPARE_BATCH);
		kma_spare_tell(c, 1);
	}
	bucket = c->first;
	c->first = kma_overflow(bucket)->head;
	WRITE_ONCE(c->nr, c->nr - 1);
	return bucket;
}

/* This CPU has put @buckets buckets aside, or taken some back (negative). */
static __cold void kma_spare_count_aside(struct kma_spare_cpu *c, int buckets)
{
	int batches;

	c->aside += buckets;
	batches = c->aside / (int)KMA_SPARE_BATCH;
	c->aside -= batches * (int)KMA_SPARE_BATCH;
	if (batches)
		kma_spare_tell(c, -batches);
}

static __cold void kma_spare_put_aside(struct kma_spare_cpu *c,
				       const struct kma_spare_list *buckets)
{
	u64 last = atomic64_read(&kma_withdrawn.last);

	if (!buckets->nr)
		return;
	do {
		kma_overflow(buckets->last)->head = last;
	} while (!atomic64_try_cmpxchg(&kma_withdrawn.last, (s64 *)&last, buckets->first));
	atomic_add(buckets->nr, &kma_withdrawn.nr);
	kma_spare_count_aside(c, buckets->nr);
}

/*
 * Add a bucket to those that @c keeps: at most @most whole batches. @c belongs to this CPU, with
 * irqs off, or to an offline CPU. Return the batch for which @c has no space, or 0.
 */
static __always_inline u32 kma_spare_keep(struct kma_spare_cpu *c, u32 bucket, u32 most)
{
	kma_overflow(bucket)->head = c->first;
	c->first = bucket;
	WRITE_ONCE(c->nr, c->nr + 1);
	if (c->nr < KMA_SPARE_BATCH)
		return 0;
	c->first = 0;
	WRITE_ONCE(c->nr, 0);
	kma_spare_tell(c, -1);
	if (c->batches >= most)
		return bucket;
	c->batch[c->batches] = bucket;
	WRITE_ONCE(c->batches, c->batches + 1);
	return 0;
}

void kma_spare_push(u32 bucket)
{
	struct kma_spare_cpu *c = this_cpu_ptr(&kma_spare_cpu);
	u32 batch;

	if (unlikely(bucket > READ_ONCE(kma_withdrawn.keep))) {
		kma_spare_put_aside(c, &(struct kma_spare_list){ bucket, bucket, 1 });
		return;
	}
	batch = kma_spare_keep(c, bucket, KMA_SPARE_CPU_BATCHES);
	if (unlikely(batch))
		kma_depot_push_one(c->at, batch);
}

/*
 * The result of sorting buckets: withdrawn ones are put aside, others stay with the CPU, at most
 * @most batches, or go to a depot. Each list is collected first and added to shared data once,
 * because all CPUs sort at the same time, with irqs off.
 */
struct kma_spare_sorting {
	u32 most;
	struct kma_spare_list aside;
	struct kma_spare_list batches;
};

/* Sort the list of buckets that begins with @bucket. */
static __cold void kma_spare_sort(struct kma_spare_cpu *c, u32 bucket,
				  struct kma_spare_sorting *s)
{
	while (bucket) {
		u32 next = kma_overflow(bucket)->head, batch;

		if (bucket > kma_withdrawn.keep) {
			kma_overflow(bucket)->head = s->aside.first;
			s->aside.first = bucket;
			if (!s->aside.nr++)
				s->aside.last = bucket;
		} else {
			batch = kma_spare_keep(c, bucket, s->most);
			if (batch) {
				WRITE_ONCE(kma_overflow(batch)->tag[0], s->batches.first);
				s->batches.first = batch;
				if (!s->batches.nr++)
					s->batches.last = batch;
			}
		}
		bucket = next;
	}
}

static __cold void kma_spare_sorted(struct kma_spare_cpu *c, const struct kma_spare_sorting *s)
{
	kma_spare_put_aside(c, &s->aside);
	if (s->batches.nr)
		kma_depot_push(c->at, &s->batches);
}

/* Take the last of the batches that are still to be sorted. Return 0 if there is none. */
static __cold u32 kma_spare_unsorted(struct kma_spare_cpu *c)
{
	u32 nr = min(c->unsorted, c->batches), batch;

	if (!nr)
		return 0;
	c->unsorted = nr - 1;
	batch = c->batch[nr - 1];
	/* one that was sorted takes its place */
	WRITE_ONCE(c->batches, c->batches - 1);
	c->batch[nr - 1] = c->batch[c->batches];
	kma_spare_tell(c, 1);
	return batch;
}

/* A pass over the buckets that the CPUs keep; see kma_spare_sort_cpus(). */
struct kma_spare_pass {
	bool begins;
	bool more;	/* some CPU has more batches to sort */
};

/*
 * Sort the incomplete batch that a CPU keeps, and at most KMA_SPARE_STEP of the whole batches.
 * Return true if there are more. A CPU begins by changing its depot. A batch that it began before
 * may contain withdrawn buckets, which must not get into the new depot: such a batch is among
 * those to sort, where it always has space again.
 */
static __cold bool kma_spare_sort_cpu(struct kma_spare_cpu *c, u32 most, bool begins)
{
	struct kma_spare_sorting s = { .most = most };
	u32 first = c->first, i;

	if (begins) {
		c->at = kma_depot.at;
		c->unsorted = c->batches;
	}
	c->first = 0;
	WRITE_ONCE(c->nr, 0);
	kma_spare_sort(c, first, &s);
	for (i = 0; i < KMA_SPARE_STEP; i++)
		kma_spare_sort(c, kma_spare_unsorted(c), &s);
	kma_spare_sorted(c, &s);
	return c->unsorted && c->batches;
}

static __cold void kma_spare_sort_this_cpu(void *arg)
{
	struct kma_spare_pass *pass = arg;

	if (kma_spare_sort_cpu(this_cpu_ptr(&kma_spare_cpu), KMA_SPARE_SORTED, pass->begins))
		WRITE_ONCE(pass->more, true);
}

/*
 * Sort the buckets of all CPUs. On return all CPUs see what was written before the call, and have
 * finished what they did before it. A CPU sorts a few batches in each interrupt, so that its irqs
 * are not off for long.
 */
static __cold void kma_spare_sort_cpus(void)
{
	struct kma_spare_pass pass = { .begins = true };
	int cpu;

	do {
		pass.more = false;
		on_each_cpu(kma_spare_sort_this_cpu, &pass, true);
		pass.begins = false;
	} while (pass.more);
	for_each_possible_cpu(cpu) {
		struct kma_spare_cpu *c = per_cpu_ptr(&kma_spare_cpu, cpu);
		bool more = !cpu_online(cpu) && kma_spare_sort_cpu(c, 0, true);

		while (more)
			more = kma_spare_sort_cpu(c, 0, false);
	}
}

static __cold void kma_spare_sort_depot(atomic64_t *depot)
{
	unsigned long flags;
	u32 batch;

	do {
		struct kma_spare_sorting s = { .most = KMA_SPARE_SORTED };
		struct kma_spare_cpu *c;

		local_irq_save(flags);
		c = this_cpu_ptr(&kma_spare_cpu);
		batch = kma_depot_pop_from(depot);
		if (batch) {
			kma_spare_tell(c, 1);
			kma_spare_sort(c, batch, &s);
			kma_spare_sorted(c, &s);
		}
		local_irq_restore(flags);
		cond_resched();
	} while (batch);
}

__cold void kma_spare_withdraw(u32 keep)
{
	u32 old = kma_depot.at;

	WRITE_ONCE(kma_withdrawn.keep, keep);
	WRITE_ONCE(kma_depot.at, !old);
	kma_spare_sort_cpus();
	kma_spare_sort_depot(&kma_depot.top[old]);
	kma_spare_sort_cpus();
}

bool kma_spare_stays(u32 bucket)
{
	return bucket <= kma_withdrawn.keep;
}

/* Make one bucket spare again. Only KMA_SPARE_SORTED batches stay with this CPU. */
static __cold void kma_spare_take_back(struct kma_spare_cpu *c, u32 bucket)
{
	u32 batch = kma_spare_keep(c, bucket, KMA_SPARE_SORTED);

	if (batch)
		kma_depot_push_one(c->at, batch);
	kma_spare_count_aside(c, -1);
}

__cold long kma_spare_settle(bool release)
{
	u32 keep = kma_withdrawn.keep, first = (u32)atomic64_read(&kma_withdrawn.last);
	u32 nr = atomic_read(&kma_withdrawn.nr);
	unsigned long flags;
	long released = 0;

	if (release && nr == kma_spare_buckets_nr - keep)
		released = kma_spare_cut(keep);
	WRITE_ONCE(kma_withdrawn.keep, U32_MAX);
	if (released <= 0) {
		/* on return all CPUs see the new @keep, and put no more buckets aside */
		kma_spare_sort_cpus();
		first = (u32)atomic64_read(&kma_withdrawn.last);
	}
	atomic64_set(&kma_withdrawn.last, 0);
	atomic_set(&kma_withdrawn.nr, 0);
	while (released <= 0 && first) {
		u32 next = kma_overflow(first)->head;

		local_irq_save(flags);
		kma_spare_take_back(this_cpu_ptr(&kma_spare_cpu), first);
		local_irq_restore(flags);
		first = next;
	}
	return released;
}

u32 kma_spare_left(void)
{
	return atomic_read(&kma_depot.batches) * KMA_SPARE_BATCH;
}

bool kma_spare_can_add(void)
{
	return READ_ONCE(kma_spare_buckets_nr) < kma_array_max(&kma_spare_array);
}

u32 kma_spare_nr(void)
{
	return kma_spare_buckets_nr;
}

u32 kma_spare_taken(void)
{
	return max(atomic_read(&kma_spare_open), 0) * KMA_SPARE_BATCH;
}

static u32 kma_spare_kept_by(int cpu)
{
	const struct kma_spare_cpu *c = per_cpu_ptr(&kma_spare_cpu, cpu);

	return READ_ONCE(c->nr) + READ_ONCE(c->batches) * KMA_SPARE_BATCH;
}

__cold u32 kma_spare_used(void)
{
	s64 used = (s64)READ_ONCE(kma_spare_buckets_nr) - kma_spare_left() -
		   atomic_read(&kma_withdrawn.nr);
	int cpu;

	for_each_possible_cpu(cpu)
		used -= kma_spare_kept_by(cpu);
	/* a batch that moved during the sum was counted twice, or not at all */
	return max_t(s64, used, 0);
}

__cold u32 kma_spare_kept(void)
{
	u32 kept = 0, most;
	int cpu;

	for_each_possible_cpu(cpu) {
		most = cpu_online(cpu) ? KMA_SPARE_SORTED + 1 : 1;
		kept += min(kma_spare_kept_by(cpu), most * KMA_SPARE_BATCH);
	}
	return kept;
}

__cold size_t kma_spare_memory(unsigned long *buckets, unsigned long *max)
{
	*buckets = kma_spare_buckets_nr;
	*max = kma_array_max(&kma_spare_array);
	return kma_array_memory(&kma_spare_array);
}
