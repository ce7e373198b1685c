/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * conn.h - an open DB file. Only this file makes messages from SQLite's failures.
 *
 * Locking: none here. A connection belongs to one thread. SQLite locks the file between processes,
 * and waits KMA_CONN_WAIT_MS for another one.
 */
#ifndef KMA_DB_CONN_H
#define KMA_DB_CONN_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/cleanup.h"
#include "lib/err.h"

#define KMA_CONN_APPLICATION 0x6b6d6163 /* "kmac" */
#define KMA_CONN_VERSION     1
#define KMA_CONN_WAIT_MS     5000

enum kma_conn_mode {
	KMA_CONN_READ,	/* is ours, or it is an error */
	KMA_CONN_COPY,	/* the same of a file without a name, which SQLite could not open */
	KMA_CONN_WRITE, /* an empty file becomes ours; begins a transaction */
	KMA_CONN_NEW,	/* an empty file that no other process uses; begins a transaction */
};

struct kma_conn {
	sqlite3 *sql;
	const char *path; /* for messages */
};

/**
 * kma_conn_open() - open a file and see whether it is ours
 * @conn: filled in; to be closed in any case
 * @path: an existing file
 * @name: of the file in messages
 * @mode: what for
 *
 * Return: NULL, or an error that names the file.
 */
struct kma_err *kma_conn_open(struct kma_conn *conn, const char *path, const char *name,
			      enum kma_conn_mode mode);

/**
 * kma_conn_close() - close; what was not committed did not happen
 * @conn: from kma_conn_open()
 */
void kma_conn_close(struct kma_conn *conn);

/**
 * kma_conn_error() - what SQLite has just refused, as a sentence
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

/**
 * kma_conn_exec() - run statements that give no rows
 * @conn: the connection
 * @sql: the statements
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_conn_exec(const struct kma_conn *conn, const char *sql);

/**
 * kma_conn_prepare() - make a statement ready
 * @conn: the connection
 * @sql: one statement
 * @ret: the statement, to be finalized
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_conn_prepare(const struct kma_conn *conn, const char *sql, sqlite3_stmt **ret);

/**
 * kma_conn_step() - next row of a statement
 * @conn: the connection
 * @stmt: with its values bound
 * @row: false when there is none left
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_conn_step(const struct kma_conn *conn, sqlite3_stmt *stmt, bool *row);

/**
 * kma_conn_run() - run a statement that gives no rows, and make it ready again
 * @conn: the connection
 * @stmt: with its values bound
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_conn_run(const struct kma_conn *conn, sqlite3_stmt *stmt);

static inline void kma_cleanup_stmt(sqlite3_stmt **stmt)
{
	sqlite3_finalize(*stmt);
}

#define _cleanup_stmt_ _cleanup_(kma_cleanup_stmt)
#define _cleanup_conn_ _cleanup_(kma_conn_close)

#endif /* KMA_DB_CONN_H */
