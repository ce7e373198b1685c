/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * places.h - what finds the files and lines of the running kernel's call sites on another machine:
 * the build ID of the file that a call site is in, and its offset there.
 *
 * Locking: none.
 */
#ifndef KMA_HEAP_PLACES_H
#define KMA_HEAP_PLACES_H

#include "model/account.h"

/*
 * Sets @ret to the module's account, of which kma_scan_write() writes nothing else. It is an error
 * if the module's snapshot cannot be read.
 */
struct kma_err *kma_places_read(struct kma_account **ret);

/* The kernel's names and the time, where no module is loaded. There are no call sites then. */
void kma_places_none(struct kma_account **ret);

#endif /* KMA_HEAP_PLACES_H */
