// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_race.c - a data race, which KCSAN must report.
 *
 * Tasks count in one word, without a lock and without a mark. They run until the module is removed.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched.h>

#define RACE_TASKS	4

static struct task_struct *race_tasks[RACE_TASKS];
static unsigned long race_count;

static noinline void race_add(void)
{
	race_count++;
}

static int race_run(void *arg)
{
	unsigned int i;

	while (!kthread_should_stop()) {
		for (i = 0; i < 100000; i++)
			race_add();
		usleep_range(100, 200);
	}
	return 0;
}

static void race_stop(void)
{
	int i;

	for (i = 0; i < RACE_TASKS; i++)
		if (race_tasks[i])
			kthread_stop(race_tasks[i]);
}

static int __init race_init(void)
{
	struct task_struct *task;
	int i;

	for (i = 0; i < RACE_TASKS; i++) {
		task = kthread_run(race_run, NULL, "kma_race/%d", i);
		if (IS_ERR(task)) {
			race_stop();
			return PTR_ERR(task);
		}
		race_tasks[i] = task;
	}
	return 0;
}

static void __exit race_exit(void)
{
	race_stop();
}

module_init(race_init);
module_exit(race_exit);
MODULE_DESCRIPTION("a data race for KCSAN");
MODULE_LICENSE("GPL");
