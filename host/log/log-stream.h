/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-stream.h - the stream of one CPU of an event log: records out of extents of a file.
 * Only for log*.c.
 *
 * A record may span two extents; it is then copied into a buffer. After bytes that are not a
 * record, reading continues at the next block, which is recognised by its magic and this CPU's
 * number. The number in the block gives the count of records in between.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LOG_LOG_STREAM_H
#define KMA_LOG_LOG_STREAM_H

#include "log-file.h"

#define KMA_LOG_RECORD_MAX (255 * 8)

struct kma_log_stream {
	const struct kma_log_file *file;
	uint32_t cpu;
	const struct kma_log_extents *extents;
	size_t at;		  /* the extent */
	uint64_t offset;	  /* in it */
	bool synced;		  /* behind a block */
	uint64_t base;		  /* base time of deltas, in units of the log */
	uint64_t last;		  /* time of the last record, ns */
	uint64_t seq;		  /* number of the next record */
	uint64_t lost;		  /* events that were lost so far, as the stream says */
	uint64_t unsaid;	  /* lost events of a block that no LOST has confirmed yet */
	bool ended;		  /* behind an END */
	const unsigned char *raw; /* of a MODULE: the record */
	unsigned char bounce[KMA_LOG_RECORD_MAX];
};

/**
 * kma_log_stream_init() - begin at the beginning
 * @stream: owned by the caller
 * @file: opened
 * @cpu: which one
 */
void kma_log_stream_init(struct kma_log_stream *stream, const struct kma_log_file *file,
			 uint32_t cpu);

/**
 * kma_log_stream_next() - the next event
 * @stream: the stream
 * @ret: filled in; ptr is as in the record, but 0 for an allocation that failed
 *
 * Return: false at the end.
 */
bool kma_log_stream_next(struct kma_log_stream *stream, struct kma_log_item *ret);

#endif /* KMA_LOG_LOG_STREAM_H */
