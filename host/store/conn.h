/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * conn.h - a connection to an SQLite file. Only this file makes messages from errors of SQLite.
 *
 * A file may come from another machine, so it is checked before it is used: its type, its schema,
 * and before a DB file is written also its pages (kma_conn_check_pages()). Its schema is not
 * trusted: triggers and functions in it do not run, and its guard limits the rest. A reader sees one
 * state, because kma_conn_open() begins a transaction, and a writer that is killed changes nothing.
 *
 * Locking: none here. A connection belongs to one thread. SQLite locks the file between processes,
 * and waits up to KMA_CONN_WAIT_MS for another one.
 */
#ifndef KMA_STORE_CONN_H
#define KMA_STORE_CONN_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/cleanup.h"
#include "lib/err.h"

#define KMA_CONN_WAIT_MS 5000

/* What a connection is for. */
enum kma_conn_mode {
	KMA_CONN_READ,
	KMA_CONN_COPY,	/* read a path that SQLite cannot open, such as /proc/self/fd/N */
	KMA_CONN_WRITE, /* write a file that exists, and may be empty */
	KMA_CONN_DAY,	/* write a file of a history: no link; made if it does not exist */
	KMA_CONN_NEW,	/* make a file in memory, for sqlite3_serialize() */
};

/* What SQLite may spend on a file, see conn.c. */
struct kma_guard {
	uint64_t limit; /* ns of the CPU that a statement may spend in SQLite */
	uint64_t spent; /* ns that the statement has spent before @began */
	uint64_t began; /* the thread's CPU time when SQLite was called, in ns; 0: it does not run */
};

struct kma_conn {
	sqlite3 *sql;
	const char *path;	      /* for messages */
	struct kma_guard *guard;      /* limits what SQLite may spend; NULL: not yet made */
	int64_t application, version; /* of the header; 0 in an empty file */
	bool empty;		      /* the file has no tables */
	dev_t dev;		      /* device and inode of a file that is written */
	ino_t ino;
	/* the statement of the last kma_conn_put() */
	sqlite3_stmt *put;
	const char *put_sql;
};

/*
 * Opens and checks a file, and begins a transaction. @name, for messages, must live as long as
 * @conn, which needs kma_conn_close() also after an error.
 */
struct kma_err *kma_conn_open(struct kma_conn *conn, const char *path, const char *name,
			      enum kma_conn_mode mode);

/*
 * The same for the bytes of a file in memory, which are not changed and must live as long as @conn.
 */
struct kma_err *kma_conn_open_image(struct kma_conn *conn, const char *name,
				    const unsigned char *image, size_t len);

/*
 * Change the header of a copy from write-ahead logging to a journal. SQLite would need the log
 * file, which a copy does not have. The file itself is consistent.
 */
void kma_conn_no_log(unsigned char *head, size_t len);

/* A transaction without COMMIT is undone. */
void kma_conn_close(struct kma_conn *conn);

/* The error that the file is corrupt; @what is a few words. */
struct kma_err *kma_conn_damaged(const struct kma_conn *conn, const char *what);

/* Checks the pages: data that are added to a corrupt file may be lost, together with older data. */
struct kma_err *kma_conn_check_pages(const struct kma_conn *conn);

/* Is there a table with this column? */
bool kma_conn_has(const struct kma_conn *conn, const char *table, const char *column);

/* Runs statements that give no rows. */
struct kma_err *kma_conn_exec(const struct kma_conn *conn, const char *sql);

/* @ret is for sqlite3_finalize(). */
struct kma_err *kma_conn_prepare(const struct kma_conn *conn, const char *sql, sqlite3_stmt **ret);

/* Gets the next row of a statement whose values are bound. @row is false at the end. */
struct kma_err *kma_conn_step(const struct kma_conn *conn, sqlite3_stmt *stmt, bool *row);

/* Calls @take for each row of a statement; ?1 is @value. */
struct kma_err *kma_conn_each(const struct kma_conn *conn, const char *sql, int64_t value,
			      struct kma_err *(*take)(void *arg, sqlite3_stmt *stmt), void *arg);

/* Runs a statement that gives one number; 0 if there is no row. */
struct kma_err *kma_conn_number(const struct kma_conn *conn, const char *sql, int64_t *ret);

/* A copy of the text of a column; NULL if the column is NULL. */
char *kma_conn_text(sqlite3_stmt *stmt, int column);

/*
 * Runs a statement that changes a row. @sql is a constant: the same address is compiled once.
 * @types has a letter for each of its values: 'i' an int64_t, 't' a text or NULL, 'b' a struct
 * kma_strbuf with bytes or NULL, 'o' a number or NULL (const uint64_t *).
 */
struct kma_err *kma_conn_put(struct kma_conn *conn, const char *sql, const char *types, ...);

static inline void kma_cleanup_stmt(sqlite3_stmt **stmt)
{
	sqlite3_finalize(*stmt);
}

#define _cleanup_stmt_ _cleanup_(kma_cleanup_stmt)

#endif /* KMA_STORE_CONN_H */
