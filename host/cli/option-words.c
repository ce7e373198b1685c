// SPDX-License-Identifier: GPL-2.0-only
/*
 * option-words.c - the values that options of single commands accept.
 */
#include "option-words.h"

const char *const kma_show_words[KMA_NR_SHOWS] = {
	[KMA_SHOW_TOTAL] = "total", [KMA_SHOW_SIZES] = "sizes",
	[KMA_SHOW_WASTE] = "waste", [KMA_SHOW_LIFETIMES] = "lifetimes",
	[KMA_SHOW_SITES] = "sites", [KMA_SHOW_CPUS] = "cpus",
	[KMA_SHOW_NODES] = "nodes", [KMA_SHOW_ERRORS] = "errors",
};

const char *const kma_objects_by_words[KMA_NR_GROUPED] = {
	[KMA_GROUPED_NOT] = "caller",
	[KMA_GROUPED_CGROUP] = "cgroup",
	[KMA_GROUPED_TASK] = "task",
};
