// SPDX-License-Identifier: GPL-2.0-only
/*
 * where-rows.c - rows of meminfo that add up to MemTotal.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "lib/cleanup.h"
#include "where-rows.h"

/*
 * Lines of meminfo that are rows, minus the line @without; a kernel need not have all of them. The
 * subtraction avoids that bytes are in two rows: Cached includes Shmem, VmallocUsed includes the
 * stacks of tasks, and KReclaimable includes SReclaimable. SwapCached is not a row: most of it is
 * mapped, and so part of AnonPages.
 */
static const struct {
	const char *group, *owner, *line, *without;
} meminfo_lines[] = {
	{ "user", "anonymous", "AnonPages", NULL },
	{ "files", "page cache", "Cached", "Shmem" },
	{ "files", "shared memory, tmpfs", "Shmem", NULL },
	{ "files", "block devices", "Buffers", NULL },
	{ "huge pages", "hugetlbfs", "Hugetlb", NULL },
	{ "kernel", "page tables", "PageTables", NULL },
	{ "kernel", "page tables of guests, IOMMU", "SecPageTables", NULL },
	{ "kernel", "stacks of tasks", "KernelStack", NULL },
	{ "kernel", "vmalloc", "VmallocUsed", "KernelStack" },
	{ "kernel", "compressed swap", "Zswap", NULL },
	{ "kernel", "bounce buffers", "Bounce", NULL },
	{ "kernel", "reclaimable, not slab", "KReclaimable", "SReclaimable" },
	{ "kernel", "graphics", "GPUActive", NULL },
	{ "kernel", "graphics, reclaimable", "GPUReclaim", NULL },
	{ "broken", "pages with errors", "HardwareCorrupted", NULL },
};

void kma_where_add(struct kma_where_rows *rows, const char *group, const char *owner,
		   uint64_t bytes)
{
	kma_array_room(rows->rows, rows->nr, rows->room);
	rows->rows[rows->nr++] = (struct kma_where_row){ group, owner, bytes, false };
}

/*
 * The pages of a balloon are no part of MemTotal, unless the kernel takes them back before it runs out of
 * memory (VIRTIO_BALLOON_F_DEFLATE_ON_OOM). Only the device says that.
 */
#define BALLOON_FEATURES "/sys/bus/virtio/drivers/virtio_balloon/virtio*/features"
#define BALLOON_DEFLATES 2 /* the bit, and so the digit of the text */

static void add_balloon(const struct kma_meminfo *meminfo, struct kma_where_rows *rows)
{
	uint64_t bytes;
	glob_t found;
	bool inside = false;

	if (!kma_meminfo_get(meminfo, "Balloon", &bytes) || !bytes ||
	    glob(BALLOON_FEATURES, 0, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		_cleanup_fclose_ FILE *f = fopen(found.gl_pathv[i], "re");
		char bits[BALLOON_DEFLATES + 2] = "";

		inside |= f && fgets(bits, sizeof(bits), f) && bits[BALLOON_DEFLATES] == '1';
	}
	globfree(&found);
	if (inside)
		kma_where_add(rows, "kernel", "balloon", bytes);
}

void kma_where_meminfo(const struct kma_meminfo *meminfo, bool here, struct kma_where_rows *rows)
{
	for (size_t i = 0; i < ARRAY_SIZE(meminfo_lines); i++) {
		uint64_t bytes, without = 0;

		if (!kma_meminfo_get(meminfo, meminfo_lines[i].line, &bytes))
			continue;
		if (meminfo_lines[i].without)
			kma_meminfo_get(meminfo, meminfo_lines[i].without, &without);
		bytes = kma_where_less(bytes, without);
		if (bytes)
			kma_where_add(rows, meminfo_lines[i].group, meminfo_lines[i].owner, bytes);
	}
	if (here)
		add_balloon(meminfo, rows);
}

void kma_where_rest(const struct kma_meminfo *meminfo, struct kma_where_rows *rows)
{
	uint64_t sum = 0, bytes;

	kma_meminfo_get(meminfo, "MemFree", &bytes);
	kma_where_add(rows, "free", "free", bytes);
	for (size_t i = 0; i < rows->nr; i++)
		sum += rows->rows[i].bytes;
	kma_meminfo_get(meminfo, "MemTotal", &bytes);
	if (sum <= bytes) {
		kma_where_add(rows, "kernel", KMA_WHERE_UNEXPLAINED, bytes - sum);
		return;
	}
	kma_where_add(rows, "kernel", "[counted twice]", sum - bytes);
	rows->rows[rows->nr - 1].negative = true;
}

static int by_bytes(const void *a, const void *b)
{
	const struct kma_where_row *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return strcmp(x->owner, y->owner);
}

void kma_where_sort(struct kma_where_rows *rows)
{
	if (rows->nr)
		qsort(rows->rows, rows->nr, sizeof(*rows->rows), by_bytes);
}
