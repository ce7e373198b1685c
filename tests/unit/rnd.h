/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rnd.h - random numbers that are the same in each run, for tests (xorshift64; Marsaglia, Xorshift
 * RNGs, Journal of Statistical Software 8(14), 2003).
 */
#ifndef KMA_UNIT_RND_H
#define KMA_UNIT_RND_H

#include <stdint.h>

static uint64_t seed = 88172645463325252;

/* Return a number from 0 to @below - 1. */
static inline uint64_t rnd(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

#endif /* KMA_UNIT_RND_H */
