// SPDX-License-Identifier: GPL-2.0-only
/*
 * series.c - write an account as metrics.
 *
 * The two formats differ in the names of counters on lines with TYPE, in UNIT, _created and the
 * last line. In both formats all lines of a family have to be together, so the outer loop is over
 * families, and the rows of a scope are made once for all its families.
 *
 * No two lines of a family have the same labels: rows of directories and modules are sorted by
 * their labels and equal ones are added up; picks.c does so for call sites.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../module/uapi/version.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/escape.h"
#include "model/container.h"
#include "series.h"

/* For each scope, a family for each of these metrics that the account has. */
static const struct kma_series_metric {
	enum kma_metric_id metric;
	const char *name; /* without the scope, and of a counter without _total */
	const char *unit; /* NULL: a count */
	bool counter;
	double scale; /* the account's unit as a share of the family's unit */
	const char *help;
} families[] = {
	{ KMA_CURRENT, "live_bytes", "bytes", false, 1,
	  "Bytes of live objects, as the allocator rounded them up." },
	{ KMA_REQUESTED, "requested_bytes", "bytes", false, 1,
	  "Bytes of live objects, as they were requested." },
	{ KMA_WASTE, "slack_bytes", "bytes", false, 1,
	  "Bytes in live objects beyond the requested size (internal fragmentation)." },
	{ KMA_CHARGED, "charged_bytes", "bytes", false, 1,
	  "Bytes of live objects for which a memory cgroup was to be charged." },
	{ KMA_OBJECTS, "live_objects", NULL, false, 1, "Live objects." },
	{ KMA_ALLOCS, "allocs", NULL, true, 1, "Allocations." },
	{ KMA_FREES, "frees", NULL, true, 1, "Frees." },
	{ KMA_TOTAL, "allocated_bytes", "bytes", true, 1,
	  "Bytes of all allocations, those that were freed included." },
	{ KMA_WAITS, "waits", NULL, true, 1, "Allocations that waited." },
	{ KMA_LATENCY, "wait_seconds", "seconds", true, 1e-9, "Time that allocations waited." },
};

static const struct {
	enum kma_loss_id id;
	const char *name, *help;
} loss_families[] = {
	{ KMA_LOSS_UNKNOWN_FREES, "unknown_frees",
	  "Frees of objects whose allocation was not seen." },
	{ KMA_LOSS_IMPLIED_FREES, "implied_frees",
	  "Objects whose address was allocated again though no free was seen." },
	{ KMA_LOSS_NOT_RECORDED, "events_not_recorded",
	  "Events that are missing in all other metrics." },
};

/* A line of a family: its labels as they are printed, and its numbers. */
struct kma_series_row {
	char *labels; /* "{directory=\"fs\"}", or "" */
	struct kma_values values;
};

struct kma_series_rows {
	struct kma_series_row *list;
	size_t nr, room;   /* length, allocated length */
	unsigned int have; /* set of metrics that the rows have */
};

/* The data from which rows are made. */
struct kma_series_from {
	const struct kma_export *export;
	const struct kma_export_sites *sites;
	const struct kma_picks *picks, *groups;
};

struct kma_series_writer {
	bool openmetrics;
	char created[32]; /* seconds since 1970 and the end of the line; "": not known */
	struct kma_strbuf *out;
};

/* Writes a label name="value", escaped. An empty value means no label, so nothing is written. */
static void put_label(struct kma_strbuf *out, const char *name, const char *value)
{
	_cleanup_strbuf_ struct kma_strbuf plain = { 0 };

	if (!*value)
		return;
	kma_escape_plain(&plain, value);
	kma_strbuf_add(out, out->len ? "," : "{", 1);
	kma_strbuf_puts(out, name);
	kma_strbuf_add(out, "=\"", 2);
	for (const char *p = plain.str ?: ""; *p;) {
		size_t len = strcspn(p, "\"\\");

		kma_strbuf_add(out, p, len);
		p += len;
		if (!*p)
			break;
		kma_strbuf_add(out, "\\", 1);
		kma_strbuf_add(out, p++, 1);
	}
	kma_strbuf_add(out, "\"", 1);
}

static void put_head(const struct kma_series_writer *w, const char *name, const char *type,
		     const char *unit, const char *help)
{
	bool counter = !strcmp(type, "counter");
	const char *total = counter && !w->openmetrics ? "_total" : "";

	/* Only OpenMetrics has the type info. */
	if (!strcmp(type, "info") && !w->openmetrics) {
		type = "gauge";
		total = "_info";
	}
	kma_strbuf_printf(w->out, "# HELP kmem_account%s%s %s\n", name, total, help);
	kma_strbuf_printf(w->out, "# TYPE kmem_account%s%s %s\n", name, total, type);
	if (unit && w->openmetrics)
		kma_strbuf_printf(w->out, "# UNIT kmem_account%s %s\n", name, unit);
}

static void put_name(struct kma_strbuf *out, const char *name, const char *suffix,
		     const char *labels)
{
	kma_strbuf_puts(out, "kmem_account");
	kma_strbuf_puts(out, name);
	kma_strbuf_puts(out, suffix);
	kma_strbuf_puts(out, labels);
	kma_strbuf_puts(out, " ");
}

static void put_value(const struct kma_series_writer *w, const char *name, bool counter,
		      const char *labels, uint64_t value, double scale)
{
	/* almost all lines of a scrape come from here, and printf() would take most of the time */
	put_name(w->out, name, counter ? "_total" : "", labels);
	if (scale == 1)
		kma_strbuf_u64(w->out, value);
	else
		kma_strbuf_printf(w->out, "%.9f", value * scale);
	kma_strbuf_puts(w->out, "\n");
	if (counter && w->openmetrics && *w->created) {
		put_name(w->out, name, "_created", labels);
		kma_strbuf_puts(w->out, w->created);
	}
}

static void rows_deinit(struct kma_series_rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		free(rows->list[i].labels);
	free(rows->list);
}

static void add_row(struct kma_series_rows *rows, struct kma_strbuf *labels,
		    const struct kma_values *values)
{
	struct kma_series_row *row;

	if (labels->len)
		kma_strbuf_puts(labels, "}");
	kma_array_room(rows->list, rows->nr, rows->room);
	row = &rows->list[rows->nr++];
	row->labels = kma_xstrdup(labels->str ?: "");
	row->values = *values;
	labels->len = 0;
}

static int row_order(const void *a, const void *b)
{
	return strcmp(((const struct kma_series_row *)a)->labels,
		      ((const struct kma_series_row *)b)->labels);
}

/* Sorts rows by their labels and adds up those with equal labels. */
static void merge(struct kma_series_rows *rows)
{
	size_t kept = 0;

	if (rows->nr)
		qsort(rows->list, rows->nr, sizeof(*rows->list), row_order);
	for (size_t i = 0; i < rows->nr; i++) {
		if (!kept || strcmp(rows->list[kept - 1].labels, rows->list[i].labels)) {
			rows->list[kept++] = rows->list[i];
			continue;
		}
		kma_values_add(&rows->list[kept - 1].values, &rows->list[i].values);
		free(rows->list[i].labels);
	}
	rows->nr = kept;
}

static void total_rows(const struct kma_series_from *from, struct kma_series_rows *ret)
{
	struct kma_strbuf none = { 0 };

	add_row(ret, &none, &from->picks->total);
}

static void directory_rows(const struct kma_series_from *from, struct kma_series_rows *ret)
{
	_cleanup_strbuf_ struct kma_strbuf labels = { 0 };
	const struct kma_export_sites *sites = from->sites;

	for (size_t i = 0; i < sites->nr && sites->has_files; i++) {
		_cleanup_free_ char *dir = NULL;
		const char *path = sites->list[i].path ?: sites->list[i].name;

		dir = kma_xstrndup(path, kma_place_dir(path));
		put_label(&labels, "directory", *dir ? dir : ".");
		add_row(ret, &labels, &sites->list[i].site->values);
	}
	merge(ret);
}

static void module_rows(const struct kma_series_from *from, struct kma_series_rows *ret)
{
	_cleanup_strbuf_ struct kma_strbuf labels = { 0 };
	const struct kma_export_sites *sites = from->sites;

	for (size_t i = 0; i < sites->nr; i++) {
		const struct kma_export_site *site = &sites->list[i];
		const char *module = site->module ?: "vmlinux";

		/* The row is not code, or an address that may be in any module. */
		if (!kma_place_is_code(site))
			module = site->site->named ? site->name : KMA_PLACE_ADDRESS;
		put_label(&labels, "module", module);
		add_row(ret, &labels, &site->site->values);
	}
	merge(ret);
}

static void site_rows(const struct kma_series_from *from, struct kma_series_rows *ret)
{
	_cleanup_strbuf_ struct kma_strbuf labels = { 0 };
	const struct kma_picks *picks = from->picks;

	for (size_t i = 0; i < picks->nr; i++) {
		const struct kma_pick *pick = &picks->list[i];

		if (!pick->there)
			continue;
		put_label(&labels, "site", pick->key.site);
		put_label(&labels, "module", pick->key.module);
		put_label(&labels, "kind", pick->key.kind);
		if (from->sites->has_files)
			put_label(&labels, "directory", pick->key.directory);
		add_row(ret, &labels, &pick->now);
	}
	put_label(&labels, "site", "other");
	add_row(ret, &labels, &picks->other);
}

/* Adds labels for the container or pod at the end of a cgroup's path. */
static void put_container(struct kma_strbuf *labels, const char *path)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	const char *last = strrchr(path, '/');

	if (last && kma_container_component(last + 1, &text))
		put_label(labels, "container", text.str ?: "");
}

/* Makes a row for each picked cgroup or node. Accounts by group have fewer metrics. */
static void group_rows(const struct kma_series_from *from, enum kma_grouped by,
		       struct kma_series_rows *ret)
{
	_cleanup_strbuf_ struct kma_strbuf labels = { 0 };
	const struct kma_picks *picks = from->groups;

	if (!picks || picks->by != by)
		return;
	ret->have = kma_account_metrics(from->export->groups);
	for (size_t i = 0; i < picks->nr; i++) {
		const struct kma_pick *pick = &picks->list[i];

		if (!pick->there)
			continue;
		put_label(&labels, kma_grouped_names[by], pick->key.site);
		if (by == KMA_GROUPED_CGROUP)
			put_container(&labels, pick->key.site);
		add_row(ret, &labels, &pick->now);
	}
	/* each NUMA node has series, so there is no "other" */
	if (by == KMA_GROUPED_NODE)
		return;
	put_label(&labels, kma_grouped_names[by], "other");
	add_row(ret, &labels, &picks->other);
}

static void cgroup_rows(const struct kma_series_from *from, struct kma_series_rows *ret)
{
	group_rows(from, KMA_GROUPED_CGROUP, ret);
}

static void node_rows(const struct kma_series_from *from, struct kma_series_rows *ret)
{
	group_rows(from, KMA_GROUPED_NODE, ret);
}

/* The scopes of the families. */
static const struct {
	const char *name, *of;
	void (*rows)(const struct kma_series_from *from, struct kma_series_rows *ret);
} scopes[] = {
	{ "", "the whole account", total_rows },
	{ "_directory", "a directory of the kernel's source", directory_rows },
	{ "_module", "a module, or the kernel proper (vmlinux)", module_rows },
	{ "_site", "a call site; other: all that have no series", site_rows },
	{ "_cgroup", "a cgroup; other: all that have no series", cgroup_rows },
	{ "_node", "the memory of a NUMA node", node_rows },
};

static void put_family(const struct kma_series_writer *w, size_t scope,
		       const struct kma_series_metric *metric, const struct kma_series_rows *rows)
{
	_cleanup_strbuf_ struct kma_strbuf name = { 0 }, help = { 0 };

	kma_strbuf_printf(&name, "%s_%s", scopes[scope].name, metric->name);
	kma_strbuf_printf(&help, "%s Of %s.", metric->help, scopes[scope].of);
	put_head(w, name.str, metric->counter ? "counter" : "gauge", metric->unit, help.str);
	for (size_t i = 0; i < rows->nr; i++)
		put_value(w, name.str, metric->counter, rows->list[i].labels,
			  kma_metrics[metric->metric].get(&rows->list[i].values), metric->scale);
}

static void put_info(const struct kma_series_writer *w, const struct kma_export *export)
{
	_cleanup_strbuf_ struct kma_strbuf labels = { 0 };

	put_head(w, "", "info", NULL, "Versions of the kernel and of kmem-account.");
	put_label(&labels, "release", export->release);
	put_label(&labels, "build_id", export->build_id);
	put_label(&labels, "version", KMA_VERSION);
	kma_strbuf_printf(w->out, "kmem_account_info%s} 1\n", labels.str ?: "");
}

static void put_losses(const struct kma_series_writer *w, const struct kma_account *account)
{
	uint64_t lost;
	char name[64];

	for (size_t i = 0; i < ARRAY_SIZE(loss_families); i++) {
		if (!kma_account_loss(account, loss_families[i].id, &lost))
			continue;
		snprintf(name, sizeof(name), "_%s", loss_families[i].name);
		put_head(w, name, "counter", NULL, loss_families[i].help);
		put_value(w, name, true, "", lost, 1);
	}
}

static void put_server(const struct kma_series_writer *w, const struct kma_series_own *own, bool up)
{
	const struct {
		const char *name, *type, *unit, *help;
		int64_t value;
	} numbers[] = {
		{ "_up", "gauge", NULL, "1 if the account was read, 0 if it could not be.", up },
		{ "_own_bytes", "gauge", "bytes", "Memory that the module takes.", own->bytes },
		{ "_http_requests", "counter", NULL, "Requests that were answered.",
		  own->requests },
		{ "_read_failures", "counter", NULL, "Times that the account could not be read.",
		  own->failures },
	};

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (numbers[i].value < 0)
			continue;
		put_head(w, numbers[i].name, numbers[i].type, numbers[i].unit, numbers[i].help);
		put_value(w, numbers[i].name, !strcmp(numbers[i].type, "counter"), "",
			  numbers[i].value, 1);
	}
	if (own->seconds < 0)
		return;
	put_head(w, "_scrape_duration_seconds", "gauge", "seconds",
		 "Time that reading the account took.");
	kma_strbuf_printf(w->out, "kmem_account_scrape_duration_seconds %.6f\n", own->seconds);
}

static void put_end(const struct kma_series_writer *w)
{
	if (w->openmetrics)
		kma_strbuf_puts(w->out, "# EOF\n");
}

void kma_series_write(const struct kma_export *export, const struct kma_export_sites *sites,
		      const struct kma_picks *picks, const struct kma_picks *groups,
		      const struct kma_series_own *own, bool openmetrics, struct kma_strbuf *out)
{
	struct kma_series_writer w = { .openmetrics = openmetrics, .out = out };
	const struct kma_series_from from = { export, sites, picks, groups };

	if (own && own->created >= 0)
		snprintf(w.created, sizeof(w.created), "%.3f\n", own->created);
	put_info(&w, export);
	for (size_t scope = 0; scope < ARRAY_SIZE(scopes); scope++) {
		struct kma_series_rows rows = { .have = kma_account_metrics(export->account) };

		scopes[scope].rows(&from, &rows);
		for (size_t i = 0; i < ARRAY_SIZE(families); i++)
			if (rows.nr && rows.have >> families[i].metric & 1)
				put_family(&w, scope, &families[i], &rows);
		rows_deinit(&rows);
	}
	put_losses(&w, export->account);
	if (own)
		put_server(&w, own, true);
	put_end(&w);
}

void kma_series_down(const struct kma_series_own *own, bool openmetrics, struct kma_strbuf *out)
{
	const struct kma_series_writer w = { .openmetrics = openmetrics, .out = out };

	put_server(&w, own, false);
	put_end(&w);
}
