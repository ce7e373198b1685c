/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * grow.h - trees made at random, for the tests of charts: the same for the same seed.
 */
#ifndef KMA_TEST_GROW_H
#define KMA_TEST_GROW_H

#include <stdio.h>
#include <string.h>

#include "tree/node.h"

#include "ktap.h"

static unsigned int seed;

static unsigned int rnd(unsigned int below)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % below;
}

/* Sizes with a heavy tail, some of them nothing at all. */
static uint64_t rnd_size(void)
{
	return rnd(8) ? (1 + rnd(64)) << rnd(20) : 0;
}

static void grow(struct kma_node *root, unsigned int sites)
{
	static const char *const names[] = { "fs",
					     "mm",
					     "net",
					     "a_rather_long_directory_name",
					     "x",
					     "drivers",
					     "\xc3\xa9t\xc3\xa9" };
	struct kma_node *parent;

	for (unsigned int i = 0; i < sites; i++) {
		struct kma_values values = { .current = rnd_size() };
		char path[256] = "", caller[64];

		for (unsigned int depth = rnd(4); depth; depth--) {
			strcat(path, names[rnd(7)]);
			strcat(path, "/");
		}
		snprintf(path + strlen(path), 32, "file%u.c", rnd(5));
		snprintf(caller, sizeof(caller), "function_%u+0x%x/0x%x", i, i, i + 1);
		parent = kma_node_add_path(root, path);
		kma_node_add_caller(parent, caller, &values);
	}
	parent = kma_node_add_named(root, "[unknown symbol]");
	kma_node_add_caller(parent, "0x1234", &(struct kma_values){ .current = rnd_size() });
	kma_node_roll_up(root);
	kma_node_sort(root, KMA_CURRENT);
}

#endif /* KMA_TEST_GROW_H */
