// SPDX-License-Identifier: GPL-2.0
/*
 * load-static.c - an account together with the static sizes of a built tree, or these
 * alone: for all commands whose attributes may be of both.
 */
#include <string.h>

#include "kernel.h"
#include "lib/cleanup.h"
#include "load-static.h"
#include "load.h"
#include "model/account.h"
#include "lib/say.h"
#include "show-gaps.h"
#include "tree/kbuild.h"
#include "tree/node.h"
#include "tree/static.h"

/* Is one of these names that of an attribute which only a built tree has? */
static bool kma_names_static(const char *names)
{
	_cleanup_free_ char *copy = names ? strdup(names) : NULL;
	char *rest = copy;
	bool found = false;

	for (char *name; (name = strsep(&rest, ","));) {
		enum kma_metric_id metric;
		struct kma_err *err = kma_metric_find(name, ~0U, &metric);

		found |= !err && 1U << metric & (KMA_STATIC_METRICS | 1U << KMA_FOOTPRINT);
		kma_err_destroy(err);
	}
	return found;
}

bool kma_wants_static(const struct kma_options *opts)
{
	if (!opts->attr && !opts->account && !opts->db_file)
		return true;
	return kma_names_static(opts->attr) || kma_names_static(opts->sort) ||
	       kma_names_static(opts->columns);
}

struct kma_err *kma_check_static(const char *command, const struct kma_options *opts)
{
	if (!kma_wants_static(opts)) {
		if (opts->account || opts->db_file)
			return NULL;
		return kma_err_create(NULL, 0,
				      "%s: no account given; of a built tree alone there is static",
				      command);
	}
	if (opts->tree)
		return NULL;
	return kma_err_create(NULL, 0, "%s: -%s %s needs -k DIR, a built kernel tree", command,
			      kma_names_static(opts->attr) ? "a" :
			      kma_names_static(opts->sort) ? "o" :
							     "-columns",
			      kma_names_static(opts->attr) ? opts->attr :
			      kma_names_static(opts->sort) ? opts->sort :
							     opts->columns);
}

/* A built tree alone: an account without sites. */
static struct kma_err *kma_load_tree_alone(const struct kma_options *opts, struct kma_loaded *ret)
{
	struct kma_err *err;

	memset(ret, 0, sizeof(*ret));
	err = kma_kbuild_create(opts->tree, opts->vmlinux, &ret->source);
	if (!err)
		err = kma_account_create(opts->tree, &ret->account);
	if (!err)
		err = kma_account_finish(ret->account);
	if (!err)
		err = kma_node_create(&ret->root);
	return err;
}

struct kma_err *kma_join_static(const struct kma_options *opts, struct kma_loaded *ret)
{
	unsigned int metrics = kma_account_metrics(ret->account);
	const struct kma_objects *objects;
	struct kma_static_stats stats;
	struct kma_err *err = NULL;

	ret->metrics = KMA_STATIC_METRICS;
	if (ret->source && metrics & 1U << KMA_CURRENT)
		ret->metrics |= 1U << KMA_FOOTPRINT;
	if (!ret->source)
		err = kma_kbuild_create(opts->tree, NULL, &ret->source);
	if (err)
		return err;
	objects = ret->source->ops->objects(ret->source);
	err = kma_static_join(objects, ret->root, &stats);
	if (err)
		return err;
	ret->objects = stats.objects;
	/* kma_load() has printed the gaps of the tree, unless it did not look at it. */
	if (!kma_gaps_total(&ret->gaps))
		kma_gaps_merge(&stats.gaps, kma_objects_gaps(objects));
	kma_gaps_merge(&ret->gaps, &stats.gaps);
	kma_warn_gaps(ret->source->name, &stats.gaps, KMA_GAPS_SIZES);
	if (stats.lto)
		kma_warn(
			"%s: %zu of %zu objects are for link-time optimisation: vmlinux has their code",
			ret->source->name, stats.lto, stats.objects);
	return NULL;
}

struct kma_err *kma_load_static(const struct kma_options *opts, struct kma_loaded *ret)
{
	struct kma_options load = *opts;
	struct kma_err *err;

	if (!kma_wants_static(opts))
		return kma_load(opts, ret);
	/* The branch may be one that allocates nothing. */
	load.branch = NULL;
	if (opts->account || opts->db_file)
		err = kma_load(&load, ret);
	else
		err = kma_load_tree_alone(opts, ret);
	if (!err)
		err = kma_join_static(opts, ret);
	if (!err)
		err = kma_load_owners(opts, ret);
	if (err)
		return err;
	ret->has_files = true;
	ret->branch = ret->root;
	return opts->branch ? kma_node_find(ret->root, opts->branch, &ret->branch) : NULL;
}
