/* SPDX-License-Identifier: GPL-2.0 */
/*
 * age_report.h - debugfs' ages: lifetimes of each site, and its oldest live object.
 *
 * The lifetimes are counted by lifetime.h, free by free. Which object is the oldest is
 * looked for when the file is opened, by a walk over the live map: an event that
 * kept it up to date would have to find the next one when the oldest goes.
 */
#ifndef KMA_AGES_H
#define KMA_AGES_H

#include <linux/fs.h>

/* For debugfs.c, if kma_age_on. */
extern const struct file_operations kma_ages_fops;

#endif /* KMA_AGES_H */
