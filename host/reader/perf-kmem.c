// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf-kmem.c - reader of the table that perf kmem stat --caller prints: the allocations of each
 * call site while perf recorded. The table has no frees.
 *
 *	---------------------------------------------------------------------------------
 *	 Callsite             | Total_alloc/Per | Total_req/Per   | Hit   | Ping-pong | Frag
 *	---------------------------------------------------------------------------------
 *	 load_elf_binary+12   |      4096/1024  |      4000/1000  |     4 |         0 |  2.344%
 *	 ...                  | ...             | ...             | ...   | ...       | ...
 *	---------------------------------------------------------------------------------
 *
 * and of the table of perf kmem --page stat --caller, or --live, whose numbers may have separators:
 *
 *	 Total alloc (KB) | Hits      | Order | Mig.type | GFP flags       | Callsite
 *	           24,476 |     6,119 |     0 |  MOVABLE | HUM|Z|C         | demo_anon_page
 *
 * The row of dots means that perf left out further rows (--line).
 */
#include <string.h>

#include "input/cursor.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "model/merge.h"
#include "reader.h"

#define KMA_PERF_TITLE "| Total_alloc/Per |" /* in the head of each table */

static const char kma_perf_caller[] = "Callsite ";

/* The kinds of tables, by the beginnings of their titles. */
enum table { SLAB, PAGES, LIVE_PAGES, NR_TABLES };

static const struct {
	const char *title;
	unsigned int metrics;
} tables[NR_TABLES] = {
	[SLAB] = { kma_perf_caller, 1U << KMA_TOTAL | 1U << KMA_ALLOCS },
	[PAGES] = { "Total alloc (KB) ", 1U << KMA_TOTAL | 1U << KMA_ALLOCS },
	[LIVE_PAGES] = { "Live alloc (KB) ", 1U << KMA_CURRENT | 1U << KMA_OBJECTS },
};

/* The part of the output that the current line is in. */
enum kma_perf_where { KMA_PERF_BEFORE, KMA_PERF_HEAD, KMA_PERF_ROWS, KMA_PERF_AFTER };

struct kma_perf {
	struct kma_cursor cur;
	struct kma_merge *merge;
	enum kma_perf_where where;
	enum table table;  /* which the current line is in */
	unsigned int read; /* set of the tables that were read */
	bool again;	   /* a table was in the input before */
	bool more;	   /* the table has a row of dots */
};

/* Read a number of the next column: "      4096/1024  ", where the second number is the mean. */
static struct kma_err *perf_number(struct kma_perf *in, const char **p, const char *what, char end,
				   uint64_t *ret)
{
	struct kma_err *err;

	*p = *p ? strchr(*p, '|') : NULL;
	if (!*p)
		return kma_cursor_error(&in->cur, "the row has no column '%s'", what);
	(*p)++;
	err = kma_cursor_number(&in->cur, p, what, ret);
	if (err)
		return err;
	if (**p != end)
		return kma_cursor_error(&in->cur, "column '%s' is not a number", what);
	return NULL;
}

/* Read "load_elf_binary+12", where the offset is hexadecimal, or an address. */
static void perf_name(char *text, struct kma_strbuf *caller)
{
	char *end = strchr(text, '|'), *plus;

	while (end > text && end[-1] == ' ')
		end--;
	*end = '\0';
	plus = strrchr(text, '+');
	if (plus && plus > text && strncmp(plus, "+0x", 3))
		kma_strbuf_printf(caller, "%.*s+0x%s", (int)(plus - text), text, plus + 1);
	else
		kma_strbuf_puts(caller, text);
}

static struct kma_err *perf_row(struct kma_perf *in)
{
	_cleanup_strbuf_ struct kma_strbuf caller = { 0 };
	char *text = in->cur.text + strspn(in->cur.text, " ");
	struct kma_values values = { 0 };
	const char *p = text;
	struct kma_err *err;
	uint64_t req;

	if (!strncmp(text, "... ", 4)) {
		in->more = true;
		return NULL;
	}
	err = perf_number(in, &p, "Total_alloc", '/', &values.total) ?:
		      perf_number(in, &p, "Total_req", '/', &req)    ?:
		      perf_number(in, &p, "Hit", ' ', &values.allocs);
	if (err)
		return kma_cursor_place(&in->cur, err);
	perf_name(text, &caller);
	err = kma_merge_add(in->merge, caller.str, KMA_KIND_UNKNOWN, &values);
	return kma_cursor_place(&in->cur, err);
}

/* Read "24,476", in any language; @p is moved to the next column. */
static struct kma_err *grouped(struct kma_perf *in, const char **p, const char *what, uint64_t *ret)
{
	const char *at = *p + strspn(*p, " ");
	uint64_t value = 0;
	bool any = false;

	for (; *at && *at != '|' && *at != ' '; at++) {
		bool digit = *at >= '0' && *at <= '9';

		any |= digit;
		if (!digit && (!any || !strchr(",.'", *at)))
			return kma_cursor_error(&in->cur, "column '%s' is not a number", what);
		if (digit && (value > UINT64_MAX / 10240 ||
			      __builtin_add_overflow(value * 10, *at - '0', &value)))
			return kma_cursor_error(&in->cur, "%s is too large", what);
	}
	at = strchr(at, '|');
	if (!any || !at)
		return kma_cursor_error(&in->cur, "the row has no column '%s'", what);
	*p = at + 1;
	*ret = value;
	return NULL;
}

static struct kma_err *page_row(struct kma_perf *in)
{
	const char *p = in->cur.text, *caller = strrchr(p, '|');
	struct kma_values values = { 0 };
	uint64_t kib, hits;
	struct kma_err *err;

	if (!strncmp(p, "... ", 4)) {
		in->more = true;
		return NULL;
	}
	err = grouped(in, &p, "alloc (KB)", &kib) ?: grouped(in, &p, "Hits", &hits);
	if (err)
		return err;
	caller += 1 + strspn(caller + 1, " ");
	if (!*caller)
		return kma_cursor_error(&in->cur, "the row has no column 'Callsite'");
	if (in->table == LIVE_PAGES)
		values = (struct kma_values){ .current = kib * 1024, .objects = hits };
	else
		values = (struct kma_values){ .total = kib * 1024, .allocs = hits };
	err = kma_merge_add(in->merge, caller, KMA_KIND_PAGE, &values);
	return kma_cursor_place(&in->cur, err);
}

/* Is this the title of a table by call site? If there was one of its kind, the new one replaces all. */
static bool is_title(struct kma_perf *in)
{
	for (size_t i = 0; i < NR_TABLES; i++) {
		if (strncmp(in->cur.text, tables[i].title, strlen(tables[i].title)) ||
		    (i == SLAB && !strstr(in->cur.text, KMA_PERF_TITLE)))
			continue;
		if (in->read & 1U << i) {
			kma_merge_destroy(in->merge);
			in->merge = kma_merge_create();
			in->read = 0;
			in->more = false;
			in->again = true;
		}
		in->read |= 1U << i;
		in->table = i;
		return true;
	}
	return false;
}

static struct kma_err *perf_line(void *arg)
{
	struct kma_perf *in = arg;
	bool rule = !strncmp(in->cur.text, "----", 4);

	switch (in->where) {
	case KMA_PERF_HEAD:
		if (!rule)
			return kma_cursor_error(&in->cur, "expected a line of dashes");
		in->where = KMA_PERF_ROWS;
		return NULL;
	case KMA_PERF_ROWS:
		if (!rule)
			return in->table == SLAB ? perf_row(in) : page_row(in);
		in->where = KMA_PERF_AFTER;
		return NULL;
	default:
		if (is_title(in))
			in->where = KMA_PERF_HEAD;
		return NULL;
	}
}

/* The end of a table, or what perf prints after it. */
static bool is_whole(void *arg, bool *name)
{
	const struct kma_perf *in = arg;

	*name = false;
	return in->where == KMA_PERF_AFTER ||
	       (in->where == KMA_PERF_ROWS && !strncmp(in->cur.text, "----", 4));
}

static struct kma_err *perf_lines(struct kma_perf *in)
{
	struct kma_err *err = kma_cursor_each(&in->cur, perf_line, in);

	if (err)
		return err;
	if (in->where == KMA_PERF_AFTER)
		return NULL;
	return kma_cursor_error(&in->cur,
				in->where == KMA_PERF_BEFORE ?
					"no table by call site; use perf kmem stat --caller" :
					"truncated in the table");
}

static void perf_deinit(struct kma_perf *in)
{
	kma_merge_destroy(in->merge);
	kma_cursor_deinit(&in->cur);
}

static struct kma_err *perf_read(struct kma_input *input, struct kma_account *account)
{
	_cleanup_(perf_deinit) struct kma_perf in = { 0 };
	unsigned int have = 0;
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	in.cur.whole = is_whole;
	in.merge = kma_merge_create();
	err = perf_lines(&in) ?: kma_merge_close(in.merge, account);
	if (err)
		return err;
	if (in.more)
		kma_account_warn(
			account,
			"perf left out call sites; show more of them with perf kmem stat --line N");
	if (in.again)
		kma_account_warn(account, "several tables; the last one is used");
	for (size_t i = 0; i < NR_TABLES; i++)
		have |= in.read & 1U << i ? tables[i].metrics : 0;
	kma_account_set_metrics(account, have);
	return NULL;
}

static enum kma_line_kind line_of(const char *text)
{
	/* what perf prints around its tables */
	static const char *const others[] = { "----",
					      "====",
					      "#",
					      "SUMMARY (",
					      "Total ",
					      "Net total ",
					      "Internal fragmentation",
					      "Cross CPU allocations" };

	if (strstr(text, KMA_PERF_TITLE) || strstr(text, " alloc (KB) | Hits "))
		return KMA_LINE_ROW;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strncmp(text, others[i], strlen(others[i])))
			return KMA_LINE_MORE;
	return strchr(text, '|') ? KMA_LINE_MORE : KMA_LINE_OTHER;
}

const struct kma_reader_ops kma_reader_perf_kmem = {
	.name = "a table of perf kmem stat --caller",
	.key = "perf-kmem",
	.line = line_of,
	.read = perf_read,
};
