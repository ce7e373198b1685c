// SPDX-License-Identifier: GPL-2.0-only
/*
 * unpack.c - decompress gzip, xz and zstd as one stream of bytes.
 *
 * Each format is a row of packings[]: its first bytes, and the functions that call its library.
 * A file may consist of several compressed parts (members of gzip, streams of xz, frames of zstd),
 * and may only end at the end of a part. kma_unpack_step() checks this for all formats with the
 * member @inside. The memory is that of the libraries; xz is limited to 256 MiB.
 *
 * With KMA_NO_UNPACK no format is known: for a program that reads only files of the kernel (make
 * record-static), whose target has none of the libraries.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#ifndef KMA_NO_UNPACK
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#endif

#include "alloc.h"
#include "cleanup.h"
#include "unpack.h"

/* Memory limit of xz: -9 needs 65 MiB. A file that needs more is refused. */
#define KMA_UNPACK_MEMORY (256U << 20)

/* Bytes that any file may give, and bytes that it may give for each of its own. */
#define KMA_UNPACK_LEAST (4ULL << 30)
#define KMA_UNPACK_TIMES 1000

uint64_t kma_unpack_most;

struct kma_packing {
	const char *name;
	unsigned char magic[KMA_UNPACK_MAGIC_MAX];
	size_t magic_len;
	bool (*init)(struct kma_unpack *unpack); /* false if the library has no memory */
	/*
	 * Decompress, and set unpack->inside. Return: why the data are corrupt; NULL if they are
	 * not.
	 */
	const char *(*step)(struct kma_unpack *unpack, struct kma_unpack_io *io);
	void (*deinit)(struct kma_unpack *unpack);
};

struct kma_unpack {
	const struct kma_packing *packing;
	const char *name;
	bool inside;	     /* a compressed part has begun and has not ended */
	bool limited;	     /* see kma_unpack_limit() */
	uint64_t size;	     /* compressed bytes; 0: unknown */
	uint64_t used, made; /* bytes that were decompressed, and what they gave */
#ifndef KMA_NO_UNPACK
	union {
		z_stream gzip;
		lzma_stream xz;
		ZSTD_DStream *zstd;
	};
#endif
};

#ifndef KMA_NO_UNPACK

static bool gzip_init(struct kma_unpack *unpack)
{
	return inflateInit2(&unpack->gzip, 16 + MAX_WBITS) == Z_OK;
}

static const char *gzip_step(struct kma_unpack *unpack, struct kma_unpack_io *io)
{
	z_stream *z = &unpack->gzip;
	int ret;

	if (!unpack->inside) {
		/*
		 * Skip zeros between parts, with which tapes are padded; gzip(1) skips them, too.
		 */
		while (io->in_len && !*io->in) {
			io->in++;
			io->in_len--;
		}
		if (!io->in_len)
			return NULL;
		inflateReset(z);
		unpack->inside = true;
	}
	z->next_in = (unsigned char *)io->in;
	z->avail_in = io->in_len < UINT32_MAX ? io->in_len : UINT32_MAX;
	z->next_out = (unsigned char *)io->out;
	z->avail_out = io->out_len < UINT32_MAX ? io->out_len : UINT32_MAX;
	ret = inflate(z, Z_NO_FLUSH);
	io->in_len -= (const char *)z->next_in - io->in;
	io->in = (const char *)z->next_in;
	io->out_len -= (char *)z->next_out - io->out;
	io->out = (char *)z->next_out;
	if (ret == Z_STREAM_END)
		unpack->inside = false;
	else if (ret != Z_OK && ret != Z_BUF_ERROR)
		return z->msg ?: "unsupported format";
	return NULL;
}

static void gzip_deinit(struct kma_unpack *unpack)
{
	inflateEnd(&unpack->gzip);
}

static bool xz_init(struct kma_unpack *unpack)
{
	return lzma_stream_decoder(&unpack->xz, KMA_UNPACK_MEMORY, LZMA_CONCATENATED) == LZMA_OK;
}

static const char *xz_step(struct kma_unpack *unpack, struct kma_unpack_io *io)
{
	lzma_stream *x = &unpack->xz;
	lzma_ret ret;

	/* liblzma reports only the end of the last part, so the stream counts as one part. */
	unpack->inside = true;
	x->next_in = (const uint8_t *)io->in;
	x->avail_in = io->in_len;
	x->next_out = (uint8_t *)io->out;
	x->avail_out = io->out_len;
	ret = lzma_code(x, io->in_last ? LZMA_FINISH : LZMA_RUN);
	io->in = (const char *)x->next_in;
	io->in_len = x->avail_in;
	io->out = (char *)x->next_out;
	io->out_len = x->avail_out;
	switch (ret) {
	case LZMA_STREAM_END:
		unpack->inside = false;
		return NULL;
	case LZMA_OK:
	case LZMA_BUF_ERROR:
		return NULL;
	case LZMA_MEMLIMIT_ERROR:
		return "decompressing it needs more than 256 MiB";
	case LZMA_FORMAT_ERROR:
		return "the data after the end are not xz";
	default:
		return "the checksum does not match";
	}
}

static void xz_deinit(struct kma_unpack *unpack)
{
	lzma_end(&unpack->xz);
}

static bool zstd_init(struct kma_unpack *unpack)
{
	unpack->zstd = ZSTD_createDStream();
	return unpack->zstd && !ZSTD_isError(ZSTD_initDStream(unpack->zstd));
}

static const char *zstd_step(struct kma_unpack *unpack, struct kma_unpack_io *io)
{
	ZSTD_inBuffer in = { io->in, io->in_len, 0 };
	ZSTD_outBuffer out = { io->out, io->out_len, 0 };
	size_t ret = ZSTD_decompressStream(unpack->zstd, &out, &in);

	/*
	 * If no bytes were consumed or produced, the result is only a hint at the size of the next
	 * frame.
	 */
	if (in.pos || out.pos)
		unpack->inside = ret;
	io->in += in.pos;
	io->in_len -= in.pos;
	io->out += out.pos;
	io->out_len -= out.pos;
	return ZSTD_isError(ret) ? ZSTD_getErrorName(ret) : NULL;
}

static void zstd_deinit(struct kma_unpack *unpack)
{
	ZSTD_freeDStream(unpack->zstd);
}

#endif

/* The last one has no name. */
static const struct kma_packing packings[] = {
#ifndef KMA_NO_UNPACK
	{ "gzip", { 0x1f, 0x8b }, 2, gzip_init, gzip_step, gzip_deinit },
	{ "xz", { 0xfd, '7', 'z', 'X', 'Z', 0 }, 6, xz_init, xz_step, xz_deinit },
	{ "zstd", { 0x28, 0xb5, 0x2f, 0xfd }, 4, zstd_init, zstd_step, zstd_deinit },
#endif
	{ 0 },
};

struct kma_unpack *kma_unpack_create(const char *name, const char *head, size_t len)
{
	const struct kma_packing *packing = NULL;
	struct kma_unpack *unpack;

	for (size_t i = 0; packings[i].name; i++)
		if (len >= packings[i].magic_len &&
		    !memcmp(head, packings[i].magic, packings[i].magic_len))
			packing = &packings[i];
	if (!packing)
		return NULL;
	unpack = kma_xcalloc(1, sizeof(*unpack));
	unpack->packing = packing;
	unpack->name = name;
	if (!packing->init(unpack))
		kma_atend_no_memory();
	return unpack;
}

void kma_unpack_destroy(struct kma_unpack *unpack)
{
	if (!unpack)
		return;
	unpack->packing->deinit(unpack);
	free(unpack);
}

void kma_unpack_limit(struct kma_unpack *unpack, uint64_t size)
{
	unpack->limited = true;
	unpack->size = size;
}

uint64_t kma_unpack_max(uint64_t size)
{
	if (kma_unpack_most)
		return kma_unpack_most;
	return size > KMA_UNPACK_LEAST / KMA_UNPACK_TIMES ? size * KMA_UNPACK_TIMES :
							    KMA_UNPACK_LEAST;
}

struct kma_err *kma_unpack_refuse(const char *name, uint64_t max)
{
	return kma_err_create(name, 0,
			      "refused: more than %" PRIu64
			      " bytes when decompressed; --max-input BYTES allows more",
			      max);
}

static struct kma_err *unpack_check(const struct kma_unpack *unpack)
{
	uint64_t max = kma_unpack_max(unpack->size ?: unpack->used);

	if (!unpack->limited || unpack->made <= max)
		return NULL;
	return kma_unpack_refuse(unpack->name, max);
}

struct kma_err *kma_unpack_step(struct kma_unpack *unpack, struct kma_unpack_io *io)
{
	size_t in_len = io->in_len, out_len = io->out_len;
	const char *wrong = unpack->packing->step(unpack, io);

	if (wrong)
		return kma_err_create_kind(KMA_ERR_DAMAGED, unpack->name, 0, "corrupt %s data: %s",
					   unpack->packing->name, wrong);
	io->truncated = io->in_last && unpack->inside && io->in_len == in_len &&
			io->out_len == out_len && out_len;
	if (io->truncated)
		return kma_err_create_kind(KMA_ERR_DAMAGED, unpack->name, 0,
					   "truncated: the %s data have no end",
					   unpack->packing->name);
	unpack->used += in_len - io->in_len;
	unpack->made += out_len - io->out_len;
	return unpack_check(unpack);
}
