// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-facts.c - write the facts about the numbers of a page: the heading, the view that is shown
 * first, and the items of the footer.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lib/cleanup.h"
#include "lib/escape.h"
#include "model/moment.h"
#include "model/regroup.h"
#include "model/unread.h"
#include "page-code.h"
#include "page-facts.h"

/* Writes an item of the footer: a name and a text. */
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

static void kma_page_time(int64_t time, const char *name, struct kma_strbuf *out)
{
	time_t seconds = time;
	char text[32] = "";
	struct tm tm;

	if (time && gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &tm);
	kma_page_fact(out, name, text);
}

/* Writes the number of times, the first and the last. */
static void kma_page_samples(const struct kma_chart_times *times, struct kma_strbuf *out)
{
	const struct kma_chart_time *first = times->at(times->arg, 0);
	const struct kma_chart_time *last = times->at(times->arg, times->nr - 1);
	char text[24];

	snprintf(text, sizeof(text), "%zu", times->nr);
	kma_page_fact(out, "Samples", text);
	kma_page_fact(out, "First", first->name);
	kma_page_time(first->ns / 1000000000, "First time", out);
	kma_page_fact(out, "Last", last->name);
	kma_page_time(last->ns / 1000000000, "Last time", out);
	snprintf(text, sizeof(text), "%zu", times->damaged);
	kma_page_fact(out, "Damaged files", times->damaged ? text : "");
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
	if (chart->groups)
		kma_ungroup_count(chart->account, &nr);
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

/* Writes the events that either side did not count, as "0 before, 12 after". */
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
				strcpy(texts[i], "unknown");
			said |= has;
		}
		snprintf(text, sizeof(text), "%s before, %s after", texts[KMA_BEFORE],
			 texts[KMA_AFTER]);
		kma_page_fact(out, kma_losses[id].title, said ? text : "");
	}
}

/* The page of one account has this as a note. */
static void kma_page_both_unread(const struct kma_chart_sides *sides, struct kma_strbuf *out)
{
	struct kma_unread unread[KMA_NR_SIDES];
	bool lacks = false;
	char text[64];

	for (unsigned int i = 0; i < KMA_NR_SIDES; i++)
		lacks |= kma_unread_of(sides->accounts[i], &unread[i]);
	snprintf(text, sizeof(text), "%" PRIu64 " before, %" PRIu64 " after",
		 unread[KMA_BEFORE].lines, unread[KMA_AFTER].lines);
	kma_page_fact(out, "event lines not read", lacks ? text : "");
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
		kma_page_fact(out, names[i], text.str);
	}
	if (!kma_account_metrics(sides->accounts[KMA_AFTER]))
		return; /* static sizes of built trees: nothing can be lost */
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
	kma_page_both_unread(sides, out);
}

/* Writes how many leaves are combined, so that the page has no rows for them. */
static void kma_page_gathered(const struct kma_page_rows *rows, struct kma_strbuf *out)
{
	char text[24];
	size_t nr = 0;

	for (size_t i = 0; i < rows->nr; i++)
		nr += rows->rows[i].folded;
	snprintf(text, sizeof(text), "%zu", nr);
	kma_page_fact(out, "Combined by --max-nodes", nr ? text : "");
}

/* The page shows times of its own. The lists of a snapshot are for leaks, and have hundreds of names. */
static bool kma_page_has_fact(const char *note)
{
	return strcmp(note, KMA_NOTE_RELEASE) && strcmp(note, KMA_NOTE_BUILD_ID) &&
	       strcmp(note, KMA_NOTE_MODULES) && strcmp(note, KMA_NOTE_RECLAIMABLE) &&
	       !kma_moment_is_note(note);
}

static void kma_page_one(const struct kma_chart *chart, struct kma_strbuf *out)
{
	const char *input = chart->account ? kma_account_name(chart->account) : chart->input;
	const char *name, *value;

	kma_page_fact(out, "Kernel", chart->release);
	kma_page_fact(out, "Build ID", chart->build_id);
	if (chart->times) {
		kma_page_samples(chart->times, out);
	} else {
		kma_page_fact(out, "Input", input ? kma_chart_base(input) : NULL);
		kma_page_time(chart->time, "Time", out);
	}
	kma_page_counts(chart, out);
	for (size_t i = 0; chart->account; i++) {
		name = kma_account_note_at(chart->account, i, &value);
		if (!name)
			break;
		if (kma_page_has_fact(name))
			kma_page_fact(out, name, value);
	}
}

void kma_page_facts(const struct kma_page_rows *rows, const struct kma_chart *chart,
		    struct kma_strbuf *out)
{
	_cleanup_free_ char *branch = kma_node_path(chart->branch);

	kma_page_key(out, "title");
	kma_escape_json(out, kma_chart_title(chart));
	kma_page_key(out, "branch");
	kma_escape_json(out, branch);
	kma_strbuf_printf(out, ",\n\"metric\":\"%s\",\"depth\":%u,\"chart\":\"%s\"",
			  kma_metrics[chart->metric].name, chart->depth,
			  kma_chart_names[chart->kind]);
	kma_strbuf_printf(out, ",\"by\":\"%s\"", kma_chart_bys[chart->key]);
	if (chart->source_url) {
		kma_page_key(out, "source");
		kma_escape_json(out, chart->source_url);
	}
	kma_page_key(out, "facts");
	kma_strbuf_puts(out, "[");
	if (chart->sides)
		kma_page_both(chart, out);
	else
		kma_page_one(chart, out);
	kma_page_gathered(rows, out);
	kma_strbuf_puts(out, "]");
}
