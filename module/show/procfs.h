/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * procfs.h - /proc/kmem_account: read for the account, written for commands. access.h
 * says who may.
 */
#ifndef KMA_PROCFS_H
#define KMA_PROCFS_H

/**
 * kma_procfs_init() - make the file
 * @sort: the sort key of the reports, read whenever the file is opened
 * @command: does what was written; its error is that of the write
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int kma_procfs_init(const unsigned int *sort,
		    int (*command)(const char *command));

/**
 * kma_procfs_deinit() - remove the file; waits for calls that are under way
 *
 * Context: process, may sleep.
 */
void kma_procfs_deinit(void);

#endif /* KMA_PROCFS_H */
