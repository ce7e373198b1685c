/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * streams.h - copy the streams of all CPUs to the output, each with a thread of its own.
 *
 * One thread for all streams would lose events on a busy machine: it gets a share of one CPU and
 * must drain the buffers of all. A thread is not bound to its CPU, and has the priority of the
 * program. A chunk of the output has the bytes of one read(2). The threads never examine the
 * content of a stream.
 *
 * A thread compresses what it has read, if requested. If it finds that it has fallen behind the
 * events, it compresses nothing for a second, because lost events are worse than a larger file.
 *
 * CPUs may come while the log is on; kma_streams_look() starts their threads. A thread takes 256
 * KiB of stack, and the buffers of its lane (output.h).
 *
 * Locking: one thread, the main thread, calls all functions and receives the signals; block them
 * before kma_streams_look(). The other threads share the output, each through its own lane, and the
 * first error, which kma_streams.lock protects. Each thread has an eventfd by which the main thread
 * requests to catch up; @asked and @done count the requests, see their barriers in streams.c. One
 * eventfd wakes the main thread. Another one, which is written once and never read, ends all
 * threads.
 */
#ifndef KMA_RECORD_STREAMS_H
#define KMA_RECORD_STREAMS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/err.h"
#include "output.h"
#include "target.h"

struct kma_streams;

struct kma_streams_limits {
	uint64_t size; /* kma_streams_wait() returns if the output has so many bytes; 0: no limit */
	size_t read;   /* bytes of one read(2) */
	size_t behind; /* a thread has fallen behind if a read(2) gets more bytes */
};

/**
 * kma_streams_create() - prepare to read the streams
 * @target: the machine; must outlive the streams
 * @out: the output
 * @nr_cpus: CPUs have numbers below this
 * @limits: copied
 * @ret: the streams; set unless memory cannot be allocated, also with another error
 */
struct kma_err *kma_streams_create(struct kma_target *target, struct kma_output *out,
				   unsigned int nr_cpus, const struct kma_streams_limits *limits,
				   struct kma_streams **ret);

/**
 * kma_streams_look() - start to read streams that have appeared since the last call
 * @streams: from kma_streams_create()
 *
 * Return: NULL, or an error: memory cannot be allocated, or a thread cannot be started.
 */
struct kma_err *kma_streams_look(struct kma_streams *streams);

/**
 * kma_streams_wait() - wait for a reason to check the state
 * @streams: from kma_streams_create()
 * @mask: signal mask during the wait
 *
 * Return: NULL after a tenth of a second, after a signal, when a thread has caught up, or when the
 * output has reached its size; or the error of one of the threads.
 */
struct kma_err *kma_streams_wait(struct kma_streams *streams, const sigset_t *mask);

/**
 * kma_streams_catch_up() - request that all data that are readable now are written
 * @streams: from kma_streams_create()
 *
 * Each thread reads its stream until nothing is left, at most 64 MiB, and ends its lane's frame.
 * kma_streams_caught_up() tells when that is done; call this function again only after that.
 */
void kma_streams_catch_up(struct kma_streams *streams);

/**
 * kma_streams_caught_up() - test whether all threads have caught up
 * @streams: from kma_streams_create()
 *
 * kma_streams_wait() returns each time that a thread has caught up.
 *
 * Return: true if all have, or if there was no request.
 */
bool kma_streams_caught_up(const struct kma_streams *streams);

/**
 * kma_streams_over() - test whether another program has ended the log
 * @streams: from kma_streams_create()
 *
 * Return: true if every stream was read to its end.
 */
bool kma_streams_over(const struct kma_streams *streams);

/**
 * kma_streams_finish() - end the threads, and read what is left in the streams
 * @streams: from kma_streams_create(); the log is off
 */
struct kma_err *kma_streams_finish(struct kma_streams *streams);

/* End the threads, close and free all. */
void kma_streams_destroy(struct kma_streams *streams);

#endif /* KMA_RECORD_STREAMS_H */
