// SPDX-License-Identifier: GPL-2.0-only
/*
 * history.c - read a directory with the snapshots of many days.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "day.h"
#include "history.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "lib/strbuf.h"
#include "when.h"

char *kma_history_file(const struct kma_history *history, const char *name)
{
	return kma_xasprintf("%s/%s", history->path, name);
}

bool kma_history_is(const char *path)
{
	_cleanup_free_ char *marker = kma_xasprintf("%s/" KMA_HISTORY_MARKER, path);
	struct stat st;

	return !stat(marker, &st) && S_ISREG(st.st_mode);
}

bool kma_history_has(const char *path)
{
	return kma_history_is(path) || kma_pack_is(path);
}

/*
 * Open the directory by its own name: with fs.protected_symlinks the kernel refuses a link only if
 * it is the last part of a name, not in the names of the files below.
 */
static struct kma_err *history_enter(const struct kma_history *history)
{
	int dir = open(history->path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, history->path, 0,
					   "cannot open the history: %s", strerror(errno));
	close(dir);
	return NULL;
}

struct kma_err *kma_history_check(const struct kma_history *history)
{
	_cleanup_fclose_ FILE *f = NULL;
	_cleanup_free_ char *path = kma_history_file(history, KMA_HISTORY_MARKER);
	struct kma_err *err;
	char line[64] = "";

	err = history_enter(history);
	if (err)
		return err;
	err = kma_file_stream(path, KMA_FILE_REGULAR, &f);
	if (err && errno != ENOENT)
		return err;
	kma_err_destroy(err);
	if (!f)
		return kma_err_create(
			history->path, 0,
			"not a history: it has no file '" KMA_HISTORY_MARKER
			"'; use a directory that 'kmem-account watch' has made, or a file");
	if (!fgets(line, sizeof(line), f) ||
	    strncmp(line, KMA_HISTORY_NAME, strlen(KMA_HISTORY_NAME)))
		return kma_err_create(
			history->path, 0,
			"not a history: invalid content of its file '" KMA_HISTORY_MARKER "'");
	line[strcspn(line, "\n")] = '\0';
	if (strcmp(line + strlen(KMA_HISTORY_NAME), KMA_HISTORY_VERSION))
		return kma_err_create(
			history->path, 0,
			"unsupported version '%.20s' of a history (supported: " KMA_HISTORY_VERSION
			")",
			line + strlen(KMA_HISTORY_NAME));
	return NULL;
}

struct kma_err *kma_history_refuse(const char *path)
{
	const struct kma_history history = { .path = (char *)path };
	struct stat st;

	if (stat(path, &st) || !S_ISDIR(st.st_mode))
		return NULL;
	return kma_history_check(&history);
}

static bool history_is_day(const char *name)
{
	static const char form[] = "0000-00-00" KMA_HISTORY_SUFFIX;

	for (size_t i = 0; i < sizeof(form); i++)
		if (form[i] == '0' ? name[i] < '0' || name[i] > '9' : name[i] != form[i])
			return false;
	return true;
}

static int history_by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

struct kma_err *kma_history_list(struct kma_history *history)
{
	_cleanup_dir_ DIR *dir = opendir(history->path);
	const struct dirent *entry;

	if (!dir)
		return kma_err_create(history->path, 0, "cannot read the directory: %s",
				      strerror(errno));
	history->nr_days = 0;
	while ((entry = readdir(dir))) {
		if (!history_is_day(entry->d_name))
			continue;
		history->days =
			kma_xrealloc(history->days, history->nr_days + 1, sizeof(*history->days));
		strcpy(history->days[history->nr_days++], entry->d_name);
	}
	if (history->nr_days)
		qsort(history->days, history->nr_days, sizeof(*history->days), history_by_name);
	return NULL;
}

/* Takes the days of a bundle, which are in memory. Their names must be in order. */
static struct kma_err *list_packed(struct kma_history *history)
{
	size_t nr = history->nr_packed;

	history->days = kma_xcalloc(nr + 1, sizeof(*history->days));
	for (; history->nr_days < nr; history->nr_days++) {
		const char *name = history->packed[history->nr_days].name;

		if (!history_is_day(name) ||
		    (history->nr_days && strcmp(history->days[history->nr_days - 1], name) >= 0))
			return kma_err_create_kind(KMA_ERR_DAMAGED, history->path, 0,
						   "the days of this bundle are not in order: '%s'",
						   name);
		strcpy(history->days[history->nr_days], name);
	}
	return NULL;
}

struct kma_history *kma_history_alloc(const char *path)
{
	struct kma_history *history = kma_xcalloc(1, sizeof(*history));

	history->path = kma_xstrdup(path);
	history->lock = -1;
	return history;
}

/* Open a directory, or a bundle of which @text is in memory. */
static struct kma_err *history_open(const char *path, const char *text, size_t len,
				    struct kma_history **ret)
{
	struct kma_history *history = kma_history_alloc(path);
	struct kma_err *err;

	if (text)
		err = kma_pack_parse(path, text, len, &history->packed, &history->nr_packed) ?:
			      list_packed(history);
	else
		err = kma_history_check(history) ?: kma_history_list(history);
	if (err)
		kma_history_close(history);
	else
		*ret = history;
	return err;
}

struct kma_err *kma_history_open(const char *path, struct kma_history **ret)
{
	_cleanup_free_ char *text = NULL;
	struct kma_err *err = NULL;
	size_t len = 0;

	if (kma_pack_is(path))
		err = kma_file_slurp_regular(path, &text, &len);
	return err ?: history_open(path, text, len, ret);
}

struct kma_err *kma_history_unpack(const char *name, const char *text, size_t len,
				   struct kma_history **ret)
{
	return history_open(name, text, len, ret);
}

void kma_history_end_series(struct kma_history *history)
{
	kma_day_series_deinit(&history->series);
	history->series = (struct kma_day_series){ 0 };
	history->has_series = false;
}

void kma_history_close(struct kma_history *history)
{
	if (!history)
		return;
	kma_day_close(history->day);
	kma_day_close(history->today);
	kma_history_end_series(history);
	if (history->lock >= 0)
		close(history->lock);
	kma_notes_deinit(&history->damage);
	free(history->lost);
	free(history->samples);
	kma_pack_free(history->packed, history->nr_packed);
	free(history->days);
	free(history->path);
	free(history);
}

static void history_unload(struct kma_history *history)
{
	kma_day_close(history->day);
	free(history->samples);
	history->day = NULL;
	history->samples = NULL;
	history->nr_samples = 0;
}

/* Open the file of a day for reading, unless it is open. */
struct kma_err *kma_history_load(struct kma_history *history, size_t i)
{
	enum kma_day_mode mode = history->groups ? KMA_DAY_READ_GROUPS : KMA_DAY_READ;
	_cleanup_free_ char *path = NULL;
	struct kma_err *err;

	if (history->day && history->day_at == i)
		return NULL;
	history_unload(history);
	path = kma_history_file(history, history->days[i]);
	err = kma_day_open(path, history->packed ? &history->packed[i] : NULL, mode, &history->need,
			   &history->day);
	history->day_at = i;
	return err ?: kma_day_samples(history->day, &history->samples, &history->nr_samples);
}

struct kma_err *kma_history_visit(struct kma_history *history, size_t i)
{
	_cleanup_free_ char *why = NULL;
	struct kma_err *err = NULL;

	if (!history->lost)
		history->lost = kma_xcalloc(history->nr_days, sizeof(*history->lost));
	if (!history->lost[i])
		err = kma_history_load(history, i);
	if (err && !kma_err_is_of_file(err))
		return err;
	if (err) {
		why = kma_err_text(err);
		kma_notes_add(&history->damage, "%s; all samples of this day are left out", why);
		kma_err_destroy(err);
		history->nr_damaged++;
		history->lost[i] = true;
	}
	if (history->lost[i])
		history_unload(history);
	return NULL;
}

static struct kma_err *history_read(struct kma_history *history, size_t i, struct kma_account **ret)
{
	_cleanup_free_ char *name = NULL;
	char when[KMA_WHEN_LEN];

	kma_when_text(history->samples[i].time, when);
	name = kma_xasprintf("%s@%s", history->path, when);
	return kma_day_read(history->day, history->samples, i, name, ret);
}

static struct kma_err *history_empty(const struct kma_history *history)
{
	if (history->damage.text.len)
		return kma_err_create_kind(KMA_ERR_DAMAGED, history->path, 0,
					   "the history has no samples that can be read");
	return kma_err_create_kind(KMA_ERR_NOT_FOUND, history->path, 0,
				   "the history has no samples");
}

/* Get the times of all samples, which may be none. */
static struct kma_err *list_times(struct kma_history *history, uint64_t **ret, size_t *nr)
{
	size_t room = 0;

	for (size_t i = 0; i < history->nr_days; i++) {
		struct kma_err *err = kma_history_visit(history, i);

		if (err)
			return err;
		for (size_t n = 0; n < history->nr_samples; n++) {
			kma_array_room(*ret, *nr, room);
			(*ret)[(*nr)++] = history->samples[n].time;
		}
	}
	return NULL;
}

struct kma_err *kma_history_span(struct kma_history *history, uint64_t *from, uint64_t *to,
				 size_t *nr)
{
	_cleanup_free_ uint64_t *times = NULL;
	struct kma_err *err;

	*from = UINT64_MAX;
	*to = *nr = 0;
	err = list_times(history, &times, nr);
	for (size_t i = 0; i < *nr && !err; i++) {
		*from = times[i] < *from ? times[i] : *from;
		*to = times[i] > *to ? times[i] : *to;
	}
	return err;
}

static struct kma_err *history_none(struct kma_history *history, const char *what)
{
	uint64_t from, to;
	char first[KMA_WHEN_LEN], last[KMA_WHEN_LEN];
	size_t nr;
	struct kma_err *err = kma_history_span(history, &from, &to, &nr);

	if (err)
		return err;
	if (!nr)
		return history_empty(history);
	kma_when_text(from, first);
	kma_when_text(to, last);
	return kma_err_create_kind(KMA_ERR_NOT_FOUND, history->path, 0,
				   "no sample %s; the samples are from %s to %s", what, first,
				   last);
}

struct kma_err *kma_history_times(struct kma_history *history, uint64_t **ret, size_t *nr)
{
	struct kma_err *err;

	*ret = NULL;
	*nr = 0;
	err = list_times(history, ret, nr);
	return err ?: *nr ? NULL : history_none(history, "");
}

/* If a clock was set, the newest sample by its time is not always the last one in the file. */
struct kma_err *kma_history_at(struct kma_history *history, uint64_t time, struct kma_account **ret)
{
	size_t day = history->nr_days, best = SIZE_MAX;
	struct kma_err *err;
	char when[KMA_WHEN_LEN], what[48];

	while (day-- && best == SIZE_MAX) {
		/* A file has only samples of its own day. */
		if (!kma_history_in(history->days[day], 0, time))
			continue;
		err = kma_history_load(history, day);
		if (err)
			return err;
		for (size_t i = 0; i < history->nr_samples; i++)
			if (history->samples[i].time <= time &&
			    (best == SIZE_MAX ||
			     history->samples[i].time >= history->samples[best].time))
				best = i;
	}
	if (best != SIZE_MAX)
		return history_read(history, best, ret);
	kma_when_text(time, when);
	snprintf(what, sizeof(what), "at %s or before", when);
	return history_none(history, what);
}

/* The name of a file is its day, which is compared with the interval. */
bool kma_history_in(const char *name, uint64_t from, uint64_t to)
{
	struct tm tm = { 0 };
	uint64_t begin;

	if (!strptime(name, "%Y-%m-%d", &tm))
		return false;
	begin = timegm(&tm) * KMA_NS_PER_S;
	return begin <= to && begin + 86400 * KMA_NS_PER_S > from;
}

static bool has_time(const struct kma_history_walk *walk, size_t i)
{
	uint64_t time = walk->history->samples[i].time;

	return time >= walk->from && time <= walk->to;
}

struct kma_err *kma_history_walk_begin(struct kma_history *history, uint64_t from, uint64_t to,
				       size_t max, struct kma_history_walk *ret)
{
	*ret = (struct kma_history_walk){ .history = history, .from = from, .to = to, .max = max };
	for (size_t d = 0; d < history->nr_days; d++) {
		struct kma_err *err;

		if (!kma_history_in(history->days[d], from, to))
			continue;
		err = kma_history_visit(history, d);
		if (err)
			return err;
		for (size_t i = 0; i < history->nr_samples; i++)
			ret->nr += has_time(ret, i);
	}
	return NULL;
}

/* Takes every nr / max-th sample, and always the last one. */
static bool takes(struct kma_history_walk *walk)
{
	size_t before = walk->seen++;

	return !walk->max || walk->nr <= walk->max ||
	       before * walk->max / walk->nr != walk->seen * walk->max / walk->nr;
}

/* Reads the next sample of the current day that can be decoded. *ret is NULL at its end. */
static struct kma_err *next_of_day(struct kma_history_walk *walk, struct kma_account **ret)
{
	struct kma_history *history = walk->history;
	struct kma_err *err;

	for (*ret = NULL; walk->next < history->nr_samples && !*ret;) {
		size_t i = walk->next++;

		if (!has_time(walk, i) || !takes(walk))
			continue;
		if (walk->looked++ % KMA_DAY_KEY == 0) {
			err = kma_day_hold(history->day);
			if (err)
				return err;
		}
		err = history_read(history, i, ret);
		if (!err)
			continue;
		*ret = NULL;
		if (!kma_err_is_of_file(err))
			return err;
		if (!walk->broken++)
			walk->why = kma_err_text(err);
		kma_err_destroy(err);
	}
	return NULL;
}

void kma_history_walk_end(struct kma_history_walk *walk)
{
	struct kma_history *history = walk->history;

	if (history)
		kma_day_release(history->day);
	if (walk->broken) {
		kma_notes_add(&history->damage,
			      "%s; %zu of %zu samples that were read of this day %s left out",
			      walk->why, walk->broken, walk->looked,
			      kma_plural(walk->broken, "is", "are"));
		history->nr_damaged++;
	}
	free(walk->why);
	walk->why = NULL;
	walk->broken = walk->looked = walk->next = 0;
}

struct kma_err *kma_history_walk_next(struct kma_history_walk *walk, struct kma_account **ret)
{
	struct kma_history *history = walk->history;

	for (*ret = NULL; walk->day < history->nr_days; walk->day++) {
		struct kma_err *err;

		if (!kma_history_in(history->days[walk->day], walk->from, walk->to))
			continue;
		err = kma_history_visit(history, walk->day);
		if (!err)
			err = next_of_day(walk, ret);
		walk->taken += *ret != NULL;
		if (err || *ret)
			return err;
		kma_history_walk_end(walk);
	}
	if (walk->taken)
		return NULL;
	return walk->nr ? kma_err_create_kind(KMA_ERR_DAMAGED, history->path, 0,
					      "no sample in that interval can be read") :
			  history_none(history, "in that interval");
}

static struct kma_err *history_pack_day(struct kma_history *history, size_t i,
					struct kma_strbuf *out)
{
	_cleanup_free_ char *path = kma_history_file(history, history->days[i]);
	unsigned char *image;
	struct kma_err *err;
	size_t len;

	err = kma_day_image(path, &image, &len);
	if (err || !len)
		return err;
	kma_pack_add(history->days[i], image, len, out);
	sqlite3_free(image);
	return NULL;
}

struct kma_err *kma_history_pack(const char *path, struct kma_strbuf *out, uint64_t *newest,
				 struct kma_notes *damage)
{
	struct kma_history *history;
	uint64_t from, oldest, day = 86400 * KMA_NS_PER_S;
	struct kma_err *err;
	size_t nr;

	err = kma_history_open(path, &history);
	if (err)
		return err;
	err = kma_history_span(history, &oldest, newest, &nr);
	from = *newest > day ? *newest - day : 0;
	if (!err && !nr)
		err = history_empty(history);
	kma_pack_begin(out);
	for (size_t i = 0; i < history->nr_days && !err; i++)
		if (kma_history_in(history->days[i], from, *newest) && !history->lost[i])
			err = history_pack_day(history, i, out);
	kma_notes_move(&history->damage, damage);
	kma_history_close(history);
	return err;
}
