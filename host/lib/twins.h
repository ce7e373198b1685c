/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * twins.h - find the texts of a list that are equal to another one, in linear time.
 */
#ifndef KMA_LIB_TWINS_H
#define KMA_LIB_TWINS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns for each of the @nr texts whether another one is equal to it, to be freed by the caller;
 * NULL if all texts differ. @text returns text @i.
 */
bool *kma_twins_find(size_t nr, const char *(*text)(const void *arg, size_t i), const void *arg);

#endif /* KMA_LIB_TWINS_H */
