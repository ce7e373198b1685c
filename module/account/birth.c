// SPDX-License-Identifier: GPL-2.0-only
/*
 * birth.c - when, where and how each live object was allocated, if that is kept.
 *
 * The design is in birth.h; array.c reserves the arrays, resize.c attaches them.
 */
#include <linux/cache.h>

#include "account/birth.h"

struct kma_birth_arrays kma_birth_arrays __read_mostly;
bool kma_births_on __read_mostly;
