/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function.h - functions that the analysis treats specially, in all kernels: those whose
 * tracepoints are shown with them, and those that allocate pages.
 */
#ifndef KMA_LATENCY_FUNCTION_H
#define KMA_LATENCY_FUNCTION_H

#include <stdbool.h>

#include "line.h"

struct kma_lat_function {
	struct kma_lat_text name;
	bool allocates;	    /* its duration is that of an allocation */
	unsigned int slots; /* its tracepoints, bits 1 << enum kma_lat_slot, shown in this order */
};

/**
 * kma_lat_function_find() - look up a function
 * @name: its name; suffixes of the compiler (.isra.0) are ignored
 *
 * Return: the function, or NULL if it is not in the table.
 */
const struct kma_lat_function *kma_lat_function_find(const struct kma_lat_text *name);

/**
 * kma_lat_allocates() - test whether a function allocates pages, in any kernel
 * @name: its name, perhaps with suffixes of the compiler
 *
 * Return: true if it does.
 */
bool kma_lat_allocates(const struct kma_lat_text *name);

#endif /* KMA_LATENCY_FUNCTION_H */
