// SPDX-License-Identifier: GPL-2.0-only
/*
 * seed.c - write the text files of trace_analyze.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/escape.h"
#include "model/account.h"
#include "seed.h"

struct kma_seed_row {
	const struct kma_node *node; /* the caller */
	struct kma_values values;    /* numbers by the rules of the script */
	char *text;		     /* text in the output */
};

struct kma_seed_rows {
	struct kma_seed_row *rows;
	size_t nr;
	size_t alloc;
	struct kma_values sum;
};

/* Bytes of one number of a line with its zero; "-" if the input does not have the number. */
#define KMA_CELL 24

static void seed_rows_deinit(struct kma_seed_rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		free(rows->rows[i].text);
	free(rows->rows);
}

/* Returns a caller without the size of its function: alloc_inode+0x4f. To be freed. */
static char *seed_short(const char *caller)
{
	_cleanup_free_ char *pieces = kma_xstrdup(caller);
	struct kma_site site;

	kma_site_parse(pieces, &site);
	if (!site.symbol)
		return kma_xstrdup(caller);
	return kma_xasprintf("%s+0x%" PRIx64 "%s%s%s", site.symbol, site.offset,
			     site.module ? " [" : "", site.module ?: "", site.module ? "]" : "");
}

/*
 * The numbers of a caller without the frees of objects whose allocation the input does not have.
 * Each of the caller's other objects was allocated and is either live or freed. Pages may be freed
 * in parts, so more parts may be freed or live than were allocated; the frees of such a caller are
 * kept.
 */
static struct kma_values seed_values(const struct kma_seed *seed, const struct kma_node *node)
{
	struct kma_values values = *node->values;

	if (seed->drops_unknown && values.objects <= values.allocs &&
	    values.allocs - values.objects < values.frees)
		values.frees = values.allocs - values.objects;
	return values;
}

static void seed_add(struct kma_seed_rows *rows, const struct kma_seed *seed,
		     const struct kma_node *node)
{
	struct kma_values values = seed_values(seed, node);

	/* The caller only freed unknown objects: it has no line. */
	if (seed->drops_unknown && !values.allocs && !values.objects)
		return;
	kma_array_room(rows->rows, rows->nr, rows->alloc);
	rows->rows[rows->nr++] = (struct kma_seed_row){ node, values, seed_short(node->name) };
	kma_values_add(&rows->sum, &values);
}

static void seed_walk(struct kma_seed_rows *rows, const struct kma_seed *seed,
		      const struct kma_node *node)
{
	if (node->kind == KMA_NODE_CALLER) {
		seed_add(rows, seed, node);
		return;
	}
	for (size_t i = 0; i < node->nr_children; i++)
		seed_walk(rows, seed, node->children[i]);
}

static int cmp_text(const void *a, const void *b)
{
	const struct kma_seed_row *x = a, *y = b;

	return strcmp(x->text, y->text);
}

static int cmp_caller(const void *a, const void *b)
{
	const struct kma_node *x = ((const struct kma_seed_row *)a)->node;
	const struct kma_node *y = ((const struct kma_seed_row *)b)->node;

	return strcmp(x->name, y->name) ?: (x->parent > y->parent) - (x->parent < y->parent);
}

/* Joins the rows of a caller that allocates by kmalloc and from a cache, which has two nodes. */
static void seed_join(struct kma_seed_rows *rows)
{
	size_t nr = 0;

	if (rows->nr)
		qsort(rows->rows, rows->nr, sizeof(*rows->rows), cmp_caller);
	for (size_t i = 0; i < rows->nr; i++) {
		if (nr && !cmp_caller(&rows->rows[nr - 1], &rows->rows[i])) {
			kma_values_add(&rows->rows[nr - 1].values, &rows->rows[i].values);
			free(rows->rows[i].text);
		} else {
			rows->rows[nr++] = rows->rows[i];
		}
	}
	rows->nr = nr;
}

/* Returns the file of a caller, or its row in brackets; "-" if no kernel was given. To be freed. */
static char *seed_place(const struct kma_node *node)
{
	return node->parent->parent ? kma_node_path(node->parent) : kma_xstrdup("-");
}

/* Adds to the text of a caller that has the same text as another caller. */
static void seed_extend(struct kma_seed_row *row, bool with_place)
{
	_cleanup_free_ char *place = seed_place(row->node);
	char *text;

	if (!with_place || !strcmp(place, "-"))
		text = kma_xstrdup(row->node->name);
	else
		text = kma_xasprintf("%s %s", row->node->name, place);
	free(row->text);
	row->text = text;
}

static void seed_tell_apart(struct kma_seed_rows *rows, bool with_place)
{
	size_t end;

	if (rows->nr)
		qsort(rows->rows, rows->nr, sizeof(*rows->rows), cmp_text);
	for (size_t i = 0; i < rows->nr; i = end) {
		bool differ = !with_place;

		for (end = i + 1; end < rows->nr; end++) {
			if (strcmp(rows->rows[i].text, rows->rows[end].text))
				break;
			differ |= rows->rows[i].node->parent != rows->rows[end].node->parent;
		}
		for (size_t k = i; differ && end - i > 1 && k < end; k++)
			seed_extend(&rows->rows[k], with_place);
	}
}

static int cmp_order(const void *a, const void *b, void *arg)
{
	const struct kma_seed_row *x = a, *y = b;
	const struct kma_metric *metric = arg;
	int cmp = metric->compare(&x->values, &y->values);

	return cmp ? cmp : strcmp(x->text, y->text);
}

static void seed_rows_init(struct kma_seed_rows *rows, const struct kma_seed *seed)
{
	memset(rows, 0, sizeof(*rows));
	seed_walk(rows, seed, seed->branch);
	/* /proc/allocinfo, which counts no frees, may have two lines for one caller. */
	if (seed->metrics & 1U << KMA_FREES)
		seed_join(rows);
	seed_tell_apart(rows, false);
	seed_tell_apart(rows, true);
	if (rows->nr)
		qsort_r(rows->rows, rows->nr, sizeof(*rows->rows), cmp_order,
			(void *)&kma_metrics[seed->order]);
}

static char *seed_cell(const struct kma_seed *seed, enum kma_metric_id id,
		       const struct kma_values *values, char *buf)
{
	if (seed->metrics & 1U << id)
		snprintf(buf, KMA_CELL, "%" PRIu64, kma_metrics[id].get(values));
	else
		strcpy(buf, "-");
	return buf;
}

static void seed_header(const struct kma_seed *seed, const struct kma_seed_rows *rows,
			struct kma_strbuf *out)
{
	static const struct {
		const char *key;
		enum kma_metric_id id;
	} lines[] = {
		{ "current bytes allocated:", KMA_CURRENT },
		{ "current bytes requested:", KMA_REQUESTED },
		{ "current wasted bytes:", KMA_WASTE },
		{ "number of allocs:", KMA_ALLOCS },
		{ "number of frees:", KMA_FREES },
	};
	char cell[KMA_CELL];

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		kma_strbuf_printf(out, "%-24s %10s\n", lines[i].key,
				  seed_cell(seed, lines[i].id, &rows->sum, cell));
	kma_strbuf_printf(out, "%-24s %10zu\n\n", "number of callers:", rows->nr);
	kma_strbuf_puts(out, "   total    waste      net alloc/free  caller\n"
			     "---------------------------------------------\n");
}

void kma_seed_account(const struct kma_seed *seed, struct kma_strbuf *out)
{
	struct kma_seed_rows rows;

	seed_rows_init(&rows, seed);
	seed_header(seed, &rows, out);
	for (size_t i = 0; i < rows.nr; i++) {
		const struct kma_values *values = &rows.rows[i].values;
		char total[KMA_CELL], waste[KMA_CELL], net[KMA_CELL], alloc[KMA_CELL],
			freed[KMA_CELL];

		kma_strbuf_printf(out, "%8s %8s %8s %5s/%-5s ",
				  seed_cell(seed, KMA_TOTAL, values, total),
				  seed_cell(seed, KMA_WASTE, values, waste),
				  seed_cell(seed, KMA_CURRENT, values, net),
				  seed_cell(seed, KMA_ALLOCS, values, alloc),
				  seed_cell(seed, KMA_FREES, values, freed));
		kma_escape_plain(out, rows.rows[i].text);
		kma_strbuf_puts(out, "\n");
	}
	seed_rows_deinit(&rows);
}

void kma_seed_callers(const struct kma_seed *seed, struct kma_strbuf *out)
{
	struct kma_seed_rows rows;

	seed_rows_init(&rows, seed);
	for (size_t i = 0; i < rows.nr; i++) {
		_cleanup_strbuf_ struct kma_strbuf text = { 0 };
		_cleanup_free_ char *place = seed_place(rows.rows[i].node);
		const struct kma_seed_row *row = &rows.rows[i];
		char net[KMA_CELL], waste[KMA_CELL];

		kma_escape_plain(&text, row->text);
		kma_strbuf_printf(out, "%-60s %-8s %-8s ", text.str ?: "",
				  seed_cell(seed, KMA_CURRENT, &row->values, net),
				  seed_cell(seed, KMA_WASTE, &row->values, waste));
		kma_escape_plain(out, place);
		kma_strbuf_puts(out, "\n");
	}
	seed_rows_deinit(&rows);
}
