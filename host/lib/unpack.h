/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unpack.h - decompresses gzip, xz and zstd as one stream of bytes. The first bytes identify the
 * format. Files that consist of several compressed files are decompressed to their end. Corrupt or
 * truncated data is an error, and no bytes after it are returned.
 *
 * The functions read no file: the caller supplies the bytes and the space.
 */
#ifndef KMA_LIB_UNPACK_H
#define KMA_LIB_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

#include "err.h"

/* Enough of a file's beginning to tell how it is packed. */
#define KMA_UNPACK_MAGIC_MAX 6

/* What one step has to work with; the step moves the beginnings on. */
struct kma_unpack_io {
	const char *in; /* packed bytes */
	size_t in_len;
	bool in_last; /* nothing comes after them */
	char *out;    /* space for decompressed bytes */
	size_t out_len;
};

struct kma_unpack;

/**
 * kma_unpack_create() - begin to unpack
 * @name: of the input, for messages; has to live as long as @ret
 * @head: first bytes of the file
 * @len: how many, KMA_UNPACK_MAGIC_MAX unless the file is shorter
 * @ret: what unpacks it, NULL when it is not packed
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_unpack_create(const char *name, const char *head, size_t len,
				  struct kma_unpack **ret);

/**
 * kma_unpack_destroy() - free all
 * @unpack: from kma_unpack_create(); NULL is fine
 */
void kma_unpack_destroy(struct kma_unpack *unpack);

/**
 * kma_unpack_step() - unpack some
 * @unpack: has not failed before
 * @io: bytes and space, of which the function uses as much as it can
 *
 * If the function uses neither bytes nor space, it needs more bytes or, with @io->in_last set, is
 * finished.
 *
 * Return: NULL, or an error that names the input: corrupt, truncated.
 */
struct kma_err *kma_unpack_step(struct kma_unpack *unpack, struct kma_unpack_io *io);

#endif /* KMA_LIB_UNPACK_H */
