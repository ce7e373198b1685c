/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan-format.h - what the writer and the reader of a file of a scan share.
 *
 * Locking: none; the tables do not change.
 */
#ifndef KMA_HEAP_SCAN_FORMAT_H
#define KMA_HEAP_SCAN_FORMAT_H

#include "scan.h"

#define KMA_SCAN_TITLE "kmem_account scan 1"

/* Notes of an account that have a line "kernel", and their names there. */
static const struct {
	const char *name, *note;
} kma_scan_kernel[] = {
	{ "release", KMA_NOTE_RELEASE },
	{ "machine", KMA_NOTE_MACHINE },
	{ "build_id", KMA_NOTE_BUILD_ID },
};

/* Numbers of a line "pass". */
#define KMA_SCAN_PASS_NR 8

/**
 * kma_scan_pass_member() - get a number of a pass
 * @pass: the pass
 * @n: its place in the line
 *
 * Return: the number.
 */
static inline uint64_t *kma_scan_pass_member(struct kma_lost_pass *pass, size_t n)
{
	uint64_t *const members[KMA_SCAN_PASS_NR] = { &pass->objects,	   &pass->unreached,
						      &pass->counts.roots, &pass->counts.edges,
						      &pass->counts.pages, &pass->counts.skipped,
						      &pass->free.objects, &pass->ns };

	return members[n];
}

#endif /* KMA_HEAP_SCAN_FORMAT_H */
