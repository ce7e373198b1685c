// SPDX-License-Identifier: GPL-2.0-only
/*
 * load-static.c - add the static sizes of a built tree to an account, or load them alone.
 */
#include "lib/notes.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "load-static.h"
#include "model/account.h"
#include "tree/kbuild.h"
#include "tree/node.h"
#include "tree/static.h"

/* Loads a built tree without an account: makes an account without sites. */
static struct kma_err *static_alone(const struct kma_load_options *opts, struct kma_loaded *ret)
{
	const char *dir = opts->kernel.tree;
	struct kma_err *err;

	ret->attr = KMA_STATIC;
	err = kma_kbuild_create(dir, opts->kernel.vmlinux, &ret->kernel.source);
	if (err)
		return err;
	ret->account = kma_account_create(dir);
	ret->kernel.root = kma_node_create();
	return kma_account_finish(ret->account);
}

static void static_say(const char *name, const struct kma_static_stats *stats)
{
	struct kma_notes notes = { 0 };

	kma_notes_gaps(&notes, name, &stats->gaps, KMA_GAPS_SIZES);
	if (stats->lto)
		kma_notes_add(
			&notes,
			"%s: %zu of %zu objects %s for link-time optimisation; the code is only in vmlinux",
			name, stats->lto, stats->objects, kma_plural(stats->lto, "is", "are"));
	for (const char *note = NULL; (note = kma_notes_next(&notes, note));)
		kma_warn("%s", note);
	kma_notes_deinit(&notes);
}

static struct kma_err *static_join_objects(struct kma_loaded *ret)
{
	struct kma_kernel *kernel = &ret->kernel;
	const struct kma_objects *objects = kernel->source->ops->objects(kernel->source);
	struct kma_static_stats stats;
	struct kma_err *err;

	err = kma_static_join(objects, kernel->root, &stats);
	if (err)
		return err;
	ret->objects = stats.objects;
	/* Add the gaps of the tree, unless kma_kernel_find() has opened the tree and added them. */
	if (!kma_gaps_total(&kernel->gaps))
		kma_gaps_merge(&stats.gaps, kma_objects_gaps(objects));
	kma_gaps_merge(&kernel->gaps, &stats.gaps);
	static_say(kernel->source->name, &stats);
	return NULL;
}

struct kma_err *kma_static_load(const struct kma_load_options *opts, struct kma_loaded *ret)
{
	unsigned int dynamic = ret->metrics;
	struct kma_err *err;

	if (!ret->account) {
		err = static_alone(opts, ret);
		if (err)
			return err;
	}
	ret->metrics |= KMA_STATIC_METRICS;
	if (ret->kernel.source && dynamic & 1U << KMA_CURRENT)
		ret->metrics |= 1U << KMA_FOOTPRINT;
	/* The tree did not fit the account, so it has no source yet: its sizes are still shown. */
	if (!ret->kernel.source) {
		err = kma_kbuild_create(opts->kernel.tree, NULL, &ret->kernel.source);
		if (err)
			return err;
	}
	err = static_join_objects(ret);
	if (err)
		return err;
	ret->has_files = true;
	/* The tree has new files, which have no subsystem yet. */
	return kma_kernel_owners(&opts->kernel, &ret->kernel);
}
