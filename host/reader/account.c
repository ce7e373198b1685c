// SPDX-License-Identifier: GPL-2.0-only
/*
 * account.c - reader of /proc/kmem_account, and of the older /proc/slab_accounting, whose format it
 * extends.
 *
 * The file has lines "key: value", an empty line, a line that names the columns, and one line for
 * each call site (Documentation/format/account.rst). Six header lines are required. Others may
 * follow in any order: those of kma_losses[] are numbers, and unknown ones are kept as notes.
 *
 * Columns are found by name. A missing column makes its metrics absent; an unknown column is an
 * error, because a guess would put numbers under the wrong name. In the header and in each row
 * total must be slack + req.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "input/cursor.h"
#include "lib/cleanup.h"
#include "reader.h"

enum { KMA_HDR_TOTAL, KMA_HDR_REQ, KMA_HDR_SLACK, KMA_HDR_ALLOCS, KMA_HDR_FREES, KMA_HDR_CALLERS };

#define KMA_ACCOUNT_BEGINS "total bytes allocated"

/* The header lines that every account has. */
static const char *const kma_header_keys[] = {
	[KMA_HDR_TOTAL] = KMA_ACCOUNT_BEGINS,	   [KMA_HDR_REQ] = "total bytes requested",
	[KMA_HDR_SLACK] = "slack bytes allocated", [KMA_HDR_ALLOCS] = "number of allocs",
	[KMA_HDR_FREES] = "number of frees",	   [KMA_HDR_CALLERS] = "number of callers",
};

enum kma_account_column {
	KMA_COL_TOTAL,
	KMA_COL_SLACK,
	KMA_COL_REQ,
	KMA_COL_ALLOC_FREE,
	KMA_COL_CALLER
};

static const char *const kma_columns[] = {
	[KMA_COL_TOTAL] = "total",	     [KMA_COL_SLACK] = "slack",	  [KMA_COL_REQ] = "req",
	[KMA_COL_ALLOC_FREE] = "alloc/free", [KMA_COL_CALLER] = "caller",
};

static const unsigned int kma_column_metrics[] = {
	[KMA_COL_TOTAL] = 1U << KMA_CURRENT,
	[KMA_COL_SLACK] = 1U << KMA_WASTE,
	[KMA_COL_REQ] = 1U << KMA_REQUESTED,
	[KMA_COL_ALLOC_FREE] = 1U << KMA_ALLOCS | 1U << KMA_FREES,
	[KMA_COL_CALLER] = 0,
};

/* State while a file is read. */
struct kma_account_text {
	struct kma_cursor cur;
	struct kma_account *account;
	enum kma_account_column columns[ARRAY_SIZE(kma_columns)]; /* in the order of the file */
	unsigned int nr_columns;
};

static struct kma_err *parse_whole_number(const struct kma_cursor *cur, const char *value,
					  const char *what, uint64_t *ret)
{
	struct kma_err *err = kma_cursor_number(cur, &value, what, ret);

	if (err)
		return err;
	if (value[strspn(value, " \t")])
		return kma_cursor_error(cur, "%s is not a number", what);
	return NULL;
}

static int find(const char *const *names, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

/* Read one line of the header. */
static struct kma_err *read_key(struct kma_cursor *cur, struct kma_account *account,
				uint64_t *values, unsigned int *seen)
{
	char *value = strchr(cur->text, ':');
	struct kma_err *err = NULL;
	uint64_t number;
	int i;

	/* "# switches: ..." of the module has no numbers. */
	if (*cur->text == '#')
		return NULL;
	if (!value || value == cur->text)
		return kma_cursor_error(cur, "expected 'key: value' or an empty line");
	*value++ = '\0';
	value += strspn(value, " \t");
	i = find(kma_header_keys, ARRAY_SIZE(kma_header_keys), cur->text);
	if (i >= 0) {
		if (*seen & 1U << i)
			return kma_cursor_error(cur, "line '%s' occurs twice", cur->text);
		*seen |= 1U << i;
		return parse_whole_number(cur, value, cur->text, &values[i]);
	}
	for (i = 0; i < KMA_NR_LOSSES; i++) {
		if (strcmp(cur->text, kma_losses[i].title))
			continue;
		err = parse_whole_number(cur, value, cur->text, &number);
		if (!err)
			kma_account_set_loss(account, i, number);
		return err;
	}
	kma_account_put_note(account, cur->text, value);
	return NULL;
}

static struct kma_err *read_header(struct kma_cursor *cur, struct kma_account *account)
{
	uint64_t values[ARRAY_SIZE(kma_header_keys)] = { 0 };
	struct kma_values totals;
	unsigned int seen = 0;
	struct kma_err *err;
	bool more;

	for (;;) {
		err = kma_cursor_next(cur, &more);
		if (err)
			return err;
		if (!more || (cur->cut && *cur->text))
			return kma_cursor_error(cur, "truncated in the header");
		if (!cur->text[strspn(cur->text, " \t")])
			break;
		err = read_key(cur, account, values, &seen);
		if (err)
			return err;
	}
	for (size_t i = 0; i < ARRAY_SIZE(kma_header_keys); i++)
		if (!(seen & 1U << i))
			return kma_cursor_error(cur, "the header has no line '%s'",
						kma_header_keys[i]);
	if (values[KMA_HDR_SLACK] > values[KMA_HDR_TOTAL] ||
	    values[KMA_HDR_TOTAL] - values[KMA_HDR_SLACK] != values[KMA_HDR_REQ])
		return kma_cursor_error(cur, "in the header, total is not slack + req");
	totals = (struct kma_values){
		.current = values[KMA_HDR_TOTAL],
		.req = values[KMA_HDR_REQ],
		.waste = values[KMA_HDR_SLACK],
		.allocs = values[KMA_HDR_ALLOCS],
		.frees = values[KMA_HDR_FREES],
	};
	kma_account_set_totals(account, &totals, values[KMA_HDR_CALLERS]);
	return NULL;
}

static struct kma_err *read_columns(struct kma_account_text *in, struct kma_account *account)
{
	struct kma_cursor *cur = &in->cur;
	unsigned int have = 0, seen = 0;
	char *save = NULL, *word;
	struct kma_err *err;
	bool more;

	err = kma_cursor_next(cur, &more);
	if (err)
		return err;
	if (!more || cur->cut)
		return kma_cursor_error(cur,
					"truncated before the line with the names of the columns");
	for (word = strtok_r(cur->text, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
		int i = find(kma_columns, ARRAY_SIZE(kma_columns), word);

		if (i < 0)
			return kma_cursor_error(
				cur,
				"unknown column '%.40s' (expected total, slack, req, alloc/free or caller)",
				word);
		if (seen & 1U << i)
			return kma_cursor_error(cur, "column '%s' occurs twice", word);
		seen |= 1U << i;
		have |= kma_column_metrics[i];
		in->columns[in->nr_columns++] = i;
	}
	/* The caller may contain spaces, so it must be the rest of the line. */
	if (!in->nr_columns || in->columns[in->nr_columns - 1] != KMA_COL_CALLER)
		return kma_cursor_error(cur, "the last column is not 'caller'");
	kma_account_set_metrics(account, have);
	return NULL;
}

static struct kma_err *read_cell(const struct kma_cursor *cur, enum kma_account_column column,
				 const char **p, struct kma_values *values)
{
	struct kma_err *err;

	switch (column) {
	case KMA_COL_TOTAL:
		return kma_cursor_number(cur, p, "total", &values->current);
	case KMA_COL_SLACK:
		return kma_cursor_number(cur, p, "slack", &values->waste);
	case KMA_COL_REQ:
		return kma_cursor_number(cur, p, "req", &values->req);
	case KMA_COL_ALLOC_FREE:
		err = kma_cursor_number(cur, p, "alloc", &values->allocs);
		if (err)
			return err;
		if (**p != '/')
			return kma_cursor_error(cur, "column 'alloc/free' is not two numbers");
		(*p)++;
		return kma_cursor_number(cur, p, "free", &values->frees);
	case KMA_COL_CALLER:
		break;
	}
	return NULL;
}

static struct kma_err *read_row(void *arg)
{
	const struct kma_account_text *in = arg;
	const struct kma_cursor *cur = &in->cur;
	struct kma_account *account = in->account;
	struct kma_values values = { 0 };
	const char *p = cur->text;
	struct kma_err *err;
	size_t len;

	if (!p[strspn(p, " \t")])
		return NULL;
	for (unsigned int i = 0; i + 1 < in->nr_columns; i++) {
		err = read_cell(cur, in->columns[i], &p, &values);
		if (err)
			return err;
		if (*p && *p != ' ' && *p != '\t')
			return kma_cursor_error(&in->cur, "%s is not a number",
						kma_columns[in->columns[i]]);
	}
	p += strspn(p, " \t");
	for (len = strlen(p); len && isspace((unsigned char)p[len - 1]);)
		len--;
	if (!len)
		return kma_cursor_error(cur, "the row has no caller");
	if (kma_account_metrics(account) & 1U << KMA_WASTE &&
	    kma_account_metrics(account) & 1U << KMA_REQUESTED &&
	    (values.waste > values.current || values.current - values.waste != values.req))
		return kma_cursor_error(cur, "total is not slack + req");
	err = kma_account_add_site(account, p, len, &values);
	if (err)
		err->line = cur->line;
	return err;
}

static struct kma_err *read_rows(struct kma_account_text *in)
{
	in->cur.rows = true;
	return kma_cursor_each(&in->cur, read_row, in);
}

static struct kma_err *account_read(struct kma_input *input, struct kma_account *account)
{
	struct kma_account_text in = { .account = account };
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	err = read_header(&in.cur, account);
	if (!err)
		err = read_columns(&in, account);
	if (!err)
		err = read_rows(&in);
	kma_cursor_deinit(&in.cur);
	return err;
}

const struct kma_reader_ops kma_reader_account = {
	.name = "/proc/kmem_account",
	.begins = KMA_ACCOUNT_BEGINS,
	.may_be_cut = true,
	.read = account_read,
};
