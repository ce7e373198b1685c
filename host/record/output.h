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

/* @path is as for kma_outfile_create(). @zstd: compress the data. */
struct kma_err *kma_output_open(const char *path, bool zstd, struct kma_output **ret);

/* Without kma_output_commit() no file is left. */
void kma_output_destroy(struct kma_output *out);

/*
 * Gives the file its name, after all lanes have ended. If it cannot get its name, it stays, and
 * kma_output_say_kept() tells where.
 */
struct kma_err *kma_output_commit(struct kma_output *out);

/*
 * If the file could not get its name, returns an error that names the temporary file, too, and
 * replaces @err, the first error of the recording or NULL. Otherwise returns @err.
 */
struct kma_err *kma_output_say_kept(const struct kma_output *out, struct kma_err *err);

/*
 * Writes a regular file to the disk by fdatasync(2), which may take long; lanes may write at the
 * same time. For a pipe or a device this does nothing. After an error nothing more can be written.
 */
struct kma_err *kma_output_sync(struct kma_output *out);

/*
 * Gives the file its name while lanes still write. Nothing more is written; the program has to end.
 */
void kma_output_rescue(struct kma_output *out);

/* Bytes written, after compression. */
uint64_t kma_output_bytes(struct kma_output *out);

/* @out must outlive the lane. */
struct kma_lane *kma_lane_create(struct kma_output *out);

/* Buffered data are not written. */
void kma_lane_destroy(struct kma_lane *lane);

/*
 * After an error of this or a following function nothing more can be written, and the file keeps
 * its length.
 */
struct kma_err *kma_lane_write(struct kma_lane *lane, const void *bytes, size_t len);

/*
 * Space for @len bytes, to write without copying, valid until the next call for the lane.
 * kma_lane_add() writes the first @len bytes of it.
 */
char *kma_lane_room(struct kma_lane *lane, size_t len);
struct kma_err *kma_lane_add(struct kma_lane *lane, size_t len);

/* A frame ends when it has this many bytes or more. */
void kma_lane_limit(struct kma_lane *lane, size_t len);

/*
 * Frames that end from now on are stored without compressing them. No effect if the output is not
 * compressed.
 */
void kma_lane_hurry(struct kma_lane *lane, bool hurry);

/* Ends the data of a lane, so that later data follow it. */
struct kma_err *kma_lane_end(struct kma_lane *lane);

#endif /* KMA_RECORD_OUTPUT_H */
