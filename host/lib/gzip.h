/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gzip.h - compress and decompress whole gzip files in memory. unpack.h decompresses streams.
 */
#ifndef KMA_LIB_GZIP_H
#define KMA_LIB_GZIP_H

#include "err.h"
#include "strbuf.h"

enum kma_gzip_how {
	KMA_GZIP_SMALL, /* for files */
	KMA_GZIP_FAST,	/* for HTTP responses: takes half of the time, a quarter larger */
};

/*
 * Appends a gzip file (RFC 1952) without a name and a time, so the same bytes always give the same
 * file.
 */
void kma_gzip(const struct kma_strbuf *bytes, enum kma_gzip_how how, struct kma_strbuf *ret);

/*
 * Appends the content of a gzip file of one member; bytes after it are ignored. An error has no
 * file and no line: corrupt, truncated, or more than @max bytes.
 */
struct kma_err *kma_gunzip(const void *packed, size_t len, size_t max, struct kma_strbuf *ret);

#endif /* KMA_LIB_GZIP_H */
