/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot-text.h - snapshots of DB files as text: a list of many, or all data of one snapshot
 * except its sites.
 */
#ifndef KMA_CLI_SNAPSHOT_TEXT_H
#define KMA_CLI_SNAPSHOT_TEXT_H

#include "db/snapshot.h"
#include "lib/doc.h"
#include "model/account.h"

/**
 * kma_snapshot_list() - write a list of snapshots
 * @list: the snapshots
 * @nr: how many
 * @format: how
 * @doc: zeroed, but for its options
 * @out: appended to
 */
void kma_snapshot_list(const struct kma_snapshot *list, size_t nr, enum kma_format format,
		       struct kma_doc *doc, struct kma_strbuf *out);

/**
 * kma_snapshot_show() - write all that is known of one snapshot but its sites
 * @snapshot: the snapshot
 * @account: its account
 * @format: how
 * @doc: zeroed, but for its options
 * @out: appended to
 */
void kma_snapshot_show(const struct kma_snapshot *snapshot, const struct kma_account *account,
		       enum kma_format format, struct kma_doc *doc, struct kma_strbuf *out);

#endif /* KMA_CLI_SNAPSHOT_TEXT_H */
