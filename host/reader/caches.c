// SPDX-License-Identifier: GPL-2.0-only
/*
 * caches.c - reader of debugfs' kmem_account/caches: live objects by slab cache.
 *
 * Documentation/ABI/testing/debugfs-kmem_account has the format (tabs.h). The file has no call
 * sites: each cache is a row of the account.
 */
#include <string.h>

#include "tabs.h"
#include "lib/cleanup.h"
#include "reader.h"

#define KMA_CACHES_NAME	   "kmem_account caches "
#define KMA_CACHES_VERSION 1
#define KMA_CACHES_UNKNOWN "[unknown]"

/* Columns that hold a metric. */
static const struct {
	const char *name;
	enum kma_metric_id metric;
} kma_caches_metrics[] = {
	{ "total", KMA_CURRENT },
	{ "slack", KMA_WASTE },
	{ "req", KMA_REQUESTED },
	{ "objects", KMA_OBJECTS },
};

struct kma_caches {
	struct kma_account *account;
	struct kma_tabs in;
	int metric_col[ARRAY_SIZE(kma_caches_metrics)]; /* index of the column; -1: absent */
	int name_col;
};

static struct kma_err *caches_header(struct kma_caches *c)
{
	struct kma_err *err = kma_tabs_header(&c->in, KMA_CACHES_NAME, KMA_CACHES_VERSION);

	if (err)
		return err;
	for (size_t i = 0; i < ARRAY_SIZE(kma_caches_metrics); i++)
		c->metric_col[i] = kma_tabs_find(&c->in, kma_caches_metrics[i].name);
	c->name_col = kma_tabs_find(&c->in, "cache");
	if (c->name_col < 0)
		return kma_cursor_error(&c->in.cur, "no column 'cache'");
	return NULL;
}

static struct kma_err *caches_row(void *arg)
{
	struct kma_caches *c = arg;
	struct kma_account *account = c->account;
	struct kma_err *err = kma_tabs_row(&c->in);
	struct kma_values values = { 0 };
	const char *name;

	for (size_t i = 0; i < ARRAY_SIZE(kma_caches_metrics) && !err; i++) {
		uint64_t number;

		if (c->metric_col[i] < 0)
			continue;
		err = kma_tabs_number(&c->in, c->metric_col[i], kma_caches_metrics[i].name,
				      &number);
		if (!err)
			kma_metrics[kma_caches_metrics[i].metric].set(&values, number);
	}
	if (err)
		return err;
	/* "-" is a cache whose name cannot be read. */
	name = c->in.cells[c->name_col];
	name = strcmp(name, "-") ? name : KMA_CACHES_UNKNOWN;
	if (!*name)
		return kma_cursor_error(&c->in.cur, "the row has no cache");
	err = kma_account_add_site(account, name, strlen(name), &values);
	if (!err)
		kma_account_set_cache(account, name, false);
	return kma_cursor_place(&c->in.cur, err);
}

static struct kma_err *caches_rows(struct kma_caches *c)
{
	unsigned int have = 0;
	struct kma_err *err;

	c->in.cur.rows = true;
	err = kma_cursor_each(&c->in.cur, caches_row, c);
	for (size_t i = 0; i < ARRAY_SIZE(kma_caches_metrics); i++)
		if (c->metric_col[i] >= 0)
			have |= 1U << kma_caches_metrics[i].metric;
	kma_account_set_metrics(c->account, have);
	return err;
}

static struct kma_err *caches_read(struct kma_input *input, struct kma_account *account)
{
	struct kma_caches caches = { .account = account };
	struct kma_err *err;

	kma_cursor_init(&caches.in.cur, input);
	err = caches_header(&caches);
	if (!err)
		err = caches_rows(&caches);
	kma_cursor_deinit(&caches.in.cur);
	return err;
}

const struct kma_reader_ops kma_reader_caches = {
	.name = "debugfs' kmem_account/caches",
	.begins = KMA_CACHES_NAME,
	.read = caches_read,
};
