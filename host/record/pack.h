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

/* False if the program was built without the library. */
bool kma_pack_available(void);

/* A packer with the fastest level; NULL if this program cannot compress. */
struct kma_pack *kma_pack_create(void);
void kma_pack_destroy(struct kma_pack *pack);

/* Makes a frame of compressed bytes, valid until the next call. */
struct kma_err *kma_pack_frame(struct kma_pack *pack, const void *bytes, size_t len,
			       const void **packed, size_t *packed_len);

/*
 * Makes a frame of uncompressed bytes, 1 to less than 4 GiB, without copying them: @parts, for
 * writev(2), refer to @bytes. They are valid until the next call, and the caller may change them.
 */
void kma_pack_store(struct kma_pack *pack, const void *bytes, size_t len, struct iovec **parts,
		    size_t *nr);

#endif /* KMA_RECORD_PACK_H */
