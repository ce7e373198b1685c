/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pack.h - make zstd frames.
 *
 * Only pack.c uses the library. With KMA_NO_ZSTD, for targets whose compiler does not have the
 * library, the program cannot compress.
 *
 * Locking: none; each packer belongs to one thread.
 */
#ifndef KMA_RECORD_PACK_H
#define KMA_RECORD_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

#include "lib/err.h"

struct kma_pack;

/* Can this program compress? Not if it was built without the library. */
bool kma_pack_available(void);

/* A packer with the fastest level; NULL if this program cannot compress. */
struct kma_pack *kma_pack_create(void);
void kma_pack_destroy(struct kma_pack *pack);

/**
 * kma_pack_frame() - make a frame of compressed bytes
 * @pack: the packer
 * @bytes: the bytes
 * @len: number of bytes
 * @packed: the frame, valid until the next call
 * @packed_len: length of the frame
 */
struct kma_err *kma_pack_frame(struct kma_pack *pack, const void *bytes, size_t len,
			       const void **packed, size_t *packed_len);

/**
 * kma_pack_store() - make a frame of uncompressed bytes
 * @pack: the packer
 * @bytes: the bytes, which the frame refers to
 * @len: number of bytes, 1 to less than 4 GiB
 * @parts: the frame for writev(2), valid until the next call; the caller may change the array
 * @nr: number of parts
 *
 * This does not copy the bytes.
 */
void kma_pack_store(struct kma_pack *pack, const void *bytes, size_t len, struct iovec **parts,
		    size_t *nr);

#endif /* KMA_RECORD_PACK_H */
