// SPDX-License-Identifier: GPL-2.0-only
/*
 * birth.c - the time, CPU and kind of each live object's allocation, if the map stores them.
 *
 * The design is in birth.h; array.c reserves the arrays, resize.c attaches them.
 */
#include <linux/cache.h>

#include "account/birth.h"

struct kma_birth_arrays kma_birth_arrays __read_mostly;
bool kma_births_on __read_mostly;
