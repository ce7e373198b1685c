// SPDX-License-Identifier: GPL-2.0-only
/*
 * day.c - open a file of a history, and load its tables.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "columns.h"
#include "day.h"
#include "store/conn.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "model/intern.h"

#define KMA_DAY_APPLICATION 0x6b6d6168 /* "kmah" */
#define KMA_DAY_VERSION	    1
#define KMA_DAY_REST	    "[site table full]"
#define KMA_DAY_PAGE	    1024 /* bytes: on average a sample leaves half of its last page empty */

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

const char *const kma_day_lists[KMA_DAY_LISTS] = { KMA_NOTE_MODULES, KMA_NOTE_RECLAIMABLE };

static void kma_day_series_deinit(struct kma_day_series *series)
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

struct kma_err *kma_day_number(const struct kma_day *day, const char *sql, int64_t *ret)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;
	bool row = false;

	*ret = 0;
	err = kma_conn_prepare(&day->conn, sql, &stmt);
	if (err)
		return err;
	err = kma_conn_step(&day->conn, stmt, &row);
	if (row)
		*ret = sqlite3_column_int64(stmt, 0);
	return err;
}

static struct kma_err *kma_day_make(struct kma_day *day)
{
	struct kma_err *err;
	char sql[128];

	snprintf(sql, sizeof(sql),
		 "PRAGMA page_size = %d; BEGIN IMMEDIATE;\n"
		 "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 KMA_DAY_PAGE, KMA_DAY_APPLICATION, KMA_DAY_VERSION);
	err = kma_conn_exec(&day->conn, sql);
	err = err ?: kma_conn_exec(&day->conn, kma_day_tables);
	return err ?: kma_conn_exec(&day->conn, "COMMIT");
}

static struct kma_err *kma_day_check(struct kma_day *day, bool write)
{
	int64_t application, version, tables;
	struct kma_err *err;

	err = kma_day_number(day, "PRAGMA application_id", &application);
	err = err ?: kma_day_number(day, "PRAGMA user_version", &version);
	if (err)
		return err;
	err = kma_day_number(day,
			     "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND\n"
			     " name IN ('series', 'site', 'sample')",
			     &tables);
	if (err)
		return err;
	/* A program that was killed before it wrote the tables leaves an empty file. */
	day->empty = !tables && !application && !version;
	if (day->empty && write)
		return kma_day_make(day);
	if (day->empty)
		return NULL;
	if (application != KMA_DAY_APPLICATION)
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, day->path, 0,
					   "not a file of a history");
	if (version != KMA_DAY_VERSION)
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, day->path, 0,
					   "unsupported version %" PRId64 " (supported: %d)",
					   version, KMA_DAY_VERSION);
	return tables == 3 ? NULL : kma_conn_damaged(&day->conn, "a table is missing");
}

/* A copy of a text; NULL if the column is NULL. */
static char *kma_day_text(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? kma_xstrdup(text) : NULL;
}

static struct kma_err *kma_day_series_row(struct kma_day *day, sqlite3_stmt *stmt)
{
	struct kma_day_series *series;

	day->series = kma_xrealloc(day->series, day->nr_series + 1, sizeof(*day->series));
	day->ids = kma_xrealloc(day->ids, day->nr_series + 1, sizeof(*day->ids));
	day->ids[day->nr_series] = sqlite3_column_int64(stmt, 0);
	series = &day->series[day->nr_series++];
	*series = (struct kma_day_series){
		.uid = sqlite3_column_int64(stmt, 1),
		.boot = kma_day_text(stmt, 2),
		.host = kma_day_text(stmt, 3),
		.release = kma_day_text(stmt, 4),
		.build_id = kma_day_text(stmt, 5),
		.loaded = sqlite3_column_int64(stmt, 6),
		.generation = sqlite3_column_int64(stmt, 7),
		.columns = kma_day_text(stmt, 8),
		.notes = kma_day_text(stmt, 9),
		.why = kma_day_text(stmt, 10),
	};
	if (!series->columns || !series->notes || !series->why)
		return kma_conn_damaged(&day->conn, "a text of a series is missing");
	return NULL;
}

/* Site 0 stands for sites that have no number (model/intern.h). It has no row in the file. */
static void kma_day_rest(struct kma_day *day)
{
	kma_array_room(day->sites, day->nr_sites, day->room_sites);
	day->sites[0] = (struct kma_day_site){ .caller = kma_xstrdup(KMA_DAY_REST) };
	day->nr_sites = 1;
}

static struct kma_err *kma_day_site_row(struct kma_day *day, sqlite3_stmt *stmt)
{
	const char *kind = (const char *)sqlite3_column_text(stmt, 2);
	struct kma_day_site *site;

	if (sqlite3_column_int64(stmt, 0) != (int64_t)day->nr_sites)
		return kma_conn_damaged(&day->conn, "a call site is missing");
	kma_array_room(day->sites, day->nr_sites, day->room_sites);
	site = &day->sites[day->nr_sites++];
	*site = (struct kma_day_site){
		.caller = kma_day_text(stmt, 1),
		.path = kma_day_text(stmt, 3),
		.build_id = kma_day_text(stmt, 4),
		.text = sqlite3_column_int64(stmt, 5),
		.in_init = sqlite3_column_int(stmt, 6),
		.cache = kma_day_text(stmt, 7),
		.caches = sqlite3_column_int(stmt, 8),
	};
	for (unsigned int i = 0; kind && i < KMA_NR_KINDS; i++)
		if (!strcmp(kind, kma_kind_names[i]))
			site->kind = i;
	return site->caller ? NULL : kma_conn_damaged(&day->conn, "a call site has no name");
}

static struct kma_err *kma_day_rows(struct kma_day *day, const char *sql,
				    struct kma_err *(*take)(struct kma_day *day,
							    sqlite3_stmt *stmt))
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;
	bool row;

	err = kma_conn_prepare(&day->conn, sql, &stmt);
	while (!err) {
		err = kma_conn_step(&day->conn, stmt, &row);
		if (err || !row)
			break;
		err = take(day, stmt);
	}
	return err;
}

struct kma_err *kma_day_load_sites(struct kma_day *day)
{
	kma_day_rest(day);
	return kma_day_rows(day,
			    "SELECT id, caller, kind, path, build_id, text, init, cache,\n"
			    " caches FROM site ORDER BY id",
			    kma_day_site_row);
}

static struct kma_err *kma_day_load(struct kma_day *day, enum kma_day_mode mode)
{
	struct kma_err *err = kma_day_rows(
		day,
		"SELECT id, uid, boot, host, release, build_id, loaded, generation, columns, notes,\n"
		" why FROM series ORDER BY id",
		kma_day_series_row);

	err = err ?: kma_day_load_sites(day);
	if (err || mode == KMA_DAY_READ)
		return err;
	return kma_parts_load(&day->parts, &day->conn, day->nr_sites, &day->need);
}

/*
 * Check the type of the file, which SQLite opens by its name. A link is followed for reading, as for
 * every input, but not for writing: it could lead to a file outside of the history.
 */
static struct kma_err *kma_day_check_file(const struct kma_day *day, bool write, struct stat *st)
{
	struct kma_err *err;
	int fd;

	if (write && !lstat(day->path, st) && S_ISLNK(st->st_mode))
		return kma_err_create(
			day->path, 0,
			"cannot write: a symbolic link; move the file that it names into the history");
	err = kma_file_open(AT_FDCWD, day->path, KMA_FILE_REGULAR, &fd, st);
	if (!err) {
		kma_file_reads(st);
		close(fd);
	} else if (errno == ENOENT && write) {
		kma_err_destroy(err);
		err = NULL;
	}
	return err;
}

static struct kma_err *kma_day_connect(struct kma_day *day, bool write)
{
	int flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
	struct kma_err *err = NULL;
	struct stat st = { 0 };
	int code;

	day->conn.path = day->path;
	if (day->image)
		flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY;
	else
		err = kma_day_check_file(day, write, &st);
	if (err)
		return err;
	code = sqlite3_open_v2(day->path, &day->conn.sql, flags | SQLITE_OPEN_NOMUTEX, NULL);
	kma_xmem(day->conn.sql);
	if (code)
		return kma_conn_error(&day->conn);
	kma_conn_guard(&day->conn, day->image ? day->image_len : (uint64_t)st.st_size);
	/* With this flag SQLite does not change the bytes. */
	if (day->image &&
	    sqlite3_deserialize(day->conn.sql, "main", (unsigned char *)day->image, day->image_len,
				day->image_len, SQLITE_DESERIALIZE_READONLY))
		return kma_conn_error(&day->conn);
	sqlite3_busy_timeout(day->conn.sql, KMA_CONN_WAIT_MS);
	sqlite3_db_config(day->conn.sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(day->conn.sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(day->conn.sql, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	return kma_conn_exec(&day->conn, "PRAGMA synchronous = EXTRA; PRAGMA cell_size_check = ON");
}

/* Has a killed program left a journal, which only a writer can roll back? */
static bool kma_day_unfinished(const struct kma_day *day)
{
	return day->conn.sql && sqlite3_extended_errcode(day->conn.sql) == SQLITE_READONLY_ROLLBACK;
}

static struct kma_err *kma_day_try(struct kma_day *day, bool write, bool make)
{
	return kma_day_connect(day, write) ?: kma_day_check(day, make);
}

/* Open the file of @day, and load its tables. */
static struct kma_err *kma_day_start(struct kma_day *day, enum kma_day_mode mode)
{
	bool write = mode == KMA_DAY_WRITE;
	struct kma_err *err;

	err = kma_day_try(day, write, write);
	if (err && !write && kma_day_unfinished(day)) {
		kma_err_destroy(err);
		kma_conn_close(&day->conn);
		err = kma_day_try(day, true, false);
	}
	if (err || (day->empty && !write))
		return err;
	/*
	 * A program may be recording, so read sites, series and samples in one transaction. It ends
	 * in kma_day_samples(), so that the writer waits no longer.
	 */
	err = write ? NULL : kma_conn_exec(&day->conn, "BEGIN");
	return err ?: kma_day_load(day, mode);
}

static struct kma_err *kma_day_open_any(const char *path, const unsigned char *image, size_t len,
					enum kma_day_mode mode, const struct kma_columns_need *need,
					struct kma_day **ret)
{
	struct kma_day *day = kma_xcalloc(1, sizeof(*day));
	struct kma_err *err;

	day->image = image;
	day->image_len = len;
	if (need)
		day->need = *need;
	day->path = kma_xstrdup(path);
	err = kma_day_start(day, mode);
	if (err) {
		kma_day_close(day);
		return err;
	}
	*ret = day;
	return NULL;
}

struct kma_err *kma_day_open(const char *path, enum kma_day_mode mode,
			     const struct kma_columns_need *need, struct kma_day **ret)
{
	return kma_day_open_any(path, NULL, 0, mode, need, ret);
}

struct kma_err *kma_day_open_image(const char *name, const unsigned char *image, size_t len,
				   enum kma_day_mode mode, const struct kma_columns_need *need,
				   struct kma_day **ret)
{
	return kma_day_open_any(name, image, len, mode, need, ret);
}

struct kma_err *kma_day_image(const char *path, unsigned char **ret, size_t *len)
{
	struct kma_err *err;
	struct kma_day *day;
	sqlite3_int64 size = 0;

	err = kma_day_open(path, KMA_DAY_READ, NULL, &day);
	if (err)
		return err;
	*ret = day->empty ? NULL : sqlite3_serialize(day->conn.sql, "main", &size, 0);
	*len = size;
	if (!*ret && !day->empty)
		err = &kma_enomem;
	kma_day_close(day);
	return err;
}

const struct kma_day_series *kma_day_series(const struct kma_day *day, int64_t id)
{
	for (size_t i = 0; i < day->nr_series; i++)
		if (day->ids[i] == id)
			return &day->series[i];
	return NULL;
}

struct kma_err *kma_day_samples(struct kma_day *day, struct kma_day_sample **ret, size_t *nr)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	const struct kma_day_series *series;
	struct kma_day_sample *sample;
	struct kma_err *err;
	size_t room = 0;
	bool row;

	*nr = 0;
	*ret = NULL;
	if (day->empty)
		return NULL;
	err = kma_conn_prepare(
		&day->conn,
		"SELECT id, series, time, up, is_key, live, length(data) FROM sample\n"
		" ORDER BY id",
		&stmt);
	while (!err) {
		err = kma_conn_step(&day->conn, stmt, &row);
		if (err || !row)
			break;
		kma_array_room(*ret, *nr, room);
		sample = &(*ret)[*nr];
		*sample = (struct kma_day_sample){
			.id = sqlite3_column_int64(stmt, 0),
			.series = sqlite3_column_int64(stmt, 1),
			.time = sqlite3_column_int64(stmt, 2),
			.up = sqlite3_column_int64(stmt, 3),
			.key = sqlite3_column_int(stmt, 4),
			.live = sqlite3_column_int64(stmt, 5),
			.bytes = sqlite3_column_int64(stmt, 6),
		};
		series = kma_day_series(day, sample->series);
		if (!series)
			return kma_conn_damaged(&day->conn, "a sample belongs to no series");
		sample->uid = series->uid;
		++*nr;
	}
	sqlite3_reset(stmt);
	if (err)
		return err;
	if (!sqlite3_get_autocommit(day->conn.sql))
		return kma_conn_exec(&day->conn, "COMMIT");
	return NULL;
}
