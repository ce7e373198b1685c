// SPDX-License-Identifier: GPL-2.0-only
/*
 * large.c - a large kmalloc() that makes two events.
 *
 * The design is in large.h.
 */
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "account/large.h"

static const void *const kma_large_functions[] = KMA_LARGE_FUNCTIONS;
static unsigned long kma_large_sizes[ARRAY_SIZE(kma_large_functions)] __ro_after_init;
bool kma_large_known __ro_after_init;

/* sprint_symbol() prints the first address of a function as "name+0x0/0xsize". */
void __init kma_large_init(void)
{
	static char symbol[KSYM_SYMBOL_LEN] __initdata;
	const char *size;
	bool known = true;
	size_t i;

	if (!KMA_LARGE_TWICE)
		return;
	for (i = 0; i < ARRAY_SIZE(kma_large_functions); i++) {
		sprint_symbol(symbol, (unsigned long)kma_large_functions[i]);
		size = strchr(symbol, '/');
		if (!size || kstrtoul(size + 1, 0, &kma_large_sizes[i])) {
			kma_large_sizes[i] = 0;
			known = false;
		}
	}
	kma_large_known = known;
}

bool kma_large_in_allocator(unsigned long call_site)
{
	size_t i;

	for (i = 0; KMA_LARGE_TWICE && i < ARRAY_SIZE(kma_large_functions); i++) {
		if (call_site - (unsigned long)kma_large_functions[i] < kma_large_sizes[i])
			return true;
	}
	return false;
}
