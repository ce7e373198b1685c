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

/**
 * kma_gzip() - compress bytes as gzip (RFC 1952)
 * @bytes: the bytes
 * @how: whether size or time is more important
 * @ret: the file is appended
 *
 * The file has neither a name nor a time, so the same bytes always give the same file.
 */
void kma_gzip(const struct kma_strbuf *bytes, enum kma_gzip_how how, struct kma_strbuf *ret);

/**
 * kma_gunzip() - decompress a gzip file in memory
 * @packed: the file, of one member; bytes after it are ignored
 * @len: bytes of the file
 * @max: largest allowed size of the content, in bytes
 * @ret: the content is appended
 *
 * Return: NULL, or an error without file and line: corrupt, truncated, or more than
 * @max.
 */
struct kma_err *kma_gunzip(const void *packed, size_t len, size_t max, struct kma_strbuf *ret);

#endif /* KMA_LIB_GZIP_H */
