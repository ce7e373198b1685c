/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * procfs.h - /proc/kmem_account: read for the account, written for commands. access.h
 * has the permissions.
 */
#ifndef KMA_PROCFS_H
#define KMA_PROCFS_H

/*
 * @sort is the sort key of reports, read when the file is opened; @command runs a command that was
 * written, and the write returns its error. Returns 0 or -ENOMEM.
 */
int kma_procfs_init(const unsigned int *sort, int (*command)(const char *command));

/* Remove the file, and wait for calls in progress. */
void kma_procfs_deinit(void);

#endif /* KMA_PROCFS_H */
