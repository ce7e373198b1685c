/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output.h - the output of a log: a file, a pipe or the standard output, optionally compressed with
 * zstd.
 *
 * The output is written through lanes, one for each thread, which also compress. The bytes of one
 * call to a lane are written as a whole or not at all: after a partial write(2) a regular file is
 * truncated to its last complete length. If the disk is full, the file therefore ends after the
 * last call that fitted. From the first error on all lanes report the same error.
 *
 * With compression a lane collects its bytes and makes a zstd frame of each MiB
 * (kma_lane_limit()). Frames are independent of each other, so a file that ends after a frame is
 * valid. Data from different lanes are in the order in which their frames end, which may differ
 * from the order of the calls; kma_lane_end() ends the frame at once.
 *
 * The name of a regular file is on the disk as soon as the file exists. Its content is there after
 * kma_output_sync() or kma_output_commit().
 *
 * A lane without compression copies nothing and buffers at most one call. With compression it has a
 * buffer of one frame plus one call, and another one for the compressed frame.
 *
 * Locking: each lane belongs to one thread. A mutex makes the writes of lanes exclude each other;
 * compression is outside of it. Any thread may call kma_output_bytes() and kma_output_sync(). All
 * other functions need a single thread.
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
 * kma_output_open() - open an output
 * @path: as for kma_outfile_create()
 * @zstd: compress the data
 * @ret: the output
 */
struct kma_err *kma_output_open(const char *path, bool zstd, struct kma_output **ret);

/* Close the output; without kma_output_commit() no file is left. */
void kma_output_destroy(struct kma_output *out);

/**
 * kma_output_commit() - complete the output: the file gets its name
 * @out: the output, whose lanes have ended
 *
 * Return: NULL or an error. If the file cannot get its name, it stays, and kma_output_say_kept()
 * tells where.
 */
struct kma_err *kma_output_commit(struct kma_output *out);

/**
 * kma_output_say_kept() - add to an error where the recorded data are
 * @out: the output, after kma_output_commit()
 * @err: the first error of the recording, which is replaced, or NULL
 *
 * Return: @err, or an error that names the temporary file as well, if the file could not get its
 * name.
 */
struct kma_err *kma_output_say_kept(const struct kma_output *out, struct kma_err *err);

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

/* Give the file its name while lanes still write. Nothing more is written; the program has to end. */
void kma_output_rescue(struct kma_output *out);

/* The number of bytes written, after compression. */
uint64_t kma_output_bytes(struct kma_output *out);

/* Create a lane; @out must outlive it. */
struct kma_lane *kma_lane_create(struct kma_output *out);

/* Destroy a lane. Its buffered data are not written. */
void kma_lane_destroy(struct kma_lane *lane);

/**
 * kma_lane_write() - write bytes
 * @lane: the lane
 * @bytes: the bytes
 * @len: number of bytes
 *
 * Return: NULL; or an error: nothing more can be written, and the file keeps its length.
 */
struct kma_err *kma_lane_write(struct kma_lane *lane, const void *bytes, size_t len);

/**
 * kma_lane_room() - get space in a lane, to write bytes without copying them
 * @lane: the lane
 * @len: number of bytes
 *
 * Return: the space, valid until the next call for the lane.
 */
char *kma_lane_room(struct kma_lane *lane, size_t len);

/**
 * kma_lane_add() - write the bytes that the caller has put into the space of kma_lane_room()
 * @lane: the lane
 * @len: number of bytes, at most that of kma_lane_room()
 *
 * Return: as kma_lane_write().
 */
struct kma_err *kma_lane_add(struct kma_lane *lane, size_t len);

/* Set the size of a lane's frames: a frame ends when it has this many bytes or more. */
void kma_lane_limit(struct kma_lane *lane, size_t len);

/**
 * kma_lane_hurry() - switch the compression of a lane off or on
 * @lane: the lane
 * @hurry: store the frames that end from now on without compressing them
 *
 * This has no effect if the output is not compressed.
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
