/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sites.h - the table of debugfs' sites, as a file or as a section of another one.
 */
#ifndef KMA_READER_SITES_H
#define KMA_READER_SITES_H

#include "input/cursor.h"
#include "model/account.h"

#define KMA_SECTION "== " /* begins the line before a section of debugfs' snapshot */

/**
 * kma_sites_table() - read the table into an account
 * @cur: stands before its first line. Afterwards it stands on the line that begins the next
 *	section, or at the end of the input
 * @account: empty, will not be finished
 *
 * Return: NULL, or an error that names file and line.
 */
struct kma_err *kma_sites_table(struct kma_cursor *cur, struct kma_account *account);

#endif /* KMA_READER_SITES_H */
