/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group_report.h - the debugfs files cgroups and nodes: what each site holds for each of them.
 *
 * Both files are sums of the classes by call site and group. Objects in no group are in the row
 * [before] of their site, so the rows of a site add up to the site.
 *
 * Locking: none of its own.
 */
#ifndef KMA_GROUP_REPORT_H
#define KMA_GROUP_REPORT_H

struct seq_file;

enum kma_group_by {
	KMA_BY_CGROUP,
	KMA_BY_NODE,
};

/*
 * Sum the classes and print a whole file. Context: process, may sleep; kma_serial_lock() is held.
 * Returns 0 or -ENOMEM.
 */
int kma_group_report_show(struct seq_file *m, enum kma_group_by by);

#endif /* KMA_GROUP_REPORT_H */
