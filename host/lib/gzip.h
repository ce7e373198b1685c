/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gzip.h - bytes as a gzip file in memory.
 */
#ifndef KMA_LIB_GZIP_H
#define KMA_LIB_GZIP_H

#include "err.h"
#include "strbuf.h"

enum kma_gzip_how {
	KMA_GZIP_SMALL, /* for files */
	KMA_GZIP_FAST,	/* for answers, in half of the time and a quarter larger */
};

/**
 * kma_gzip() - compress bytes as gzip (RFC 1952)
 * @bytes: what to compress
 * @how: what counts more
 * @ret: the file is appended
 *
 * It has neither a name nor a time, so the same bytes give the same file.
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_gzip(const struct kma_strbuf *bytes, enum kma_gzip_how how,
			 struct kma_strbuf *ret);

/**
 * kma_gunzip() - unpack a gzip file in memory
 * @packed: the file
 * @len: its bytes
 * @max: more bytes than that are an error
 * @ret: what it has is appended
 *
 * Return: NULL; or an error without a place: memory, damaged or truncated, too large.
 */
struct kma_err *kma_gunzip(const void *packed, size_t len, size_t max, struct kma_strbuf *ret);

#endif /* KMA_LIB_GZIP_H */
