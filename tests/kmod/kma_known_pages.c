// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_known_pages.c - pages and per-CPU memory whose account is known beforehand.
 *
 * As kma_known.c, with known-pages.txt for the answers and these commands:
 *
 *	insmod kma_known_pages.ko		allocates the early pages
 *	echo alloc > /proc/kma_known_pages	runs every function
 *	echo free > /proc/kma_known_pages	frees what they kept
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "known.h"

#define EXACT_BYTES	(5 * PAGE_SIZE)
#define VMALLOC_BYTES	(64 * PAGE_SIZE)

/* What the functions keep until "free". */
static struct page *known_blocks[4][4];		/* by order */
static unsigned long known_addresses[8];
static void *known_exact_pages[4];
static struct page *known_halves[8];
static struct page *known_in_bulk[32];
static unsigned long known_bulk_pages;
static void *known_vmallocs[2];
static void __percpu *known_percpus[8], *known_large_percpus[8];
static void *known_large[4], *known_small[512];
static struct page *known_early[10], *known_early_block;

#define KNOWN noinline __noclone void
KNOWN known_orders(void);
KNOWN known_get_free_pages(void);
KNOWN known_exact(void);
KNOWN known_split(void);
KNOWN known_split_elsewhere(void);
KNOWN known_page_bulk(void);
KNOWN known_vmalloc(void);
KNOWN known_percpu(void);
KNOWN known_large_percpu(void);
KNOWN known_large_kmalloc(void);
KNOWN known_slabs(void);
KNOWN known_free_early_pages(void);

KNOWN known_orders(void)
{
	int order, i;

	for (order = 0; order < 4; order++)
		for (i = 0; i < 4; i++)
			known_blocks[order][i] = alloc_pages(GFP_KERNEL, order);
}

KNOWN known_get_free_pages(void)
{
	int i;

	for (i = 0; i < 8; i++)
		known_addresses[i] = __get_free_pages(GFP_KERNEL, 1);
}

/* A block of eight pages, of which three are given back at once. */
KNOWN known_exact(void)
{
	int i;

	for (i = 0; i < 4; i++)
		known_exact_pages[i] = alloc_pages_exact(EXACT_BYTES,
							 GFP_KERNEL);
}

/* Every other page of a block is freed, the rest later. */
KNOWN known_split(void)
{
	struct page *block = alloc_pages(GFP_KERNEL, 3);
	int i;

	if (!block)
		return;
	split_page(block, 3);
	for (i = 0; i < 8; i++) {
		if (i & 1)
			__free_page(block + i);
		else
			known_halves[i] = block + i;
	}
}

static void known_free_pages_here(void *block)
{
	struct page *page = block;
	int i;

	for (i = 0; i < 16; i++)
		__free_page(page + i);
}

/* All of them are freed, by the last CPU. */
KNOWN known_split_elsewhere(void)
{
	struct page *block = alloc_pages(GFP_KERNEL, 4);

	if (!block)
		return;
	split_page(block, 4);
	known_on_cpu(num_online_cpus() - 1, known_free_pages_here, block);
}

KNOWN known_page_bulk(void)
{
	unsigned int n = ARRAY_SIZE(known_in_bulk);

	/* twice: the second call fills what the first has left empty */
	alloc_pages_bulk(GFP_KERNEL, 20, known_in_bulk);
	WRITE_ONCE(known_bulk_pages,
		   alloc_pages_bulk(GFP_KERNEL, n, known_in_bulk));
}

KNOWN known_vmalloc(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known_vmallocs); i++)
		known_vmallocs[i] = vmalloc(VMALLOC_BYTES);
}

/* 102 bytes are 104 of them: whole words of four. */
KNOWN known_percpu(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known_percpus); i++)
		known_percpus[i] = __alloc_percpu(102, 4);
}

/* Chunks get pages for them, which are not counted once more. */
KNOWN known_large_percpu(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known_large_percpus); i++)
		known_large_percpus[i] = __alloc_percpu(16384, 8);
}

/* Nor are its pages. */
KNOWN known_large_kmalloc(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known_large); i++)
		known_large[i] = kmalloc(60 * 1024, GFP_KERNEL);
}

/* Nor are those of slabs, a MiB. */
KNOWN known_slabs(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known_small); i++)
		known_small[i] = kmalloc(2048, GFP_KERNEL);
}

/* Allocated before the account began. */
KNOWN known_free_early_pages(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known_early); i++) {
		if (known_early[i])
			__free_page(known_early[i]);
		known_early[i] = NULL;
	}
	if (known_early_block)
		__free_pages(known_early_block, 2);
	known_early_block = NULL;
}

static void (*const known_functions[])(void) = {
	known_orders, known_get_free_pages, known_exact, known_split,
	known_split_elsewhere, known_page_bulk, known_vmalloc, known_percpu,
	known_large_percpu, known_large_kmalloc, known_slabs,
	known_free_early_pages,
};

static void known_alloc_all(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(known_functions); i++)
		known_functions[i]();
}

static void known_free_pages_of(struct page **pages, int n, int order)
{
	for (; n--; pages++) {
		if (*pages)
			__free_pages(*pages, order);
		*pages = NULL;
	}
}

static void known_free_kmallocs(void **objects, int n)
{
	for (; n--; objects++) {
		kfree(*objects);
		*objects = NULL;
	}
}

static void known_free_all(void)
{
	int i;

	for (i = 0; i < 4; i++)
		known_free_pages_of(known_blocks[i], 4, i);
	known_free_pages_of(known_halves, ARRAY_SIZE(known_halves), 0);
	known_free_pages_of(known_in_bulk, ARRAY_SIZE(known_in_bulk), 0);
	for (i = 0; i < 8; i++) {
		free_pages(known_addresses[i], 1);
		known_addresses[i] = 0;
	}
	for (i = 0; i < 4; i++) {
		if (known_exact_pages[i])
			free_pages_exact(known_exact_pages[i], EXACT_BYTES);
		known_exact_pages[i] = NULL;
	}
	for (i = 0; i < ARRAY_SIZE(known_vmallocs); i++) {
		vfree(known_vmallocs[i]);
		known_vmallocs[i] = NULL;
	}
	for (i = 0; i < ARRAY_SIZE(known_percpus); i++) {
		free_percpu(known_percpus[i]);
		known_percpus[i] = NULL;
		free_percpu(known_large_percpus[i]);
		known_large_percpus[i] = NULL;
	}
	known_free_kmallocs(known_large, ARRAY_SIZE(known_large));
	known_free_kmallocs(known_small, ARRAY_SIZE(known_small));
}

static const struct known_command known_commands[] = {
	{ "alloc", known_alloc_all },
	{ "free", known_free_all },
};

DEFINE_KNOWN_COMMANDS(known);

static int __init known_init(void)
{
	int i;

	if (!proc_create("kma_known_pages", 0200, NULL, &known_ops))
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(known_early); i++)
		known_early[i] = alloc_page(GFP_KERNEL);
	known_early_block = alloc_pages(GFP_KERNEL, 2);
	return 0;
}

static void __exit known_exit(void)
{
	remove_proc_entry("kma_known_pages", NULL);
	known_free_all();
	known_free_early_pages();
}

module_init(known_init);
module_exit(known_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Pages whose account is known beforehand");
