/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output.h - the file that a log is written to: a file, a pipe, the standard output;
 * perhaps packed by zstd. It is written through lanes, one for each thread, in which packing
 * takes place. What is given to a lane in one call is there as a whole, or not at all: where
 * the disk is full the file ends behind the last one that found room.
 *
 * Packed, each MiB of a lane is a frame of its own, so that a file which ends behind one is
 * whole. What was given to two lanes may change its order then.
 *
 * The name of a regular file is on the disk as soon as the file is there, and its content after
 * kma_output_sync() or kma_output_commit().
 *
 * Locking: a lane is its thread's; kma_output_bytes() and kma_output_sync() may be called by
 * any; the rest while there is one thread.
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
 * kma_output_destroy() - close it; without kma_output_commit() there is no file
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
 * kma_output_sync() - bring to the disk what was written
 * @out: the output
 *
 * For a regular file: fdatasync(2), and may take as long as the disk does. Lanes may write
 * meanwhile. Nothing for a pipe or a device.
 *
 * Return: NULL; or an error: the disk has not taken it, and nothing more can be written.
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
 * kma_lane_destroy() - no more through this one; what it still has is not written
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
 * kma_lane_end() - what is given later comes behind all that this lane was given
 * @lane: the lane
 *
 * Return: as kma_lane_write().
 */
struct kma_err *kma_lane_end(struct kma_lane *lane);

#endif /* KMA_RECORD_OUTPUT_H */
