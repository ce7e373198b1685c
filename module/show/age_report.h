/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * age_report.h - the debugfs file ages: lifetimes of each site, and its oldest live object.
 *
 * lifetime.h counts the lifetimes at each free. The oldest object is searched for when the
 * file is opened, by a walk over the live map. Events cannot keep it up to date: when the
 * oldest object is freed, they would have to find the next one.
 */
#ifndef KMA_AGE_REPORT_H
#define KMA_AGE_REPORT_H

#include <linux/fs.h>

/**
 * kma_age_report_open() - open the file ages, and walk the live map
 * @inode: inode of the file
 * @file: the file, of a reader that kma_access_open() has allowed
 *
 * Context: process, may sleep; if kma_births_on was ever set.
 * Return: 0 or a negative error.
 */
int kma_age_report_open(struct inode *inode, struct file *file);

/**
 * kma_age_report_release() - close the file ages
 * @inode: inode of the file
 * @file: the file, which kma_age_report_open() has opened
 *
 * Context: process, may sleep.
 * Return: 0.
 */
int kma_age_report_release(struct inode *inode, struct file *file);

#endif /* KMA_AGE_REPORT_H */
