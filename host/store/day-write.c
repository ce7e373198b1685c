// SPDX-License-Identifier: GPL-2.0-only
/*
 * day-write.c - add samples to a file: the numbers of the call sites, and those by group.
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
#include "day-write.h"
#include "history.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/gzip.h"
#include "lib/strbuf.h"
#include "model/groups.h"
#include "parts.h"

/*
 * Add samples to a history.
 *
 * Each sample belongs to a series. The first sample of a program continues the last series of the
 * history if boot, load of the module, generation, clock and columns agree, and no other program
 * writes. A later sample continues the program's own series if the same agree. Otherwise a new
 * series begins, and the reason is stored with it.
 */

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

/*
 * The reason why a series whose last sample is of @last cannot go on, or NULL. @own: this program has
 * begun it
 */
static const char *history_break(const struct kma_moment *last, const char *last_columns,
				 const struct kma_moment *moment, const char *columns, bool own)
{
	if (strcmp(last->boot, moment->boot))
		return own ? "the machine was booted" :
			     "the machine was booted, or is a different one";
	return last->loaded != moment->loaded	      ? "the module was loaded again" :
	       last->generation != moment->generation ? "the account was restarted (clear or on)" :
	       kma_moment_jumped(last, moment)	      ? "the clock was set" :
	       strcmp(last_columns, columns)	      ? "the account has other columns" :
							NULL;
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
	*why = history->alone ? history_break(&before, series->columns, moment, columns, false) :
				"another program records into this history, too";
	if (!*why)
		*uid = series->uid;
	return NULL;
}

static struct kma_err *history_new_series(struct kma_history *history,
					  const struct kma_account *account,
					  const struct kma_moment *moment, const char *host,
					  const char *why, int64_t uid)
{
	struct kma_day_series *series = &history->series;
	const char *release = kma_account_note(account, KMA_NOTE_RELEASE);
	const char *build_id = kma_account_note(account, KMA_NOTE_BUILD_ID);
	struct kma_err *err;

	kma_history_end_series(history);
	err = kma_day_series_of(account, false, series);
	if (err)
		return err;
	series->uid = uid ?: series->uid;
	series->boot = kma_xstrdup(moment->boot);
	series->host = kma_xstrdup(host);
	series->release = kma_xstrdup(release ?: "");
	series->build_id = kma_xstrdup(build_id ?: "");
	series->loaded = moment->loaded;
	series->generation = moment->generation;
	series->why = kma_xstrdup(why);
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
	_cleanup_free_ char *columns = kma_day_columns(account, false);
	struct kma_err *err = NULL;
	const char *why = NULL;
	int64_t uid = 0;

	*begins = !history->has_series;
	if (history->has_series)
		why = history_break(&history->last, history->series.columns, moment, columns, true);
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
	time_t seconds = time / KMA_NS_PER_S;
	char name[KMA_HISTORY_DAY_LEN + 1];
	struct kma_err *err;
	struct tm tm;

	strftime(name, sizeof(name), "%Y-%m-%d" KMA_HISTORY_SUFFIX, gmtime_r(&seconds, &tm));
	if (history->today && !strcmp(name, history->today_name))
		return NULL;
	kma_day_close(history->today);
	history->today = NULL;
	path = kma_history_file(history, name);
	err = kma_day_open(path, NULL, KMA_DAY_WRITE, NULL, &history->today);
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
		err = kma_day_begin(history->today, &history->series);
	err = err ?: kma_day_append(history->today, account, &moment, NULL, bytes);
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

static const char parts_tables[] =
	"CREATE TABLE grouped (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL);\n"
	"CREATE TABLE part (id INTEGER PRIMARY KEY, site INTEGER NOT NULL, grouped INTEGER NOT NULL);\n"
	"CREATE TABLE parts (sample INTEGER PRIMARY KEY, kinds TEXT NOT NULL, live INTEGER NOT NULL,\n"
	" data BLOB NOT NULL);\n";

/* A file of an older program has the tables above without this one. */
static const char parts_charged_table[] =
	"CREATE TABLE IF NOT EXISTS charged (sample INTEGER PRIMARY KEY, kinds TEXT NOT NULL,\n"
	" charged INTEGER NOT NULL, data BLOB NOT NULL);\n";

/*
 * Get the number of a group, and insert it if it is new; beyond the limits it is @other. A kind is
 * identified by its name, because a newer program may have written kinds that this one does not
 * know.
 */
static struct kma_err *parts_group_of(struct kma_parts *parts, struct kma_conn *conn,
				      const char *kind, const char *name, uint32_t other,
				      uint32_t *ret)
{
	_cleanup_free_ char *key = kma_xasprintf("%s\t%s", kind, name);

	*ret = kma_intern(parts->names, KMA_KIND_UNKNOWN, key, strlen(key)) ?: other;
	if (*ret != parts->written_groups)
		return NULL;
	parts->written_groups++;
	return kma_conn_put(conn, "INSERT INTO grouped (id, kind, name) VALUES (?,?,?)", "itt",
			    (int64_t)*ret, kind, name);
}

/* Get the number of a part, and insert it if it is new; beyond the limits it is @other. */
static struct kma_err *parts_part_of(struct kma_parts *parts, struct kma_conn *conn, uint32_t site,
				     uint32_t group, uint32_t other, uint32_t *ret)
{
	char key[32];

	snprintf(key, sizeof(key), "%" PRIu32 "\t%" PRIu32, site, group);
	*ret = kma_intern(parts->keys, KMA_KIND_UNKNOWN, key, strlen(key)) ?: other;
	if (*ret != parts->written)
		return NULL;
	parts->written++;
	return kma_conn_put(conn, "INSERT INTO part (id, site, grouped) VALUES (?,?,?)", "iii",
			    (int64_t)*ret, (int64_t)site, (int64_t)group);
}

/*
 * Insert group [other] of each kind, and a part of it at site 0, before all others: they get what
 * is beyond the limits. Samples of a history are of snapshots, which have no roots.
 */
static struct kma_err *parts_others(struct kma_parts *parts, struct kma_conn *conn, bool roots)
{
	for (enum kma_grouped by = KMA_GROUPED_NOT + 1; by < KMA_NR_GROUPED; by++) {
		struct kma_parts_other *other = &parts->others[by];
		struct kma_err *err;

		if (other->part || (by == KMA_GROUPED_ROOT && !roots))
			continue;
		err = parts_group_of(parts, conn, kma_grouped_names[by], KMA_PARTS_OTHER, 0,
				     &other->group);
		err = err ?: parts_part_of(parts, conn, 0, other->group, 0, &other->part);
		if (err)
			return err;
		if (!other->group || !other->part)
			return kma_conn_damaged(conn,
						"too many groups, and none named " KMA_PARTS_OTHER);
	}
	return NULL;
}

/* Number the groups and parts of the file; they must get the numbers that they have there. */
static struct kma_err *parts_known(struct kma_parts *parts, struct kma_conn *conn)
{
	struct kma_err *err;
	uint32_t id;

	parts->written_groups = parts->nr_groups;
	parts->written = parts->nr;
	for (size_t i = 1; i < parts->nr_groups; i++) {
		err = parts_group_of(parts, conn, parts->groups[i].kind, parts->groups[i].name, 0,
				     &id);
		if (err)
			return err;
		if (id != i)
			return kma_conn_damaged(conn, "a group occurs twice");
	}
	for (size_t i = 1; i < parts->nr; i++) {
		const struct kma_parts_key *part = &parts->list[i];

		err = parts_part_of(parts, conn, part->site, part->group, 0, &id);
		if (err)
			return err;
		if (id != i)
			return kma_conn_damaged(conn, "a row of table part occurs twice");
	}
	return NULL;
}

static struct kma_err *parts_prepare(struct kma_parts *parts, struct kma_conn *conn, bool roots)
{
	struct kma_columns columns;
	struct kma_err *err = NULL;

	if (!parts->keys) {
		kma_columns_of_parts(&columns);
		kma_columns_rules(&columns, &parts->code);
		parts->charge.nr_columns = 1;
		parts->names = kma_intern_new();
		parts->keys = kma_intern_new();
		err = parts_known(parts, conn);
		if (!err && parts->nr == 1)
			err = kma_conn_exec(conn, parts_tables);
	}
	return err ?: parts_others(parts, conn, roots);
}

/* The numbers of a sample before they are coded. */
struct kma_parts_sample {
	uint64_t *values; /* the matrix, a row for each part */
	struct kma_columns columns;
	struct kma_strbuf kinds;
	uint64_t live;
	/* the charged bytes: one for each part; the kinds that tell them; their sum */
	uint64_t *charges;
	struct kma_strbuf charged_kinds;
	uint64_t charged;
};

static void parts_sample_deinit(struct kma_parts_sample *sample)
{
	free(sample->values);
	free(sample->charges);
	kma_strbuf_deinit(&sample->kinds);
	kma_strbuf_deinit(&sample->charged_kinds);
}

static struct kma_err *parts_take(struct kma_parts *parts, struct kma_conn *conn,
				  const struct kma_groups *groups, enum kma_grouped by,
				  const uint32_t *sites, struct kma_parts_sample *sample)
{
	bool told = kma_groups_more(groups) & 1U << KMA_CHARGED;
	const struct kma_group_part *list;
	size_t nr;

	list = kma_groups_parts(groups, &nr);
	for (size_t i = 0; i < nr; i++) {
		const struct kma_site row = { .values = list[i].values };
		uint64_t numbers[KMA_CODE_MAX_COLUMNS];
		uint32_t group, part;
		struct kma_err *err;

		err = parts_group_of(parts, conn, kma_grouped_names[by],
				     kma_groups_name(groups, list[i].group),
				     parts->others[by].group, &group);
		if (err)
			return err;
		err = parts_part_of(parts, conn, sites[list[i].site], group, parts->others[by].part,
				    &part);
		if (err)
			return err;
		kma_columns_get(&sample->columns, &row, 0, numbers);
		for (size_t c = 0; c < sample->columns.nr; c++)
			sample->values[part * sample->columns.nr + c] += numbers[c];
		sample->live += row.values.current;
		if (told) {
			sample->charges[part] += row.values.charged;
			sample->charged += row.values.charged;
		}
	}
	kma_strbuf_printf(&sample->kinds, "%s ", kma_grouped_names[by]);
	if (told)
		kma_strbuf_printf(&sample->charged_kinds, "%s ", kma_grouped_names[by]);
	return NULL;
}

/* Code and insert the charged bytes of a sample, if it tells them. */
static struct kma_err *parts_charge(struct kma_parts *parts, struct kma_conn *conn, int64_t id,
				    const struct kma_parts_sample *sample, size_t *bytes)
{
	_cleanup_strbuf_ struct kma_strbuf data = { 0 };
	struct kma_err *err;

	if (!sample->charged_kinds.len)
		return NULL;
	err = kma_conn_exec(conn, parts_charged_table);
	if (err)
		return err;
	kma_code_put(&parts->charge, sample->charges, kma_intern_count(parts->keys), &data);
	*bytes += data.len;
	return kma_conn_put(conn,
			    "INSERT INTO charged (sample, kinds, charged, data) VALUES (?,?,?,?)",
			    "itib", id, sample->charged_kinds.str, sample->charged, &data);
}

/*
 * Writes the memory of call sites by group, in the transaction of the sample. @sites has the number
 * in the file for each call site of the account. After an error the caller must roll back the
 * transaction and load @parts again, which have the numbers of the last sample.
 */
static struct kma_err *parts_put(struct kma_parts *parts, struct kma_conn *conn, int64_t id,
				 const struct kma_account *account, const uint32_t *sites, bool key,
				 size_t *bytes)
{
	_cleanup_(parts_sample_deinit) struct kma_parts_sample sample = { 0 };
	_cleanup_strbuf_ struct kma_strbuf data = { 0 };
	const struct kma_groups *groups[KMA_NR_GROUPED] = { 0 };
	size_t room = 0, nr;
	struct kma_err *err;

	for (enum kma_grouped by = KMA_GROUPED_NOT + 1; by < KMA_NR_GROUPED; by++) {
		groups[by] = kma_account_groups(account, by);
		if (groups[by]) {
			kma_groups_parts(groups[by], &nr);
			room += nr + 1;
		}
	}
	if (key) {
		kma_code_clear(&parts->code);
		kma_code_clear(&parts->charge);
	}
	if (!room)
		return NULL;
	err = parts_prepare(parts, conn, groups[KMA_GROUPED_ROOT]);
	if (err)
		return err;
	kma_columns_of_parts(&sample.columns);
	room += kma_intern_count(parts->keys);
	sample.values = kma_xcalloc(room * sample.columns.nr, sizeof(*sample.values));
	sample.charges = kma_xcalloc(room, sizeof(*sample.charges));
	for (enum kma_grouped by = KMA_GROUPED_NOT + 1; by < KMA_NR_GROUPED; by++) {
		if (!groups[by])
			continue;
		err = parts_take(parts, conn, groups[by], by, sites, &sample);
		if (err)
			return err;
	}
	kma_code_put(&parts->code, sample.values, kma_intern_count(parts->keys), &data);
	*bytes += data.len;
	err = kma_conn_put(conn, "INSERT INTO parts (sample, kinds, live, data) VALUES (?,?,?,?)",
			   "itib", id, sample.kinds.str, sample.live, &data);
	return err ?: parts_charge(parts, conn, id, &sample, bytes);
}

/* Tests whether another program has added parts to the file. */
static struct kma_err *parts_changed(const struct kma_parts *parts, struct kma_conn *conn,
				     bool *ret)
{
	size_t known = parts->keys ? parts->written : parts->nr;
	struct kma_err *err;
	int64_t nr = 0;

	*ret = false;
	err = kma_conn_has(conn, "part", "id") ?
		      kma_conn_number(conn, "SELECT count(*) FROM part", &nr) :
		      NULL;
	if (err)
		return err;
	*ret = nr + 1 != (int64_t)known;
	return NULL;
}

/*
 * Make the key text that distinguishes sites. The module's texts contain no tab. @twin: in a DB file
 * how many rows of the same account are the same so far: a DB file keeps each.
 */
static char *day_key_text(const struct kma_site *site, uint32_t twin)
{
	return kma_xasprintf("%s\t%s\t%" PRIx64 "\t%d\t%s\t%s\t%" PRIu32, site->caller,
			     site->build_id ?: "", site->text, site->in_init, site->cache ?: "",
			     site->path ?: "", twin);
}

static uint32_t day_intern_twin(struct kma_day *day, const struct kma_site *site, uint32_t twin)
{
	_cleanup_free_ char *key = day_key_text(site, twin);

	return kma_intern(day->intern, site->kind, key, strlen(key));
}

/*
 * Get the number of a site; 0: there are too many. @twins: of a DB file, by number, how often the
 * site was there
 */
static uint32_t day_number(struct kma_day *day, const struct kma_site *site, uint32_t *twins)
{
	uint32_t id = day_intern_twin(day, site, 0);

	if (!day->db || !id || !twins[id]++)
		return id;
	return day_intern_twin(day, site, twins[id] - 1);
}

/* Number the sites of the file by their key texts, so that new sites get the next numbers. */
static struct kma_err *day_intern(struct kma_day *day)
{
	_cleanup_free_ uint32_t *twins = kma_xcalloc(day->nr_sites + 1, sizeof(*twins));

	day->intern = day->intern ?: kma_intern_new();
	day->written = day->written ?: 1;
	for (; day->written < day->nr_sites; day->written++) {
		const struct kma_day_site *row = &day->sites[day->written];
		const struct kma_site site = { .caller = row->caller,
					       .path = row->path,
					       .build_id = row->build_id,
					       .cache = row->cache,
					       .kind = row->kind,
					       .text = row->text,
					       .in_init = row->in_init };

		if (day_number(day, &site, twins) != day->written)
			return kma_conn_damaged(&day->conn, "a call site occurs twice");
	}
	return NULL;
}

static struct kma_err *day_series_insert(struct kma_day *day, const struct kma_day_series *series)
{
	struct kma_err *err;

	err = kma_conn_put(&day->conn,
			   "INSERT INTO series (uid, boot, host, release, build_id, loaded,\n"
			   " generation, columns, notes, why) VALUES (?,?,?,?,?,?,?,?,?,?)",
			   "ittttiittt", series->uid, series->boot, series->host, series->release,
			   series->build_id, series->loaded, series->generation, series->columns,
			   series->notes, series->why);
	day->current = sqlite3_last_insert_rowid(day->conn.sql);
	return err;
}

struct kma_err *kma_day_begin(struct kma_day *day, const struct kma_day_series *series)
{
	struct kma_err *err;

	day->current = 0;
	day->since_key = 0;
	if (!kma_columns_parse(series->columns, &day->columns) || day->columns.nr_unknown)
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
	day->written++;
	return kma_conn_put(&day->conn,
			    "INSERT INTO site (id, caller, kind, path, build_id, text, init,\n"
			    " cache, caches) VALUES (?,?,?,?,?,?,?,?,?)",
			    "ittttiiti", (int64_t)id, site->caller, kma_kind_names[site->kind],
			    site->path, site->build_id, site->text, (int64_t)site->in_init,
			    site->cache, (int64_t)site->caches);
}

/*
 * Make the matrix of an account. New sites get a row in the file. @ids: number in the file of each
 * site of the account.
 */
static struct kma_err *day_matrix(struct kma_day *day, const struct kma_account *account,
				  uint64_t up, uint64_t **ret, size_t *nr_sites, uint32_t **ids)
{
	size_t nr, columns = day->columns.nr, place = day->columns.place, room;
	const struct kma_site *sites = kma_account_sites(account, &nr);
	_cleanup_free_ uint32_t *twins = NULL;

	room = kma_intern_count(day->intern) + nr + 1;
	*ret = kma_xcalloc(room * columns, sizeof(**ret));
	*ids = kma_xcalloc(nr + 1, sizeof(**ids));
	twins = kma_xcalloc(room, sizeof(*twins));
	for (size_t i = 0; i < nr; i++) {
		uint32_t id = day_number(day, &sites[i], twins);
		uint64_t numbers[KMA_CODE_MAX_COLUMNS];
		struct kma_err *err = NULL;

		if (id == day->written)
			err = day_site_insert(day, &sites[i], id);
		else if (!id && day->db)
			err = kma_err_create(
				day->path, 0,
				"cannot save: a DB file holds at most %u different call sites; use a new file",
				KMA_INTERN_MAX_SITES - 1);
		if (err)
			return err;
		kma_columns_get(&day->columns, &sites[i], up, numbers);
		if (place)
			numbers[place - 1] = i + 1;
		for (size_t c = 0; c < columns; c++)
			(*ret)[id * columns + c] += numbers[c];
		(*ids)[i] = id;
	}
	*nr_sites = kma_intern_count(day->intern);
	return NULL;
}

/* The number of events of a loss; NULL: not known. */
static const uint64_t *day_loss(const struct kma_account *account, enum kma_loss_id id,
				uint64_t *events)
{
	return kma_account_loss(account, id, events) ? events : NULL;
}

/*
 * Get a list; NULL if it has not changed. A key sample has all lists: readers do not take them from
 * before it. In a DB file they are notes.
 */
static const char *day_list(struct kma_day *day, size_t i, const struct kma_account *account)
{
	const char *list = day->db ? NULL : kma_account_note(account, kma_day_lists[i]);

	if (!list || (day->since_key && day->lists[i] && !strcmp(list, day->lists[i])))
		list = NULL;
	if (list || !day->since_key) {
		free(day->lists[i]);
		day->lists[i] = list ? kma_xstrdup(list) : NULL;
	}
	return list;
}

static struct kma_err *day_sample_insert(struct kma_day *day, const struct kma_account *account,
					 const struct kma_moment *moment, uint64_t id,
					 const struct kma_strbuf *data)
{
	uint64_t unknown, implied, lost;

	return kma_conn_put(&day->conn,
			    "INSERT INTO sample (id, series, time, up, is_key, live, unknown,\n"
			    " implied, lost, modules, reclaimable, data)\n"
			    " VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
			    "oiiiiiooottb", id ? &id : NULL, day->current, moment->time, moment->up,
			    (int64_t)!day->since_key, kma_account_total(account)->current,
			    day_loss(account, KMA_LOSS_UNKNOWN_FREES, &unknown),
			    day_loss(account, KMA_LOSS_IMPLIED_FREES, &implied),
			    day_loss(account, KMA_LOSS_NOT_RECORDED, &lost),
			    day_list(day, 0, account), day_list(day, 1, account), data);
}

static struct kma_err *day_label_insert(struct kma_day *day, const struct kma_account *account,
					struct kma_snapshot *snapshot,
					const struct kma_strbuf *data)
{
	_cleanup_strbuf_ struct kma_strbuf warnings = { 0 }, tables = { 0 };
	const char *text = kma_account_tables(account);
	struct kma_err *err;
	char sql[200];
	int64_t found;

	for (size_t i = 0; kma_account_warning(account, i); i++)
		kma_day_line(&warnings, kma_account_warning(account, i));
	if (text)
		kma_gzip(&(struct kma_strbuf){ .str = (char *)text, .len = strlen(text) },
			 KMA_GZIP_SMALL, &tables);
	err = kma_conn_put(&day->conn,
			   "INSERT INTO label (sample, label, input, sites, warnings, tables)\n"
			   " VALUES (?,?,?,?,?,?)",
			   "ittitb", snapshot->id, snapshot->label, snapshot->input,
			   snapshot->sites, warnings.str, text ? &tables : NULL);
	if (err)
		return err;
	/*
	 * A corrupt file may accept all data without storing it, for example because of a column of
	 * another name. This is checked before the commit, so nothing is written in that case.
	 */
	snprintf(sql, sizeof(sql),
		 "SELECT count(*) FROM sample JOIN label ON sample = sample.id JOIN series\n"
		 " ON series = series.id WHERE sample.id = %" PRId64 " AND length(data) = %zu",
		 snapshot->id, data->len);
	err = kma_conn_number(&day->conn, sql, &found);
	if (err || found == 1)
		return err;
	return kma_conn_damaged(&day->conn, "what was just saved is not there");
}

static struct kma_err *day_put(struct kma_day *day, const struct kma_account *account,
			       const struct kma_moment *moment, struct kma_snapshot *snapshot,
			       size_t *bytes)
{
	_cleanup_strbuf_ struct kma_strbuf data = { 0 };
	_cleanup_free_ uint64_t *values = NULL;
	_cleanup_free_ uint32_t *ids = NULL;
	size_t nr_sites;
	struct kma_err *err;
	int64_t id;

	if (!day->since_key)
		kma_code_clear(&day->code);
	err = day_matrix(day, account, moment->up, &values, &nr_sites, &ids);
	if (err)
		return err;
	kma_code_put(&day->code, values, nr_sites, &data);
	*bytes = data.len;
	err = day_sample_insert(day, account, moment, snapshot ? snapshot->id : 0, &data);
	id = sqlite3_last_insert_rowid(day->conn.sql);
	err = err ?: parts_put(&day->parts, &day->conn, id, account, ids, !day->since_key, bytes);
	if (err || !snapshot)
		return err;
	snapshot->id = id;
	return day_label_insert(day, account, snapshot, &data);
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

	err = kma_conn_number(&day->conn, "SELECT count(*) FROM site", &sites);
	err = err ?: parts_changed(&day->parts, &day->conn, &parts);
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

struct kma_err *kma_day_append(struct kma_day *day, const struct kma_account *account,
			       const struct kma_moment *moment, struct kma_snapshot *snapshot,
			       size_t *bytes)
{
	struct kma_err *err = NULL;

	*bytes = 0;
	if (sqlite3_get_autocommit(day->conn.sql))
		err = kma_conn_exec(&day->conn, "BEGIN IMMEDIATE");
	if (err)
		return err;
	err = day_refresh(day);
	err = err ?: day_put(day, account, moment, snapshot, bytes);
	if (!err && !day->db)
		err = kma_conn_exec(&day->conn, "COMMIT");
	if (!err) {
		day->since_key = day->db ? 0 : (day->since_key + 1) % KMA_DAY_KEY;
		return NULL;
	}
	sqlite3_exec(day->conn.sql, "ROLLBACK", NULL, NULL, NULL);
	day_forget(day);
	return err;
}

void kma_day_line(struct kma_strbuf *lines, const char *text)
{
	size_t begin = lines->len;

	kma_strbuf_printf(lines, "%s\n", text);
	for (size_t i = begin; i + 1 < lines->len; i++)
		if (lines->str[i] == '\n')
			lines->str[i] = ' ';
}

/* The notes as lines "key: value". Those that a history has in columns are left out there. */
static char *day_notes(const struct kma_account *account, bool db)
{
	_cleanup_strbuf_ struct kma_strbuf note = { 0 };
	struct kma_strbuf text = { 0 };
	const char *key, *value;

	for (size_t i = 0; (key = kma_account_note_at(account, i, &value)); i++) {
		if (!db && (kma_moment_is_note(key) || !strcmp(key, KMA_NOTE_MODULES) ||
			    !strcmp(key, KMA_NOTE_RECLAIMABLE)))
			continue;
		note.len = 0;
		kma_strbuf_printf(&note, "%s: %s", key, value);
		kma_day_line(&text, note.str);
	}
	kma_strbuf_puts(&text, "");
	return text.str;
}

char *kma_day_columns(const struct kma_account *account, bool db)
{
	struct kma_strbuf names = { 0 };
	struct kma_columns columns;

	kma_columns_of(account, db, &columns);
	kma_columns_names(&columns, &names);
	return names.str ?: kma_xstrdup("");
}

struct kma_err *kma_day_series_of(const struct kma_account *account, bool db,
				  struct kma_day_series *ret)
{
	*ret = (struct kma_day_series){ .notes = day_notes(account, db),
					.columns = kma_day_columns(account, db) };
	if (getrandom(&ret->uid, sizeof(ret->uid), 0) != sizeof(ret->uid))
		return kma_err_create(NULL, 0, "cannot get a random number: %s", strerror(errno));
	ret->uid &= INT64_MAX;
	return NULL;
}

/* Find the sites and groups that the other samples have. Nothing is found if one of them is corrupt. */
static struct kma_err *day_used(struct kma_day *day, const struct kma_day_sample *samples,
				size_t nr, size_t without, bool *sites, bool *groups)
{
	for (size_t i = 0; i < nr; i++) {
		struct kma_err *err = i == without ? NULL : kma_day_decode(day, samples, i);
		size_t width = day->decoded.nr_columns;

		if (err)
			return err;
		for (size_t n = 0; i != without && n < day->decoded.nr_sites; n++)
			sites[n] |= kma_columns_any(&day->decoded_columns,
						    day->decoded.values + n * width);
		if (i != without)
			kma_parts_mark_groups(&day->parts, groups);
	}
	return NULL;
}

/* Remove the names that no other sample has. If a sample is corrupt, all names stay. */
static struct kma_err *day_forget_names(struct kma_day *day, const struct kma_day_sample *samples,
					size_t nr, size_t without)
{
	_cleanup_free_ bool *sites = kma_xcalloc(day->nr_sites + 1, sizeof(*sites));
	_cleanup_free_ bool *groups = kma_xcalloc(day->parts.nr_groups + 1, sizeof(*groups));
	struct kma_err *err = day_used(day, samples, nr, without, sites, groups);

	if (err && kma_err_is_of_file(err)) {
		kma_err_destroy(err);
		return NULL;
	}
	for (size_t i = 1; i < day->nr_sites && !err; i++)
		if (!sites[i] && strcmp(day->sites[i].caller, KMA_DAY_DELETED))
			err = kma_conn_put(
				&day->conn,
				"UPDATE site SET caller = ?, path = NULL, build_id = NULL,\n"
				" text = 0, cache = NULL WHERE id = ?",
				"ti", KMA_DAY_DELETED, (int64_t)i);
	for (size_t i = 1; i < day->parts.nr_groups && !err; i++)
		if (!groups[i] && strcmp(day->parts.groups[i].name, KMA_PARTS_OTHER))
			err = kma_conn_put(&day->conn, "UPDATE grouped SET name = ? WHERE id = ?",
					   "ti", KMA_DAY_DELETED, (int64_t)i);
	return err;
}

struct kma_err *kma_day_delete(struct kma_day *day, const struct kma_day_sample *samples, size_t nr,
			       size_t i)
{
	static const char *const tables[] = { "parts", "charged" };
	struct kma_err *err;
	char sql[160];

	snprintf(sql, sizeof(sql),
		 "DELETE FROM sample WHERE id = %" PRId64
		 "; DELETE FROM series WHERE id = %" PRId64,
		 samples[i].id, samples[i].series);
	err = kma_conn_exec(&day->conn, sql);
	for (size_t t = 0; t < ARRAY_SIZE(tables) && !err; t++)
		if (kma_conn_has(&day->conn, tables[t], "sample")) {
			snprintf(sql, sizeof(sql), "DELETE FROM %s WHERE sample = %" PRId64,
				 tables[t], samples[i].id);
			err = kma_conn_exec(&day->conn, sql);
		}
	return err ?: day_forget_names(day, samples, nr, i);
}
