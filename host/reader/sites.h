/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sites.h - the table of debugfs' sites, as a file or as a section of another one.
 */
#ifndef KMA_READER_SITES_H
#define KMA_READER_SITES_H

#include "input/cursor.h"
#include "model/account.h"

#define KMA_SECTION "== " /* begins the line before a section of debugfs' snapshot */

/* The number that a call site has in files of the module, for tables that refer to it. */
struct kma_sites_id {
	uint64_t id;
	size_t site;	  /* in the account */
	uint64_t unknown; /* frees of unknown objects, which are in the site's frees */
};

struct kma_sites_ids {
	struct kma_sites_id *list; /* by id, each once */
	size_t nr, alloc;
};

/**
 * kma_sites_table() - read the table into an account
 * @cur: stands before its first line. Afterwards it stands on the line that begins the next
 *	section, or at the end of the input
 * @account: empty, will not be finished
 * @ids: set to the numbers of the call sites, also after an error; to be freed with
 *	kma_sites_ids_deinit(). NULL: they are not wanted
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
 * Return: the call site, or NULL: the table has none of that number.
 */
const struct kma_sites_id *kma_sites_ids_find(const struct kma_sites_ids *ids, uint64_t id);

/**
 * kma_sites_ids_deinit() - free the numbers
 * @ids: from kma_sites_table(), or zero
 */
void kma_sites_ids_deinit(struct kma_sites_ids *ids);

#endif /* KMA_READER_SITES_H */
