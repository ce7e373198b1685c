// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-data.c - the tree as JSON, in columns, small enough for a page.
 *
 * Only nodes without children have numbers; the page adds up the others. In a comparison each side
 * has numbers. A column is a text of numbers to base 36, in which ":N" means N zeros. A metric
 * that is the sum or difference of others in every row has a reference to these and no column. A
 * name starts with a letter for the number of characters that it shares with the name before it.
 * Names of sections are references to a table, because there are few.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/cleanup.h"
#include "lib/escape.h"
#include "page-colours.h"
#include "page-data.h"
#include "page-rows.h"
#include "view/text/view.h"

/* The kinds of enum kma_node_kind; combined nodes are the last kind. */
enum { KMA_PAGE_FOLDED = KMA_NODE_NAMED + 1 };

/* Small numbers are one letter. */
static const char kma_page_letters[] =
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
#define KMA_PAGE_LETTERS (sizeof(kma_page_letters) - 1)

/* Metrics that are the sum or difference of others in most inputs. */
static const struct {
	enum kma_metric_id id;
	unsigned int plus, minus; /* sets of metrics */
} kma_page_sums[] = {
	{ KMA_WASTE, 1U << KMA_CURRENT, 1U << KMA_REQUESTED },
	{ KMA_STATIC, KMA_STATIC_METRICS & ~(1U << KMA_STATIC), 0 },
	{ KMA_FOOTPRINT, 1U << KMA_STATIC | 1U << KMA_CURRENT, 0 },
};

static void kma_page_key(struct kma_strbuf *out, const char *key)
{
	kma_strbuf_printf(out, ",\n\"%s\":", key);
}

/* The names and texts that describe the numbers. */
static void kma_page_fact(struct kma_strbuf *out, const char *name, const char *text)
{
	if (!text || !*text)
		return;
	kma_strbuf_puts(out, out->str[out->len - 1] == '[' ? "[" : ",[");
	kma_escape_json(out, name);
	kma_strbuf_puts(out, ",");
	kma_escape_json(out, text);
	kma_strbuf_puts(out, "]");
}

static void kma_page_time(const struct kma_chart *chart, struct kma_strbuf *out)
{
	time_t time = chart->time;
	char text[32] = "";
	struct tm tm;

	if (chart->time && gmtime_r(&time, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &tm);
	kma_page_fact(out, "Time", text);
}

static void kma_page_counts(const struct kma_chart *chart, struct kma_strbuf *out)
{
	char number[24], share[16], text[64];
	uint64_t events;
	size_t nr;

	if (chart->objects) {
		snprintf(text, sizeof(text), "%zu", chart->objects);
		kma_page_fact(out, "Objects", text);
	}
	if (!chart->account)
		return;
	kma_account_sites(chart->account, &nr);
	snprintf(text, sizeof(text), "%zu", nr);
	kma_page_fact(out, "Call sites", text);
	if (chart->has_source && kma_account_metrics(chart->account) & 1U << KMA_CURRENT) {
		kma_units_format(number, sizeof(number), chart->unresolved, KMA_UNIT_BYTES);
		kma_percent_format(share, sizeof(share), chart->unresolved,
				   kma_account_total(chart->account)->current);
		snprintf(text, sizeof(text), "%s (%s)", number, share);
		kma_page_fact(out, "Live without a directory", text);
	}
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		if (!kma_account_loss(chart->account, id, &events))
			continue;
		snprintf(text, sizeof(text), "%" PRIu64, events);
		kma_page_fact(out, kma_losses[id].title, text);
	}
}

/* "0 before, 12 after": the events that either side did not count. */
static void kma_page_both_losses(const struct kma_chart_sides *sides, struct kma_strbuf *out)
{
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		char texts[KMA_NR_SIDES][24], text[64];
		bool said = false;
		uint64_t events;

		for (unsigned int i = 0; i < KMA_NR_SIDES; i++) {
			bool has = kma_account_loss(sides->accounts[i], id, &events);

			snprintf(texts[i], sizeof(texts[i]), "%" PRIu64, has ? events : 0);
			if (!has)
				strcpy(texts[i], "not said");
			said |= has;
		}
		snprintf(text, sizeof(text), "%s before, %s after", texts[KMA_BEFORE],
			 texts[KMA_AFTER]);
		kma_page_fact(out, kma_losses[id].title, said ? text : "");
	}
}

static void kma_page_both(const struct kma_chart *chart, struct kma_strbuf *out)
{
	static const char *const names[] = { [KMA_BEFORE] = "Before", [KMA_AFTER] = "After" };
	static const char *const without[] = {
		[KMA_BEFORE] = "Live without a directory, before",
		[KMA_AFTER] = "Live without a directory, after",
	};
	const struct kma_chart_sides *sides = chart->sides;

	for (unsigned int i = 0; i < KMA_NR_SIDES; i++) {
		_cleanup_strbuf_ struct kma_strbuf text = { 0 };

		kma_strbuf_printf(&text, "%s%s%s", kma_chart_side(sides, i),
				  *sides->about[i] ? ", " : "", sides->about[i]);
		out->failed |= text.failed;
		kma_page_fact(out, names[i], text.str);
	}
	if (!kma_account_metrics(sides->accounts[KMA_AFTER]))
		return; /* built trees */
	for (unsigned int i = 0; i < KMA_NR_SIDES && chart->has_source; i++) {
		const struct kma_account *account = sides->accounts[i];
		char number[24], share[16], text[64];

		if (!(kma_account_metrics(account) & 1U << KMA_CURRENT))
			continue;
		kma_units_format(number, sizeof(number), sides->unresolved[i], KMA_UNIT_BYTES);
		kma_percent_format(share, sizeof(share), sides->unresolved[i],
				   kma_account_total(account)->current);
		snprintf(text, sizeof(text), "%s (%s)", number, share);
		kma_page_fact(out, without[i], text);
	}
	kma_page_both_losses(sides, out);
}

/* The number of leaves without a row of their own. */
static void kma_page_gathered(const struct kma_page_rows *rows, struct kma_strbuf *out)
{
	char text[24];
	size_t nr = 0;

	for (size_t i = 0; i < rows->nr; i++)
		nr += rows->rows[i].folded;
	snprintf(text, sizeof(text), "%zu", nr);
	kma_page_fact(out, "Gathered by --max-nodes", nr ? text : "");
}

static void kma_page_one(const struct kma_chart *chart, struct kma_strbuf *out)
{
	const char *input = chart->account ? kma_account_name(chart->account) : chart->input;
	const char *name, *value;

	kma_page_fact(out, "Kernel", chart->release);
	kma_page_fact(out, "Build ID", chart->build_id);
	kma_page_fact(out, "Input", input ? kma_chart_base(input) : NULL);
	kma_page_time(chart, out);
	kma_page_counts(chart, out);
	for (size_t i = 0; chart->account; i++) {
		name = kma_account_note_at(chart->account, i, &value);
		if (!name)
			break;
		if (strcmp(name, KMA_NOTE_RELEASE) && strcmp(name, KMA_NOTE_BUILD_ID))
			kma_page_fact(out, name, value);
	}
}

static void kma_page_facts(const struct kma_page_rows *rows, const struct kma_chart *chart,
			   struct kma_strbuf *out)
{
	_cleanup_free_ char *branch = kma_node_path(chart->branch);

	kma_page_key(out, "title");
	kma_escape_json(out, kma_chart_title(chart));
	kma_page_key(out, "branch");
	kma_escape_json(out, branch ?: "");
	kma_strbuf_printf(out, ",\n\"metric\":\"%s\",\"depth\":%u,\"chart\":\"%s\"",
			  kma_metrics[chart->metric].name, chart->depth,
			  kma_chart_names[chart->kind]);
	kma_page_key(out, "facts");
	kma_strbuf_puts(out, "[");
	if (!kma_strbuf_ok(out))
		return;
	if (chart->sides)
		kma_page_both(chart, out);
	else
		kma_page_one(chart, out);
	kma_page_gathered(rows, out);
	kma_strbuf_puts(out, "]");
}

/*
 * A letter for the level and the kind of a node. The level is the distance up from a child of the
 * node before; if it is too large for the letter, it is in parentheses before it.
 */
static void kma_page_shape(const struct kma_page_rows *rows, struct kma_strbuf *out)
{
	const unsigned int nr_kinds = KMA_PAGE_FOLDED + 1;

	kma_page_key(out, "shape");
	kma_strbuf_puts(out, "\"");
	for (size_t i = 0; i < rows->nr; i++) {
		const struct kma_page_row *row = &rows->rows[i];
		unsigned int up = i ? row[-1].depth + 1 - row->depth : 0;
		unsigned int kind = row->folded ? KMA_PAGE_FOLDED : (unsigned int)row->node->kind;

		if ((up + 1) * nr_kinds > KMA_PAGE_LETTERS) {
			kma_strbuf_printf(out, "(%u)", up);
			up = 0;
		}
		kma_strbuf_add(out, &kma_page_letters[up * nr_kinds + kind], 1);
	}
	kma_strbuf_puts(out, "\"");
	kma_page_key(out, "folded");
	kma_strbuf_puts(out, "[");
	for (size_t i = 0, nr = 0; i < rows->nr; i++) {
		if (!rows->rows[i].folded)
			continue;
		kma_strbuf_puts(out, nr++ ? "," : "");
		kma_strbuf_u64(out, rows->rows[i].folded);
	}
	kma_strbuf_puts(out, "]");
}

/* Sections have few names, and there are six in each file. */
enum { KMA_PAGE_SECTIONS = 32 };

static int kma_page_section(const char *const *table, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(table[i], name))
			return i;
	return -1;
}

/* Length of "+0x1f/0x2c0" at the start of a text; 0: the text starts differently. */
static size_t kma_page_offset(const char *text)
{
	static const char hex[] = "0123456789abcdef";
	size_t offset, size;

	if (strncmp(text, "+0x", 3))
		return 0;
	offset = strspn(text + 3, hex);
	if (!offset || strncmp(text + 3 + offset, "/0x", 3))
		return 0;
	size = strspn(text + 6 + offset, hex);
	return size ? 6 + offset + size : 0;
}

/*
 * A name between commas. An offset and size, as most names have, is shortened to "+1f/2c0".
 * Characters that have a meaning in this format become ~ and a letter.
 */
static void kma_page_spell(struct kma_strbuf *out, const char *name)
{
	while (*name) {
		size_t plain = strcspn(name, "+,~"), slash;

		kma_strbuf_add(out, name, plain);
		name += plain;
		plain = kma_page_offset(name);
		if (plain) {
			slash = strcspn(name, "/");
			kma_strbuf_puts(out, "+");
			kma_strbuf_add(out, name + 3, slash - 3);
			kma_strbuf_puts(out, "/");
			kma_strbuf_add(out, name + slash + 3, plain - slash - 3);
			name += plain;
		} else if (*name) {
			kma_strbuf_puts(out, *name == '+' ? "~p" : *name == ',' ? "~c" : "~t");
			name++;
		}
	}
}

/*
 * The length of the common start of two names, while it has only characters that are one byte here
 * and one character in a script.
 */
static size_t kma_page_common(const char *a, const char *b, size_t most)
{
	size_t n = 0;

	while (n < most && a[n] && a[n] == b[n] && a[n] >= ' ' && a[n] < 0x7f)
		n++;
	return n;
}

/* A letter for the length of the common start with the name before, and the rest of the name. */
static void kma_page_name(struct kma_strbuf *text, struct kma_strbuf *last, const char *name)
{
	struct kma_strbuf mine = { 0 };
	size_t common;

	kma_page_spell(&mine, name);
	common = kma_page_common(last->str ?: "", mine.str ?: "", KMA_PAGE_LETTERS - 1);
	kma_strbuf_add(text, &kma_page_letters[common], 1);
	kma_strbuf_puts(text, (mine.str ?: "") + common);
	text->failed |= mine.failed;
	kma_strbuf_deinit(last);
	*last = mine;
}

static void kma_page_names(const struct kma_page_rows *rows, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 }, last = { 0 };
	const char *sections[KMA_PAGE_SECTIONS];
	size_t nr = 0;

	for (size_t i = 0; i < rows->nr; i++) {
		const struct kma_page_row *row = &rows->rows[i];
		const char *name = row->folded ? "" : row->node->name;
		int at = -1;

		kma_strbuf_puts(&text, i ? "," : "");
		if (!row->folded && row->node->kind == KMA_NODE_SECTION) {
			at = kma_page_section(sections, nr, name);
			if (at < 0 && nr < KMA_PAGE_SECTIONS) {
				at = nr++;
				sections[at] = name;
			}
		}
		if (at >= 0)
			kma_strbuf_printf(&text, "~%d", at);
		else
			kma_page_name(&text, &last, name);
	}
	out->failed |= text.failed;
	kma_page_key(out, "names");
	kma_escape_json(out, text.str ?: "");
	kma_page_key(out, "sections");
	for (size_t i = 0; i < nr; i++) {
		kma_strbuf_puts(out, i ? "," : "[");
		kma_escape_json(out, sections[i]);
	}
	kma_strbuf_puts(out, nr ? "]" : "[]");
}

static uint64_t kma_page_sum(unsigned int set, const struct kma_values *values)
{
	uint64_t sum = 0;

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (set & 1U << id)
			sum += kma_metrics[id].get(values);
	return sum;
}

static void kma_page_terms(struct kma_strbuf *out, unsigned int set, int sign, const char **comma)
{
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		if (!(set & 1U << id))
			continue;
		kma_strbuf_printf(out, "%s\"%s\":%d", *comma, kma_metrics[id].name, sign);
		*comma = ",";
	}
}

/* Selects the numbers of a row: those of one side, or the only ones. */
enum { KMA_PAGE_WHOLE = KMA_NR_SIDES };

static const struct kma_values *kma_page_values(const struct kma_page_row *row, unsigned int side)
{
	return side == KMA_PAGE_WHOLE ? &row->values : &row->sides[side];
}

/* A metric that is the usual sum in every row needs no column. */
static bool kma_page_derived(const struct kma_page_rows *rows, unsigned int have,
			     enum kma_metric_id id, unsigned int side, struct kma_strbuf *out)
{
	const char *comma = "";
	size_t s;

	for (s = 0; s < ARRAY_SIZE(kma_page_sums) && kma_page_sums[s].id != id; s++)
		;
	if (s == ARRAY_SIZE(kma_page_sums) ||
	    (kma_page_sums[s].plus | kma_page_sums[s].minus) & ~have)
		return false;
	for (size_t i = 0; i < rows->nr; i++) {
		const struct kma_values *values = kma_page_values(&rows->rows[i], side);

		if (kma_metrics[id].get(values) + kma_page_sum(kma_page_sums[s].minus, values) !=
		    kma_page_sum(kma_page_sums[s].plus, values))
			return false;
	}
	kma_strbuf_puts(out, "\"sum\":{");
	kma_page_terms(out, kma_page_sums[s].plus, 1, &comma);
	kma_page_terms(out, kma_page_sums[s].minus, -1, &comma);
	kma_strbuf_puts(out, "}");
	return true;
}

static void kma_page_base36(struct kma_strbuf *out, uint64_t value)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
	char text[16], *p = text + sizeof(text);

	do
		*--p = digits[value % 36];
	while (value /= 36);
	kma_strbuf_add(out, p, text + sizeof(text) - p);
}

static void kma_page_column(const struct kma_page_rows *rows, enum kma_metric_id id,
			    unsigned int side, struct kma_strbuf *out)
{
	const char *comma = "";
	size_t zeros = 0;

	kma_strbuf_puts(out, "\"column\":\"");
	for (size_t i = 0; i <= rows->nr; i++) {
		uint64_t value = 1;

		if (i < rows->nr) {
			if (!rows->rows[i].leaf)
				continue;
			value = kma_metrics[id].get(kma_page_values(&rows->rows[i], side));
			zeros += !value;
		}
		if (!value)
			continue;
		if (zeros) {
			kma_strbuf_puts(out, comma);
			kma_strbuf_puts(out, zeros > 1 ? ":" : "0");
			if (zeros > 1)
				kma_page_base36(out, zeros);
			comma = ",";
			zeros = 0;
		}
		if (i == rows->nr)
			break;
		kma_strbuf_puts(out, comma);
		kma_page_base36(out, value);
		comma = ",";
	}
	kma_strbuf_puts(out, "\"");
}

static void kma_page_numbers(const struct kma_page_rows *rows, unsigned int have,
			     enum kma_metric_id id, unsigned int side, struct kma_strbuf *out)
{
	if (!kma_page_derived(rows, have, id, side, out))
		kma_page_column(rows, id, side, out);
}

static const char *const kma_page_units[] = {
	[KMA_UNIT_BYTES] = "bytes",
	[KMA_UNIT_COUNT] = "count",
	[KMA_UNIT_NS] = "ns",
};

static void kma_page_metrics(const struct kma_page_rows *rows, unsigned int have, bool two,
			     struct kma_strbuf *out)
{
	const char *comma = "[\n";

	kma_page_key(out, "metrics");
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		const struct kma_metric *metric = &kma_metrics[id];

		if (!(have & 1U << id))
			continue;
		kma_strbuf_printf(out, "%s{\"name\":\"%s\",\"title\":\"%s\",\"what\":\"%s\",",
				  comma, metric->name, metric->title, metric->what);
		kma_strbuf_printf(out, "\"unit\":\"%s\",", kma_page_units[metric->unit]);
		if (two) {
			kma_strbuf_puts(out, "\"before\":{");
			kma_page_numbers(rows, have, id, KMA_BEFORE, out);
			kma_strbuf_puts(out, "},\n\"after\":{");
			kma_page_numbers(rows, have, id, KMA_AFTER, out);
			kma_strbuf_puts(out, "}");
		} else {
			kma_page_numbers(rows, have, id, KMA_PAGE_WHOLE, out);
		}
		kma_strbuf_puts(out, "}");
		comma = ",\n";
	}
	kma_strbuf_puts(out, *comma == '[' ? "[]" : "]");
}

struct kma_err *kma_page_data(const struct kma_chart *chart, struct kma_strbuf *out)
{
	struct kma_page_rows rows;
	struct kma_err *err;

	err = kma_page_rows_init(&rows, chart);
	if (!err) {
		kma_strbuf_puts(out, "{\"format\":\"kmem-account page\",\"version\":1");
		kma_page_facts(&rows, chart, out);
		kma_page_shape(&rows, out);
		kma_page_names(&rows, out);
		kma_page_metrics(&rows, chart->metrics, chart->sides, out);
		kma_page_key(out, "themes");
		err = kma_page_themes(&rows, chart, out);
		kma_strbuf_puts(out, "}\n");
	}
	kma_page_rows_deinit(&rows);
	return err || kma_strbuf_ok(out) ? err : &kma_enomem;
}
