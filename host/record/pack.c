// SPDX-License-Identifier: GPL-2.0-only
/*
 * pack.c - make zstd frames.
 */
#include <stdint.h>
#include <stdlib.h>

#include "lib/alloc.h"
#include "pack.h"

#ifdef KMA_NO_ZSTD

bool kma_pack_available(void)
{
	return false;
}

struct kma_pack *kma_pack_create(void)
{
	return NULL;
}

void kma_pack_destroy(struct kma_pack *pack)
{
	(void)pack;
}

struct kma_err *kma_pack_frame(struct kma_pack *pack, const void *bytes, size_t len,
			       const void **packed, size_t *packed_len)
{
	(void)pack;
	*packed = bytes;
	*packed_len = len;
	return NULL;
}

void kma_pack_store(struct kma_pack *pack, const void *bytes, size_t len, struct iovec **parts,
		    size_t *nr)
{
	(void)pack;
	(void)bytes;
	(void)len;
	*parts = NULL;
	*nr = 0;
}

#else

#include <zstd.h>

#define KMA_PACK_LEVEL	  1 /* zstd's fastest level that is not negative */

/*
 * A frame of uncompressed blocks (RFC 8878, section 3.1.1): the magic number, a byte that means
 * "one segment, content size in 4 bytes", and the content size. Each block begins with 3 bytes: bit
 * 0 marks the last block, bits 1 and 2 are the type (0: uncompressed), and the size begins at bit
 * 3. All numbers are little-endian.
 */
#define KMA_PACK_MAGIC	  0xfd2fb528
#define KMA_PACK_ONE_LEN4 0xa0
#define KMA_PACK_HEAD	  9
#define KMA_PACK_BLOCK	  ((size_t)128 << 10)

struct kma_pack {
	ZSTD_CCtx *zstd;
	char *room; /* the frame that was made last */
	size_t room_len;
};

bool kma_pack_available(void)
{
	return true;
}

struct kma_pack *kma_pack_create(void)
{
	struct kma_pack *pack = kma_xcalloc(1, sizeof(*pack));

	pack->zstd = kma_xmem(ZSTD_createCCtx());
	ZSTD_CCtx_setParameter(pack->zstd, ZSTD_c_compressionLevel, KMA_PACK_LEVEL);
	return pack;
}

void kma_pack_destroy(struct kma_pack *pack)
{
	if (!pack)
		return;
	ZSTD_freeCCtx(pack->zstd);
	free(pack->room);
	free(pack);
}

static void pack_room(struct kma_pack *pack, size_t most)
{
	if (pack->room_len >= most)
		return;
	free(pack->room);
	pack->room = kma_xmalloc(most);
	pack->room_len = most;
}

static char *pack_little(char *to, uint32_t value, unsigned int bytes)
{
	for (; bytes; bytes--, value >>= 8)
		*to++ = (char)value;
	return to;
}

/* The buffer has the array of parts, followed by the headers of the frame and of the blocks. */
void kma_pack_store(struct kma_pack *pack, const void *bytes, size_t len, struct iovec **parts,
		    size_t *nr)
{
	const size_t blocks = (len + KMA_PACK_BLOCK - 1) / KMA_PACK_BLOCK;
	char *from = (char *)bytes, *head, *to;
	struct iovec *part;

	pack_room(pack, 2 * blocks * sizeof(*part) + KMA_PACK_HEAD + 3 * blocks);
	*parts = part = (struct iovec *)pack->room;
	*nr = 2 * blocks;
	head = pack->room + 2 * blocks * sizeof(*part);
	to = pack_little(head, KMA_PACK_MAGIC, 4);
	to = pack_little(to, KMA_PACK_ONE_LEN4, 1);
	to = pack_little(to, len, 4);
	while (len) {
		size_t block = len < KMA_PACK_BLOCK ? len : KMA_PACK_BLOCK;

		to = pack_little(to, block << 3 | (block == len), 3);
		*part++ = (struct iovec){ head, to - head };
		*part++ = (struct iovec){ from, block };
		head = to;
		from += block;
		len -= block;
	}
}

struct kma_err *kma_pack_frame(struct kma_pack *pack, const void *bytes, size_t len,
			       const void **packed, size_t *packed_len)
{
	size_t most = ZSTD_compressBound(len), n;

	pack_room(pack, most);
	n = ZSTD_compress2(pack->zstd, pack->room, pack->room_len, bytes, len);
	if (ZSTD_isError(n))
		return kma_err_create(NULL, 0, "cannot compress: %s", ZSTD_getErrorName(n));
	*packed = pack->room;
	*packed_len = n;
	return NULL;
}

#endif
