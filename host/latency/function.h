/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function.h - functions that tracepoints are shown with, and those that allocate, in all
 * kernels.
 */
#ifndef KMA_LATENCY_FUNCTION_H
#define KMA_LATENCY_FUNCTION_H

#include <stdbool.h>

#include "line.h"

struct kma_lat_function {
	struct kma_lat_text name;
	bool allocates;
	unsigned int slots; /* a set; shown in their order */
};

/**
 * kma_lat_function_find() - what is known of a function
 * @name: its name; what the compiler adds (.isra.0) is not looked at
 *
 * Return: the function, NULL if nothing is known of it.
 */
const struct kma_lat_function *kma_lat_function_find(const struct kma_lat_text *name);

/**
 * kma_lat_allocates() - is a function one that allocates pages, in any kernel?
 * @name: perhaps with what the compiler adds
 *
 * Return: true if it is.
 */
bool kma_lat_allocates(const struct kma_lat_text *name);

#endif /* KMA_LATENCY_FUNCTION_H */
