/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-stream.h - decode the stream of one CPU of an event log: the records in extents of a mapped
 * file. Only for log*.c.
 *
 * A stream is a sequence of blocks. A BLOCK record states the CPU, the number of the next record,
 * the number of events lost so far, and the full time. The records after it have times relative to
 * that time. Three numbers are therefore checked against each other: the records that were read,
 * the numbers in BLOCK records, and the losses in LOST records.
 *
 * - A difference between the number in a BLOCK and the number of records read is the number of
 *   events that were lost (as far as the BLOCK says so), and of records that are missing from the
 *   file.
 * - A BLOCK and a later LOST record report the same loss. It counts once: @unsaid has the loss that
 *   a LOST may still confirm.
 * - After bytes that are not a record, reading continues at the next BLOCK, which is recognised by
 *   its magic and the number of this CPU. Its number gives the count of records in between.
 *
 * A record may be in two extents; it is then copied into a buffer.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LOG_LOG_STREAM_H
#define KMA_LOG_LOG_STREAM_H

#include "log-file.h"

#define KMA_LOG_RECORD_MAX (255 * 8) /* bytes: a record has its length in one byte, in units of 8 */

struct kma_log_stream {
	const struct kma_log_file *file;
	uint32_t cpu;
	const struct kma_log_extents *extents; /* of the CPU */
	size_t at;			       /* index of the current extent */
	uint64_t offset;		       /* position in it, in bytes */
	bool synced;			       /* a BLOCK was read, and no corrupt bytes since */
	uint64_t base;		  /* time to which deltas are added, in units of the log */
	uint64_t last;		  /* time of the last record, in ns */
	uint64_t seq;		  /* number of the next record */
	uint64_t lost;		  /* events lost so far, as the stream states */
	uint64_t unsaid;	  /* lost events of a BLOCK that no LOST has confirmed */
	bool ended;		  /* an END was read */
	const unsigned char *raw; /* record of the last KMA_LOG_ITEM_MODULE */
	unsigned char bounce[KMA_LOG_RECORD_MAX]; /* copy of a record that is in two extents */
};

/**
 * kma_log_stream_init() - place a stream at its beginning
 * @stream: owned by the caller
 * @file: opened; must outlive the stream
 * @cpu: number of the CPU
 */
void kma_log_stream_init(struct kma_log_stream *stream, const struct kma_log_file *file,
			 uint32_t cpu);

/**
 * kma_log_stream_next() - decode the next event
 * @stream: the stream
 * @ret: filled in; ptr is that of the record
 *
 * Return: false at the end of the stream.
 */
bool kma_log_stream_next(struct kma_log_stream *stream, struct kma_log_item *ret);

#endif /* KMA_LOG_LOG_STREAM_H */
