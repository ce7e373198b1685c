// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs.c - /sys/kernel/debug/kmem_account/: files for programs.
 */
#include <linux/debugfs.h>
#include <linux/init.h>
#include <linux/kernel.h>

#include "guard/access.h"
#include "show/debugfs.h"
#include "show/report.h"
#include "show/report_text.h"
#include "show/rows.h"
#include "show/snapshot.h"

static const struct kma_rows kma_sites_rows = {
	kma_snapshot_create, true, kma_report_destroy, kma_report_rows,
	kma_report_show_sites, kma_report_show_site
};

static const struct kma_rows kma_stats_rows = {
	kma_snapshot_create, true, kma_report_destroy, NULL, kma_report_show_stats, NULL
};

static const struct {
	const char *name;
	struct kma_access_file file;
} kma_debugfs_files[] = {
	{ "sites", { kma_rows_open, kma_rows_release, &kma_sites_rows } },
	{ "stats", { kma_rows_open, kma_rows_release, &kma_stats_rows } },
};

void __init kma_debugfs_init(void)
{
	struct dentry *dir = debugfs_create_dir("kmem_account", NULL);
	int i;

	for (i = 0; i < ARRAY_SIZE(kma_debugfs_files); i++)
		debugfs_create_file(kma_debugfs_files[i].name, 0400, dir,
				    (void *)&kma_debugfs_files[i].file, &kma_access_fops);
}
