// SPDX-License-Identifier: GPL-2.0-only
/*
 * context.c - functions that run in any context, and on several CPUs at once.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "context.h"
#include "fixture.h"

#ifdef KMA_KUNIT_HRTIMER_INIT
/* up to v6.14 */
static void kma_test_timer(struct hrtimer *timer,
			   enum hrtimer_restart (*fn)(struct hrtimer *timer),
			   enum hrtimer_mode mode)
{
	hrtimer_init(timer, CLOCK_MONOTONIC, mode);
	timer->function = fn;
}
#else
static void kma_test_timer(struct hrtimer *timer,
			   enum hrtimer_restart (*fn)(struct hrtimer *timer),
			   enum hrtimer_mode mode)
{
	hrtimer_setup(timer, fn, CLOCK_MONOTONIC, mode);
}
#endif

struct kma_test_call {
	void (*fn)(void *arg);
	void *arg;
	bool (*is_there)(void);
	bool there;
	struct completion done;
	struct hrtimer timer;
	struct irq_work irq_work;
	struct work_struct work;
};

static void kma_test_call_run(struct kma_test_call *call)
{
	call->there = call->is_there();
	call->fn(call->arg);
	complete(&call->done);
}

static enum hrtimer_restart kma_test_call_timer(struct hrtimer *timer)
{
	kma_test_call_run(container_of(timer, struct kma_test_call, timer));
	return HRTIMER_NORESTART;
}

static void kma_test_call_irq_work(struct irq_work *work)
{
	kma_test_call_run(container_of(work, struct kma_test_call, irq_work));
}

static void kma_test_call_worker(struct work_struct *work)
{
	kma_test_call_run(container_of(work, struct kma_test_call, work));
}

static bool kma_test_is_task(void)
{
	return in_task() && !irqs_disabled();
}

static bool kma_test_is_off(void)
{
	return in_task() && irqs_disabled();
}

static bool kma_test_is_softirq(void)
{
	return in_serving_softirq();
}

static bool kma_test_is_hardirq(void)
{
	return in_hardirq();
}

static bool kma_test_is_worker(void)
{
	return in_task() && current->flags & PF_WQ_WORKER;
}

static void kma_test_start_task(struct kunit *test, struct kma_test_call *call)
{
	kma_test_call_run(call);
}

static void kma_test_start_off(struct kunit *test, struct kma_test_call *call)
{
	unsigned long flags;

	local_irq_save(flags);
	kma_test_call_run(call);
	local_irq_restore(flags);
}

static void kma_test_start_soft(struct kunit *test, struct kma_test_call *call)
{
	kma_test_timer(&call->timer, kma_test_call_timer,
		       HRTIMER_MODE_REL_SOFT);
	hrtimer_start(&call->timer, ms_to_ktime(1), HRTIMER_MODE_REL_SOFT);
	wait_for_completion(&call->done);
	hrtimer_cancel(&call->timer);
}

static void kma_test_start_hard(struct kunit *test, struct kma_test_call *call)
{
	kma_test_timer(&call->timer, kma_test_call_timer,
		       HRTIMER_MODE_REL_HARD);
	hrtimer_start(&call->timer, ms_to_ktime(1), HRTIMER_MODE_REL_HARD);
	wait_for_completion(&call->done);
	hrtimer_cancel(&call->timer);
}

static void kma_test_start_irq_work(struct kunit *test,
				    struct kma_test_call *call)
{
	call->irq_work = IRQ_WORK_INIT_HARD(kma_test_call_irq_work);
	irq_work_queue(&call->irq_work);
	wait_for_completion(&call->done);
	irq_work_sync(&call->irq_work);
}

static void kma_test_call_thread(unsigned int thread, void *call)
{
	kma_test_call_run(call);
}

static void kma_test_start_kthread(struct kunit *test,
				   struct kma_test_call *call)
{
	kma_test_threads(test, 1, kma_test_call_thread, call);
}

static void kma_test_start_worker(struct kunit *test,
				  struct kma_test_call *call)
{
	INIT_WORK(&call->work, kma_test_call_worker);
	schedule_work(&call->work);
	flush_work(&call->work);
}

static const struct {
	void (*start)(struct kunit *test, struct kma_test_call *call);
	bool (*is_there)(void);
} kma_test_contexts[] = {
	[KMA_TEST_TASK]	   = { kma_test_start_task, kma_test_is_task },
	[KMA_TEST_IRQ_OFF] = { kma_test_start_off, kma_test_is_off },
	[KMA_TEST_SOFTIRQ] = { kma_test_start_soft, kma_test_is_softirq },
	[KMA_TEST_HARDIRQ] = { kma_test_start_hard, kma_test_is_hardirq },
	[KMA_TEST_IRQ_WORK] = { kma_test_start_irq_work, kma_test_is_hardirq },
	[KMA_TEST_KTHREAD] = { kma_test_start_kthread, kma_test_is_task },
	[KMA_TEST_WORKER]  = { kma_test_start_worker, kma_test_is_worker },
};

const char *const kma_test_context_names[] = {
	[KMA_TEST_TASK]	   = "task",
	[KMA_TEST_IRQ_OFF] = "irqs off",
	[KMA_TEST_SOFTIRQ] = "softirq",
	[KMA_TEST_HARDIRQ] = "hardirq",
	[KMA_TEST_IRQ_WORK] = "irq_work",
	[KMA_TEST_KTHREAD] = "kthread",
	[KMA_TEST_WORKER]  = "worker",
};

void kma_test_in(struct kunit *test, enum kma_test_context context,
		 void (*fn)(void *arg), void *arg)
{
	struct kma_test_call *call = kunit_kzalloc(test, sizeof(*call),
						   GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, call);
	call->fn = fn;
	call->arg = arg;
	call->is_there = kma_test_contexts[context].is_there;
	init_completion(&call->done);
	kma_test_contexts[context].start(test, call);
	KUNIT_EXPECT_TRUE_MSG(test, call->there, "not in context %s",
			      kma_test_context_names[context]);
}

gfp_t kma_test_gfp(void)
{
	return kma_test_is_task() ? GFP_KERNEL : GFP_ATOMIC;
}

struct kma_test_crew {
	void (*fn)(unsigned int thread, void *arg);
	void *arg;
	struct completion start;
	atomic_t left;
	struct completion done;
};

struct kma_test_thread {
	struct kma_test_crew *crew;
	struct task_struct *task;
	unsigned int nr;
};

static int kma_test_thread_run(void *data)
{
	const struct kma_test_thread *me = data;
	struct kma_test_crew *crew = me->crew;

	wait_for_completion(&crew->start);
	crew->fn(me->nr, crew->arg);
	if (atomic_dec_and_test(&crew->left))
		complete(&crew->done);
	return 0;
}

void kma_test_threads(struct kunit *test, unsigned int nr,
		      void (*fn)(unsigned int thread, void *arg), void *arg)
{
	struct kma_test_crew crew = {
		.fn = fn, .arg = arg, .left = ATOMIC_INIT(nr),
		.start = COMPLETION_INITIALIZER_ONSTACK(crew.start),
		.done = COMPLETION_INITIALIZER_ONSTACK(crew.done),
	};
	struct kma_test_thread *threads;
	unsigned int i, made;
	int cpu = -1;

	threads = kunit_kcalloc(test, nr, sizeof(*threads), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, threads);
	for (made = 0; made < nr; made++) {
		struct kma_test_thread *t = &threads[made];

		t->crew = &crew;
		t->nr = made;
		t->task = kthread_create(kma_test_thread_run, t, "kma_test/%u",
					 made);
		if (IS_ERR(t->task))
			break;
		get_task_struct(t->task);
		cpu = cpumask_next(cpu, cpu_online_mask);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(cpu_online_mask);
		kthread_bind(t->task, cpu);
		wake_up_process(t->task);
	}
	complete_all(&crew.start);
	if (made == nr)
		wait_for_completion(&crew.done);
	/* wait until the thread has returned: the code of the module may be removed then */
	for (i = 0; i < made; i++) {
		kthread_stop(threads[i].task);
		put_task_struct(threads[i].task);
	}
	KUNIT_ASSERT_EQ(test, made, nr);
}

/*
 * Short enough for many interrupts, long enough for progress in between. On an emulated CPU
 * with all debugging on, one interrupt takes longer than this.
 */
#define KMA_TEST_STORM	ns_to_ktime(500 * NSEC_PER_USEC)
#define KMA_TEST_REST	20	/* factor: pause after an interrupt, by its duration */

static DEFINE_PER_CPU(struct hrtimer, kma_test_storm_timer);
static struct kma_test_storm {
	void (*fn)(void *arg);
	void *arg;
	bool on;
	atomic_long_t blows;
} kma_test_storm_now;

static enum hrtimer_restart kma_test_storm_blow(struct hrtimer *timer)
{
	ktime_t begin = ktime_get(), took;

	kma_test_storm_now.fn(kma_test_storm_now.arg);
	atomic_long_inc(&kma_test_storm_now.blows);
	took = ktime_sub(ktime_get(), begin);
	hrtimer_forward_now(timer, max_t(ktime_t, KMA_TEST_STORM,
					 took * KMA_TEST_REST));
	return HRTIMER_RESTART;
}

static void kma_test_storm_begin(void *unused)
{
	struct hrtimer *timer = this_cpu_ptr(&kma_test_storm_timer);

	kma_test_timer(timer, kma_test_storm_blow, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(timer, KMA_TEST_STORM,
		      HRTIMER_MODE_REL_PINNED_HARD);
}

unsigned long kma_test_storm_end(void)
{
	int cpu;

	/* the tests do not turn CPUs on or off */
	for_each_online_cpu(cpu)
		if (kma_test_storm_now.on)
			hrtimer_cancel(per_cpu_ptr(&kma_test_storm_timer, cpu));
	kma_test_storm_now.on = false;
	return atomic_long_read(&kma_test_storm_now.blows);
}

static void kma_test_storm_stop(void *unused)
{
	kma_test_storm_end();
}

void kma_test_storm(struct kunit *test, void (*fn)(void *arg), void *arg)
{
	kma_test_storm_now.fn = fn;
	kma_test_storm_now.arg = arg;
	atomic_long_set(&kma_test_storm_now.blows, 0);
	kma_test_storm_now.on = true;
	kma_test_defer(test, kma_test_storm_stop, NULL);
	on_each_cpu(kma_test_storm_begin, NULL, 1);
	/* what the test does next may be shorter than the time to the first interrupt */
	while (!atomic_long_read(&kma_test_storm_now.blows))
		usleep_range(100, 200);
}
