// SPDX-License-Identifier: GPL-2.0-only
/*
 * snapshot.c - names and texts of snapshots.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshot.h"

struct kma_err *kma_db_ref_parse(const char *text, struct kma_db_ref *ret)
{
	const char *at = strrchr(text, '@');

	memset(ret, 0, sizeof(*ret));
	if (!at || at == text || strchr(at, '/') || !access(text, F_OK))
		at = NULL;
	if (at && !at[1])
		return kma_err_create(NULL, 0, "'%s': the label after '@' is empty", text);
	ret->path = strndup(text, at ? (size_t)(at - text) : strlen(text));
	if (at)
		ret->label = strdup(at + 1);
	return ret->path && (!at || ret->label) ? NULL : &kma_enomem;
}

void kma_db_ref_deinit(struct kma_db_ref *ref)
{
	free(ref->path);
	free(ref->label);
	memset(ref, 0, sizeof(*ref));
}

void kma_snapshot_deinit(struct kma_snapshot *snapshot)
{
	free(snapshot->label);
	free(snapshot->host);
	free(snapshot->input);
	free(snapshot->release);
	free(snapshot->build_id);
	memset(snapshot, 0, sizeof(*snapshot));
}
