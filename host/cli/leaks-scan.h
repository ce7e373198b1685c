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
 * Corrects the verdicts of the judged rows, sorted by caller, by what the scan in @path has found.
 * A call site with lost objects is a leak, whatever its samples say. The reasons of all others name
 * the root that holds most of their objects, or say that the scan does not have them.
 *
 * @newest is the newest account of the inputs. @scan is zeroed; it is freed with kma_scan_deinit()
 * after the last use of @table, also after an error: the file cannot be read, is damaged, is of
 * another kernel, boot or account, or has no call site of the inputs.
 */
struct kma_err *kma_leaks_scan(const char *path, const struct kma_account *newest,
			       struct kma_scan *scan, struct kma_leak_table *table);

#endif /* KMA_CLI_LEAKS_SCAN_H */
