// SPDX-License-Identifier: GPL-2.0-only
/*
 * waits.c - reader of debugfs' latency of the module with latency=1: how long call sites waited for
 * reclaim and compaction.
 *
 *	kmem_account latency 1
 *	NAME: NUMBER
 *	...
 *	(an empty line)
 *	kind  calls  total_ns  max_ns  order  log2_ns:calls  caller
 *
 * The rows of a site, one for each kind of wait, are added up. No task waits for kcompactd: its row
 * is left out, with a warning. The header has the sums of the rows, so a missing row is an error.
 */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "input/cursor.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "model/merge.h"
#include "reader.h"

#define KMA_WAITS_TITLE	  "kmem_account latency "
#define KMA_WAITS_COLUMNS 7
#define KMA_WAITS_NOBODY  "kcompactd"

struct kma_waits {
	struct kma_cursor cur;
	struct kma_merge *merge;
	struct kma_values said, sum; /* sums in the header, and of the rows; with kcompactd */
	uint64_t nobody, lost;	     /* calls of kcompactd; waits that were not recorded */
};

/* Ends of the header's lines. Each kind of wait has one line with each of the first two. */
static const struct {
	const char *end;
	size_t offset;
} kma_waits_lines[] = {
	{ " calls", offsetof(struct kma_waits, said.waits) },
	{ " ns", offsetof(struct kma_waits, said.latency) },
	{ "without room", offsetof(struct kma_waits, lost) },
	{ "without an end", offsetof(struct kma_waits, lost) },
	{ "without a begin", offsetof(struct kma_waits, lost) },
};

static bool waits_ends(const char *name, size_t len, const char *end)
{
	size_t of_end = strlen(end);

	return len >= of_end && !memcmp(name + len - of_end, end, of_end);
}

/* Read a line of the header, such as "reclaim ns: 123". "reclaim longest ns" is not a sum. */
static struct kma_err *waits_header(struct kma_waits *in)
{
	const char *name = in->cur.text, *number = strstr(name, ": ");
	struct kma_err *err;
	uint64_t value;

	if (!number)
		return kma_cursor_error(&in->cur, "not a line of the header");
	for (size_t i = 0; i < ARRAY_SIZE(kma_waits_lines); i++) {
		if (!waits_ends(name, number - name, kma_waits_lines[i].end) ||
		    waits_ends(name, number - name, "longest ns"))
			continue;
		number += 2;
		err = kma_cursor_number(&in->cur, &number, "a sum", &value);
		if (!err)
			*(uint64_t *)((char *)in + kma_waits_lines[i].offset) += value;
		return err;
	}
	return NULL;
}

/* Return the length of the field at @p, and move @p to the next field. */
static size_t waits_field(const char **p, const char **field)
{
	size_t len;

	*p += strspn(*p, " ");
	*field = *p;
	len = strcspn(*p, " ");
	*p += len;
	*p += strspn(*p, " ");
	return len;
}

static struct kma_err *waits_row(struct kma_waits *in)
{
	const char *p = in->cur.text, *kind, *field;
	struct kma_values values = { 0 };
	size_t len = waits_field(&p, &kind);
	struct kma_err *err;

	err = kma_cursor_number(&in->cur, &p, "calls", &values.waits);
	if (err)
		return err;
	err = kma_cursor_number(&in->cur, &p, "total_ns", &values.latency);
	if (err)
		return err;
	/* Skip the longest wait, its order and the histogram. */
	for (int i = 3; i < KMA_WAITS_COLUMNS - 1; i++)
		if (!waits_field(&p, &field))
			return kma_cursor_error(&in->cur, "the row has fewer than %d columns",
						KMA_WAITS_COLUMNS);
	if (!*p)
		return kma_cursor_error(&in->cur, "the row has no caller");
	in->sum.waits += values.waits;
	in->sum.latency += values.latency;
	if (len == strlen(KMA_WAITS_NOBODY) && !memcmp(kind, KMA_WAITS_NOBODY, len)) {
		in->nobody += values.waits;
		return NULL;
	}
	return kma_cursor_place(&in->cur, kma_merge_add(in->merge, p, KMA_KIND_UNKNOWN, &values));
}

static struct kma_err *waits_lines_read(struct kma_waits *in)
{
	enum { TITLE, HEADER, COLUMNS, ROWS } part = TITLE;
	struct kma_err *err;
	bool more;

	for (;;) {
		err = kma_cursor_next(&in->cur, &more);
		if (err || !more)
			break;
		if (in->cur.cut)
			return kma_cursor_error(&in->cur, "truncated in a line");
		if (part == HEADER && *in->cur.text)
			err = waits_header(in);
		else if (part == ROWS)
			err = waits_row(in);
		else
			part++;
		if (err)
			return err;
	}
	if (err)
		return err;
	if (part != ROWS || in->sum.waits != in->said.waits || in->sum.latency != in->said.latency)
		err = kma_cursor_error(
			&in->cur,
			"the rows do not add up to the header; the file may be truncated");
	return err;
}

static struct kma_err *waits_close(struct kma_waits *in, struct kma_account *account)
{
	struct kma_err *err = kma_merge_close(in->merge, account);

	kma_account_set_loss(account, KMA_LOSS_NOT_RECORDED, in->lost);
	if (err)
		return err;
	if (in->nobody)
		kma_account_warn(account,
				 "%" PRIu64 " %s by " KMA_WAITS_NOBODY
				 " %s left out, because no task waits for that",
				 in->nobody, kma_plural(in->nobody, "compaction", "compactions"),
				 kma_plural(in->nobody, "is", "are"));
	return NULL;
}

static struct kma_err *waits_read(struct kma_input *input, struct kma_account *account)
{
	struct kma_waits in = { 0 };
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	in.merge = kma_merge_create();
	err = waits_lines_read(&in);
	if (!err)
		err = waits_close(&in, account);
	kma_account_set_metrics(account, 1U << KMA_LATENCY | 1U << KMA_WAITS);
	kma_merge_destroy(in.merge);
	kma_cursor_deinit(&in.cur);
	return err;
}

const struct kma_reader_ops kma_reader_waits = {
	.name = "debugfs' latency (times of reclaim and compaction)",
	.begins = KMA_WAITS_TITLE,
	.read = waits_read,
};
