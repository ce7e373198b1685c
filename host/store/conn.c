// SPDX-License-Identifier: GPL-2.0-only
/*
 * conn.c - a connection to a DB file.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conn.h"
#include "lib/file.h"
#include "lib/name.h"
#include "snapshot.h"

/* Offsets of two bytes in the header of an SQLite file, and their values. */
enum { KMA_CONN_WRITE_VERSION = 18, KMA_CONN_READ_VERSION = 19 };
enum { KMA_CONN_JOURNAL = 1, KMA_CONN_WAL = 2 };

/* Bytes that a file in memory may have, for kma_conn_guard(): it is this program's own. */
#define KMA_CONN_NEW_SIZE 2000000000U

/*
 * Tables of version 1, without the columns for the metrics. Deleting the row of a snapshot deletes
 * all of its data. Columns may be added within a version, never removed.
 */
static const struct {
	const char *name;
	const char *columns;
} kma_db_tables[] = {
	{ "snapshot", "(id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT UNIQUE,\n"
		      " time INTEGER NOT NULL, host TEXT, input TEXT, kernel_release TEXT,\n"
		      " build_id TEXT, sites INTEGER NOT NULL)" },
	{ "metric", "(snapshot INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,\n"
		    " name TEXT NOT NULL, total INTEGER NOT NULL,\n"
		    " PRIMARY KEY (snapshot, name)) WITHOUT ROWID" },
	{ "loss", "(snapshot INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,\n"
		  " name TEXT NOT NULL, events INTEGER NOT NULL,\n"
		  " PRIMARY KEY (snapshot, name)) WITHOUT ROWID" },
	{ "note", "(snapshot INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,\n"
		  " nr INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,\n"
		  " PRIMARY KEY (snapshot, nr)) WITHOUT ROWID" },
	{ "warning", "(snapshot INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,\n"
		     " nr INTEGER NOT NULL, text TEXT NOT NULL,\n"
		     " PRIMARY KEY (snapshot, nr)) WITHOUT ROWID" },
	{ "site", "(snapshot INTEGER NOT NULL REFERENCES snapshot ON DELETE CASCADE,\n"
		  " nr INTEGER NOT NULL, caller TEXT NOT NULL, kind TEXT, path TEXT,\n"
		  " PRIMARY KEY (snapshot, nr)) WITHOUT ROWID" },
};

/* Messages for SQLite's error codes; other codes use SQLite's own text. */
static const struct {
	int code;
	const char *sentence;
} kma_conn_sentences[] = {
	{ SQLITE_BUSY, "locked by another program; try again when that program has ended" },
	{ SQLITE_LOCKED, "locked by another program; try again when that program has ended" },
	{ SQLITE_READONLY, "cannot write: the file or its directory is read-only" },
	{ SQLITE_PERM, "cannot write: the file or its directory is read-only" },
	{ SQLITE_FULL, "cannot write: no space left" },
	{ SQLITE_TOOBIG, "cannot write: a text is too long" },
	{ SQLITE_INTERRUPT, "refused: SQLite needs more than 10 s for each 100 MB of the file" },
};

struct kma_err *kma_conn_damaged(const struct kma_conn *conn, const char *what)
{
	return kma_err_create_kind(KMA_ERR_DAMAGED, conn->path, 0, "corrupt: %s", what);
}

struct kma_err *kma_conn_error(const struct kma_conn *conn)
{
	int code = sqlite3_errcode(conn->sql) & 0xff;
	int os = sqlite3_system_errno(conn->sql);

	if (code == SQLITE_NOMEM)
		return &kma_enomem;
	if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
		return kma_conn_damaged(conn, sqlite3_errmsg(conn->sql));
	if (code == SQLITE_CANTOPEN || code == SQLITE_IOERR)
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, conn->path, 0,
					   code == SQLITE_IOERR ? "cannot read or write: %s" :
								  "cannot open: %s",
					   os ? strerror(os) : sqlite3_errmsg(conn->sql));
	for (size_t i = 0; i < ARRAY_SIZE(kma_conn_sentences); i++)
		if (code == kma_conn_sentences[i].code)
			return kma_err_create(conn->path, 0, "%s", kma_conn_sentences[i].sentence);
	return kma_err_create(conn->path, 0, "SQLite error: %s", sqlite3_errmsg(conn->sql));
}

struct kma_err *kma_conn_exec(const struct kma_conn *conn, const char *sql)
{
	int code;

	kma_guard_reset(conn->guard);
	kma_guard_enter(conn->guard);
	code = sqlite3_exec(conn->sql, sql, NULL, NULL, NULL);
	kma_guard_leave(conn->guard);
	return code ? kma_conn_error(conn) : NULL;
}

struct kma_err *kma_conn_prepare(const struct kma_conn *conn, const char *sql, sqlite3_stmt **ret)
{
	kma_guard_reset(conn->guard);
	return sqlite3_prepare_v2(conn->sql, sql, -1, ret, NULL) ? kma_conn_error(conn) : NULL;
}

struct kma_err *kma_conn_step(const struct kma_conn *conn, sqlite3_stmt *stmt, bool *row)
{
	int code;

	kma_guard_enter(conn->guard);
	code = sqlite3_step(stmt);
	kma_guard_leave(conn->guard);
	*row = code == SQLITE_ROW;
	return *row || code == SQLITE_DONE ? NULL : kma_conn_error(conn);
}

struct kma_err *kma_conn_run(const struct kma_conn *conn, sqlite3_stmt *stmt)
{
	struct kma_err *err;
	bool row;

	kma_guard_reset(conn->guard);
	err = kma_conn_step(conn, stmt, &row);
	sqlite3_reset(stmt);
	return err;
}

static struct kma_err *kma_conn_number(const struct kma_conn *conn, const char *sql, int64_t *ret)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;
	bool row = false;

	*ret = 0;
	err = kma_conn_prepare(conn, sql, &stmt) ?: kma_conn_step(conn, stmt, &row);
	if (row)
		*ret = sqlite3_column_int64(stmt, 0);
	return err;
}

static struct kma_err *kma_conn_create_tables(const struct kma_conn *conn)
{
	struct kma_err *err = NULL;
	char sql[512];

	for (size_t i = 0; i < ARRAY_SIZE(kma_db_tables) && !err; i++) {
		snprintf(sql, sizeof(sql), "CREATE TABLE %s %s", kma_db_tables[i].name,
			 kma_db_tables[i].columns);
		err = kma_conn_exec(conn, sql);
	}
	snprintf(sql, sizeof(sql), "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 KMA_CONN_APPLICATION, KMA_CONN_VERSION);
	return err ? err : kma_conn_exec(conn, sql);
}

/* Check that all tables exist. A view of that name does not count. */
static struct kma_err *kma_conn_check_tables(const struct kma_conn *conn)
{
	struct kma_err *err = NULL;
	int64_t found;
	char sql[128];

	for (size_t i = 0; i < ARRAY_SIZE(kma_db_tables) && !err; i++) {
		snprintf(sql, sizeof(sql),
			 "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '%s'",
			 kma_db_tables[i].name);
		err = kma_conn_number(conn, sql, &found);
		if (err || found == 1)
			continue;
		snprintf(sql, sizeof(sql), "no table '%s'", kma_db_tables[i].name);
		err = kma_conn_damaged(conn, sql);
	}
	return err;
}

/* Refuse a schema that computes values: an expression in it may take any time and memory. */
static struct kma_err *kma_conn_check_schema(const struct kma_conn *conn)
{
	struct kma_err *err;
	int64_t found;

	err = kma_conn_number(
		conn,
		"SELECT count(*) FROM sqlite_schema AS s, pragma_table_xinfo(s.name) AS c\n"
		" WHERE s.type = 'view' OR c.hidden > 1",
		&found);
	if (err || !found)
		return err;
	return kma_err_create(conn->path, 0,
			      "not a DB file of kmem-account: it has views or generated columns");
}

/* Check the pages: data that are added to a corrupt file may be lost, together with older data. */
static struct kma_err *kma_conn_check_pages(const struct kma_conn *conn)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	const char *finding;
	struct kma_err *err;
	bool row = false;

	err = kma_conn_prepare(conn, "PRAGMA quick_check(1)", &stmt) ?:
		      kma_conn_step(conn, stmt, &row);
	if (err || !row)
		return err;
	finding = (const char *)sqlite3_column_text(stmt, 0) ?: "";
	if (!strcmp(finding, "ok"))
		return NULL;
	/* The text may have several lines, of which the last one is the finding. */
	finding = strrchr(finding, '\n') ? strrchr(finding, '\n') + 1 : finding;
	return kma_conn_damaged(conn, finding);
}

/* Check which program the file belongs to, before anything is written. Fill an empty one. */
static struct kma_err *kma_conn_check(const struct kma_conn *conn, bool may_write)
{
	int64_t application, version, objects;
	struct kma_err *err;

	err = kma_conn_number(conn, "PRAGMA application_id", &application);
	if (err)
		return err;
	err = kma_conn_number(conn, "PRAGMA user_version", &version);
	if (err)
		return err;
	err = kma_conn_number(conn, "SELECT count(*) FROM sqlite_schema", &objects);
	if (err)
		return err;
	if (!objects && !application && !version)
		return may_write ? kma_conn_create_tables(conn) :
				   kma_err_create(conn->path, 0, "the file is empty");
	if (application != KMA_CONN_APPLICATION)
		return kma_err_create(conn->path, 0,
				      "an SQLite file, but not a DB file of kmem-account");
	if (version != KMA_CONN_VERSION)
		return kma_err_create(conn->path, 0,
				      "unsupported DB file version %" PRId64
				      " (supported: %d); nothing was changed",
				      version, KMA_CONN_VERSION);
	err = kma_conn_check_tables(conn) ?: kma_conn_check_schema(conn);
	if (err)
		return err;
	return may_write ? kma_conn_check_pages(conn) : NULL;
}

/* Check the type of the file; SQLite would report "file is not a database" for all types. */
static struct kma_err *kma_conn_check_file(const char *path, const char *name, uint64_t *ret_size)
{
	_cleanup_fclose_ FILE *f = NULL;
	char head[KMA_DB_MAGIC_LEN];
	struct kma_err *err;
	struct stat st;
	size_t len;

	err = kma_file_stream(path, KMA_FILE_REGULAR, &f);
	if (err)
		return kma_err_rename(err, name);
	if (fstat(fileno(f), &st))
		return kma_err_create(name, 0, "cannot open: %s", strerror(errno));
	kma_file_reads(&st);
	*ret_size = st.st_size;
	len = fread(head, 1, sizeof(head), f);
	if (len && !kma_db_probe(head, len))
		return kma_err_create(name, 0, "not a DB file");
	return NULL;
}

void kma_conn_guard(struct kma_conn *conn, uint64_t size)
{
	conn->guard = kma_guard_create(conn->sql, size);
}

/* Set the options, and begin the transaction. The file may be foreign: do not run its schema. */
static struct kma_err *kma_conn_set_up(struct kma_conn *conn, enum kma_conn_mode mode,
				       uint64_t size)
{
	struct kma_err *err;

	kma_conn_guard(conn, size);
	/* A file in memory that is not finished is dropped, so it needs no journal. */
	if (mode == KMA_CONN_NEW) {
		err = kma_conn_exec(conn, "PRAGMA journal_mode = OFF");
		if (err)
			return err;
	}
	sqlite3_busy_timeout(conn->sql, KMA_CONN_WAIT_MS);
	sqlite3_db_config(conn->sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(conn->sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(conn->sql, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(conn->sql, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
	return kma_conn_exec(conn, mode == KMA_CONN_READ || mode == KMA_CONN_COPY ?
					   "PRAGMA cell_size_check = ON; BEGIN" :
					   "PRAGMA cell_size_check = ON; BEGIN IMMEDIATE");
}

/*
 * Change the header of a copy from write-ahead logging to a journal. SQLite would need the log
 * file, which a copy does not have. The file itself is consistent.
 */
static void kma_conn_no_wal(unsigned char *head, size_t len)
{
	if (len > KMA_CONN_READ_VERSION && head[KMA_CONN_READ_VERSION] == KMA_CONN_WAL)
		head[KMA_CONN_WRITE_VERSION] = head[KMA_CONN_READ_VERSION] = KMA_CONN_JOURNAL;
}

/*
 * Read a file into memory: SQLite resolves links of /proc by itself, and then fails to open them.
 */
static struct kma_err *kma_conn_open_copy(struct kma_conn *conn, const char *path)
{
	_cleanup_free_ char *bytes = NULL;
	unsigned char *copy;
	struct kma_err *err;
	size_t len;

	err = kma_file_slurp_regular(path, &bytes, &len);
	if (err)
		return err;
	if (sqlite3_open_v2(":memory:", &conn->sql, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
			    NULL))
		return conn->sql ? kma_conn_error(conn) : &kma_enomem;
	/* sqlite3_deserialize() frees the copy, also if it fails. */
	copy = sqlite3_malloc64(len);
	if (!copy)
		return &kma_enomem;
	memcpy(copy, bytes, len);
	kma_conn_no_wal(copy, len);
	if (sqlite3_deserialize(conn->sql, "main", copy, len, len,
				SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY))
		return kma_conn_error(conn);
	return NULL;
}

static struct kma_err *kma_conn_open_file(struct kma_conn *conn, const char *path, int flags)
{
	if (!sqlite3_open_v2(path, &conn->sql, flags | SQLITE_OPEN_NOMUTEX, NULL))
		return NULL;
	return conn->sql ? kma_conn_error(conn) : &kma_enomem;
}

/*
 * Open a file for writing. SQLite follows links by itself, so it gets a path without links. SQLite
 * also replays a journal that lies beside the file, which must not be another user's.
 */
static struct kma_err *kma_conn_open_write(struct kma_conn *conn, const char *path)
{
	_cleanup_name_ struct kma_name name = { 0 };
	_cleanup_free_ char *real = NULL;
	static const char *const parts[] = { "-journal", "-wal", "-shm" };
	struct kma_err *err;
	struct stat st;

	err = kma_name_open(path, &name);
	if (err)
		return err;
	if (name.dir < 0 || name.file < 0)
		return kma_err_create(conn->path, 0, "not a regular file; a DB file must be one");
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		err = kma_name_beside(&name, parts[i]);
		if (err)
			return err;
	}
	real = kma_name_real(&name);
	if (!real)
		return kma_err_create(
			conn->path, 0,
			"cannot write: /proc does not tell the path of the file; is /proc mounted?");
	err = kma_conn_open_file(conn, real, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW);
	if (err)
		return err;
	if (stat(real, &st) || st.st_ino != name.st.st_ino || st.st_dev != name.st.st_dev)
		return kma_err_create(conn->path, 0,
				      "cannot write: the file was replaced meanwhile");
	return NULL;
}

/* Test for the journal of a killed writer, which only a writer can roll back. */
static bool kma_conn_unfinished(const struct kma_conn *conn)
{
	return conn->sql && sqlite3_extended_errcode(conn->sql) == SQLITE_READONLY_ROLLBACK;
}

static struct kma_err *kma_conn_begin(struct kma_conn *conn, enum kma_conn_mode mode, uint64_t size,
				      bool may_write)
{
	return kma_conn_set_up(conn, mode, size) ?: kma_conn_check(conn, may_write);
}

static struct kma_err *kma_conn_open_as(struct kma_conn *conn, const char *path,
					enum kma_conn_mode mode)
{
	switch (mode) {
	case KMA_CONN_COPY:
		return kma_conn_open_copy(conn, path);
	case KMA_CONN_NEW:
		return kma_conn_open_file(conn, ":memory:", SQLITE_OPEN_READWRITE);
	case KMA_CONN_WRITE:
		return kma_conn_open_write(conn, path);
	default:
		return kma_conn_open_file(conn, path, SQLITE_OPEN_READONLY);
	}
}

struct kma_err *kma_conn_open(struct kma_conn *conn, const char *path, const char *name,
			      enum kma_conn_mode mode)
{
	bool write = mode == KMA_CONN_WRITE || mode == KMA_CONN_NEW;
	uint64_t size = KMA_CONN_NEW_SIZE;
	struct kma_err *err;

	conn->sql = NULL;
	conn->guard = NULL;
	conn->path = name;
	err = mode == KMA_CONN_NEW ? NULL : kma_conn_check_file(path, name, &size);
	if (err)
		return err;
	err = kma_conn_open_as(conn, path, mode) ?: kma_conn_begin(conn, mode, size, write);
	if (mode != KMA_CONN_READ || !kma_conn_unfinished(conn))
		return err;
	/*
	 * Reopen the file for writing, so that SQLite can roll back the journal of a killed writer.
	 */
	kma_err_destroy(err);
	kma_conn_close(conn);
	return kma_conn_open_write(conn, path) ?: kma_conn_begin(conn, mode, size, false);
}

void kma_conn_close(struct kma_conn *conn)
{
	/* This also rolls back an open transaction. */
	sqlite3_close(conn->sql);
	conn->sql = NULL;
	free(conn->guard);
	conn->guard = NULL;
}
