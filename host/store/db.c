// SPDX-License-Identifier: GPL-2.0-only
/*
 * db.c - the snapshots of a DB file: list, load, save, delete.
 *
 * A new file is made in memory, written under a temporary name and renamed when it is complete, so
 * that a killed program leaves no partial file. If another process has created a file of that name
 * first, the snapshot is added to that file.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "conn.h"
#include "day-write.h"
#include "day.h"
#include "db.h"
#include "lib/alloc.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/name.h"
#include "lib/say.h"
#include "lib/strbuf.h"
#include "model/account.h"
#include "model/groups.h"
#include "snapshot.h"
#include "when.h"

/*
 * Read DB files of version 1, which programs of 2026 wrote until DB files became histories.
 * Such a file has a row for each call site of each snapshot. Documentation/format/db.rst describes
 * its tables.
 *
 * SQLite has no checksums, so data that are stored twice are compared: the number of call sites,
 * the total of each metric, and the sums of groups. A snapshot whose rows do not add up to them is
 * an error, never a result.
 *
 * Never done: adding a snapshot to such a file. db.c converts it.
 *
 * Read DB files of version 1.
 *
 * Metrics, losses and groups that are not known are left out with a warning.
 */

#define KMA_OLD_APPLICATION 0x6b6d6163 /* "kmac" */
#define KMA_OLD_VERSION	    1

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

/*
 * All snapshots, in the order of their numbers: an array for kma_snapshot_deinit() on each element
 * and free(3), also after an error.
 */
static struct kma_err *kma_old_list(const struct kma_conn *conn, struct kma_snapshot **ret,
				    size_t *nr)
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

/* Fills and finishes @account, which is empty. @snapshot is from kma_old_list(). */
static struct kma_err *kma_old_load(const struct kma_conn *conn,
				    const struct kma_snapshot *snapshot,
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

/* Removes all tables of this version. */
static struct kma_err *old_drop(const struct kma_conn *conn)
{
	return kma_conn_exec(
		conn,
		"DROP TABLE IF EXISTS module_tables; DROP TABLE IF EXISTS charged;\n"
		"DROP TABLE IF EXISTS charging; DROP TABLE IF EXISTS part; DROP TABLE IF EXISTS grouped;\n"
		"DROP TABLE IF EXISTS grouping; DROP TABLE site; DROP TABLE warning; DROP TABLE note;\n"
		"DROP TABLE loss; DROP TABLE metric; DROP TABLE snapshot");
}

#define KMA_LABEL_MAX 100 /* bytes */

/* An open file. */
struct db {
	struct kma_day *day;
	bool old;			/* of version 1: only @day->conn and @list are set */
	struct kma_day_sample *samples; /* as many as @nr */
	struct kma_snapshot *list;
	size_t nr, labelled; /* snapshots; those whose label was read */
};

void kma_db_list_free(struct kma_snapshot *snapshots, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		kma_snapshot_deinit(&snapshots[i]);
	free(snapshots);
}

static void db_close(struct db *db)
{
	kma_day_close(db->day);
	kma_db_list_free(db->list, db->nr);
	free(db->samples);
	*db = (struct db){ 0 };
}

#define _cleanup_db_ _cleanup_(db_close)

/* The rows are in the order of the samples. */
static struct kma_err *db_label_row(void *arg, sqlite3_stmt *stmt)
{
	struct db *db = arg;
	struct kma_snapshot *snapshot = &db->list[db->labelled++];

	if (db->labelled > db->nr || snapshot->id != sqlite3_column_int64(stmt, 0))
		return kma_conn_damaged(&db->day->conn, "a label belongs to no snapshot");
	snapshot->label = kma_conn_text(stmt, 1);
	snapshot->input = kma_conn_text(stmt, 2);
	snapshot->sites = sqlite3_column_int64(stmt, 3);
	return NULL;
}

static char *db_copy(const char *text)
{
	return text ? kma_xstrdup(text) : NULL;
}

static struct kma_err *db_heads(struct db *db)
{
	struct kma_err *err = kma_day_samples(db->day, &db->samples, &db->nr);

	if (err) {
		db->nr = 0;
		return err;
	}
	db->list = kma_xcalloc(db->nr + 1, sizeof(*db->list));
	for (size_t i = 0; i < db->nr; i++) {
		const struct kma_day_sample *sample = &db->samples[i];
		const struct kma_day_series *series = kma_day_series(db->day, sample->series);

		db->list[i] = (struct kma_snapshot){
			.id = sample->id,
			.time = sample->time / KMA_NS_PER_S,
			.host = db_copy(series->host),
			.release = db_copy(series->release),
			.build_id = db_copy(series->build_id),
			.live = sample->live,
			.has_live = kma_list_has(series->columns, kma_metrics[KMA_CURRENT].name),
		};
	}
	return kma_conn_each(&db->day->conn,
			     "SELECT sample, label, input, sites FROM label ORDER BY sample", 0,
			     db_label_row, db);
}

/* SQLite would say "file is not a database" about any other file. */
static struct kma_err *db_check_head(const char *path, const char *name)
{
	_cleanup_fclose_ FILE *f = NULL;
	char head[KMA_DB_MAGIC_LEN];
	struct kma_err *err;
	size_t len;

	err = kma_file_stream(path, KMA_FILE_REGULAR, &f);
	if (err)
		return kma_err_rename(err, name);
	len = fread(head, 1, sizeof(head), f);
	return !len || kma_db_probe(head, len) ? NULL : kma_err_create(name, 0, "not a DB file");
}

/* @db: for db_close() in any case; the transaction goes on */
static struct kma_err *db_open(struct db *db, const char *path, const char *name,
			       enum kma_conn_mode mode)
{
	bool write = mode == KMA_CONN_WRITE || mode == KMA_CONN_NEW;
	struct kma_conn *conn;
	struct kma_err *err;

	*db = (struct db){ .day = kma_day_new(name) };
	db->day->db = true;
	conn = &db->day->conn;
	err = mode == KMA_CONN_NEW ? NULL : db_check_head(path, name);
	err = err ?: kma_conn_open(conn, path, db->day->path, mode);
	if (err)
		return err;
	if (conn->empty && !write)
		return kma_err_create(name, 0, "the file is empty");
	db->old = conn->application == KMA_OLD_APPLICATION && conn->version == KMA_OLD_VERSION;
	if (db->old)
		err = kma_old_list(conn, &db->list, &db->nr);
	else
		err = kma_day_load(db->day, write ? KMA_DAY_WRITE : KMA_DAY_READ_GROUPS) ?:
			      db_heads(db);
	if (!err && mode == KMA_CONN_WRITE)
		err = kma_conn_check_pages(conn);
	return err;
}

static struct kma_err *db_none(const struct db *db, const char *label)
{
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };
	const char *path = db->day->path;
	size_t first = db->nr > 10 ? db->nr - 10 : 0;

	if (!db->nr)
		return kma_err_create(path, 0, "no snapshots in this file");
	for (size_t i = db->nr; i-- > first;) {
		const struct kma_snapshot *snapshot = &db->list[i];

		kma_strbuf_puts(&names, names.len ? ", " : "");
		if (snapshot->label)
			kma_strbuf_puts(&names, snapshot->label);
		else
			kma_strbuf_printf(&names, "#%" PRId64, snapshot->id);
	}
	return kma_err_create(path, 0, "no snapshot '%s' in this file (available: %s%s)", label,
			      names.str, first ? ", ..." : "");
}

/* The number in "#3"; 0 for a text without "#", -1 for another text after it. */
static int64_t db_number(const char *label)
{
	char *end;
	long long number;

	if (!label || *label != '#')
		return 0;
	errno = 0;
	number = strtoll(label + 1, &end, 10);
	return errno || *end || end == label + 1 ? -1 : number;
}

/*
 * Finds a snapshot: by its label; "#3" is number 3; NULL is the one with the latest time of saving.
 * With @times, a label that no snapshot has may be a time, as in the name of a sample of a history.
 */
static struct kma_err *db_find(const struct db *db, const char *label, bool times, size_t *ret)
{
	uint64_t now = time(NULL) * KMA_NS_PER_S, at = UINT64_MAX;
	int64_t number = db_number(label);
	struct kma_err *err = NULL;

	for (size_t i = 0; label && i < db->nr; i++) {
		const char *its = db->list[i].label;

		*ret = i;
		if (number ? db->list[i].id == number : its && !strcmp(its, label))
			return NULL;
	}
	if (label && (number || !times))
		return db_none(db, label);
	if (label)
		err = kma_when_parse(label, now, &at);
	if (err) {
		kma_err_destroy(err);
		return db_none(db, label);
	}
	*ret = SIZE_MAX;
	for (size_t i = 0; i < db->nr; i++) {
		uint64_t its = db->list[i].time * KMA_NS_PER_S;

		if (its <= at && (*ret == SIZE_MAX || db->list[i].time >= db->list[*ret].time))
			*ret = i;
	}
	return *ret == SIZE_MAX ? db_none(db, label) : NULL;
}

struct kma_err *kma_db_list(const char *path, struct kma_snapshot **ret, size_t *nr)
{
	_cleanup_db_ struct db db = { 0 };
	struct kma_err *err = db_open(&db, path, path, KMA_CONN_READ);

	if (err)
		return err;
	*ret = db.list;
	*nr = db.nr;
	db.list = NULL;
	db.nr = 0;
	return NULL;
}

static struct kma_err *db_load(const struct db *db, size_t i, struct kma_account **ret)
{
	_cleanup_free_ char *name = NULL;
	const struct kma_snapshot *snapshot = &db->list[i];
	struct kma_account *account;
	struct kma_err *err;

	name = snapshot->label ? kma_xasprintf("%s@%s", db->day->path, snapshot->label) :
				 kma_xasprintf("%s@#%" PRId64, db->day->path, snapshot->id);
	if (!db->old)
		return kma_day_read(db->day, db->samples, i, name, ret);
	account = kma_account_create(name);
	err = kma_old_load(&db->day->conn, snapshot, account);
	if (err)
		kma_account_destroy(account);
	else
		*ret = account;
	return err;
}

struct kma_err *kma_db_load(const struct kma_db_ref *ref, const char *name,
			    struct kma_snapshot *snapshot, struct kma_account **ret)
{
	_cleanup_db_ struct db db = { 0 };
	struct kma_err *err;
	size_t i;

	*snapshot = (struct kma_snapshot){ 0 };
	err = db_open(&db, ref->path, name ?: ref->path, name ? KMA_CONN_COPY : KMA_CONN_READ);
	err = err ?: db_find(&db, ref->label, true, &i);
	err = err ?: db_load(&db, i, ret);
	if (err)
		return err;
	*snapshot = db.list[i];
	db.list[i] = (struct kma_snapshot){ 0 };
	return NULL;
}

struct kma_err *kma_db_delete(const struct kma_db_ref *ref, bool try, struct kma_db_found *ret)
{
	_cleanup_db_ struct db db = { 0 };
	struct kma_err *err;
	char sql[400];
	size_t i;

	if (!ref->label)
		return kma_err_create(ref->path, 0,
				      "no snapshot given; use FILE@LABEL or FILE@#NUMBER");
	err = db_open(&db, ref->path, ref->path, KMA_CONN_WRITE);
	err = err ?: db_find(&db, ref->label, false, &i);
	if (err)
		return err;
	*ret = (struct kma_db_found){ db.day->conn.dev, db.day->conn.ino, db.list[i].id };
	if (db.old) {
		snprintf(sql, sizeof(sql), "DELETE FROM snapshot WHERE id = %" PRId64, ret->id);
		err = kma_conn_exec(&db.day->conn, sql);
	} else {
		err = kma_day_delete(db.day, db.samples, db.nr, i);
	}
	if (err || try)
		return err;
	return kma_conn_exec(&db.day->conn, "COMMIT");
}

static struct kma_err *db_check_label(const char *path, const char *label)
{
	if (!label)
		return NULL;
	if (!*label)
		return kma_err_create(path, 0, "the label after '@' is empty");
	if (strlen(label) > KMA_LABEL_MAX)
		return kma_err_create(path, 0, "the label is longer than %d bytes", KMA_LABEL_MAX);
	if (*label == '#')
		return kma_err_create(path, 0, "invalid label '%s': a label cannot begin with '#'",
				      label);
	for (const char *p = label; *p; p++)
		if (*p == '/' || *p == '@' || iscntrl((unsigned char)*p))
			return kma_err_create(
				path, 0,
				"invalid label '%s': a label cannot contain '/', '@' or a control character",
				label);
	return NULL;
}

/* Add a snapshot; the transaction goes on. */
static struct kma_err *db_add(struct db *db, struct kma_snapshot *snapshot,
			      const struct kma_account *account)
{
	const struct kma_moment moment = { .time = snapshot->time * KMA_NS_PER_S };
	struct kma_day_series series;
	struct kma_err *err;
	size_t bytes;

	for (size_t i = 0; snapshot->label && i < db->nr; i++)
		if (db->list[i].label && !strcmp(db->list[i].label, snapshot->label))
			return kma_err_create(
				db->day->path, 0,
				"snapshot '%s' already exists; delete it or use another label",
				snapshot->label);
	err = kma_day_series_of(account, true, &series);
	series.host = db_copy(snapshot->host);
	series.release = db_copy(snapshot->release);
	series.build_id = db_copy(snapshot->build_id);
	series.why = kma_xstrdup("");
	err = err ?: kma_day_begin(db->day, &series);
	err = err ?: kma_day_append(db->day, account, &moment, snapshot, &bytes);
	kma_day_series_deinit(&series);
	return err;
}

static struct kma_err *db_write(const char *path, int fd, const unsigned char *bytes, size_t len)
{
	while (len) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return kma_err_create(path, 0, "cannot write: %s",
					      strerror(n ? errno : ENOSPC));
		bytes += n;
		len -= n;
	}
	return fsync(fd) ? kma_err_create(path, 0, "cannot write: %s", strerror(errno)) : NULL;
}

/* Write a file that is in memory, unless there is one of that name. */
static struct kma_err *db_write_new(struct kma_name *name, const unsigned char *bytes, size_t len,
				    bool private, bool *there)
{
	struct kma_err *err;
	int fd;

	err = kma_name_temp(name, private, &fd);
	if (err)
		return err;
	err = db_write(name->path, fd, bytes, len);
	close(fd);
	return err ?: kma_name_commit(name, there);
}

/* Keep the bytes of a file of version 1 as FILE.v1, which may be there after a program was killed. */
static struct kma_err *db_keep_old(const char *path, const unsigned char *bytes, size_t len)
{
	_cleanup_name_ struct kma_name name = { 0 };
	_cleanup_free_ char *kept = kma_xasprintf("%s.v1", path), *text = NULL;
	struct kma_err *err;
	struct stat st;
	bool there = true;
	size_t has;

	err = kma_name_open(kept, &name);
	if (!err && name.file < 0)
		err = db_write_new(&name, bytes, len, stat(path, &st) || !(st.st_mode & 077),
				   &there);
	if (err || !there)
		return err;
	err = kma_file_slurp_regular(kept, &text, &has);
	if (err || (has == len && !memcmp(text, bytes, len)))
		return err;
	return kma_err_create(
		path, 0,
		"cannot convert this file of version 1, because '%s' exists; move one of them, or save into a new file",
		kept);
}

/* Copy all snapshots of a file of version 1. Numbers are not used again, also not deleted ones. */
static struct kma_err *db_copy_old(const struct db *old, struct db *db)
{
	struct kma_err *err;
	int64_t last;
	char sql[120];

	err = kma_conn_number(&old->day->conn,
			      "SELECT seq FROM sqlite_sequence WHERE name = 'snapshot'", &last);
	for (size_t i = 0; i < old->nr && !err; i++) {
		struct kma_account *account;

		err = db_load(old, i, &account);
		if (err)
			return err;
		err = db_add(db, &old->list[i], account);
		kma_account_destroy(account);
	}
	if (err || !last)
		return err;
	snprintf(sql, sizeof(sql),
		 "DELETE FROM sqlite_sequence WHERE name = 'sample';\n"
		 "INSERT INTO sqlite_sequence VALUES ('sample', %" PRId64 ")",
		 last);
	return kma_conn_exec(&db->day->conn, sql);
}

/*
 * Convert a file of version 1 in its transaction, so that others see the old file or the new one. It is
 * not replaced by another file: SQLite finds its journal by the name, so a program that waits
 * for the lock of the old file would take the journal of the new one for its own.
 */
static struct kma_err *db_convert(struct db *db)
{
	_cleanup_db_ struct db old = { .day = kma_day_new(db->day->path), .old = true };
	unsigned char *bytes;
	sqlite3_int64 len;
	struct kma_err *err;

	bytes = kma_xmem(sqlite3_serialize(db->day->conn.sql, "main", &len, 0));
	kma_conn_no_log(bytes, len);
	err = db_keep_old(db->day->path, bytes, len);
	err = err ?: kma_conn_open_image(&old.day->conn, old.day->path, bytes, len);
	err = err ?: kma_old_list(&old.day->conn, &old.list, &old.nr);
	err = err ?: old_drop(&db->day->conn);
	if (!err) {
		db->day->conn.empty = true;
		db->old = false;
		kma_db_list_free(db->list, db->nr);
		db->list = NULL;
		db->nr = 0;
		err = kma_day_load(db->day, KMA_DAY_WRITE);
	}
	err = err ?: db_copy_old(&old, db);
	/* For the labels, which are unique. */
	db->list = old.list;
	db->nr = old.nr;
	old.list = NULL;
	old.nr = 0;
	db_close(&old);
	sqlite3_free(bytes);
	return err;
}

static struct kma_err *db_save_old(const char *path, struct kma_snapshot *snapshot,
				   const struct kma_account *account)
{
	_cleanup_db_ struct db db = { 0 };
	struct kma_err *err = db_open(&db, path, path, KMA_CONN_WRITE);
	bool old = db.old;

	if (!err && old)
		err = db_convert(&db);
	err = err ?: db_add(&db, snapshot, account);
	err = err ?: kma_conn_exec(&db.day->conn, "COMMIT");
	if (!err && old)
		kma_warn("%s: converted to version 2; the file of version 1 is kept as %s.v1", path,
			 path);
	return err;
}

/* Save into a new file. @there: another process has created a file of that name first. */
static struct kma_err *db_save_new(struct kma_name *name, struct kma_snapshot *snapshot,
				   const struct kma_account *account, bool private, bool *there)
{
	_cleanup_db_ struct db db = { 0 };
	struct kma_err *err;
	unsigned char *bytes;
	sqlite3_int64 len;

	err = db_open(&db, NULL, name->path, KMA_CONN_NEW) ?: db_add(&db, snapshot, account);
	err = err ?: kma_conn_exec(&db.day->conn, "COMMIT");
	if (err)
		return err;
	bytes = kma_xmem(sqlite3_serialize(db.day->conn.sql, "main", &len, 0));
	err = db_write_new(name, bytes, len, private, there);
	sqlite3_free(bytes);
	return err;
}

/* Has a table of the module a column of addresses, which reveal where the kernel is? */
static bool db_is_private(const struct kma_account *account)
{
	const char *text = kma_account_tables(account);

	return text && (strstr(text, "\taddress\t") || strstr(text, "\n# address\t"));
}

struct kma_err *kma_db_save(const char *path, struct kma_snapshot *snapshot,
			    const struct kma_account *account)
{
	_cleanup_name_ struct kma_name name = { 0 };
	struct kma_err *err;
	bool there = true;
	size_t sites;

	kma_account_sites(account, &sites);
	snapshot->id = 0;
	snapshot->sites = sites;
	snapshot->live = kma_account_total(account)->current;
	snapshot->has_live = kma_account_metrics(account) & 1U << KMA_CURRENT;
	err = db_check_label(path, snapshot->label);
	/* Numbers of SQLite have 63 bits and a sign. */
	if (!err && snapshot->live > INT64_MAX)
		err = kma_err_create(path, 0,
				     "cannot save %" PRIu64
				     " live bytes: a DB file holds numbers of at most 63 bits",
				     snapshot->live);
	/* kma_conn_open() reports a directory, with the words for each file that is not regular. */
	if (!err && !kma_file_is_dir(path))
		err = kma_name_open(path, &name);
	if (err)
		return err;
	if (name.path && name.file < 0)
		err = db_save_new(&name, snapshot, account, db_is_private(account), &there);
	else if (name.file >= 0 && db_is_private(account))
		err = kma_name_private(&name);
	if (err || !there)
		return err;
	snapshot->id = 0;
	return db_save_old(path, snapshot, account);
}
