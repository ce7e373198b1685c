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
#include "model/intern.h"

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
