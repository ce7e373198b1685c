// SPDX-License-Identifier: GPL-2.0-only
/*
 * past.c - read accounts from a history directory.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "db/snapshot.h"
#include "history/near.h"
#include "history/when.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "lib/plural.h"
#include "model/groups.h"
#include "model/regroup.h"
#include "past.h"

#define KMA_PAST_SECOND 1000000000ULL
#define KMA_PAST_DAY	(86400 * KMA_PAST_SECOND)

uint64_t kma_past_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * KMA_PAST_SECOND + ts.tv_nsec;
}

static int kma_past_compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Write the times of the nearest samples before and after a time that can be read. */
static struct kma_err *kma_past_nearest(struct kma_history *history, uint64_t time,
					struct kma_strbuf *out)
{
	char earlier[KMA_WHEN_LEN], later[KMA_WHEN_LEN];
	uint64_t before, after;
	struct kma_err *err = kma_near_find(history, time, &before, &after);

	if (err)
		return err;
	kma_when_text(before, earlier);
	kma_when_text(after, later);
	if (before && after)
		kma_strbuf_printf(out, "; the nearest samples that can be read are of %s and of %s",
				  earlier, later);
	else if (before || after)
		kma_strbuf_printf(out, "; the nearest sample that can be read is of %s",
				  before ? earlier : later);
	return NULL;
}

/* Make an error about a sample that cannot be read name the nearest ones that can. */
static struct kma_err *kma_past_damaged(struct kma_history *history, uint64_t time,
					struct kma_err *damage)
{
	_cleanup_strbuf_ struct kma_strbuf near = { 0 };
	struct kma_err *err = kma_past_nearest(history, time, &near);

	/* Without another sample the first error stands. */
	kma_err_destroy(err);
	if (!near.len)
		return damage;
	err = kma_err_create_kind(damage->kind, damage->file, damage->line, "%s%s", damage->message,
				  near.str);
	kma_err_destroy(damage);
	return err;
}

struct kma_err *kma_past_load_at(const char *path, uint64_t time, struct kma_account **ret)
{
	struct kma_history *history;
	struct kma_err *err = kma_history_open(path, &history);

	if (err)
		return err;
	history->groups = true;
	err = kma_history_at(history, time, ret);
	if (kma_err_is_of_file(err))
		err = kma_past_damaged(history, time, err);
	kma_history_close(history);
	return err;
}

struct kma_err *kma_past_load(const char *path, const char *when, struct kma_account **ret)
{
	uint64_t time = UINT64_MAX;
	struct kma_err *err = when ? kma_when_parse(when, kma_past_now(), &time) : NULL;

	return err ?: kma_past_load_at(path, when ? kma_when_end(time) : time, ret);
}

/* Passes the rows by group of each sample to the caller's function. */
struct kma_past_grouped {
	enum kma_grouped by;
	struct kma_err *(*fn)(void *arg, struct kma_account *account);
	void *arg;
	size_t nr, left_out; /* number of samples, and of those that have no such groups */
};

static struct kma_err *kma_past_regroup(void *arg, struct kma_account *account)
{
	struct kma_past_grouped *grouped = arg;
	struct kma_account *rows = NULL;
	struct kma_err *err = NULL;

	grouped->nr++;
	if (!kma_account_groups(account, grouped->by))
		grouped->left_out++;
	else
		err = kma_regroup(account, grouped->by, &rows);
	kma_account_destroy(account);
	return err || !rows ? err : grouped->fn(grouped->arg, rows);
}

struct kma_err *kma_past_without(const char *path, enum kma_grouped by)
{
	const char *name = kma_grouped_names[by];

	return kma_err_create_kind(
		KMA_ERR_NOT_FOUND, path, 0,
		"no %ss in this history; write '%s on' to /proc/kmem_account while kmem-account watch runs",
		name, name);
}

struct kma_err *kma_past_refuse_sample(const char *name, const char *why)
{
	struct kma_db_ref ref;
	struct kma_err *err = kma_db_ref_parse(name, &ref);

	if (!err && ref.label && kma_history_has(ref.path))
		err = kma_err_create_kind(KMA_ERR_USAGE, name, 0,
					  "this is one sample of a history, and %s; use '%s'", why,
					  ref.path);
	kma_db_ref_deinit(&ref);
	return err;
}

struct kma_err *kma_past_refuse_interval(const char *name)
{
	struct kma_db_ref ref;
	struct kma_err *err;

	err = kma_history_refuse(name) ?: kma_past_refuse_sample(name, KMA_PAST_CHOOSES);
	if (err)
		return err;
	err = kma_db_ref_parse(name, &ref);
	if (!err && strcmp(ref.path, "-") && access(ref.path, F_OK))
		err = kma_err_create_kind(KMA_ERR_NOT_READABLE, ref.path, 0, "cannot open: %s",
					  strerror(errno));
	kma_db_ref_deinit(&ref);
	return err;
}

/* Check if a name is that of a history, or of a sample in one. */
static bool kma_past_is_history(const struct kma_db_ref *ref)
{
	return kma_history_is(ref->path) || (ref->label && kma_history_has(ref->path));
}

struct kma_err *kma_past_refuse_live(const char *name)
{
	struct kma_db_ref ref;
	struct kma_err *err = kma_db_ref_parse(name, &ref);

	if (!err && kma_past_is_history(&ref))
		err = kma_err_create_kind(
			KMA_ERR_USAGE, name, 0,
			"a history, whose samples do not change; use an account that changes, such as /sys/kernel/debug/kmem_account/snapshot");
	else if (!err)
		err = kma_history_refuse(ref.path);
	kma_db_ref_deinit(&ref);
	return err;
}

struct kma_err *kma_past_refuse_log(const char *name)
{
	struct kma_db_ref ref;
	struct kma_err *err = kma_db_ref_parse(name, &ref);

	if (!err && kma_past_is_history(&ref))
		err = kma_err_create_kind(
			KMA_ERR_OTHER_FORMAT, name, 0,
			"a history, which has no single events; use an event log of 'kmem-account record'");
	else if (!err && kma_file_is_dir(name))
		err = kma_err_create_kind(
			KMA_ERR_OTHER_FORMAT, name, 0,
			"a directory; use an event log, a file that 'kmem-account record' writes");
	kma_db_ref_deinit(&ref);
	return err;
}

static struct kma_err *kma_past_each_grouped(struct kma_history *history, uint64_t begin,
					     uint64_t end, size_t max,
					     struct kma_past_grouped *grouped)
{
	const char *name = kma_grouped_names[grouped->by];
	struct kma_err *err = kma_history_each(history, begin, end, max, kma_past_regroup, grouped);

	if (!err && grouped->nr == grouped->left_out)
		return kma_past_without(history->path, grouped->by);
	if (!err && grouped->left_out)
		kma_notes_add(&history->damage, "%s: %zu of %zu samples %s no %ss, and %s left out",
			      history->path, grouped->left_out, grouped->nr,
			      kma_plural(grouped->left_out, "has", "have"), name,
			      kma_plural(grouped->left_out, "is", "are"));
	return err;
}

static struct kma_err *kma_past_interval(const struct kma_past_wish *wish, uint64_t newest,
					 uint64_t *begin, uint64_t *end)
{
	uint64_t now = kma_past_now();
	struct kma_err *err = NULL;

	*begin = 0;
	*end = UINT64_MAX;
	if (wish->from)
		err = kma_when_parse(wish->from, now, begin);
	else if (newest > KMA_PAST_DAY)
		*begin = newest - KMA_PAST_DAY;
	if (!err && wish->to)
		err = kma_when_parse(wish->to, now, end);
	if (err)
		return err;
	if (*begin < *end) {
		*end = wish->to ? kma_when_end(*end) : *end;
		return NULL;
	}
	return kma_err_create_kind(
		KMA_ERR_USAGE, NULL, 0, "%s",
		wish->from ? "--to is not after --from" :
			     "--to is a day or more before the newest sample; give --from, too");
}

/* Returns the usual time between two samples: the median, without samples of one time. */
static uint64_t kma_past_usual(const uint64_t *times, size_t nr, uint64_t *steps)
{
	size_t nr_steps = 0;

	for (size_t i = 1; i < nr; i++)
		if (times[i] != times[i - 1])
			steps[nr_steps++] = times[i] - times[i - 1];
	if (!nr_steps)
		return 0;
	qsort(steps, nr_steps, sizeof(*steps), kma_past_compare);
	return steps[nr_steps / 2];
}

/* Finds the ends of an interval in the sorted times of all samples. */
static struct kma_err *kma_past_find(const struct kma_past_wish *wish, const uint64_t *times,
				     size_t nr, struct kma_past_ends *ret)
{
	char oldest[KMA_WHEN_LEN], newest[KMA_WHEN_LEN];
	struct kma_err *err = kma_past_interval(wish, times[nr - 1], &ret->begin, &ret->end);
	size_t first = 0, after = nr;

	if (err)
		return err;
	while (first < nr && times[first] < ret->begin)
		first++;
	while (after > first && times[after - 1] > ret->end)
		after--;
	if (first < after && times[first] < times[after - 1]) {
		ret->first = times[first];
		ret->last = times[after - 1];
		return NULL;
	}
	kma_when_text(times[0], oldest);
	kma_when_text(times[nr - 1], newest);
	return kma_err_create_kind(KMA_ERR_NOT_FOUND, wish->path, 0,
				   "%s in that interval; the samples are from %s to %s",
				   first < after ? "only one sample" : "no sample", oldest, newest);
}

/* Adds a sentence about a time far from the samples, unless it is the default or "newest". */
static void kma_past_far(const struct kma_past_wish *wish, const char *option, const char *typed,
			 uint64_t sample, struct kma_notes *notes)
{
	char when[KMA_WHEN_LEN];

	if (!typed || !strcmp(typed, KMA_WHEN_NEWEST))
		return;
	kma_when_text(sample, when);
	kma_notes_add(notes, "%s: no sample near %s %s; the nearest one in the interval is of %s",
		      wish->path, option, typed, when);
}

static struct kma_err *kma_past_ends_of(const struct kma_past_wish *wish, uint64_t *times,
					size_t nr, struct kma_past_ends *ret,
					struct kma_notes *notes)
{
	_cleanup_free_ uint64_t *steps = calloc(nr, sizeof(*steps));
	struct kma_err *err = steps ? NULL : &kma_enomem;
	uint64_t near;

	if (err)
		return err;
	qsort(times, nr, sizeof(*times), kma_past_compare);
	err = kma_past_find(wish, times, nr, ret);
	if (err)
		return err;
	near = kma_past_usual(times, nr, steps) * 5 / 2;
	if (ret->first - ret->begin > near)
		kma_past_far(wish, "--from", wish->from, ret->first, notes);
	if (ret->end - ret->last > near)
		kma_past_far(wish, "--to", wish->to, ret->last, notes);
	return NULL;
}

/*
 * Counts the days that cannot be read and may have an earlier first or a later last sample. An
 * interval without --from begins a day before the newest sample, which a lost day may have, too.
 */
static size_t kma_past_lost(const struct kma_past_wish *wish, const struct kma_history *history,
			    const struct kma_past_ends *ends)
{
	uint64_t end = wish->from ? ends->end : UINT64_MAX;
	size_t nr = 0;

	for (size_t i = 0; i < history->nr_days; i++) {
		const char *day = history->days[i];

		nr += history->lost[i] && (kma_history_in(day, ends->begin, ends->first - 1) ||
					   kma_history_in(day, ends->last + 1, end));
	}
	return nr;
}

struct kma_err *kma_past_ends(const struct kma_past_wish *wish, struct kma_past_ends *ret,
			      struct kma_notes *notes)
{
	_cleanup_free_ uint64_t *times = NULL;
	struct kma_history *history;
	struct kma_err *err = kma_history_open(wish->path, &history);
	size_t nr;

	if (err)
		return err;
	err = kma_history_times(history, &times, &nr);
	kma_notes_move(&history->damage, notes);
	if (!err)
		err = kma_past_ends_of(wish, times, nr, ret, notes);
	if (!err)
		ret->damaged = kma_past_lost(wish, history, ret);
	kma_history_close(history);
	return err;
}

struct kma_err *kma_past_each(const struct kma_past_wish *wish,
			      struct kma_err *(*fn)(void *arg, struct kma_account *account),
			      void *arg, struct kma_notes *damage)
{
	struct kma_past_grouped grouped = { .by = wish->groups, .fn = fn, .arg = arg };
	uint64_t begin, end, oldest, newest;
	struct kma_history *history;
	struct kma_err *err;
	size_t nr;

	if (wish->groups == KMA_GROUPED_TASK)
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, wish->path, 0,
			"a history has no tasks; --by task needs an event log of 'kmem-account record'");
	err = kma_history_open(wish->path, &history);
	if (err)
		return err;
	history->groups = wish->groups || wish->with_groups;
	history->need = wish->need;
	err = kma_history_span(history, &oldest, &newest, &nr);
	if (!err)
		err = kma_past_interval(wish, newest, &begin, &end);
	if (!err && wish->groups)
		err = kma_past_each_grouped(history, begin, end, wish->max, &grouped);
	else if (!err)
		err = kma_history_each(history, begin, end, wish->max, fn, arg);
	if (wish->damaged)
		*wish->damaged += history->nr_damaged;
	kma_notes_move(&history->damage, damage);
	kma_history_close(history);
	return err;
}
