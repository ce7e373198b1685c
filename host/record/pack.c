// SPDX-License-Identifier: GPL-2.0
/*
 * pack.c - bytes into a frame of zstd.
 */
#include <stdlib.h>

#include "pack.h"

#ifdef KMA_NO_ZSTD

struct kma_err *kma_pack_create(struct kma_pack **ret)
{
	*ret = NULL;
	return kma_err_create(NULL, 0, "--zstd: this program was built without it");
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

#else

#include <zstd.h>

#define KMA_PACK_LEVEL 1

struct kma_pack {
	ZSTD_CCtx *zstd;
	char *room;
	size_t room_len;
};

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

struct kma_err *kma_pack_frame(struct kma_pack *pack, const void *bytes, size_t len,
			       const void **packed, size_t *packed_len)
{
	size_t most = ZSTD_compressBound(len), n;

	if (pack->room_len < most) {
		free(pack->room);
		pack->room = malloc(most);
		pack->room_len = pack->room ? most : 0;
	}
	if (!pack->room)
		return &kma_enomem;
	n = ZSTD_compress2(pack->zstd, pack->room, pack->room_len, bytes, len);
	if (ZSTD_isError(n))
		return kma_err_create(NULL, 0, "cannot pack: %s", ZSTD_getErrorName(n));
	*packed = pack->room;
	*packed_len = n;
	return NULL;
}

#endif
