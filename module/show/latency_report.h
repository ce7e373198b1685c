/* SPDX-License-Identifier: GPL-2.0 */
/*
 * latency_report.h - debugfs' latency: how long tasks waited for memory, and who asked for it.
 *
 * The file shows what was booked when it was opened (latency.h).
 */
#ifndef KMA_LATENCY_REPORT_H
#define KMA_LATENCY_REPORT_H

#include <linux/fs.h>

/* To be read if kma_latency_on. */
extern const struct file_operations kma_latency_file_fops;

#endif /* KMA_LATENCY_REPORT_H */
