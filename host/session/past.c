// SPDX-License-Identifier: GPL-2.0-only
/*
 * past.c - accounts out of a history folder.
 */
#include <time.h>

#include "history/when.h"
#include "past.h"

#define KMA_PAST_SECOND 1000000000ULL
#define KMA_PAST_DAY	(86400 * KMA_PAST_SECOND)

uint64_t kma_past_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return ts.tv_sec * KMA_PAST_SECOND + ts.tv_nsec;
}

struct kma_err *kma_past_load(const char *path, const char *when, struct kma_account **ret)
{
	uint64_t time = UINT64_MAX;
	struct kma_history *history;
	struct kma_err *err = when ? kma_when_parse(when, kma_past_now(), &time) : NULL;

	if (!err)
		err = kma_history_open(path, &history);
	if (err)
		return err;
	err = kma_history_at(history, time, ret);
	kma_history_close(history);
	return err;
}

struct kma_err *kma_past_no_groups(const char *path, enum kma_grouped by)
{
	static const char *const groups[KMA_NR_GROUPED] = {
		[KMA_GROUPED_NOT] = "groups",
		[KMA_GROUPED_CGROUP] = "cgroups",
		[KMA_GROUPED_NODE] = "NUMA nodes",
		[KMA_GROUPED_TASK] = "tasks",
	};

	return kma_err_create_kind(
		KMA_ERR_NOT_FOUND, path, 0,
		"a history does not keep %s; use snapshots of the module, or an event log",
		groups[by]);
}

struct kma_err *kma_past_each(const char *path, const char *from, const char *to, size_t max,
			      struct kma_err *(*fn)(void *arg, struct kma_account *account),
			      void *arg, struct kma_notes *damage)
{
	uint64_t begin = 0, end = UINT64_MAX, oldest, newest, now = kma_past_now();
	struct kma_history *history;
	struct kma_err *err;
	size_t nr;

	err = kma_history_open(path, &history);
	if (err)
		return err;
	err = kma_history_span(history, &oldest, &newest, &nr);
	if (!err && from)
		err = kma_when_parse(from, now, &begin);
	else if (!err && newest > KMA_PAST_DAY)
		begin = newest - KMA_PAST_DAY;
	if (!err && to)
		err = kma_when_parse(to, now, &end);
	if (!err && begin >= end && !from)
		err = kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"--to is a day or more before the newest sample; give --from, too");
	else if (!err && begin >= end)
		err = kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "--to is not after --from");
	if (!err)
		err = kma_history_each(history, begin, end, max, fn, arg);
	kma_notes_move(&history->damage, damage);
	kma_history_close(history);
	return err;
}
