/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * module-files.h - the files of the loaded module, which Documentation/ABI describes.
 */
#ifndef KMA_LIB_MODULE_FILES_H
#define KMA_LIB_MODULE_FILES_H

#define KMA_FILE_ACCOUNT  "/proc/kmem_account"
#define KMA_FILE_SITES	  "/sys/kernel/debug/kmem_account/sites"
#define KMA_FILE_SNAPSHOT "/sys/kernel/debug/kmem_account/snapshot"
#define KMA_FILE_LIVE	  "/sys/kernel/debug/kmem_account/live"
#define KMA_FILE_STATS	  "/sys/kernel/debug/kmem_account/stats"

#endif /* KMA_LIB_MODULE_FILES_H */
