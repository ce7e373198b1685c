// SPDX-License-Identifier: GPL-2.0-only
/*
 * filter.c - make an account of some call sites of another one.
 */
#include <inttypes.h>
#include <string.h>

#include "filter.h"
#include "groups.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "lib/strbuf.h"
#include "stacks.h"

/* Sites of unknown kind, which may or may not match. */
struct kma_unknown {
	size_t nr;
	struct kma_values sum;
};

void kma_account_copy_head(const struct kma_account *from, struct kma_account *to)
{
	const char *key, *value;
	uint64_t events;

	kma_account_set_metrics(to, kma_account_metrics(from));
	for (unsigned int id = 0; id < KMA_NR_LOSSES; id++)
		if (kma_account_loss(from, id, &events))
			kma_account_set_loss(to, id, events);
	for (size_t i = 0; (key = kma_account_note_at(from, i, &value)); i++)
		kma_account_put_note(to, key, value);
}

struct kma_err *kma_account_copy_site(const struct kma_site *site, struct kma_account *to)
{
	struct kma_err *err;

	err = kma_account_add_site(to, site->caller, strlen(site->caller), &site->values);
	if (err)
		return err;
	kma_account_set_place(to, site->kind, site->path);
	if (site->build_id)
		kma_account_set_image(to, site->build_id, site->text, site->in_init);
	if (site->cache)
		kma_account_set_cache(to, site->cache, site->caches);
	if (site->group)
		kma_account_set_group(to, site->grouped, site->group);
	if (site->named)
		kma_account_set_named(to);
	return NULL;
}

/* Copy the stacks of the sites that are kept. @numbers: the new index of each site. */
static void keep_stacks(const struct kma_account *from, const bool *keep, const size_t *numbers,
			struct kma_account *to)
{
	const struct kma_stacks *all = kma_account_stacks(from);
	const struct kma_callstack *list;
	struct kma_stacks *part;
	size_t nr;

	if (!all)
		return;
	part = kma_stacks_create();
	kma_account_set_stacks(to, part);
	list = kma_stacks_all(all, &nr);
	for (size_t i = 0; i < nr; i++)
		if (keep[list[i].site])
			kma_stacks_copy(part, numbers[list[i].site], all, &list[i]);
}

/* The same for their groups of one kind. */
static void keep_groups(const struct kma_account *from, enum kma_grouped by, const bool *keep,
			const size_t *numbers, struct kma_account *to)
{
	_cleanup_free_ uint32_t *names = NULL; /* number of each group in the new set, plus 1 */
	const struct kma_groups *all = kma_account_groups(from, by);
	const struct kma_group_part *parts;
	struct kma_groups *some;
	uint32_t most = 0;
	size_t nr;

	if (!all)
		return;
	kma_groups_create(&some);
	kma_account_set_groups(to, by, some);
	kma_groups_set_more(some, kma_groups_more(all));
	parts = kma_groups_parts(all, &nr);
	for (size_t i = 0; i < nr; i++)
		most = parts[i].group > most ? parts[i].group : most;
	names = kma_xcalloc(most + 1, sizeof(*names));
	for (size_t i = 0; i < nr; i++) {
		uint32_t *name = &names[parts[i].group];

		if (!keep[parts[i].site])
			continue;
		if (!*name) {
			kma_groups_name_add(some, kma_groups_name(all, parts[i].group), name);
			++*name;
		}
		kma_groups_add(some, numbers[parts[i].site], *name - 1, &parts[i].values);
	}
}

struct kma_err *kma_account_part(const struct kma_account *account, const bool *keep,
				 struct kma_account **ret)
{
	struct kma_account *part = kma_account_create(kma_account_name(account));
	_cleanup_free_ size_t *numbers = NULL;
	const struct kma_site *sites;
	size_t nr, added = 0;

	kma_account_copy_head(account, part);
	sites = kma_account_sites(account, &nr);
	numbers = kma_xcalloc(nr + 1, sizeof(*numbers));
	for (size_t i = 0; i < nr; i++) {
		struct kma_err *err = NULL;

		numbers[i] = added;
		added += keep[i];
		if (keep[i])
			err = kma_account_add_known(part, account, i, &sites[i].values);
		if (err) {
			kma_account_destroy(part);
			return err;
		}
	}
	keep_stacks(account, keep, numbers, part);
	for (enum kma_grouped by = KMA_GROUPED_NOT + 1; by < KMA_NR_GROUPED; by++)
		keep_groups(account, by, keep, numbers, part);
	*ret = part;
	return NULL;
}

/* The set of kinds that the sites of an account have. */
static unsigned int filter_kinds(const struct kma_account *account)
{
	const struct kma_site *sites;
	unsigned int kinds = 0;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++)
		kinds |= 1U << sites[i].kind;
	return kinds;
}

static void filter_names(unsigned int kinds, struct kma_strbuf *names)
{
	for (unsigned int kind = 0; kind < KMA_NR_KINDS; kind++)
		if (kinds & 1U << kind)
			kma_strbuf_printf(names, "%s%s", names->len ? ", " : "",
					  kma_kind_names[kind]);
}

/*
 * An account without any site of a selected kind is an error, not an empty report: the kind may not
 * have been recorded. An account without any site passes.
 */
static struct kma_err *filter_check(const struct kma_account *account, unsigned int kinds)
{
	_cleanup_strbuf_ struct kma_strbuf wanted = { 0 };
	_cleanup_strbuf_ struct kma_strbuf there = { 0 };
	unsigned int have = filter_kinds(account);
	size_t nr;

	kma_account_sites(account, &nr);
	if (!nr)
		return NULL;
	if (have == 1U << KMA_KIND_UNKNOWN)
		return kma_err_create(
			kma_account_name(account), 0,
			"cannot filter by kind: the input does not record how its call sites allocate");
	if (!kinds || kinds & have)
		return NULL;
	filter_names(kinds, &wanted);
	filter_names(have & ~(1U << KMA_KIND_UNKNOWN), &there);
	return kma_err_create_kind(KMA_ERR_NOT_FOUND, kma_account_name(account), 0,
				   "no call site of kind %s in this input (available: %s)",
				   wanted.str ?: "?", there.str ?: "?");
}

static void filter_warn(struct kma_account *account, const struct kma_unknown *unknown)
{
	unsigned int have = kma_account_metrics(account);
	const struct kma_metric *metric = &kma_metrics[have ? __builtin_ctz(have) : 0];

	if (!unknown->nr)
		return;
	kma_account_warn(account,
			 "%zu call site%s of unknown kind, with %" PRIu64 " %s, %s left out",
			 unknown->nr, kma_plural(unknown->nr, "", "s"), metric->get(&unknown->sum),
			 metric->what, kma_plural(unknown->nr, "is", "are"));
}

struct kma_err *kma_account_filter(const struct kma_account *account, unsigned int kinds,
				   struct kma_account **ret)
{
	struct kma_unknown unknown = { 0 };
	_cleanup_free_ bool *keep = NULL;
	const struct kma_site *sites;
	struct kma_err *err;
	size_t nr;

	err = filter_check(account, kinds);
	if (err)
		return err;
	sites = kma_account_sites(account, &nr);
	keep = kma_xcalloc(nr + 1, sizeof(*keep));
	for (size_t i = 0; i < nr; i++) {
		keep[i] = kinds >> sites[i].kind & 1;
		if (keep[i] || sites[i].kind != KMA_KIND_UNKNOWN)
			continue;
		unknown.nr++;
		kma_values_add(&unknown.sum, &sites[i].values);
	}
	err = kma_account_part(account, keep, ret);
	if (err)
		return err;
	filter_warn(*ret, &unknown);
	err = kma_account_finish(*ret);
	if (err)
		kma_account_destroy(*ret);
	return err;
}
