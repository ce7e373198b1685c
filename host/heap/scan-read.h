/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan-read.h - read a file of a scan of the heap.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_SCAN_READ_H
#define KMA_HEAP_SCAN_READ_H

#include "scan.h"

/**
 * kma_scan_load() - read a file
 * @path: name of the file, or of a bundle with a scan; it may be compressed
 * @scan: zeroed; filled in, to be freed with kma_scan_deinit() also after an error
 * @text: also gets the lines of the file, which must not be a bundle then; or NULL
 *
 * The error names @path: it cannot be read, is no scan, is damaged, or is a bundle without a scan.
 */
struct kma_err *kma_scan_load(const char *path, struct kma_scan *scan, struct kma_strbuf *text);

#endif /* KMA_HEAP_SCAN_READ_H */
