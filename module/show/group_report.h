/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group_report.h - debugfs' cgroups and nodes: what call sites hold for each cgroup or node.
 *
 * Both files are sums of the classes by call site and group. Objects of no group are the row
 * [before] of their site, so the rows of a site add up to it.
 *
 * Locking: none of its own.
 */
#ifndef KMA_GROUP_REPORT_H
#define KMA_GROUP_REPORT_H

struct seq_file;

/**
 * enum kma_group_by - what the rows of a site are by
 * @KMA_BY_CGROUP: by cgroup
 * @KMA_BY_NODE: by node
 */
enum kma_group_by {
	KMA_BY_CGROUP,
	KMA_BY_NODE,
};

/**
 * kma_group_report_show() - sum the classes and print all of a file
 * @m: where to
 * @by: what the rows are by
 *
 * Context: process, may sleep; kma_serial_lock() is held.
 * Return: 0 or -ENOMEM.
 */
int kma_group_report_show(struct seq_file *m, enum kma_group_by by);

#endif /* KMA_GROUP_REPORT_H */
