/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan-kernel.h - the kernel of a scan of the heap, as the options say, with places and types of the
 * call sites; for lost and why.
 */
#ifndef KMA_CLI_SCAN_KERNEL_H
#define KMA_CLI_SCAN_KERNEL_H

#include "heap/scan.h"
#include "session/loaded.h"
#include "tree/kernel.h"

/**
 * kma_scan_kernel() - find the places and types of the call sites of a scan
 * @query: files of the kernel; without any, types may be found
 * @heap: what was scanned
 * @file: the scan is from a file
 * @scan: its account is taken
 * @loaded: zeroed; filled in, has to be unloaded also after an error; no source if it cannot be used
 *
 * The sizes of the objects are those of the account of a running kernel. A file has none of what was
 * requested, only of its objects.
 */
struct kma_err *kma_scan_kernel(const struct kma_kernel_query *query,
				const struct kma_heap_source *heap, bool file,
				struct kma_scan *scan, struct kma_loaded *loaded);

#endif /* KMA_CLI_SCAN_KERNEL_H */
