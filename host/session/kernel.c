// SPDX-License-Identifier: GPL-2.0
/*
 * kernel.c - the kernel that an account belongs to: who knows the files of its call sites,
 * whether that is the right build, and whose they are.
 *
 * A kernel that is of no use costs the directories, not the report: why it is of no use is
 * said in one line.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel.h"
#include "lib/cleanup.h"
#include "model/account.h"
#include "lib/say.h"
#include "show-gaps.h"
#include "tree/debug.h"
#include "tree/join.h"
#include "tree/kbuild.h"
#include "tree/maintainers.h"
#include "tree/node.h"
#include "tree/slide.h"
#include "view/text/view.h"

enum kma_inlines_mode kma_inlines_mode(const struct kma_options *opts)
{
	enum kma_inlines_mode mode = KMA_INLINES_OUTER;

	while (opts->inlines && mode < KMA_NR_INLINES_MODES &&
	       strcmp(kma_inlines_modes[mode], opts->inlines))
		mode++;
	return mode;
}

/* Finds who knows the files; says in words why nobody does. */
static struct kma_err *kma_load_source(const struct kma_options *opts, struct kma_loaded *ret)
{
	_cleanup_free_ char *why = NULL;
	const char *const names[] = { opts->tree, opts->vmlinux, opts->modules };
	struct kma_err *err;

	if (!opts->tree && !opts->vmlinux)
		return NULL;
	/* What is not there was mistyped; what is there but of no use is said. */
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i] && access(names[i], R_OK))
			return kma_err_create(names[i], 0, "cannot open: %s", strerror(errno));
	if (opts->tree)
		err = kma_kbuild_create(opts->tree, opts->vmlinux, &ret->source);
	else
		err = kma_debug_create(opts->vmlinux, opts->modules, &ret->source);
	if (!err) {
		ret->source->inlines = kma_inlines_mode(opts);
		ret->source->force = opts->force;
		if (ret->source->lack)
			kma_warn("%s: %s", ret->source->name, ret->source->lack);
	}
	if (!kma_err_is_of_file(err))
		return err;
	why = kma_err_text(err);
	kma_warn("%s; callers only", why ?: err->message);
	kma_err_destroy(err);
	ret->source = NULL;
	return NULL;
}

/* Two build IDs that differ are two kernels, however alike. */
static bool kma_other_kernel(const struct kma_loaded *loaded)
{
	const char *note = kma_account_note(loaded->account, KMA_NOTE_BUILD_ID);
	const struct kma_source *source = loaded->source;

	if (!source || source->force || !note || !source->build_id || !*source->build_id ||
	    !strcmp(note, source->build_id))
		return false;
	kma_warn("%s: is another build: its build ID is %.12s, the account's %.12s; %s",
		 source->name, source->build_id, note, "callers only (or use --force)");
	return true;
}

static struct kma_err *kma_load_tree(struct kma_loaded *ret)
{
	struct kma_err *err;

	if (kma_other_kernel(ret)) {
		kma_source_destroy(ret->source);
		ret->source = NULL;
	}
	if (ret->source && kma_slide_find(ret->account, ret->source, &ret->source->slide))
		kma_warn("%s: addresses are 0x%" PRIx64 " bytes above its own, by KASLR: undone",
			 ret->source->name, ret->source->slide);
	err = kma_join(ret->account, ret->source, &ret->root, &ret->stats);
	if (!err && ret->source) {
		ret->gaps = ret->source->gaps;
		kma_warn_gaps(ret->source->name, &ret->gaps, KMA_GAPS_SITES);
	}
	if (!err && ret->source && ret->stats.strange)
		kma_warn(
			"%s: %zu of %zu addresses are in no symbol: KASLR, modules, another kernel?",
			ret->source->name, ret->stats.strange, ret->stats.addresses);
	if (!err && ret->stats.other_build)
		kma_warn("%s: %zu call sites are in modules of another build (or use --force)",
			 ret->source->name, ret->stats.other_build);
	if (err || !ret->source || ret->source->force || kma_join_plausible(&ret->stats))
		return err;
	kma_warn(
		"%s: is another kernel's: %zu of %zu call sites agree in name and size; callers only",
		ret->source->name, ret->stats.fitting, ret->stats.compared);
	kma_source_destroy(ret->source);
	ret->source = NULL;
	kma_node_destroy(ret->root);
	ret->root = NULL;
	return kma_join(ret->account, NULL, &ret->root, &ret->stats);
}

struct kma_err *kma_load_owners(const struct kma_options *opts, struct kma_loaded *ret)
{
	_cleanup_free_ char *guess = NULL;
	const char *path = opts->maintainers;
	struct kma_err *err;

	/* Only if they are asked for. */
	if (!opts->by || strcmp(opts->by, kma_by_names[KMA_BY_SUBSYSTEM]))
		return NULL;
	if (ret->maintainers)
		return kma_maintainers_apply(ret->maintainers, ret->root);
	if (!path && opts->tree && asprintf(&guess, "%s/MAINTAINERS", opts->tree) < 0)
		return &kma_enomem;
	/* An O= tree has a link to its source. */
	if (guess && access(guess, R_OK)) {
		free(guess);
		if (asprintf(&guess, "%s/source/MAINTAINERS", opts->tree) < 0)
			return &kma_enomem;
	}
	path = path ?: guess;
	err = kma_maintainers_create(path, &ret->maintainers);
	return err ? err : kma_maintainers_apply(ret->maintainers, ret->root);
}

struct kma_err *kma_load_kernel(const struct kma_options *opts, struct kma_loaded *ret)
{
	struct kma_err *err;

	err = kma_load_source(opts, ret);
	if (!err)
		err = kma_load_tree(ret);
	return err ? err : kma_load_owners(opts, ret);
}
