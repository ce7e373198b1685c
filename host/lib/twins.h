/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * twins.h - find the texts of a list that are equal to another one, in linear time.
 */
#ifndef KMA_LIB_TWINS_H
#define KMA_LIB_TWINS_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

/**
 * kma_twins_find() - find the texts that occur more than once
 * @nr: number of texts
 * @text: returns text @i
 * @arg: passed to @text
 * @ret: NULL if all texts differ; otherwise for each text whether another one is equal to it, to be
 *	freed by the caller
 *
 * Return: NULL or &kma_enomem.
 */
struct kma_err *kma_twins_find(size_t nr, const char *(*text)(const void *arg, size_t i),
			       const void *arg, bool **ret);

#endif /* KMA_LIB_TWINS_H */
