// SPDX-License-Identifier: GPL-2.0-only
/*
 * File of a scan of the heap: what lost and why make of it.
 */
#include "heap/scan-read.h"
#include "heap/why.h"
#include "lib/cleanup.h"

#include "fuzz-file.h"

#define ASKED 8 /* most call sites, roots and objects that are asked for */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All objects that were asked for have a way to a row without children. */
static void ask(const struct kma_scan *scan, const struct kma_why_wish *wish)
{
	struct kma_why why = { 0 };
	struct kma_err *err = kma_why_make(scan, wish, &why);
	uint64_t ends = 0;

	for (size_t i = 0; !err && i < why.nr; i++) {
		bool parent = i + 1 < why.nr && why.rows[i + 1].depth > why.rows[i].depth;

		if (why.rows[i].objects > why.objects || why.rows[i].depth > wish->depth + 1)
			abort();
		ends += parent ? 0 : why.rows[i].objects;
	}
	if (!err && !wish->from && ends != why.objects)
		abort();
	kma_err_destroy(err);
	kma_why_deinit(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kma_why_wish wish = { .object = KMA_HEAP_NONE, .depth = 12 };
	struct kma_scan scan = { 0 };
	struct kma_err *err = kma_scan_load(kma_fuzz_file(data, size), &scan, NULL);

	for (uint32_t i = 0; !err && i < scan.sites.nr && i < ASKED; i++) {
		wish.caller = scan.sites.callers[i];
		if (wish.caller)
			ask(&scan, &wish);
	}
	wish.caller = NULL;
	for (uint32_t i = 0; !err && i < scan.groups.nr && i < ASKED; i++) {
		wish.from = scan.groups.list[i].name;
		ask(&scan, &wish);
	}
	wish.from = NULL;
	for (uint32_t i = 0; !err && i < scan.paths.nr && i < ASKED; i++) {
		wish.object = i;
		ask(&scan, &wish);
	}
	kma_err_destroy(err);
	kma_scan_deinit(&scan);
	return 0;
}
