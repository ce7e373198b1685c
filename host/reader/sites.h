/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sites.h - the table of debugfs' sites, as a file or as a section of a snapshot.
 */
#ifndef KMA_READER_SITES_H
#define KMA_READER_SITES_H

#include "input/cursor.h"
#include "model/account.h"

#define KMA_SECTION "== " /* start of the line before a section of a snapshot */

/* The number that the module's files have for a call site; other tables refer to it. */
struct kma_sites_id {
	uint64_t id;
	size_t site;	  /* index in the account */
	uint64_t unknown; /* frees of unknown objects, which are part of the site's frees */
};

struct kma_sites_ids {
	struct kma_sites_id *list; /* sorted by id, each id once */
	size_t nr, alloc;
};

/**
 * kma_sites_table() - read the table into an account
 * @cur: before the first line of the table; afterwards at the line that begins the next section, or
 *	at the end of the input
 * @account: empty; is not finished here
 * @ids: numbers of the call sites, for kma_sites_ids_deinit(), also after an error; NULL: not
 *	needed
 *
 * Return: NULL, or an error that names file and line.
 */
struct kma_err *kma_sites_table(struct kma_cursor *cur, struct kma_account *account,
				struct kma_sites_ids *ids);

/**
 * kma_sites_ids_find() - find a call site by its number
 * @ids: from kma_sites_table()
 * @id: the number
 *
 * Return: the call site, or NULL if the table does not have the number.
 */
const struct kma_sites_id *kma_sites_ids_find(const struct kma_sites_ids *ids, uint64_t id);

/**
 * kma_sites_ids_deinit() - free the numbers
 * @ids: from kma_sites_table(), or zeroed
 */
void kma_sites_ids_deinit(struct kma_sites_ids *ids);

#endif /* KMA_READER_SITES_H */
