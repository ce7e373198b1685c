/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pack.h - files of days as text, in section "history" of a bundle:
 *
 *	== history
 *	kmem_account history 1
 *	day 2026-11-25.kmh 94208
 *	H4sIAAAAAAAAA+y9...
 *
 * The line of a day has the name of its file and the number of its bytes. Lines of base64 (RFC
 * 4648) follow, with the file compressed by gzip. A day may have up to 1 GiB.
 *
 * Never done here: writing a file. Days of a bundle are read from memory.
 */
#ifndef KMA_STORE_PACK_H
#define KMA_STORE_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/err.h"
#include "lib/strbuf.h"

#define KMA_PACK_SECTION "history"
#define KMA_PACK_NAME	 32	     /* bytes of the name of a day, including the NUL */
#define KMA_PACK_MAX	 (1UL << 30) /* bytes of a day */

/* A file in memory. */
struct kma_packed {
	char name[KMA_PACK_NAME];
	unsigned char *data;
	size_t len; /* bytes of @data */
};

/*
 * Appends the first line of the section's text; then kma_pack_add() appends each day. @name is that
 * of its file.
 */
void kma_pack_begin(struct kma_strbuf *out);
void kma_pack_add(const char *name, const void *data, size_t len, struct kma_strbuf *out);

/* Is a path a regular file that is a bundle and has the section? */
bool kma_pack_is(const char *path);

/*
 * Reads the days of a bundle, whose text need not have a NUL at its end. It is an error if the
 * section has another version, or is corrupt or truncated.
 */
struct kma_err *kma_pack_parse(const char *path, const char *bytes, size_t len,
			       struct kma_packed **ret, size_t *nr);

/* Does the text of a file have the section? */
bool kma_pack_in(const char *text, size_t len);

/* NULL is fine. */
void kma_pack_free(struct kma_packed *days, size_t nr);

#endif /* KMA_STORE_PACK_H */
