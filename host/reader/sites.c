// SPDX-License-Identifier: GPL-2.0-only
/*
 * sites.c - reader of debugfs' kmem_account/sites.
 *
 * Documentation/ABI/testing/debugfs-kmem_account has the format: a line with name and version, a
 * line "# " that names the columns, and rows; one tab separates columns. Columns are found by name.
 * Unknown columns are ignored. A column that is missing, or has "-" in any row, makes its metric
 * absent.
 *
 * While stacks are on, a site has a row for each of its stacks. The account has their sum, and
 * keeps the stacks.
 *
 * A site's frees of unknown objects are added to its frees, as /proc/kmem_account does, so that the
 * two files give the same account.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/cursor.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "model/merge.h"
#include "reader.h"
#include "sites.h"

#define KMA_SITES_NAME	   "kmem_account sites "
#define KMA_SITES_VERSION  1
#define KMA_SITES_MAX_COLS 256

/* Columns that hold a metric. */
static const struct {
	const char *name;
	enum kma_metric_id metric;
} kma_sites_metrics[] = {
	{ "total", KMA_CURRENT }, { "slack", KMA_WASTE },	{ "req", KMA_REQUESTED },
	{ "allocs", KMA_ALLOCS }, { "frees", KMA_FREES },	{ "all_total", KMA_TOTAL },
	{ "peak", KMA_PEAK },	  { "remote_cpu", KMA_REMOTE },
};

/* Other columns that are used. */
enum {
	KMA_SITES_ID,
	KMA_SITES_UNKNOWN,
	KMA_SITES_KIND,
	KMA_SITES_CALLER,
	KMA_SITES_FILE,
	KMA_SITES_OFFSET,
	KMA_SITES_BUILD_ID,
	KMA_SITES_CACHE,
	KMA_SITES_STACK,
	KMA_SITES_NR_OTHERS
};

static const char *const kma_sites_others[KMA_SITES_NR_OTHERS] = {
	[KMA_SITES_ID] = "id",
	[KMA_SITES_UNKNOWN] = "unknown",
	[KMA_SITES_KIND] = "kind",
	[KMA_SITES_CALLER] = "caller",
	[KMA_SITES_FILE] = "file",
	[KMA_SITES_OFFSET] = "offset",
	[KMA_SITES_BUILD_ID] = "build_id",
	[KMA_SITES_CACHE] = "cache",
	[KMA_SITES_STACK] = "stack",
};

struct kma_sites {
	struct kma_cursor *cur;
	struct kma_merge *merge;
	struct kma_sites_ids *ids; /* NULL: not needed. Sites are numbers of @merge until the end */
	unsigned int nr_cols;
	int metric_col[ARRAY_SIZE(kma_sites_metrics)]; /* index of the column; -1: absent */
	int other_col[KMA_SITES_NR_OTHERS];	       /* the same */
	unsigned int have; /* metrics of all rows so far, bits 1 << enum kma_metric_id */
	uint64_t unknown;  /* frees of unknown objects, of all rows */
	char build_id[65]; /* build ID of the kernel, "" if unknown */
	char *cells[KMA_SITES_MAX_COLS];
};

/* Split the line at its tabs. */
static struct kma_err *sites_split(struct kma_sites *in, char *line, unsigned int *nr)
{
	for (*nr = 0; line; (*nr)++) {
		if (*nr == KMA_SITES_MAX_COLS)
			return kma_cursor_error(in->cur, "more than %d columns",
						KMA_SITES_MAX_COLS);
		in->cells[*nr] = strsep(&line, "\t");
	}
	return NULL;
}

static struct kma_err *sites_find(const struct kma_sites *in, const char *name, int *ret)
{
	*ret = -1;
	for (unsigned int i = 0; i < in->nr_cols; i++) {
		if (strcmp(in->cells[i], name))
			continue;
		if (*ret >= 0)
			return kma_cursor_error(in->cur, "column '%s' occurs twice", name);
		*ret = i;
	}
	return NULL;
}

static struct kma_err *sites_header(struct kma_sites *in)
{
	struct kma_err *err;
	const char *version;
	uint64_t number;
	bool more;

	err = kma_cursor_next(in->cur, &more);
	if (err)
		return err;
	if (in->cur->cut || strlen(in->cur->text) < strlen(KMA_SITES_NAME))
		return kma_cursor_error(in->cur, "truncated in the header");
	version = in->cur->text + strlen(KMA_SITES_NAME);
	err = kma_cursor_number(in->cur, &version, "the version", &number);
	if (err)
		return err;
	if (number != KMA_SITES_VERSION || *version)
		return kma_cursor_error(in->cur, "unsupported version '%.20s' (supported: %d)",
					in->cur->text + strlen(KMA_SITES_NAME), KMA_SITES_VERSION);
	return NULL;
}

static struct kma_err *sites_columns(struct kma_sites *in)
{
	struct kma_err *err;
	bool more;

	err = kma_cursor_next(in->cur, &more);
	if (err)
		return err;
	if (!more || in->cur->cut)
		return kma_cursor_error(in->cur,
					"truncated before the line with the names of the columns");
	if (strncmp(in->cur->text, "# ", 2))
		return kma_cursor_error(in->cur,
					"expected a line '# ' with the names of the columns");
	err = sites_split(in, in->cur->text + 2, &in->nr_cols);
	for (size_t i = 0; i < ARRAY_SIZE(kma_sites_metrics) && !err; i++) {
		err = sites_find(in, kma_sites_metrics[i].name, &in->metric_col[i]);
		if (in->metric_col[i] >= 0)
			in->have |= 1U << kma_sites_metrics[i].metric;
	}
	if (err)
		return err;
	for (size_t i = 0; i < KMA_SITES_NR_OTHERS; i++) {
		err = sites_find(in, kma_sites_others[i], &in->other_col[i]);
		if (err)
			return err;
	}
	if (in->other_col[KMA_SITES_CALLER] < 0)
		return kma_cursor_error(in->cur, "no column 'caller'");
	return NULL;
}

static struct kma_err *sites_number(const struct kma_sites *in, int col, const char *what,
				    uint64_t *ret)
{
	const char *p = in->cells[col];
	struct kma_err *err;

	err = kma_cursor_number(in->cur, &p, what, ret);
	if (err)
		return err;
	if (*p)
		return kma_cursor_error(in->cur, "%s is not a number", what);
	return NULL;
}

static enum kma_kind sites_kind(const struct kma_sites *in)
{
	int col = in->other_col[KMA_SITES_KIND];

	for (unsigned int kind = 0; kind < KMA_NR_KINDS && col >= 0; kind++)
		if (!strcmp(in->cells[col], kma_kind_names[kind]))
			return kind;
	return KMA_KIND_UNKNOWN;
}

/* Check what holds for every row, as far as the file has the columns. */
static struct kma_err *sites_check(const struct kma_sites *in, const struct kma_values *values)
{
	unsigned int sum = 1U << KMA_CURRENT | 1U << KMA_WASTE | 1U << KMA_REQUESTED;
	unsigned int pair = 1U << KMA_ALLOCS | 1U << KMA_FREES;

	if ((in->have & sum) == sum &&
	    (values->waste > values->current || values->current - values->waste != values->req))
		return kma_cursor_error(in->cur, "total is not slack + req");
	if ((in->have & pair) == pair && values->frees > values->allocs)
		return kma_cursor_error(in->cur, "the row has more frees than allocs");
	return NULL;
}

/* Text of a column, "" if the file does not have the column. */
static const char *sites_cell(const struct kma_sites *in, unsigned int which)
{
	return in->other_col[which] < 0 ? "" : in->cells[in->other_col[which]];
}

/* Each of the kernel's own rows contains the build ID of the kernel. */
static void sites_kernel(struct kma_sites *in)
{
	const char *build_id = sites_cell(in, KMA_SITES_BUILD_ID);

	if (!*in->build_id && !strcmp(sites_cell(in, KMA_SITES_FILE), "vmlinux") &&
	    !build_id[strspn(build_id, "0123456789abcdef")])
		snprintf(in->build_id, sizeof(in->build_id), "%s", build_id);
}

/* "dentry"; "kmalloc-64+" for a site that also has objects of other caches; "-" for none. */
static void sites_cache(struct kma_sites *in)
{
	int col = in->other_col[KMA_SITES_CACHE];
	char *cache = col < 0 ? NULL : in->cells[col];
	bool others;
	size_t len;

	if (!cache || !*cache || !strcmp(cache, "-"))
		return;
	len = strlen(cache);
	others = cache[len - 1] == '+';
	if (others)
		cache[len - 1] = '\0';
	kma_merge_set_cache(in->merge, cache, others);
}

static struct kma_err *sites_merge(struct kma_sites *in, const struct kma_values *values)
{
	const char *stack = sites_cell(in, KMA_SITES_STACK);
	struct kma_err *err;

	err = kma_merge_add_at(in->merge, sites_cell(in, KMA_SITES_CALLER),
			       sites_cell(in, KMA_SITES_BUILD_ID), sites_cell(in, KMA_SITES_OFFSET),
			       sites_kind(in), values);
	if (err)
		return err;
	sites_cache(in);
	if (*stack)
		kma_merge_add_stack(in->merge, stack, values);
	return NULL;
}

static struct kma_err *sites_keep_id(struct kma_sites *in, uint64_t unknown)
{
	struct kma_sites_ids *ids = in->ids;
	struct kma_err *err;
	uint64_t id;

	if (!ids || in->other_col[KMA_SITES_ID] < 0)
		return NULL;
	err = sites_number(in, in->other_col[KMA_SITES_ID], "id", &id);
	if (err)
		return err;
	kma_array_room(ids->list, ids->nr, ids->alloc);
	ids->list[ids->nr++] = (struct kma_sites_id){ .id = id,
						      .site = kma_merge_last(in->merge),
						      .unknown = unknown };
	return NULL;
}

static int cmp_sites_id(const void *a, const void *b)
{
	const struct kma_sites_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* Sort the numbers, and join those of a site that has several rows, one for each stack. */
static void sites_close_ids(const struct kma_sites *in)
{
	struct kma_sites_ids *ids = in->ids;
	size_t kept = 0;

	if (!ids || !ids->nr)
		return;
	qsort(ids->list, ids->nr, sizeof(*ids->list), cmp_sites_id);
	for (size_t i = 0; i < ids->nr; i++) {
		struct kma_sites_id *row = &ids->list[i];

		row->site = kma_merge_site(in->merge, row->site);
		if (kept && ids->list[kept - 1].id == row->id)
			ids->list[kept - 1].unknown += row->unknown;
		else
			ids->list[kept++] = *row;
	}
	ids->nr = kept;
}

const struct kma_sites_id *kma_sites_ids_find(const struct kma_sites_ids *ids, uint64_t id)
{
	const struct kma_sites_id key = { .id = id };

	if (!ids->nr)
		return NULL;
	return bsearch(&key, ids->list, ids->nr, sizeof(key), cmp_sites_id);
}

void kma_sites_ids_deinit(struct kma_sites_ids *ids)
{
	free(ids->list);
	*ids = (struct kma_sites_ids){ 0 };
}

static struct kma_err *sites_row(struct kma_sites *in)
{
	struct kma_values values = { 0 };
	uint64_t unknown = 0;
	struct kma_err *err;
	unsigned int nr;

	err = sites_split(in, in->cur->text, &nr);
	if (err)
		return err;
	if (nr != in->nr_cols)
		return kma_cursor_error(in->cur, "the row has %u columns (expected %u)", nr,
					in->nr_cols);
	for (size_t i = 0; i < ARRAY_SIZE(kma_sites_metrics) && !err; i++) {
		const char *name = kma_sites_metrics[i].name;
		enum kma_metric_id id = kma_sites_metrics[i].metric;
		int col = in->metric_col[i];
		uint64_t number;

		if (col >= 0 && !strcmp(in->cells[col], "-"))
			in->have &= ~(1U << id);
		if (!(in->have & 1U << id))
			continue;
		err = sites_number(in, col, name, &number);
		if (!err)
			kma_metrics[id].set(&values, number);
	}
	if (err)
		return err;
	if (in->other_col[KMA_SITES_UNKNOWN] >= 0)
		err = sites_number(in, in->other_col[KMA_SITES_UNKNOWN], "unknown", &unknown);
	if (err)
		return err;
	err = sites_check(in, &values);
	if (err)
		return err;
	values.objects = values.allocs - values.frees;
	if (__builtin_add_overflow(values.frees, unknown, &values.frees) ||
	    __builtin_add_overflow(in->unknown, unknown, &in->unknown))
		return kma_cursor_error(in->cur, "the sum of the frees exceeds 64 bits");
	if (!*in->cells[in->other_col[KMA_SITES_CALLER]])
		return kma_cursor_error(in->cur, "the row has no caller");
	sites_kernel(in);
	err = kma_cursor_place(in->cur, sites_merge(in, &values));
	return err ? err : sites_keep_id(in, unknown);
}

static struct kma_err *sites_rows(struct kma_sites *in)
{
	struct kma_err *err;
	bool more;

	for (;;) {
		err = kma_cursor_next(in->cur, &more);
		if (err || !more)
			return err;
		if (in->cur->cut)
			return kma_cursor_error(in->cur, "truncated in a row");
		if (!strncmp(in->cur->text, KMA_SECTION, strlen(KMA_SECTION)))
			return NULL;
		err = sites_row(in);
		if (err)
			return err;
	}
}

static struct kma_err *sites_close(struct kma_sites *in, struct kma_account *account)
{
	unsigned int pair = 1U << KMA_ALLOCS | 1U << KMA_FREES, have = in->have;
	struct kma_err *err;

	if ((have & pair) == pair)
		have |= 1U << KMA_OBJECTS;
	kma_account_set_metrics(account, have);
	if (in->other_col[KMA_SITES_UNKNOWN] >= 0)
		kma_account_set_loss(account, KMA_LOSS_UNKNOWN_FREES, in->unknown);
	err = kma_merge_close(in->merge, account);
	if (err)
		return err;
	sites_close_ids(in);
	if (*in->build_id)
		kma_account_put_note(account, KMA_NOTE_BUILD_ID, in->build_id);
	return NULL;
}

struct kma_err *kma_sites_table(struct kma_cursor *cur, struct kma_account *account,
				struct kma_sites_ids *ids)
{
	_cleanup_merge_ struct kma_merge *merge = kma_merge_create();
	struct kma_sites in = { .cur = cur, .ids = ids, .merge = merge };

	return sites_header(&in)	  ?:
		       sites_columns(&in) ?:
		       sites_rows(&in)	  ?:
					    sites_close(&in, account);
}

/* A file has no sections: kma_sites_table() would treat the start of one as the end of the file. */
static struct kma_err *sites_read(struct kma_input *input, struct kma_account *account)
{
	_cleanup_cursor_ struct kma_cursor cur;
	struct kma_err *err;

	kma_cursor_init(&cur, input);
	err = kma_sites_table(&cur, account, NULL);
	if (err)
		return err;
	if (!strncmp(cur.text ?: "", KMA_SECTION, strlen(KMA_SECTION)))
		err = kma_cursor_error(
			&cur,
			"found a section ('%s') in the table sites; only a snapshot has sections",
			KMA_SECTION);
	return err;
}

const struct kma_reader_ops kma_reader_sites = {
	.name = "debugfs' kmem_account/sites",
	.begins = KMA_SITES_NAME,
	.read = sites_read,
};
