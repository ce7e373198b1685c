// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_hold.c - holds many live objects.
 *
 * insmod returns when all are allocated, each CPU its share, as fast as it can or with
 * pauses; rmmod frees them. Writing N to the parameter keep frees all but N of each 100.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>

#define HOLD_REST	1024	/* objects between two offers of the CPU */

static unsigned long hold_objects = 1000000;
module_param_named(objects, hold_objects, ulong, 0400);
MODULE_PARM_DESC(objects, "How many (default 1000000)");

static unsigned int hold_size = 16;
module_param_named(size, hold_size, uint, 0400);
MODULE_PARM_DESC(size, "Bytes of each, 8 at least (default 16)");

static bool hold_mixed;
module_param_named(mixed, hold_mixed, bool, 0400);
MODULE_PARM_DESC(mixed, "A fifth of them from a call site that asks for 16 sizes (default N)");

#define HOLD_SIZES	16

static unsigned int hold_refs;
module_param_named(refs, hold_refs, uint, 0400);
MODULE_PARM_DESC(refs, "Pointers to others in each of them, beside that of the list (default 0)");

#define HOLD_RECENT	64	/* what such pointers refer to */

static unsigned int hold_pause;
module_param_named(pause, hold_pause, uint, 0400);
MODULE_PARM_DESC(pause, "Milliseconds of sleep after every 4096 objects of a CPU (default 0)");

#define HOLD_PAUSE	4096

struct hold_object {
	struct hold_object *next;
	struct hold_object *refs[];
};

struct hold_cpu {
	struct hold_object *first, *recent[HOLD_RECENT];
	unsigned long want;
	unsigned long missing;
	bool started;
	struct completion done;
};

static DEFINE_PER_CPU(struct hold_cpu, hold_cpus);

/* Two call sites: one size, and HOLD_SIZES of them. */
static struct hold_object *hold_one(unsigned long i)
{
	if (hold_mixed && i % 5 == 0)
		return kmalloc(hold_size + i / 5 % HOLD_SIZES * 4, GFP_KERNEL);
	return kmalloc(hold_size, GFP_KERNEL);
}

static int hold_allocate(void *arg)
{
	struct hold_cpu *cpu = arg;
	unsigned long i;
	unsigned int k;

	for (i = 0; i < cpu->want; i++) {
		struct hold_object *o = hold_one(i);

		if (!o) {
			cpu->missing = cpu->want - i;
			break;
		}
		o->next = cpu->first;
		cpu->first = o;
		for (k = 0; k < hold_refs; k++)
			o->refs[k] = cpu->recent[(i + 7 * k) % HOLD_RECENT];
		cpu->recent[i % HOLD_RECENT] = o;
		if (hold_pause && i % HOLD_PAUSE == 0)
			msleep(hold_pause);
		if (i % HOLD_REST == 0)
			cond_resched();
	}
	complete(&cpu->done);
	return 0;
}

static void hold_free(void)
{
	unsigned long n = 0;
	int i;

	for_each_possible_cpu(i) {
		struct hold_cpu *cpu = per_cpu_ptr(&hold_cpus, i);

		while (cpu->first) {
			struct hold_object *o = cpu->first;

			cpu->first = o->next;
			kfree(o);
			if (n++ % HOLD_REST == 0)
				cond_resched();
		}
	}
}

static void hold_start(struct hold_cpu *cpu, int i)
{
	struct task_struct *task;

	cpu->want = hold_objects / num_online_cpus();
	/* the first one takes what is left over */
	if (i == cpumask_first(cpu_online_mask))
		cpu->want += hold_objects % num_online_cpus();
	cpu->started = true;
	init_completion(&cpu->done);
	task = kthread_create(hold_allocate, cpu, "kma_hold/%u", i);
	if (IS_ERR(task)) {
		cpu->missing = cpu->want;
		complete(&cpu->done);
		return;
	}
	kthread_bind(task, i);
	wake_up_process(task);
}

/* Free all but @keep of each 100 objects. */
static void hold_thin(unsigned int keep)
{
	unsigned long n = 0;
	int i;

	for_each_possible_cpu(i) {
		struct hold_object **at = &per_cpu_ptr(&hold_cpus, i)->first, *o;

		while ((o = *at)) {
			if (n % HOLD_REST == 0)
				cond_resched();
			if (n++ % 100 < keep) {
				at = &o->next;
				continue;
			}
			*at = o->next;
			kfree(o);
		}
	}
}

static int hold_keep_set(const char *value, const struct kernel_param *kp)
{
	unsigned int keep;
	int err = kstrtouint(value, 0, &keep);

	if (!err)
		hold_thin(keep);
	return err;
}

static const struct kernel_param_ops hold_keep_ops = {
	.set = hold_keep_set,
};

module_param_cb(keep, &hold_keep_ops, NULL, 0200);
MODULE_PARM_DESC(keep, "Free all but so many of each 100 objects; written after loading");

static int __init hold_init(void)
{
	unsigned long missing = 0;
	int i;

	if (hold_size / sizeof(void *) < 1 + hold_refs)
		return -EINVAL;
	cpus_read_lock();
	for_each_online_cpu(i)
		hold_start(per_cpu_ptr(&hold_cpus, i), i);
	/* CPUs may go offline from here on: their threads go on elsewhere */
	cpus_read_unlock();
	for_each_possible_cpu(i) {
		struct hold_cpu *cpu = per_cpu_ptr(&hold_cpus, i);

		if (!cpu->started)
			continue;
		wait_for_completion(&cpu->done);
		missing += cpu->missing;
	}
	if (!missing)
		return 0;
	hold_free();
	return -ENOMEM;
}

static void __exit hold_exit(void)
{
	hold_free();
}

module_init(hold_init);
module_exit(hold_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Holds many live objects");
