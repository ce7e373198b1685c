/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-dat-child.h - the process that reads a trace.dat with libtracecmd.
 */
#ifndef KMA_TRACE_TRACE_DAT_CHILD_H
#define KMA_TRACE_TRACE_DAT_CHILD_H

#include "lib/shmring.h"

/**
 * kma_dat_child() - read a trace.dat and write its events into the ring
 * @path: the file
 * @ring: the ring, whose slots are struct kma_dat_slot
 * @tasks: distinguish tasks: the text of each call site has a second line, the task's name
 *
 * Runs in the child process, and may crash or be ended by a signal. Otherwise the last slot is
 * KMA_DAT_END or KMA_DAT_FAIL; if the parent has stopped the ring, KMA_DAT_END comes early. It
 * frees nothing: the caller ends the process.
 */
void kma_dat_child(const char *path, struct kma_shmring *ring, bool tasks);

#endif /* KMA_TRACE_TRACE_DAT_CHILD_H */
