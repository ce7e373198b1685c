/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot-text.h - write snapshots of DB files as documents: a list, or one snapshot.
 */
#ifndef KMA_CLI_SNAPSHOT_TEXT_H
#define KMA_CLI_SNAPSHOT_TEXT_H

#include "db/snapshot.h"
#include "lib/doc.h"
#include "model/account.h"

/**
 * kma_snapshot_list() - write a list of snapshots
 * @list: the snapshots
 * @nr: number of snapshots
 * @format: of the document
 * @doc: zeroed, except its options
 * @out: the document is appended
 */
void kma_snapshot_list(const struct kma_snapshot *list, size_t nr, enum kma_format format,
		       struct kma_doc *doc, struct kma_strbuf *out);

/**
 * kma_snapshot_show() - write all data of one snapshot except its call sites
 * @snapshot: the snapshot
 * @account: its account
 * @format: of the document
 * @doc: zeroed, except its options
 * @out: the document is appended
 */
void kma_snapshot_show(const struct kma_snapshot *snapshot, const struct kma_account *account,
		       enum kma_format format, struct kma_doc *doc, struct kma_strbuf *out);

#endif /* KMA_CLI_SNAPSHOT_TEXT_H */
