// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-objects.c - kmem-account objects: facts of an event log about single allocations: sizes,
 * waste, lifetimes, CPUs, NUMA nodes, errors.
 *
 * reader/log-objects.c reads the log once and makes all sums. This file only shows them: each
 * subject (--show) is a row of kma_objects_shows, with its columns and a function that fills a
 * sheet. A table and JSON have all sheets; a sheet without rows is left out of a table, unless it
 * is the requested one. CSV has one sheet, because columns differ between sheets.
 *
 * Rows that --top leaves out are added to a row "other", so that a sheet always adds up to the
 * totals. Of wrong frees the reader keeps only the first ones with their details; the row "other"
 * counts the rest. A cell that is not known is empty.
 *
 * Everything in the log that makes numbers inexact (lost events, a missing end) is a warning on
 * stderr and does not change the exit status; the command check does that.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "input/input.h"
#include "input/progress.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/say.h"
#include "lib/sheet.h"
#include "lib/twins.h"
#include "lib/unpack.h"
#include "model/account.h"
#include "open/open.h"
#include "open/refuse.h"
#include "reader/log-objects.h"
#include "rows.h"

/* Rows of a table without --top. */
#define KMA_OBJECTS_SHOWN 20

/* The sheets that can be shown. */
enum show {
	SHOW_TOTAL,
	SHOW_SIZES,
	SHOW_WASTE,
	SHOW_LIFETIMES,
	SHOW_SITES,
	SHOW_CPUS,
	SHOW_NODES,
	SHOW_ERRORS,
	NR_SHOWS,
};

static const char *const show_words[NR_SHOWS] = {
	[SHOW_TOTAL] = "total",		[SHOW_SIZES] = "sizes",	  [SHOW_WASTE] = "waste",
	[SHOW_LIFETIMES] = "lifetimes", [SHOW_SITES] = "sites",	  [SHOW_CPUS] = "cpus",
	[SHOW_NODES] = "nodes",		[SHOW_ERRORS] = "errors",
};

/* Words of --by; the other groups are not accepted. */
static const char *const by_words[KMA_NR_GROUPED] = {
	[KMA_GROUPED_NOT] = "caller",
	[KMA_GROUPED_CGROUP] = "cgroup",
	[KMA_GROUPED_TASK] = "task",
};

struct objects_args {
	const char *log;
	enum show show; /* valid with has_show */
	enum kma_grouped by;
	struct kma_interval interval;
	struct kma_text_options text;
	bool has_show, quiet;
};

#define KMA_ARGS struct objects_args

/* clang-format off */
static const struct kma_option options[] = {
	KMA_ROW_LOG(log),
	KMA_ROW_TOP_OTHER(text),
	KMA_ROWS_TEXT(text, NULL),
	{ "show", .arg = "WHAT", TO_NAME(show, show_words),
	  .given = AT(has_show),
	  .help = "show total, sizes, waste, lifetimes, sites, cpus, nodes or errors\n"
		  "(default: all of these tables)" },
	{ "by", .arg = "KEY", TO_NAME(by, by_words),
	  .help = "caller (default), cgroup or task: show a row for each; for NUMA\n"
		  "nodes use --show nodes" },
	KMA_ROWS_SECONDS(interval),
	KMA_ROWS_END(quiet),
};
/* clang-format on */

struct kma_objects_view {
	const struct kma_log_objects *objects;
	const struct objects_args *args;
	size_t top; /* 0: all */
};

/* Adds the caller of a site. @remark: also its kind, " (page)", if that is known. */
static void objects_caller(struct kma_sheet *sheet, const struct kma_log_objects *objects,
			   uint32_t site, bool remark)
{
	_cleanup_strbuf_ struct kma_strbuf caller = { 0 };
	enum kma_kind kind;
	const char *text;
	size_t len;

	/* the text of a site with an owner is "caller\nowner" */
	text = kma_intern_site(objects->intern, site, &kind, &len);
	kma_strbuf_add(&caller, text, strcspn(text, "\n"));
	if (remark)
		kma_strbuf_puts(&caller, kma_kind_remarks[kind]);
	kma_sheet_text(sheet, caller.str ?: "");
}

static const struct kma_sheet_column totals_columns[] = {
	{ .name = "what", .title = "", .kind = KMA_CELL_TEXT },
	{ .name = "objects", .title = "objects", .kind = KMA_CELL_COUNT },
	{ .name = "requested", .title = "requested", .kind = KMA_CELL_BYTES },
	{ .name = "allocated", .title = "allocated", .kind = KMA_CELL_BYTES },
	{ .name = "waste", .title = "waste", .kind = KMA_CELL_BYTES },
};

static void objects_count(struct kma_sheet *sheet, const char *what, uint64_t number)
{
	kma_sheet_text(sheet, what);
	kma_sheet_number(sheet, number);
	kma_sheet_none(sheet);
	kma_sheet_none(sheet);
	kma_sheet_none(sheet);
}

static void objects_bin(struct kma_sheet *sheet, const struct kma_objects_bin *bin)
{
	kma_sheet_number(sheet, bin->objects);
	kma_sheet_number(sheet, bin->req);
	kma_sheet_number(sheet, bin->alloc);
	kma_sheet_number(sheet, bin->alloc - bin->req);
}

static void objects_totals(const struct kma_objects_view *view, struct kma_sheet *sheet)
{
	const struct kma_log_objects *o = view->objects;
	struct kma_objects_bin freed = { 0 };

	for (size_t i = 0; i < KMA_LIFE_BINS; i++) {
		freed.objects += o->lives[i].objects;
		freed.req += o->lives[i].req;
		freed.alloc += o->lives[i].alloc;
	}
	kma_sheet_text(sheet, "allocated");
	objects_bin(sheet, &o->total);
	kma_sheet_text(sheet, "freed, with a lifetime");
	objects_bin(sheet, &freed);
	objects_count(sheet, "of these allocated before", o->before);
	kma_sheet_text(sheet, "live at the end");
	kma_sheet_number(sheet, o->live);
	kma_sheet_none(sheet);
	kma_sheet_number(sheet, o->live_alloc);
	kma_sheet_none(sheet);
	objects_count(sheet, "allocations that failed", o->failed);
	objects_count(sheet, "frees of unknown objects", o->unknown);
	objects_count(sheet, "events not recorded", kma_log_lost(&o->sums));
	objects_count(sheet, "pages freed in parts", o->parts);
	objects_count(sheet, "implied frees", o->implied);
	objects_count(sheet, "double frees", o->twice);
	if (o->wrong || !o->kfree_frees_all)
		objects_count(sheet, "frees by another function", o->wrong);
}

static const struct kma_sheet_column bins_columns[] = {
	{ .name = "from", .title = "from", .kind = KMA_CELL_COUNT },
	{ .name = "to", .title = "to", .kind = KMA_CELL_COUNT },
	{ .name = "objects", .title = "objects", .kind = KMA_CELL_COUNT },
	{ .name = "requested", .title = "requested", .kind = KMA_CELL_BYTES },
	{ .name = "allocated", .title = "allocated", .kind = KMA_CELL_BYTES },
	{ .name = "waste", .title = "waste", .kind = KMA_CELL_BYTES },
};

static void objects_bins(struct kma_sheet *sheet, const struct kma_objects_bin *bins)
{
	for (unsigned int i = 0; i < KMA_SIZE_BINS; i++) {
		uint64_t end = i ? i == KMA_SIZE_BINS - 1 ? UINT64_MAX : 1ULL << (i - 1) : 0;

		if (!bins[i].objects)
			continue;
		kma_sheet_number(sheet, i < 2 ? i : (1ULL << (i - 2)) + 1);
		kma_sheet_number(sheet, end);
		objects_bin(sheet, &bins[i]);
	}
}

static void objects_sizes(const struct kma_objects_view *view, struct kma_sheet *sheet)
{
	objects_bins(sheet, view->objects->sizes);
}

static void objects_wastes(const struct kma_objects_view *view, struct kma_sheet *sheet)
{
	objects_bins(sheet, view->objects->wastes);
}

static const struct kma_sheet_column lives_columns[] = {
	{ .name = "from_ns", .title = "from", .kind = KMA_CELL_NS },
	{ .name = "to_ns", .title = "below", .kind = KMA_CELL_NS },
	{ .name = "objects", .title = "objects", .kind = KMA_CELL_COUNT },
	{ .name = "requested", .title = "requested", .kind = KMA_CELL_BYTES },
	{ .name = "allocated", .title = "allocated", .kind = KMA_CELL_BYTES },
	{ .name = "waste", .title = "waste", .kind = KMA_CELL_BYTES },
};

static void objects_lives(const struct kma_objects_view *view, struct kma_sheet *sheet)
{
	uint64_t from = 0, to = 1000;

	for (unsigned int i = 0; i < KMA_LIFE_BINS; i++, from = to, to *= 10) {
		if (!view->objects->lives[i].objects)
			continue;
		kma_sheet_number(sheet, from);
		if (i == KMA_LIFE_BINS - 1)
			kma_sheet_none(sheet);
		else
			kma_sheet_number(sheet, to);
		objects_bin(sheet, &view->objects->lives[i]);
	}
}

#define KMA_OBJECTS_OWNER 10 /* number of the column that is shown only with --by */

static const struct kma_sheet_column sites_columns[] = {
	{ .name = "allocs", .title = "allocs", .kind = KMA_CELL_COUNT },
	{ .name = "requested", .title = "requested", .kind = KMA_CELL_BYTES },
	{ .name = "allocated", .title = "allocated", .kind = KMA_CELL_BYTES },
	{ .name = "waste", .title = "waste", .kind = KMA_CELL_BYTES },
	{ .name = "freed", .title = "freed", .kind = KMA_CELL_COUNT },
	{ .name = "live", .title = "live", .kind = KMA_CELL_COUNT },
	{ .name = "mean_ns", .title = "mean life", .kind = KMA_CELL_NS },
	{ .name = "median_below_ns", .title = "median below", .kind = KMA_CELL_NS },
	{ .name = "max_ns", .title = "longest", .kind = KMA_CELL_NS },
	{ .name = "caller", .title = "caller", .kind = KMA_CELL_TEXT },
	[KMA_OBJECTS_OWNER] = { .name = "owner", .title = "task or cgroup", .kind = KMA_CELL_TEXT },
	{ .name = "kind", .kind = KMA_CELL_TEXT, .optional = true },
};

static void objects_site(struct kma_sheet *sheet, const struct kma_objects_site *site)
{
	kma_sheet_number(sheet, site->allocs);
	kma_sheet_number(sheet, site->req);
	kma_sheet_number(sheet, site->alloc);
	kma_sheet_number(sheet, site->alloc - site->req);
	kma_sheet_number(sheet, site->freed);
	kma_sheet_number(sheet, site->live);
	if (site->freed) {
		kma_sheet_number(sheet, site->life_sum / site->freed);
		kma_sheet_number(sheet, kma_objects_median(site));
		kma_sheet_number(sheet, site->life_max);
	} else {
		kma_sheet_none(sheet);
		kma_sheet_none(sheet);
		kma_sheet_none(sheet);
	}
}

/* Adds the task or cgroup of a row; pages that an allocator takes have none. */
static void objects_owner(struct kma_sheet *sheet, const struct kma_log_objects *objects,
			  uint32_t site)
{
	enum kma_kind kind;
	const char *text;
	size_t len;

	text = strchr(kma_intern_site(objects->intern, site, &kind, &len), '\n');
	kma_sheet_text(sheet, text ? text + 1 : "");
}

static void objects_kind(struct kma_sheet *sheet, const struct kma_log_objects *objects,
			 uint32_t site)
{
	enum kma_kind kind;
	size_t len;

	kma_intern_site(objects->intern, site, &kind, &len);
	if (kind == KMA_KIND_UNKNOWN)
		kma_sheet_none(sheet);
	else
		kma_sheet_text(sheet, kma_kind_names[kind]);
}

static int objects_compare(const void *a, const void *b)
{
	const struct kma_objects_site *const *x = a, *const *y = b;

	if ((*x)->allocs != (*y)->allocs)
		return (*x)->allocs < (*y)->allocs ? 1 : -1;
	return (*x > *y) - (*x < *y);
}

static void objects_add_site(struct kma_objects_site *sum, const struct kma_objects_site *site)
{
	sum->allocs += site->allocs;
	sum->req += site->req;
	sum->alloc += site->alloc;
	sum->freed += site->freed;
	sum->live += site->live;
	sum->life_sum += site->life_sum;
	if (site->life_max > sum->life_max)
		sum->life_max = site->life_max;
	for (size_t i = 0; i < ARRAY_SIZE(sum->lives); i++)
		sum->lives[i] += site->lives[i];
}

/* The sites of a sheet, in the order of its rows. */
struct kma_objects_order {
	const struct kma_log_objects *objects;
	const struct kma_objects_site **sites;
};

/* Text of a site: its caller and its owner. */
static const char *objects_text(const void *arg, size_t i)
{
	const struct kma_objects_order *order = arg;
	enum kma_kind kind;
	size_t len;

	return kma_intern_site(order->objects->intern, order->sites[i] - order->objects->sites,
			       &kind, &len);
}

static void objects_sites(const struct kma_objects_view *view, struct kma_sheet *sheet)
{
	_cleanup_free_ const struct kma_objects_site **order = NULL;
	_cleanup_free_ bool *twins = NULL;
	const struct kma_log_objects *o = view->objects;
	struct kma_objects_site rest = { 0 };
	size_t nr = 0, top = view->top;
	char other[48];

	order = kma_xcalloc(o->nr_sites + 1, sizeof(*order));
	for (uint32_t i = 0; i < o->nr_sites; i++)
		if (o->sites[i].allocs)
			order[nr++] = &o->sites[i];
	qsort(order, nr, sizeof(*order), objects_compare);
	/* a table shows the kind only of rows that would look alike */
	if (view->args->text.format == KMA_FORMAT_TABLE)
		twins = kma_twins_find(nr, objects_text, &(struct kma_objects_order){ o, order });
	/* A row "other (1 rows)" would be less useful than the row that it replaces. */
	if (nr <= top + 1)
		top = 0;
	for (size_t i = 0; i < nr; i++) {
		if (top && i >= top) {
			objects_add_site(&rest, order[i]);
			continue;
		}
		objects_site(sheet, order[i]);
		objects_caller(sheet, o, order[i] - o->sites, twins && twins[i]);
		objects_owner(sheet, o, order[i] - o->sites);
		objects_kind(sheet, o, order[i] - o->sites);
	}
	if (!rest.allocs)
		return;
	snprintf(other, sizeof(other), "other (%zu rows)", nr - top);
	objects_site(sheet, &rest);
	kma_sheet_text(sheet, other);
	kma_sheet_text(sheet, "");
	kma_sheet_none(sheet);
}

static const struct kma_sheet_column cpus_columns[] = {
	{ .name = "allocated_on_cpu", .title = "allocated on CPU", .kind = KMA_CELL_COUNT },
	{ .name = "freed_on_cpu", .title = "freed on CPU", .kind = KMA_CELL_COUNT },
	{ .name = "objects", .title = "objects", .kind = KMA_CELL_COUNT },
	{ .name = "requested", .title = "requested", .kind = KMA_CELL_BYTES },
	{ .name = "allocated", .title = "allocated", .kind = KMA_CELL_BYTES },
	{ .name = "waste", .title = "waste", .kind = KMA_CELL_BYTES },
};

static const struct kma_sheet_column nodes_columns[] = {
	{ .name = "allocated_on_node", .title = "memory of node", .kind = KMA_CELL_COUNT },
	{ .name = "freed_on_node", .title = "freed on node", .kind = KMA_CELL_COUNT },
	{ .name = "objects", .title = "objects", .kind = KMA_CELL_COUNT },
	{ .name = "requested", .title = "requested", .kind = KMA_CELL_BYTES },
	{ .name = "allocated", .title = "allocated", .kind = KMA_CELL_BYTES },
	{ .name = "waste", .title = "waste", .kind = KMA_CELL_BYTES },
};

static void objects_name(struct kma_sheet *sheet, uint32_t name)
{
	if (name == KMA_LOG_NO_CPU)
		kma_sheet_none(sheet);
	else
		kma_sheet_number(sheet, name);
}

static int objects_compare_names(const void *a, const void *b, void *arg)
{
	const uint32_t *x = a, *y = b, *names = arg;

	return (names[*x] > names[*y]) - (names[*x] < names[*y]);
}

/* Adds the rows of a matrix, sorted by number. */
static void objects_matrix(struct kma_sheet *sheet, const struct kma_objects_matrix *m)
{
	_cleanup_free_ uint32_t *order = kma_xcalloc(m->nr + 1, sizeof(*order));

	for (uint32_t i = 0; i < m->nr; i++)
		order[i] = i;
	if (m->nr)
		qsort_r(order, m->nr, sizeof(*order), objects_compare_names, m->names);
	for (uint32_t i = 0; i < m->nr; i++) {
		for (uint32_t j = 0; j < m->nr; j++) {
			const struct kma_objects_bin *cell =
				&m->cells[(size_t)order[i] * m->room + order[j]];

			if (!cell->objects)
				continue;
			objects_name(sheet, m->names[order[i]]);
			objects_name(sheet, m->names[order[j]]);
			objects_bin(sheet, cell);
		}
	}
}

static void objects_cpus(const struct kma_objects_view *view, struct kma_sheet *sheet)
{
	objects_matrix(sheet, &view->objects->cpus);
}

static void objects_nodes(const struct kma_objects_view *view, struct kma_sheet *sheet)
{
	objects_matrix(sheet, &view->objects->nodes);
}

static const struct kma_sheet_column errors_columns[] = {
	{ .name = "error", .title = "error", .kind = KMA_CELL_TEXT },
	{ .name = "certain", .title = "certain", .kind = KMA_CELL_TEXT },
	{ .name = "address", .title = "address", .kind = KMA_CELL_HEX },
	{ .name = "alloc_ns", .title = "allocated", .kind = KMA_CELL_TIME },
	{ .name = "alloc_cpu", .title = "CPU", .kind = KMA_CELL_COUNT },
	{ .name = "alloc_tid", .title = NULL, .kind = KMA_CELL_COUNT },
	{ .name = "alloc_site", .title = "by", .kind = KMA_CELL_TEXT },
	{ .name = "free_ns", .title = "freed", .kind = KMA_CELL_TIME },
	{ .name = "free_cpu", .title = "CPU", .kind = KMA_CELL_COUNT },
	{ .name = "free_tid", .title = NULL, .kind = KMA_CELL_COUNT },
	{ .name = "free_site", .title = "by", .kind = KMA_CELL_TEXT },
	{ .name = "again_ns", .title = "again", .kind = KMA_CELL_TIME },
	{ .name = "again_cpu", .title = "CPU", .kind = KMA_CELL_COUNT },
	{ .name = "again_tid", .title = NULL, .kind = KMA_CELL_COUNT },
	{ .name = "again_site", .title = "by", .kind = KMA_CELL_TEXT },
};

static void objects_where(struct kma_sheet *sheet, const struct kma_log_objects *objects,
			  const struct kma_objects_where *where, bool is)
{
	if (!is) {
		for (int i = 0; i < 4; i++)
			kma_sheet_none(sheet);
		return;
	}
	/* The event is from before the start of the log; the command check reports it. */
	kma_sheet_number(sheet, where->time > INT64_MAX ? 0 : where->time);
	kma_sheet_number(sheet, where->cpu);
	kma_sheet_number(sheet, where->tid);
	objects_caller(sheet, objects, where->site, false);
}

static void objects_errors(const struct kma_objects_view *view, struct kma_sheet *sheet)
{
	const struct kma_log_objects *o = view->objects;

	uint64_t all = o->twice + o->wrong;
	uint32_t shown = view->top && view->top < o->nr_errors ? view->top : o->nr_errors;
	char other[48];
	/* An allocation in between may be among the unrecorded events. */
	bool unseen = o->sums.what[KMA_LOG_MISSED] || o->sums.what[KMA_LOG_REFUSED];

	for (uint32_t i = 0; i < shown; i++) {
		const struct kma_free_error *error = &o->errors[i];

		kma_sheet_text(sheet, error->twice ? "double free" : "other function");
		kma_sheet_text(sheet, error->lossy ? "no: events lost" :
				      unseen	   ? "no: calls not recorded" :
						     "yes");
		kma_sheet_number(sheet, error->ptr);
		objects_where(sheet, o, &error->alloc, error->has_alloc);
		objects_where(sheet, o, &error->freed, true);
		objects_where(sheet, o, &error->again, error->twice);
	}
	if (shown == all)
		return;
	snprintf(other, sizeof(other), "other (%" PRIu64 ")", all - shown);
	kma_sheet_text(sheet, other);
	for (size_t i = 1; i < ARRAY_SIZE(errors_columns); i++)
		kma_sheet_none(sheet);
}

#define KMA_SHEET(show, name, title, columns, fill) \
	[show] = { name, title, columns, ARRAY_SIZE(columns), fill }

static const struct {
	const char *name, *title;
	const struct kma_sheet_column *columns;
	size_t nr_columns;
	void (*fill)(const struct kma_objects_view *view, struct kma_sheet *sheet);
} kma_objects_shows[NR_SHOWS] = {
	KMA_SHEET(SHOW_TOTAL, "total", "Allocations", totals_columns, objects_totals),
	KMA_SHEET(SHOW_SIZES, "sizes", "By bytes requested", bins_columns, objects_sizes),
	KMA_SHEET(SHOW_WASTE, "waste", "By bytes wasted", bins_columns, objects_wastes),
	KMA_SHEET(SHOW_LIFETIMES, "lifetimes", "By lifetime", lives_columns, objects_lives),
	KMA_SHEET(SHOW_SITES, "sites", "By call site", sites_columns, objects_sites),
	KMA_SHEET(SHOW_CPUS, "cpus", "By CPU", cpus_columns, objects_cpus),
	KMA_SHEET(SHOW_NODES, "nodes", "By node", nodes_columns, objects_nodes),
	KMA_SHEET(SHOW_ERRORS, "errors", "Wrong frees", errors_columns, objects_errors),
};

static void objects_write(const struct kma_objects_view *view, struct kma_strbuf *out)
{
	struct kma_doc doc;
	struct kma_sheet_column sites[ARRAY_SIZE(sites_columns)];
	const char *newline = "";
	struct kma_sheet sheet;

	memcpy(sites, sites_columns, sizeof(sites));
	if (!view->objects->by)
		sites[KMA_OBJECTS_OWNER].name = sites[KMA_OBJECTS_OWNER].title = NULL;
	kma_text_begin(&view->args->text, "kmem-account objects", &doc, out);
	for (enum show i = 0; i < NR_SHOWS; i++) {
		if (view->args->has_show && view->args->show != i)
			continue;
		kma_sheet_init(&sheet, kma_objects_shows[i].name, kma_objects_shows[i].title,
			       i == SHOW_SITES ? sites : kma_objects_shows[i].columns,
			       kma_objects_shows[i].nr_columns);
		kma_objects_shows[i].fill(view, &sheet);
		if (kma_doc_table(&doc))
			kma_strbuf_puts(out, newline);
		if (!kma_doc_table(&doc) || sheet.nr || view->args->has_show)
			kma_sheet_write(&sheet, &doc);
		kma_sheet_deinit(&sheet);
		newline = "\n";
	}
	kma_doc_end(&doc);
}

/* Warns of everything in the log that makes the numbers inexact. */
static void objects_warn(const struct kma_log_objects *objects, uint64_t from, const char *name)
{
	_cleanup_strbuf_ struct kma_strbuf missed = { 0 };

	for (unsigned int what = 0; what < KMA_LOG_NR_WHATS; what++) {
		_cleanup_strbuf_ struct kma_strbuf text = { 0 };

		kma_log_sentence(&objects->sums, what, &text);
		if (text.len)
			kma_warn("%s: %s", name, text.str);
	}
	kma_log_sentence_missed(&objects->sums, from, &missed);
	if (missed.len)
		kma_warn("%s: %s", name, missed.str);
}

static struct kma_err *objects_do(const struct objects_args *args)
{
	_cleanup_close_ struct kma_series *series = NULL;
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_log_objects *objects = NULL;
	struct kma_objects_view view = { .args = args };
	struct kma_progress progress;
	struct kma_input *input;
	struct kma_err *err;

	err = kma_open(args->log, &series);
	if (err)
		return err;
	err = kma_refuse_no_log(series);
	if (err)
		return err;
	input = series->input;
	kma_input_set_interval(input, &args->interval);
	kma_input_set_tasks(input, args->by == KMA_GROUPED_TASK);
	kma_input_set_cgroups(input, args->by == KMA_GROUPED_CGROUP);
	kma_progress_begin(&progress, input, args->quiet);
	err = kma_log_objects_read(input, &objects);
	kma_progress_end(&progress);
	if (!err && args->by && !objects->by)
		err = kma_err_create_kind(
			KMA_ERR_NOT_FOUND, kma_input_name(input), 0,
			"this log has no names of tasks; record it with 'kmem-account record'");
	if (!err) {
		objects_warn(objects, args->interval.from, kma_input_name(input));
		kma_series_stopped(input);
		view.objects = objects;
		view.top = args->text.top				 ?:
				   args->text.format == KMA_FORMAT_TABLE ? KMA_OBJECTS_SHOWN :
									   0;
		objects_write(&view, &text);
		/* The table of errors has addresses. */
		err = kma_outfile_write_as(args->text.output, KMA_OUTFILE_PRIVATE, &text);
	}
	kma_log_objects_destroy(objects);
	return err;
}

static int main_objects(int argc, char **argv)
{
	struct objects_args args = { 0 };
	struct kma_err *err;
	int first;

	err = kma_option_read(&kma_cmd_objects, argc, argv, &args, &first);
	if (!err)
		err = kma_interval_check("objects", &args.interval);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.log = argv[first] ?: args.log;
	if (!args.log)
		return kma_fail_kind(kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
							 "objects: no log given; use -f FILE"));
	if (args.text.format == KMA_FORMAT_CSV && !args.has_show)
		return kma_fail_kind(kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"objects: --format csv writes one table; choose it with --show"));
	return kma_fail_kind(objects_do(&args));
}

const struct kma_cmd kma_cmd_objects = {
	.name = "objects",
	.usage = "[OPTION...] [[-f] LOG]",
	.about = "Show single allocations of an event log: sizes, waste, lifetimes, errors.",
	.examples = "  kmem-account objects kmem.log\n"
		    "  kmem-account objects kmem.log --show cpus --format csv\n"
		    "  kmem-account objects kmem.log --show errors --from 10 --to 20\n",
	.options = options,
	.most = 1,
	.main = main_objects,
};
