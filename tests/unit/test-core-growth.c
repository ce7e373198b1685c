// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-growth.c - the workers that let the live map grow, and have it give memory back.
 *
 * Work items are run by the test, which is the clock as well.
 */
#include "account/account.h"
#include "account/area.h"
#include "account/budget.h"
#include "account/class.h"
#include "account/live.h"
#include "account/site.h"
#include "ktap.h"
#include "grown.h"
#include "shim.h"

struct work_struct {
	bool pending;
	unsigned long delay;
	void (*fn)(struct work_struct *work);
};

struct delayed_work {
	struct work_struct work;
};

struct irq_work {
	void (*fn)(struct irq_work *work);
};

struct workqueue_struct;
struct shrink_control;

struct shrinker {
	unsigned long (*count_objects)(struct shrinker *s, struct shrink_control *sc);
	unsigned long (*scan_objects)(struct shrinker *s, struct shrink_control *sc);
	int seeks;
};

#define HZ			100
#define DEFAULT_SEEKS		2
#define SHRINK_STOP		(~0ul)
#define SHRINK_EMPTY		(~0ul - 1)
#define WQ_UNBOUND		0
#define WQ_HIGHPRI		0
#define system_dfl_wq		NULL
#define time_before(a, b)	((long)((a) - (b)) < 0)
#define smp_store_mb(x, v)	__atomic_store_n(&(x), v, __ATOMIC_SEQ_CST)
#define DECLARE_WORK(n, f)	struct work_struct n = { .fn = f }
#define DECLARE_DELAYED_WORK(n, f) struct delayed_work n = { .work.fn = f }
#define DECLARE_DEFERRABLE_WORK(n, f) DECLARE_DELAYED_WORK(n, f)
#define DEFINE_IRQ_WORK(n, f)	struct irq_work n = { .fn = f }
#define alloc_workqueue(name, flags, max) NULL
#define destroy_workqueue(wq)	((void)(wq))
#define irq_work_queue(w)	(w)->fn(w)
#define irq_work_sync(w)	((void)(w))
#define queue_work(wq, w)	((void)((w)->pending = true))
#define flush_work(w)		((void)(w))
#define cancel_work_sync(w)	((void)((w)->pending = false))
#define flush_delayed_work(w)	((void)(w))
#define cancel_delayed_work_sync(w) ((void)((w)->work.pending = false))
#define shrinker_alloc(flags, name) (&shrinker)
#define shrinker_register(s)	((void)(s))
#define shrinker_free(s)	((void)(s))

static unsigned long jiffies;
static struct shrinker shrinker;

static void mod_delayed_work(struct workqueue_struct *wq, struct delayed_work *w,
			     unsigned long delay)
{
	w->work.pending = true;
	w->work.delay = delay;
}

static void queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *w,
			       unsigned long delay)
{
	if (!w->work.pending)
		mod_delayed_work(wq, w, delay);
}

#include "growth.c"
#include "pressure.c"

#define OBJECTS		200000ul

/* The work item that lets the map grow is running: nothing else lets it grow. */
static bool grows;

static void run_work(struct work_struct *w)
{
	if (!w->pending)
		return;
	w->pending = false;
	if (w == &kma_grow_work.work)
		grows = true;
	w->fn(w);
	if (w == &kma_grow_work.work)
		grows = false;
}

static void run(struct delayed_work *w)
{
	run_work(&w->work);
}

/* What is to run at once runs, and grace periods end. */
static void settle(void)
{
	for (;;) {
		if (kma_grow_work.work.pending && !kma_grow_work.work.delay)
			run(&kma_grow_work);
		else if (kma_grace_work.pending)
			run_work(&kma_grace_work);
		else
			break;
	}
}

/* The worker that gives back runs to the end of a run. Return how often it was called. */
static unsigned int look(void)
{
	unsigned int calls = 0;

	do {
		run(&kma_pressure_work);
		calls++;
	} while (kma_pressure_work.work.delay == 1);
	return calls;
}

/* So many seconds: what is due runs. */
static void pass(unsigned int seconds)
{
	while (seconds--) {
		jiffies += HZ;
		run(&kma_grow_work);
		settle();
		if (kma_pressure_work.work.delay <= HZ)
			look();
		else
			kma_pressure_work.work.delay -= HZ;
		settle();
	}
}

static void *object(unsigned long i)
{
	return (void *)(0x100000ul + i * 192);
}

static bool start(void)
{
	int err;

	shim_init();
	shim_cpu = 0;
	kma_budget_set(0, 0);
	err = kma_site_init(8000) ?: kma_class_init(kma_growth_wake);
	for (int cpu = 0; cpu < SHIM_CPUS && !err; cpu++)
		err = kma_class_add_cpu(cpu);
	if (err || kma_live_init(2 * OBJECTS * KMA_OBJECT_BYTES, kma_growth_wake))
		return false;
	kma_live_open();
	kma_growth_start();
	kma_pressure_start();
	pass(1);
	return true;
}

static void stop(void)
{
	kma_live_close();
	kma_growth_stop();
	kma_pressure_stop();
	kma_live_deinit();
	kma_class_deinit();
	kma_site_deinit();
	kma_budget_set(0, 0);
}

static void hold(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		kma_account_alloc(0xa0, object(i), 64, 192, KMA_KIND_KMALLOC);
		settle();
	}
}

static void release(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		kma_account_free(0xf0, object(i));
}

/* The budget has no more than what is in use now. */
static void use_up_the_budget(void)
{
	unsigned long used = kma_budget_stats().used;

	kma_budget_set(used, used);
}

TEST(a_map_whose_objects_have_gone_is_small_within_ten_seconds)
{
	size_t small;

	REQUIRE(start());
	small = kma_live_stats().bytes;
	hold(OBJECTS);
	EXPECT(kma_live_stats().bytes > 2 * small);
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_FULL], 0);
	release(OBJECTS);
	pass(10);
	EXPECT(kma_live_stats().bytes <= 2 * small);
	stop();
}

/* A command may take seconds: a map that did not grow meanwhile would lose events. */
TEST(growth_does_not_wait_for_a_command)
{
	unsigned long arrays;

	REQUIRE(start());
	arrays = kma_live_stats().arrays;
	shim_waits_for_command = 0;
	shim_command_runs = true;
	hold(OBJECTS);
	shim_command_runs = false;
	EXPECT_EQ(shim_waits_for_command, 0);
	EXPECT(kma_live_stats().arrays > arrays + OBJECTS / 32);
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_FULL], 0);
	release(OBJECTS);
	stop();
}

/* More call sites than the first tables of classes have numbers. */
static void meet_call_sites(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		kma_account_alloc(0x1000 + 16 * i, object(OBJECTS + i), 64, 192, KMA_KIND_KMALLOC);
}

/* So many objects come in 20 ms, which is a grace period of any kind. */
static unsigned long rate, rushed, grace_periods, waits;

/*
 * A grace period passes. The work item that lets the map grow runs meanwhile when it is woken, on
 * another CPU, unless it is the one that waits.
 */
static void rush(void)
{
	grace_periods++;
	waits += grows;
	for (unsigned long i = 0; i < rate; i++) {
		kma_account_alloc(0xb0, object(2 * OBJECTS + rushed++), 64, 192, KMA_KIND_KMALLOC);
		if (!grows && !kma_grow_work.work.delay)
			run(&kma_grow_work);
	}
}

/* The same without a grace period. */
static void go_on(unsigned long ms)
{
	for (unsigned long i = 0; i < rate * ms / 20; i++) {
		kma_account_alloc(0xb0, object(2 * OBJECTS + rushed++), 64, 192, KMA_KIND_KMALLOC);
		run(&kma_grow_work);
	}
}

/*
 * The map and the classes, with the arrays of all CPUs, grow from their smallest size, and then the
 * map becomes small again. Each takes grace periods; the map has room for what is allocated
 * meanwhile, because the work item that lets it grow waits for none of them.
 */
static void grow_in_a_rush(unsigned long objects_in_20_ms)
{
	size_t classes;

	REQUIRE(start());
	classes = kma_class_memory();
	rate = objects_in_20_ms;
	rushed = 0;
	grace_periods = 0;
	waits = 0;
	meet_call_sites(1000);	/* so many that the worker is woken, and all get a number */
	shim_grace_period = rush;
	for (int i = 0; i < 50 && rushed < OBJECTS; i++) {
		settle();
		go_on(20);
	}
	EXPECT(kma_class_memory() > classes + SHIM_CPUS * PAGE_SIZE);
	/* one for the arrays of all CPUs, one for the indexes, and those of the map */
	EXPECT(grace_periods >= 2 && grace_periods < 50);
	for (unsigned long i = 0; i < rushed; i++)
		kma_account_free(0xf0, object(2 * OBJECTS + i));
	pass(10);
	EXPECT(kma_live_stats().given_back > 0);
	EXPECT_EQ(waits, 0);
	shim_grace_period = NULL;
	for (int i = 0; i < KMA_NR_DROPS; i++)
		EXPECT_EQ(kma_account_totals().drops[i], 0);
	EXPECT_EQ(kma_account_totals().unknown_slab, 0);
	printf("# %lu objects, %lu grace periods\n", rushed, grace_periods);
	stop();
}

TEST(no_object_is_lost_at_200000_a_second)
{
	grow_in_a_rush(4000);
}

TEST(no_object_is_lost_at_a_million_a_second)
{
	grow_in_a_rush(20000);
}

/* A CPU may take seconds to go offline: the classes grow later, and the map grows now. */
TEST(classes_wait_for_a_cpu_on_its_way_and_the_map_does_not)
{
	unsigned long arrays;
	size_t classes;

	REQUIRE(start());
	arrays = kma_live_stats().arrays;
	classes = kma_class_memory();
	shim_cpus_busy = true;
	hold(OBJECTS);
	meet_call_sites(1800);
	pass(2);
	EXPECT(kma_live_stats().arrays > arrays + OBJECTS / 32);
	EXPECT_EQ(kma_class_memory(), classes);
	EXPECT_EQ(kma_grow_work.work.delay, KMA_GROW_RETRY);
	shim_cpus_busy = false;
	pass(1);
	EXPECT(kma_class_memory() > classes);
	EXPECT(!kma_grow_work.work.pending);
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_FULL], 0);
	release(OBJECTS);
	stop();
}

/*
 * The map has all of the budget, and the classes would grow: they can when the map has
 * given back what it does not need, so that must not wait for them.
 */
TEST(growth_that_is_refused_does_not_hold_off_giving_back)
{
	size_t small, classes;

	REQUIRE(start());
	small = kma_live_stats().bytes;
	hold(OBJECTS);
	use_up_the_budget();
	classes = kma_class_memory();
	meet_call_sites(1800);
	pass(2);
	EXPECT_EQ(kma_class_memory(), classes);
	release(OBJECTS);
	pass(10);
	EXPECT(kma_live_stats().bytes <= 2 * small);
	EXPECT(kma_class_memory() > classes);
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_FULL], 0);
	stop();
}

/* A kernel test ends the workers and goes on with the account: growth does not need their start. */
TEST(workers_that_have_ended_can_be_woken)
{
	unsigned long arrays;

	REQUIRE(start());
	arrays = kma_live_stats().arrays;
	kma_growth_stop();
	hold(OBJECTS);
	EXPECT(!kma_grow_waits);
	EXPECT(kma_live_stats().arrays > arrays + OBJECTS / 32);
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_FULL], 0);
	release(OBJECTS);
	stop();
}

/* Each step maps all of the area again, so a bound of old mappings is one of address space. */
TEST(an_area_that_was_mapped_again_often_waits_for_a_grace_period)
{
	struct kma_area area = { };
	void *base = NULL;
	int n, err = 0;

	shim_init();
	kma_budget_set(0, 0);
	REQUIRE(!kma_area_init(&area, 1ul << 30));
	for (n = 0; n < 400 && !err; n++)
		err = kma_area_grow(&area, 32 << PAGE_SHIFT, &base);
	EXPECT_EQ(err, -EAGAIN);
	/* half a million pages (with 32 bits 4096), in mappings of 32, 64, 96 ... pages */
	EXPECT(BITS_PER_LONG == 64 ? n > 150 && n < 200 : n > 12 && n < 20);
	EXPECT_EQ(area.nr, 32 * (n - 1));
	kma_area_drain();
	EXPECT_EQ(kma_area_grow(&area, 32 << PAGE_SHIFT, &base), 0);
	kma_area_deinit(&area);
}

/* A reader that comes when the map could not be made again must not look into arrays. */
TEST(a_map_that_is_gone_has_no_arrays)
{
	REQUIRE(start());
	hold(1);
	EXPECT(kma_live_next(0) != KMA_LIVE_END);
	stop();
	EXPECT_EQ(kma_live_next(0), KMA_LIVE_END);
	REQUIRE(start());
	EXPECT_EQ(kma_live_next(0), KMA_LIVE_END);
	stop();
}

/* The kernel may ask as often as it likes: once a second something is done. */
TEST(the_kernel_is_listened_to_once_a_second)
{
	unsigned long before;

	REQUIRE(start());
	hold(OBJECTS);
	look();
	EXPECT_EQ(kma_pressure_work.work.delay, 4 * HZ);
	release(OBJECTS);
	jiffies += HZ - 1;
	EXPECT_EQ(kma_pressure_scan(&shrinker, NULL), SHRINK_STOP);
	EXPECT_EQ(kma_pressure_work.work.delay, 4 * HZ);
	jiffies += 1;
	/* no look has seen that the objects have gone, but the kernel has to ask for it */
	EXPECT_EQ(kma_pressure_count(&shrinker, NULL), kma_live_pages());
	EXPECT_EQ(kma_pressure_scan(&shrinker, NULL), SHRINK_STOP);
	EXPECT_EQ(kma_pressure_work.work.delay, 0);
	before = kma_live_stats().given_back;
	run(&kma_pressure_work);
	EXPECT(kma_live_stats().given_back > before);
	EXPECT_EQ(kma_pressure_work.work.delay, 4 * HZ);
	EXPECT_EQ(kma_pressure_count(&shrinker, NULL), SHRINK_EMPTY);
	stop();
}

/* A look is made in steps of some 125 arrays, and is finished at once when the kernel asks. */
TEST(a_look_leaves_time_to_others)
{
	unsigned long before;
	unsigned int calls;

	REQUIRE(start());
	hold(OBJECTS);
	look();
	calls = look();
	EXPECT(calls >= kma_live_stats().arrays / 128);
	EXPECT(calls <= kma_live_stats().arrays / 120 + 1);
	release(OBJECTS);
	run(&kma_pressure_work);
	EXPECT_EQ(kma_pressure_work.work.delay, 1);
	jiffies += HZ;
	EXPECT_EQ(kma_pressure_scan(&shrinker, NULL), SHRINK_STOP);
	EXPECT_EQ(kma_pressure_work.work.delay, 0);
	run(&kma_pressure_work);
	EXPECT_EQ(kma_pressure_asked, 1);
	EXPECT_EQ(kma_pressure_work.work.delay, 4 * HZ);
	kma_pressure_work.work.delay = 0;
	before = kma_live_stats().given_back;
	run(&kma_pressure_work);
	EXPECT_EQ(kma_pressure_asked, 0);
	EXPECT(kma_live_stats().given_back > before);
	EXPECT_EQ(kma_pressure_work.work.delay, 4 * HZ);
	stop();
}

static unsigned long churns;

/* During each grace period one object comes and goes, in the same page. */
static void churn(void)
{
	kma_account_alloc(0xb0, object(0), 64, 192, KMA_KIND_KMALLOC);
	kma_account_free(0xf0, object(0));
	if (++churns == 1000)
		shim_grace_period = NULL;
}

TEST(what_comes_and_goes_does_not_keep_the_worker_that_gives_back)
{
	REQUIRE(start());
	churns = 0;
	churn();
	shim_grace_period = churn;
	/* some three runs of at most four grace periods each */
	pass(10);
	shim_grace_period = NULL;
	EXPECT(churns >= 2);
	EXPECT(churns <= 16);
	stop();
}

TEST_MAIN()
