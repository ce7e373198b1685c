// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-spare.c - overflow buckets: each has one owner at a time, none is lost.
 * Long file: each test needs the owner of every bucket, and most need several CPUs.
 */
#include "account/bucket.h"
#include "account/budget.h"
#include "account/spare.h"
#include "ktap.h"
#include "shim.h"

#define STEP		4096	/* buckets of a first kma_spare_add() */

static unsigned char owned[1 << 17];

/* Take one; it must be a bucket, and nobody's. */
static u32 take(void)
{
	bool fetched;
	u32 bucket = kma_spare_pop(&fetched);

	if (!bucket)
		return 0;
	if (bucket >= sizeof(owned) || __atomic_exchange_n(&owned[bucket], 1, __ATOMIC_SEQ_CST)) {
		printf("# bucket %u has two owners, or is none\n", bucket);
		abort();
	}
	/* as one in a chain: no links that could be followed */
	memset(kma_overflow(bucket), 0xee, sizeof(struct kma_bucket));
	return bucket;
}

static void give(u32 bucket)
{
	__atomic_store_n(&owned[bucket], 0, __ATOMIC_SEQ_CST);
	kma_spare_push(bucket);
}

static u32 take_all(u32 *buckets)
{
	u32 n = 0;

	while ((buckets[n] = take()))
		n++;
	return n;
}

static void start(u32 max)
{
	shim_init();
	shim_cpu = 0;
	memset(owned, 0, sizeof(owned));
	EXPECT_EQ(kma_spare_init(max, STEP), 0);
}

TEST(all_that_were_added_can_be_taken_once)
{
	static u32 buckets[32768];
	unsigned long nr, max;
	u32 n;

	start(2 * STEP);
	EXPECT_EQ(take(), 0);
	EXPECT_EQ(kma_spare_add(), 0);
	EXPECT_EQ(kma_spare_left(), STEP);
	EXPECT_EQ(kma_spare_used(), 0);
	n = take_all(buckets);
	EXPECT_EQ(n, STEP);
	EXPECT_EQ(kma_spare_left(), 0);
	EXPECT_EQ(kma_spare_used(), STEP);
	while (kma_spare_can_add())
		EXPECT_EQ(kma_spare_add(), 0);
	EXPECT_EQ(kma_spare_add(), -ENOSPC);
	/* what CPUs may keep comes on top of the maximum */
	kma_spare_memory(&nr, &max);
	EXPECT_EQ(nr, max);
	EXPECT_EQ(nr, 2 * STEP + SHIM_CPUS * KMA_SPARE_CPU_MAX);
	EXPECT_EQ(take_all(buckets + n), nr - n);
	EXPECT_EQ(kma_spare_used(), nr);
	EXPECT_EQ(kma_spare_taken(), nr);
	while (n--)
		give(buckets[n]);
	EXPECT_EQ(kma_spare_used(), nr - STEP);
	kma_spare_deinit();
}

#define RUSH		2048

static u32 rush_left;

/* Events that take buckets while others are added. */
static void rush(void)
{
	for (; rush_left; rush_left--)
		take();
}

static u32 added(void)
{
	u32 before = kma_spare_nr();

	EXPECT_EQ(kma_spare_add(), 0);
	return kma_spare_nr() - before;
}

TEST(more_are_added_after_a_rush)
{
	u32 calm;

	start(16 * STEP);
	added();
	calm = added();
	EXPECT(calm < RUSH);
	rush_left = RUSH;
	shim_resched = rush;
	EXPECT_EQ(added(), calm);
	shim_resched = NULL;
	EXPECT_EQ(rush_left, 0);
	EXPECT_EQ(added(), 2 * RUSH);
	EXPECT(added() < 2 * calm);
	kma_spare_deinit();
}

TEST(fewer_are_added_if_there_is_no_memory_for_a_rush)
{
	unsigned long used;
	u32 calm;

	start(16 * STEP);
	added();
	calm = added();
	rush_left = RUSH;
	shim_resched = rush;
	added();
	shim_resched = NULL;
	used = kma_budget_stats().used;
	kma_budget_set(used + RUSH * sizeof(struct kma_bucket), used);
	EXPECT(added() < 2 * calm);
	kma_budget_set(used, used);
	EXPECT_EQ(kma_spare_add(), -ENOMEM);
	kma_budget_set(0, 0);
	kma_spare_deinit();
}

TEST(a_cpu_keeps_no_more_than_its_part)
{
	static u32 buckets[2 * STEP];
	u32 n, kept;

	start(STEP);
	EXPECT_EQ(kma_spare_add(), 0);
	n = take_all(buckets);
	for (u32 i = 0; i < n; i++) {
		shim_cpu = i % 3;
		give(buckets[i]);
	}
	EXPECT_EQ(kma_spare_used(), 0);
	kept = n - kma_spare_left();
	EXPECT(kept > 0);
	EXPECT(kept < 3 * KMA_SPARE_CPU_MAX);
	/* another one gets all but these */
	shim_cpu = 3;
	EXPECT_EQ(take_all(buckets), n - kept);
	EXPECT_EQ(kma_spare_used(), n - kept);
	shim_cpu = 0;
	kma_spare_deinit();
}

TEST(the_depot_is_asked_once_in_a_batch)
{
	u32 buckets[3 * KMA_SPARE_BATCH], n = 0, asked = 0;
	bool fetched;

	start(STEP);
	kma_spare_pop(&fetched);
	EXPECT(fetched);	/* there was none */
	EXPECT_EQ(kma_spare_add(), 0);
	for (; n < ARRAY_SIZE(buckets); n++) {
		u32 left = kma_spare_left();

		buckets[n] = kma_spare_pop(&fetched);
		EXPECT_EQ(left - kma_spare_left(), fetched ? KMA_SPARE_BATCH : 0);
		asked += fetched;
	}
	EXPECT_EQ(asked, 3);
	/* back and forth over the end of a batch: never */
	for (n = 0; n < KMA_SPARE_BATCH; n++)
		kma_spare_push(buckets[n]);
	for (asked = n = 0; n < 100; n++) {
		u32 a = kma_spare_pop(&fetched), b;

		asked += fetched;
		b = kma_spare_pop(&fetched);
		asked += fetched;
		kma_spare_push(a);
		kma_spare_push(b);
	}
	EXPECT_EQ(asked, 0);
	kma_spare_deinit();
}

TEST(a_reset_gets_back_what_cpus_and_chains_have)
{
	static u32 buckets[2 * STEP];
	bool fetched;

	start(STEP);
	EXPECT_EQ(kma_spare_add(), 0);
	for (int i = 0; i < 4 * SHIM_CPUS; i++) {
		shim_cpu = i % SHIM_CPUS;
		kma_spare_pop(&fetched);
	}
	kma_spare_reset();
	EXPECT_EQ(kma_spare_left(), STEP);
	EXPECT_EQ(kma_spare_used(), 0);
	EXPECT_EQ(take_all(buckets), STEP);
	/* and the next map does not know them */
	for (int i = 0; i < STEP; i++)
		give(buckets[i]);
	kma_spare_deinit();
	start(STEP);
	for (shim_cpu = 0; shim_cpu < SHIM_CPUS; shim_cpu++)
		EXPECT_EQ(take(), 0);
	shim_cpu = 0;
	EXPECT_EQ(kma_spare_add(), 0);
	EXPECT_EQ(take_all(buckets), STEP);
	kma_spare_deinit();
}

/* Growth goes by kma_spare_taken(): it must follow the truth, whatever CPUs keep. */
static bool taken_is_near(u32 cpus)
{
	s64 off = (s64)kma_spare_taken() - kma_spare_used();

	return off < 2 * KMA_SPARE_BATCH * cpus && off > -2 * (s64)KMA_SPARE_BATCH * cpus;
}

TEST(what_is_taken_is_known_however_many_cpus_there_are)
{
	static u32 buckets[3 * STEP];
	u32 n = 0, each;

	start(4 * STEP);
	while (kma_spare_nr() < 4 * STEP)
		REQUIRE(!kma_spare_add());
	EXPECT_EQ(kma_spare_taken(), 0);
	/* one CPU takes, and no other one has any */
	while (n < STEP) {
		buckets[n++] = take();
		EXPECT(taken_is_near(1));
	}
	/* another one gives them back, and keeps what it can */
	shim_cpu = 1;
	while (n) {
		give(buckets[--n]);
		EXPECT(taken_is_near(2));
	}
	/* all take, in turn, and give to the next one */
	for (each = 0; n < 3 * STEP; n++) {
		shim_cpu = n % SHIM_CPUS;
		buckets[n] = take();
		EXPECT(taken_is_near(SHIM_CPUS));
	}
	while (n--) {
		shim_cpu = (n + 1) % SHIM_CPUS;
		give(buckets[n]);
		EXPECT(taken_is_near(SHIM_CPUS));
		each++;
	}
	EXPECT_EQ(each, 3 * STEP);
	kma_spare_reset();
	EXPECT_EQ(kma_spare_taken(), 0);
	kma_spare_deinit();
}

/* What is added on top of enough is unused memory; where there are few, more are needed soon. */
TEST(less_is_added_where_enough_is_to_spare)
{
	static u32 buckets[32768];

	start(4 * STEP);
	EXPECT_EQ(kma_spare_add(), 0);
	EXPECT_EQ(kma_spare_nr(), STEP);
	EXPECT_EQ(kma_spare_add(), 0);
	EXPECT_EQ(kma_spare_nr(), STEP + STEP / 8);
	EXPECT_EQ(take_all(buckets), STEP + STEP / 8);
	EXPECT_EQ(kma_spare_add(), 0);
	EXPECT_EQ(kma_spare_nr(), 2 * STEP + STEP / 8);
	kma_spare_deinit();
}

/* Buckets that are in chains: they come back, in place of being released. */
TEST(what_is_withdrawn_comes_back_if_some_is_in_use)
{
	static u32 buckets[1 << 17];
	u32 n, i;

	start(8 * STEP);
	while (kma_spare_can_add())
		EXPECT_EQ(kma_spare_add(), 0);
	for (shim_cpu = 0, n = 0; n < STEP; n++)
		buckets[n] = take();
	/* some of them are the first ones, some are not, some other CPUs keep */
	for (; shim_cpu < SHIM_CPUS; shim_cpu++)
		for (i = 0; i < 200; i++)
			give(buckets[--n]);
	shim_cpu = 0;
	kma_spare_withdraw(STEP / 2);
	for (i = 0; kma_spare_stays(buckets[i]); i++)
		;
	EXPECT(i < n);
	EXPECT_EQ(kma_spare_used(), n);
	EXPECT(taken_is_near(SHIM_CPUS));
	EXPECT_EQ(kma_spare_settle(true), 0);
	EXPECT_EQ(kma_spare_used(), n);
	EXPECT(taken_is_near(SHIM_CPUS));
	while (n)
		give(buckets[--n]);
	for (shim_cpu = 0; shim_cpu < SHIM_CPUS; shim_cpu++)
		n += take_all(buckets + n);
	EXPECT_EQ(n, kma_spare_nr());
	shim_cpu = 0;
	while (n)
		give(buckets[--n]);
	kma_spare_withdraw(STEP);
	EXPECT(kma_spare_settle(true) > 0);
	EXPECT_EQ(kma_spare_nr(), STEP);
	EXPECT_EQ(kma_spare_used(), 0);
	EXPECT(taken_is_near(SHIM_CPUS));
	for (shim_cpu = 0; shim_cpu < SHIM_CPUS; shim_cpu++)
		n += take_all(buckets + n);
	shim_cpu = 0;
	EXPECT_EQ(n, STEP);
	kma_spare_deinit();
}

static u32 late_bucket;

/* A CPU that was not interrupted yet completes a batch for which it has no room. */
static void give_late(int cpu)
{
	if (cpu != 1 || !late_bucket)
		return;
	shim_cpu = cpu;
	give(late_bucket);
	shim_cpu = 0;
	late_bucket = 0;
}

TEST(what_is_withdrawn_is_not_handed_out_by_a_cpu_that_learns_it_late)
{
	static u32 buckets[1 << 17];
	u32 n, i, low, given = KMA_SPARE_CPU_MAX - 1;

	start(STEP);
	EXPECT_EQ(kma_spare_add(), 0);
	n = take_all(buckets);
	for (low = 0; buckets[low] > STEP / 2; low++)
		;
	late_bucket = buckets[low];
	buckets[low] = 0;
	/* as much as a CPU keeps, all of it from the part that is to go */
	shim_cpu = 1;
	for (i = 0; given && i < n; i++) {
		if (buckets[i] <= STEP / 2)
			continue;
		give(buckets[i]);
		buckets[i] = 0;
		given--;
	}
	EXPECT_EQ(given, 0);
	shim_cpu = 0;
	shim_before_ipi = give_late;
	kma_spare_withdraw(STEP / 2);
	shim_before_ipi = NULL;
	EXPECT_EQ(late_bucket, 0);
	for (shim_cpu = 0; shim_cpu < SHIM_CPUS; shim_cpu++)
		while ((i = take()))
			EXPECT(kma_spare_stays(i));
	shim_cpu = 0;
	/* the chains are moved, and all can be released */
	for (i = 0; i < n; i++)
		if (buckets[i] > STEP / 2)
			give(buckets[i]);
	EXPECT_EQ(kma_spare_settle(true), STEP / 2 * sizeof(struct kma_bucket) / PAGE_SIZE);
	kma_spare_deinit();
}

static u32 heads[STEP];
static unsigned int most_changed;
static int interrupted;

/* Compare the buckets before the interrupt of the next CPU with those before that of the last one. */
static void compare_heads(int cpu)
{
	unsigned int changed = 0;

	for (u32 i = 0; i < STEP; i++) {
		changed += heads[i] != kma_overflow(i + 1)->head;
		heads[i] = kma_overflow(i + 1)->head;
	}
	/* between two rounds of interrupts the depot is sorted, with irqs on */
	if (cpu && changed > most_changed)
		most_changed = changed;
	interrupted += cpu == 1;
}

TEST(a_cpu_sorts_a_few_batches_in_each_interrupt)
{
	static u32 buckets[1 << 17];
	u32 n, i;

	start(STEP);
	EXPECT_EQ(kma_spare_add(), 0);
	n = take_all(buckets);
	/* one keeps as much as it can, of both parts; an offline one as well */
	for (i = 0; i < n; i++) {
		shim_cpu = i < 2 * KMA_SPARE_CPU_MAX - 2 ? 1 + i % 2 : 3;
		give(buckets[i]);
	}
	shim_cpu = 0;
	shim_offline = 2;
	shim_before_ipi = compare_heads;
	most_changed = 0;
	interrupted = 0;
	kma_spare_withdraw(STEP / 2);
	EXPECT(most_changed <= (KMA_SPARE_STEP + 1) * KMA_SPARE_BATCH);
	EXPECT(most_changed > KMA_SPARE_STEP * KMA_SPARE_BATCH / 2);
	EXPECT(interrupted >= 4);
	shim_before_ipi = NULL;
	EXPECT_EQ(kma_spare_used(), 0);
	EXPECT(kma_spare_settle(true) > 0);
	shim_offline = -1;
	n = 0;
	for (shim_cpu = 0; shim_cpu < SHIM_CPUS; shim_cpu++)
		n += take_all(buckets);
	shim_cpu = 0;
	EXPECT_EQ(n, STEP / 2);
	kma_spare_deinit();
}

TEST(cpus_share_what_stays_when_some_is_withdrawn)
{
	static u32 buckets[1 << 17];
	bool fetched = false;
	u32 n, i;

	start(2 * STEP);
	while (kma_spare_can_add())
		EXPECT_EQ(kma_spare_add(), 0);
	n = take_all(buckets);
	/* those that stay are with four CPUs, all others in the depot */
	for (i = 0; i < n; i++) {
		shim_cpu = buckets[i] <= STEP ? buckets[i] % 4 : 4;
		give(buckets[i]);
	}
	shim_cpu = 0;
	shim_offline = 3;
	kma_spare_withdraw(STEP);
	shim_offline = -1;
	EXPECT(kma_spare_left() >= STEP - SHIM_CPUS * (KMA_SPARE_SORTED + 1) * KMA_SPARE_BATCH);
	EXPECT_EQ(kma_spare_used(), 0);
	EXPECT(taken_is_near(SHIM_CPUS));
	/* a CPU has enough for a while, and another one finds some */
	for (i = 0; i < KMA_SPARE_SORTED * KMA_SPARE_BATCH; i++)
		EXPECT(take());
	shim_cpu = 5;
	EXPECT(take());
	/* one that was offline has less than a batch */
	for (shim_cpu = 3, i = 0; !fetched; i++)
		EXPECT(kma_spare_stays(kma_spare_pop(&fetched)));
	EXPECT(i <= KMA_SPARE_BATCH);
	shim_cpu = 0;
	EXPECT(kma_spare_settle(true) > 0);
	EXPECT_EQ(kma_spare_nr(), STEP);
	kma_spare_deinit();
}

#define THREADS	4
#define HELD	200u
#define TURNS	300000
#define ROUNDS	4u	/* of growth and withdrawal, at least */

static bool done;
static u32 swap[THREADS];

/*
 * Buckets beyond @staying are withdrawn. @moved is how often a thread has had none of them any
 * more: of withdrawal n, all threads when it is THREADS * n.
 */
static u32 staying;
static unsigned int moved, withdrawals, ended;

/* What kma_live_shrink() does with chains: take another bucket in place of one that goes. */
static void move_from(u32 *slot)
{
	u32 bucket = __atomic_exchange_n(slot, 0, __ATOMIC_SEQ_CST), other;

	if (!bucket)
		return;
	if (bucket > staying) {
		other = take();
		EXPECT(other && other <= staying);
		give(bucket);
		bucket = other;
	}
	while (!__atomic_compare_exchange_n(slot, &(u32){ 0 }, bucket, false, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST))
		sched_yield();
}

static void move_all(u32 *held)
{
	unsigned long flags;

	local_irq_save(flags);
	for (u32 i = 0; i < HELD; i++)
		move_from(&held[i]);
	move_from(&swap[shim_cpu]);
	local_irq_restore(flags);
	__atomic_fetch_add(&moved, 1, __ATOMIC_SEQ_CST);
}

/* Takes and gives at random; half of what it gives, another one has taken. */
static void *cpu_main(void *arg)
{
	u32 held[HELD] = {}, seed;
	unsigned int seen = 0;

	shim_cpu = (long)arg;
	seed = shim_cpu + 1;
	for (int n = 0; n < TURNS || READ_ONCE(withdrawals) < ROUNDS; n++) {
		u32 i = (seed = seed * 1664525 + 1013904223) >> 16;
		u32 *slot = &held[i % HELD];
		unsigned long flags;

		/* as the locks of buckets do, this keeps what is moved out of others' hands */
		if (__atomic_load_n(&withdrawals, __ATOMIC_SEQ_CST) != seen) {
			seen++;
			move_all(held);
			/* a later withdrawal may have begun meanwhile */
			while (__atomic_load_n(&moved, __ATOMIC_SEQ_CST) < THREADS * seen)
				sched_yield();
		}
		local_irq_save(flags);
		if (!*slot) {
			*slot = take();
		} else {
			if (i & 1)
				*slot = __atomic_exchange_n(&swap[i / 2 % THREADS], *slot,
							    __ATOMIC_SEQ_CST);
			if (*slot)
				give(*slot);
			*slot = 0;
		}
		local_irq_restore(flags);
	}
	__atomic_fetch_add(&ended, 1, __ATOMIC_SEQ_CST);
	/* one more withdrawal, of which a thread that goes on may have to know */
	while (!READ_ONCE(done)) {
		if (__atomic_load_n(&withdrawals, __ATOMIC_SEQ_CST) != seen) {
			seen++;
			move_all(held);
		}
		sched_yield();
	}
	return NULL;
}

/* Withdraw half of the buckets, have the threads move what they hold, release them. */
static void withdraw(void)
{
	u32 nr = kma_spare_nr(), round;

	staying = nr / 2 / 64 * 64;
	kma_spare_withdraw(staying);
	round = __atomic_add_fetch(&withdrawals, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&moved, __ATOMIC_SEQ_CST) < THREADS * round)
		sched_yield();
	EXPECT_EQ(kma_spare_settle(true), (nr - staying) * sizeof(struct kma_bucket) / PAGE_SIZE);
	EXPECT_EQ(kma_spare_nr(), staying);
}

static void *grow_main(void *arg)
{
	shim_cpu = THREADS;
	while (__atomic_load_n(&ended, __ATOMIC_SEQ_CST) < THREADS) {
		if (kma_spare_left() < STEP / 2 || kma_spare_nr() < 3 * STEP)
			kma_spare_add();
		else
			withdraw();
		sched_yield();
	}
	WRITE_ONCE(done, true);
	return arg;
}

TEST(four_cpus_and_a_worker_share_without_loss)
{
	static u32 buckets[1 << 17];
	pthread_t cpus[THREADS], grow;
	unsigned long bytes, nr, max;
	u32 n = 0, in_use = 0;

	start(16 * STEP);
	EXPECT_EQ(kma_spare_add(), 0);
	pthread_create(&grow, NULL, grow_main, NULL);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&cpus[i], NULL, cpu_main, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(cpus[i], NULL);
	pthread_join(grow, NULL);
	printf("# withdrawn %u times\n", withdrawals);
	EXPECT(withdrawals >= ROUNDS);
	bytes = kma_spare_memory(&nr, &max);
	EXPECT(bytes >= nr * sizeof(struct kma_bucket));
	for (u32 i = 0; i < ARRAY_SIZE(owned); i++)
		in_use += owned[i];
	EXPECT_EQ(kma_spare_used(), in_use);
	for (shim_cpu = 0; shim_cpu < SHIM_CPUS; shim_cpu++)
		n += take_all(buckets);
	shim_cpu = 0;
	EXPECT_EQ(n + in_use, nr);
	kma_spare_deinit();
}

TEST_MAIN()
