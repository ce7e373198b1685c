// SPDX-License-Identifier: GPL-2.0-only
/*
 * groupings.c - build the trees of an account by other keys than directories.
 *
 * A tree by stacks or by groups needs another account, whose rows are stacks or call sites of
 * groups (model/restack.h, model/regroup.h). All trees are made by kma_keys_tree() from a tree of
 * directories. In a page, the page's script makes the trees by module, cache and subsystem itself.
 */
#include <string.h>

#include "groupings.h"
#include "load.h"
#include "model/filter.h"
#include "model/regroup.h"
#include "model/restack.h"
#include "model/stacks.h"
#include "tree/join.h"

struct kma_err *kma_grouping_regroup(const struct kma_load_options *opts,
				     const struct kma_loaded *loaded, enum kma_grouped by,
				     struct kma_account **ret)
{
	/* Call sites that rules select have all their groups. */
	const struct kma_account *whole = loaded->whole && !opts->only.nr ? loaded->whole :
									    loaded->account;
	struct kma_account *rows;
	struct kma_err *err;

	*ret = NULL;
	err = kma_regroup(whole, by, &rows);
	if (err || !rows)
		return err;
	if (!opts->kinds) {
		*ret = rows;
		return NULL;
	}
	err = kma_account_filter(rows, opts->kinds, ret);
	kma_account_destroy(rows);
	return err;
}

/*
 * Makes the account whose rows the keys need: of stacks, or of groups. NULL: the rows of the loaded
 * account suit. With --skip or --through they are stacks already.
 */
static struct kma_err *make_account(const struct kma_load_options *opts,
				    const struct kma_loaded *loaded, const struct kma_keys *by,
				    struct kma_account **ret)
{
	static const struct kma_restack each = { .each = true };
	enum kma_grouped groups = kma_keys_groups(by);

	if (kma_keys_need(by, KMA_KEY_NEEDS_STACKS) && !opts->stacks.each)
		return kma_restack(loaded->account, &each, ret);
	return groups ? kma_grouping_regroup(opts, loaded, groups, ret) : NULL;
}

static struct kma_err *add(struct kma_groupings *groupings, const struct kma_load_options *opts,
			   const struct kma_keys *by, const struct kma_loaded *loaded)
{
	struct kma_chart_tree *tree = &groupings->trees[groupings->nr];
	struct kma_account **made = &groupings->accounts[groupings->nr];
	struct kma_resolve_stats stats = loaded->kernel.stats;
	char name[KMA_KEYS_NAME];
	struct kma_err *err;

	if (!loaded->account && (kma_keys_groups(by) || kma_keys_need(by, KMA_KEY_NEEDS_STACKS)))
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "%s: --by %s needs an account; use -f FILE",
					   opts->command, kma_keys_name(by, name));
	*tree = (struct kma_chart_tree){ .by = *by, .account = loaded->account };
	groupings->nr++;
	err = make_account(opts, loaded, by, made);
	if (err)
		return err;
	if (*made) {
		err = kma_resolve(*made, loaded->kernel.source, &stats);
		if (err)
			return err;
		tree->account = *made;
		tree->root = kma_join_by(*made, by, NULL, loaded->kernel.maintainers);
	} else {
		tree->root = kma_keys_tree(loaded->kernel.root, by);
	}
	tree->metrics = *made ? kma_account_metrics(*made) : loaded->metrics;
	tree->unresolved = stats.unresolved;
	tree->has_source = loaded->has_files;
	return NULL;
}

/* Does the input support keys, so that a page gets a tree by them without a request? */
static bool is_known(const struct kma_load_options *opts, const struct kma_keys *by,
		     const struct kma_loaded *loaded)
{
	enum kma_grouped groups = kma_keys_groups(by);
	const struct kma_stacks *stacks;

	/* Rows of a kind of groups, which a rule selects, have no other groups. */
	if (!loaded->account || (opts->only.nr && opts->groups))
		return false;
	stacks = kma_account_stacks(loaded->account);
	if (kma_keys_need(by, KMA_KEY_NEEDS_STACKS))
		return stacks && kma_stacks_have_frames(stacks);
	return groups && kma_account_groups(loaded->whole ?: loaded->account, groups) &&
	       loaded->has_files == kma_keys_have(by, KMA_KEY_DIR);
}

/* The keys that a page offers if the input has them. Its script makes trees by module itself. */
static const struct kma_keys page_keys[] = {
	{ 1, { KMA_KEY_STACK } },  { 1, { KMA_KEY_CALLERS } },
	{ 1, { KMA_KEY_CGROUP } }, { 2, { KMA_KEY_CGROUP, KMA_KEY_DIR } },
	{ 1, { KMA_KEY_NODE } },   { 2, { KMA_KEY_NODE, KMA_KEY_DIR } },
	{ 1, { KMA_KEY_ROOT } },   { 2, { KMA_KEY_ROOT, KMA_KEY_DIR } },
};

struct kma_err *kma_groupings_init(struct kma_groupings *groupings,
				   const struct kma_load_options *opts,
				   const struct kma_loaded *loaded, bool several)
{
	bool all = !opts->branch && opts->page;
	bool wanted = !kma_keys_are(&opts->by, KMA_KEY_DIR);
	struct kma_err *err;

	memset(groupings, 0, sizeof(*groupings));
	for (size_t i = 0; i <= ARRAY_SIZE(page_keys); i++) {
		bool last = i == ARRAY_SIZE(page_keys);
		const struct kma_keys *by = last ? &opts->by : &page_keys[i];
		enum kma_grouped groups = kma_keys_groups(by);
		bool is = kma_keys_equal(by, &opts->by) && wanted;

		if (is)
			wanted = false;
		/* An account that was read by group has a main tree by these groups. */
		if (groups == KMA_GROUPED_TASK || (groups && (several || groups == opts->groups)))
			continue;
		if (!is && (last || !all || !is_known(opts, by, loaded)))
			continue;
		err = add(groupings, opts, by, loaded);
		if (err)
			return err;
		if (is && groupings->accounts[groupings->nr - 1])
			kma_load_warn(groupings->accounts[groupings->nr - 1]);
	}
	return NULL;
}

void kma_groupings_deinit(struct kma_groupings *groupings)
{
	for (size_t i = 0; i < groupings->nr; i++) {
		kma_node_destroy(groupings->trees[i].root);
		kma_account_destroy(groupings->accounts[i]);
	}
}
