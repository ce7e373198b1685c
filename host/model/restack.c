// SPDX-License-Identifier: GPL-2.0-only
/*
 * restack.c - make an account whose rows are selected by stacks.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "filter.h"
#include "helpers.h"
#include "intern.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "lib/strbuf.h"
#include "merge.h"
#include "restack.h"
#include "sampled.h"
#include "stacks.h"

#define KMA_RESTACK_HINT \
	"write 'stacks 8' to /proc/kmem_account, then read /sys/kernel/debug/kmem_account/sites"

/*
 * Rows without a stack that --through leaves out, because it is unknown whether the function was on
 * the stack.
 */
struct kma_restack_left {
	size_t rows;
	uint64_t live; /* bytes */
};

/* State of kma_restack(). */
struct kma_restacking {
	const struct kma_restack *how;
	const struct kma_stacks *stacks; /* of the old account */
	const struct kma_site *sites;	 /* of the old account */
	struct kma_account *to;		 /* the new account */
	struct kma_merge *merge;    /* combines the rows of each owner; NULL: each stack is a row */
	struct kma_intern *skipped; /* names of helpers that were skipped */
	struct kma_restack_left left;
	size_t kept; /* stacks that became a part of a row */
};

static const char *restack_symbol(const struct kma_restacking *re,
				  const struct kma_callstack *stack, unsigned int i)
{
	return kma_stacks_frame(re->stacks, stack->frames[i])->symbol;
}

/* Index of the first frame that is not a helper; the number of frames if all are helpers. */
static unsigned int restack_owner(const struct kma_restacking *re,
				  const struct kma_callstack *stack)
{
	unsigned int i;

	for (i = 0; i < stack->nr_frames; i++) {
		const char *symbol = restack_symbol(re, stack, i);

		if (!symbol || !kma_helpers_has(re->how->skip, symbol))
			break;
		kma_intern(re->skipped, KMA_KIND_UNKNOWN, symbol, strcspn(symbol, "."));
	}
	return i;
}

/* Is one of the functions of --through on the stack? */
static bool restack_passes(const struct kma_restacking *re, const struct kma_callstack *stack)
{
	for (unsigned int i = 0; i < stack->nr_frames; i++) {
		const char *symbol = restack_symbol(re, stack, i);

		if (symbol && kma_helpers_has(re->how->through, symbol))
			return true;
	}
	return false;
}

/*
 * Set the text of the last row's stack: the frames from the owner outwards, or why there are none.
 */
static void restack_text(const struct kma_restacking *re, const struct kma_callstack *stack,
			 unsigned int first)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };

	for (unsigned int i = first; i < stack->nr_frames; i++)
		kma_strbuf_printf(&text, "%s%s", i > first ? ";" : "",
				  kma_stacks_frame(re->stacks, stack->frames[i])->caller);
	/*
	 * Without frames, the text starts with the call site, or all rows "[before]" would look
	 * alike.
	 */
	if (stack->rest)
		kma_strbuf_printf(&text, "%s;%s", re->sites[stack->site].caller, stack->rest);
	else if (first == stack->nr_frames)
		kma_strbuf_puts(&text, KMA_SITE_HELPERS);
	kma_account_set_stack(re->to, text.str);
}

/*
 * Add a row for one stack. @owns: the owner is the call site itself, whose place in its file is
 * known.
 */
static struct kma_err *restack_row(const struct kma_restacking *re, const char *caller,
				   const struct kma_site *site, bool owns,
				   const struct kma_values *values)
{
	struct kma_err *err = kma_account_add_site(re->to, caller, strlen(caller), values);

	if (err)
		return err;
	kma_account_set_place(re->to, site->kind, owns ? site->path : NULL);
	if (owns && site->build_id)
		kma_account_set_image(re->to, site->build_id, site->text, site->in_init);
	if (site->cache)
		kma_account_set_cache(re->to, site->cache, site->caches);
	return NULL;
}

/* Add one stack to the row of its owner. @owns: as for restack_row(). */
static struct kma_err *restack_merge(const struct kma_restacking *re, const char *caller,
				     const struct kma_site *site, bool owns,
				     const struct kma_values *values)
{
	struct kma_err *err;
	char place[32] = "";

	if (owns && site->build_id)
		snprintf(place, sizeof(place), "%s0x%" PRIx64, site->in_init ? "init:" : "",
			 site->text);
	err = kma_merge_add_at(re->merge, caller, owns && site->build_id ? site->build_id : "",
			       place, site->kind, values);
	if (err)
		return err;
	if (site->cache)
		kma_merge_set_cache(re->merge, site->cache, site->caches);
	return NULL;
}

/* Find the owner of a stack, and add the stack. */
static struct kma_err *restack_add(struct kma_restacking *re, const struct kma_callstack *stack)
{
	const struct kma_site *site = &re->sites[stack->site];
	const char *caller = site->caller;
	unsigned int owner = 0;
	struct kma_err *err;

	/* The numbers of objects that were not sampled were divided among the samples. */
	if (stack->rest && !strcmp(stack->rest, KMA_STACK_UNSAMPLED) &&
	    kma_values_is_zero(&stack->values))
		return NULL;
	if (re->how->through && stack->rest) {
		re->left.rows++;
		re->left.live += stack->values.current;
		return NULL;
	}
	if (re->how->through && !restack_passes(re, stack))
		return NULL;
	re->kept++;
	if (!stack->rest) {
		owner = restack_owner(re, stack);
		if (owner == stack->nr_frames)
			caller = KMA_SITE_HELPERS;
		else if (owner)
			caller = kma_stacks_frame(re->stacks, stack->frames[owner])->caller;
	}
	if (re->merge)
		return restack_merge(re, caller, site, !owner, &stack->values);
	err = restack_row(re, caller, site, !owner, &stack->values);
	if (err)
		return err;
	restack_text(re, stack, owner);
	return NULL;
}

/* Add a call site that has no stacks at all. */
static struct kma_err *restack_site(struct kma_restacking *re, size_t site)
{
	const struct kma_callstack stack = { .site = site,
					     .rest = KMA_STACK_NONE,
					     .values = re->sites[site].values };

	return restack_add(re, &stack);
}

static struct kma_err *restack_all(struct kma_restacking *re, size_t nr_sites)
{
	_cleanup_free_ bool *has = kma_xcalloc(nr_sites + 1, sizeof(*has));
	const struct kma_callstack *list;
	struct kma_err *err = NULL;
	size_t nr;

	list = kma_stacks_all(re->stacks, &nr);
	for (size_t i = 0; i < nr; i++) {
		has[list[i].site] = true;
		err = restack_add(re, &list[i]);
		if (err)
			return err;
	}
	for (size_t i = 0; i < nr_sites && !err; i++)
		if (!has[i])
			err = restack_site(re, i);
	return err;
}

/* Add the notes of a report: the names of the skipped helpers, and the function of --through. */
static void restack_note(const struct kma_restacking *re)
{
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };
	uint32_t nr = kma_intern_count(re->skipped);
	enum kma_kind unused;
	size_t len;

	if (re->how->through)
		kma_account_put_note(re->to, KMA_NOTE_THROUGH, re->how->through);
	if (!re->how->skip)
		return;
	for (uint32_t i = KMA_INTERN_REST + 1; i < nr; i++)
		kma_strbuf_printf(&names, "%s%s", names.len ? ", " : "",
				  kma_intern_site(re->skipped, i, &unused, &len));
	kma_account_put_note(re->to, KMA_NOTE_SKIPPED, names.str ?: "none");
}

static struct kma_err *restack_close(const struct kma_restacking *re)
{
	struct kma_err *err = NULL;

	if (re->how->through && !re->kept)
		return kma_err_create(kma_account_name(re->to), 0,
				      "no stack in this input passes through '%s'",
				      re->how->through);
	if (re->merge)
		err = kma_merge_close(re->merge, re->to);
	if (err)
		return err;
	restack_note(re);
	if (re->left.rows)
		kma_account_warn(re->to,
				 "%zu %s without a stack, with %" PRIu64
				 " live bytes, %s left out by --through",
				 re->left.rows, kma_plural(re->left.rows, "row", "rows"),
				 re->left.live, kma_plural(re->left.rows, "is", "are"));
	return err ? err : kma_account_finish(re->to);
}

/* Mark the new account as one of estimates, by a note, a warning and the metrics of samples. */
static void restack_sampled(const struct kma_restacking *re, const char *sampled)
{
	kma_account_put_note(re->to, KMA_NOTE_SAMPLED, sampled);
	kma_account_set_metrics(re->to, kma_account_metrics(re->to) | KMA_SAMPLED_METRICS);
	kma_account_warn(re->to,
			 "numbers by stack are estimates: the stacks of %s were taken; "
			 "'+/- live' is the standard error, and the sum of each call site is exact",
			 sampled);
}

struct kma_err *kma_restack_none(const char *name)
{
	return kma_err_create(name, 0, "no stacks in this input; " KMA_RESTACK_HINT);
}

struct kma_err *kma_restack(const struct kma_account *account, const struct kma_restack *how,
			    struct kma_account **ret)
{
	struct kma_restacking re = { .how = how, .stacks = kma_account_stacks(account) };
	_cleanup_free_ char *sampled = NULL;
	struct kma_err *err;
	size_t nr;

	if (!re.stacks)
		return kma_restack_none(kma_account_name(account));
	re.sites = kma_account_sites(account, &nr);
	re.to = kma_account_create(kma_account_name(account));
	re.skipped = kma_intern_new();
	if (!how->each)
		re.merge = kma_merge_create();
	kma_account_copy_head(account, re.to);
	kma_sampled_text(re.stacks, &sampled);
	if (sampled)
		restack_sampled(&re, sampled);
	err = restack_all(&re, nr) ?: restack_close(&re);
	kma_merge_destroy(re.merge);
	kma_intern_destroy(re.skipped);
	if (err)
		kma_account_destroy(re.to);
	else
		*ret = re.to;
	return err;
}
