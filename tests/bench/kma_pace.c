// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_pace.c - pairs of kmalloc() and kfree() at a given rate, on all CPUs.
 *
 *	echo "RATE MS" > /proc/kma_pace		RATE pairs a second on each CPU, for MS ms;
 *						0: as many as there can be
 *	cat /proc/kma_pace			PAIRS NS BUSY: of the last run; pairs of all CPUs,
 *						its length, and the CPU time of the threads in ns
 *
 * Writing returns when the run is over. A thread of each CPU makes the pairs that are due
 * and then sleeps for half a millisecond, so that recorders get the remaining CPU time.
 *
 * Locking: pace_lock is held for a run, and where its result is read.
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#define BURST	100	/* pairs between two checks of the clock */

static DEFINE_MUTEX(pace_lock);
static unsigned int pace_rate, pace_ms;
static atomic64_t pace_pairs, pace_busy;
static u64 pace_ns;
static atomic_t pace_left;
static DECLARE_COMPLETION(pace_done);

static void pace_burst(void)
{
	int i;

	for (i = 0; i < BURST; i++) {
		void *object = kmalloc(64, GFP_KERNEL);

		OPTIMIZER_HIDE_VAR(object);
		kfree(object);
	}
}

static int pace_run(void *unused)
{
	const u64 begin = ktime_get_ns(), ns = (u64)pace_ms * NSEC_PER_MSEC;
	u64 past, pairs = 0;

	while ((past = ktime_get_ns() - begin) < ns) {
		if (pace_rate && pairs >= div_u64(past * pace_rate, NSEC_PER_SEC)) {
			usleep_range(500, 600);
			continue;
		}
		pace_burst();
		pairs += BURST;
		cond_resched();
	}
	atomic64_add(pairs, &pace_pairs);
	/* the scheduler updates the time of a thread when the thread sleeps */
	schedule_timeout_uninterruptible(1);
	atomic64_add(current->se.sum_exec_runtime, &pace_busy);
	if (atomic_dec_and_test(&pace_left))
		complete(&pace_done);
	return 0;
}

/* With pace_lock, and no CPU comes or goes. */
static int pace_start(void)
{
	u64 begin = ktime_get_ns();
	int cpu, err = 0;

	atomic64_set(&pace_pairs, 0);
	atomic64_set(&pace_busy, 0);
	atomic_set(&pace_left, 1);
	reinit_completion(&pace_done);
	for_each_online_cpu(cpu) {
		struct task_struct *task = kthread_create(pace_run, NULL,
							  "kma_pace/%d", cpu);

		if (IS_ERR(task)) {
			err = PTR_ERR(task);
			break;
		}
		kthread_bind(task, cpu);
		atomic_inc(&pace_left);
		wake_up_process(task);
	}
	if (!atomic_dec_and_test(&pace_left))
		wait_for_completion(&pace_done);
	pace_ns = ktime_get_ns() - begin;
	return err;
}

static ssize_t pace_write(struct file *file, const char __user *user, size_t len,
			  loff_t *pos)
{
	char words[32] = {};
	int err = -EINVAL;

	if (len >= sizeof(words) || copy_from_user(words, user, len))
		return -EINVAL;
	mutex_lock(&pace_lock);
	if (sscanf(words, "%u %u", &pace_rate, &pace_ms) == 2) {
		cpus_read_lock();
		err = pace_start();
		cpus_read_unlock();
	}
	mutex_unlock(&pace_lock);
	return err ?: len;
}

static int pace_show(struct seq_file *m, void *v)
{
	mutex_lock(&pace_lock);
	seq_printf(m, "%lld %llu %lld\n", atomic64_read(&pace_pairs), pace_ns,
		   atomic64_read(&pace_busy));
	mutex_unlock(&pace_lock);
	return 0;
}

static int pace_open(struct inode *inode, struct file *file)
{
	return single_open(file, pace_show, NULL);
}

static const struct proc_ops pace_ops = {
	.proc_open = pace_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = pace_write,
};

static int __init pace_init(void)
{
	return proc_create("kma_pace", 0600, NULL, &pace_ops) ? 0 : -ENOMEM;
}

static void __exit pace_exit(void)
{
	remove_proc_entry("kma_pace", NULL);
	/* the last thread may still return from pace_run() */
	ssleep(1);
}

module_init(pace_init);
module_exit(pace_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Pairs of kmalloc() and kfree() at a given rate");
