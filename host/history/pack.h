/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pack.h - files of days as text, in section "history" of a bundle:
 *
 *	== history
 *	kmem_account history 1
 *	day 2026-11-25.kmh 94208
 *	H4sIAAAAAAAAA+y9...
 *
 * After the name of a day and its bytes come lines of base64 (RFC 4648): the file as gzip.
 *
 * Never done here: writing a file. Days of a bundle are read from memory.
 */
#ifndef KMA_HISTORY_PACK_H
#define KMA_HISTORY_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/err.h"
#include "lib/strbuf.h"

#define KMA_PACK_SECTION "history"
#define KMA_PACK_NAME	 32	     /* bytes of the name of a day, with a NUL */
#define KMA_PACK_MAX	 (1UL << 30) /* bytes of a day */

struct kma_packed {
	char name[KMA_PACK_NAME];
	unsigned char *data;
	size_t len;
};

/**
 * kma_pack_begin() - write the first line of the section's text
 * @out: appended to
 */
void kma_pack_begin(struct kma_strbuf *out);

/**
 * kma_pack_add() - write a day
 * @name: of its file
 * @data: its bytes
 * @len: how many
 * @out: appended to
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_pack_add(const char *name, const void *data, size_t len,
			     struct kma_strbuf *out);

/**
 * kma_pack_is() - is there a history in a bundle?
 * @path: a file
 *
 * Return: true if it is a regular file that has the section.
 */
bool kma_pack_is(const char *path);

/**
 * kma_pack_read() - read the days of a bundle
 * @path: a file for which kma_pack_is() is true
 * @ret: array to be freed by kma_pack_free()
 * @nr: how many
 *
 * Return: NULL; or an error that names file and line: another version, damaged, truncated.
 */
struct kma_err *kma_pack_read(const char *path, struct kma_packed **ret, size_t *nr);

/**
 * kma_pack_free() - free days
 * @days: from kma_pack_read(); NULL is fine
 * @nr: how many
 */
void kma_pack_free(struct kma_packed *days, size_t nr);

#endif /* KMA_HISTORY_PACK_H */
