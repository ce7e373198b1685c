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

/*
 * Reads the table into an empty account, which is not finished here. @cur is before the first line;
 * afterwards it is at the line that begins the next section, or at the end of the input. @ids gets
 * the numbers of the call sites, and needs kma_sites_ids_deinit() also after an error; NULL: not
 * needed.
 */
struct kma_err *kma_sites_table(struct kma_cursor *cur, struct kma_account *account,
				struct kma_sites_ids *ids);

/* NULL if the table does not have the number. */
const struct kma_sites_id *kma_sites_ids_find(const struct kma_sites_ids *ids, uint64_t id);

void kma_sites_ids_deinit(struct kma_sites_ids *ids);

#endif /* KMA_READER_SITES_H */
