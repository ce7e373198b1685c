// SPDX-License-Identifier: GPL-2.0-only
/*
 * day.c - open a file of samples, and load its tables.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "day.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/gzip.h"
#include "lib/plural.h"
#include "lib/strbuf.h"
#include "model/intern.h"

/*
 * Read samples from a file of a history.
 *
 * A sample is decoded from the key sample before it, or from the sample that was decoded last if
 * that is nearer. Reading all samples in their order thus decodes each one once. The accounts of
 * all samples share the names of the file's call sites and groups (kma_day.known).
 *
 * Read samples from a file.
 */

#define KMA_DAY_MAX_TABLES (1UL << 30) /* bytes of a snapshot's tables when unpacked */

/* Columns of the statement below: the data of a sample, its lists and its losses. */
enum { KMA_DAY_DATA, KMA_DAY_LIST, KMA_DAY_LOSS = KMA_DAY_LIST + KMA_DAY_LISTS };

static const char kma_day_sql[] =
	"SELECT data, modules, reclaimable, unknown, implied, lost FROM sample WHERE id = ?";

/* Keep a list. NULL means that it has not changed, or, in a key sample, that it is unknown. */
static void day_keep_list(struct kma_day *day, size_t i, bool key)
{
	const char *list = (const char *)sqlite3_column_text(day->stmt, KMA_DAY_LIST + i);

	if (!list && !key)
		return;
	free(day->read.lists[i]);
	day->read.lists[i] = list ? kma_xstrdup(list) : NULL;
}

static void day_keep(struct kma_day *day, const struct kma_day_sample *sample)
{
	for (size_t i = 0; i < KMA_DAY_LISTS; i++)
		day_keep_list(day, i, sample->key);
	for (size_t i = 0; i < KMA_DAY_LOSSES; i++) {
		day->read.has_loss[i] = sqlite3_column_type(day->stmt, KMA_DAY_LOSS + i) ==
					SQLITE_INTEGER;
		day->read.losses[i] = sqlite3_column_int64(day->stmt, KMA_DAY_LOSS + i);
	}
}

static struct kma_err *day_row(struct kma_day *day, const struct kma_day_sample *sample)
{
	struct kma_err *placed, *err;

	day_keep(day, sample);
	err = kma_code_get(&day->decoded, sqlite3_column_blob(day->stmt, KMA_DAY_DATA),
			   sqlite3_column_bytes(day->stmt, KMA_DAY_DATA), day->nr_sites);
	if (!err)
		return NULL;
	placed = kma_conn_damaged(&day->conn, err->message);
	kma_err_destroy(err);
	return placed;
}

/* Decode one sample. Resetting the statement ends the lock that a writer waits for. */
static struct kma_err *day_apply(struct kma_day *day, const struct kma_day_sample *sample)
{
	struct kma_err *err;
	bool row = false;

	err = day->stmt ? NULL : kma_conn_prepare(&day->conn, kma_day_sql, &day->stmt);
	if (err)
		return err;
	sqlite3_bind_int64(day->stmt, 1, sample->id);
	err = kma_conn_step(&day->conn, day->stmt, &row);
	if (!err)
		err = row ? day_row(day, sample) :
			    kma_conn_damaged(&day->conn, "a sample is missing");
	sqlite3_reset(day->stmt);
	return err ?: kma_parts_decode(&day->parts, &day->conn, sample->id, sample->key);
}

/* Prepare the decoder for the samples of a series. */
static struct kma_err *day_matrix(struct kma_day *day, int64_t series)
{
	day->decoded_series = 0;
	if (!kma_columns_parse(kma_day_series(day, series)->columns, &day->decoded_columns) ||
	    (day->decoded_columns.nr_unknown && !day->db))
		return kma_conn_damaged(&day->conn, "unknown column");
	kma_code_deinit(&day->decoded);
	day->decoded = (struct kma_code){ 0 };
	kma_columns_rules(&day->decoded_columns, &day->decoded);
	kma_columns_choose(&day->decoded_columns, &day->need, &day->decoded);
	return NULL;
}

/* Remember a sample that is corrupt. */
static void day_set_broken(struct kma_day *day, const struct kma_day_sample *samples, size_t i,
			   const struct kma_err *err)
{
	if (!kma_err_is(err, KMA_ERR_DAMAGED))
		return;
	free(day->broken.why);
	day->broken.why = kma_xstrdup(err->message);
	day->broken.series = samples[i].series;
	day->broken.at = i;
}

/*
 * Decode from the sample that was decoded last, or from a key sample, whichever is nearer. If a
 * corrupt sample that is remembered lies between the two, the error is that of this sample: the
 * samples after it are not decoded from the key sample again, each up to it.
 */
struct kma_err *kma_day_decode(struct kma_day *day, const struct kma_day_sample *samples, size_t i)
{
	int64_t series = samples[i].series;
	struct kma_err *err = NULL;
	size_t from = i;

	while (!(day->decoded_at == from + 1 && day->decoded_series == series)) {
		if (day->broken.why && day->broken.at == from && day->broken.series == series)
			return kma_err_create_kind(KMA_ERR_DAMAGED, day->conn.path, 0, "%s",
						   day->broken.why);
		if (samples[from].series == series && samples[from].key)
			break;
		if (!from--)
			return kma_conn_damaged(&day->conn, "a series begins without a key sample");
	}
	if (!(day->decoded_at == from + 1 && day->decoded_series == series)) {
		if (day->decoded_series != series)
			err = day_matrix(day, series);
		if (err)
			return err;
		kma_code_clear(&day->decoded);
		err = day_apply(day, &samples[from]);
		if (err)
			day_set_broken(day, samples, from, err);
	}
	for (size_t n = from + 1; n <= i && !err; n++) {
		if (samples[n].series != series)
			continue;
		if (samples[n].key)
			kma_code_clear(&day->decoded);
		err = day_apply(day, &samples[n]);
		if (err)
			day_set_broken(day, samples, n, err);
	}
	day->decoded_series = series;
	day->decoded_at = err ? 0 : i + 1;
	return err;
}

static struct kma_err *day_add_site(struct kma_account *account, const struct kma_day_site *site,
				    const struct kma_values *values)
{
	struct kma_err *err =
		kma_account_add_site(account, site->caller, strlen(site->caller), values);

	if (err)
		return err;
	kma_account_set_place(account, site->kind, site->path);
	if (site->build_id)
		kma_account_set_image(account, site->build_id, site->text, site->in_init);
	if (site->cache)
		kma_account_set_cache(account, site->cache, site->caches);
	return NULL;
}

/* Make an account with the sites of the file, once: site i of the file is its site i. */
static struct kma_err *day_known(struct kma_day *day)
{
	static const struct kma_values none;
	struct kma_account *known;

	if (day->known)
		return NULL;
	known = kma_account_create(day->path);
	for (size_t i = 0; i < day->nr_sites; i++) {
		struct kma_err *err = day_add_site(known, &day->sites[i], &none);

		if (err) {
			kma_account_destroy(known);
			return err;
		}
	}
	day->known = known;
	return NULL;
}

void kma_day_identity(struct kma_account *account, const char *key, const char *value)
{
	if (value && *value && !kma_account_note(account, key))
		kma_account_put_note(account, key, value);
}

/* Add the notes of a series, which are lines "key: value". */
static void day_notes(struct kma_account *account, const struct kma_day_series *series)
{
	_cleanup_free_ char *copy = kma_xstrdup(series->notes);
	char *next = copy, *line;

	while ((line = strsep(&next, "\n"))) {
		char *colon = strstr(line, ": ");

		if (!colon)
			continue;
		*colon = '\0';
		kma_account_put_note(account, line, colon + 2);
	}
	kma_day_identity(account, KMA_NOTE_RELEASE, series->release);
	kma_day_identity(account, KMA_NOTE_BUILD_ID, series->build_id);
}

/* What day_label_row() adds to. */
struct kma_day_target {
	const struct kma_day *day;
	struct kma_account *account;
};

struct kma_err *kma_day_unpack_tables(const struct kma_conn *conn, sqlite3_stmt *stmt, int column,
				      struct kma_account *account)
{
	struct kma_strbuf text = { 0 };
	struct kma_err *err;

	err = kma_gunzip(sqlite3_column_blob(stmt, column), sqlite3_column_bytes(stmt, column),
			 KMA_DAY_MAX_TABLES, &text);
	if (!err && text.len && !memchr(text.str, '\0', text.len)) {
		kma_account_set_tables(account, text.str);
		return NULL;
	}
	kma_strbuf_deinit(&text);
	kma_err_destroy(err);
	return kma_conn_damaged(conn, "cannot decompress the tables of a snapshot");
}

/* Add the warnings, which are lines, and the tables of the module. */
static struct kma_err *day_label_row(void *arg, sqlite3_stmt *stmt)
{
	const struct kma_day_target *target = arg;
	_cleanup_free_ char *warnings = kma_conn_text(stmt, 0);
	char *next = warnings, *line;

	while ((line = strsep(&next, "\n")))
		if (*line)
			kma_account_warn(target->account, "%s", line);
	if (sqlite3_column_type(stmt, 1) == SQLITE_NULL)
		return NULL;
	return kma_day_unpack_tables(&target->day->conn, stmt, 1, target->account);
}

/* Add the losses and lists of the sample. */
static void day_said(const struct kma_day *day, struct kma_account *account)
{
	static const enum kma_loss_id ids[KMA_DAY_LOSSES] = { KMA_LOSS_UNKNOWN_FREES,
							      KMA_LOSS_IMPLIED_FREES,
							      KMA_LOSS_NOT_RECORDED };

	for (size_t i = 0; i < KMA_DAY_LOSSES; i++)
		if (day->read.has_loss[i])
			kma_account_set_loss(account, ids[i], day->read.losses[i]);
	for (size_t i = 0; i < KMA_DAY_LISTS; i++)
		if (day->read.lists[i])
			kma_account_put_note(account, kma_day_lists[i], day->read.lists[i]);
}

/*
 * The sites of the decoded sample, in their order: that of the file, or of the places that the sample
 * stores. A site without parts whose numbers are all 0 was not there, unless it has a place.
 */
static struct kma_err *day_order(const struct kma_day *day, const bool *has_parts, size_t *order,
				 size_t *nr)
{
	const struct kma_columns *columns = &day->decoded_columns;
	size_t width = day->decoded.nr_columns, rows = day->decoded.nr_sites;
	size_t places = 0;

	*nr = 0;
	if (!columns->place) {
		for (size_t i = 0; i < rows; i++)
			if (has_parts[i] ||
			    kma_columns_any(columns, day->decoded.values + i * width))
				order[(*nr)++] = i;
		return NULL;
	}
	for (size_t i = 0; i < rows; i++)
		order[i] = SIZE_MAX;
	for (size_t i = 0; i < rows; i++) {
		uint64_t place = day->decoded.values[i * width + columns->place - 1];

		if (place > rows || (place ? order[place - 1] != SIZE_MAX : has_parts[i]))
			return kma_conn_damaged(&day->conn,
						"a call site of a sample has no place of its own");
		if (!place)
			continue;
		order[place - 1] = i;
		places++;
		*nr = place > *nr ? place : *nr;
	}
	return places == *nr ? NULL : kma_conn_damaged(&day->conn, "a place has no call site");
}

static struct kma_err *day_add_sites(struct kma_day *day, const struct kma_day_sample *sample,
				     const bool *has_parts, size_t *rows,
				     struct kma_account *account)
{
	_cleanup_free_ size_t *order = kma_xcalloc(day->nr_sites + 1, sizeof(*order));
	const struct kma_columns *columns = &day->decoded_columns;
	struct kma_err *err;
	size_t nr;

	err = day_order(day, has_parts, order, &nr);
	/* Sites are parsed once for all samples of a history. Of a DB file mostly one is read. */
	if (!day->db)
		err = err ?: day_known(day);
	if (err)
		return err;
	kma_account_expect(account, nr);
	for (size_t n = 0; n < nr; n++) {
		size_t i = order[n];
		struct kma_values values;
		struct kma_site_age age;

		kma_columns_set(columns, day->decoded.values + i * day->decoded.nr_columns,
				sample->up, &values, &age);
		err = day->known ? kma_account_add_known(account, day->known, i, &values) :
				   day_add_site(account, &day->sites[i], &values);
		if (err)
			return err;
		if (columns->ages)
			kma_account_add_age(account, n, &age);
		rows[i] = n;
	}
	return NULL;
}

static struct kma_err *day_fill(struct kma_day *day, const struct kma_day_sample *sample,
				struct kma_account *account)
{
	const struct kma_day_series *series = kma_day_series(day, sample->series);
	const struct kma_moment moment = { .boot = series->boot ?: "-",
					   .up = sample->up,
					   .time = sample->time,
					   .loaded = series->loaded,
					   .generation = series->generation };
	_cleanup_free_ size_t *rows = kma_xcalloc(day->nr_sites + 1, sizeof(*rows));
	_cleanup_free_ bool *has_parts = kma_xcalloc(day->nr_sites + 1, sizeof(*has_parts));
	const struct kma_columns *columns = &day->decoded_columns;
	struct kma_day_target target = { day, account };
	struct kma_err *err = NULL;

	kma_parts_mark(&day->parts, has_parts);
	for (size_t i = day->decoded.nr_sites; i < day->nr_sites; i++)
		if (has_parts[i])
			return kma_conn_damaged(
				&day->conn,
				"a group of a sample has a call site that the sample lacks");
	if (columns->nr_unknown)
		kma_account_warn(account, "%u %s of a newer program %s left out",
				 columns->nr_unknown,
				 kma_plural(columns->nr_unknown, "column", "columns"),
				 kma_plural(columns->nr_unknown, "is", "are"));
	kma_account_set_metrics(account, columns->metrics);
	if (!day->db)
		kma_moment_keep(account, &moment);
	day_notes(account, series);
	day_said(day, account);
	if (day->labels)
		err = kma_conn_each(&day->conn,
				    "SELECT warnings, tables FROM label WHERE sample = ?",
				    sample->id, day_label_row, &target);
	err = err ?: day_add_sites(day, sample, has_parts, rows, account);
	err = err ?: kma_parts_fill(&day->parts, &day->conn, rows, account);
	return err ?: kma_account_finish(account);
}

struct kma_err *kma_day_hold(struct kma_day *day)
{
	kma_day_release(day);
	return kma_conn_exec(&day->conn, "BEGIN");
}

void kma_day_release(struct kma_day *day)
{
	if (day && !sqlite3_get_autocommit(day->conn.sql))
		sqlite3_exec(day->conn.sql, "COMMIT", NULL, NULL, NULL);
}

struct kma_err *kma_day_read(struct kma_day *day, const struct kma_day_sample *samples, size_t i,
			     const char *name, struct kma_account **ret)
{
	struct kma_account *account;
	struct kma_err *err = kma_day_decode(day, samples, i);

	if (err)
		return err;
	account = kma_account_create(name);
	err = day_fill(day, &samples[i], account);
	if (!err && (!day->need.metrics || day->need.metrics & 1U << KMA_CURRENT) &&
	    kma_account_total(account)->current != samples[i].live)
		err = kma_conn_damaged(&day->conn,
				       "the call sites of a sample do not add up to its total");
	if (err) {
		kma_account_destroy(account);
		return err;
	}
	*ret = account;
	return NULL;
}

#define KMA_DAY_APPLICATION    0x6b6d6168 /* "kmah" */
#define KMA_DAY_VERSION	       1
#define KMA_DAY_APPLICATION_DB 0x6b6d6163 /* "kmac" */
#define KMA_DAY_VERSION_DB     2
#define KMA_DAY_REST	       "[site table full]"

/* Columns may be added within a version. The data of a sample is the last column of its row. */
static const char kma_day_tables[] =
	"CREATE TABLE series (id INTEGER PRIMARY KEY, uid INTEGER NOT NULL UNIQUE,\n"
	" boot TEXT, host TEXT, release TEXT, build_id TEXT, loaded INTEGER, generation INTEGER,\n"
	" columns TEXT NOT NULL, notes TEXT NOT NULL, why TEXT NOT NULL);\n"
	"CREATE TABLE site (id INTEGER PRIMARY KEY, caller TEXT NOT NULL, kind TEXT, path TEXT,\n"
	" build_id TEXT, text INTEGER, init INTEGER, cache TEXT, caches INTEGER);\n"
	"CREATE TABLE sample (id INTEGER PRIMARY KEY AUTOINCREMENT,\n"
	" series INTEGER NOT NULL REFERENCES series, time INTEGER NOT NULL, up INTEGER NOT NULL,\n"
	" is_key INTEGER NOT NULL, live INTEGER NOT NULL, unknown INTEGER, implied INTEGER,\n"
	" lost INTEGER, modules TEXT, reclaimable TEXT, data BLOB NOT NULL);\n";

/* What a DB file has, too. */
static const char kma_day_label_table[] =
	"CREATE TABLE label (sample INTEGER PRIMARY KEY REFERENCES sample ON DELETE CASCADE,\n"
	" label TEXT UNIQUE, input TEXT, sites INTEGER NOT NULL, warnings TEXT, tables BLOB);\n";

const char *const kma_day_lists[KMA_DAY_LISTS] = { KMA_NOTE_MODULES, KMA_NOTE_RECLAIMABLE };

void kma_day_series_deinit(struct kma_day_series *series)
{
	free(series->boot);
	free(series->host);
	free(series->release);
	free(series->build_id);
	free(series->notes);
	free(series->columns);
	free(series->why);
}

void kma_day_forget_sites(struct kma_day *day)
{
	for (size_t i = 0; i < day->nr_sites; i++) {
		free(day->sites[i].caller);
		free(day->sites[i].path);
		free(day->sites[i].build_id);
		free(day->sites[i].cache);
	}
	free(day->sites);
	day->sites = NULL;
	day->nr_sites = day->room_sites = 0;
}

void kma_day_close(struct kma_day *day)
{
	if (!day)
		return;
	sqlite3_finalize(day->stmt);
	kma_parts_deinit(&day->parts);
	kma_conn_close(&day->conn);
	kma_account_destroy(day->known);
	for (size_t i = 0; i < day->nr_series; i++)
		kma_day_series_deinit(&day->series[i]);
	kma_day_forget_sites(day);
	free(day->series);
	free(day->ids);
	kma_intern_destroy(day->intern);
	kma_code_deinit(&day->code);
	kma_code_deinit(&day->decoded);
	for (size_t i = 0; i < KMA_DAY_LISTS; i++) {
		free(day->lists[i]);
		free(day->read.lists[i]);
	}
	free(day->broken.why);
	free(day->path);
	free(day);
}

static struct kma_err *day_make(struct kma_day *day)
{
	struct kma_err *err;
	char sql[128];

	snprintf(sql, sizeof(sql), "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 day->db ? KMA_DAY_APPLICATION_DB : KMA_DAY_APPLICATION,
		 day->db ? KMA_DAY_VERSION_DB : KMA_DAY_VERSION);
	err = kma_conn_exec(&day->conn, sql);
	err = err ?: kma_conn_exec(&day->conn, kma_day_tables);
	if (!err && day->db)
		err = kma_conn_exec(&day->conn, kma_day_label_table);
	return err;
}

/* Check which program the file belongs to, before anything is written. */
static struct kma_err *day_check(const struct kma_day *day)
{
	const struct kma_conn *conn = &day->conn;

	if (conn->application != (day->db ? KMA_DAY_APPLICATION_DB : KMA_DAY_APPLICATION))
		return kma_err_create_kind(
			KMA_ERR_OTHER_FORMAT, day->path, 0, "%s",
			day->db ? "an SQLite file, but not a DB file of kmem-account" :
				  "not a file of a history");
	if (day->db && conn->version != KMA_DAY_VERSION_DB)
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, day->path, 0,
					   "unsupported DB file version %" PRId64
					   " (supported: 1 and %d); nothing was changed",
					   conn->version, KMA_DAY_VERSION_DB);
	if (!day->db && conn->version != KMA_DAY_VERSION)
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, day->path, 0,
					   "unsupported version %" PRId64 " (supported: %d)",
					   conn->version, KMA_DAY_VERSION);
	if (!kma_conn_has(conn, "series", "uid") || !kma_conn_has(conn, "site", "caller") ||
	    !kma_conn_has(conn, "sample", "data") || (day->db && !day->labels))
		return kma_conn_damaged(conn, "a table is missing");
	return NULL;
}

static struct kma_err *day_series_row(void *arg, sqlite3_stmt *stmt)
{
	struct kma_day *day = arg;
	struct kma_day_series *series;

	day->series = kma_xrealloc(day->series, day->nr_series + 1, sizeof(*day->series));
	day->ids = kma_xrealloc(day->ids, day->nr_series + 1, sizeof(*day->ids));
	day->ids[day->nr_series] = sqlite3_column_int64(stmt, 0);
	series = &day->series[day->nr_series++];
	*series = (struct kma_day_series){
		.uid = sqlite3_column_int64(stmt, 1),
		.boot = kma_conn_text(stmt, 2),
		.host = kma_conn_text(stmt, 3),
		.release = kma_conn_text(stmt, 4),
		.build_id = kma_conn_text(stmt, 5),
		.loaded = sqlite3_column_int64(stmt, 6),
		.generation = sqlite3_column_int64(stmt, 7),
		.columns = kma_conn_text(stmt, 8),
		.notes = kma_conn_text(stmt, 9),
		.why = kma_conn_text(stmt, 10),
	};
	if (!series->columns || !series->notes || !series->why)
		return kma_conn_damaged(&day->conn, "a text of a series is missing");
	return NULL;
}

/* Site 0 stands for sites that have no number (model/intern.h). It has no row in the file. */
static void day_rest(struct kma_day *day)
{
	kma_array_room(day->sites, day->nr_sites, day->room_sites);
	day->sites[0] = (struct kma_day_site){ .caller = kma_xstrdup(KMA_DAY_REST) };
	day->nr_sites = 1;
}

static struct kma_err *day_site_row(void *arg, sqlite3_stmt *stmt)
{
	const char *kind = (const char *)sqlite3_column_text(stmt, 2);
	struct kma_day *day = arg;
	struct kma_day_site *site;

	if (sqlite3_column_int64(stmt, 0) != (int64_t)day->nr_sites)
		return kma_conn_damaged(&day->conn, "a call site is missing");
	kma_array_room(day->sites, day->nr_sites, day->room_sites);
	site = &day->sites[day->nr_sites++];
	*site = (struct kma_day_site){
		.caller = kma_conn_text(stmt, 1),
		.path = kma_conn_text(stmt, 3),
		.build_id = kma_conn_text(stmt, 4),
		.text = sqlite3_column_int64(stmt, 5),
		.in_init = sqlite3_column_int(stmt, 6),
		.cache = kma_conn_text(stmt, 7),
		.caches = sqlite3_column_int(stmt, 8),
	};
	for (unsigned int i = 0; kind && i < KMA_NR_KINDS; i++)
		if (!strcmp(kind, kma_kind_names[i]))
			site->kind = i;
	return site->caller ? NULL : kma_conn_damaged(&day->conn, "a call site has no name");
}

struct kma_err *kma_day_load_sites(struct kma_day *day)
{
	day_rest(day);
	return kma_conn_each(&day->conn,
			     "SELECT id, caller, kind, path, build_id, text, init, cache,\n"
			     " caches FROM site ORDER BY id",
			     0, day_site_row, day);
}

struct kma_err *kma_day_load(struct kma_day *day, enum kma_day_mode mode)
{
	struct kma_err *err = NULL;

	day->labels = kma_conn_has(&day->conn, "label", "sample");
	if (!day->conn.empty)
		err = day_check(day);
	else if (mode == KMA_DAY_WRITE)
		err = day_make(day);
	/* A program that was killed before it wrote the tables leaves an empty file. */
	if (err || (day->conn.empty && mode != KMA_DAY_WRITE))
		return err;
	err = kma_conn_each(
		&day->conn,
		"SELECT id, uid, boot, host, release, build_id, loaded, generation, columns, notes,\n"
		" why FROM series ORDER BY id",
		0, day_series_row, day);
	err = err ?: kma_day_load_sites(day);
	if (err || mode == KMA_DAY_READ)
		return err;
	return kma_parts_load(&day->parts, &day->conn, day->nr_sites, &day->need);
}

struct kma_day *kma_day_new(const char *path)
{
	struct kma_day *day = kma_xcalloc(1, sizeof(*day));

	day->path = kma_xstrdup(path);
	return day;
}

struct kma_err *kma_day_open(const char *path, const struct kma_packed *image,
			     enum kma_day_mode mode, const struct kma_columns_need *need,
			     struct kma_day **ret)
{
	struct kma_day *day = kma_day_new(path);
	struct kma_err *err;

	if (need)
		day->need = *need;
	err = image ? kma_conn_open_image(&day->conn, day->path, image->data, image->len) :
		      kma_conn_open(&day->conn, path, day->path,
				    mode == KMA_DAY_WRITE ? KMA_CONN_DAY : KMA_CONN_READ);
	err = err ?: kma_day_load(day, mode);
	if (!err && mode == KMA_DAY_WRITE)
		err = kma_conn_exec(&day->conn, "COMMIT");
	if (err) {
		kma_day_close(day);
		return err;
	}
	*ret = day;
	return NULL;
}

struct kma_err *kma_day_image(const char *path, unsigned char **ret, size_t *len)
{
	struct kma_err *err;
	struct kma_day *day;
	sqlite3_int64 size = 0;

	err = kma_day_open(path, NULL, KMA_DAY_READ, NULL, &day);
	if (err)
		return err;
	*ret = day->conn.empty ? NULL :
				 kma_xmem(sqlite3_serialize(day->conn.sql, "main", &size, 0));
	*len = size;
	kma_day_close(day);
	return NULL;
}

const struct kma_day_series *kma_day_series(const struct kma_day *day, int64_t id)
{
	for (size_t i = 0; i < day->nr_series; i++)
		if (day->ids[i] == id)
			return &day->series[i];
	return NULL;
}

/* The list that kma_day_samples() makes. */
struct kma_day_list {
	const struct kma_day *day;
	struct kma_day_sample *samples;
	size_t nr, room;
};

static struct kma_err *day_sample_row(void *arg, sqlite3_stmt *stmt)
{
	struct kma_day_list *list = arg;
	const struct kma_day_series *series;
	struct kma_day_sample *sample;

	kma_array_room(list->samples, list->nr, list->room);
	sample = &list->samples[list->nr];
	*sample = (struct kma_day_sample){
		.id = sqlite3_column_int64(stmt, 0),
		.series = sqlite3_column_int64(stmt, 1),
		.time = sqlite3_column_int64(stmt, 2),
		.up = sqlite3_column_int64(stmt, 3),
		.key = sqlite3_column_int(stmt, 4),
		.live = sqlite3_column_int64(stmt, 5),
		.bytes = sqlite3_column_int64(stmt, 6),
	};
	series = kma_day_series(list->day, sample->series);
	if (!series)
		return kma_conn_damaged(&list->day->conn, "a sample belongs to no series");
	sample->uid = series->uid;
	list->nr++;
	return NULL;
}

struct kma_err *kma_day_samples(struct kma_day *day, struct kma_day_sample **ret, size_t *nr)
{
	struct kma_day_list list = { .day = day };
	struct kma_err *err = NULL;

	if (!day->conn.empty)
		err = kma_conn_each(
			&day->conn,
			"SELECT id, series, time, up, is_key, live, length(data) FROM sample\n"
			" ORDER BY id",
			0, day_sample_row, &list);
	*ret = list.samples;
	*nr = list.nr;
	if (err || day->db || sqlite3_get_autocommit(day->conn.sql))
		return err;
	/* A program may be recording, so it waits no longer than for this list. */
	return kma_conn_exec(&day->conn, "COMMIT");
}
