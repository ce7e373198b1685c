// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_irqoff.c - how long one call of the allocator keeps irqs off, with what listens to it.
 *
 *	cat /proc/kma_irqoff
 *
 * prints "name median p99.9 longest first" for each kind of call: ticks of the TSC, which under
 * QEMU's -icount shift=0,sleep=off are instructions. Irqs are off during the call, so the events
 * of the call are one section. "first" is the first call of the run: all its return addresses are
 * new if something was just switched on. A call includes the allocator's own work. A kind whose
 * name ends with "/N" is a call for N objects; its ticks are those of one object.
 */
#include <linux/gfp.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/timekeeping.h>
#include <linux/vmalloc.h>

#ifdef CONFIG_X86
#include <asm/msr.h>
#include <asm/tsc.h>	/* rdtsc_ordered(), since v6.16 */
#define irqoff_clock()	rdtsc_ordered()
#else
#define irqoff_clock()	ktime_get_mono_fast_ns()
#endif

#define CALLS	4000
#define ORDER	3
#define LARGE	10	/* order */
#define BULK	256	/* objects */

static u64 *irqoff_ticks;
static void *irqoff_object;
static struct page *irqoff_page;
static void *irqoff_bulk[BULK];

static void irqoff_alloc(void)
{
	irqoff_object = kmalloc(64, GFP_ATOMIC);
}

static void irqoff_free(void)
{
	kfree(irqoff_object);
}

static void irqoff_alloc_pages(void)
{
	irqoff_page = alloc_pages(GFP_ATOMIC, ORDER);
	if (irqoff_page)
		split_page(irqoff_page, ORDER);
}

/* The first page of a block that was split: the account cuts the block. */
static void irqoff_free_page(void)
{
	if (irqoff_page)
		__free_page(irqoff_page);
}

static void irqoff_free_rest(void)
{
	int i;

	for (i = 1; irqoff_page && i < 1 << ORDER; i++)
		__free_page(irqoff_page + i);
}

static void irqoff_alloc_large(void)
{
	irqoff_page = alloc_pages(GFP_ATOMIC | __GFP_NOWARN, LARGE);
}

static void irqoff_cut_large(void)
{
	irqoff_alloc_large();
	if (irqoff_page)
		split_page(irqoff_page, LARGE);
}

static void irqoff_free_large(void)
{
	if (irqoff_page)
		__free_pages(irqoff_page, LARGE);
}

static void irqoff_free_large_rest(void)
{
	int i;

	for (i = 1; irqoff_page && i < 1 << LARGE; i++)
		__free_page(irqoff_page + i);
}

static void irqoff_alloc_bulk(void)
{
	int i;

	for (i = 0; i < BULK; i++)
		irqoff_bulk[i] = kmalloc(64, GFP_KERNEL | __GFP_NOFAIL);
}

static void irqoff_free_bulk(void)
{
	kfree_bulk(BULK, irqoff_bulk);
}

static const struct {
	const char *name;
	void (*before)(void);
	void (*run)(void);
	void (*after)(void);
	int calls;
	int each;
} irqoff_calls[] = {
	{ "kmalloc", NULL, irqoff_alloc, irqoff_free, CALLS, 1 },
	{ "kfree", irqoff_alloc, irqoff_free, NULL, CALLS, 1 },
	{ "alloc_pages", NULL, irqoff_alloc_pages, irqoff_free_rest, CALLS, 1 },
	{ "free_page", irqoff_alloc_pages, irqoff_free_page, irqoff_free_rest, CALLS, 1 },
	{ "alloc_order_10", NULL, irqoff_alloc_large, irqoff_free_large, 100, 1 },
	{ "free_order_10", irqoff_alloc_large, irqoff_free_large, NULL, 100, 1 },
	{ "free_page_of_order_10", irqoff_cut_large, irqoff_free_page, irqoff_free_large_rest,
	  20, 1 },
	{ "kfree_bulk/256", irqoff_alloc_bulk, irqoff_free_bulk, NULL, 100, BULK },
};

static u64 irqoff_time(void (*run)(void))
{
	unsigned long flags;
	u64 start;

	local_irq_save(flags);
	start = irqoff_clock();
	run();
	start = irqoff_clock() - start;
	local_irq_restore(flags);
	return start;
}

static int irqoff_cmp(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void irqoff_show_call(struct seq_file *m, int call)
{
	int i, calls = irqoff_calls[call].calls;
	u64 first;

	for (i = 0; i < calls; i++) {
		if (irqoff_calls[call].before)
			irqoff_calls[call].before();
		irqoff_ticks[i] = irqoff_time(irqoff_calls[call].run);
		irqoff_ticks[i] = div_u64(irqoff_ticks[i], irqoff_calls[call].each);
		if (irqoff_calls[call].after)
			irqoff_calls[call].after();
		/* the page that alloc_pages leaves */
		if (irqoff_calls[call].run == irqoff_alloc_pages)
			irqoff_free_page();
		cond_resched();
	}
	first = irqoff_ticks[0];
	sort(irqoff_ticks, calls, sizeof(*irqoff_ticks), irqoff_cmp, NULL);
	seq_printf(m, "%s %llu %llu %llu %llu\n", irqoff_calls[call].name,
		   irqoff_ticks[calls / 2], irqoff_ticks[calls - max(calls / 1000, 1)],
		   irqoff_ticks[calls - 1], first);
}

static int irqoff_show(struct seq_file *m, void *v)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(irqoff_calls); i++)
		irqoff_show_call(m, i);
	return 0;
}

static int __init irqoff_init(void)
{
	irqoff_ticks = vmalloc(array_size(CALLS, sizeof(*irqoff_ticks)));
	if (!irqoff_ticks)
		return -ENOMEM;
	if (proc_create_single("kma_irqoff", 0400, NULL, irqoff_show))
		return 0;
	vfree(irqoff_ticks);
	return -ENOMEM;
}

static void __exit irqoff_exit(void)
{
	remove_proc_entry("kma_irqoff", NULL);
	vfree(irqoff_ticks);
}

module_init(irqoff_init);
module_exit(irqoff_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("How long one call of the allocator keeps irqs off");
