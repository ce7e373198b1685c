// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-oom.c - when the largest call sites are printed: at which OOM kills, and how often.
 *
 * The test is the clock and the kernel's notifiers.
 */
#include "account/live.h"
#include "guard/serial.h"
#include "ktap.h"
#include "shim.h"

struct work_struct {
	void (*fn)(struct work_struct *work);
};

struct delayed_work {
	struct work_struct work;
};

struct notifier_block {
	int (*notifier_call)(struct notifier_block *nb, unsigned long event, void *data);
};

struct task_struct;
struct workqueue_struct;

#define HZ			100
#define INITIAL_JIFFIES		((unsigned long)(unsigned int)(-300 * HZ))
#define NOTIFY_OK		1
#define pr_warn(...)		((void)0)
#define system_dfl_wq		NULL
#define time_after_eq(a, b)	((long)((a) - (b)) >= 0)
#define cmpxchg(p, old, new) ({							\
	__typeof__(*(p)) was = (old);						\
	__atomic_compare_exchange_n(p, &was, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
	was; })
#define DECLARE_DEFERRABLE_WORK(n, f) struct delayed_work n = { .work.fn = f }
#define queue_delayed_work(wq, w, delay) ((void)(w))
#define cancel_delayed_work_sync(w) ((void)(w))
#define si_mem_available()	LONG_MAX
#define register_oom_notifier(nb) ((void)(nb))
#define unregister_oom_notifier(nb) ((void)(nb))
#define atomic_notifier_chain_register(list, nb) ((void)(nb))
#define atomic_notifier_chain_unregister(list, nb) ((void)(nb))

static unsigned long jiffies;
static bool command_held, map_held;

/* which mutexes the worker has */
#define kma_serial_lock_command()	((void)(command_held = true))
#define kma_serial_lock_map()		((void)(map_held = true))
#define kma_serial_lock()		((void)(command_held = map_held = true))
#define kma_serial_unlock()		((void)(command_held = map_held = false))

#include "oom.c"

static unsigned int reports;
static enum kma_oom_cause last_cause;

void kma_oom_report(enum kma_oom_cause cause, struct task_struct *victim)
{
	reports++;
	last_cause = cause;
}

static unsigned int rooms, samples;

/* It may wait for a grace period, in which growth must have the map. */
int kma_oom_room(void)
{
	EXPECT(command_held && !map_held);
	rooms++;
	return 0;
}

void kma_oom_sample(void)
{
	EXPECT(command_held && map_held);
	samples++;
}

void kma_oom_release(void)
{
}

int kma_probe_oom_register(void (*report)(struct task_struct *victim))
{
	return 0;
}

void kma_probe_oom_unregister(void)
{
}

/* The uptimes: the numbers of ticks at which a machine without an earlier report is looked at. */
static const unsigned long uptimes[] = {
	1, 60 * HZ, 299 * HZ, 300 * HZ, 301 * HZ,
#define DAYS(n)	((n) * 86400ul * HZ)
	DAYS(1), DAYS(100), DAYS(249), DAYS(300), DAYS(496),
};

/* A root with an entry: the map is open. */
static unsigned long open_root[] = { 1 };

static void start(unsigned long uptime)
{
	kma_live = (void *)open_root;
	kma_oom_last = INITIAL_JIFFIES - KMA_OOM_INTERVAL;
	kma_oom_noted = 0;
	jiffies = INITIAL_JIFFIES + uptime;
	reports = 0;
}

/* Ticks wrap after 497 days with 32 bits and 100 a second; half of that is where times compare. */
TEST(the_first_kill_is_reported_however_long_the_machine_is_up)
{
	for (size_t i = 0; i < ARRAY_SIZE(uptimes); i++) {
		start(uptimes[i]);
		kma_oom_victim(NULL);
		EXPECT_EQ(reports, 1);
		EXPECT_EQ(last_cause, KMA_OOM_CGROUP);
	}
}

TEST(the_worker_keeps_growth_from_the_map_only_while_it_samples)
{
	start(60 * HZ);
	kma_oom_sampled = jiffies;
	kma_oom_noisy = 0;
	for (int i = 0; i < 32; i++) {
		kma_oom_look(NULL);
		EXPECT(!command_held && !map_held);
		jiffies += 4 * HZ;
	}
	EXPECT_EQ(rooms, 32);
	EXPECT_EQ(samples, 2);
}

TEST(ten_seconds_are_between_two_reports)
{
	for (size_t i = 0; i < ARRAY_SIZE(uptimes); i++) {
		start(uptimes[i]);
		kma_oom_victim(NULL);
		kma_oom_victim(NULL);
		jiffies += 10 * HZ - 1;
		kma_oom_victim(NULL);
		EXPECT_EQ(reports, 1);
		jiffies++;
		kma_oom_victim(NULL);
		EXPECT_EQ(reports, 2);
		/* the next one comes months later */
		jiffies += DAYS(300);
		kma_oom_victim(NULL);
		EXPECT_EQ(reports, 3);
	}
}

TEST(the_notifier_tells_a_machine_from_a_cgroup_for_ten_seconds)
{
	for (unsigned long late = 0; late < 2; late++) {
		for (size_t i = 0; i < ARRAY_SIZE(uptimes); i++) {
			start(uptimes[i] + late);
			kma_oom_notify(NULL, 0, NULL);
			kma_oom_victim(NULL);
			EXPECT_EQ(last_cause, KMA_OOM_MACHINE);
			/* memory was found, and nobody was killed: the next kill is another matter */
			kma_oom_notify(NULL, 0, NULL);
			jiffies += 11 * HZ;
			kma_oom_victim(NULL);
			EXPECT_EQ(last_cause, KMA_OOM_CGROUP);
			kma_oom_notify(NULL, 0, NULL);
			jiffies += DAYS(300);
			kma_oom_victim(NULL);
			EXPECT_EQ(last_cause, KMA_OOM_CGROUP);
			EXPECT_EQ(reports, 3);
		}
	}
}

TEST_MAIN()
