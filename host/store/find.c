// SPDX-License-Identifier: GPL-2.0-only
/*
 * find.c - find snapshots in an open file.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "find.h"
#include "lib/alloc.h"
#include "lib/strbuf.h"
#include "model/metric.h"

/* Columns of a snapshot, in the order of the enum below; ?2 is the metric of live bytes. */
#define KMA_FIND_COLUMNS                                                       \
	"SELECT id, label, time, host, input, kernel_release, build_id, sites" \
	", (SELECT total FROM metric WHERE snapshot = id AND name = ?2) FROM snapshot"

enum {
	KMA_FIND_ID,
	KMA_FIND_LABEL,
	KMA_FIND_TIME,
	KMA_FIND_HOST,
	KMA_FIND_INPUT,
	KMA_FIND_RELEASE,
	KMA_FIND_BUILD_ID,
	KMA_FIND_SITES,
	KMA_FIND_LIVE,
};

static char *kma_copy_text(sqlite3_stmt *stmt, int column)
{
	const char *text = (const char *)sqlite3_column_text(stmt, column);

	return text ? kma_xstrdup(text) : NULL;
}

static void kma_find_row(sqlite3_stmt *stmt, struct kma_snapshot *ret)
{
	ret->id = sqlite3_column_int64(stmt, KMA_FIND_ID);
	ret->time = sqlite3_column_int64(stmt, KMA_FIND_TIME);
	ret->sites = sqlite3_column_int64(stmt, KMA_FIND_SITES);
	ret->live = sqlite3_column_int64(stmt, KMA_FIND_LIVE);
	ret->has_live = sqlite3_column_type(stmt, KMA_FIND_LIVE) == SQLITE_INTEGER;
	ret->label = kma_copy_text(stmt, KMA_FIND_LABEL);
	ret->host = kma_copy_text(stmt, KMA_FIND_HOST);
	ret->input = kma_copy_text(stmt, KMA_FIND_INPUT);
	ret->release = kma_copy_text(stmt, KMA_FIND_RELEASE);
	ret->build_id = kma_copy_text(stmt, KMA_FIND_BUILD_ID);
}

static struct kma_err *kma_find_prepare(const struct kma_conn *conn, const char *sql,
					sqlite3_stmt **ret)
{
	struct kma_err *err = kma_conn_prepare(conn, sql, ret);

	if (err)
		return err;
	sqlite3_bind_text(*ret, 2, kma_metrics[KMA_CURRENT].name, -1, SQLITE_STATIC);
	return NULL;
}

/* Labels of the last snapshots, as many as fit in a sentence; @more: there are others. */
static struct kma_err *kma_last_labels(const struct kma_conn *conn, struct kma_strbuf *names,
				       bool *more)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;

	err = kma_conn_prepare(
		conn, "SELECT ifnull(label, '#' || id) FROM snapshot ORDER BY id DESC", &stmt);
	for (size_t nr = 0; !err; nr++) {
		err = kma_conn_step(conn, stmt, more);
		if (err || !*more || nr == 10)
			break;
		kma_strbuf_printf(names, "%s%s", nr ? ", " : "", sqlite3_column_text(stmt, 0));
	}
	return err;
}

static struct kma_err *kma_find_none(const struct kma_conn *conn, const char *label)
{
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };
	bool more = true;
	struct kma_err *err = kma_last_labels(conn, &names, &more);

	if (err)
		return err;
	if (!names.len)
		return kma_err_create(conn->path, 0, "no snapshots in this file");
	return kma_err_create(conn->path, 0, "no snapshot '%s' in this file (available: %s%s)",
			      label, names.str ?: "", more ? ", ..." : "");
}

/* The number in "#3"; 0 for a text without "#", -1 for another text after it. */
static int64_t kma_label_number(const char *label)
{
	char *end;
	long long number;

	if (*label != '#')
		return 0;
	errno = 0;
	number = strtoll(label + 1, &end, 10);
	return errno || *end || end == label + 1 ? -1 : number;
}

struct kma_err *kma_find_snapshot(const struct kma_conn *conn, const char *label,
				  struct kma_snapshot *ret)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	int64_t number = label ? kma_label_number(label) : 0;
	struct kma_err *err;
	bool row = false;

	memset(ret, 0, sizeof(*ret));
	err = kma_find_prepare(conn,
			       !label ? KMA_FIND_COLUMNS " ORDER BY time DESC, id DESC LIMIT 1" :
			       number ? KMA_FIND_COLUMNS " WHERE id = ?1" :
					KMA_FIND_COLUMNS " WHERE label = ?1",
			       &stmt);
	if (err)
		return err;
	if (number)
		sqlite3_bind_int64(stmt, 1, number);
	else if (label)
		sqlite3_bind_text(stmt, 1, label, -1, SQLITE_STATIC);
	err = kma_conn_step(conn, stmt, &row);
	if (err)
		return err;
	if (!row)
		return kma_find_none(conn, label);
	kma_find_row(stmt, ret);
	return NULL;
}

struct kma_err *kma_find_all(const struct kma_conn *conn, struct kma_snapshot **ret, size_t *nr)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;
	bool row;

	*ret = NULL;
	*nr = 0;
	err = kma_find_prepare(conn, KMA_FIND_COLUMNS " ORDER BY id", &stmt);
	while (!err) {
		err = kma_conn_step(conn, stmt, &row);
		if (err || !row)
			break;
		*ret = kma_xrealloc(*ret, *nr + 1, sizeof(**ret));
		kma_find_row(stmt, &(*ret)[(*nr)++]);
	}
	return err;
}
