/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * conn.h - a connection to a DB file. Only this file makes messages from errors of SQLite.
 *
 * A file may come from another machine, so it is checked before it is used: its type, its
 * application ID, its version and its tables; before it is written, also its pages (quick_check).
 * Its schema is not trusted: triggers and functions in it do not run, and guard.h limits the rest.
 * The whole use of a connection is one transaction, so a reader sees one state, and a writer that
 * is killed changes nothing.
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

#include "guard.h"
#include "lib/cleanup.h"
#include "lib/err.h"

#define KMA_CONN_APPLICATION 0x6b6d6163 /* "kmac", the application ID in the file's header */
#define KMA_CONN_VERSION     1		/* of the format, Documentation/format/db.rst */
#define KMA_CONN_WAIT_MS     5000

/* What a connection is for. */
enum kma_conn_mode {
	KMA_CONN_READ,	/* read a DB file of this program */
	KMA_CONN_COPY,	/* the same for a path that SQLite cannot open, such as /proc/self/fd/N */
	KMA_CONN_WRITE, /* write such a file, or an empty one, which gets the tables */
	KMA_CONN_NEW,	/* make a file in memory, for sqlite3_serialize() */
};

struct kma_conn {
	sqlite3 *sql;
	const char *path;	 /* for messages */
	struct kma_guard *guard; /* see kma_conn_guard(); NULL: not yet called */
};

/**
 * kma_conn_open() - open and check a file, and begin a transaction
 * @conn: filled in; for kma_conn_close() in any case
 * @path: an existing file, or the file to be made
 * @name: its name in messages; must live as long as @conn
 * @mode: what the connection is for
 *
 * Return: NULL, or an error that names the file.
 */
struct kma_err *kma_conn_open(struct kma_conn *conn, const char *path, const char *name,
			      enum kma_conn_mode mode);

/**
 * kma_conn_guard() - limit what SQLite may spend; kma_conn_open() does it by itself
 * @conn: an open connection
 * @size: bytes of the file
 */
void kma_conn_guard(struct kma_conn *conn, uint64_t size);

/* Close the connection; a transaction without COMMIT is undone. */
void kma_conn_close(struct kma_conn *conn);

/**
 * kma_conn_error() - make an error from SQLite's last error
 * @conn: the connection
 *
 * Return: an error, never NULL.
 */
struct kma_err *kma_conn_error(const struct kma_conn *conn);

/**
 * kma_conn_damaged() - make an error about a corrupt file
 * @conn: the connection
 * @what: what is wrong, in a few words
 *
 * Return: an error, never NULL.
 */
struct kma_err *kma_conn_damaged(const struct kma_conn *conn, const char *what);

/* Run statements that give no rows. */
struct kma_err *kma_conn_exec(const struct kma_conn *conn, const char *sql);

/**
 * kma_conn_prepare() - compile a statement
 * @conn: the connection
 * @sql: one statement
 * @ret: the statement, for sqlite3_finalize()
 */
struct kma_err *kma_conn_prepare(const struct kma_conn *conn, const char *sql, sqlite3_stmt **ret);

/**
 * kma_conn_step() - get the next row of a statement
 * @conn: the connection
 * @stmt: the statement, with its values bound
 * @row: true if there is a row, false at the end
 */
struct kma_err *kma_conn_step(const struct kma_conn *conn, sqlite3_stmt *stmt, bool *row);

/**
 * kma_conn_run() - run a statement that gives no rows, and reset it
 * @conn: the connection
 * @stmt: the statement, with its values bound
 */
struct kma_err *kma_conn_run(const struct kma_conn *conn, sqlite3_stmt *stmt);

static inline void kma_cleanup_stmt(sqlite3_stmt **stmt)
{
	sqlite3_finalize(*stmt);
}

#define _cleanup_stmt_ _cleanup_(kma_cleanup_stmt)
#define _cleanup_conn_ _cleanup_(kma_conn_close)

#endif /* KMA_STORE_CONN_H */
