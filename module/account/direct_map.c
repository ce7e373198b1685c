// SPDX-License-Identifier: GPL-2.0-only
/*
 * direct_map.c - find the base of the range at which the kernel maps all memory.
 *
 * The reasons are in direct_map.h.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/mmzone.h>
#include <linux/nodemask.h>

#include "account/direct_map.h"

unsigned long kma_direct_base __read_mostly;

#ifdef CONFIG_64BIT
void kma_direct_init(void)
{
	unsigned long first = ULONG_MAX >> PAGE_SHIFT, low;
	int node;

	for_each_node_state(node, N_MEMORY)
		first = min(first, NODE_DATA(node)->node_start_pfn);
	low = kma_direct_page(first);
	kma_direct_base = PAGE_OFFSET;
	if (low - PAGE_OFFSET > KMA_DIRECT_BELOW)
		kma_direct_base = low - KMA_DIRECT_BELOW;
}
#else
unsigned long kma_direct_end __read_mostly;

void kma_direct_init(void)
{
	unsigned long end = 0;
	int node;

	for_each_node_state(node, N_MEMORY)
		end = max(end, NODE_DATA(node)->node_start_pfn +
			       NODE_DATA(node)->node_spanned_pages);
	kma_direct_end = end;
	kma_direct_base = PAGE_OFFSET;
}
#endif
