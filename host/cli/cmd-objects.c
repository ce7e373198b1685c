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
#include "lib/array.h"
#include "lib/map.h"
#include "model/account.h"
#include "open/open.h"
#include "open/refuse.h"
#include "reader/log-objects.h"
#include "rows.h"
#include "session/load.h"
#include "session/options.h"
#include "tree/kernel.h"
#include "tree/key.h"
#include "tree/only.h"

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

/* An event log has neither stacks nor a table of nodes, and no roots of a scan. */
#define OBJECTS_KEYS \
	(KMA_KEYS_IN_ROWS & ~(1U << KMA_KEY_STACK | 1U << KMA_KEY_NODE | 1U << KMA_KEY_ROOT))

struct objects_args {
	struct kma_load_options load; /* the log, its kernel, the keys of the sheet "sites" */
	enum show show;		      /* valid with has_show */
	struct kma_text_options text;
	bool has_show;
};

#define KMA_ARGS struct objects_args

/* clang-format off */
static const struct kma_option options[] = {
	KMA_ROW_LOG(load.account),
	KMA_ROW_TOP_OTHER(text),
	KMA_ROWS_TEXT(text, NULL),
	{ "show", .arg = "WHAT", TO_NAME(show, show_words),
	  .given = AT(has_show),
	  .help = "show total, sizes, waste, lifetimes, sites, cpus, nodes or errors\n"
		  "(default: all of these tables)" },
	{ "by", .arg = "KEY", OWN(keys, load.by), KMA_OPTION_NAMES(kma_keys),
	  .given = AT(load.has_by), .min = OBJECTS_KEYS,
	  .help = "show sites by caller (default) or by these keys of report, as task or\n"
		  "module,size; for NUMA nodes use --show nodes" },
	KMA_ROWS_ONLY(load.only),
	KMA_ROWS_KERNEL_OWNERS(load.kernel),
	KMA_ROWS_SECONDS(load.interval),
	KMA_ROWS_END(load.quiet),
};
/* clang-format on */

/* A row of the sheet "sites": the call sites with the same texts of the keys. */
struct objects_row {
	const char *key;
	enum kma_kind kind; /* of rows by caller; else KMA_KIND_UNKNOWN */
	struct kma_objects_site sums;
};

struct kma_objects_view {
	const struct kma_log_objects *objects;
	const struct objects_args *args;
	size_t top; /* 0: all */
	struct objects_row *rows;
	size_t nr_rows, room;
	struct kma_arena arena; /* texts of rows */
};

static void objects_caller(struct kma_sheet *sheet, const struct kma_log_objects *objects,
			   uint32_t site)
{
	_cleanup_strbuf_ struct kma_strbuf caller = { 0 };
	enum kma_kind kind;
	const char *text;
	size_t len;

	/* the text of a site with an owner is "caller\nowner" */
	text = kma_intern_site(objects->intern, site, &kind, &len);
	kma_strbuf_add(&caller, text, strcspn(text, "\n"));
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

#define OBJECTS_KEY 9 /* number of the column of the first key */

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
	[OBJECTS_KEY] = { .kind = KMA_CELL_TEXT },
	[OBJECTS_KEY + KMA_KEYS_MAX] = { .kind = KMA_CELL_TEXT, .optional = true }, /* the kind */
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

static int objects_compare(const void *a, const void *b)
{
	const struct objects_row *x = a, *y = b;

	if (x->sums.allocs != y->sums.allocs)
		return x->sums.allocs < y->sums.allocs ? 1 : -1;
	return strcmp(x->key, y->key) ?: (int)x->kind - (int)y->kind;
}

static const char *objects_text(const void *arg, size_t i)
{
	const struct kma_objects_view *view = arg;

	return view->rows[i].key;
}

/* Writes the cells of the keys of a row; NULL: a row without keys. @remark: also its kind. */
static void objects_keys(const struct kma_objects_view *view, const struct objects_row *row,
			 const char *rest, bool remark, struct kma_sheet *sheet)
{
	_cleanup_strbuf_ struct kma_strbuf part = { 0 }, text = { 0 };
	const struct kma_keys *by = &view->args->load.by;

	for (unsigned int i = 0; i < KMA_KEYS_MAX; i++) {
		if (i >= by->nr || (!row && i)) {
			kma_sheet_none(sheet);
			continue;
		}
		text.len = 0;
		kma_strbuf_puts(&text, !row	   ? rest :
				       by->nr == 1 ? row->key :
						     kma_keys_part(row->key, i, &part));
		if (row && remark && by->list[i] == KMA_KEY_CALLER)
			kma_strbuf_puts(&text, kma_kind_remarks[row->kind]);
		kma_sheet_text(sheet, text.str ?: "");
	}
	if (row && row->kind != KMA_KIND_UNKNOWN)
		kma_sheet_text(sheet, kma_kind_names[row->kind]);
	else
		kma_sheet_none(sheet);
}

static void objects_sites(const struct kma_objects_view *view, struct kma_sheet *sheet)
{
	_cleanup_free_ bool *twins = NULL;
	struct kma_objects_site rest = { 0 };
	size_t nr = view->nr_rows, top = view->top;
	char other[48];

	/* a table shows the kind only of rows that would look alike */
	if (view->args->text.format == KMA_FORMAT_TABLE)
		twins = kma_twins_find(nr, objects_text, view);
	/* A row "other (1 rows)" would be less useful than the row that it replaces. */
	if (nr <= top + 1)
		top = 0;
	for (size_t i = 0; i < nr; i++) {
		if (top && i >= top) {
			kma_objects_site_add(&rest, &view->rows[i].sums);
			continue;
		}
		objects_site(sheet, &view->rows[i].sums);
		objects_keys(view, &view->rows[i], NULL, twins && twins[i], sheet);
	}
	if (!rest.allocs)
		return;
	snprintf(other, sizeof(other), "other (%zu rows)", nr - top);
	objects_site(sheet, &rest);
	objects_keys(view, NULL, other, false, sheet);
}

/* The columns of the sheet: those of the keys have their names; the kind is one of callers. */
static void objects_sites_columns(const struct kma_keys *by,
				  struct kma_sheet_column columns[ARRAY_SIZE(sites_columns)])
{
	memcpy(columns, sites_columns, sizeof(sites_columns));
	for (unsigned int i = 0; i < KMA_KEYS_MAX; i++) {
		columns[OBJECTS_KEY + i] = columns[OBJECTS_KEY];
		columns[OBJECTS_KEY + i].name = i < by->nr ? kma_keys[by->list[i]].name : NULL;
		columns[OBJECTS_KEY + i].title = i < by->nr ? kma_keys[by->list[i]].title : NULL;
	}
	if (kma_keys_have(by, KMA_KEY_CALLER) && !kma_keys_have(by, KMA_KEY_KIND))
		columns[OBJECTS_KEY + KMA_KEYS_MAX].name = "kind";
}

static uint32_t objects_hash(const char *key, enum kma_kind kind)
{
	return kma_map_text(key, strlen(key)) ^ kma_map_number(kind);
}

/* Adds up the call sites that rules select, by the texts of the keys. */
static void objects_group(struct kma_objects_view *view, const bool *keep,
			  struct kma_maintainers *maintainers)
{
	const struct kma_load_options *load = &view->args->load;
	const struct kma_key_ask ask = { .keys = &load->by, .arena = &view->arena };
	bool callers = kma_keys_have(&load->by, KMA_KEY_CALLER);
	const struct kma_log_objects *o = view->objects;
	const struct kma_site *sites;
	struct kma_map map = { 0 };
	uint32_t from = 0;
	size_t nr;

	sites = kma_account_sites(o->account, &nr);
	for (size_t i = 0; i < nr; i++, from++) {
		enum kma_kind kind = callers ? sites[i].kind : KMA_KIND_UNKNOWN;
		struct kma_item item;
		const char *key;
		uint32_t n;

		while (!o->sites[from].allocs)
			from++;
		if (!keep[i])
			continue;
		kma_item_of_site(&sites[i], maintainers, &view->arena, &item);
		key = kma_keys_of_item(&item, &ask);
		n = kma_map_find(&map, objects_hash(key, kind), k,
				 view->rows[k].kind == kind && !strcmp(view->rows[k].key, key));
		if (n == KMA_MAP_NONE) {
			n = kma_map_add(&map, objects_hash(key, kind));
			kma_array_room(view->rows, view->nr_rows, view->room);
			view->rows[view->nr_rows++] =
				(struct objects_row){ .key = key, .kind = kind };
		}
		kma_objects_site_add(&view->rows[n].sums, &o->sites[from]);
	}
	kma_map_free(&map);
	if (view->nr_rows)
		qsort(view->rows, view->nr_rows, sizeof(*view->rows), objects_compare);
}

/* Makes the rows of the sheet "sites". */
static struct kma_err *objects_rows(struct kma_objects_view *view)
{
	const struct kma_load_options *load = &view->args->load;
	_cleanup_strbuf_ struct kma_strbuf rules = { 0 };
	struct kma_account *account = view->objects->account;
	struct kma_loaded loaded = { .account = account };
	_cleanup_free_ bool *keep = NULL;
	struct kma_err *err;
	size_t nr, kept = 0;

	err = kma_load_places(load, &loaded)	    ?:
		      kma_load_suits(load, &loaded) ?:
		      kma_metric_check(kma_only_metrics(&load->only), kma_account_metrics(account)) ?:
		      kma_kernel_maintainers(&load->kernel, &loaded.kernel);
	if (!err) {
		kma_account_sites(account, &nr);
		keep = kma_only_sites(&load->only, account, loaded.kernel.maintainers);
		for (size_t i = 0; i < nr; i++)
			kept += keep[i];
		kma_only_text(&load->only, &rules);
		if (load->only.nr && !kept)
			err = kma_err_create_kind(KMA_ERR_NOT_FOUND, kma_account_name(account), 0,
						  "no call site of this input is selected by: %s",
						  rules.str);
	}
	if (!err)
		objects_group(view, keep, loaded.kernel.maintainers);
	loaded.account = NULL;
	kma_unload(&loaded);
	return err;
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
	objects_caller(sheet, objects, where->site);
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
	KMA_SHEET(SHOW_SITES, "sites", NULL, sites_columns, objects_sites),
	KMA_SHEET(SHOW_CPUS, "cpus", "By CPU", cpus_columns, objects_cpus),
	KMA_SHEET(SHOW_NODES, "nodes", "By node", nodes_columns, objects_nodes),
	KMA_SHEET(SHOW_ERRORS, "errors", "Wrong frees", errors_columns, objects_errors),
};

static void objects_write(const struct kma_objects_view *view, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf title = { 0 };
	struct kma_doc doc;
	struct kma_sheet_column sites[ARRAY_SIZE(sites_columns)];
	const char *newline = "";
	struct kma_sheet sheet;

	objects_sites_columns(&view->args->load.by, sites);
	kma_strbuf_puts(&title, "By ");
	kma_keys_title(&view->args->load.by, &title);
	if (view->args->load.only.nr)
		kma_strbuf_puts(&title, "; selected: ");
	kma_only_text(&view->args->load.only, &title);
	kma_text_begin(&view->args->text, "kmem-account objects", &doc, out);
	for (enum show i = 0; i < NR_SHOWS; i++) {
		if (view->args->has_show && view->args->show != i)
			continue;
		kma_sheet_init(&sheet, kma_objects_shows[i].name,
			       i == SHOW_SITES ? title.str : kma_objects_shows[i].title,
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

	err = kma_open(args->load.account, &series);
	if (err)
		return err;
	err = kma_refuse_no_log(series);
	if (err)
		return err;
	input = series->input;
	kma_input_set_interval(input, &args->load.interval);
	kma_input_set_tasks(input, args->load.groups == KMA_GROUPED_TASK);
	kma_input_set_cgroups(input, args->load.groups == KMA_GROUPED_CGROUP);
	kma_progress_begin(&progress, input, args->load.quiet);
	err = kma_log_objects_read(input, &objects);
	kma_progress_end(&progress);
	if (!err && args->load.groups && !objects->by)
		err = kma_err_create_kind(
			KMA_ERR_NOT_FOUND, kma_input_name(input), 0,
			"this log has no names of tasks; record it with 'kmem-account record'");
	view.objects = objects;
	if (!err)
		err = objects_rows(&view);
	if (!err) {
		objects_warn(objects, args->load.interval.from, kma_input_name(input));
		kma_series_stopped(input);
		view.top = args->text.top				 ?:
				   args->text.format == KMA_FORMAT_TABLE ? KMA_OBJECTS_SHOWN :
									   0;
		objects_write(&view, &text);
		/* The table of errors has addresses. */
		err = kma_outfile_write_as(args->text.output, KMA_OUTFILE_PRIVATE, &text);
	}
	free(view.rows);
	kma_arena_deinit(&view.arena);
	kma_log_objects_destroy(objects);
	return err;
}

static int main_objects(int argc, char **argv)
{
	struct objects_args args = { .load = { .command = "objects",
					       .by = KMA_BY(KMA_KEY_CALLER) } };
	struct kma_err *err;
	int first;

	err = kma_option_read(&kma_cmd_objects, argc, argv, &args, &first);
	if (!err)
		err = kma_load_check(&args.load);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.load.account = argv[first] ?: args.load.account;
	if (args.load.only.nr && !(args.has_show && args.show == SHOW_SITES))
		return kma_fail_kind(kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"objects: --only and --not select call sites; add --show sites"));
	if (!args.load.account)
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
