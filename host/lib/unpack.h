/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unpack.h - decompresses gzip, xz and zstd as one stream of bytes. The first bytes identify the
 * format. Files that consist of several compressed files are decompressed to their end. Corrupt or
 * truncated data is an error, and no bytes after it are returned.
 *
 * A missing end has an error of its own, which comes after all bytes before it.
 *
 * The functions read no file: the caller supplies the bytes and the space.
 */
#ifndef KMA_LIB_UNPACK_H
#define KMA_LIB_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "err.h"

/* Bytes at the beginning of a file that identify its format. */
#define KMA_UNPACK_MAGIC_MAX 6

/* Input and output of a step. The step advances @in and @out, and reduces both lengths. */
struct kma_unpack_io {
	const char *in; /* compressed bytes */
	size_t in_len;
	bool in_last; /* the file ends after them */
	char *out;    /* space for decompressed bytes */
	size_t out_len;
	bool truncated; /* set with an error: the file ends too early; otherwise it is corrupt */
};

struct kma_unpack;

/*
 * @name, for messages, must live as long as the decompressor. @head has the first bytes of the
 * file, KMA_UNPACK_MAGIC_MAX unless the file is shorter; they are not consumed. Returns NULL if the
 * file is not compressed.
 */
struct kma_unpack *kma_unpack_create(const char *name, const char *head, size_t len);

/* --max-input: bytes of an input; 0: 4 GiB or a thousand times its compressed size. */
extern uint64_t kma_unpack_most;

/* The most bytes that an input of @size compressed bytes may have when it is decompressed. */
uint64_t kma_unpack_max(uint64_t size);

/* The error that an input has more than @max bytes; it names the option --max-input. */
struct kma_err *kma_unpack_refuse(const char *name, uint64_t max);

/*
 * Lets kma_unpack_step() refuse more than kma_unpack_max() bytes. @size is the compressed size in
 * bytes; 0: unknown, and the bytes that were read so far count.
 */
void kma_unpack_limit(struct kma_unpack *unpack, uint64_t size);

void kma_unpack_destroy(struct kma_unpack *unpack);

/*
 * Uses as many bytes and as much space as it can. If it uses neither, it needs more bytes or, with
 * @in_last set, is finished. An error is final; it names the input, and is of kind KMA_ERR_DAMAGED
 * if that is corrupt or truncated.
 */
struct kma_err *kma_unpack_step(struct kma_unpack *unpack, struct kma_unpack_io *io);

#endif /* KMA_LIB_UNPACK_H */
