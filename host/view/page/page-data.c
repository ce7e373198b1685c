// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-data.c - write the data of a page as JSON, in columns, so that a page stays small.
 *
 * The nodes of a tree are rows in preorder. These are stored (Documentation/format/page.rst):
 *
 *	shape	one letter for each row: its kind, and how far it is up from a child of the row
 *		before it
 *	names	each starts with a letter for the number of characters that it shares with the name
 *		before it; its offset and size are numbers in columns of their own. Names of
 *		sections are references to a table, because there are few
 *	metrics	a column of numbers for each, only for rows without children, as the script adds up
 *		the others. ":N" means N zeros. In a comparison each side has a column
 *	back	for an account over time: for each earlier time the differences to the time after
 *
 * A metric that is the sum or difference of others, or a little more, in every row and at every
 * time has a reference to these (kma_page_rules), and its column has only the rest. If the rest is
 * 0 everywhere, there is no column. So most metrics cost a few bytes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "lib/escape.h"
#include "model/sampled.h"
#include "page-colours.h"
#include "page-code.h"
#include "page-data.h"
#include "page-facts.h"
#include "page-lines.h"
#include "page-times.h"
#include "page-trees.h"
#include "view/text/view.h"

/* A kind after those of enum kma_node_kind: a row of combined nodes. */
enum { KMA_PAGE_FOLDED = KMA_NODE_NAMED + 1 };

/*
 * Metrics that are a sum or difference of others in most inputs, or a little more in some rows. A
 * term may be such a metric itself, but the rules must not form a cycle.
 */
static const struct kma_page_rule {
	enum kma_metric_id id;
	unsigned int plus, minus; /* sets of metrics */
} kma_page_rules[] = {
	{ KMA_CURRENT, 1U << KMA_REQUESTED | 1U << KMA_WASTE, 0 },
	{ KMA_PEAK, 1U << KMA_CURRENT, 0 },
	{ KMA_OBJECTS, 1U << KMA_ALLOCS, 1U << KMA_FREES },
	{ KMA_STATIC, KMA_STATIC_METRICS & ~(1U << KMA_STATIC), 0 },
	{ KMA_FOOTPRINT, 1U << KMA_STATIC | 1U << KMA_CURRENT, 0 },
};

/*
 * Writes the shape: a letter for the level and the kind of each row. The level is the distance up
 * from a child of the row before; if it is too large for a letter, it is in parentheses before it.
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

/* Most names in the table of sections; other sections are written as names. */
enum { KMA_PAGE_SECTIONS = 32 };

static int kma_page_section(const char *const *table, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(table[i], name))
			return i;
	return -1;
}

/* Finds or adds a section in the table of sections. Returns its index, -1 if the table is full. */
static int kma_page_section_add(const char **table, size_t *nr, const char *name)
{
	int at = kma_page_section(table, *nr, name);

	if (at >= 0 || *nr == KMA_PAGE_SECTIONS)
		return at;
	table[*nr] = name;
	return (*nr)++;
}

static void kma_page_tree_names(const struct kma_page_rows *rows, struct kma_strbuf *out)
{
	const char *sections[KMA_PAGE_SECTIONS];
	struct kma_page_names names;
	size_t nr = 0;

	kma_page_names_begin(&names);
	for (size_t i = 0; i < rows->nr; i++) {
		const struct kma_page_row *row = &rows->rows[i];
		const char *name = row->folded ? "" : row->node->name;
		char sign[16];
		int at = -1;

		if (!row->folded && row->node->kind == KMA_NODE_SECTION)
			at = kma_page_section_add(sections, &nr, name);
		snprintf(sign, sizeof(sign), "~%d", at);
		if (at >= 0)
			kma_page_names_sign(&names, sign);
		else
			kma_page_names_add(&names, name);
	}
	kma_page_key(out, "names");
	kma_page_names_end(&names, out);
	kma_page_key(out, "sections");
	for (size_t i = 0; i < nr; i++) {
		kma_strbuf_puts(out, i ? "," : "[");
		kma_escape_json(out, sections[i]);
	}
	kma_strbuf_puts(out, nr ? "]" : "[]");
}

/* Sum of some metrics of a row; UINT64_MAX if it exceeds 64 bits. */
static uint64_t kma_page_sum(unsigned int set, const struct kma_values *values)
{
	uint64_t sum = 0;

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (set & 1U << id &&
		    __builtin_add_overflow(sum, kma_metrics[id].get(values), &sum))
			return UINT64_MAX;
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

/* The number of a metric in a row minus the sum by the rule; without a rule the number itself. */
struct kma_page_rest {
	enum kma_metric_id id;
	const struct kma_page_rule *rule;
};

static uint64_t kma_page_rest(const void *arg, const struct kma_values *values)
{
	const struct kma_page_rest *rest = arg;
	uint64_t number = kma_metrics[rest->id].get(values);

	if (!rest->rule)
		return number;
	return number + kma_page_sum(rest->rule->minus, values) -
	       kma_page_sum(rest->rule->plus, values);
}

static bool kma_page_suits(const struct kma_page_rule *rule, const struct kma_values *values)
{
	uint64_t plus = kma_page_sum(rule->plus, values);
	uint64_t all = kma_page_sum(rule->minus, values);

	return !__builtin_add_overflow(all, kma_metrics[rule->id].get(values), &all) &&
	       plus <= all && plus != UINT64_MAX;
}

/* Finds the rule of a metric; NULL if it has none, or if a row would have a negative rest. */
static const struct kma_page_rule *kma_page_rule_of(const struct kma_page_rows *rows,
						    const struct kma_page_times *times,
						    unsigned int have, enum kma_metric_id id,
						    unsigned int side)
{
	const struct kma_page_rule *rule = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(kma_page_rules) && !rule; i++)
		if (kma_page_rules[i].id == id)
			rule = &kma_page_rules[i];
	if (!rule || (rule->plus | rule->minus) & ~have)
		return NULL;
	for (size_t i = 0; i < rows->nr; i++)
		if (!kma_page_suits(rule, kma_page_values(&rows->rows[i], side)))
			return NULL;
	for (size_t i = 0; times && i < times->nr * times->nr_leaves; i++)
		if (!kma_page_suits(rule, &times->values[i]))
			return NULL;
	return rule;
}

static bool kma_page_rest_is_none(const struct kma_page_rows *rows,
				  const struct kma_page_times *times,
				  const struct kma_page_rest *rest, unsigned int side)
{
	for (size_t i = 0; i < rows->nr; i++)
		if (rows->rows[i].leaf &&
		    kma_page_rest(rest, kma_page_values(&rows->rows[i], side)))
			return false;
	for (size_t i = 0; times && i < times->nr * times->nr_leaves; i++)
		if (kma_page_rest(rest, &times->values[i]))
			return false;
	return true;
}

static void kma_page_terms_of(const struct kma_page_rule *rule, struct kma_strbuf *out)
{
	const char *comma = "";

	kma_page_key(out, "sum");
	kma_strbuf_puts(out, "{");
	kma_page_terms(out, rule->plus, 1, &comma);
	kma_page_terms(out, rule->minus, -1, &comma);
	kma_strbuf_puts(out, "}");
}

static void kma_page_column(const struct kma_page_rows *rows, const struct kma_page_rest *rest,
			    unsigned int side, struct kma_strbuf *out)
{
	struct kma_page_column column;

	kma_page_key(out, "column");
	column = kma_page_column_begin(out);
	for (size_t i = 0; i < rows->nr; i++)
		if (rows->rows[i].leaf)
			kma_page_column_add(&column,
					    kma_page_rest(rest,
							  kma_page_values(&rows->rows[i], side)));
	kma_page_column_end(&column);
}

/* Writes the numbers of a metric for one side. @times is NULL if the tree has one time. */
static void kma_page_numbers(const struct kma_page_rows *rows, const struct kma_page_times *times,
			     unsigned int have, enum kma_metric_id id, unsigned int side,
			     struct kma_strbuf *out)
{
	const struct kma_page_rest rest = { id, kma_page_rule_of(rows, times, have, id, side) };

	if (rest.rule)
		kma_page_terms_of(rest.rule, out);
	if (rest.rule && kma_page_rest_is_none(rows, times, &rest, side))
		return;
	kma_page_column(rows, &rest, side, out);
	if (times)
		kma_page_times_back(times, kma_page_rest, &rest, out);
}

static const char *const kma_page_units[] = {
	[KMA_UNIT_BYTES] = "bytes",
	[KMA_UNIT_COUNT] = "count",
	[KMA_UNIT_NS] = "ns",
};

static void kma_page_metrics(const struct kma_page_rows *rows, const struct kma_page_times *times,
			     unsigned int have, bool two, struct kma_strbuf *out)
{
	const char *comma = "[\n";

	kma_page_key(out, "metrics");
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		const struct kma_metric *metric = &kma_metrics[id];

		if (!(have & 1U << id))
			continue;
		kma_strbuf_printf(out, "%s{\"name\":\"%s\",\"title\":\"%s\",\"what\":\"%s\",",
				  comma, metric->name, metric->title, metric->what);
		kma_strbuf_printf(out, "\"unit\":\"%s\"", kma_page_units[metric->unit]);
		if (two) {
			kma_strbuf_puts(out, ",\"before\":{");
			kma_page_numbers(rows, times, have, id, KMA_BEFORE, out);
			kma_strbuf_puts(out, "},\n\"after\":{");
			kma_page_numbers(rows, times, have, id, KMA_AFTER, out);
			kma_strbuf_puts(out, "}");
		} else {
			kma_page_numbers(rows, times, have, id, KMA_PAGE_WHOLE, out);
		}
		kma_strbuf_puts(out, "}");
		comma = ",\n";
	}
	kma_strbuf_puts(out, *comma == '[' ? "[]" : "]");
}

/* Writes a tree. A tree of stacks has no lines, because its leaves need not be call sites. */
static struct kma_err *kma_page_tree(const struct kma_page_tree *tree, bool two,
				     struct kma_strbuf *out)
{
	struct kma_page_times times;

	kma_page_times_init(&times, &tree->rows, tree->times);
	kma_page_times_points(&times, out);
	kma_page_shape(&tree->rows, out);
	kma_page_tree_names(&tree->rows, out);
	kma_page_metrics(&tree->rows, &times, tree->metrics, two, out);
	kma_page_times_deinit(&times);
	return kma_chart_keys[tree->by].stacks ? NULL : kma_page_lines(&tree->rows, out);
}

/* Starts the object of a tree by another key, or of the keys of the first tree's leaves. */
static void kma_page_by(enum kma_chart_by by, const char *title, unsigned int metrics,
			const char *comma, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };

	kma_strbuf_printf(&text, "%s%s", title,
			  metrics & KMA_SAMPLED_METRICS ? " (estimates)" : "");
	kma_strbuf_puts(out, comma);
	kma_strbuf_puts(out, "{");
	kma_page_key(out, "by");
	kma_escape_json(out, kma_chart_bys[by]);
	kma_page_key(out, "title");
	kma_escape_json(out, text.str ?: "");
}

static void kma_page_group(const struct kma_page_groups *groups, struct kma_strbuf *out)
{
	struct kma_page_column column;
	struct kma_page_names names;

	kma_page_names_begin(&names);
	for (size_t i = 0; i < groups->nr; i++)
		kma_page_names_add(&names, groups->names[i]);
	kma_page_key(out, "names");
	kma_page_names_end(&names, out);
	kma_page_key(out, "of");
	column = kma_page_column_begin(out);
	for (size_t i = 0; i < groups->nr_leaves; i++)
		kma_page_column_add(&column, groups->of[i]);
	kma_page_column_end(&column);
}

static struct kma_err *kma_page_trees(const struct kma_page_trees *trees, struct kma_strbuf *out)
{
	struct kma_err *err = NULL;

	kma_page_key(out, "trees");
	kma_strbuf_puts(out, "[");
	for (size_t i = 1; i < trees->nr && !err; i++) {
		kma_page_by(trees->trees[i].by, kma_chart_keys[trees->trees[i].by].title,
			    trees->trees[i].metrics, i > 1 ? ",\n" : "", out);
		err = kma_page_tree(&trees->trees[i], false, out);
		kma_strbuf_puts(out, "}");
	}
	kma_strbuf_puts(out, "]");
	return err;
}

static void kma_page_all_groups(const struct kma_page_trees *trees, struct kma_strbuf *out)
{
	kma_page_key(out, "groups");
	kma_strbuf_puts(out, "[");
	for (size_t i = 0; i < trees->nr_groups; i++) {
		kma_page_by(trees->groups[i].by, kma_chart_keys[trees->groups[i].by].title, 0,
			    i ? ",\n" : "", out);
		kma_page_group(&trees->groups[i], out);
		kma_strbuf_puts(out, "}");
	}
	kma_strbuf_puts(out, "]");
}

/* Without a kernel the rows of the first tree are call sites, not directories. */
static void kma_page_main(const struct kma_page_tree *first, bool has_source,
			  struct kma_strbuf *out)
{
	bool sites = first->by == KMA_CHART_BY_DIR && !has_source;

	kma_page_key(out, "main");
	kma_page_by(first->by, sites ? "call site" : kma_chart_keys[first->by].title,
		    first->metrics, "", out);
	kma_strbuf_puts(out, "}");
}

static struct kma_err *kma_page_content(const struct kma_page_trees *trees,
					const struct kma_chart *chart, struct kma_strbuf *out)
{
	const struct kma_page_tree *first = &trees->trees[0];
	struct kma_err *err;

	kma_page_facts(&first->rows, chart, out);
	err = kma_page_tree(first, chart->sides, out);
	if (err)
		return err;
	kma_page_main(first, chart->has_source, out);
	err = kma_page_trees(trees, out);
	if (err)
		return err;
	kma_page_all_groups(trees, out);
	kma_page_key(out, "themes");
	return kma_page_themes(trees, chart, out);
}

struct kma_err *kma_page_data(const struct kma_chart *chart, struct kma_strbuf *out)
{
	struct kma_page_trees trees;
	struct kma_err *err;

	err = kma_page_trees_init(&trees, chart);
	if (!err) {
		kma_strbuf_puts(out, "{\"format\":\"kmem-account page\",\"version\":4");
		err = kma_page_content(&trees, chart, out);
		kma_strbuf_puts(out, "}\n");
	}
	kma_page_trees_deinit(&trees);
	return err;
}
