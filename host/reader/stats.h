/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stats.h - debugfs' kmem_account/stats as a section of a snapshot.
 */
#ifndef KMA_READER_STATS_H
#define KMA_READER_STATS_H

#include "input/cursor.h"
#include "model/account.h"

/**
 * kma_stats_section() - read the events that the module did not count
 * @cur: at the line that begins the section; afterwards at the line that begins the next one
 * @account: gets the losses that the section has lines for
 *
 * Return: NULL, or an error that names file and line.
 */
struct kma_err *kma_stats_section(struct kma_cursor *cur, struct kma_account *account);

#endif /* KMA_READER_STATS_H */
