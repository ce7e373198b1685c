/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot-text.h - write snapshots of DB files as documents: a list, or one snapshot.
 */
#ifndef KMA_CLI_SNAPSHOT_TEXT_H
#define KMA_CLI_SNAPSHOT_TEXT_H

#include "store/snapshot.h"
#include "lib/doc.h"
#include "model/account.h"

/* Write a list of snapshots, and end the document. */
void kma_snapshot_list(const struct kma_snapshot *list, size_t nr, struct kma_doc *doc);

/* Write all data of one snapshot except its call sites, and end the document. */
void kma_snapshot_show(const struct kma_snapshot *snapshot, const struct kma_account *account,
		       struct kma_doc *doc);

#endif /* KMA_CLI_SNAPSHOT_TEXT_H */
