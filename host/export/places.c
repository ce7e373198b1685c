// SPDX-License-Identifier: GPL-2.0-only
/*
 * places.c - the call sites of an account for an export, with their samples.
 *
 * The place of a site is that of the report (model/place.h). Frames of stacks are resolved once
 * each, by their number. Stacks refer to sites by number; a site with stacks gets one sample for
 * each, and the samples add up to the site.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "places.h"

static const char *keep(struct kma_export_sites *sites, const char *text, size_t len)
{
	return kma_arena_text(&sites->arena, text, len);
}

/* Makes the name "symbol+0x59". The size of the function is left out: readers of graphs need none. */
static const char *name_of(struct kma_export_sites *sites, const char *symbol, uint64_t offset)
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
	return keep(sites, name.str, name.len);
}

/* Sets one frame, for a site of which no more is known. */
static struct kma_frame *set_frame(struct kma_export_sites *sites, const char *function,
				   const char *file, struct kma_export_site *ret)
{
	struct kma_frame *frame = kma_arena_zalloc(&sites->arena, sizeof(*frame));

	*frame = (struct kma_frame){ .function = function, .file = file ?: "" };
	ret->frames = frame;
	ret->nr_frames = 1;
	return frame;
}

/* Sets the place of a site whose file is in the input: "fs/inode.c:12 alloc_inode [module]". */
static void set_own(struct kma_export_sites *sites, struct kma_export_site *ret)
{
	const struct kma_site *site = ret->site;
	size_t len = strlen(site->path);
	struct kma_frame *frame;
	char *rest;

	ret->name = site->caller;
	ret->path = site->path;
	ret->module = site->module;
	frame = set_frame(sites, site->symbol ?: site->caller, site->path, ret);
	if (strncmp(site->caller, site->path, len) || site->caller[len] != ':')
		return;
	frame->line = strtoul(site->caller + len + 1, &rest, 10);
	if (*rest != ' ')
		return;
	rest++;
	len = strcspn(rest, " ");
	frame->function = keep(sites, rest, len);
	rest += len;
	len = strlen(rest);
	if (len > 3 && rest[1] == '[' && rest[len - 1] == ']')
		ret->module = keep(sites, rest + 2, len - 3);
}

/* Sets the frames of a place. A function without a name gets that of the symbol. */
static void set_frames(struct kma_export_sites *sites, const char *function,
		       const struct kma_place *place, struct kma_export_site *ret)
{
	struct kma_frame *frames;
	size_t size;

	if (!place || !place->nr_frames) {
		set_frame(sites, function,
			  place && place->found == KMA_FOUND_FILE ? place->path : NULL, ret);
		return;
	}
	ret->frames = place->frames;
	ret->nr_frames = place->nr_frames;
	for (unsigned int i = 0; i < ret->nr_frames; i++) {
		if (*ret->frames[i].function)
			continue;
		size = ret->nr_frames * sizeof(*frames);
		frames = memcpy(kma_arena_zalloc(&sites->arena, size), ret->frames, size);
		frames[i].function = function;
		ret->frames = frames;
	}
}

/* Sets the place of a site of code. An address is named by its symbol, or hidden, or as it is. */
static struct kma_err *set_code(struct kma_export_sites *sites, struct kma_source *source,
				bool hide, struct kma_export_site *ret)
{
	const struct kma_site *site = ret->site;
	const struct kma_place *place = site->place;
	const char *function = site->symbol;
	const struct kma_symbol *sym = NULL;
	uint64_t offset = site->offset;
	struct kma_err *err;

	if (source && !place) {
		err = kma_resolve_site(source, site, &place);
		if (err)
			return err;
	}
	if (source && !function) {
		/* A return address may be after the end of its function. */
		offset -= source->slide;
		sym = source->ops->symbol_at(source, offset - 1);
	}
	if (sym) {
		function = sym->name;
		offset -= sym->addr;
	}
	ret->name = function ? name_of(sites, function, offset) :
		    hide     ? KMA_PLACE_ADDRESS :
			       site->caller;
	ret->module = site->module;
	ret->path = place ? place->path : NULL;
	ret->addr = place && place->addr ? place->addr - 1 : 0;
	set_frames(sites, function ?: ret->name, place, ret);
	return NULL;
}

static struct kma_err *set_place(struct kma_export_sites *sites, struct kma_source *source,
				 bool hide, struct kma_export_site *ret)
{
	const struct kma_site *site = ret->site;

	if (!site->path && !site->named)
		return set_code(sites, source, hide, ret);
	if (site->path) {
		set_own(sites, ret);
		return NULL;
	}
	ret->name = site->caller;
	ret->path = sites->has_files ? site->caller : NULL;
	set_frame(sites, site->caller, NULL, ret);
	return NULL;
}

static int text_order(const char *a, const char *b)
{
	return strcmp(a ?: "", b ?: "");
}

static int site_order(const void *a, const void *b)
{
	const struct kma_export_site *x = a, *y = b;

	return strcmp(x->name, y->name)					?:
		       text_order(x->module, y->module)			?:
		       (int)x->site->kind - (int)y->site->kind		?:
		       text_order(x->site->build_id, y->site->build_id) ?:
		       strcmp(x->site->caller, y->site->caller)		?:
		       /* Otherwise in the order of the account. */
		       (x->site > y->site) - (x->site < y->site);
}

static int sample_order(const void *a, const void *b)
{
	const struct kma_export_sample *x = a, *y = b;

	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	for (unsigned int i = 0; i < x->nr_callers && i < y->nr_callers; i++) {
		int order = site_order(x->callers[i], y->callers[i]);

		if (order)
			return order;
	}
	return (x->nr_callers > y->nr_callers) - (x->nr_callers < y->nr_callers);
}

/* Sets the callers of a sample. The first frame of a stack is the call site itself: skip it. */
static void set_callers(struct kma_export_sites *sites, const struct kma_callstack *stack,
			struct kma_export_sample *sample)
{
	unsigned int first =
		stack->nr_frames &&
		!strcmp(sites->callers[stack->frames[0]].site->caller, sample->site->site->caller);
	const struct kma_export_site **callers;

	if (stack->nr_frames <= first)
		return;
	callers = kma_arena_zalloc(&sites->arena, stack->nr_frames * sizeof(*callers));
	for (unsigned int i = first; i < stack->nr_frames; i++)
		callers[sample->nr_callers++] = &sites->callers[stack->frames[i]];
	sample->callers = callers;
}

/* Makes the samples: one for each stack, or one for a site without stacks. */
static void make_samples(struct kma_export_sites *sites, const struct kma_site *all,
			 const struct kma_callstack *stacks, size_t nr)
{
	/* the sites by their numbers in the account */
	_cleanup_free_ const struct kma_export_site **by_number =
		kma_xcalloc(sites->nr + 1, sizeof(*by_number));
	_cleanup_free_ bool *has = kma_xcalloc(sites->nr + 1, sizeof(*has));

	sites->samples = kma_xcalloc(sites->nr + nr + 1, sizeof(*sites->samples));
	for (size_t i = 0; i < sites->nr; i++)
		by_number[sites->list[i].site - all] = &sites->list[i];
	for (size_t i = 0; i < nr; i++) {
		struct kma_export_sample *sample = &sites->samples[sites->nr_samples++];

		sample->site = by_number[stacks[i].site];
		sample->values = &stacks[i].values;
		has[stacks[i].site] = true;
		set_callers(sites, &stacks[i], sample);
	}
	for (size_t i = 0; i < sites->nr; i++)
		if (!has[sites->list[i].site - all])
			sites->samples[sites->nr_samples++] = (struct kma_export_sample){
				.site = &sites->list[i], .values = &sites->list[i].site->values
			};
	qsort(sites->samples, sites->nr_samples, sizeof(*sites->samples), sample_order);
}

struct kma_err *kma_places_find(const struct kma_account *account, struct kma_source *source,
				bool hide, struct kma_export_sites *ret)
{
	const struct kma_stacks *stacks = kma_account_stacks(account);
	const struct kma_callstack *all = NULL;
	const struct kma_site *sites;
	struct kma_err *err;
	size_t nr, nr_stacks = 0;
	uint32_t nr_frames;

	*ret = (struct kma_export_sites){ .has_files = kma_source_has_files(source) ||
						       kma_account_has_paths(account) };
	sites = kma_account_sites(account, &nr);
	ret->list = kma_xcalloc(nr + 1, sizeof(*ret->list));
	for (ret->nr = 0; ret->nr < nr; ret->nr++) {
		ret->list[ret->nr].site = &sites[ret->nr];
		err = set_place(ret, source, hide, &ret->list[ret->nr]);
		if (err)
			return err;
	}
	qsort(ret->list, ret->nr, sizeof(*ret->list), site_order);
	if (stacks && kma_stacks_have_frames(stacks)) {
		/* the frames of stacks, as call sites without values */
		nr_frames = kma_stacks_nr_frames(stacks);
		ret->callers = kma_xcalloc(nr_frames + 1UL, sizeof(*ret->callers));
		for (uint32_t i = 0; i < nr_frames; i++) {
			ret->callers[i].site = kma_stacks_frame(stacks, i);
			err = set_place(ret, source, hide, &ret->callers[i]);
			if (err)
				return err;
		}
		all = kma_stacks_all(stacks, &nr_stacks);
	}
	make_samples(ret, sites, all, nr_stacks);
	return NULL;
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
