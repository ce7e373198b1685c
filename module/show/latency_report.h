/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * latency_report.h - debugfs' latency: how long tasks waited for memory, and who asked for it.
 *
 * The file shows what was booked when it was opened (latency.h).
 */
#ifndef KMA_LATENCY_REPORT_H
#define KMA_LATENCY_REPORT_H

#include <linux/fs.h>

/**
 * kma_latency_file_open() - open the file latency: copy what is booked
 * @inode: of the file
 * @file: the file, of a reader that may read
 *
 * Context: process, may sleep; if kma_latency_on.
 * Return: 0 or a negative error.
 */
int kma_latency_file_open(struct inode *inode, struct file *file);

/**
 * kma_latency_file_release() - close the file latency
 * @inode: of the file
 * @file: the file, which kma_latency_file_open() has opened
 *
 * Context: process, may sleep.
 * Return: 0.
 */
int kma_latency_file_release(struct inode *inode, struct file *file);

#endif /* KMA_LATENCY_REPORT_H */
