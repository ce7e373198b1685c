/* SPDX-License-Identifier: GPL-2.0 */
/*
 * snapshot-text.h - snapshots of DB files as text: many as a list, one in all that is
 * known of it but its sites.
 */
#ifndef KMA_CLI_SNAPSHOT_TEXT_H
#define KMA_CLI_SNAPSHOT_TEXT_H

#include "db/snapshot.h"
#include "lib/format.h"
#include "lib/strbuf.h"
#include "model/account.h"

struct kma_snapshot_format {
	/* Appends a list; bytes: as below. */
	void (*list)(const struct kma_snapshot *list, size_t nr, bool bytes,
		     struct kma_strbuf *out);
	/* Appends one snapshot; bytes: a table has plain numbers, no KiB. */
	void (*show)(const struct kma_snapshot *snapshot, const struct kma_account *account,
		     bool bytes, struct kma_strbuf *out);
};

/* By enum kma_format. */
extern const struct kma_snapshot_format kma_snapshot_formats[KMA_NR_FORMATS];

#endif /* KMA_CLI_SNAPSHOT_TEXT_H */
