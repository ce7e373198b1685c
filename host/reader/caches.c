// SPDX-License-Identifier: GPL-2.0-only
/*
 * caches.c - reader of debugfs' kmem_account/caches: live objects by slab cache.
 *
 * Documentation/ABI/testing/debugfs-kmem_account has the format: a line with name and version, a
 * line "# " that names the columns, rows; one tab between columns. Columns are found by name. A
 * row is a cache, which the account has as a named site: no call sites are in this file.
 */
#include <string.h>

#include "input/cursor.h"
#include "lib/cleanup.h"
#include "reader.h"

#define KMA_CACHES_NAME	    "kmem_account caches "
#define KMA_CACHES_VERSION  1
#define KMA_CACHES_MAX_COLS 64
#define KMA_CACHES_UNKNOWN  "[unknown]"

/* Columns that are a metric. */
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
	struct kma_cursor cur;
	unsigned int nr_cols;
	int metric_col[ARRAY_SIZE(kma_caches_metrics)]; /* -1: not there */
	int name_col;
	char *cells[KMA_CACHES_MAX_COLS];
};

/* Cuts the line at its tabs. */
static struct kma_err *kma_caches_split(struct kma_caches *in, char *line, unsigned int *nr)
{
	for (*nr = 0; line; (*nr)++) {
		if (*nr == KMA_CACHES_MAX_COLS)
			return kma_cursor_error(&in->cur, "more than %d columns",
						KMA_CACHES_MAX_COLS);
		in->cells[*nr] = strsep(&line, "\t");
	}
	return NULL;
}

static int kma_caches_find(const struct kma_caches *in, const char *name)
{
	for (unsigned int i = 0; i < in->nr_cols; i++)
		if (!strcmp(in->cells[i], name))
			return i;
	return -1;
}

/* The next line, which has to be there. */
static struct kma_err *kma_caches_line(struct kma_caches *in, const char *what)
{
	struct kma_err *err;
	bool more;

	err = kma_cursor_next(&in->cur, &more);
	if (!err && (!more || in->cur.cut))
		return kma_cursor_error(&in->cur, "truncated in %s", what);
	return err;
}

static struct kma_err *kma_caches_header(struct kma_caches *in)
{
	struct kma_err *err;
	const char *version;
	uint64_t number;

	err = kma_caches_line(in, "the header");
	if (err)
		return err;
	version = in->cur.text + strlen(KMA_CACHES_NAME);
	err = kma_cursor_number(&in->cur, &version, "the version", &number);
	if (!err && (number != KMA_CACHES_VERSION || *version))
		return kma_cursor_error(&in->cur, "unsupported version '%.20s' (supported: %d)",
					in->cur.text + strlen(KMA_CACHES_NAME), KMA_CACHES_VERSION);
	if (!err)
		err = kma_caches_line(in, "the names of the columns");
	if (err)
		return err;
	if (strncmp(in->cur.text, "# ", 2))
		return kma_cursor_error(&in->cur, "expected '# ' and the names of the columns");
	err = kma_caches_split(in, in->cur.text + 2, &in->nr_cols);
	if (err)
		return err;
	for (size_t i = 0; i < ARRAY_SIZE(kma_caches_metrics); i++)
		in->metric_col[i] = kma_caches_find(in, kma_caches_metrics[i].name);
	in->name_col = kma_caches_find(in, "cache");
	if (in->name_col < 0)
		return kma_cursor_error(&in->cur, "no column 'cache'");
	return NULL;
}

static struct kma_err *kma_caches_row(struct kma_caches *in, struct kma_account *account)
{
	struct kma_values values = { 0 };
	struct kma_err *err;
	const char *name;
	unsigned int nr;

	err = kma_caches_split(in, in->cur.text, &nr);
	if (!err && nr != in->nr_cols)
		return kma_cursor_error(&in->cur, "the row has %u columns of %u", nr, in->nr_cols);
	for (size_t i = 0; i < ARRAY_SIZE(kma_caches_metrics) && !err; i++) {
		const char *p = in->metric_col[i] < 0 ? NULL : in->cells[in->metric_col[i]];
		uint64_t number;

		if (!p)
			continue;
		err = kma_cursor_number(&in->cur, &p, kma_caches_metrics[i].name, &number);
		if (!err && *p)
			return kma_cursor_error(&in->cur, "invalid number in column '%s'",
						kma_caches_metrics[i].name);
		if (!err)
			kma_metrics[kma_caches_metrics[i].metric].set(&values, number);
	}
	if (err)
		return err;
	/* "-" is a cache whose name cannot be read. */
	name = strcmp(in->cells[in->name_col], "-") ? in->cells[in->name_col] : KMA_CACHES_UNKNOWN;
	if (!*name)
		return kma_cursor_error(&in->cur, "the row has no cache");
	err = kma_account_add_site(account, name, strlen(name), &values);
	if (!err)
		err = kma_account_set_cache(account, name, false);
	return kma_cursor_place(&in->cur, err);
}

static struct kma_err *kma_caches_rows(struct kma_caches *in, struct kma_account *account)
{
	unsigned int have = 0;
	struct kma_err *err;
	bool more;

	for (;;) {
		err = kma_cursor_next(&in->cur, &more);
		if (err || !more)
			break;
		if (in->cur.cut)
			return kma_cursor_error(&in->cur, "truncated in a row");
		err = kma_caches_row(in, account);
		if (err)
			return err;
	}
	for (size_t i = 0; i < ARRAY_SIZE(kma_caches_metrics); i++)
		if (in->metric_col[i] >= 0)
			have |= 1U << kma_caches_metrics[i].metric;
	kma_account_set_metrics(account, have);
	return err;
}

static bool kma_caches_probe(const char *head, size_t len)
{
	size_t name = strlen(KMA_CACHES_NAME);

	return len >= name && !memcmp(head, KMA_CACHES_NAME, name);
}

static struct kma_err *kma_caches_read(struct kma_input *input, struct kma_account *account)
{
	struct kma_caches in = { 0 };
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	err = kma_caches_header(&in);
	if (!err)
		err = kma_caches_rows(&in, account);
	kma_cursor_deinit(&in.cur);
	return err;
}

const struct kma_reader_ops kma_reader_caches = {
	.name = "debugfs' kmem_account/caches",
	.probe = kma_caches_probe,
	.read = kma_caches_read,
};
