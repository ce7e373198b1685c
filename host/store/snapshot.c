// SPDX-License-Identifier: GPL-2.0-only
/*
 * snapshot.c - the data and names of snapshots; recognise DB files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "snapshot.h"

static const char kma_db_magic[KMA_DB_MAGIC_LEN] = "SQLite format 3";

struct kma_err *kma_db_ref_parse(const char *text, struct kma_db_ref *ret)
{
	const char *at = strrchr(text, '@');

	memset(ret, 0, sizeof(*ret));
	if (!at || at == text || strchr(at, '/') || !access(text, F_OK))
		at = NULL;
	if (at && !at[1])
		return kma_err_create(NULL, 0, "'%s': the label after '@' is empty", text);
	ret->path = kma_xstrndup(text, at ? (size_t)(at - text) : strlen(text));
	if (at)
		ret->label = kma_xstrdup(at + 1);
	return NULL;
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

bool kma_db_probe(const char *head, size_t len)
{
	return len >= sizeof(kma_db_magic) && !memcmp(head, kma_db_magic, sizeof(kma_db_magic));
}

bool kma_db_is_file(const char *path)
{
	_cleanup_fclose_ FILE *f = NULL;
	char head[sizeof(kma_db_magic)];

	/* Not of a pipe: reading would consume its data. */
	kma_err_destroy(kma_file_stream(path, KMA_FILE_REGULAR, &f));
	return f && kma_db_probe(head, fread(head, 1, sizeof(head), f));
}
