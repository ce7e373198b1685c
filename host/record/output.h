/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output.h - the output of a log: a file, a pipe or the standard output, optionally compressed by
 * zstd. It is written through lanes, one for each thread, which also compress. The bytes of one
 * call to a lane are written as a whole or not at all: if the disk is full, the file ends after the
 * last call that fitted.
 *
 * With compression, each MiB of a lane is a separate frame, so a file that ends after a frame is
 * valid. The order of data from different lanes may then change.
 *
 * The name of a regular file is on the disk as soon as the file exists, and its content is there
 * after kma_output_sync() or kma_output_commit().
 *
 * Locking: each lane belongs to one thread. Any thread may call kma_output_bytes() and
 * kma_output_sync(). All other functions need a single thread.
 */
#ifndef KMA_RECORD_OUTPUT_H
#define KMA_RECORD_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

struct kma_output;
struct kma_lane;

/**
 * kma_output_open() - begin to write
 * @path: as for kma_outfile_create()
 * @zstd: pack it
 * @ret: the output
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_output_open(const char *path, bool zstd, struct kma_output **ret);

/**
 * kma_output_destroy() - close the output; without kma_output_commit() no file is left
 * @out: from kma_output_open(); NULL is fine
 */
void kma_output_destroy(struct kma_output *out);

/**
 * kma_output_commit() - that is all, and lanes have ended: the file gets its name
 * @out: the output
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_output_commit(struct kma_output *out);

/**
 * kma_output_sync() - write the data to the disk
 * @out: the output
 *
 * For a regular file this calls fdatasync(2), which may take long. Lanes may write at the same
 * time. For a pipe or a device this does nothing.
 *
 * Return: NULL; or an error: the data are not on the disk, and nothing more can be written.
 */
struct kma_err *kma_output_sync(struct kma_output *out);

/**
 * kma_output_bytes() - how much was written
 * @out: the output
 *
 * Return: bytes, packed.
 */
uint64_t kma_output_bytes(struct kma_output *out);

/**
 * kma_lane_create() - a way to write
 * @out: the output, which outlives it
 * @ret: the lane
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_lane_create(struct kma_output *out, struct kma_lane **ret);

/**
 * kma_lane_destroy() - destroy a lane; its buffered data are not written
 * @lane: from kma_lane_create(); NULL is fine
 */
void kma_lane_destroy(struct kma_lane *lane);

/**
 * kma_lane_write() - write bytes
 * @lane: the lane
 * @bytes: what
 * @len: how many
 *
 * Return: NULL; or an error: then nothing more can be written, and the file ends where it did.
 */
struct kma_err *kma_lane_write(struct kma_lane *lane, const void *bytes, size_t len);

/**
 * kma_lane_hurry() - from now on pack, or do not
 * @lane: the lane
 * @hurry: what is given later is written without packing: more is waiting than it may
 *
 * Of an output that is not packed: nothing.
 */
void kma_lane_hurry(struct kma_lane *lane, bool hurry);

/**
 * kma_lane_end() - end the data of a lane, so that later data follow it
 * @lane: the lane
 *
 * Return: as kma_lane_write().
 */
struct kma_err *kma_lane_end(struct kma_lane *lane);

#endif /* KMA_RECORD_OUTPUT_H */
