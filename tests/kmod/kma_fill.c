// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_fill.c - fills the machine, or the writer's cgroup, until the writer is killed for it.
 *
 *	echo hold > /proc/kma_fill	fill_machine() holds FILL_HELD objects until "free"
 *	echo all > /proc/kma_fill		fill_machine() allocates until the writer is killed
 *	echo cgroup > /proc/kma_fill	fill_cgroup() does, charged to the writer's cgroup
 *	echo free > /proc/kma_fill	frees what is held
 *
 * When the writer is killed, a line in the kernel log has the function, the number of objects
 * that it had when it was killed, and their size; what was allocated since "hold" is freed
 * then. The kill comes within an allocation: the objects are those before it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat.h"
#include "known.h"

#define FILL_BYTES	2000	/* of kmalloc-2k */
#define FILL_HELD	4000

struct fill_object {
	struct fill_object *next;
	char rest[FILL_BYTES - sizeof(void *)];
};

static struct fill_object *fill_objects;
static unsigned long fill_nr;

noinline __noclone struct fill_object *fill_machine(void);
noinline __noclone struct fill_object *fill_cgroup(void);

noinline __noclone struct fill_object *fill_machine(void)
{
	struct fill_object *o = kmalloc(sizeof(*o), GFP_KERNEL | __GFP_NOWARN);

	barrier_data(o);
	return o;
}

noinline __noclone struct fill_object *fill_cgroup(void)
{
	struct fill_object *o = kmalloc(sizeof(*o), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);

	barrier_data(o);
	return o;
}

/* The object, or NULL; the kernel may also refuse an object without a kill. */
static struct fill_object *fill_add(struct fill_object *(*get)(void))
{
	struct fill_object *o = get();

	if (!o)
		return NULL;
	o->next = fill_objects;
	fill_objects = o;
	fill_nr++;
	return o;
}

static void fill_drop(unsigned long left)
{
	while (fill_nr > left) {
		struct fill_object *o = fill_objects;

		fill_objects = o->next;
		kfree(o);
		fill_nr--;
	}
}

static void fill_until_killed(const char *name, struct fill_object *(*get)(void))
{
	unsigned long held = fill_nr, nr = 0;

	while (!fatal_signal_pending(current)) {
		nr = fill_nr;
		fill_add(get);
		cond_resched();
	}
	fill_drop(held);
	pr_info("%s: %lu objects of %d bytes\n", name, nr, FILL_BYTES);
}

static void fill_the_machine(void)
{
	fill_until_killed("fill_machine", fill_machine);
}

static void fill_the_cgroup(void)
{
	fill_until_killed("fill_cgroup", fill_cgroup);
}

static void fill_hold(void)
{
	while (fill_nr < FILL_HELD && fill_add(fill_machine))
		;
}

static void fill_free(void)
{
	fill_drop(0);
}

static const struct known_command fill_commands[] = {
	{ "hold", fill_hold },
	{ "all", fill_the_machine },
	{ "cgroup", fill_the_cgroup },
	{ "free", fill_free },
};

DEFINE_KNOWN_COMMANDS(fill);

static int __init fill_init(void)
{
	return proc_create("kma_fill", 0200, NULL, &fill_ops) ? 0 : -ENOMEM;
}

static void __exit fill_exit(void)
{
	remove_proc_entry("kma_fill", NULL);
	fill_drop(0);
}

module_init(fill_init);
module_exit(fill_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Fills the machine or a cgroup");
