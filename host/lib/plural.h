/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plural.h - words that agree with a number.
 */
#ifndef KMA_LIB_PLURAL_H
#define KMA_LIB_PLURAL_H

#include <stdint.h>

/* @one is the word for one thing ("row", "input is"), @many that for none and for several. */
static inline const char *kma_plural(uint64_t nr, const char *one, const char *many)
{
	return nr == 1 ? one : many;
}

#endif /* KMA_LIB_PLURAL_H */
