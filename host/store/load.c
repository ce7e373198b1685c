// SPDX-License-Identifier: GPL-2.0-only
/*
 * load.c - load a snapshot from a DB file.
 *
 * SQLite has no checksums, so data that are stored twice are compared: the number of call sites,
 * and the total of each metric. Metrics, losses and groups that a newer program has added are left
 * out with a warning.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conn.h"
#include "find.h"
#include "groups.h"
#include "lib/alloc.h"
#include "lib/strbuf.h"
#include "load.h"
#include "modtables.h"

/* Columns of the statement that reads table site; the metrics follow. */
enum { KMA_SITE_CALLER, KMA_SITE_KIND, KMA_SITE_PATH, KMA_SITE_METRICS };

/* State while a snapshot is loaded. */
struct kma_load {
	const struct kma_conn *conn;
	const struct kma_snapshot *snapshot;
	struct kma_account *account;
	unsigned int have; /* metrics of the snapshot, bits 1 << enum kma_metric_id */
	unsigned int ids[KMA_NR_METRICS]; /* the same, in the order of the columns */
	unsigned int nr_ids;
	struct kma_values total; /* totals that were saved */
};

static int kma_find_name(const char *name, const char *(*name_of)(unsigned int), unsigned int nr)
{
	for (unsigned int i = 0; i < nr; i++)
		if (!strcmp(name_of(i), name))
			return i;
	return -1;
}

static const char *kma_metric_name(unsigned int i)
{
	return kma_metrics[i].name;
}

static const char *kma_loss_name(unsigned int i)
{
	return kma_losses[i].name;
}

static const char *kma_kind_name(unsigned int i)
{
	return kma_kind_names[i];
}

/* Read a number. It must be present, an integer, and not negative. */
static struct kma_err *kma_load_number(const struct kma_load *load, sqlite3_stmt *stmt, int column,
				       const char *what, uint64_t *ret)
{
	char text[128];
	int64_t value;

	value = sqlite3_column_int64(stmt, column);
	if (sqlite3_column_type(stmt, column) == SQLITE_INTEGER && value >= 0) {
		*ret = value;
		return NULL;
	}
	snprintf(text, sizeof(text), "%.40s of snapshot #%" PRId64 " is not a number", what,
		 load->snapshot->id);
	return kma_conn_damaged(load->conn, text);
}

/* Compile a statement whose first value is the number of this snapshot. */
static struct kma_err *kma_load_prepare(const struct kma_load *load, const char *sql,
					sqlite3_stmt **ret)
{
	struct kma_err *err = kma_conn_prepare(load->conn, sql, ret);

	if (err)
		return err;
	sqlite3_bind_int64(*ret, 1, load->snapshot->id);
	return NULL;
}

/* The text of a column; "" if the value is not a text. */
static const char *kma_load_text(sqlite3_stmt *stmt, int column)
{
	return (const char *)sqlite3_column_text(stmt, column) ?: "";
}

/* Call @take for each row of a statement. */
static struct kma_err *kma_load_rows(struct kma_load *load, const char *sql,
				     struct kma_err *(*take)(struct kma_load *load,
							     sqlite3_stmt *stmt))
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;
	bool row = true;

	err = kma_load_prepare(load, sql, &stmt);
	while (!err && row) {
		err = kma_conn_step(load->conn, stmt, &row);
		if (!err && row)
			err = take(load, stmt);
	}
	return err;
}

static struct kma_err *kma_load_metric(struct kma_load *load, sqlite3_stmt *stmt)
{
	const char *name = kma_load_text(stmt, 0);
	int id = kma_find_name(name, kma_metric_name, KMA_NR_METRICS);
	struct kma_err *err;
	uint64_t value;

	if (id < 0 || !kma_metrics[id].set) {
		kma_account_warn(load->account, "unknown metric '%.40s'; it is left out", name);
		return NULL;
	}
	err = kma_load_number(load, stmt, 1, name, &value);
	if (err)
		return err;
	load->have |= 1U << id;
	kma_metrics[id].set(&load->total, value);
	return NULL;
}

static struct kma_err *kma_load_loss(struct kma_load *load, sqlite3_stmt *stmt)
{
	const char *name = kma_load_text(stmt, 0);
	int id = kma_find_name(name, kma_loss_name, KMA_NR_LOSSES);
	struct kma_err *err;
	uint64_t events;

	err = kma_load_number(load, stmt, 1, name, &events);
	if (err)
		return err;
	if (id < 0) {
		kma_account_warn(load->account, "not counted: %" PRIu64 " %.40s", events, name);
		return NULL;
	}
	kma_account_set_loss(load->account, id, events);
	return NULL;
}

static struct kma_err *kma_load_note(struct kma_load *load, sqlite3_stmt *stmt)
{
	kma_account_put_note(load->account, kma_load_text(stmt, 0), kma_load_text(stmt, 1));
	return NULL;
}

static struct kma_err *kma_load_warning(struct kma_load *load, sqlite3_stmt *stmt)
{
	kma_account_warn(load->account, "%s", kma_load_text(stmt, 0));
	return NULL;
}

/* Add a note about the kernel, which is a column of the table. */
static void kma_load_identity(const struct kma_load *load, const char *key, const char *value)
{
	if (value && !kma_account_note(load->account, key))
		kma_account_put_note(load->account, key, value);
}

static struct kma_err *kma_load_site(struct kma_load *load, sqlite3_stmt *stmt)
{
	const char *caller = kma_load_text(stmt, KMA_SITE_CALLER);
	size_t len = sqlite3_column_bytes(stmt, KMA_SITE_CALLER);
	const char *kind_name = (const char *)sqlite3_column_text(stmt, KMA_SITE_KIND);
	struct kma_values values = { 0 };
	struct kma_err *err;
	uint64_t value;
	int kind;

	kind = kind_name ? kma_find_name(kind_name, kma_kind_name, KMA_NR_KINDS) : 0;
	for (unsigned int i = 0; i < load->nr_ids; i++) {
		const struct kma_metric *metric = &kma_metrics[load->ids[i]];

		err = kma_load_number(load, stmt, KMA_SITE_METRICS + i, metric->name, &value);
		if (err)
			return err;
		metric->set(&values, value);
	}
	err = kma_account_add_site(load->account, caller, len, &values);
	if (err)
		return err;
	kma_account_set_place(load->account, kind > 0 ? kind : KMA_KIND_UNKNOWN,
			      (const char *)sqlite3_column_text(stmt, KMA_SITE_PATH));
	return NULL;
}

static struct kma_err *kma_load_sites(struct kma_load *load)
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
	return kma_load_rows(load, sql.str, kma_load_site);
}

/* Compare the call sites with their saved number and totals. */
static struct kma_err *kma_load_compare(const struct kma_load *load)
{
	const struct kma_values *sum = kma_account_total(load->account);
	char text[200];
	size_t nr;

	kma_account_sites(load->account, &nr);
	if (nr != load->snapshot->sites) {
		snprintf(text, sizeof(text),
			 "snapshot #%" PRId64 " was saved with %" PRIu64 " call sites, but has %zu",
			 load->snapshot->id, load->snapshot->sites, nr);
		return kma_conn_damaged(load->conn, text);
	}
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		uint64_t saved = kma_metrics[id].get(&load->total);
		uint64_t rows = kma_metrics[id].get(sum);

		if (!(load->have & 1U << id) || saved == rows)
			continue;
		snprintf(text, sizeof(text),
			 "snapshot #%" PRId64 " was saved with %" PRIu64
			 " %s, but its call sites add up to %" PRIu64,
			 load->snapshot->id, saved, kma_metrics[id].what, rows);
		return kma_conn_damaged(load->conn, text);
	}
	return NULL;
}

static struct kma_err *kma_load_all(struct kma_load *load)
{
	static const struct {
		const char *sql;
		struct kma_err *(*take)(struct kma_load *load, sqlite3_stmt *stmt);
	} tables[] = {
		{ "SELECT name, total FROM metric WHERE snapshot = ?", kma_load_metric },
		{ "SELECT name, events FROM loss WHERE snapshot = ?", kma_load_loss },
		{ "SELECT key, value FROM note WHERE snapshot = ? ORDER BY nr", kma_load_note },
		{ "SELECT text FROM warning WHERE snapshot = ? ORDER BY nr", kma_load_warning },
	};
	struct kma_err *err;

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		err = kma_load_rows(load, tables[i].sql, tables[i].take);
		if (err)
			return err;
	}
	kma_account_set_metrics(load->account, load->have);
	kma_load_identity(load, KMA_NOTE_RELEASE, load->snapshot->release);
	kma_load_identity(load, KMA_NOTE_BUILD_ID, load->snapshot->build_id);
	return kma_load_sites(load)							 ?:
		       kma_load_compare(load)						 ?:
		       kma_modtables_load(load->conn, load->snapshot->id, load->account) ?:
		       kma_account_finish(load->account)				 ?:
		       kma_db_groups_load(load->conn, load->snapshot, load->account);
}

static char *kma_snapshot_name(const char *path, const struct kma_snapshot *snapshot)
{
	return snapshot->label ? kma_xasprintf("%s@%s", path, snapshot->label) :
				 kma_xasprintf("%s@#%" PRId64, path, snapshot->id);
}

struct kma_err *kma_db_load(const struct kma_db_ref *ref, const char *name,
			    struct kma_snapshot *snapshot, struct kma_account **ret)
{
	_cleanup_conn_ struct kma_conn conn = { 0 };
	struct kma_load load = { .conn = &conn, .snapshot = snapshot };
	struct kma_err *err;
	char *whole;

	memset(snapshot, 0, sizeof(*snapshot));
	err = kma_conn_open(&conn, ref->path, name ?: ref->path,
			    name ? KMA_CONN_COPY : KMA_CONN_READ);
	if (err)
		return err;
	err = kma_find_snapshot(&conn, ref->label, snapshot);
	if (err)
		return err;
	whole = kma_snapshot_name(conn.path, snapshot);
	load.account = kma_account_create(whole);
	free(whole);
	err = kma_load_all(&load);
	if (err) {
		kma_account_destroy(load.account);
		return err;
	}
	*ret = load.account;
	return NULL;
}
