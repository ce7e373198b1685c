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
 * @path: name of the file; it may be compressed
 * @scan: zeroed; filled in, to be freed with kma_scan_deinit() also after an error
 *
 * Return: NULL; &kma_enomem; or an error that names @path: it cannot be read, is no scan, or is
 * damaged.
 */
struct kma_err *kma_scan_load(const char *path, struct kma_scan *scan);

#endif /* KMA_HEAP_SCAN_READ_H */
