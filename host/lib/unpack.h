/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unpack.h - decompresses gzip, xz and zstd as one stream of bytes. The first bytes identify the
 * format. Files that consist of several compressed files are decompressed to their end. Corrupt or
 * truncated data is an error, and no bytes after it are returned.
 *
 * The end that is missing is an error of its own: all bytes before it were returned by then.
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

/**
 * kma_unpack_create() - start to decompress a file
 * @name: name of the input for messages; must live as long as the decompressor
 * @head: first bytes of the file; they are not consumed
 * @len: number of these bytes, KMA_UNPACK_MAGIC_MAX unless the file is shorter
 *
 * Return: the decompressor; NULL if the file is not compressed.
 */
struct kma_unpack *kma_unpack_create(const char *name, const char *head, size_t len);

/* --max-input: bytes of an input; 0: 4 GiB or a thousand times its compressed size. */
extern uint64_t kma_unpack_most;

/**
 * kma_unpack_max() - get how many bytes an input may have when it is decompressed
 * @size: its compressed size in bytes
 *
 * Return: kma_unpack_most or the default of it.
 */
uint64_t kma_unpack_max(uint64_t size);

/**
 * kma_unpack_refuse() - say that an input has more bytes than it may have
 * @name: name of the input
 * @max: from kma_unpack_max()
 *
 * Return: an error that names the option --max-input.
 */
struct kma_err *kma_unpack_refuse(const char *name, uint64_t max);

/**
 * kma_unpack_limit() - refuse to decompress to more bytes than are allowed
 * @unpack: the decompressor
 * @size: the compressed size in bytes; 0: unknown, and the bytes that were read so far count
 */
void kma_unpack_limit(struct kma_unpack *unpack, uint64_t size);

/* Free a decompressor. */
void kma_unpack_destroy(struct kma_unpack *unpack);

/**
 * kma_unpack_step() - decompress some bytes
 * @unpack: no step has failed before
 * @io: bytes and space, of which the function uses as much as it can
 *
 * If the function uses neither bytes nor space, it needs more bytes or, with @io->in_last set, is
 * finished.
 *
 * Return: NULL; or an error that names the input: of kind KMA_ERR_DAMAGED if it is corrupt or
 * truncated; or more bytes than kma_unpack_limit() allows.
 */
struct kma_err *kma_unpack_step(struct kma_unpack *unpack, struct kma_unpack_io *io);

#endif /* KMA_LIB_UNPACK_H */
