// SPDX-License-Identifier: GPL-2.0-only
/*
 * stats.c - reader of debugfs' kmem_account/stats as a section of a snapshot: lines "key: value",
 * whose keys are in Documentation/ABI/testing/debugfs-kmem_account. Only losses are read. Frees of
 * unknown objects are not read here, because section sites has them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/modtable.h"
#include "lib/cleanup.h"
#include "sites.h"
#include "stats.h"

/* Lines whose key begins with this text count as a loss. A loss is the sum of its lines. */
static const struct {
	const char *key;
	enum kma_loss_id id;
} kma_stats_losses[] = {
	{ "implied frees", KMA_LOSS_IMPLIED_FREES },
	{ "not recorded ", KMA_LOSS_NOT_RECORDED },
};

static struct kma_err *kma_stats_add(struct kma_cursor *cur, enum kma_loss_id id,
				     struct kma_account *account)
{
	const char *colon = strstr(cur->text, ": ");
	uint64_t events = 0, sum;
	char *end;

	errno = 0;
	sum = colon ? strtoull(colon + 2, &end, 10) : 0;
	if (!colon || errno || *end || colon[2] < '0' || colon[2] > '9')
		return kma_cursor_error(cur, "expected 'KEY: ' and a decimal number");
	kma_account_loss(account, id, &events);
	if (__builtin_add_overflow(sum, events, &sum))
		return kma_cursor_error(cur, "the number of events exceeds 64 bits");
	kma_account_set_loss(account, id, sum);
	return NULL;
}

static struct kma_err *kma_stats_line(struct kma_cursor *cur, struct kma_account *account)
{
	struct kma_err *err = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(kma_stats_losses) && !err; i++)
		if (!strncmp(cur->text, kma_stats_losses[i].key, strlen(kma_stats_losses[i].key)))
			err = kma_stats_add(cur, kma_stats_losses[i].id, account);
	return err;
}

struct kma_err *kma_stats_section(struct kma_cursor *cur, struct kma_account *account)
{
	struct kma_err *err;
	bool more;

	for (;;) {
		err = kma_cursor_next(cur, &more);
		if (!err && (!more || cur->cut))
			err = kma_cursor_error(cur, "truncated: no line '" KMA_SECTION "end'");
		if (err || !strncmp(cur->text, KMA_SECTION, strlen(KMA_SECTION)))
			return err;
		err = kma_stats_line(cur, account);
		if (err)
			return err;
	}
}
