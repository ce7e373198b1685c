// SPDX-License-Identifier: GPL-2.0-only
/*
 * day-write.c - write samples to a file of a history.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "day-write.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "parts-write.h"

/* Make the key text that distinguishes sites. The module's texts contain no tab. */
static char *kma_day_key_text(const char *caller, const char *build_id, uint64_t text, bool in_init,
			      const char *cache)
{
	return kma_xasprintf("%s\t%s\t%" PRIx64 "\t%d\t%s", caller, build_id ?: "", text, in_init,
			     cache ?: "");
}

/* Number the sites of the file by their key texts, so that new sites get the next numbers. */
static struct kma_err *kma_day_intern(struct kma_day *day)
{
	day->intern = day->intern ?: kma_intern_new();
	day->written = day->written ?: 1;
	for (; day->written < day->nr_sites; day->written++) {
		_cleanup_free_ char *key = NULL;
		const struct kma_day_site *site = &day->sites[day->written];

		key = kma_day_key_text(site->caller, site->build_id, site->text, site->in_init,
				       site->cache);
		if (kma_intern(day->intern, site->kind, key, strlen(key)) != day->written)
			return kma_conn_damaged(&day->conn, "a call site occurs twice");
	}
	return NULL;
}

static struct kma_err *kma_day_series_insert(struct kma_day *day,
					     const struct kma_day_series *series)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;

	err = kma_conn_prepare(&day->conn,
			       "INSERT INTO series (uid, boot, host, release, build_id, loaded,\n"
			       " generation, columns, notes, why) VALUES (?,?,?,?,?,?,?,?,?,?)",
			       &stmt);
	if (err)
		return err;
	sqlite3_bind_int64(stmt, 1, series->uid);
	sqlite3_bind_text(stmt, 2, series->boot, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 3, series->host, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 4, series->release, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 5, series->build_id, -1, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 6, series->loaded);
	sqlite3_bind_int64(stmt, 7, series->generation);
	sqlite3_bind_text(stmt, 8, series->columns, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 9, series->notes, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 10, series->why, -1, SQLITE_STATIC);
	err = kma_conn_run(&day->conn, stmt);
	day->current = sqlite3_last_insert_rowid(day->conn.sql);
	return err;
}

struct kma_err *kma_day_begin(struct kma_day *day, const struct kma_day_series *series)
{
	struct kma_err *err;

	day->current = 0;
	day->since_key = 0;
	if (!kma_columns_parse(series->columns, &day->columns))
		return kma_err_create(day->path, 0,
				      "cannot write: the account has unknown columns");
	kma_code_deinit(&day->code);
	day->code = (struct kma_code){ 0 };
	kma_columns_rules(&day->columns, &day->code);
	for (size_t i = 0; i < day->nr_series; i++)
		if (day->series[i].uid == series->uid)
			day->current = day->ids[i];
	err = kma_day_intern(day);
	if (err || day->current)
		return err;
	return kma_day_series_insert(day, series);
}

static struct kma_err *kma_day_site_insert(struct kma_day *day, const struct kma_site *site,
					   uint32_t id)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;

	err = kma_conn_prepare(&day->conn,
			       "INSERT INTO site (id, caller, kind, path, build_id, text, init,\n"
			       " cache, caches) VALUES (?,?,?,?,?,?,?,?,?)",
			       &stmt);
	if (err)
		return err;
	sqlite3_bind_int64(stmt, 1, id);
	sqlite3_bind_text(stmt, 2, site->caller, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 3, kma_kind_names[site->kind], -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 4, site->path, -1, SQLITE_STATIC);
	sqlite3_bind_text(stmt, 5, site->build_id, -1, SQLITE_STATIC);
	sqlite3_bind_int64(stmt, 6, site->text);
	sqlite3_bind_int(stmt, 7, site->in_init);
	sqlite3_bind_text(stmt, 8, site->cache, -1, SQLITE_STATIC);
	sqlite3_bind_int(stmt, 9, site->caches);
	return kma_conn_run(&day->conn, stmt);
}

/*
 * Make the matrix of an account. New sites get a row in the file. @ids: number in the file of each
 * site of the account.
 */
static struct kma_err *kma_day_matrix(struct kma_day *day, const struct kma_account *account,
				      uint64_t up, uint64_t **ret, size_t *nr_sites, uint32_t **ids)
{
	size_t nr, columns = day->columns.nr, room = 0;
	const struct kma_site *sites = kma_account_sites(account, &nr);

	room = kma_intern_count(day->intern) + nr + 1;
	*ret = kma_xcalloc(room * columns, sizeof(**ret));
	*ids = kma_xcalloc(nr + 1, sizeof(**ids));
	for (size_t i = 0; i < nr; i++) {
		_cleanup_free_ char *key = kma_day_key_text(sites[i].caller, sites[i].build_id,
							    sites[i].text, sites[i].in_init,
							    sites[i].cache);
		uint32_t id = kma_intern(day->intern, sites[i].kind, key, strlen(key));
		uint64_t numbers[KMA_CODE_MAX_COLUMNS];

		if (id == day->written) {
			struct kma_err *err = kma_day_site_insert(day, &sites[i], id);

			if (err)
				return err;
			day->written++;
		}
		kma_columns_get(&day->columns, &sites[i], up, numbers);
		for (size_t c = 0; c < columns; c++)
			(*ret)[id * columns + c] += numbers[c];
		(*ids)[i] = id;
	}
	*nr_sites = kma_intern_count(day->intern);
	return NULL;
}

static void kma_day_bind_loss(sqlite3_stmt *stmt, int column, const struct kma_account *account,
			      enum kma_loss_id id)
{
	uint64_t events;

	if (kma_account_loss(account, id, &events))
		sqlite3_bind_int64(stmt, column, events);
	else
		sqlite3_bind_null(stmt, column);
}

/* Bind a list; NULL if it has not changed. */
static void kma_day_bind_list(struct kma_day *day, sqlite3_stmt *stmt, int column, size_t i,
			      const struct kma_account *account)
{
	const char *list = kma_account_note(account, kma_day_lists[i]);

	/* A key sample has all lists: readers do not take them from before it. */
	if (!day->since_key) {
		free(day->lists[i]);
		day->lists[i] = NULL;
	}
	if (!list || (day->lists[i] && !strcmp(list, day->lists[i]))) {
		sqlite3_bind_null(stmt, column);
		return;
	}
	free(day->lists[i]);
	day->lists[i] = kma_xstrdup(list);
	sqlite3_bind_text(stmt, column, list, -1, SQLITE_STATIC);
}

static struct kma_err *kma_day_sample_insert(struct kma_day *day, const struct kma_account *account,
					     const struct kma_moment *moment,
					     const struct kma_strbuf *data)
{
	_cleanup_stmt_ sqlite3_stmt *stmt = NULL;
	struct kma_err *err;

	err = kma_conn_prepare(&day->conn,
			       "INSERT INTO sample (series, time, up, is_key, live, unknown,\n"
			       " implied, lost, modules, reclaimable, data)\n"
			       " VALUES (?,?,?,?,?,?,?,?,?,?,?)",
			       &stmt);
	if (err)
		return err;
	sqlite3_bind_int64(stmt, 1, day->current);
	sqlite3_bind_int64(stmt, 2, moment->time);
	sqlite3_bind_int64(stmt, 3, moment->up);
	sqlite3_bind_int(stmt, 4, !day->since_key);
	sqlite3_bind_int64(stmt, 5, kma_account_total(account)->current);
	kma_day_bind_loss(stmt, 6, account, KMA_LOSS_UNKNOWN_FREES);
	kma_day_bind_loss(stmt, 7, account, KMA_LOSS_IMPLIED_FREES);
	kma_day_bind_loss(stmt, 8, account, KMA_LOSS_NOT_RECORDED);
	for (size_t i = 0; i < ARRAY_SIZE(kma_day_lists); i++)
		kma_day_bind_list(day, stmt, 9 + i, i, account);
	sqlite3_bind_blob64(stmt, 11, data->str, data->len, SQLITE_STATIC);
	return kma_conn_run(&day->conn, stmt);
}

static struct kma_err *kma_day_put(struct kma_day *day, const struct kma_account *account,
				   const struct kma_moment *moment, size_t *bytes)
{
	_cleanup_strbuf_ struct kma_strbuf data = { 0 };
	_cleanup_free_ uint64_t *values = NULL;
	_cleanup_free_ uint32_t *ids = NULL;
	size_t nr_sites;
	struct kma_err *err;

	if (!day->since_key)
		kma_code_clear(&day->code);
	err = kma_day_matrix(day, account, moment->up, &values, &nr_sites, &ids);
	if (err)
		return err;
	kma_code_put(&day->code, values, nr_sites, &data);
	*bytes = data.len;
	err = kma_day_sample_insert(day, account, moment, &data);
	return err ?: kma_parts_put(&day->parts, &day->conn, account, ids, !day->since_key, bytes);
}

/* Forget all numbers: after a rollback they are not those of the file. */
static void kma_day_forget(struct kma_day *day)
{
	kma_intern_destroy(day->intern);
	day->intern = NULL;
	day->written = 0;
	kma_day_forget_sites(day);
	kma_parts_deinit(&day->parts);
	day->since_key = 0;
}

/* Load the tables again if another program has added sites or parts. */
static struct kma_err *kma_day_refresh(struct kma_day *day)
{
	struct kma_err *err;
	bool parts = false;
	int64_t sites;

	err = kma_day_number(day, "SELECT count(*) FROM site", &sites);
	err = err ?: kma_parts_changed(&day->parts, &day->conn, &parts);
	if (err || (sites + 1 == (int64_t)day->written && !parts))
		return err;
	kma_day_forget(day);
	kma_code_deinit(&day->code);
	day->code = (struct kma_code){ 0 };
	kma_columns_rules(&day->columns, &day->code);
	err = kma_day_load_sites(day);
	err = err ?: kma_parts_load(&day->parts, &day->conn, day->nr_sites, &day->need);
	return err ?: kma_day_intern(day);
}

struct kma_err *kma_day_append(struct kma_day *day, const struct kma_account *account,
			       const struct kma_moment *moment, size_t *bytes)
{
	struct kma_err *err = kma_conn_exec(&day->conn, "BEGIN IMMEDIATE");

	*bytes = 0;
	if (err)
		return err;
	err = kma_day_refresh(day);
	err = err ?: kma_day_put(day, account, moment, bytes);
	err = err ?: kma_conn_exec(&day->conn, "COMMIT");
	if (!err) {
		day->since_key = (day->since_key + 1) % KMA_DAY_KEY;
		return NULL;
	}
	sqlite3_exec(day->conn.sql, "ROLLBACK", NULL, NULL, NULL);
	kma_day_forget(day);
	return err;
}

char *kma_day_columns(const struct kma_account *account)
{
	struct kma_strbuf names = { 0 };
	struct kma_columns columns;

	kma_columns_of(account, &columns);
	kma_columns_names(&columns, &names);
	return names.str ?: kma_xstrdup("");
}
