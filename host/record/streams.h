/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * streams.h - the streams of all CPUs into the output, each by a thread of its own. One
 * thread for all of them loses events where CPUs are busy: it has a share of one of
 * them, and what it reads is of all. A chunk of the output is what one read(2) gave.
 *
 * A thread packs what it has read, if that is wanted; where 1 MiB or more was waiting it does
 * not, because events that are lost are worse than bytes. It is not bound to its CPU, and its
 * priority is that of the program.
 *
 * Never done: looking at what is in a stream.
 *
 * Locking: all functions are called by one thread, which the signals go to: block them
 * before kma_streams_look(). The others share the output, each through a lane of its own, and
 * under @lock the first error. They end by an eventfd that is written and never read.
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

/**
 * kma_streams_create() - there are streams to be read
 * @target: where; it outlives them
 * @out: to write to
 * @nr_cpus: how many CPUs there may be
 * @size: kma_streams_wait() returns as soon as the output has so many bytes; 0: any
 * @ret: the streams
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_streams_create(struct kma_target *target, struct kma_output *out,
				   unsigned int nr_cpus, uint64_t size, struct kma_streams **ret);

/**
 * kma_streams_look() - read those that are there by now, too
 * @streams: from kma_streams_create()
 *
 * Return: NULL or an error: no thread can be had.
 */
struct kma_err *kma_streams_look(struct kma_streams *streams);

/**
 * kma_streams_wait() - wait until it is worth a look
 * @streams: from kma_streams_create()
 * @mask: of signals meanwhile
 *
 * Return: NULL, after a tenth of a second, a signal, or at the size; or the error of one
 * of the threads.
 */
struct kma_err *kma_streams_wait(struct kma_streams *streams, const sigset_t *mask);

/**
 * kma_streams_catch_up() - have all that is readable now written to the output
 * @streams: from kma_streams_create()
 *
 * Each thread reads its stream until nothing is left, or 64 MiB, and ends its lane's frame. That
 * has happened when kma_streams_caught_up(); call this again after that only.
 */
void kma_streams_catch_up(struct kma_streams *streams);

/**
 * kma_streams_caught_up() - have all threads done as kma_streams_catch_up() told them?
 * @streams: from kma_streams_create()
 *
 * kma_streams_wait() returns when a thread has.
 *
 * Return: true if they have, or were never told.
 */
bool kma_streams_caught_up(const struct kma_streams *streams);

/**
 * kma_streams_over() - has somebody else ended the log?
 * @streams: from kma_streams_create()
 *
 * Return: true if every stream was read to its end.
 */
bool kma_streams_over(const struct kma_streams *streams);

/**
 * kma_streams_finish() - end the threads, and read what is left
 * @streams: from kma_streams_create()
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_streams_finish(struct kma_streams *streams);

/**
 * kma_streams_destroy() - end the threads, close all
 * @streams: from kma_streams_create(); NULL is fine
 */
void kma_streams_destroy(struct kma_streams *streams);

#endif /* KMA_RECORD_STREAMS_H */
