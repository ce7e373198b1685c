// SPDX-License-Identifier: GPL-2.0-only
/*
 * pack.c - bytes into a frame of zstd.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pack.h"

#ifdef KMA_NO_ZSTD

bool kma_pack_available(void)
{
	return false;
}

struct kma_err *kma_pack_create(struct kma_pack **ret)
{
	*ret = NULL;
	return kma_err_create(NULL, 0, "--zstd: this program was built without zstd");
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

struct kma_err *kma_pack_store(struct kma_pack *pack, const void *bytes, size_t len,
			       const void **packed, size_t *packed_len)
{
	return kma_pack_frame(pack, bytes, len, packed, packed_len);
}

#else

#include <zstd.h>

#define KMA_PACK_LEVEL	  1

/*
 * A frame of blocks that are not packed (RFC 8878): the magic, a byte "one segment, 4 bytes of
 * length", the length; before each block 3 bytes: 1 if it is the last one, its kind (0: as it
 * is) from bit 1 on, its length from bit 3 on. Little-endian.
 */
#define KMA_PACK_MAGIC	  0xfd2fb528
#define KMA_PACK_ONE_LEN4 0xa0
#define KMA_PACK_HEAD	  9
#define KMA_PACK_BLOCK	  ((size_t)128 << 10)

struct kma_pack {
	ZSTD_CCtx *zstd;
	char *room;
	size_t room_len;
};

bool kma_pack_available(void)
{
	return true;
}

struct kma_err *kma_pack_create(struct kma_pack **ret)
{
	struct kma_pack *pack = calloc(1, sizeof(*pack));

	if (!pack)
		return &kma_enomem;
	pack->zstd = ZSTD_createCCtx();
	if (!pack->zstd) {
		free(pack);
		return &kma_enomem;
	}
	ZSTD_CCtx_setParameter(pack->zstd, ZSTD_c_compressionLevel, KMA_PACK_LEVEL);
	*ret = pack;
	return NULL;
}

void kma_pack_destroy(struct kma_pack *pack)
{
	if (!pack)
		return;
	ZSTD_freeCCtx(pack->zstd);
	free(pack->room);
	free(pack);
}

static bool kma_pack_room(struct kma_pack *pack, size_t most)
{
	if (pack->room_len < most) {
		free(pack->room);
		pack->room = malloc(most);
		pack->room_len = pack->room ? most : 0;
	}
	return pack->room;
}

static char *kma_pack_little(char *to, uint32_t value, unsigned int bytes)
{
	for (; bytes; bytes--, value >>= 8)
		*to++ = (char)value;
	return to;
}

struct kma_err *kma_pack_store(struct kma_pack *pack, const void *bytes, size_t len,
			       const void **packed, size_t *packed_len)
{
	size_t done = 0, part;
	char *to;

	if (!kma_pack_room(pack, KMA_PACK_HEAD + len + 3 * (len / KMA_PACK_BLOCK + 1)))
		return &kma_enomem;
	to = kma_pack_little(pack->room, KMA_PACK_MAGIC, 4);
	to = kma_pack_little(to, KMA_PACK_ONE_LEN4, 1);
	to = kma_pack_little(to, len, 4);
	do {
		part = len - done < KMA_PACK_BLOCK ? len - done : KMA_PACK_BLOCK;
		to = kma_pack_little(to, part << 3 | (done + part == len), 3);
		memcpy(to, (const char *)bytes + done, part);
		to += part;
		done += part;
	} while (done < len);
	*packed = pack->room;
	*packed_len = to - pack->room;
	return NULL;
}

struct kma_err *kma_pack_frame(struct kma_pack *pack, const void *bytes, size_t len,
			       const void **packed, size_t *packed_len)
{
	size_t most = ZSTD_compressBound(len), n;

	if (!kma_pack_room(pack, most))
		return &kma_enomem;
	n = ZSTD_compress2(pack->zstd, pack->room, pack->room_len, bytes, len);
	if (ZSTD_isError(n))
		return kma_err_create(NULL, 0, "cannot compress: %s", ZSTD_getErrorName(n));
	*packed = pack->room;
	*packed_len = n;
	return NULL;
}

#endif
