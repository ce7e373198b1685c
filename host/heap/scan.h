/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan.h - what a scan of the heap has found: call sites, roots, paths, retained bytes, references
 * by call site, lost objects. It can be written to a file, and read on another machine
 * (scan-write.h, scan-read.h, Documentation/format/scan.rst).
 *
 * Locking: none. kma_scan_holders() and kma_scan_all() start threads, and wait for them.
 */
#ifndef KMA_HEAP_SCAN_H
#define KMA_HEAP_SCAN_H

#include "groups.h"
#include "lib/notes.h"
#include "listing.h"
#include "lost.h"
#include "model/account.h"
#include "paths.h"
#include "retained.h"

/* References of objects of a call site, at an offset, to objects of a call site. */
struct kma_scan_edge {
	uint32_t from, to; /* sites */
	int32_t offset;	   /* bytes in the object of @from; -1: unknown */
	uint32_t nr;	   /* 0: this place of the table is empty */
};

/* Bytes of a lost object that are kept. */
#define KMA_SCAN_CONTENT 64

struct kma_scan_lost {
	uint64_t key; /* address, XORed with KMA_HEAP_KEY */
	uint32_t site, len;
	bool head;
	unsigned char nr;			/* words of @content */
	uint64_t content[KMA_SCAN_CONTENT / 8]; /* XORed with KMA_HEAP_KEY, too */
};

struct kma_scan {
	struct kma_listing_sites sites;
	struct kma_account *account;   /* the places of call sites (places.h); or NULL */
	struct kma_root_groups groups; /* from a file: only @list and @nr */
	struct kma_paths paths;
	struct kma_retained retained; /* from kma_scan_all(), or a file */
	struct kma_lost lost;	      /* the same */
	struct kma_scan_edge *edges;  /* the same; a table with empty places */
	uint32_t nr_edges;
	size_t room_edges;
	uint64_t *keys; /* by number of a path: address, XORed with KMA_HEAP_KEY; NULL: unknown */
	struct kma_scan_lost *objects; /* that are lost */
	uint32_t nr_objects, room_objects;
	bool has_module; /* the module is loaded */
	bool secret;	 /* from a file that has addresses, or words of the kernel's memory */
	struct kma_notes notes;
	struct kma_arena texts;
};

/*
 * Scans the kernel once, for kma_why_make(). @stop is set by a handler of a signal. @scan is
 * zeroed, and has to be freed also after an error: no permission, a kernel that is not
 * supported, or the scan was interrupted.
 */
struct kma_err *kma_scan_holders(const struct kma_heap_source *source, const int *stop,
				 struct kma_scan *scan);

/*
 * Scans the running kernel for all that a file has. @content: keep the first bytes of lost objects.
 * Lost objects are looked for in passes of their own, before the one pass for all else. @scan and
 * errors are as for kma_scan_holders().
 */
struct kma_err *kma_scan_all(const struct kma_lost_wish *wish, bool content, struct kma_scan *scan);

/*
 * The number in @scan->paths of the object that has an address; KMA_HEAP_NONE if there is none.
 * @scan has addresses.
 */
uint32_t kma_scan_find(const struct kma_scan *scan, uint64_t addr);

/* @scan may be zeroed. */
void kma_scan_deinit(struct kma_scan *scan);

#endif /* KMA_HEAP_SCAN_H */
