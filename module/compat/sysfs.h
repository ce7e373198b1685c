/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sysfs.h - reads a binary file of sysfs.
 *
 * For caller/text.c alone.
 */
#ifndef KMA_COMPAT_SYSFS_H
#define KMA_COMPAT_SYSFS_H

#include <linux/sysfs.h>
#include <linux/types.h>

/**
 * kma_sysfs_read() - read the beginning of a binary file
 * @kobj: kobject of the file's directory
 * @attr: the file, which can be read and does not need to know who reads it
 * @buf: memory for the contents
 * @size: bytes to read, not more than the file has
 *
 * Context: process, may sleep.
 * Return: bytes read, or a negative error.
 */
static inline ssize_t kma_sysfs_read(struct kobject *kobj, struct bin_attribute *attr,
				     char *buf, size_t size)
{
#ifdef KMA_BIN_READ_NEW
	/*
	 * From v6.13 (commit eb2e6c3a8d66) to v6.17 a file has one of two functions. From v6.14
	 * (commit 3675a926feef) to v6.16 (commit 2fbe82037ab2) that of the notes is read_new.
	 */
	if (attr->read_new)
		return attr->read_new(NULL, kobj, attr, buf, 0, size);
#endif
	return attr->read(NULL, kobj, attr, buf, 0, size);
}

#endif /* KMA_COMPAT_SYSFS_H */
