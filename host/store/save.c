// SPDX-License-Identifier: GPL-2.0-only
/*
 * save.c - add a snapshot to a file, in one transaction.
 *
 * A new file is made in memory, written under a temporary name and renamed when it is complete, so
 * that a killed program leaves no partial file. If another process has created a file of that name
 * first, the snapshot is added to that file.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "conn.h"
#include "find.h"
#include "groups.h"
#include "lib/file.h"
#include "lib/name.h"
#include "lib/strbuf.h"
#include "save.h"
#include "modtables.h"

#define KMA_LABEL_MAX 100 /* bytes */

/* Numbers of the values of a row of table site; those of the metrics follow. */
enum { KMA_SITE_SNAPSHOT = 1, KMA_SITE_NR, KMA_SITE_CALLER, KMA_SITE_KIND, KMA_SITE_PATH };

/* The metrics to save. Those that are sums of others are not saved. */
static unsigned int kma_saved_metrics(const struct kma_account *account)
{
	unsigned int have = kma_account_metrics(account);

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (!kma_metrics[id].set)
			have &= ~(1U << id);
	return have;
}

static struct kma_err *kma_check_label(const char *path, const char *label)
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

/* Numbers of SQLite have 63 bits and a sign. The totals are the largest ones. */
static struct kma_err *kma_check_numbers(const char *path, const struct kma_account *account)
{
	const struct kma_values *total = kma_account_total(account);

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (kma_metrics[id].set && kma_metrics[id].get(total) > INT64_MAX)
			return kma_err_create(path, 0,
					      "cannot save %" PRIu64
					      " %s: a DB file holds numbers of at most 63 bits",
					      kma_metrics[id].get(total), kma_metrics[id].what);
	return NULL;
}

/* Add the columns of newer metrics to a file of an older program. */
static struct kma_err *kma_save_columns(const struct kma_conn *conn, unsigned int have)
{
	struct kma_err *err = NULL;
	char sql[128];

	for (unsigned int id = 0; id < KMA_NR_METRICS; id++) {
		const char *name = kma_metrics[id].name;

		if (!(have & 1U << id) ||
		    !sqlite3_table_column_metadata(conn->sql, NULL, "site", name, NULL, NULL, NULL,
						   NULL, NULL))
			continue;
		snprintf(sql, sizeof(sql), "ALTER TABLE site ADD COLUMN \"%s\" INTEGER", name);
		err = kma_conn_exec(conn, sql);
		if (err)
			return err;
	}
	return NULL;
}

static struct kma_err *kma_save_label(const struct kma_conn *conn, const char *label)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;
	bool row = false;

	err = kma_conn_prepare(conn, "SELECT 1 FROM snapshot WHERE label = ?", &stmt);
	if (err)
		return err;
	sqlite3_bind_text(stmt, 1, label, -1, SQLITE_STATIC);
	err = kma_conn_step(conn, stmt, &row);
	if (row)
		err = kma_err_create(conn->path, 0,
				     "snapshot '%s' already exists; delete it or use another label",
				     label);
	return err;
}

static struct kma_err *kma_save_snapshot(const struct kma_conn *conn, struct kma_snapshot *what)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;

	if (what->label) {
		err = kma_save_label(conn, what->label);
		if (err)
			return err;
	}
	err = kma_conn_prepare(conn,
			       "INSERT INTO snapshot\n"
			       " (label, time, host, input, kernel_release, build_id, sites)\n"
			       " VALUES (?, ?, ?, ?, ?, ?, ?)",
			       &stmt);
	if (err)
		return err;
	sqlite3_bind_text(stmt, 1, what->label, -1, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 2, what->time);
	sqlite3_bind_text(stmt, 3, what->host, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 4, what->input, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 5, what->release, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 6, what->build_id, -1, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 7, what->sites);
	err = kma_conn_run(conn, stmt);
	what->id = sqlite3_last_insert_rowid(conn->sql);
	return err;
}

/* Add a row to table metric or loss. */
static struct kma_err *kma_save_pair(const struct kma_conn *conn, sqlite3_stmt *stmt, int64_t id,
				     const char *name, uint64_t value)
{
	sqlite3_bind_int64(stmt, 1, id);
	sqlite3_bind_text(stmt, 2, name, -1, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 3, value);
	return kma_conn_run(conn, stmt);
}

static struct kma_err *kma_save_totals(const struct kma_conn *conn, int64_t id,
				       const struct kma_account *account)
{
	_cleanup_stmt_ sqlite3_stmt *metric = NULL, *loss = NULL;
	const struct kma_values *total = kma_account_total(account);
	struct kma_err *err;
	uint64_t events;

	err = kma_conn_prepare(conn, "INSERT INTO metric (snapshot, name, total) VALUES (?, ?, ?)",
			       &metric);
	if (err)
		return err;
	err = kma_conn_prepare(conn, "INSERT INTO loss (snapshot, name, events) VALUES (?, ?, ?)",
			       &loss);
	for (unsigned int i = 0; i < KMA_NR_METRICS && !err; i++)
		if (kma_saved_metrics(account) & 1U << i)
			err = kma_save_pair(conn, metric, id, kma_metrics[i].name,
					    kma_metrics[i].get(total));
	for (unsigned int i = 0; i < KMA_NR_LOSSES && !err; i++)
		if (kma_account_loss(account, i, &events))
			err = kma_save_pair(conn, loss, id, kma_losses[i].name, events);
	return err;
}

static struct kma_err *kma_save_notes(const struct kma_conn *conn, int64_t id,
				      const struct kma_account *account)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	const char *key, *value;
	struct kma_err *err;

	err = kma_conn_prepare(
		conn, "INSERT INTO note (snapshot, nr, key, value) VALUES (?, ?, ?, ?)", &stmt);
	if (err)
		return err;
	for (size_t i = 0; (key = kma_account_note_at(account, i, &value)); i++) {
		sqlite3_bind_int64(stmt, 1, id);
		sqlite3_bind_int64(stmt, 2, i);
		sqlite3_bind_text(stmt, 3, key, -1, SQLITE_STATIC);
		sqlite3_bind_text(stmt, 4, value, -1, SQLITE_STATIC);
		err = kma_conn_run(conn, stmt);
		if (err)
			return err;
	}
	return NULL;
}

static struct kma_err *kma_save_warnings(const struct kma_conn *conn, int64_t id,
					 const struct kma_account *account)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;
	const char *text;

	err = kma_conn_prepare(conn, "INSERT INTO warning (snapshot, nr, text) VALUES (?, ?, ?)",
			       &stmt);
	if (err)
		return err;
	for (size_t i = 0; (text = kma_account_warning(account, i)); i++) {
		sqlite3_bind_int64(stmt, 1, id);
		sqlite3_bind_int64(stmt, 2, i);
		sqlite3_bind_text(stmt, 3, text, -1, SQLITE_STATIC);
		err = kma_conn_run(conn, stmt);
		if (err)
			return err;
	}
	return NULL;
}

/* Compile the statement that adds a row to table site: values KMA_SITE_*, then the metrics. */
static struct kma_err *kma_save_prepare(const struct kma_conn *conn, unsigned int have,
					sqlite3_stmt **ret)
{
	_cleanup_strbuf_ struct kma_strbuf sql = { 0 };

	kma_strbuf_puts(&sql, "INSERT INTO site (snapshot, nr, caller, kind, path");
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (have & 1U << id)
			kma_strbuf_printf(&sql, ", \"%s\"", kma_metrics[id].name);
	kma_strbuf_puts(&sql, ") VALUES (?, ?, ?, ?, ?");
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (have & 1U << id)
			kma_strbuf_puts(&sql, ", ?");
	kma_strbuf_puts(&sql, ")");
	return kma_conn_prepare(conn, sql.str, ret);
}

static struct kma_err *kma_save_sites(const struct kma_conn *conn, int64_t id,
				      const struct kma_account *account)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	unsigned int have = kma_saved_metrics(account);
	const struct kma_site *sites;
	struct kma_err *err;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	err = kma_save_prepare(conn, have, &stmt);
	if (err)
		return err;
	for (size_t i = 0; i < nr; i++) {
		const struct kma_site *site = &sites[i];
		int column = KMA_SITE_PATH;

		sqlite3_bind_int64(stmt, KMA_SITE_SNAPSHOT, id);
		sqlite3_bind_int64(stmt, KMA_SITE_NR, i);
		sqlite3_bind_text(stmt, KMA_SITE_CALLER, site->caller, -1, SQLITE_STATIC);
		sqlite3_bind_text(stmt, KMA_SITE_KIND,
				  site->kind == KMA_KIND_UNKNOWN ? NULL :
								   kma_kind_names[site->kind],
				  -1, SQLITE_STATIC);
		sqlite3_bind_text(stmt, KMA_SITE_PATH, site->path, -1, SQLITE_STATIC);
		for (unsigned int m = 0; m < KMA_NR_METRICS; m++)
			if (have & 1U << m)
				sqlite3_bind_int64(stmt, ++column,
						   kma_metrics[m].get(&site->values));
		err = kma_conn_run(conn, stmt);
		if (err)
			return err;
	}
	return NULL;
}

/*
 * A corrupt file may accept all data without storing it, for example because of a trigger or a
 * column of another name. This is checked before the commit, so nothing is written in that case.
 */
static struct kma_err *kma_save_check(const struct kma_conn *conn, int64_t id, size_t sites)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_snapshot saved;
	struct kma_err *err;
	bool row = false;
	char label[32];

	snprintf(label, sizeof(label), "#%" PRId64, id);
	err = kma_find_snapshot(conn, label, &saved);
	kma_snapshot_deinit(&saved);
	if (err)
		return err;
	err = kma_conn_prepare(conn, "SELECT count(*) FROM site WHERE snapshot = ?", &stmt);
	if (err)
		return err;
	sqlite3_bind_int64(stmt, 1, id);
	err = kma_conn_step(conn, stmt, &row);
	if (err)
		return err;
	if (!row || sqlite3_column_int64(stmt, 0) != (int64_t)sites)
		return kma_err_create(
			conn->path, 0,
			"corrupt: the number of call sites differs from the number that was just saved");
	return NULL;
}

static struct kma_err *kma_save_all(struct kma_conn *conn, const char *path,
				    enum kma_conn_mode mode, struct kma_snapshot *snapshot,
				    const struct kma_account *account)
{
	return kma_conn_open(conn, path, path, mode)			   ?:
		       kma_save_columns(conn, kma_saved_metrics(account))  ?:
		       kma_save_snapshot(conn, snapshot)		   ?:
		       kma_save_totals(conn, snapshot->id, account)	   ?:
		       kma_save_notes(conn, snapshot->id, account)	   ?:
		       kma_save_warnings(conn, snapshot->id, account)	   ?:
		       kma_save_sites(conn, snapshot->id, account)	   ?:
		       kma_modtables_save(conn, snapshot->id, account)	   ?:
		       kma_db_groups_save(conn, snapshot->id, account)	   ?:
		       kma_save_check(conn, snapshot->id, snapshot->sites) ?:
		       kma_conn_exec(conn, "COMMIT");
}

static struct kma_err *kma_save_bytes(const char *path, int fd, const unsigned char *bytes,
				      size_t len)
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

/* Save into a new file. @there: another process has created a file of that name first. */
static struct kma_err *kma_save_new(struct kma_name *name, struct kma_snapshot *snapshot,
				    const struct kma_account *account, bool *there)
{
	_cleanup_conn_ struct kma_conn conn = { 0 };
	unsigned char *bytes = NULL;
	sqlite3_int64 len;
	struct kma_err *err;
	int fd;

	err = kma_save_all(&conn, name->path, KMA_CONN_NEW, snapshot, account);
	if (err)
		return err;
	bytes = sqlite3_serialize(conn.sql, "main", &len, 0);
	if (!bytes)
		return &kma_enomem;
	err = kma_name_temp(name, kma_modtables_private(account), &fd);
	if (!err) {
		err = kma_save_bytes(name->path, fd, bytes, len);
		close(fd);
	}
	sqlite3_free(bytes);
	return err ?: kma_name_commit(name, there);
}

static struct kma_err *kma_save_old(const char *path, struct kma_snapshot *snapshot,
				    const struct kma_account *account)
{
	_cleanup_conn_ struct kma_conn conn = { 0 };

	return kma_save_all(&conn, path, KMA_CONN_WRITE, snapshot, account);
}

struct kma_err *kma_db_save(const char *path, struct kma_snapshot *snapshot,
			    const struct kma_account *account)
{
	_cleanup_name_ struct kma_name name = { 0 };
	const struct kma_values *total = kma_account_total(account);
	struct kma_err *err;
	bool there = true;
	size_t sites;

	kma_account_sites(account, &sites);
	snapshot->sites = sites;
	snapshot->live = total->current;
	snapshot->has_live = kma_account_metrics(account) & 1U << KMA_CURRENT;
	err = kma_check_label(path, snapshot->label) ?: kma_check_numbers(path, account);
	if (err)
		return err;
	/* kma_conn_open() reports a directory, with the words for each file that is not regular. */
	if (!kma_file_is_dir(path))
		err = kma_name_open(path, &name);
	if (err)
		return err;
	if (name.path && name.file < 0)
		err = kma_save_new(&name, snapshot, account, &there);
	else if (name.file >= 0 && kma_modtables_private(account))
		err = kma_name_private(&name);
	if (err || !there)
		return err;
	return kma_save_old(path, snapshot, account);
}
