// SPDX-License-Identifier: GPL-2.0-only
/*
 * regroup.c - convert between an account by call site, and one by call site and group.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"
#include "groups.h"
#include "intern.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "regroup.h"

#define KMA_GROUPS_METRICS                                                              \
	(1U << KMA_CURRENT | 1U << KMA_REQUESTED | 1U << KMA_WASTE | 1U << KMA_ALLOCS | \
	 1U << KMA_FREES | 1U << KMA_OBJECTS)

/* Messages for an input that has no groups of the kind. */
static const char *const grouped_absent[KMA_NR_GROUPED] = {
	[KMA_GROUPED_CGROUP] =
		"no cgroups in this input; write 'cgroup on' to /proc/kmem_account, then read /sys/kernel/debug/kmem_account/snapshot; or use an event log of 'kmem-account record'",
	[KMA_GROUPED_NODE] =
		"no NUMA nodes in this input; write 'node on' to /proc/kmem_account, then read /sys/kernel/debug/kmem_account/snapshot",
	[KMA_GROUPED_TASK] =
		"no tasks in this input; --by task needs an event log of 'kmem-account record', or a log of ftrace, trace-cmd or perf",
	[KMA_GROUPED_ROOT] =
		"no roots in this input; --by root needs a file of 'kmem-account scan'",
};

/* Add a row, with those numbers that tables of groups have. */
static struct kma_err *regroup_row(struct kma_account *to, const struct kma_account *account,
				   size_t site, enum kma_grouped by, const char *group,
				   const struct kma_values *values)
{
	const struct kma_values some = { .current = values->current,
					 .req = values->req,
					 .waste = values->waste,
					 .allocs = values->allocs,
					 .frees = values->frees,
					 .objects = values->objects,
					 .charged = values->charged,
					 .retained = values->retained };

	return kma_account_add_part(to, account, site, &some, by, group);
}

/*
 * Warn if the groups do not add up to the account. While a program reads the tables, the kernel
 * counts on, so a difference of up to 1 % is not an error.
 */
static void regroup_check(const struct kma_account *account, enum kma_grouped by, uint64_t live,
			  struct kma_account *to)
{
	uint64_t total = kma_account_total(account)->current;
	uint64_t apart = total > live ? total - live : live - total;

	if (apart <= total / 100)
		return;
	kma_account_warn(to,
			 "the %ss add up to %" PRIu64 " live bytes, but the account has %" PRIu64
			 "; read the snapshot again",
			 kma_grouped_names[by], live, total);
}

/* Add a row for each part, and one for each call site without parts. */
static struct kma_err *regroup_all(const struct kma_account *account, enum kma_grouped by,
				   struct kma_account *to)
{
	_cleanup_free_ bool *has = NULL;
	const struct kma_groups *groups = kma_account_groups(account, by);
	const struct kma_group_part *parts;
	const struct kma_site *sites;
	struct kma_err *err = NULL;
	size_t nr, nr_parts;
	uint64_t live = 0;

	sites = kma_account_sites(account, &nr);
	parts = kma_groups_parts(groups, &nr_parts);
	has = kma_xcalloc(nr + 1, sizeof(*has));
	for (size_t i = 0; i < nr_parts; i++) {
		const struct kma_group_part *part = &parts[i];

		has[part->site] = true;
		live += part->values.current;
		err = regroup_row(to, account, part->site, by, kma_groups_name(groups, part->group),
				  &part->values);
		if (err)
			return err;
	}
	for (size_t i = 0; i < nr; i++) {
		if (has[i])
			continue;
		live += sites[i].values.current;
		err = regroup_row(to, account, i, by, KMA_GROUP_NONE, &sites[i].values);
		if (err)
			return err;
	}
	regroup_check(account, by, live, to);
	return NULL;
}

/* Are the rows of the account pairs of call site and group already? */
static bool regroup_is_done(const struct kma_account *account, enum kma_grouped by)
{
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	/* A log without call sites counts as one that is by task. */
	return nr ? sites[0].grouped == by : by == KMA_GROUPED_TASK;
}

struct kma_err *kma_regroup(const struct kma_account *account, enum kma_grouped by,
			    struct kma_account **ret)
{
	_cleanup_account_ struct kma_account *to = NULL;
	struct kma_err *err;

	*ret = NULL;
	if (regroup_is_done(account, by))
		return NULL;
	if (!kma_account_groups(account, by))
		return kma_err_create_kind(KMA_ERR_NOT_FOUND, kma_account_name(account), 0, "%s",
					   grouped_absent[by]);
	to = kma_account_create(kma_account_name(account));
	kma_account_copy_head(account, to);
	err = regroup_all(account, by, to) ?: kma_account_finish(to);
	if (err)
		return err;
	kma_account_set_metrics(to, (kma_account_metrics(to) & KMA_GROUPS_METRICS) |
					    kma_groups_more(kma_account_groups(account, by)));
	*ret = to;
	to = NULL;
	return NULL;
}

/* Compares two call sites by what tells them apart. */
static int ungroup_compare(const void *one, const void *other)
{
	const struct kma_site *a = *(const struct kma_site *const *)one;
	const struct kma_site *b = *(const struct kma_site *const *)other;
	int order = strcmp(a->caller, b->caller);

	if (!order)
		order = strcmp(a->build_id ?: "-", b->build_id ?: "-");
	if (!order)
		order = (a->text > b->text) - (a->text < b->text);
	if (!order)
		order = a->in_init - b->in_init;
	return order ? order : (int)a->kind - (int)b->kind;
}

/* The rows in the order of their call sites; those of a site in the order of the account. */
static int ungroup_order(const void *one, const void *other)
{
	const struct kma_site *a = *(const struct kma_site *const *)one;
	const struct kma_site *b = *(const struct kma_site *const *)other;

	return ungroup_compare(one, other) ?: (a > b) - (a < b);
}

static const struct kma_site **ungroup_sort(const struct kma_site *sites, size_t nr)
{
	const struct kma_site **sorted = kma_xcalloc(nr + 1, sizeof(*sorted));

	for (size_t i = 0; i < nr; i++)
		sorted[i] = &sites[i];
	qsort(sorted, nr, sizeof(*sorted), ungroup_order);
	return sorted;
}

/*
 * Adds a site for each set of rows that are of one call site. Sets the number of each row's site.
 */
static struct kma_err *ungroup_sites(const struct kma_account *account, size_t nr, size_t *numbers,
				     struct kma_account *to)
{
	const struct kma_site *sites = kma_account_sites(account, &nr);
	_cleanup_free_ const struct kma_site **sorted = ungroup_sort(sites, nr);
	_cleanup_free_ struct kma_values *sums = kma_xcalloc(nr + 1, sizeof(*sums));
	_cleanup_free_ bool *caches = kma_xcalloc(nr + 1, sizeof(*caches));
	size_t first = 0, added = 0;

	for (size_t i = 0; i < nr; i++) {
		size_t row = sorted[i] - sites;

		if (!i || ungroup_compare(&sorted[i - 1], &sorted[i]))
			first = row;
		numbers[row] = first;
		kma_values_add(&sums[first], &sites[row].values);
		caches[first] |= strcmp(kma_site_cache(&sites[row]) ?: "",
					kma_site_cache(&sites[first]) ?: "") != 0;
	}
	for (size_t i = 0; i < nr; i++) {
		struct kma_err *err;

		if (numbers[i] != i) {
			numbers[i] = numbers[numbers[i]];
			continue;
		}
		err = kma_account_add_part(to, account, i, &sums[i], KMA_GROUPED_NOT, NULL);
		if (err)
			return err;
		if (caches[i])
			kma_account_set_cache(to, KMA_SITE_CACHES, true);
		numbers[i] = added++;
	}
	return NULL;
}

/* Adds the rows of an account as groups of their call sites. */
static struct kma_groups *ungroup_groups(const struct kma_site *sites, size_t nr,
					 const size_t *numbers)
{
	struct kma_intern *names = kma_intern_new();
	struct kma_groups *groups;
	uint32_t none;

	kma_groups_create(&groups);
	kma_groups_name_add(groups, KMA_GROUP_NONE, &none);
	for (size_t i = 0; i < nr; i++) {
		const char *name = sites[i].group ?: KMA_GROUP_NONE;
		uint32_t known = kma_intern_count(names), group;

		group = kma_intern(names, KMA_KIND_UNKNOWN, name, strlen(name));
		/*
		 * A new name gets the next number. Number 0 is the group of names beyond the
		 * limits.
		 */
		if (group == known)
			kma_groups_name_add(groups, name, &known);
		kma_groups_add(groups, numbers[i], group, &sites[i].values);
	}
	kma_intern_destroy(names);
	return groups;
}

struct kma_err *kma_ungroup(const struct kma_account *account, struct kma_account **ret)
{
	_cleanup_free_ size_t *numbers = NULL;
	const struct kma_site *sites;
	struct kma_account *to;
	struct kma_err *err;
	size_t nr;

	*ret = NULL;
	sites = kma_account_sites(account, &nr);
	if (!nr || !sites[0].grouped)
		return NULL;
	numbers = kma_xcalloc(nr, sizeof(*numbers));
	to = kma_account_create(kma_account_name(account));
	kma_account_copy_head(account, to);
	err = ungroup_sites(account, nr, numbers, to);
	if (!err)
		err = kma_account_finish(to);
	if (err) {
		kma_account_destroy(to);
		return err;
	}
	kma_account_set_metrics(to, kma_account_metrics(account) &
					    ~(1U << KMA_PEAK | 1U << KMA_CHARGED));
	kma_account_set_groups(to, sites[0].grouped, ungroup_groups(sites, nr, numbers));
	*ret = to;
	return NULL;
}

void kma_ungroup_count(const struct kma_account *account, size_t *ret)
{
	_cleanup_free_ const struct kma_site **sorted = NULL;
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	*ret = nr;
	if (!nr || !sites[0].grouped)
		return;
	sorted = ungroup_sort(sites, nr);
	for (size_t i = 1; i < nr; i++)
		*ret -= !ungroup_compare(&sorted[i - 1], &sorted[i]);
}
