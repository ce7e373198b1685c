/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan-read.h - read a file of a scan of the heap.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_SCAN_READ_H
#define KMA_HEAP_SCAN_READ_H

#include "scan.h"

/*
 * Reads a file, or a bundle with a scan; it may be compressed. @text also gets the lines of the
 * file, which must not be a bundle then; or NULL. @scan is zeroed, and has to be freed also after
 * an error: the file cannot be read, is not a scan, is corrupt, or is a bundle without a scan.
 */
struct kma_err *kma_scan_load(const char *path, struct kma_scan *scan, struct kma_strbuf *text);

#endif /* KMA_HEAP_SCAN_READ_H */
