/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debugfs.h - /sys/kernel/debug/kmem_account/: files for programs.
 */
#ifndef KMA_DEBUGFS_H
#define KMA_DEBUGFS_H

#ifdef CONFIG_DEBUG_FS
/**
 * kma_debugfs_init() - create the directory and its files
 *
 * Context: process, may sleep.
 */
void kma_debugfs_init(void);
#else
static inline void kma_debugfs_init(void)
{
}
#endif

#endif /* KMA_DEBUGFS_H */
