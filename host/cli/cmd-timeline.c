// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-timeline.c - kmem-account timeline: live bytes of an event log or of a history directory over
 * time.
 *
 * The input becomes samples: the live bytes of each call site at each time. The
 * tree of owners is built once, of all call sites. For each sample the numbers of the sites are
 * replaced and rows are made of the tree, in the same order each time. The result is a matrix of
 * owners and samples, 8 bytes for each cell, from which the owners with the highest peaks are kept
 * and the others are added up.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd.h"
#include "input/input.h"
#include "input/progress.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "lib/unpack.h"
#include "model/account.h"
#include "model/filter.h"
#include "model/loss-series.h"
#include "model/moment.h"
#include "model/numbers.h"
#include "model/regroup.h"
#include "open/open.h"
#include "open/refuse.h"
#include "reader/log-sites.h"
#include "rows.h"
#include "session/charts.h"
#include "session/load.h"
#include "session/options.h"
#include "store/history.h"
#include "tree/node.h"
#include "view/chart/chart.h"
#include "view/chart/timeline.h"
#include "view/text/rows.h"

/*
 * Live bytes of each call site of an account at several times. It is filled from an
 * event log or from a history directory.
 *
 * Sites have numbers, which the code that fills the timeline assigns as sites appear. A sample has
 * the bytes of those numbers that were assigned at its time; a site with a higher number had no
 * bytes. It takes 8 bytes for each of these sites.
 *
 * Locking: none; one thread.
 */

struct kma_timeline_sample {
	uint64_t *bytes; /* live bytes, by number of the site */
	uint32_t nr;	 /* elements of @bytes */
	uint64_t ns;	 /* time since the start of the log, or since 1970 */
	uint64_t lost;	 /* events lost up to this time */
	bool begins;	 /* the sample is of another boot or account than the one before */
};

struct kma_timeline {
	struct kma_account *account;	     /* its sites are the rows */
	uint32_t *rows;			     /* for each row, the number of its site */
	struct kma_timeline_sample *samples; /* in the order of time */
	size_t nr, room;
	bool clock; /* times are since 1970 */
};

/* Destroys its account, too. @timeline is from calloc(), complete or not; NULL is fine. */
static void timeline_destroy(struct kma_timeline *timeline)
{
	if (!timeline)
		return;
	for (size_t i = 0; i < timeline->nr; i++)
		free(timeline->samples[i].bytes);
	free(timeline->samples);
	free(timeline->rows);
	kma_account_destroy(timeline->account);
	free(timeline);
}

/*
 * Adds a sample in which all sites have 0 bytes; valid until the next one is added. @nr is above
 * all numbers of sites at that time.
 */
static struct kma_timeline_sample *timeline_add(struct kma_timeline *timeline, uint32_t nr,
						uint64_t ns)
{
	struct kma_timeline_sample sample = { .nr = nr, .ns = ns };

	kma_array_room(timeline->samples, timeline->nr, timeline->room);
	sample.bytes = kma_xcalloc(nr + 1, sizeof(*sample.bytes));
	timeline->samples[timeline->nr++] = sample;
	return &timeline->samples[timeline->nr - 1];
}

/* @point is the index of the sample, @row that of the site in the account. */
static uint64_t timeline_bytes(const struct kma_timeline *timeline, size_t point, size_t row)
{
	const struct kma_timeline_sample *sample = &timeline->samples[point];
	uint32_t site = timeline->rows[row];

	return site < sample->nr ? sample->bytes[site] : 0;
}

/*
 * Live bytes of each call site of an event log, over time.
 *
 * The length of a log is unknown until it was read. Samples therefore start one microsecond apart.
 * Whenever there are twice as many as requested, every second one is dropped and the interval
 * doubles. All remaining samples are at equal distances, except the last one, which is at the end
 * of the log. A sample has 8 bytes for each call site that was known at its time.
 *
 * Locking: none; one thread.
 */

#define KMA_TIMELINE_STEP 1000 /* first interval, ns */

/* State while a log is read. */
struct kma_log_timeline {
	struct kma_timeline *timeline;
	size_t most;	     /* samples before every second one is dropped */
	uint64_t from, step; /* start, ns since the log began; interval between samples, ns */
	uint64_t next;	     /* time of the next sample, ns since the log began */
	struct kma_intern *intern;
	struct kma_ledger *ledger;
	struct kma_log *log;
	struct kma_log_sites *sites;
};

/* Drop every second sample and double the interval. The first sample stays. */
static void timeline_thin(struct kma_log_timeline *t)
{
	struct kma_timeline *to = t->timeline;
	size_t kept = 0;

	for (size_t i = 0; i < to->nr; i++) {
		if (i % 2)
			free(to->samples[i].bytes);
		else
			to->samples[kept++] = to->samples[i];
	}
	to->nr = kept;
	t->step *= 2;
}

static void timeline_sample(struct kma_log_timeline *t, uint64_t ns)
{
	struct kma_timeline_sample *sample;

	sample = timeline_add(t->timeline, kma_intern_count(t->intern), ns);
	for (uint32_t i = 0; i < sample->nr; i++)
		sample->bytes[i] = kma_ledger_current(t->ledger, i);
	sample->lost = kma_log_lost(kma_log_sums(t->log));
}

/* Take all samples that are due before an event at @ns. */
static void timeline_catch_up(struct kma_log_timeline *t, uint64_t ns)
{
	while (t->next <= ns) {
		const struct kma_timeline *to = t->timeline;

		if (to->nr == t->most)
			timeline_thin(t);
		/* Dropping may have removed the last sample, so the next one is due earlier. */
		t->next = to->nr ? to->samples[to->nr - 1].ns + t->step : t->from;
		if (t->next > ns)
			break;
		timeline_sample(t, t->next);
		t->next += t->step;
	}
}

/* Time since the start of the log; a corrupt log may have earlier events. */
static uint64_t timeline_since(const struct kma_log_timeline *t, uint64_t time)
{
	uint64_t start = kma_log_head(t->log)->start;

	return time < start ? 0 : time - start;
}

static void timeline_take(struct kma_log_timeline *t, const struct kma_log_item *item)
{
	struct kma_event event;
	uint32_t site;

	timeline_catch_up(t, timeline_since(t, item->time));
	kma_log_sites_find(t->sites, item, &site);
	if (item->type > KMA_LOG_ITEM_FREE)
		return;
	kma_log_event(item, site, &event);
	kma_ledger_book(t->ledger, &event, 1);
}

static void timeline_rows(struct kma_log_timeline *t)
{
	struct kma_timeline *to = t->timeline;
	size_t nr;

	kma_account_sites(to->account, &nr);
	to->rows = kma_xcalloc(nr + 1, sizeof(*to->rows));
	for (size_t i = 0; i < nr; i++)
		to->rows[i] = kma_log_sites_row(t->sites, i);
}

static void timeline_items(struct kma_log_timeline *t)
{
	const struct kma_log_item *item;
	uint64_t end;

	while (kma_log_next(t->log, &item))
		timeline_take(t, item);
	/* A log without events: kma_log_sites_fill() returns the error. */
	if (!kma_ledger_booked(t->ledger))
		return;
	/* The last sample includes the last event. */
	end = timeline_since(t, kma_log_sums(t->log)->last) + 1;
	timeline_catch_up(t, end);
	if (!t->timeline->nr || t->timeline->samples[t->timeline->nr - 1].ns < end)
		timeline_sample(t, end);
}

static struct kma_err *timeline_run(struct kma_log_timeline *t, struct kma_input *input)
{
	const struct kma_interval *interval = kma_input_interval(input);
	struct kma_err *err;

	err = kma_log_open(input, NULL, NULL, &t->log);
	if (err)
		return err;
	kma_log_interval(t->log, interval);
	t->from = t->next = interval->is ? interval->from : 0;
	t->step = KMA_TIMELINE_STEP;
	t->intern = kma_intern_new();
	t->ledger = kma_ledger_create(t->intern);
	t->sites = kma_log_sites_create(t->log, t->intern, input);
	timeline_items(t);
	t->timeline->account = kma_account_create(kma_input_name(input));
	err = kma_log_sites_fill(t->sites, t->ledger, t->timeline->account);
	if (err)
		return err;
	timeline_rows(t);
	return NULL;
}

/*
 * Samples the interval of an input of which nothing was consumed. A long log has @points samples or
 * up to twice as many, and one more at its end; a short one may have fewer. Times are ns since the
 * log began, and a sample includes all events before its time. @ret is unchanged after an error.
 */
static struct kma_err *timeline_read(struct kma_input *input, unsigned int points,
				     struct kma_timeline **ret)
{
	struct kma_log_timeline t = { .most = 2 * (size_t)points };
	struct kma_err *err;

	t.timeline = kma_xcalloc(1, sizeof(*t.timeline));
	err = timeline_run(&t, input);
	kma_log_sites_destroy(t.sites);
	kma_ledger_destroy(t.ledger);
	kma_intern_destroy(t.intern);
	kma_log_close(t.log);
	if (err) {
		timeline_destroy(t.timeline);
		return err;
	}
	*ret = t.timeline;
	return NULL;
}

/*
 * Read the live bytes of each call site over time from a history directory.
 * The part above does so from an event log.
 *
 * Each sample of the history is a sample of the timeline. The samples may be of several boots. Two
 * samples have the same site if its text, its kind and its group are equal.
 */

/* State of reading a history. */
struct kma_past_reading {
	const char *path;
	struct kma_timeline *timeline;
	struct kma_numbers *numbers; /* numbers of the sites, from their texts */
	struct kma_account *last;    /* the account of the previous sample, or NULL */
	struct kma_loss_series losses[KMA_NR_LOSSES];
};

/* Adds a sample. A new site gets the next number and is added to the timeline's account. */
static struct kma_err *past_fill(struct kma_past_reading *reading,
				 const struct kma_account *account, uint64_t ns)
{
	struct kma_timeline_sample *sample;
	const struct kma_site *sites;
	const uint32_t *numbers;
	struct kma_err *err;
	size_t nr;

	err = kma_numbers_gather(reading->numbers, account, reading->timeline->account, &numbers);
	if (err)
		return err;
	sample = timeline_add(reading->timeline, kma_numbers_count(reading->numbers), ns);
	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++)
		sample->bytes[numbers[i]] += sites[i].values.current;
	return NULL;
}

static void past_losses(struct kma_past_reading *reading, const struct kma_account *account,
			bool begins)
{
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++) {
		uint64_t events;
		bool said = kma_account_loss(account, id, &events);

		kma_loss_series_add(&reading->losses[id], said, events, begins);
		if (said)
			kma_account_set_loss(reading->timeline->account, id,
					     reading->losses[id].all);
	}
}

/* Takes over the account of a sample. */
static struct kma_err *past_take(struct kma_past_reading *reading, struct kma_account *account)
{
	struct kma_timeline *timeline = reading->timeline;
	uint64_t ns = timeline->nr ? timeline->samples[timeline->nr - 1].ns : 0;
	struct kma_timeline_sample *sample;
	struct kma_moment moment, before;
	struct kma_err *err;

	if (!timeline->account) {
		timeline->account = kma_account_create(reading->path);
		kma_account_copy_head(account, timeline->account);
	}
	/* a clock that was set back does not move the chart back */
	if (kma_moment_of(account, &moment) && moment.time > ns)
		ns = moment.time;
	err = past_fill(reading, account, ns);
	if (err) {
		kma_account_destroy(account);
		return err;
	}
	sample = &timeline->samples[timeline->nr - 1];
	sample->begins = reading->last && kma_moment_of(account, &moment) &&
			 kma_moment_of(reading->last, &before) &&
			 !kma_moment_same(&moment, &before);
	past_losses(reading, account, sample->begins);
	sample->lost = reading->losses[KMA_LOSS_NOT_RECORDED].since;
	kma_account_destroy(reading->last);
	reading->last = account;
	return NULL;
}

static void past_deinit(struct kma_past_reading *reading)
{
	kma_numbers_destroy(reading->numbers);
	kma_account_destroy(reading->last);
	timeline_destroy(reading->timeline);
}

/* Read the samples of an interval. */
static struct kma_err *past_timeline_read(struct kma_series *series, struct kma_timeline **ret)
{
	_cleanup_(past_deinit) struct kma_past_reading reading = { .path = series->ref.path };
	struct kma_account *account;
	struct kma_err *err;

	reading.numbers = kma_numbers_create("use a shorter interval with --from and --to");
	series->wish.all = true;
	/* a call site without live bytes is not in the picture, but its group may be */
	series->wish.need.metrics = series->wish.groups ? KMA_SERIES_COUNTS :
							  1U << KMA_CURRENT | 1U << KMA_REQUESTED |
								  1U << KMA_OBJECTS;
	reading.timeline = kma_xcalloc(1, sizeof(*reading.timeline));
	for (;;) {
		err = kma_series_next(series, &account);
		if (err)
			return err;
		if (!account)
			break;
		err = past_take(&reading, account);
		if (err)
			return err;
	}
	err = kma_numbers_finish(reading.numbers, reading.timeline->account,
				 &reading.timeline->rows);
	if (err)
		return err;
	reading.timeline->clock = true;
	*ret = reading.timeline;
	reading.timeline = NULL;
	return NULL;
}

#define KMA_TIMELINE_TOP 12

/* The keys that a history does not have, and those that an event log does not have. */
#define NOT_IN_HISTORY (1U << KMA_KEY_STACK | 1U << KMA_KEY_ROOT)
#define NOT_IN_LOG     (NOT_IN_HISTORY | 1U << KMA_KEY_NODE)

struct timeline_args {
	struct kma_load_options load; /* its account is the log or the history */
	struct kma_text_options text;
	struct kma_chart_options chart;
	const char *from, *to;
	unsigned long points; /* about how many samples to show */
};

#define KMA_ARGS struct timeline_args

/* clang-format off */
static const struct kma_option options[] = {
	KMA_OPTION_HEADING("Input"),
	KMA_ROW_LOG(load.account),
	KMA_ROWS_TIMES(from, to, KMA_HELP_FROM, KMA_HELP_TO),
	{ "points", .arg = "N", TO(COUNT, points), .min = 2, .max = 100000, .unit = "samples",
	  .help = "show N to 2*N samples, or all if there are fewer (default 250)" },
	KMA_OPTION_HEADING("Kernel"),
	KMA_ROWS_KERNEL_OWNERS(load.kernel),
	KMA_OPTION_HEADING("Call sites"),
	KMA_ROW_BRANCH(load.branch),
	KMA_ROWS_ONLY(load.only),
	KMA_OPTION_HEADING("Rows"),
	KMA_ROW_BY(load),
	KMA_ROW_TOP_OTHER(text),
	KMA_ROW_DEPTH(load.depth),
	KMA_OPTION_HEADING("Output"),
	{ "format", .arg = "FORMAT", TO_NAME(text.format, kma_format_names), .given = AT(text.has_format),
	  .min = KMA_FORMAT_CSV, .help = "write csv (default) or json" },
	{ "csv-safe", TO(FLAG, text.csv_safe),
	  .help = "with --format csv: keep spreadsheets from reading names as formulas" },
	KMA_ROW_OUTPUT(text.output),
	KMA_ROWS_CURVES(chart),
	KMA_ROWS_END(load.quiet),
};
/* clang-format on */

/* The state of a run. */
struct kma_tl {
	const struct timeline_args *args;
	struct kma_timeline *timeline; /* the samples */
	struct kma_loaded loaded;      /* the account with all call sites, and its tree */
	struct kma_keys by;	       /* what an owner is */
	size_t points, owners;	       /* number of samples, of owners */
	uint64_t *ns;		       /* time of each sample */
	uint64_t *bytes;	       /* [owner * points + sample] */
	char **names;		       /* of the owners */
	struct kma_curves_mark *marks; /* losses, gaps and restarts before each sample */
	struct kma_curves series;      /* the same as a view needs it */
};

static struct kma_err *tl_join(struct kma_tl *tl)
{
	/* loaded takes the account over: kma_unload() frees it */
	tl->loaded.account = tl->timeline->account;
	tl->timeline->account = NULL;
	kma_load_warn(tl->loaded.account);
	return kma_load_kernel(&tl->args->load, &tl->loaded);
}

static void tl_rows(struct kma_tl *tl, size_t point, struct kma_rows *rows)
{
	size_t nr;

	kma_account_sites(tl->loaded.account, &nr);
	for (size_t i = 0; i < nr; i++)
		kma_account_use_values(
			tl->loaded.account, i,
			&(struct kma_values){ .current = timeline_bytes(tl->timeline, point, i) });
	kma_node_roll_up(tl->loaded.kernel.root);
	kma_rows_init(rows, tl->loaded.branch, &tl->by, tl->args->load.depth);
}

/* Adds one sample to the matrix. The rows of the tree are in the same order for each sample. */
static void tl_sample(struct kma_tl *tl, size_t point)
{
	bool labels = kma_keys_are(&tl->by, KMA_KEY_CALLER);
	struct kma_rows rows;

	tl_rows(tl, point, &rows);
	if (!point) {
		tl->owners = rows.nr;
		tl->bytes = kma_xcalloc(rows.nr * tl->points + 1, sizeof(*tl->bytes));
		tl->names = kma_xcalloc(rows.nr + 2, sizeof(*tl->names));
	}
	for (size_t i = 0; i < rows.nr; i++) {
		const struct kma_row *row = &rows.rows[i];

		tl->bytes[i * tl->points + point] = row->values->current;
		if (!point)
			tl->names[i] = kma_xstrdup(labels && row->label ? row->label : row->key);
	}
	kma_rows_deinit(&rows);
}

struct kma_tl_owner {
	uint64_t peak;
	size_t row;
	const char *name;
};

static int tl_compare(const void *a, const void *b)
{
	const struct kma_tl_owner *x = a, *y = b;

	if (x->peak != y->peak)
		return x->peak < y->peak ? 1 : -1;
	return strcmp(x->name, y->name);
}

static struct kma_tl_owner *tl_order(const struct kma_tl *tl)
{
	struct kma_tl_owner *order = kma_xcalloc(tl->owners + 1, sizeof(*order));

	for (size_t i = 0; i < tl->owners; i++) {
		order[i].row = i;
		order[i].name = tl->names[i];
		for (size_t j = 0; j < tl->points; j++)
			if (tl->bytes[i * tl->points + j] > order[i].peak)
				order[i].peak = tl->bytes[i * tl->points + j];
	}
	if (tl->owners)
		qsort(order, tl->owners, sizeof(*order), tl_compare);
	return order;
}

/* Keeps the owners with the highest peaks, sorted by peak, and adds up the others as one. */
static void tl_gather(struct kma_tl *tl)
{
	_cleanup_free_ struct kma_tl_owner *order = tl_order(tl);
	size_t top = tl->args->text.top ?: KMA_TIMELINE_TOP;
	size_t some = tl->owners, kept;
	uint64_t *bytes;
	char **names;
	bool other;

	/* Owners without a live byte in any sample are left out. */
	while (some && !order[some - 1].peak)
		free(tl->names[order[--some].row]);
	kept = some <= top + 1 ? some : top + 1;
	other = kept < some;
	bytes = kma_xcalloc(kept * tl->points + 1, sizeof(*bytes));
	names = kma_xcalloc(kept + 1, sizeof(*names));
	for (size_t i = 0; i < some; i++) {
		size_t to = i < kept ? i : kept - 1;

		for (size_t j = 0; j < tl->points; j++)
			bytes[to * tl->points + j] += tl->bytes[order[i].row * tl->points + j];
		if (i < kept - other)
			names[i] = tl->names[order[i].row];
		else
			free(tl->names[order[i].row]);
	}
	if (other)
		names[kept - 1] = kma_xasprintf("[other: %zu]", some - top);
	free(tl->bytes);
	free(tl->names);
	tl->bytes = bytes;
	tl->names = names;
	tl->owners = kept;
}

/* Sets the marks. Only a history can have gaps: samples of a log are at equal distances. */
static void tl_mark(struct kma_tl *tl)
{
	const struct kma_timeline_sample *samples = tl->timeline->samples;

	tl->marks = kma_xcalloc(tl->points, sizeof(*tl->marks));
	for (size_t i = 1; i < tl->points; i++) {
		tl->marks[i].lost = samples[i].lost - samples[i - 1].lost;
		tl->marks[i].begins = samples[i].begins;
	}
	if (tl->timeline->clock)
		kma_marks_gaps(tl->ns, tl->points, tl->marks);
}

static struct kma_err *tl_make(struct kma_tl *tl)
{
	struct kma_err *err;

	tl->by = tl->args->load.by;
	err = kma_load_over_time(&tl->args->load) ?: tl_join(tl);
	if (err)
		return err;
	/* Without files, rows are by caller, as in a report. */
	if (!tl->loaded.has_files)
		tl->by = kma_keys_without_files(&tl->by);
	tl->points = tl->timeline->nr;
	tl->ns = kma_xcalloc(tl->points, sizeof(*tl->ns));
	for (size_t i = 0; i < tl->points; i++) {
		tl->ns[i] = tl->timeline->samples[i].ns;
		tl_sample(tl, i);
	}
	tl_mark(tl);
	tl_gather(tl);
	return NULL;
}

static struct kma_err *tl_picture(const struct kma_tl *tl, unsigned int nr)
{
	_cleanup_strbuf_ struct kma_strbuf tables = { 0 };
	struct kma_scene scene;
	struct kma_err *err;

	kma_curves_html(&tl->series, &tables);
	kma_curves_draw(&tl->series, &scene);
	err = kma_chart_write_scene(&tl->args->chart, nr, &scene, &tables);
	kma_scene_deinit(&scene);
	return err;
}

/* Writes how many events were not counted, by kind, and which kinds the input does not report. */
static void tl_not_counted(const struct kma_account *account, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf silent = { 0 };
	static const enum kma_loss_id ids[] = { KMA_LOSS_NOT_RECORDED, KMA_LOSS_UNKNOWN_FREES };
	const char *before = "Not counted: ";
	uint64_t events;

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		if (!kma_account_loss(account, ids[i], &events)) {
			kma_strbuf_printf(&silent, "%s%s", silent.len ? " and " : "",
					  kma_losses[ids[i]].title);
			continue;
		}
		kma_strbuf_printf(out, "%s%" PRIu64 " %s", before, events,
				  kma_losses[ids[i]].title);
		before = ", ";
	}
	if (silent.len)
		kma_strbuf_printf(out, "%sUnknown: %s", *before == ',' ? ". " : "", silent.str);
	kma_strbuf_puts(out, ".");
}

static void tl_footer(const struct kma_tl *tl, struct kma_strbuf *out)
{
	const struct kma_account *account = tl->loaded.account;

	kma_strbuf_printf(out, "%s, kernel %s. ", kma_chart_base(kma_account_name(account)),
			  tl->loaded.release);
	tl_not_counted(account, out);
}

/* Writes the first and the last time for people. */
static void tl_span(const struct kma_tl *tl, struct kma_strbuf *out)
{
	time_t times[] = { tl->ns[0] / 1000000000, tl->ns[tl->points - 1] / 1000000000 };
	char text[32];
	struct tm tm;

	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", localtime_r(&times[i], &tm));
		kma_strbuf_printf(out, "%s%s", i ? " to " : ", ", text);
	}
}

static struct kma_err *tl_write(struct kma_tl *tl)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 }, subject = { 0 }, footer = { 0 };
	const struct timeline_args *args = tl->args;
	struct kma_err *err = NULL;

	tl->series = (struct kma_curves){
		.names = (const char *const *)tl->names,
		.bytes = tl->bytes,
		.ns = tl->ns,
		.owners = tl->owners,
		.points = tl->points,
		.clock = tl->timeline->clock,
		.marks = tl->marks,
		.csv_safe = args->text.csv_safe,
		.title = args->chart.title ?: "Live kernel memory over time",
		.theme = args->chart.theme,
	};
	kma_strbuf_puts(&subject, "live bytes (current_dynamic) by ");
	if (tl->by.nr == 1)
		kma_strbuf_puts(&subject, kma_keys[tl->by.list[0]].title);
	else
		kma_keys_title(&tl->by, &subject);
	if (args->load.only.nr) {
		kma_strbuf_puts(&subject, ", selected: ");
		kma_only_text(&args->load.only, &subject);
	}
	kma_strbuf_printf(&subject, "%s%s, %zu %s", args->load.branch ? " in " : "",
			  args->load.branch ?: "", tl->points,
			  kma_plural(tl->points, "sample", "samples"));
	if (tl->timeline->clock)
		tl_span(tl, &subject);
	tl_footer(tl, &footer);
	tl->series.subject = subject.str ?: "";
	tl->series.footer = footer.str ?: "";
	for (unsigned int i = 0; i < args->chart.render.nr && !err; i++)
		err = tl_picture(tl, i);
	if (err || !kma_text_wanted(&args->text, &args->chart))
		return err;
	if (args->text.format == KMA_FORMAT_JSON)
		kma_curves_trace(&tl->series, &text);
	else
		kma_curves_csv(&tl->series, &text);
	return kma_outfile_write(args->text.output, &text);
}

static struct kma_err *read_past(struct kma_tl *tl, struct kma_series *series)
{
	const struct timeline_args *args = tl->args;
	struct kma_err *err;

	series->wish = (struct kma_series_wish){ .from = args->from,
						 .to = args->to,
						 .max = 2 * args->points,
						 .groups = args->load.groups };
	err = past_timeline_read(series, &tl->timeline);
	kma_series_say(series);
	return err;
}

/* Refuses --by task for a log that was recorded without tasks. */
static struct kma_err *tl_check_groups(const struct kma_tl *tl)
{
	struct kma_account *none = NULL;
	struct kma_err *err = NULL;

	if (tl->args->load.groups)
		err = kma_regroup(tl->timeline->account, tl->args->load.groups, &none);
	kma_account_destroy(none);
	return err;
}

static struct kma_err *read_log(struct kma_tl *tl, struct kma_series *series)
{
	const struct timeline_args *args = tl->args;
	struct kma_input *input = series->input;
	struct kma_progress progress;
	struct kma_interval interval;
	struct kma_err *err;

	err = kma_history_refuse(series->ref.path)				?:
		      kma_refuse_sample(series, "a timeline needs all samples") ?:
		      kma_refuse_no_log(series)					?:
		      kma_load_interval(&args->load, series, args->from, args->to, &interval);
	if (err)
		return err;
	kma_input_set_interval(input, &interval);
	kma_input_set_tasks(input, args->load.groups == KMA_GROUPED_TASK);
	kma_input_set_cgroups(input, args->load.groups == KMA_GROUPED_CGROUP);
	kma_progress_begin(&progress, input, args->load.quiet);
	err = timeline_read(input, args->points, &tl->timeline);
	kma_progress_end(&progress);
	if (err)
		return err;
	kma_series_stopped(input);
	return tl_check_groups(tl);
}

static struct kma_err *show(struct kma_tl *tl, struct kma_series *series)
{
	bool past = !series->ref.label && kma_series_has_past(series);
	struct kma_err *err;

	if ((kma_keys_set(&tl->args->load.by) | kma_only_keys(&tl->args->load.only)) &
	    (past ? NOT_IN_HISTORY : NOT_IN_LOG))
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0, "timeline: %s; use another key",
			past ? "a history has no stacks or roots" :
			       "an event log has no stacks, caches, nodes or roots");
	err = past ? read_past(tl, series) : read_log(tl, series);
	if (err)
		return err;
	err = tl_make(tl);
	if (err)
		return err;
	err = kma_load_suits(&tl->args->load, &tl->loaded);
	return err ?: tl_write(tl);
}

static struct kma_err *check(struct timeline_args *args, const char *input)
{
	struct kma_load_options *load = &args->load;
	struct kma_err *err;

	load->account = input ?: load->account;
	load->page = args->chart.render.pages;
	err = kma_load_check(load) ?:
		      kma_pictures_check(load->command, &args->chart, args->text.output);
	if (err)
		return err;
	if (args->text.csv_safe && args->text.format != KMA_FORMAT_CSV)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "timeline: --csv-safe needs --format csv");
	if (!load->account)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "timeline: no log given; use -f FILE");
	return NULL;
}

static int main_timeline(int argc, char **argv)
{
	_cleanup_close_ struct kma_series *series = NULL;
	struct timeline_args args = {
		.load = { .command = "timeline", .by = KMA_BY(KMA_KEY_DIR) },
		.text = { .format = KMA_FORMAT_CSV },
		.chart = { .width = KMA_CHART_WIDTH },
		.points = 250,
	};
	struct kma_tl tl = { .args = &args };
	struct kma_err *err;
	int first;

	err = kma_option_read(&kma_cmd_timeline, argc, argv, &args, &first);
	if (!err && first)
		err = check(&args, argv[first]);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	err = kma_open(args.load.account, &series) ?: show(&tl, series);
	for (size_t i = 0; tl.names && i < tl.owners; i++)
		free(tl.names[i]);
	free(tl.names);
	free(tl.bytes);
	free(tl.ns);
	free(tl.marks);
	kma_unload(&tl.loaded);
	timeline_destroy(tl.timeline);
	return kma_fail_kind(err);
}

const struct kma_cmd kma_cmd_timeline = {
	.name = "timeline",
	.usage = "[OPTION...] [[-f] LOG|DIR]",
	.about =
		"Show live bytes of an event log or a history over time: csv, Perfetto's JSON, a chart.",
	.examples =
		"  kmem-account timeline kmem.log >live.csv\n"
		"  kmem-account timeline kmem.log -k linux --by dir --depth 1 -r live.svg\n"
		"  kmem-account timeline kmem.log --format json -O trace.json\n"
		"  kmem-account timeline /var/lib/kmem-account --from -6h --vmlinux vmlinux -r day.svg\n",
	.options = options,
	.most = 1,
	.main = main_timeline,
};
