/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * task-scan.h - the existing tasks and their cgroups, from /proc.
 */
#ifndef KMA_RECORD_TASK_SCAN_H
#define KMA_RECORD_TASK_SCAN_H

#include "task-lines.h"

/*
 * Adds a line for each thread of the machine; one that ends during the scan is left out. /proc is
 * below @root, "" for this machine.
 */
void kma_task_scan(const char *root, struct kma_task_lines *lines);

/* The cgroup of a task, see kma_task_lines_cgroup(); 0 if the task has ended. */
size_t kma_task_scan_cgroup(const char *root, uint32_t tid, struct kma_task_lines *lines);

/*
 * The hierarchy of cgroups that is recorded, by its number in /proc/self/cgroup: that of the memory
 * controller of version 1 if it is in use, otherwise 0, version 2.
 */
unsigned int kma_task_scan_hierarchy(const char *root);

#endif /* KMA_RECORD_TASK_SCAN_H */
