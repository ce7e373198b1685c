/* SPDX-License-Identifier: GPL-2.0 */
/*
 * snapshot-text.h - snapshots of DB files as text: many as a list, one in all that is
 * known of it but its sites.
 */
#ifndef KMA_CLI_SNAPSHOT_TEXT_H
#define KMA_CLI_SNAPSHOT_TEXT_H

#include "db/snapshot.h"
#include "lib/strbuf.h"
#include "model/account.h"

struct kma_snapshot_format {
	const char *name; /* as --format has it */
	/* Appends a list; bytes: as below. */
	void (*list)(const struct kma_snapshot *list, size_t nr, bool bytes,
		     struct kma_strbuf *out);
	/* Appends one snapshot; bytes: a table has plain numbers, no KiB. */
	void (*show)(const struct kma_snapshot *snapshot, const struct kma_account *account,
		     bool bytes, struct kma_strbuf *out);
};

/**
 * kma_snapshot_format_find() - choose a format by its name
 * @name: "table", "csv", "json"; NULL is the table
 *
 * Return: the format, NULL when there is none of that name.
 */
const struct kma_snapshot_format *kma_snapshot_format_find(const char *name);

#endif /* KMA_CLI_SNAPSHOT_TEXT_H */
