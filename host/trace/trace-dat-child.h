/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-dat-child.h - the process that reads a trace.dat with libtracecmd.
 *
 * Order: a file has one buffer or more (the main one and those of instances), and each buffer has
 * one stream of records per CPU. A stream is sorted by time. The next record is the oldest of the
 * streams' first ones; at equal times the lower CPU comes first. The oldest stream is searched
 * linearly, but only after its record is later than the second oldest.
 *
 * Doubles: if a tracepoint is on in two buffers, both have its events. Events of a tracepoint are
 * taken from the buffer that has its first record; those of other buffers are only counted.
 *
 * Fields: their offsets are looked up by name once for each tracepoint. A record is then read at
 * these offsets, after its length was checked. A tracepoint that lacks a needed field is not read.
 *
 * Stacks: an event of pages has no call site, and in older kernels an event of per-CPU memory has
 * none. Such an event is held in its stream until the next record, which is its kernel_stack if the
 * log has stacks. That next record is read at once, even if other streams have older ones: another
 * CPU may free the page next, and the order of events must remain. A held event whose stack is
 * missing gets a row for events without call site.
 *
 * Memory is never freed here; the end of the process does it. A timer of CPU time, restarted every
 * 65,536 records, ends the process if the library loops for ever on a corrupt file.
 */
#ifndef KMA_TRACE_TRACE_DAT_CHILD_H
#define KMA_TRACE_TRACE_DAT_CHILD_H

#include "lib/shmring.h"

/*
 * Reads a trace.dat and writes its events into the ring of struct kma_dat_slot. @tasks: the text of
 * each call site has a second line, the task's name. @page: bytes of a page of the kernel, at least
 * 4096.
 *
 * Runs in the child process, and may crash or be ended by a signal. Otherwise the last slot is
 * KMA_DAT_END or KMA_DAT_FAIL; if the parent has stopped the ring, KMA_DAT_END comes early. It
 * frees nothing: the caller ends the process.
 */
void kma_dat_child(const char *path, struct kma_shmring *ring, bool tasks, uint64_t page);

#endif /* KMA_TRACE_TRACE_DAT_CHILD_H */
