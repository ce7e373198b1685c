// SPDX-License-Identifier: GPL-2.0-only
/*
 * folded.c - write an account as folded stacks for flamegraph.pl and related tools: a line for each
 * stack, "fs;inode.c;alloc_inode 1024", sorted. In a comparison, each line has two numbers, before
 * and after, as difffolded.pl writes them.
 *
 * In names, semicolons, line breaks and other characters without a glyph are replaced, because the
 * format has no escapes.
 */
#include <inttypes.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/escape.h"
#include "lib/texts.h"
#include "places.h"
#include "stack.h"

/* Index of a number of a stack: of the older or the newer account. */
enum { KMA_FOLDED_BEFORE, KMA_FOLDED_AFTER, KMA_FOLDED_NR };

struct kma_folded {
	const struct kma_export *export;
	regex_t wrappers;
	struct kma_texts lines;		   /* the stacks as texts */
	uint64_t (*values)[KMA_FOLDED_NR]; /* numbers of each stack, by its number */
	size_t alloc;
};

static void put_stack(const struct kma_graph_stack *stack, struct kma_strbuf *out)
{
	for (unsigned int i = 0; i < stack->nr; i++) {
		const char *name = stack->frames[i].function;
		size_t begin;

		if (i)
			kma_strbuf_puts(out, ";");
		begin = out->len;
		kma_escape_plain(out, *name ? name : "?");
		for (size_t k = begin; k < out->len; k++)
			if (out->str[k] == ';')
				out->str[k] = ':';
	}
}

static struct kma_err *add_account(struct kma_folded *folded, const struct kma_account *account,
				   struct kma_source *source, unsigned int side)
{
	_cleanup_(kma_places_deinit) struct kma_export_sites sites = { 0 };
	_cleanup_(kma_graph_stack_deinit) struct kma_graph_stack stack = { 0 };
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	const struct kma_export *export = folded->export;
	struct kma_err *err;

	err = kma_places_find(account, source, export->hide_addresses, &sites);
	if (err)
		return err;
	for (size_t i = 0; i < sites.nr_samples; i++) {
		const struct kma_export_sample *sample = &sites.samples[i];
		uint64_t value = kma_metrics[export->metric].get(sample->values);
		uint32_t line;

		if (!value)
			continue;
		kma_graph_stack_make(export, sample, &folded->wrappers, &sites.arena, &stack);
		text.len = 0;
		put_stack(&stack, &text);
		line = kma_texts_add(&folded->lines, text.str);
		kma_array_reach(folded->values, folded->alloc, line);
		folded->values[line][side] += value;
	}
	return NULL;
}

static int text_order(const void *a, const void *b, void *arg)
{
	const struct kma_folded *folded = arg;

	return strcmp(kma_texts_get(&folded->lines, *(const size_t *)a),
		      kma_texts_get(&folded->lines, *(const size_t *)b));
}

static void print_lines(struct kma_folded *folded, struct kma_strbuf *out)
{
	_cleanup_free_ size_t *order = kma_xcalloc(folded->lines.map.nr + 1, sizeof(*order));

	for (size_t i = 0; i < folded->lines.map.nr; i++)
		order[i] = i;
	qsort_r(order, folded->lines.map.nr, sizeof(*order), text_order, folded);
	for (size_t i = 0; i < folded->lines.map.nr; i++) {
		const uint64_t *values = folded->values[order[i]];

		kma_strbuf_puts(out, kma_texts_get(&folded->lines, order[i]));
		if (folded->export->before)
			kma_strbuf_printf(out, " %" PRIu64, values[KMA_FOLDED_BEFORE]);
		kma_strbuf_printf(out, " %" PRIu64 "\n", values[KMA_FOLDED_AFTER]);
	}
}

static struct kma_err *write_folded(const struct kma_export *export, struct kma_strbuf *out)
{
	struct kma_folded folded = { .export = export };
	struct kma_err *err = NULL;

	kma_wrappers_compile(&folded.wrappers);
	if (export->before)
		err = add_account(&folded, export->before, export->before_source,
				  KMA_FOLDED_BEFORE);
	if (!err)
		err = add_account(&folded, export->account, export->source, KMA_FOLDED_AFTER);
	if (!err)
		print_lines(&folded, out);
	regfree(&folded.wrappers);
	kma_texts_deinit(&folded.lines);
	free(folded.values);
	return err;
}

const struct kma_export_format kma_export_folded = {
	.name = "folded",
	.what = "folded stacks for flamegraph.pl; two inputs give their difference",
	.compares = true,
	.one_metric = true,
	.stacks = true,
	.roots = true,
	.write = write_folded,
};
