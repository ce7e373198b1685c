// SPDX-License-Identifier: GPL-2.0-only
/*
 * groupings.c - build the trees of an account by other keys than directories.
 *
 * A tree by stacks or by groups needs another account, whose rows are stacks or call sites of
 * groups (model/restack.h, model/regroup.h). A tree by the rows of a report, such as modules, is
 * made from the tree of directories; in a page, the page's script makes it itself.
 */
#include <string.h>

#include "groupings.h"
#include "load.h"
#include "model/filter.h"
#include "model/regroup.h"
#include "model/restack.h"
#include "model/stacks.h"
#include "tree/callers.h"
#include "tree/join.h"
#include "view/text/grouped.h"

static struct kma_err *kma_grouping_stacks(const struct kma_options *opts,
					   const struct kma_loaded *loaded,
					   struct kma_chart_tree *tree, struct kma_account **made)
{
	static const struct kma_restack each = { .each = true };
	struct kma_err *err;

	/* With --skip or --through the rows of the account are stacks already. */
	if (!opts->stacks.each) {
		err = kma_restack(loaded->account, &each, made);
		if (err)
			return err;
		tree->account = *made;
	}
	tree->root = kma_callers_tree(
		tree->account, tree->by == KMA_CHART_BY_STACK ? KMA_CALLERS_DOWN : KMA_CALLERS_UP);
	return NULL;
}

struct kma_err *kma_grouping_regroup(const struct kma_options *opts,
				     const struct kma_loaded *loaded, enum kma_grouped by,
				     struct kma_account **ret)
{
	const struct kma_account *whole = loaded->whole ?: loaded->account;
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

static struct kma_err *kma_grouping_groups(const struct kma_options *opts,
					   const struct kma_loaded *loaded,
					   struct kma_chart_tree *tree, struct kma_account **made)
{
	const struct kma_chart_key *key = &kma_chart_keys[tree->by];
	struct kma_resolve_stats stats;
	struct kma_err *err;

	err = kma_grouping_regroup(opts, loaded, key->groups, made);
	if (err)
		return err;
	tree->account = *made ?: loaded->account;
	if (*made) {
		err = kma_resolve(*made, loaded->kernel.source, &stats);
		if (err)
			return err;
	} else {
		stats = loaded->kernel.stats;
	}
	tree->root = kma_join(tree->account, key->levels);
	tree->unresolved = stats.unresolved;
	tree->has_source = loaded->has_files;
	return NULL;
}

static struct kma_err *kma_grouping_rows(const struct kma_loaded *loaded,
					 struct kma_chart_tree *tree)
{
	tree->unresolved = loaded->kernel.stats.unresolved;
	tree->has_source = loaded->has_files;
	return kma_grouped_create(loaded->kernel.root, kma_chart_keys[tree->by].row, &tree->root);
}

static struct kma_err *kma_groupings_add(struct kma_groupings *groupings,
					 const struct kma_options *opts, enum kma_chart_by by,
					 const struct kma_loaded *loaded)
{
	struct kma_chart_tree *tree = &groupings->trees[groupings->nr];
	struct kma_account **made = &groupings->accounts[groupings->nr];
	struct kma_err *err;

	if (!loaded->account && !kma_chart_keys[by].row)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "%s: --by %s needs an account; use -f FILE",
					   opts->command, kma_chart_bys[by]);
	*tree = (struct kma_chart_tree){ .by = by, .account = loaded->account };
	groupings->nr++;
	if (kma_chart_keys[by].stacks)
		err = kma_grouping_stacks(opts, loaded, tree, made);
	else if (kma_chart_keys[by].groups)
		err = kma_grouping_groups(opts, loaded, tree, made);
	else
		err = kma_grouping_rows(loaded, tree);
	if (err)
		return err;
	tree->metrics = *made ? kma_account_metrics(*made) : loaded->metrics;
	return NULL;
}

/* Does the input support a key, so that a page gets a tree by it without a request? */
static bool kma_grouping_is_known(enum kma_chart_by by, const struct kma_loaded *loaded)
{
	const struct kma_chart_key *key = &kma_chart_keys[by];
	const struct kma_stacks *stacks;

	if (!loaded->account)
		return false;
	stacks = kma_account_stacks(loaded->account);
	if (key->stacks)
		return stacks && kma_stacks_have_frames(stacks);
	return key->groups && kma_account_groups(loaded->whole ?: loaded->account, key->groups) &&
	       loaded->has_files == (key->levels == KMA_JOIN_GROUPS_FILES);
}

struct kma_err *kma_groupings_init(struct kma_groupings *groupings, const struct kma_options *opts,
				   const struct kma_loaded *loaded, bool several)
{
	bool all = !opts->branch && opts->render.pages;
	struct kma_err *err = NULL;

	memset(groupings, 0, sizeof(*groupings));
	for (enum kma_chart_by by = KMA_CHART_BY_DIR + 1; by < KMA_NR_CHART_BY && !err; by++) {
		enum kma_grouped groups = kma_chart_keys[by].groups;

		/* An account that was read by group has a main tree by these groups. */
		if (groups == KMA_GROUPED_TASK || (groups && (several || groups == opts->groups)))
			continue;
		if (by != opts->chart_by && !(all && kma_grouping_is_known(by, loaded)))
			continue;
		err = kma_groupings_add(groupings, opts, by, loaded);
		if (!err && by == opts->chart_by && groupings->accounts[groupings->nr - 1])
			kma_load_warn(groupings->accounts[groupings->nr - 1]);
	}
	return err;
}

void kma_groupings_deinit(struct kma_groupings *groupings)
{
	for (size_t i = 0; i < groupings->nr; i++) {
		kma_node_destroy(groupings->trees[i].root);
		kma_account_destroy(groupings->accounts[i]);
	}
}
