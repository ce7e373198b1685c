/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unpack.h - gzip, xz and zstd as one stream of bytes. The kind is told by the
 * first bytes. Files that were put together from several packed ones are
 * unpacked to their end; what is damaged or cut short is an error, and nothing
 * that follows the damage is given.
 *
 * It reads no file: bytes go in and come out as the caller has them.
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
	char *out;    /* room for unpacked ones */
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
 * @io: bytes and room, of which it uses as much as it can
 *
 * When it uses neither any bytes nor any room, it wants more bytes or, with
 * @io->in_last set, is done.
 *
 * Return: NULL, or an error that names the input: damaged, cut short.
 */
struct kma_err *kma_unpack_step(struct kma_unpack *unpack, struct kma_unpack_io *io);

#endif /* KMA_LIB_UNPACK_H */
