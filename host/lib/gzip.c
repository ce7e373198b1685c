// SPDX-License-Identifier: GPL-2.0-only
/*
 * gzip.c - compress and decompress whole gzip files in memory.
 */
#include <zlib.h>

#include "alloc.h"
#include "cleanup.h"
#include "gzip.h"

/* windowBits of zlib: a window of 15 bits; 16 is added for the header and trailer of gzip. */
#define KMA_GZIP_WINDOW (15 + 16)
#define KMA_GZIP_MEMORY 8

static const int gzip_levels[] = {
	[KMA_GZIP_SMALL] = Z_DEFAULT_COMPRESSION,
	[KMA_GZIP_FAST] = Z_BEST_SPEED,
};

void kma_gzip(const struct kma_strbuf *bytes, enum kma_gzip_how how, struct kma_strbuf *ret)
{
	_cleanup_free_ unsigned char *packed = NULL;
	z_stream stream = { 0 };
	uLong len;

	if (deflateInit2(&stream, gzip_levels[how], Z_DEFLATED, KMA_GZIP_WINDOW, KMA_GZIP_MEMORY,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		kma_atend_no_memory();
	len = deflateBound(&stream, bytes->len);
	packed = kma_xmalloc(len);
	stream.next_in = (Bytef *)(bytes->str ?: "");
	stream.avail_in = bytes->len;
	stream.next_out = packed;
	stream.avail_out = len;
	/* The room is enough, so nothing can fail. */
	deflate(&stream, Z_FINISH);
	len = stream.total_out;
	deflateEnd(&stream);
	kma_strbuf_add(ret, (const char *)packed, len);
}

struct kma_err *kma_gunzip(const void *packed, size_t len, size_t max, struct kma_strbuf *ret)
{
	_cleanup_free_ unsigned char *bytes = kma_xmalloc(max + 1);
	z_stream stream = { .next_in = (Bytef *)packed, .avail_in = len };
	size_t got;
	int code;

	if (inflateInit2(&stream, KMA_GZIP_WINDOW) != Z_OK)
		kma_atend_no_memory();
	stream.next_out = bytes;
	stream.avail_out = max + 1;
	code = inflate(&stream, Z_FINISH);
	got = stream.total_out;
	inflateEnd(&stream);
	if (code == Z_MEM_ERROR)
		kma_atend_no_memory();
	if (code != Z_STREAM_END || got > max)
		return kma_err_create(NULL, 0, "the gzip data are corrupt or truncated");
	kma_strbuf_add(ret, (const char *)bytes, got);
	return NULL;
}
