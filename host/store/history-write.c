// SPDX-License-Identifier: GPL-2.0-only
/*
 * history-write.c - add samples to a history.
 *
 * Each sample belongs to a series. The first sample of a program continues the last series of the
 * history if boot, load of the module, generation, clock and columns agree, and no other program
 * writes. A later sample continues the program's own series if the same agree. Otherwise a new
 * series begins, and the reason is stored with it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "day.h"
#include "history-write.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "parts-write.h"

/*
 * Write samples to a file of a history.
 */

/* Make the key text that distinguishes sites. The module's texts contain no tab. */
static char *day_key_text(const char *caller, const char *build_id, uint64_t text, bool in_init,
			  const char *cache)
{
	return kma_xasprintf("%s\t%s\t%" PRIx64 "\t%d\t%s", caller, build_id ?: "", text, in_init,
			     cache ?: "");
}

/* Number the sites of the file by their key texts, so that new sites get the next numbers. */
static struct kma_err *day_intern(struct kma_day *day)
{
	day->intern = day->intern ?: kma_intern_new();
	day->written = day->written ?: 1;
	for (; day->written < day->nr_sites; day->written++) {
		_cleanup_free_ char *key = NULL;
		const struct kma_day_site *site = &day->sites[day->written];

		key = day_key_text(site->caller, site->build_id, site->text, site->in_init,
				   site->cache);
		if (kma_intern(day->intern, site->kind, key, strlen(key)) != day->written)
			return kma_conn_damaged(&day->conn, "a call site occurs twice");
	}
	return NULL;
}

static struct kma_err *day_series_insert(struct kma_day *day, const struct kma_day_series *series)
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

/*
 * Continue or begin a series in this file.
 * @day: opened for writing
 * @series: copied; if the file has a series with its uid, that one is continued
 *
 * The next sample is a key sample.
 */
static struct kma_err *day_begin(struct kma_day *day, const struct kma_day_series *series)
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
	err = day_intern(day);
	if (err || day->current)
		return err;
	return day_series_insert(day, series);
}

static struct kma_err *day_site_insert(struct kma_day *day, const struct kma_site *site,
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
static struct kma_err *day_matrix(struct kma_day *day, const struct kma_account *account,
				  uint64_t up, uint64_t **ret, size_t *nr_sites, uint32_t **ids)
{
	size_t nr, columns = day->columns.nr, room = 0;
	const struct kma_site *sites = kma_account_sites(account, &nr);

	room = kma_intern_count(day->intern) + nr + 1;
	*ret = kma_xcalloc(room * columns, sizeof(**ret));
	*ids = kma_xcalloc(nr + 1, sizeof(**ids));
	for (size_t i = 0; i < nr; i++) {
		_cleanup_free_ char *key = day_key_text(sites[i].caller, sites[i].build_id,
							sites[i].text, sites[i].in_init,
							sites[i].cache);
		uint32_t id = kma_intern(day->intern, sites[i].kind, key, strlen(key));
		uint64_t numbers[KMA_CODE_MAX_COLUMNS];

		if (id == day->written) {
			struct kma_err *err = day_site_insert(day, &sites[i], id);

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

static void day_bind_loss(sqlite3_stmt *stmt, int column, const struct kma_account *account,
			  enum kma_loss_id id)
{
	uint64_t events;

	if (kma_account_loss(account, id, &events))
		sqlite3_bind_int64(stmt, column, events);
	else
		sqlite3_bind_null(stmt, column);
}

/* Bind a list; NULL if it has not changed. */
static void day_bind_list(struct kma_day *day, sqlite3_stmt *stmt, int column, size_t i,
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

static struct kma_err *day_sample_insert(struct kma_day *day, const struct kma_account *account,
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
	day_bind_loss(stmt, 6, account, KMA_LOSS_UNKNOWN_FREES);
	day_bind_loss(stmt, 7, account, KMA_LOSS_IMPLIED_FREES);
	day_bind_loss(stmt, 8, account, KMA_LOSS_NOT_RECORDED);
	for (size_t i = 0; i < ARRAY_SIZE(kma_day_lists); i++)
		day_bind_list(day, stmt, 9 + i, i, account);
	sqlite3_bind_blob64(stmt, 11, data->str, data->len, SQLITE_STATIC);
	return kma_conn_run(&day->conn, stmt);
}

static struct kma_err *day_put(struct kma_day *day, const struct kma_account *account,
			       const struct kma_moment *moment, size_t *bytes)
{
	_cleanup_strbuf_ struct kma_strbuf data = { 0 };
	_cleanup_free_ uint64_t *values = NULL;
	_cleanup_free_ uint32_t *ids = NULL;
	size_t nr_sites;
	struct kma_err *err;

	if (!day->since_key)
		kma_code_clear(&day->code);
	err = day_matrix(day, account, moment->up, &values, &nr_sites, &ids);
	if (err)
		return err;
	kma_code_put(&day->code, values, nr_sites, &data);
	*bytes = data.len;
	err = day_sample_insert(day, account, moment, &data);
	return err ?: kma_parts_put(&day->parts, &day->conn, account, ids, !day->since_key, bytes);
}

/* Forget all numbers: after a rollback they are not those of the file. */
static void day_forget(struct kma_day *day)
{
	kma_intern_destroy(day->intern);
	day->intern = NULL;
	day->written = 0;
	kma_day_forget_sites(day);
	kma_parts_deinit(&day->parts);
	day->since_key = 0;
}

/* Load the tables again if another program has added sites or parts. */
static struct kma_err *day_refresh(struct kma_day *day)
{
	struct kma_err *err;
	bool parts = false;
	int64_t sites;

	err = kma_day_number(day, "SELECT count(*) FROM site", &sites);
	err = err ?: kma_parts_changed(&day->parts, &day->conn, &parts);
	if (err || (sites + 1 == (int64_t)day->written && !parts))
		return err;
	day_forget(day);
	kma_code_deinit(&day->code);
	day->code = (struct kma_code){ 0 };
	kma_columns_rules(&day->columns, &day->code);
	err = kma_day_load_sites(day);
	err = err ?: kma_parts_load(&day->parts, &day->conn, day->nr_sites, &day->need);
	return err ?: day_intern(day);
}

/*
 * Write a sample of the series that was begun last.
 * @day: opened for writing
 * @account: finished
 * @moment: times of the sample
 * @bytes: set to the bytes of its data
 *
 * After an error the file does not have the sample, and the next one is a key sample.
 */
static struct kma_err *day_append(struct kma_day *day, const struct kma_account *account,
				  const struct kma_moment *moment, size_t *bytes)
{
	struct kma_err *err = kma_conn_exec(&day->conn, "BEGIN IMMEDIATE");

	*bytes = 0;
	if (err)
		return err;
	err = day_refresh(day);
	err = err ?: day_put(day, account, moment, bytes);
	err = err ?: kma_conn_exec(&day->conn, "COMMIT");
	if (!err) {
		day->since_key = (day->since_key + 1) % KMA_DAY_KEY;
		return NULL;
	}
	sqlite3_exec(day->conn.sql, "ROLLBACK", NULL, NULL, NULL);
	day_forget(day);
	return err;
}

/*
 * Get the columns for an account, in the form of a series.
 * @account: finished
 *
 * Return: names, each followed by a blank, for free(3).
 */
static char *day_columns(const struct kma_account *account)
{
	struct kma_strbuf names = { 0 };
	struct kma_columns columns;

	kma_columns_of(account, &columns);
	kma_columns_names(&columns, &names);
	return names.str ?: kma_xstrdup("");
}

/* Make an empty directory a history. A directory with other files is refused. */
static struct kma_err *history_mark(const struct kma_history *history)
{
	_cleanup_dir_ DIR *dir = NULL;
	_cleanup_free_ char *marker = kma_history_file(history, KMA_HISTORY_MARKER);
	const struct dirent *entry;
	bool written;
	FILE *f;

	if (mkdir(history->path, 0700) && errno != EEXIST)
		return kma_err_create(history->path, 0, "cannot create the directory: %s",
				      strerror(errno));
	dir = opendir(history->path);
	if (!dir)
		return kma_err_create(history->path, 0, "cannot read the directory: %s",
				      strerror(errno));
	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			return kma_err_create(
				history->path, 0,
				"not a history, and not empty ('%s'); use a new directory",
				entry->d_name);
	f = fopen(marker, "wxe");
	if (!f)
		return kma_err_create(marker, 0, "cannot write: %s", strerror(errno));
	fprintf(f, KMA_HISTORY_NAME KMA_HISTORY_VERSION "\n");
	written = !fflush(f) && !fsync(fileno(f));
	if (fclose(f) || !written) {
		unlink(marker);
		return kma_err_create(marker, 0, "cannot write: %s", strerror(errno));
	}
	return NULL;
}

/* Anybody can make a directory in a sticky one, and put links and pipes into it. */
static struct kma_err *history_check_owner(const struct kma_history *history)
{
	_cleanup_free_ char *parent = kma_history_file(history, "..");
	struct stat st, above;

	if (stat(history->path, &st) || stat(parent, &above) || !(above.st_mode & S_ISVTX) ||
	    st.st_uid == geteuid())
		return NULL;
	return kma_err_create(
		history->path, 0,
		"cannot write: the directory belongs to another user, and its parent is sticky; use another name");
}

static struct kma_err *history_lock(struct kma_history *history)
{
	_cleanup_free_ char *marker = kma_history_file(history, KMA_HISTORY_MARKER);

	history->lock = open(marker, O_RDWR | O_CLOEXEC);
	if (history->lock < 0)
		return kma_err_create(marker, 0, "cannot open: %s", strerror(errno));
	history->alone = !flock(history->lock, LOCK_EX | LOCK_NB);
	return NULL;
}

static struct kma_err *history_begin(struct kma_history *history)
{
	struct kma_err *err = history_check_owner(history);

	if (!err && !kma_history_is(history->path))
		err = history_mark(history);
	err = err ?: kma_history_check(history);
	err = err ?: history_lock(history);
	return err ?: kma_history_list(history);
}

struct kma_err *kma_history_create(const char *path, const struct kma_history_bounds *bounds,
				   struct kma_history **ret)
{
	struct kma_history *history = kma_history_alloc(path);
	struct kma_err *err;

	history->bounds = *bounds;
	err = history_begin(history);
	if (err) {
		kma_history_close(history);
		return err;
	}
	*ret = history;
	return NULL;
}

static uint64_t history_size(const struct kma_history *history, size_t from)
{
	uint64_t sum = 0;
	struct stat st;

	for (size_t i = from; i < history->nr_days; i++) {
		_cleanup_free_ char *path = kma_history_file(history, history->days[i]);

		if (!stat(path, &st))
			sum += st.st_size;
	}
	return sum;
}

/* Remove days that are too old or exceed the size, but never the day of the current sample. */
static struct kma_err *history_prune(struct kma_history *history, uint64_t now,
				     struct kma_notes *notes)
{
	const struct kma_history_bounds *bounds = &history->bounds;
	size_t gone = 0;

	while (gone < history->nr_days && strcmp(history->days[gone], history->today_name)) {
		_cleanup_free_ char *path = NULL;
		bool old = bounds->keep && now > bounds->keep &&
			   !kma_history_in(history->days[gone], now - bounds->keep, UINT64_MAX);
		bool large = bounds->max_size && history_size(history, gone) > bounds->max_size;

		if (!old && !large)
			break;
		path = kma_history_file(history, history->days[gone]);
		if (unlink(path))
			return kma_err_create(path, 0, "cannot remove: %s", strerror(errno));
		kma_notes_add(notes, "removed %s: %s", path,
			      old ? "older than --keep" : "the history exceeds --max-size");
		gone++;
	}
	history->nr_days -= gone;
	memmove(history->days, history->days + gone, history->nr_days * sizeof(*history->days));
	if (bounds->max_size && history_size(history, 0) > bounds->max_size)
		return kma_err_create(
			history->path, 0,
			"the samples of today exceed --max-size, so no more are recorded; increase --max-size or --interval");
	return NULL;
}

/* Find the last series of all files. @uid is set if the account continues it; otherwise @why. */
static struct kma_err *history_resume(struct kma_history *history, const struct kma_moment *moment,
				      const char *columns, struct kma_notes *notes, int64_t *uid,
				      const char **why)
{
	const struct kma_day_series *series = NULL;
	const struct kma_day_sample *last;
	struct kma_moment before;
	struct kma_err *err;
	size_t day = history->nr_days;

	*why = "the first sample of this history";
	while (day--) {
		err = kma_history_load(history, day);
		if (err == &kma_enomem)
			return err;
		/* A corrupt file must not end recording: later days have files of their own. */
		if (err) {
			_cleanup_free_ char *text = kma_err_text(err);

			kma_notes_add(notes, "%s", text);
			kma_err_destroy(err);
			*why = "the file of the last day cannot be read";
			return NULL;
		}
		if (history->nr_samples)
			break;
	}
	if (!history->nr_samples)
		return NULL;
	last = &history->samples[history->nr_samples - 1];
	series = kma_day_series(history->day, last->series);
	before = (struct kma_moment){ .boot = series->boot ?: "",
				      .up = last->up,
				      .time = last->time,
				      .loaded = series->loaded,
				      .generation = series->generation };
	*why = !history->alone ? "another program records into this history, too" :
	       strcmp(before.boot, moment->boot) ? "the machine was booted, or is a different one" :
	       before.loaded != moment->loaded	 ? "the module was loaded again" :
	       before.generation != moment->generation ? "the account was restarted (clear or on)" :
	       kma_moment_jumped(&before, moment)      ? "the clock was set" :
	       strcmp(series->columns, columns)	       ? "the account has other columns" :
							 NULL;
	if (!*why)
		*uid = series->uid;
	return NULL;
}

/* The reason why the program's own series cannot continue, or NULL. */
static const char *history_break(const struct kma_history *history, const struct kma_moment *moment,
				 const char *columns)
{
	const struct kma_moment *last = &history->last;

	return strcmp(last->boot, moment->boot)	      ? "the machine was booted" :
	       last->loaded != moment->loaded	      ? "the module was loaded again" :
	       last->generation != moment->generation ? "the account was restarted (clear or on)" :
	       kma_moment_jumped(last, moment)	      ? "the clock was set" :
	       strcmp(history->series.columns, columns) ? "the account has other columns" :
							  NULL;
}

static char *history_notes(const struct kma_account *account)
{
	struct kma_strbuf text = { 0 };
	const char *key, *value;

	for (size_t i = 0; (key = kma_account_note_at(account, i, &value)); i++)
		if (!kma_moment_is_note(key) && strcmp(key, KMA_NOTE_MODULES) &&
		    strcmp(key, KMA_NOTE_RECLAIMABLE))
			kma_strbuf_printf(&text, "%s: %s\n", key, value);
	kma_strbuf_puts(&text, "");
	return text.str;
}

static struct kma_err *history_new_series(struct kma_history *history,
					  const struct kma_account *account,
					  const struct kma_moment *moment, const char *host,
					  const char *why, int64_t uid)
{
	struct kma_day_series *series = &history->series;
	const char *release = kma_account_note(account, KMA_NOTE_RELEASE);
	const char *build_id = kma_account_note(account, KMA_NOTE_BUILD_ID);

	kma_history_end_series(history);
	if (!uid && getrandom(&uid, sizeof(uid), 0) != sizeof(uid))
		return kma_err_create(NULL, 0, "cannot get a random number: %s", strerror(errno));
	*series = (struct kma_day_series){
		.uid = uid & INT64_MAX,
		.boot = kma_xstrdup(moment->boot),
		.host = kma_xstrdup(host),
		.release = kma_xstrdup(release ?: ""),
		.build_id = kma_xstrdup(build_id ?: ""),
		.notes = history_notes(account),
		.columns = day_columns(account),
		.loaded = moment->loaded,
		.generation = moment->generation,
		.why = kma_xstrdup(why),
	};
	history->has_series = true;
	history->last = *moment;
	history->last.boot = series->boot;
	return NULL;
}

static struct kma_err *history_series(struct kma_history *history,
				      const struct kma_account *account,
				      const struct kma_moment *moment, const char *host,
				      struct kma_notes *notes, bool *begins)
{
	_cleanup_free_ char *columns = day_columns(account);
	struct kma_err *err = NULL;
	const char *why = NULL;
	int64_t uid = 0;

	*begins = !history->has_series;
	if (history->has_series)
		why = history_break(history, moment, columns);
	else
		err = history_resume(history, moment, columns, notes, &uid, &why);
	if (why)
		kma_notes_add(notes, "a new series begins: %s", why);
	if (err || (!why && history->has_series))
		return err;
	*begins = true;
	return history_new_series(history, account, moment, host, why ?: "", uid);
}

/* Open the file of the day of a sample, unless it is open. @begins: it was opened. */
static struct kma_err *history_today(struct kma_history *history, uint64_t time, bool *begins)
{
	_cleanup_free_ char *path = NULL;
	time_t seconds = time / KMA_HISTORY_SECOND;
	char name[KMA_HISTORY_DAY_LEN + 1];
	struct kma_err *err;
	struct tm tm;

	strftime(name, sizeof(name), "%Y-%m-%d" KMA_HISTORY_SUFFIX, gmtime_r(&seconds, &tm));
	if (history->today && !strcmp(name, history->today_name))
		return NULL;
	kma_day_close(history->today);
	history->today = NULL;
	path = kma_history_file(history, name);
	err = kma_day_open(path, KMA_DAY_WRITE, NULL, &history->today);
	if (err)
		return err;
	*begins = true;
	strcpy(history->today_name, name);
	return kma_history_list(history);
}

struct kma_err *kma_history_append(struct kma_history *history, const struct kma_account *account,
				   const char *host, size_t *bytes, struct kma_notes *notes)
{
	struct kma_moment moment;
	struct kma_err *err;
	bool begins, opened = false;

	*bytes = 0;
	if (!kma_moment_of(account, &moment))
		return kma_err_create(
			kma_account_name(account), 0,
			"no time in this account; a history needs a snapshot of the module");
	err = history_series(history, account, &moment, host, notes, &begins);
	err = err ?: history_today(history, moment.time, &opened);
	err = err ?: history_prune(history, moment.time, notes);
	if (!err && (begins || opened))
		err = day_begin(history->today, &history->series);
	err = err ?: day_append(history->today, account, &moment, bytes);
	if (err) {
		/* The next sample opens the file again, and is a key sample. */
		kma_day_close(history->today);
		history->today = NULL;
		return err;
	}
	history->last = moment;
	history->last.boot = history->series.boot;
	return NULL;
}
