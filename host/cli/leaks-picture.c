// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaks-picture.c - draw the suspects of kmem-account leaks as small multiples.
 */
#include <math.h>
#include <stdlib.h>

#include "leaks-picture.h"
#include "leaks-text.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "lib/units.h"
#include "model/leak-part.h"
#include "model/leak-reasons.h"
#include "model/account.h"
#include "session/charts.h"
#include "view/chart/multiples.h"

/* The panels, and the arrays and texts to which they point. */
struct kma_leaks_panels {
	struct kma_multiple panels[KMA_MULTIPLES_MOST];
	double *times[KMA_MULTIPLES_MOST], *values[KMA_MULTIPLES_MOST];
	char *names[KMA_MULTIPLES_MOST], *verdicts[KMA_MULTIPLES_MOST];
	size_t nr;
};

static bool leaks_is_suspect(const struct kma_leak_row *row)
{
	return row->result.verdict <= KMA_LEAK_FILLING;
}

/* "leak, confidence 0.99: +433.0 KiB an hour, 1 of 100 is never freed" */
static char *leaks_caption(const struct kma_leak_table *table, const struct kma_leak_row *row)
{
	const struct kma_leak_evidence *ev = &row->result.evidence;
	double growth = ev->slope.slope * kma_leaks_unit(table);
	struct kma_strbuf text = { 0 };
	char number[KMA_NUMBER_LEN];

	kma_units_format(number, sizeof(number), fabs(growth), KMA_UNIT_BYTES);
	kma_strbuf_printf(&text, "%s, confidence %.2f: ", kma_leak_verdicts[row->result.verdict],
			  row->result.confidence);
	if (ev->blocks)
		kma_strbuf_printf(&text, "%s%s a%s", growth < 0 ? "-" : "+", number,
				  table->runs ? " run" : "n hour");
	else
		kma_strbuf_puts(&text, "growth unknown");
	if (row->lost) {
		kma_strbuf_printf(&text, ", %llu of %llu lost", (unsigned long long)row->lost,
				  (unsigned long long)row->lost_of);
	} else if (row->result.verdict == KMA_LEAK_LEAK && ev->leaked > 0) {
		kma_strbuf_puts(&text, ", ");
		kma_leak_say_share(ev, true, &text);
	}
	return text.str;
}

static void add_panel(const struct kma_leak_table *table, const struct kma_leak_row *row,
		      const struct kma_leak_series *series, const double *steps,
		      struct kma_leaks_panels *to)
{
	_cleanup_free_ struct kma_leak_sample *samples = NULL;
	const struct kma_leak_evidence *ev = &row->result.evidence;
	size_t nr = kma_leak_series_nr(series), i = to->nr++;

	samples = kma_xcalloc(nr + 1, sizeof(*samples));
	to->times[i] = kma_xcalloc(nr + 1, sizeof(*to->times[i]));
	to->values[i] = kma_xcalloc(nr + 1, sizeof(*to->values[i]));
	to->names[i] = kma_xstrdup(row->label.str ?: "");
	to->verdicts[i] = leaks_caption(table, row);
	kma_leak_series_samples(series, row->site, samples, &nr);
	if (steps)
		nr = kma_leak_part(samples, nr, steps);
	for (size_t n = 0; n < nr; n++) {
		to->times[i][n] = samples[n].time;
		to->values[i][n] = samples[n].live;
	}
	to->panels[i] = (struct kma_multiple){ .name = to->names[i],
					       .verdict = to->verdicts[i],
					       .group = row->result.verdict,
					       .times = to->times[i],
					       .values = to->values[i],
					       .nr = nr,
					       .low_times = ev->times,
					       .low = ev->minima,
					       .nr_low = ev->blocks,
					       .slope = ev->slope.slope,
					       .run = table->runs ? kma_leaks_unit(table) : 0 };
}

static struct kma_err *leaks_write_picture(const struct kma_multiples *multiples,
					   const struct kma_strbuf *tables,
					   const struct kma_chart_options *chart, unsigned int nr)
{
	struct kma_scene scene;
	struct kma_err *err;

	kma_multiples_draw(multiples, &scene);
	err = kma_chart_write_scene(chart, nr, &scene, tables);
	kma_scene_deinit(&scene);
	return err;
}

static struct kma_err *leaks_write_all(const struct kma_leaks_panels *panels,
				       const struct kma_leak_table *table,
				       const struct kma_leak_series *series,
				       const struct kma_text_options *text,
				       const struct kma_chart_options *chart)
{
	_cleanup_strbuf_ struct kma_strbuf tables = { 0 };
	_cleanup_free_ char *subject = NULL, *footer = NULL;
	const struct kma_account *last = kma_leak_series_last(series);
	struct kma_multiples multiples = { .panels = panels->panels,
					   .nr = panels->nr,
					   .title = chart->title ?:
								   "Call sites that may leak memory",
					   .theme = chart->theme };
	struct kma_err *err = NULL;

	subject = kma_xasprintf(
		"live bytes in %zu %s; thick line: minima of blocks of samples; thin line: trend",
		table->samples, kma_plural(table->samples, "sample", "samples"));
	footer = kma_xasprintf(
		"kernel %s: %zu leak, %zu growing, %zu filling of %zu %s",
		(last ? kma_account_note(last, KMA_NOTE_RELEASE) : NULL) ?: "unknown",
		table->counts[KMA_LEAK_LEAK], table->counts[KMA_LEAK_GROWING],
		table->counts[KMA_LEAK_FILLING], table->nr, kma_leaks_word(table, table->nr));
	multiples.subject = subject;
	multiples.footer = footer;
	kma_leaks_write(table, text, KMA_FORMAT_HTML, &tables);
	for (unsigned int i = 0; i < chart->render.nr && !err; i++)
		err = leaks_write_picture(&multiples, &tables, chart, i);
	return err;
}

struct kma_err *kma_leaks_draw(const struct kma_leak_table *table,
			       const struct kma_leak_series *series, const double *steps,
			       const struct kma_text_options *text,
			       const struct kma_chart_options *chart)
{
	size_t most = text->top && text->top < KMA_MULTIPLES_MOST ? text->top : KMA_MULTIPLES_MOST;
	struct kma_leaks_panels panels = { 0 };
	struct kma_err *err;

	for (size_t i = 0; i < table->nr && panels.nr < most; i++)
		if (leaks_is_suspect(&table->rows[i]))
			add_panel(table, &table->rows[i], series, steps, &panels);
	err = leaks_write_all(&panels, table, series, text, chart);
	for (size_t i = 0; i < panels.nr; i++) {
		free(panels.times[i]);
		free(panels.values[i]);
		free(panels.names[i]);
		free(panels.verdicts[i]);
	}
	return err;
}
