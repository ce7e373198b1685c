/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * procfs.h - /proc/kmem_account: read for the account, written for commands. access.h
 * has the permissions.
 */
#ifndef KMA_PROCFS_H
#define KMA_PROCFS_H

/**
 * kma_procfs_init() - make the file
 * @sort: the sort key of reports, read when the file is opened
 * @command: runs a command that was written; the write returns its error
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int kma_procfs_init(const unsigned int *sort,
		    int (*command)(const char *command));

/* Remove the file, and wait for calls in progress. Context: process, may sleep. */
void kma_procfs_deinit(void);

#endif /* KMA_PROCFS_H */
