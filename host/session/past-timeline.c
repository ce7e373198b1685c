// SPDX-License-Identifier: GPL-2.0-only
/*
 * past-timeline.c - live bytes of each call site of a history folder, over time.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "model/filter.h"
#include "model/intern.h"
#include "model/moment.h"
#include "past-timeline.h"
#include "past.h"

/* Bytes by number of the site; sites that came later have none. */
struct kma_past_point {
	uint64_t *bytes;
	uint32_t nr;
	uint64_t ns;
};

struct kma_past_timeline {
	const char *path;
	struct kma_account *account;
	struct kma_intern *intern; /* numbers of the sites */
	uint32_t *rows;		   /* those of the account's sites */
	struct kma_past_point *points;
	size_t nr, room;
};

/* The number of a site; a new one is added to the account. */
static struct kma_err *kma_past_timeline_site(struct kma_past_timeline *t,
					      const struct kma_site *site, uint32_t *ret)
{
	uint32_t known = kma_intern_count(t->intern);

	*ret = kma_intern(t->intern, site->kind, site->caller, strlen(site->caller));
	/* there are a million, or memory is out: their bytes must not get lost */
	if (*ret == KMA_INTERN_REST)
		return kma_err_create(t->path, 0,
				      "too many call sites for a timeline; give --from and --to");
	return *ret < known ? NULL : kma_account_copy_site(site, t->account);
}

static struct kma_err *kma_past_timeline_fill(struct kma_past_timeline *t,
					      const struct kma_account *account,
					      struct kma_past_point *point)
{
	const struct kma_site *sites;
	struct kma_err *err = NULL;
	uint32_t site;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr && !err; i++)
		err = kma_past_timeline_site(t, &sites[i], &site);
	if (err)
		return err;
	point->nr = kma_intern_count(t->intern);
	point->bytes = calloc(point->nr + 1, sizeof(*point->bytes));
	if (!point->bytes)
		return &kma_enomem;
	for (size_t i = 0; i < nr && !err; i++) {
		err = kma_past_timeline_site(t, &sites[i], &site);
		if (!err)
			point->bytes[site] += sites[i].values.current;
	}
	return err;
}

/* One sample of the history. */
static struct kma_err *kma_past_timeline_take(void *arg, struct kma_account *account)
{
	struct kma_past_timeline *t = arg;
	struct kma_past_point *point;
	struct kma_moment moment;
	struct kma_err *err = NULL;

	if (!t->account) {
		err = kma_account_create(t->path, &t->account);
		if (!err)
			err = kma_account_copy_head(account, t->account);
	}
	if (!err && !kma_array_room(t->points, t->nr, t->room))
		err = &kma_enomem;
	if (!err) {
		point = &t->points[t->nr++];
		*point = (struct kma_past_point){ .ns = t->nr > 1 ? point[-1].ns : 0 };
		/* a clock that was set back does not move the chart back */
		if (kma_moment_of(account, &moment) && moment.time > point->ns)
			point->ns = moment.time;
		err = kma_past_timeline_fill(t, account, point);
	}
	kma_account_destroy(account);
	return err;
}

/* The account may have its sites in another order than that of their numbers. */
static struct kma_err *kma_past_timeline_finish(struct kma_past_timeline *t)
{
	const struct kma_site *sites;
	struct kma_err *err = kma_account_finish(t->account);
	size_t nr;

	if (err)
		return err;
	sites = kma_account_sites(t->account, &nr);
	t->rows = calloc(nr + 1, sizeof(*t->rows));
	if (!t->rows)
		return &kma_enomem;
	for (size_t i = 0; i < nr && !err; i++)
		err = kma_past_timeline_site(t, &sites[i], &t->rows[i]);
	return err;
}

struct kma_err *kma_past_timeline_read(const char *path, const char *from, const char *to,
				       unsigned long points, struct kma_past_timeline **ret)
{
	struct kma_past_timeline *t = calloc(1, sizeof(*t));
	struct kma_err *err;

	if (!t)
		return &kma_enomem;
	t->path = path;
	err = kma_intern_create(&t->intern);
	if (!err)
		err = kma_past_each(path, from, to, points, kma_past_timeline_take, t);
	if (!err)
		err = kma_past_timeline_finish(t);
	if (err) {
		kma_past_timeline_destroy(t);
		return err;
	}
	*ret = t;
	return NULL;
}

void kma_past_timeline_destroy(struct kma_past_timeline *timeline)
{
	if (!timeline)
		return;
	for (size_t i = 0; i < timeline->nr; i++)
		free(timeline->points[i].bytes);
	free(timeline->points);
	free(timeline->rows);
	kma_account_destroy(timeline->account);
	kma_intern_destroy(timeline->intern);
	free(timeline);
}

struct kma_account *kma_past_timeline_account(struct kma_past_timeline *timeline)
{
	struct kma_account *account = timeline->account;

	timeline->account = NULL;
	return account;
}

size_t kma_past_timeline_points(const struct kma_past_timeline *timeline)
{
	return timeline->nr;
}

uint64_t kma_past_timeline_ns(const struct kma_past_timeline *timeline, size_t point)
{
	return timeline->points[point].ns;
}

uint64_t kma_past_timeline_bytes(const struct kma_past_timeline *timeline, size_t point, size_t row)
{
	const struct kma_past_point *at = &timeline->points[point];
	uint32_t site = timeline->rows[row];

	return site < at->nr ? at->bytes[site] : 0;
}
