/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-dat-child.h - the process that reads a trace.dat by libtracecmd.
 */
#ifndef KMA_TRACE_TRACE_DAT_CHILD_H
#define KMA_TRACE_TRACE_DAT_CHILD_H

#include "lib/shmring.h"

/**
 * kma_dat_child() - read the file, fill the ring; runs in the child
 * @path: the file
 * @ring: the ring
 * @tasks: tell the tasks apart: the text of a call site has its task as a second line
 *
 * It may crash. It ends by KMA_DAT_END or KMA_DAT_FAIL in the ring.
 */
void kma_dat_child(const char *path, struct kma_shmring *ring, bool tasks);

#endif /* KMA_TRACE_TRACE_DAT_CHILD_H */
