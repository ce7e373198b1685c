// SPDX-License-Identifier: GPL-2.0-only
/*
 * option-rules.c - options that exclude or need each other.
 */
#include "lib/cleanup.h"
#include "option-rules.h"

/* Rules that reject options without effect: silence would suggest that they worked. */
const struct kma_option_rule kma_command_rules[] = {
	{ KMA_BOTH | KMA_READS | KMA_CMD_WHERE, KMA_OPTION_EXCLUDES, "file", KMA_OPTION_ARGUMENTS,
	  NULL },
	{ KMA_BOTH | KMA_CMD_WHERE, KMA_OPTION_EXCLUDES, "db-file", KMA_OPTION_ARGUMENTS, NULL },
	{ KMA_BOTH | KMA_CMD_WHERE, KMA_OPTION_EXCLUDES, "db-file", "file", NULL },
	{ KMA_KERNELS, KMA_OPTION_EXCLUDES, "kernel", "modules", NULL },
	{ KMA_KERNELS, KMA_OPTION_EXCLUDES, "kernel", "inlines", NULL },
	{ KMA_KERNELS, KMA_OPTION_NEEDS, "modules", "vmlinux", NULL },
	{ KMA_KERNELS, KMA_OPTION_NEEDS, "inlines", "vmlinux", NULL },
	{ KMA_KERNELS, KMA_OPTION_NEEDS, "force", "kernel", "vmlinux" },
	{ KMA_CMD_REPORT | KMA_CMD_STATIC | KMA_CMD_WHERE, KMA_OPTION_EXCLUDES, "all", "top",
	  NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_NEEDS, "slabinfo", "by", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_NEEDS, "slab", "by", NULL },
	/* Memory of other kinds would be shown as allocated before the account started. */
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "slabinfo", "malloc", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "slabinfo", "cache", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "slabinfo", "pages", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "slabinfo", "percpu", NULL },
	{ KMA_CMD_REPORT, KMA_OPTION_EXCLUDES, "slabinfo", "through", NULL },
	{ KMA_CMD_CHECK, KMA_OPTION_NEEDS, "btf", "kernel", NULL },
	{ KMA_CMD_CHECK, KMA_OPTION_EXCLUDES, "kernel", "file", NULL },
	{ KMA_CMD_CHECK, KMA_OPTION_EXCLUDES, "kernel", "top", NULL },
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
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "by", "workload", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "by", "prometheus", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "workload", "interval", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "workload", "from", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "workload", "to", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "prometheus", "workload", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "prometheus", "interval", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_NEEDS, "match", "prometheus", NULL },
	/* a scan has no cgroups, and its objects need not be of a workload */
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "scan", "by", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "scan", "workload", NULL },
	{ KMA_CMD_LEAKS, KMA_OPTION_EXCLUDES, "scan", "prometheus", NULL },
};

const size_t kma_command_nr_rules = ARRAY_SIZE(kma_command_rules);
