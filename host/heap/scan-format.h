/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan-format.h - what the writer and the reader of a file of a scan share, in addition to
 * reader/scan-file.h.
 *
 * Locking: none; the tables do not change.
 */
#ifndef KMA_HEAP_SCAN_FORMAT_H
#define KMA_HEAP_SCAN_FORMAT_H

#include "reader/scan-file.h"
#include "scan.h"

/* Number @n of the line of a pass. */
static inline uint64_t *kma_scan_pass_member(struct kma_lost_pass *pass, size_t n)
{
	uint64_t *const members[KMA_SCAN_PASS_NR] = { &pass->objects,	   &pass->unreached,
						      &pass->counts.roots, &pass->counts.edges,
						      &pass->counts.pages, &pass->counts.skipped,
						      &pass->free.objects, &pass->ns };

	return members[n];
}

#endif /* KMA_HEAP_SCAN_FORMAT_H */
