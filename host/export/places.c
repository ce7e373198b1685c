// SPDX-License-Identifier: GPL-2.0-only
/*
 * places.c - find the places of the call sites of an account, for an export.
 *
 * Each site is looked up in the source as for the tree of a report (tree/source.h), so both show
 * the same files. Texts of frames belong to the source. Frames of stacks are looked up once each,
 * by their number. Stacks refer to sites by number; a site with stacks gets one sample for each,
 * and the samples add up to the site.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "places.h"
#include "tree/join.h"

static struct kma_err *kma_places_text(struct kma_export_sites *sites, const char *text,
				       const char **ret)
{
	*ret = text ? kma_arena_text(&sites->arena, text, strlen(text)) : NULL;
	return *ret ? NULL : &kma_enomem;
}

/*
 * Sets the name "symbol+0x59". The size of the function is left out: readers of graphs need none.
 */
static struct kma_err *kma_places_name(struct kma_export_sites *sites, const char *symbol,
				       uint64_t offset, const char **ret)
{
	_cleanup_strbuf_ struct kma_strbuf name = { 0 };
	char hex[2 * sizeof(offset)], *digit = hex + sizeof(hex);

	/* not by printf(), which would take longer than the rest of the work for a site */
	do
		*--digit = "0123456789abcdef"[offset & 15];
	while (offset >>= 4);
	kma_strbuf_puts(&name, symbol);
	kma_strbuf_puts(&name, "+0x");
	kma_strbuf_add(&name, digit, hex + sizeof(hex) - digit);
	return kma_places_text(sites, name.str, ret);
}

/* Sets the frames. A symbol that is in no unit of the debugging information gets one frame. */
static struct kma_err *kma_places_frames(struct kma_export_sites *sites, const char *function,
					 const struct kma_call *call, const char *file,
					 struct kma_export_site *ret)
{
	unsigned int nr = call && call->nr_frames ? call->nr_frames : 1;
	struct kma_frame *frames = kma_arena_zalloc(&sites->arena, nr * sizeof(*frames));

	if (!frames)
		return &kma_enomem;
	if (call && call->nr_frames) {
		memcpy(frames, call->frames, nr * sizeof(*frames));
		for (unsigned int i = 0; i < nr; i++)
			if (!*frames[i].function)
				frames[i].function = function;
	} else {
		frames[0] = (struct kma_frame){ .function = function, .file = file ?: "" };
	}
	ret->frames = frames;
	ret->nr_frames = nr;
	return NULL;
}

/* Sets the place of a site whose file is in the input: "fs/inode.c:12 alloc_inode [module]". */
static struct kma_err *kma_places_own(struct kma_export_sites *sites, struct kma_export_site *ret)
{
	const struct kma_site *site = ret->site;
	size_t len = strlen(site->path);
	struct kma_frame *frame;
	struct kma_err *err;
	char *rest;

	ret->name = site->caller;
	ret->path = site->path;
	ret->module = site->module;
	err = kma_places_frames(sites, site->symbol ?: site->caller, NULL, site->path, ret);
	if (err || strncmp(site->caller, site->path, len) || site->caller[len] != ':')
		return err;
	frame = (struct kma_frame *)ret->frames;
	frame->line = strtoul(site->caller + len + 1, &rest, 10);
	if (*rest != ' ')
		return NULL;
	rest++;
	frame->function = kma_arena_text(&sites->arena, rest, strcspn(rest, " "));
	rest += strcspn(rest, " ");
	len = strlen(rest);
	if (len > 3 && rest[1] == '[' && rest[len - 1] == ']') {
		ret->module = kma_arena_text(&sites->arena, rest + 2, len - 3);
		err = ret->module ? NULL : &kma_enomem;
	}
	return frame->function ? err : &kma_enomem;
}

/* Sets the name of an address: its symbol by the source, else the address, unless it is hidden. */
static struct kma_err *kma_places_address(struct kma_export_sites *sites, uint64_t addr,
					  const struct kma_source *source, bool hide,
					  struct kma_export_site *ret, const char **ret_function)
{
	/* A return address may be after the end of its function. */
	const struct kma_symbol *sym = source ? source->ops->symbol_at(source, addr - 1) : NULL;

	*ret_function = sym ? sym->name : hide ? KMA_PLACE_ADDRESS : ret->site->caller;
	ret->name = *ret_function;
	return sym ? kma_places_name(sites, sym->name, addr - sym->addr, &ret->name) : NULL;
}

static struct kma_err *kma_places_code(struct kma_export_sites *sites, struct kma_source *source,
				       bool hide, struct kma_export_site *ret)
{
	_cleanup_free_ char *row = NULL;
	struct kma_place place = { .found = KMA_FOUND_UNKNOWN };
	struct kma_site linked = *ret->site;
	const char *function = linked.symbol;
	struct kma_err *err = NULL;

	ret->module = linked.module;
	if (source && !linked.symbol)
		linked.offset -= source->slide;
	if (source)
		err = source->ops->locate(source, &linked, &place);
	if (!err && linked.symbol)
		err = kma_places_name(sites, linked.symbol, linked.offset, &ret->name);
	else if (!err)
		err = kma_places_address(sites, linked.offset, source, hide, ret, &function);
	if (!err && source) {
		row = kma_join_row(&linked, &place);
		err = kma_places_text(sites, row, &ret->path);
		ret->addr = place.addr ? place.addr - 1 : 0;
	}
	if (err)
		return err;
	return kma_places_frames(sites, function, &place.call,
				 place.found == KMA_FOUND_FILE ? ret->path : NULL, ret);
}

static struct kma_err *kma_places_one(struct kma_export_sites *sites, struct kma_source *source,
				      bool hide, struct kma_export_site *ret)
{
	const struct kma_site *site = ret->site;

	if (site->path)
		return kma_places_own(sites, ret);
	if (!site->named)
		return kma_places_code(sites, source, hide, ret);
	ret->name = site->caller;
	ret->path = sites->has_files ? site->caller : NULL;
	return kma_places_frames(sites, site->caller, NULL, NULL, ret);
}

static int kma_places_text_order(const char *a, const char *b)
{
	return strcmp(a ?: "", b ?: "");
}

static int kma_places_order(const void *a, const void *b)
{
	const struct kma_export_site *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	order = order ?: kma_places_text_order(x->module, y->module);
	order = order ?: (int)x->site->kind - (int)y->site->kind;
	order = order ?: kma_places_text_order(x->site->build_id, y->site->build_id);
	order = order ?: strcmp(x->site->caller, y->site->caller);
	/* Otherwise in the order of the account. */
	return order ?: (x->site > y->site) - (x->site < y->site);
}

/* Looks up the frames of stacks, as call sites without values. */
static struct kma_err *kma_places_callers(struct kma_export_sites *sites,
					  const struct kma_stacks *stacks,
					  struct kma_source *source, bool hide)
{
	uint32_t nr = kma_stacks_nr_frames(stacks);
	struct kma_err *err = NULL;

	sites->callers = calloc(nr + 1UL, sizeof(*sites->callers));
	if (!sites->callers)
		return &kma_enomem;
	for (uint32_t i = 0; i < nr && !err; i++) {
		sites->callers[i].site = kma_stacks_frame(stacks, i);
		err = kma_places_one(sites, source, hide, &sites->callers[i]);
	}
	return err;
}

static int kma_places_sample_order(const void *a, const void *b)
{
	const struct kma_export_sample *x = a, *y = b;

	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	for (unsigned int i = 0; i < x->nr_callers && i < y->nr_callers; i++) {
		int order = kma_places_order(x->callers[i], y->callers[i]);

		if (order)
			return order;
	}
	return (x->nr_callers > y->nr_callers) - (x->nr_callers < y->nr_callers);
}

/* Sets the callers of a sample. The first frame of a stack is the call site itself: skip it. */
static struct kma_err *kma_places_stack(struct kma_export_sites *sites,
					const struct kma_callstack *stack,
					const struct kma_export_site *site,
					struct kma_export_sample *ret)
{
	unsigned int first =
		stack->nr_frames &&
		!strcmp(sites->callers[stack->frames[0]].site->caller, site->site->caller);
	const struct kma_export_site **callers;

	*ret = (struct kma_export_sample){ .site = site, .values = &stack->values };
	if (stack->nr_frames <= first)
		return NULL;
	callers = kma_arena_zalloc(&sites->arena, stack->nr_frames * sizeof(*callers));
	if (!callers)
		return &kma_enomem;
	for (unsigned int i = first; i < stack->nr_frames; i++)
		callers[ret->nr_callers++] = &sites->callers[stack->frames[i]];
	ret->callers = callers;
	return NULL;
}

/* Makes an array of the sites by their numbers in the account. */
static struct kma_err *kma_places_numbers(const struct kma_export_sites *sites,
					  const struct kma_site *all,
					  const struct kma_export_site ***ret)
{
	*ret = calloc(sites->nr + 1, sizeof(**ret));
	if (!*ret)
		return &kma_enomem;
	for (size_t i = 0; i < sites->nr; i++)
		(*ret)[sites->list[i].site - all] = &sites->list[i];
	return NULL;
}

/* Makes the samples: one for each stack, or one for a site without stacks. */
static struct kma_err *kma_places_samples(struct kma_export_sites *sites,
					  const struct kma_site *all,
					  const struct kma_callstack *stacks, size_t nr)
{
	_cleanup_free_ const struct kma_export_site **by_number = NULL;
	_cleanup_free_ bool *has = calloc(sites->nr + 1, sizeof(*has));
	struct kma_err *err;

	sites->samples = calloc(sites->nr + nr + 1, sizeof(*sites->samples));
	err = kma_places_numbers(sites, all, &by_number);
	if (err || !has || !sites->samples)
		return &kma_enomem;
	for (size_t i = 0; i < nr && !err; i++) {
		const struct kma_export_site *site = by_number[stacks[i].site];

		has[site - sites->list] = true;
		err = kma_places_stack(sites, &stacks[i], site,
				       &sites->samples[sites->nr_samples++]);
	}
	for (size_t i = 0; i < sites->nr; i++)
		if (!has[i])
			sites->samples[sites->nr_samples++] = (struct kma_export_sample){
				.site = &sites->list[i], .values = &sites->list[i].site->values
			};
	if (!err)
		qsort(sites->samples, sites->nr_samples, sizeof(*sites->samples),
		      kma_places_sample_order);
	return err;
}

static struct kma_err *kma_places_paths(struct kma_export_sites *sites,
					const struct kma_account *account,
					struct kma_source *source, bool hide)
{
	const struct kma_stacks *stacks = kma_account_stacks(account);
	const struct kma_callstack *all = NULL;
	const struct kma_site *first;
	struct kma_err *err = NULL;
	size_t nr_sites, nr = 0;

	first = kma_account_sites(account, &nr_sites);
	if (stacks && kma_stacks_have_frames(stacks)) {
		all = kma_stacks_all(stacks, &nr);
		err = kma_places_callers(sites, stacks, source, hide);
	}
	return err ?: kma_places_samples(sites, first, all, nr);
}

struct kma_err *kma_places_find(const struct kma_account *account, struct kma_source *source,
				bool hide, struct kma_export_sites *ret)
{
	const struct kma_site *sites;
	struct kma_err *err = NULL;
	size_t nr;

	*ret = (struct kma_export_sites){ .has_files = source || kma_account_has_paths(account) };
	sites = kma_account_sites(account, &nr);
	ret->list = calloc(nr + 1, sizeof(*ret->list));
	if (!ret->list)
		return &kma_enomem;
	for (size_t i = 0; i < nr && !err; i++) {
		struct kma_export_site *one = &ret->list[ret->nr++];

		one->site = &sites[i];
		err = kma_places_one(ret, source, hide, one);
	}
	if (!err)
		qsort(ret->list, ret->nr, sizeof(*ret->list), kma_places_order);
	return err ?: kma_places_paths(ret, account, source, hide);
}

void kma_places_deinit(struct kma_export_sites *sites)
{
	kma_arena_deinit(&sites->arena);
	free(sites->list);
	free(sites->samples);
	free(sites->callers);
	*sites = (struct kma_export_sites){ 0 };
}

size_t kma_place_dir(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (*path == '[' && !slash)
		return strlen(path);
	return slash ? (size_t)(slash - path) : 0;
}
