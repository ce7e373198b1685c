// SPDX-License-Identifier: GPL-2.0-only
/*
 * conn.c - a connection to an SQLite file.
 */
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "conn.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/err.h"
#include "lib/file.h"
#include "lib/name.h"
#include "lib/strbuf.h"

/*
 * Guards limit what SQLite may spend on a file, which may be foreign: the sizes of values and
 * statements, the time of a statement, and the memory.
 *
 * A statement may spend 10 s of a CPU in SQLite, and SQLite may use 512 MB, for each 100 MB begun
 * of the file. The time of the caller between two rows does not count. SQLite has one limit of
 * memory for the whole program, so that of the largest file counts.
 */

#define KMA_GUARD_UNIT	 100000000U /* bytes of a file for which the next two are allowed */
#define KMA_GUARD_NS	 10000000000ULL
#define KMA_GUARD_MEMORY 512000000ULL
#define KMA_GUARD_OPS	 10000 /* steps of SQLite's machine between two looks at the clock */

/* Far above what the statements of this program and the tables of its files need. */
static const struct {
	int what, most;
} kma_guard_limits[] = {
	{ SQLITE_LIMIT_LENGTH, 256 << 20 },
	{ SQLITE_LIMIT_SQL_LENGTH, 1 << 20 },
	{ SQLITE_LIMIT_COLUMN, 1000 },
	{ SQLITE_LIMIT_EXPR_DEPTH, 100 },
	{ SQLITE_LIMIT_COMPOUND_SELECT, 20 },
	{ SQLITE_LIMIT_VDBE_OP, 1000000 },
	{ SQLITE_LIMIT_FUNCTION_ARG, 100 },
	{ SQLITE_LIMIT_ATTACHED, 0 },
	{ SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000 },
	{ SQLITE_LIMIT_TRIGGER_DEPTH, 10 },
	{ SQLITE_LIMIT_WORKER_THREADS, 0 },
};

/* SQLite calls this; it ends the statement if the result is not 0. */
static int guard_progress(void *arg)
{
	const struct kma_guard *guard = arg;

	return guard->began &&
	       guard->spent + (kma_clock(CLOCK_THREAD_CPUTIME_ID) - guard->began) > guard->limit;
}

/* A new statement begins; NULL: the connection has no guard, also below. */
static void guard_reset(struct kma_guard *guard)
{
	if (guard)
		guard->spent = 0;
}

/* SQLite is about to run. */
static void guard_enter(struct kma_guard *guard)
{
	if (guard)
		guard->began = kma_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* SQLite has returned. */
static void guard_leave(struct kma_guard *guard)
{
	if (!guard)
		return;
	guard->spent += kma_clock(CLOCK_THREAD_CPUTIME_ID) - guard->began;
	guard->began = 0;
}

/* Allow the memory of this file, unless that of a larger one is allowed. */
static void guard_memory(uint64_t bytes)
{
	uint64_t now = sqlite3_hard_heap_limit64(-1);

	if (now < bytes)
		sqlite3_hard_heap_limit64(bytes);
}

/* Limits a connection. free() the guard after the connection was closed. */
static struct kma_guard *guard_create(sqlite3 *sql, uint64_t size)
{
	uint64_t units = size / KMA_GUARD_UNIT + 1;
	struct kma_guard *guard = kma_xcalloc(1, sizeof(*guard));

	guard->limit = units * KMA_GUARD_NS;
	for (size_t i = 0; i < ARRAY_SIZE(kma_guard_limits); i++)
		sqlite3_limit(sql, kma_guard_limits[i].what, kma_guard_limits[i].most);
	sqlite3_progress_handler(sql, KMA_GUARD_OPS, guard_progress, guard);
	guard_memory(units * KMA_GUARD_MEMORY);
	return guard;
}

/* Offsets of two bytes in the header of an SQLite file, and their values. */
enum { KMA_CONN_WRITE_VERSION = 18, KMA_CONN_READ_VERSION = 19 };
enum { KMA_CONN_JOURNAL = 1, KMA_CONN_WAL = 2 };

/* Bytes that a file in memory may have, for the guard: it is this program's own. */
#define KMA_CONN_NEW_SIZE 2000000000U

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

/* Make an error from SQLite's last error. */
static struct kma_err *conn_error(const struct kma_conn *conn)
{
	int code = sqlite3_errcode(conn->sql) & 0xff;
	int os = sqlite3_system_errno(conn->sql);

	if (code == SQLITE_NOMEM)
		kma_atend_no_memory();
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

	guard_reset(conn->guard);
	guard_enter(conn->guard);
	code = sqlite3_exec(conn->sql, sql, NULL, NULL, NULL);
	guard_leave(conn->guard);
	return code ? conn_error(conn) : NULL;
}

struct kma_err *kma_conn_prepare(const struct kma_conn *conn, const char *sql, sqlite3_stmt **ret)
{
	guard_reset(conn->guard);
	return sqlite3_prepare_v2(conn->sql, sql, -1, ret, NULL) ? conn_error(conn) : NULL;
}

struct kma_err *kma_conn_step(const struct kma_conn *conn, sqlite3_stmt *stmt, bool *row)
{
	int code;

	guard_enter(conn->guard);
	code = sqlite3_step(stmt);
	guard_leave(conn->guard);
	*row = code == SQLITE_ROW;
	return *row || code == SQLITE_DONE ? NULL : conn_error(conn);
}

static struct kma_err *conn_run(const struct kma_conn *conn, sqlite3_stmt *stmt)
{
	struct kma_err *err;
	bool row;

	guard_reset(conn->guard);
	err = kma_conn_step(conn, stmt, &row);
	sqlite3_reset(stmt);
	return err;
}

struct kma_err *kma_conn_number(const struct kma_conn *conn, const char *sql, int64_t *ret)
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

char *kma_conn_text(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? kma_xstrdup(text) : NULL;
}

struct kma_err *kma_conn_each(const struct kma_conn *conn, const char *sql, int64_t value,
			      struct kma_err *(*take)(void *arg, sqlite3_stmt *stmt), void *arg)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err = kma_conn_prepare(conn, sql, &stmt);
	bool row;

	if (err)
		return err;
	/* Fails if the statement has no value, which is fine. */
	sqlite3_bind_int64(stmt, 1, value);
	for (;;) {
		err = kma_conn_step(conn, stmt, &row);
		if (err || !row)
			return err;
		err = take(arg, stmt);
		if (err)
			return err;
	}
}

struct kma_err *kma_conn_put(struct kma_conn *conn, const char *sql, const char *types, ...)
{
	const struct kma_strbuf *bytes;
	const uint64_t *number;
	struct kma_err *err;
	sqlite3_stmt *stmt;
	va_list args;

	if (conn->put_sql != sql) {
		sqlite3_finalize(conn->put);
		conn->put_sql = NULL;
		err = kma_conn_prepare(conn, sql, &conn->put);
		if (err)
			return err;
		conn->put_sql = sql;
	}
	stmt = conn->put;
	sqlite3_clear_bindings(stmt);
	va_start(args, types);
	for (int i = 1; *types; i++, types++) {
		if (*types == 'i') {
			sqlite3_bind_int64(stmt, i, va_arg(args, int64_t));
		} else if (*types == 't') {
			sqlite3_bind_text(stmt, i, va_arg(args, const char *), -1, SQLITE_STATIC);
		} else if (*types == 'b') {
			bytes = va_arg(args, const struct kma_strbuf *);
			if (bytes)
				sqlite3_bind_blob64(stmt, i, bytes->str, bytes->len, SQLITE_STATIC);
		} else {
			number = va_arg(args, const uint64_t *);
			if (number)
				sqlite3_bind_int64(stmt, i, *number);
		}
	}
	va_end(args);
	return conn_run(conn, stmt);
}

bool kma_conn_has(const struct kma_conn *conn, const char *table, const char *column)
{
	return sqlite3_table_column_metadata(conn->sql, NULL, table, column, NULL, NULL, NULL, NULL,
					     NULL) == SQLITE_OK;
}

/* Refuse a schema that computes values: an expression in it may take any time and memory. */
static struct kma_err *conn_check_schema(const struct kma_conn *conn)
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
			      "not a file of kmem-account: it has views or generated columns");
}

struct kma_err *kma_conn_check_pages(const struct kma_conn *conn)
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

/* Set the options, and begin the transaction. The file may be foreign: do not run its schema. */
static struct kma_err *conn_begin(struct kma_conn *conn, bool write, uint64_t size)
{
	int64_t objects;
	struct kma_err *err;

	conn->guard = guard_create(conn->sql, size);
	sqlite3_busy_timeout(conn->sql, KMA_CONN_WAIT_MS);
	sqlite3_db_config(conn->sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(conn->sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(conn->sql, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(conn->sql, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
	err = kma_conn_exec(conn,
			    write ? "PRAGMA cell_size_check = ON; PRAGMA synchronous = EXTRA;\n"
				    "PRAGMA page_size = 1024; BEGIN IMMEDIATE" :
				    "PRAGMA cell_size_check = ON; BEGIN");
	err = err ?: kma_conn_number(conn, "PRAGMA application_id", &conn->application);
	err = err ?: kma_conn_number(conn, "PRAGMA user_version", &conn->version);
	err = err ?: kma_conn_number(conn, "SELECT count(*) FROM sqlite_schema", &objects);
	if (err)
		return err;
	conn->empty = !objects && !conn->application && !conn->version;
	return conn_check_schema(conn);
}

void kma_conn_no_log(unsigned char *head, size_t len)
{
	if (len > KMA_CONN_READ_VERSION && head[KMA_CONN_READ_VERSION] == KMA_CONN_WAL)
		head[KMA_CONN_WRITE_VERSION] = head[KMA_CONN_READ_VERSION] = KMA_CONN_JOURNAL;
}

static struct kma_err *conn_connect(struct kma_conn *conn, const char *path, int flags)
{
	if (!sqlite3_open_v2(path, &conn->sql, flags | SQLITE_OPEN_NOMUTEX, NULL))
		return NULL;
	kma_xmem(conn->sql);
	return conn_error(conn);
}

/* Let SQLite use bytes in memory as the file. With SQLITE_DESERIALIZE_FREEONCLOSE it frees them. */
static struct kma_err *conn_use(struct kma_conn *conn, unsigned char *bytes, size_t len,
				unsigned int flags)
{
	struct kma_err *err = conn_connect(conn, ":memory:", SQLITE_OPEN_READWRITE);

	if (err)
		return err;
	if (sqlite3_deserialize(conn->sql, "main", bytes, len, len,
				flags | SQLITE_DESERIALIZE_READONLY))
		return conn_error(conn);
	return conn_begin(conn, false, len);
}

struct kma_err *kma_conn_open_image(struct kma_conn *conn, const char *name,
				    const unsigned char *image, size_t len)
{
	*conn = (struct kma_conn){ .path = name };
	return conn_use(conn, (unsigned char *)image, len, 0);
}

/*
 * Read a file into memory: SQLite resolves links of /proc by itself, and then fails to open them.
 */
static struct kma_err *conn_open_copy(struct kma_conn *conn, const char *path)
{
	_cleanup_free_ char *bytes = NULL;
	unsigned char *copy;
	struct kma_err *err;
	size_t len;

	err = kma_file_slurp_regular(path, &bytes, &len);
	if (err)
		return kma_err_rename(err, conn->path);
	copy = kma_xmem(sqlite3_malloc64(len + 1));
	memcpy(copy, bytes, len);
	kma_conn_no_log(copy, len);
	return conn_use(conn, copy, len, SQLITE_DESERIALIZE_FREEONCLOSE);
}

/* Make the file of a day, which SQLite then fills. */
static struct kma_err *conn_make_day(const struct kma_conn *conn, struct kma_name *name)
{
	int fd;

	if (name->linked)
		return kma_err_create(
			conn->path, 0,
			"cannot write: a symbolic link; move the file that it names into the history");
	if (name->dir < 0 || name->file >= 0)
		return NULL;
	fd = openat(name->dir, name->base, O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return kma_err_create(conn->path, 0, "cannot open: %s", strerror(errno));
	close(fd);
	kma_name_close(name);
	return kma_name_open(conn->path, name);
}

/*
 * Open a file for writing. SQLite follows links by itself, so it gets a path without links. SQLite
 * also replays a journal in the same directory, which must not be another user's.
 */
static struct kma_err *conn_open_write(struct kma_conn *conn, const char *path, bool day)
{
	_cleanup_name_ struct kma_name name = { 0 };
	_cleanup_free_ char *real = NULL;
	static const char *const parts[] = { "-journal", "-wal", "-shm" };
	struct kma_err *err;
	struct stat st;

	err = kma_name_open(path, &name);
	if (!err && day)
		err = conn_make_day(conn, &name);
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
	err = conn_connect(conn, real, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW);
	if (err)
		return err;
	if (stat(real, &st) || st.st_ino != name.st.st_ino || st.st_dev != name.st.st_dev)
		return kma_err_create(conn->path, 0,
				      "cannot write: the file was replaced meanwhile");
	conn->dev = st.st_dev;
	conn->ino = st.st_ino;
	return NULL;
}

/* Check the type of the file, which SQLite opens by its name. */
static struct kma_err *conn_check_file(const char *path, bool may_miss, uint64_t *size)
{
	struct kma_err *err;
	struct stat st;
	int fd;

	*size = 0;
	err = kma_file_open(AT_FDCWD, path, KMA_FILE_REGULAR, &fd, &st);
	if (err && may_miss && errno == ENOENT) {
		kma_err_destroy(err);
		return NULL;
	}
	if (err)
		return err;
	kma_file_reads(&st);
	*size = st.st_size;
	close(fd);
	return NULL;
}

struct kma_err *kma_conn_open(struct kma_conn *conn, const char *path, const char *name,
			      enum kma_conn_mode mode)
{
	bool write = mode == KMA_CONN_WRITE || mode == KMA_CONN_DAY;
	uint64_t size;
	struct kma_err *err;

	*conn = (struct kma_conn){ .path = name };
	if (mode == KMA_CONN_COPY)
		return conn_open_copy(conn, path);
	if (mode == KMA_CONN_NEW) {
		/* A file in memory that is not finished is dropped, so it needs no journal. */
		err = conn_connect(conn, ":memory:", SQLITE_OPEN_READWRITE);
		err = err ?: kma_conn_exec(conn, "PRAGMA journal_mode = OFF");
		return err ?: conn_begin(conn, true, KMA_CONN_NEW_SIZE);
	}
	err = conn_check_file(path, mode == KMA_CONN_DAY, &size);
	if (err)
		return err;
	err = write ? conn_open_write(conn, path, mode == KMA_CONN_DAY) :
		      conn_connect(conn, path, SQLITE_OPEN_READONLY);
	err = err ?: conn_begin(conn, write, size);
	/* Only a writer can roll back the journal of a killed one. */
	if (!err || write || !conn->sql ||
	    sqlite3_extended_errcode(conn->sql) != SQLITE_READONLY_ROLLBACK)
		return err;
	kma_err_destroy(err);
	kma_conn_close(conn);
	err = conn_open_write(conn, path, false);
	return err ?: conn_begin(conn, false, size);
}

void kma_conn_close(struct kma_conn *conn)
{
	sqlite3_finalize(conn->put);
	/* This also rolls back an open transaction. */
	sqlite3_close(conn->sql);
	conn->sql = NULL;
	conn->put = NULL;
	conn->put_sql = NULL;
	free(conn->guard);
	conn->guard = NULL;
}
