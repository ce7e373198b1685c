// SPDX-License-Identifier: GPL-2.0
/*
 * loaded.c - a loaded account: its parts and what is known of its kernel.
 */
#include "db/snapshot.h"
#include "loaded.h"
#include "model/account.h"
#include "tree/maintainers.h"
#include "tree/node.h"

void kma_unload(struct kma_loaded *loaded)
{
	kma_node_destroy(loaded->root);
	kma_maintainers_destroy(loaded->maintainers);
	kma_source_destroy(loaded->source);
	kma_account_destroy(loaded->account);
	kma_account_destroy(loaded->whole);
	kma_snapshot_deinit(&loaded->snapshot);
}

const char *kma_release(const struct kma_loaded *loaded)
{
	const char *note = kma_account_note(loaded->account, KMA_NOTE_RELEASE);

	if (note)
		return note;
	return loaded->source && loaded->source->release ? loaded->source->release : "";
}

const char *kma_build_id(const struct kma_loaded *loaded)
{
	const char *note = kma_account_note(loaded->account, KMA_NOTE_BUILD_ID);

	if (note)
		return note;
	return loaded->source && loaded->source->build_id ? loaded->source->build_id : "";
}

enum kma_metric_id kma_default_attr(const struct kma_loaded *loaded)
{
	unsigned int have = kma_account_metrics(loaded->account);

	return have ? __builtin_ctz(have) : KMA_CURRENT;
}
