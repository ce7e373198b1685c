/* SPDX-License-Identifier: GPL-2.0 */
/*
 * latency_report.h - debugfs' latency: how long tasks waited for memory, and who asked for it.
 *
 * The file shows what was booked when it was opened (latency.h).
 */
#ifndef KMA_WAITS_H
#define KMA_WAITS_H

#include <linux/fs.h>

/* To be read if kma_latency_on. */
extern const struct file_operations kma_waits_fops;

#endif /* KMA_WAITS_H */
