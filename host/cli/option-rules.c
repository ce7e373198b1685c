// SPDX-License-Identifier: GPL-2.0-only
/*
 * option-rules.c - options that exclude or need each other.
 */
#include "lib/cleanup.h"
#include "option-rules.h"

/* Reject options that have no effect: silence would suggest that they worked. */
const struct kma_option_rule kma_command_rules[] = {
	{ KMA_BOTH | KMA_READS, KMA_OPTION_EXCLUDES, "file", KMA_OPTION_ARGUMENTS, NULL },
	{ KMA_BOTH, KMA_OPTION_EXCLUDES, "db-file", KMA_OPTION_ARGUMENTS, NULL },
	{ KMA_BOTH, KMA_OPTION_EXCLUDES, "db-file", "file", NULL },
	{ KMA_KERNELS, KMA_OPTION_EXCLUDES, "kernel", "modules", NULL },
	{ KMA_KERNELS, KMA_OPTION_EXCLUDES, "kernel", "inlines", NULL },
	{ KMA_KERNELS, KMA_OPTION_NEEDS, "modules", "vmlinux", NULL },
	{ KMA_KERNELS, KMA_OPTION_NEEDS, "inlines", "vmlinux", NULL },
	{ KMA_KERNELS, KMA_OPTION_NEEDS, "force", "kernel", "vmlinux" },
	{ KMA_CMD_REPORT | KMA_CMD_STATIC, KMA_OPTION_EXCLUDES, "all", "top", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_NEEDS, "meminfo", "where", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_NEEDS, "slabinfo", "where", "by" },
	{ KMA_CMD_REPORT, KMA_OPTION_NEEDS, "slab", "by", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "by", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "kernel", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "vmlinux", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "branch", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "attr", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "sort", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "columns", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "save-db", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "skip", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "through", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "malloc", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "cache", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "pages", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "percpu", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "depth", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "where", "all", NULL },
	/* Memory that was not chosen would be shown as allocated before the account started. */
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "slabinfo", "malloc", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "slabinfo", "cache", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "slabinfo", "pages", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "slabinfo", "percpu", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "slabinfo", "through", NULL },
	{ KMA_CMD_STATIC, KMA_OPTION_EXCLUDES, "vmlinux", "kernel", NULL },
	{ KMA_CMD_STATIC, KMA_OPTION_EXCLUDES, "vmlinux", "image", NULL },
	{ KMA_CMD_STATIC, KMA_OPTION_EXCLUDES, "kernel-package", "kernel", NULL },
	{ KMA_CMD_STATIC, KMA_OPTION_EXCLUDES, "kernel-package", "vmlinux", NULL },
	{ KMA_CMD_STATIC, KMA_OPTION_EXCLUDES, "kernel-package", "image", NULL },
	{ KMA_CMD_STATIC, KMA_OPTION_NEEDS, "modules", "vmlinux", NULL },
	{ KMA_DRAWS, KMA_OPTION_NEEDS, "chart", "render", NULL },
	{ KMA_DRAWS | KMA_CMD_TIMELINE, KMA_OPTION_NEEDS, "theme", "render", NULL },
	{ KMA_DRAWS | KMA_CMD_TIMELINE, KMA_OPTION_NEEDS, "width", "render", NULL },
	{ KMA_DRAWS | KMA_CMD_TIMELINE, KMA_OPTION_NEEDS, "title", "render", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_NEEDS, "samples", "workload", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_NEEDS, "probe", "workload", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "workload", "interval", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "workload", "from", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "workload", "to", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "prometheus", "workload", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "prometheus", "interval", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_NEEDS, "match", "prometheus", NULL },
};

const size_t kma_command_nr_rules = ARRAY_SIZE(kma_command_rules);
