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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "day-write.h"
#include "history-write.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/strbuf.h"

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
