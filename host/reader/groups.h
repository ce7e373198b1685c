/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * groups.h - the tables of debugfs' cgroups and nodes, as sections of a snapshot.
 */
#ifndef KMA_READER_GROUPS_H
#define KMA_READER_GROUPS_H

#include "sites.h"

/**
 * kma_groups_section() - read a table of groups into an account
 * @cur: before the first line of the table; afterwards at the line that begins the next section
 * @by: which table
 * @ids: numbers of the call sites of @account
 * @account: has its sites; gets their numbers for each group
 *
 * Return: NULL, or an error that names file and line.
 */
struct kma_err *kma_groups_section(struct kma_cursor *cur, enum kma_grouped by,
				   const struct kma_sites_ids *ids, struct kma_account *account);

#endif /* KMA_READER_GROUPS_H */
