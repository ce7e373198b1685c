/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * origin.h - names of source files from the symbols of an image, where there is no
 * debugging information.
 *
 * In a table of symbols STT_FILE stands before the local symbols of an object: "super.c",
 * without a directory. Global symbols stand behind all of them. Whose those are is told
 *
 *	by name		foo.cold, foo.part.0 and the like are local, and so is what
 *			EXPORT_SYMBOL(foo) leaves (until 6.3)
 *	by place	an object's code is in one piece: what lies between two symbols of
 *			one object is of that object
 *
 * and where neither tells it, nothing is said. Of 10,000 functions of a stock 6.1 that are
 * taken at random it names the unit of four in five.
 */
#ifndef KMA_SYMBOL_ORIGIN_H
#define KMA_SYMBOL_ORIGIN_H

#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

struct kma_origins;

/**
 * kma_origins_create() - read the symbols of an image
 * @path: vmlinux, not packed
 * @ret: the table, which may be empty
 *
 * Return: NULL, or an error that names @path.
 */
struct kma_err *kma_origins_create(const char *path, struct kma_origins **ret);

/**
 * kma_origins_destroy() - forget it
 * @origins: from kma_origins_create(); NULL is fine
 */
void kma_origins_destroy(struct kma_origins *origins);

/**
 * kma_origins_count() - how many symbols have a file
 * @origins: the table
 *
 * Return: 0 when the image names none: strip -g takes STT_FILE away.
 */
size_t kma_origins_count(const struct kma_origins *origins);

/**
 * kma_origins_at() - the file that a function was compiled from
 * @origins: the table
 * @addr: address where the function begins
 *
 * Return: a name, mostly without a directory, that stays with @origins; NULL when it cannot
 * be told.
 */
const char *kma_origins_at(const struct kma_origins *origins, uint64_t addr);

#endif /* KMA_SYMBOL_ORIGIN_H */
