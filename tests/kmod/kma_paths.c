// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_paths.c - a call site whose callers have known shares, in a known order.
 *
 *	echo alloc > /proc/kma_paths	40,000 objects of 250 bytes, all by path_site(): each 16th
 *					by path_rare(), and of the others in turn one by path_odd()
 *					and one by path_even(): 2,500, 20,000 and 17,500
 *	echo odd > /proc/kma_paths	frees what path_odd() has allocated
 *	echo free > /proc/kma_paths	frees all that is left
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat.h"
#include "known.h"

#define PATH_BYTES	250	/* of kmalloc-256 on each machine; others differ */
#define PATH_OBJECTS	40000
#define PATH_PERIOD	16

/* The beginning of an object; the other bytes are not used. */
struct path_object {
	struct path_object *next;
};

static struct path_object *path_lists[3];

noinline __noclone void path_site(struct path_object **list);
noinline __noclone void path_rare(void);
noinline __noclone void path_odd(void);
noinline __noclone void path_even(void);

noinline __noclone void path_site(struct path_object **list)
{
	struct path_object *o = kmalloc(PATH_BYTES, GFP_KERNEL);

	if (WARN_ON_ONCE(!o))
		return;
	o->next = *list;
	*list = o;
}

/* A call in the last place would be a jump, and this function not on the stack. */
noinline __noclone void path_rare(void)
{
	path_site(&path_lists[0]);
	barrier();
}

noinline __noclone void path_odd(void)
{
	path_site(&path_lists[1]);
	barrier();
}

noinline __noclone void path_even(void)
{
	path_site(&path_lists[2]);
	barrier();
}

static void path_alloc(void)
{
	int i;

	for (i = 0; i < PATH_OBJECTS; i++) {
		if (!(i % PATH_PERIOD))
			path_rare();
		else if (i % 2)
			path_odd();
		else
			path_even();
	}
}

static void path_drop(int list)
{
	while (path_lists[list]) {
		struct path_object *o = path_lists[list];

		path_lists[list] = o->next;
		kfree(o);
	}
}

static void path_free_odd(void)
{
	path_drop(1);
}

static void path_free(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(path_lists); i++)
		path_drop(i);
}

static const struct known_command paths_commands[] = {
	{ "alloc", path_alloc },
	{ "odd", path_free_odd },
	{ "free", path_free },
};

DEFINE_KNOWN_COMMANDS(paths);

static int __init path_init(void)
{
	return proc_create("kma_paths", 0200, NULL, &paths_ops) ? 0 : -ENOMEM;
}

static void __exit path_exit(void)
{
	remove_proc_entry("kma_paths", NULL);
	path_free();
}

module_init(path_init);
module_exit(path_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("A call site whose callers have known shares");
