/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * leaks-scan.h - a file of a scan of the heap as evidence for the verdicts of leaks.
 *
 * Locking: none.
 */
#ifndef KMA_CLI_LEAKS_SCAN_H
#define KMA_CLI_LEAKS_SCAN_H

#include "heap/scan.h"
#include "leaks-text.h"
#include "model/account.h"

/*
 * Objects of a slab cache that may be lost, and no leak: at boot the kernel forgets the headers of
 * empty tables of sysctl, which are in caches of kmalloc() (kmemleak is told so).
 */
#define KMA_LEAKS_AT_BOOT 64

/*
 * Corrects the verdicts of the judged rows, sorted by caller, by what @scan has found. @caches: the
 * rows are slab caches, and the scan has objects of unknown call sites. @path is the file of the
 * scan, which has to be of the boot of the newest account; NULL: the scan was just made on this
 * machine. It is an error if the scan has no row of the table.
 */
struct kma_err *kma_leaks_by_scan(const char *path, const struct kma_account *newest,
				  const struct kma_scan *scan, bool caches,
				  struct kma_leak_table *table);

/*
 * The same for a file, by call site: one with lost objects is a leak, whatever its samples say. The
 * reasons of all others name the root that holds most of their objects, or say that the scan does
 * not have them. Prints what the scan did not see.
 *
 * @newest is the newest account of the inputs. @scan is zeroed; it is freed with kma_scan_deinit()
 * after the last use of @table, also after an error: the file cannot be read, is damaged, is of
 * another kernel, boot or account, or has no call site of the inputs.
 */
struct kma_err *kma_leaks_scan(const char *path, const struct kma_account *newest,
			       struct kma_scan *scan, struct kma_leak_table *table);

#endif /* KMA_CLI_LEAKS_SCAN_H */
