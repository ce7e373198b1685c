// SPDX-License-Identifier: GPL-2.0-only
/*
 * old.c - read DB files of version 1.
 *
 * Metrics, losses and groups that are not known are left out with a warning.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "day-read.h"
#include "lib/alloc.h"
#include "lib/strbuf.h"
#include "model/groups.h"
#include "old.h"

/* State while snapshots are listed. */
struct old_list {
	struct kma_snapshot *list;
	size_t nr;
};

/* State while a snapshot is loaded. */
struct old_load {
	const struct kma_conn *conn;
	const struct kma_snapshot *snapshot;
	struct kma_account *account;
	unsigned int have; /* metrics of the snapshot, bits 1 << enum kma_metric_id */
	unsigned int ids[KMA_NR_METRICS]; /* the same, in the order of the columns */
	unsigned int nr_ids;
	struct kma_values total; /* totals that were saved */
	/* of the kind of groups that is loaded */
	enum kma_grouped by;
	struct kma_groups *groups;
	uint32_t names;
	uint64_t parts, current, charged; /* the number and the sums of its parts so far */
};

static const char *const old_tables[] = { "snapshot", "metric", "loss", "note", "warning", "site" };

static struct kma_err *old_check(const struct kma_conn *conn)
{
	char text[64];

	for (size_t i = 0; i < ARRAY_SIZE(old_tables); i++)
		if (!kma_conn_has(conn, old_tables[i], i ? "snapshot" : "id")) {
			snprintf(text, sizeof(text), "no table '%s'", old_tables[i]);
			return kma_conn_damaged(conn, text);
		}
	return NULL;
}

static struct kma_err *old_list_row(void *arg, sqlite3_stmt *stmt)
{
	struct old_list *list = arg;

	list->list = kma_xrealloc(list->list, list->nr + 1, sizeof(*list->list));
	list->list[list->nr++] = (struct kma_snapshot){
		.id = sqlite3_column_int64(stmt, 0),
		.label = kma_conn_text(stmt, 1),
		.time = sqlite3_column_int64(stmt, 2),
		.host = kma_conn_text(stmt, 3),
		.input = kma_conn_text(stmt, 4),
		.release = kma_conn_text(stmt, 5),
		.build_id = kma_conn_text(stmt, 6),
		.sites = sqlite3_column_int64(stmt, 7),
		.live = sqlite3_column_int64(stmt, 8),
		.has_live = sqlite3_column_type(stmt, 8) == SQLITE_INTEGER,
	};
	return NULL;
}

struct kma_err *kma_old_list(const struct kma_conn *conn, struct kma_snapshot **ret, size_t *nr)
{
	struct old_list list = { 0 };
	struct kma_err *err = old_check(conn);

	if (!err)
		err = kma_conn_each(
			conn,
			"SELECT id, label, time, host, input, kernel_release, build_id, sites,\n"
			" (SELECT total FROM metric WHERE snapshot = id AND name = 'current_dynamic')\n"
			" FROM snapshot ORDER BY id",
			0, old_list_row, &list);
	*ret = list.list;
	*nr = list.nr;
	return err;
}

static struct kma_err *old_damaged(const struct old_load *load, const char *form, ...)
	__attribute__((format(printf, 2, 3)));

static struct kma_err *old_damaged(const struct old_load *load, const char *form, ...)
{
	char text[240];
	va_list args;

	va_start(args, form);
	vsnprintf(text, sizeof(text), form, args);
	va_end(args);
	return kma_conn_damaged(load->conn, text);
}

/* Read a number. It must be present, an integer, and not negative. */
static struct kma_err *old_number(const struct old_load *load, sqlite3_stmt *stmt, int column,
				  const char *what, uint64_t *ret)
{
	*ret = sqlite3_column_int64(stmt, column);
	if (sqlite3_column_type(stmt, column) == SQLITE_INTEGER && *ret <= INT64_MAX)
		return NULL;
	return old_damaged(load, "%.40s of snapshot #%" PRId64 " is not a number", what,
			   load->snapshot->id);
}

/* The text of a column; "" if the value is not a text. */
static const char *old_text(sqlite3_stmt *stmt, int column)
{
	return (const char *)sqlite3_column_text(stmt, column) ?: "";
}

static struct kma_err *old_metric(void *arg, sqlite3_stmt *stmt)
{
	struct old_load *load = arg;
	const char *name = old_text(stmt, 0);
	struct kma_err *err;
	uint64_t value;

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		if (strcmp(kma_metrics[id].name, name) || !kma_metrics[id].set)
			continue;
		err = old_number(load, stmt, 1, name, &value);
		load->have |= 1U << id;
		kma_metrics[id].set(&load->total, value);
		return err;
	}
	kma_account_warn(load->account, "unknown metric '%.40s'; it is left out", name);
	return NULL;
}

static struct kma_err *old_loss(void *arg, sqlite3_stmt *stmt)
{
	struct old_load *load = arg;
	const char *name = old_text(stmt, 0);
	uint64_t events;
	struct kma_err *err = old_number(load, stmt, 1, name, &events);

	if (err)
		return err;
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (!strcmp(kma_losses[id].name, name)) {
			kma_account_set_loss(load->account, id, events);
			return NULL;
		}
	kma_account_warn(load->account, "not counted: %" PRIu64 " %.40s", events, name);
	return NULL;
}

static struct kma_err *old_note(void *arg, sqlite3_stmt *stmt)
{
	struct old_load *load = arg;

	kma_account_put_note(load->account, old_text(stmt, 0), old_text(stmt, 1));
	return NULL;
}

static struct kma_err *old_warning(void *arg, sqlite3_stmt *stmt)
{
	struct old_load *load = arg;

	kma_account_warn(load->account, "%s", old_text(stmt, 0));
	return NULL;
}

static struct kma_err *old_site(void *arg, sqlite3_stmt *stmt)
{
	struct old_load *load = arg;
	const char *caller = old_text(stmt, 0), *kind = old_text(stmt, 1);
	size_t len = sqlite3_column_bytes(stmt, 0);
	enum kma_kind of = KMA_KIND_UNKNOWN;
	struct kma_values values = { 0 };
	struct kma_err *err;
	uint64_t value;

	for (unsigned int i = 0; i < KMA_NR_KINDS; i++)
		if (!strcmp(kind, kma_kind_names[i]))
			of = i;
	for (unsigned int i = 0; i < load->nr_ids; i++) {
		const struct kma_metric *metric = &kma_metrics[load->ids[i]];

		err = old_number(load, stmt, 3 + i, metric->name, &value);
		if (err)
			return err;
		metric->set(&values, value);
	}
	err = kma_account_add_site(load->account, caller, len, &values);
	if (err)
		return err;
	kma_account_set_place(load->account, of, (const char *)sqlite3_column_text(stmt, 2));
	return NULL;
}

static struct kma_err *old_sites(struct old_load *load)
{
	_cleanup_strbuf_ struct kma_strbuf sql = { 0 };

	kma_strbuf_puts(&sql, "SELECT caller, kind, path");
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (load->have & 1U << id) {
			kma_strbuf_printf(&sql, ", \"%s\"", kma_metrics[id].name);
			load->ids[load->nr_ids++] = id;
		}
	kma_strbuf_puts(&sql, " FROM site WHERE snapshot = ? ORDER BY nr");
	kma_account_expect(load->account, load->snapshot->sites);
	return kma_conn_each(load->conn, sql.str, load->snapshot->id, old_site, load);
}

/* Compare the call sites with their saved number and totals. */
static struct kma_err *old_compare(const struct old_load *load)
{
	const struct kma_values *sum = kma_account_total(load->account);
	size_t nr;

	kma_account_sites(load->account, &nr);
	if (nr != load->snapshot->sites)
		return old_damaged(load,
				   "snapshot #%" PRId64 " was saved with %" PRIu64
				   " call sites, but has %zu",
				   load->snapshot->id, load->snapshot->sites, nr);
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		uint64_t saved = kma_metrics[id].get(&load->total);
		uint64_t rows = kma_metrics[id].get(sum);

		if (load->have & 1U << id && saved != rows)
			return old_damaged(load,
					   "snapshot #%" PRId64 " was saved with %" PRIu64
					   " %s, but its call sites add up to %" PRIu64,
					   load->snapshot->id, saved, kma_metrics[id].what, rows);
	}
	return NULL;
}

static struct kma_err *old_groups_damaged(const struct old_load *load)
{
	return old_damaged(load,
			   "the rows by %s of snapshot #%" PRId64
			   " do not add up to the saved totals",
			   kma_grouped_names[load->by], load->snapshot->id);
}

static struct kma_err *old_group(void *arg, sqlite3_stmt *stmt)
{
	struct old_load *load = arg;
	const char *name = (const char *)sqlite3_column_text(stmt, 1);
	uint32_t nr;

	if (!name || sqlite3_column_int64(stmt, 0) != load->names)
		return old_groups_damaged(load);
	load->names++;
	kma_groups_name_add(load->groups, name, &nr);
	return NULL;
}

static struct kma_err *old_part(void *arg, sqlite3_stmt *stmt)
{
	enum { SITE, GROUP, CURRENT, REQUESTED, ALLOCS, FREES, OBJECTS, CHARGED, NR };
	struct old_load *load = arg;
	uint64_t n[NR];
	size_t sites;

	for (size_t i = 0; i < NR; i++) {
		n[i] = sqlite3_column_int64(stmt, i);
		if (sqlite3_column_type(stmt, i) != SQLITE_INTEGER || n[i] > INT64_MAX)
			return old_groups_damaged(load);
	}
	kma_account_sites(load->account, &sites);
	if (n[SITE] >= sites || n[GROUP] >= load->names || n[REQUESTED] > n[CURRENT] ||
	    n[CHARGED] > n[CURRENT])
		return old_groups_damaged(load);
	load->parts++;
	load->current += n[CURRENT];
	load->charged += n[CHARGED];
	kma_groups_add(load->groups, n[SITE], n[GROUP],
		       &(struct kma_values){ .current = n[CURRENT],
					     .req = n[REQUESTED],
					     .waste = n[CURRENT] - n[REQUESTED],
					     .allocs = n[ALLOCS],
					     .frees = n[FREES],
					     .objects = n[OBJECTS],
					     .charged = n[CHARGED] });
	return NULL;
}

/* Run a statement for the snapshot and the kind; "%s" in it is the name of the kind. */
static struct kma_err *old_each_of_kind(struct old_load *load, const char *form,
					struct kma_err *(*take)(void *arg, sqlite3_stmt *stmt))
{
	_cleanup_strbuf_ struct kma_strbuf sql = { 0 };

	kma_strbuf_printf(&sql, form, kma_grouped_names[load->by]);
	return kma_conn_each(load->conn, sql.str, load->snapshot->id, take, load);
}

/* Load one kind of groups; a row of table grouping has its name and its sums. */
static struct kma_err *old_grouping(void *arg, sqlite3_stmt *stmt)
{
	struct old_load *load = arg;
	bool tells = sqlite3_column_type(stmt, 3) != SQLITE_NULL;
	const char *name = old_text(stmt, 0);
	struct kma_err *err;

	load->by = KMA_NR_GROUPED;
	while (--load->by > KMA_GROUPED_NOT && strcmp(name, kma_grouped_names[load->by]))
		;
	if (load->by == KMA_GROUPED_NOT) {
		kma_account_warn(load->account, "unknown groups '%.40s'; they are left out", name);
		return NULL;
	}
	load->names = 0;
	load->parts = load->current = load->charged = 0;
	kma_groups_create(&load->groups);
	err = old_each_of_kind(
		load, "SELECT nr, name FROM grouped WHERE snapshot = ? AND kind = '%s' ORDER BY nr",
		old_group);
	err = err   ?:
		      old_each_of_kind(
			      load,
			      tells ? "SELECT site, grouped, current_dynamic, requested, allocs, frees,\n"
				      " objects, ifnull(charged, 0) FROM part LEFT JOIN charged\n"
				      " USING (snapshot, kind, nr) WHERE snapshot = ? AND kind = '%s'\n"
				      " ORDER BY nr" :
				      "SELECT site, grouped, current_dynamic, requested, allocs, frees,\n"
				      " objects, 0 FROM part WHERE snapshot = ? AND kind = '%s'\n"
				      " ORDER BY nr",
			      old_part);
	if (!err && (load->parts != (uint64_t)sqlite3_column_int64(stmt, 1) ||
		     load->current != (uint64_t)sqlite3_column_int64(stmt, 2) ||
		     load->charged != (uint64_t)sqlite3_column_int64(stmt, 3)))
		err = old_groups_damaged(load);
	if (err) {
		kma_groups_destroy(load->groups);
		return err;
	}
	kma_groups_set_more(load->groups, tells ? 1U << KMA_CHARGED : 0);
	kma_account_set_groups(load->account, load->by, load->groups);
	return NULL;
}

/* Load the groups. The tables were added within the version, those of charged bytes last. */
static struct kma_err *old_groups(struct old_load *load)
{
	const struct kma_conn *conn = load->conn;

	if (!kma_conn_has(conn, "grouping", "kind") || !kma_conn_has(conn, "grouped", "kind") ||
	    !kma_conn_has(conn, "part", "kind"))
		return NULL;
	return kma_conn_each(
		conn,
		kma_conn_has(conn, "charging", "kind") && kma_conn_has(conn, "charged", "kind") ?
			"SELECT kind, parts, current_dynamic, charged FROM grouping\n"
			" LEFT JOIN charging USING (snapshot, kind) WHERE snapshot = ?" :
			"SELECT kind, parts, current_dynamic, NULL FROM grouping WHERE snapshot = ?",
		load->snapshot->id, old_grouping, load);
}

static struct kma_err *old_module_tables(void *arg, sqlite3_stmt *stmt)
{
	struct old_load *load = arg;

	return kma_day_unpack_tables(load->conn, stmt, 0, load->account);
}

struct kma_err *kma_old_load(const struct kma_conn *conn, const struct kma_snapshot *snapshot,
			     struct kma_account *account)
{
	static const struct {
		const char *sql;
		struct kma_err *(*take)(void *arg, sqlite3_stmt *stmt);
	} tables[] = {
		{ "SELECT name, total FROM metric WHERE snapshot = ?", old_metric },
		{ "SELECT name, events FROM loss WHERE snapshot = ?", old_loss },
		{ "SELECT key, value FROM note WHERE snapshot = ? ORDER BY nr", old_note },
		{ "SELECT text FROM warning WHERE snapshot = ? ORDER BY nr", old_warning },
	};
	struct old_load load = { .conn = conn, .snapshot = snapshot, .account = account };
	struct kma_err *err = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(tables) && !err; i++)
		err = kma_conn_each(conn, tables[i].sql, snapshot->id, tables[i].take, &load);
	kma_account_set_metrics(account, load.have);
	kma_day_identity(account, KMA_NOTE_RELEASE, snapshot->release);
	kma_day_identity(account, KMA_NOTE_BUILD_ID, snapshot->build_id);
	err = err ?: old_sites(&load) ?: old_compare(&load);
	if (!err && kma_conn_has(conn, "module_tables", "text"))
		err = kma_conn_each(conn, "SELECT text FROM module_tables WHERE snapshot = ?",
				    snapshot->id, old_module_tables, &load);
	return err ?: kma_account_finish(account) ?: old_groups(&load);
}

struct kma_err *kma_old_drop(const struct kma_conn *conn)
{
	return kma_conn_exec(
		conn,
		"DROP TABLE IF EXISTS module_tables; DROP TABLE IF EXISTS charged;\n"
		"DROP TABLE IF EXISTS charging; DROP TABLE IF EXISTS part; DROP TABLE IF EXISTS grouped;\n"
		"DROP TABLE IF EXISTS grouping; DROP TABLE site; DROP TABLE warning; DROP TABLE note;\n"
		"DROP TABLE loss; DROP TABLE metric; DROP TABLE snapshot");
}
