/* SPDX-License-Identifier: GPL-2.0-only */
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

/**
 * kma_ages_open() - open the file ages: walk over the live map
 * @inode: of the file
 * @file: the file, of a reader that may read
 *
 * Context: process, may sleep; if kma_births_on was ever set.
 * Return: 0 or a negative error.
 */
int kma_ages_open(struct inode *inode, struct file *file);

/**
 * kma_ages_release() - close the file ages
 * @inode: of the file
 * @file: the file, which kma_ages_open() has opened
 *
 * Context: process, may sleep.
 * Return: 0.
 */
int kma_ages_release(struct inode *inode, struct file *file);

#endif /* KMA_AGES_H */
