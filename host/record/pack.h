/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pack.h - bytes into a frame of zstd. The one place that knows the library: with
 * KMA_NO_ZSTD, for a target whose compiler has none, nothing can be packed.
 *
 * Locking: none; each packer has its thread.
 */
#ifndef KMA_RECORD_PACK_H
#define KMA_RECORD_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/err.h"

struct kma_pack;

/**
 * kma_pack_available() - can this program pack?
 *
 * Return: false if it was built without the library.
 */
bool kma_pack_available(void);

/**
 * kma_pack_create() - pack quickly: what the target's CPUs have to spare
 * @ret: the packer
 *
 * Return: NULL; or an error: no memory, or this program cannot pack.
 */
struct kma_err *kma_pack_create(struct kma_pack **ret);

/**
 * kma_pack_destroy() - release the memory
 * @pack: from kma_pack_create(); NULL is fine
 */
void kma_pack_destroy(struct kma_pack *pack);

/**
 * kma_pack_frame() - pack bytes
 * @pack: the packer
 * @bytes: what
 * @len: how many
 * @packed: the frame, until the next call
 * @packed_len: its bytes
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_pack_frame(struct kma_pack *pack, const void *bytes, size_t len,
			       const void **packed, size_t *packed_len);

/**
 * kma_pack_store() - make a frame of uncompressed bytes
 * @pack: the packer
 * @bytes: what
 * @len: how many, less than 4 GiB
 * @packed: the frame, until the next call
 * @packed_len: its bytes: those of @bytes and some more
 *
 * Faster than compressing: it costs only a copy.
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_pack_store(struct kma_pack *pack, const void *bytes, size_t len,
			       const void **packed, size_t *packed_len);

#endif /* KMA_RECORD_PACK_H */
