/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * task-scan.h - the existing tasks and their cgroups, from /proc.
 */
#ifndef KMA_RECORD_TASK_SCAN_H
#define KMA_RECORD_TASK_SCAN_H

#include "task-lines.h"

/**
 * kma_task_scan() - add a line for each thread of the machine
 * @root: where /proc is: "" for this machine
 * @lines: the lines
 *
 * A thread that ends during the scan is left out.
 */
void kma_task_scan(const char *root, struct kma_task_lines *lines);

/**
 * kma_task_scan_cgroup() - get the cgroup of a task
 * @root: as for kma_task_scan()
 * @tid: number of the thread
 * @lines: the lines
 *
 * Return: number of the cgroup, see kma_task_lines_cgroup(); 0 if the task has ended.
 */
size_t kma_task_scan_cgroup(const char *root, uint32_t tid, struct kma_task_lines *lines);

/**
 * kma_task_scan_hierarchy() - get the hierarchy of cgroups that is recorded
 * @root: as for kma_task_scan()
 *
 * This is the one of the memory controller of version 1 if it is in use, otherwise version 2.
 *
 * Return: its number, as in /proc/self/cgroup; 0 for version 2.
 */
unsigned int kma_task_scan_hierarchy(const char *root);

#endif /* KMA_RECORD_TASK_SCAN_H */
