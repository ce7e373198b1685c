// SPDX-License-Identifier: GPL-2.0-only
/*
 * unseen.c - the table of references that a scan cannot see.
 *
 * The candidates were the calls of kmemleak_ignore(), kmemleak_not_leak() and
 * kmemleak_transient_leak() in Debian's sources of 5.10.262, 6.1.192 and 6.12.118, and objects that
 * drivers hand to hardware by their physical address alone. Most of these calls need no row: the
 * reference is in memory that kmemleak does not scan and this program does (pages, page tables), or
 * in the lower bits of a pointer (memcg_data), or the memory is not of the slab allocator.
 *
 * A row is for a reference that is encoded, or in a page that is not read, for as long as the object
 * lives. The functions are those in which the compiler leaves the call: an inlined function gives
 * its calls to its caller. So nfs has a row for each version.
 */
#include <stddef.h>
#include <string.h>

#include "lib/cleanup.h"
#include "unseen.h"

static const char kma_unseen_lru[] = "by a pointer in a page of the page cache";
static const char kma_unseen_table[] = "by its physical address in the page table of an IOMMU";
static const char kma_unseen_pool[] = "by its physical address in the hardware's pool of buffers";

static const struct kma_unseen kma_unseen_rows[] = {
	{ "nfs_readdir_page_filler", "nfs", kma_unseen_lru, "fs/nfs/dir.c:231 in 5.10",
	  "kmemleak_not_leak()" },
	{ "nfs_readdir_page_array_append", "nfs", kma_unseen_lru, "fs/nfs/dir.c:339 in 6.1",
	  "kmemleak_not_leak()" },
	{ "nfs_readdir_folio_array_append", "nfs", kma_unseen_lru, "fs/nfs/dir.c:337 in 6.12",
	  "kmemleak_not_leak()" },
	{ "hsc_msg_alloc", "hsi_char", "by the page and the offset in a scatterlist",
	  "drivers/hsi/clients/hsi_char.c:186 in 5.10, 6.1 and 6.12", "kmemleak_ignore()" },
	{ "shm_alloc_helper", "tee", "by its address in the secure world",
	  "drivers/tee/optee/smc_abi.c:811 in 6.1, 829 in 6.12", "kmemleak_not_leak()" },
	{ "__arm_v7s_alloc_table", "io_pgtable_arm_v7s", kma_unseen_table,
	  "drivers/iommu/io-pgtable-arm-v7s.c:458 in 5.10, 473 in 6.1 and 6.12",
	  "kmemleak_ignore()" },
	{ "alloc_lv2entry", "exynos_iommu", kma_unseen_table,
	  "drivers/iommu/exynos-iommu.c:940 in 5.10, 1014 in 6.1, 1094 in 6.12",
	  "kmemleak_ignore()" },
	{ "sun50i_iommu_alloc_page_table", "sun50i_iommu", kma_unseen_table,
	  "drivers/iommu/sun50i-iommu.c:504 in 5.10, 573 in 6.1, 576 in 6.12", "" },
	{ "sun50i_dte_get_page_table", "sun50i_iommu", kma_unseen_table,
	  "drivers/iommu/sun50i-iommu.c:504 in 5.10, 573 in 6.1, 576 in 6.12", "" },
	{ "mvpp2_frag_alloc", "mvpp2", kma_unseen_pool,
	  "drivers/net/ethernet/marvell/mvpp2/mvpp2_main.c:838 in 5.10, 1078 in 6.1 and 6.12", "" },
	{ "mvpp2_buf_alloc", "mvpp2", kma_unseen_pool,
	  "drivers/net/ethernet/marvell/mvpp2/mvpp2_main.c:838 in 5.10, 1078 in 6.1 and 6.12", "" },
};

const struct kma_unseen *kma_unseen_find(const char *caller)
{
	size_t len = strcspn(caller, "+ ");
	const char *module = strchr(caller, '[');

	for (size_t i = 0; i < ARRAY_SIZE(kma_unseen_rows); i++) {
		const struct kma_unseen *row = &kma_unseen_rows[i];
		size_t name = strlen(row->module);

		if (strncmp(row->function, caller, len) != 0 || row->function[len])
			continue;
		if (!module || (!strncmp(module + 1, row->module, name) && module[name + 1] == ']'))
			return row;
	}
	return NULL;
}
