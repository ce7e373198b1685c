/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcore.h - the memory of the running kernel: /proc/kcore and /proc/kpageflags.
 *
 * Free pages, pages of processes and of the page cache are left out. Flags are read just before the
 * pages.
 *
 * /proc/kcore copies through a page of its own for each open file, which holds what was read last.
 * All files of the scan are opened by kma_kcore_open(), so that the list of live objects that is
 * read later has these pages, by their call site open_kcore().
 *
 * Locking: as in target.h.
 */
#ifndef KMA_HEAP_KCORE_H
#define KMA_HEAP_KCORE_H

#include "target.h"

/*
 * Opens the memory of the running kernel. @ret is set also after an error, which says which right
 * is missing, or that the kernel is not supported. Its ops->close() wipes and frees what was read.
 */
struct kma_err *kma_kcore_open(struct kma_heap_target *ret);

#endif /* KMA_HEAP_KCORE_H */
