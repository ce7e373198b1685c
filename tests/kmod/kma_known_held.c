// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_known_held.c - memory that is held longer than it seems: peaks, and slabs
 * that are nearly empty, both known beforehand.
 *
 *	echo peak > /proc/kma_known_held	known_peak()
 *	echo sizes > /proc/kma_known_held	known_two_sizes()
 *	echo pin > /proc/kma_known_held		known_pin_even(), known_pin_odd();
 *						once. Parameters pinned_slabs
 *						and pinned_twice say how many.
 *
 * As in kma_known.c, functions are global for the sake of their names.
 */
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "known.h"

static struct kmem_cache *known_pinned_cache;

noinline __noclone void known_peak(void);
noinline __noclone void known_two_sizes(void);
noinline __noclone void *known_pin_even(void);
noinline __noclone void *known_pin_odd(void);

/* 40 objects of 1024 bytes, the first 20 of them for a second. */
void known_peak(void)
{
	void *object[20];
	int i, n;

	for (n = 0; n < 2; n++) {
		for (i = 0; i < ARRAY_SIZE(object); i++)
			object[i] = kmalloc(1000, GFP_KERNEL);
		/* by pieces: a slow machine has had as many interrupts */
		for (i = 0; !n && i < 20; i++)
			msleep(50);
		for (i = 0; i < ARRAY_SIZE(object); i++)
			kfree(object[i]);
	}
}

static const size_t two_sizes[] = { 30, 60 };

/*
 * One call, objects of two caches. The sizes are read in turns: gcc 14 makes two loops, and
 * two calls, of a loop whose first half has one size and whose second half has another.
 */
void known_two_sizes(void)
{
	int i;

	for (i = 0; i < 10; i++) {
		void *object = kmalloc(READ_ONCE(two_sizes[i & 1]), GFP_KERNEL);

		OPTIMIZER_HIDE_VAR(object);
		kfree(object);
	}
}

/*
 * Slabs with one or two objects each: a thousand are allocated by turns at two
 * sites; of each slab one of the first site is kept, and of every other slab one
 * of the second site as well. Here is counted how many slabs these are: nobody
 * else can know.
 */
static void *known_pins[1000];

static struct {
	struct page *slab;
	bool odd;		/* the second site has an object, too */
} known_pinned[256];

static unsigned int known_pinned_slabs, known_pinned_twice;
module_param_named(pinned_slabs, known_pinned_slabs, uint, 0444);
MODULE_PARM_DESC(pinned_slabs, "Slabs with an object of known_pin_even()");
module_param_named(pinned_twice, known_pinned_twice, uint, 0444);
MODULE_PARM_DESC(pinned_twice, "Of these, with one of known_pin_odd(), too");

void *known_pin_even(void)
{
	void *object = kmem_cache_alloc(known_pinned_cache, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(object);
	return object;
}

void *known_pin_odd(void)
{
	void *object = kmem_cache_alloc(known_pinned_cache, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(object);
	return object;
}

static unsigned int known_pinned_find(const void *object)
{
	struct page *slab = virt_to_head_page(object);
	unsigned int i;

	for (i = 0; i < known_pinned_slabs; i++)
		if (known_pinned[i].slab == slab)
			break;
	return i;
}

/* Does the @i-th object, of the first site or the second one, stay? */
static bool known_pin_stays(unsigned int i, bool odd)
{
	unsigned int at = known_pinned_find(known_pins[i]);

	if (!odd && at == known_pinned_slabs && at < ARRAY_SIZE(known_pinned)) {
		known_pinned[known_pinned_slabs++].slab =
			virt_to_head_page(known_pins[i]);
		return true;
	}
	if (odd && at < known_pinned_slabs && at % 2 && !known_pinned[at].odd) {
		known_pinned[at].odd = true;
		known_pinned_twice++;
		return true;
	}
	return false;
}

static void known_pin(void)
{
	static bool stays[ARRAY_SIZE(known_pins)];
	unsigned int i, odd;

	if (known_pinned_slabs)
		return;
	for (i = 0; i < ARRAY_SIZE(known_pins); i++)
		known_pins[i] = i % 2 ? known_pin_odd() : known_pin_even();
	for (odd = 0; odd < 2; odd++)
		for (i = odd; i < ARRAY_SIZE(known_pins); i += 2)
			stays[i] = known_pins[i] && known_pin_stays(i, odd);
	for (i = 0; i < ARRAY_SIZE(known_pins); i++) {
		if (stays[i] || !known_pins[i])
			continue;
		kmem_cache_free(known_pinned_cache, known_pins[i]);
		known_pins[i] = NULL;
	}
	/* slabs without an object go, and no CPU keeps objects to give out */
	kmem_cache_shrink(known_pinned_cache);
}

static void known_unpin(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known_pins); i++) {
		if (known_pins[i])
			kmem_cache_free(known_pinned_cache, known_pins[i]);
		known_pins[i] = NULL;
	}
}

static const struct known_command known_commands[] = {
	{ "peak", known_peak },
	{ "sizes", known_two_sizes },
	{ "pin", known_pin },
};

DEFINE_KNOWN_COMMANDS(known);

static int __init known_init(void)
{
	known_pinned_cache = known_cache_create("kma_known_pinned");
	if (!known_pinned_cache)
		return -ENOMEM;
	if (!proc_create("kma_known_held", 0200, NULL, &known_ops)) {
		kmem_cache_destroy(known_pinned_cache);
		return -ENOMEM;
	}
	return 0;
}

static void __exit known_exit(void)
{
	remove_proc_entry("kma_known_held", NULL);
	known_unpin();
	kmem_cache_destroy(known_pinned_cache);
}

module_init(known_init);
module_exit(known_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Peaks and nearly empty slabs that are known beforehand");
