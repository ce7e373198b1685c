/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan-write.h - write a scan of the heap as text.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_SCAN_WRITE_H
#define KMA_HEAP_SCAN_WRITE_H

#include "lib/file.h"
#include "scan.h"

/*
 * @scan is from kma_scan_all(). @addresses: write the addresses of objects, and of call sites
 * without a symbol, too. @out gets the text in parts, so that little memory is needed; it is not
 * committed.
 */
void kma_scan_write(const struct kma_scan *scan, bool addresses, struct kma_outfile *out);

#endif /* KMA_HEAP_SCAN_WRITE_H */
