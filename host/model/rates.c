// SPDX-License-Identifier: GPL-2.0-only
/*
 * rates.c - call sites over time. rates.h has the design.
 *
 * Sites are in an array in the order of their first appearance. A hash table finds the index of a
 * caller and kind (and group). Texts are copied into an arena.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "lib/alloc.h"
#include "lib/arena.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/map.h"
#include "rates.h"

struct kma_rates {
	struct kma_rates_site *sites;
	size_t room;
	struct kma_map map; /* of @sites */
	size_t unplaced;    /* sites without a place */
	struct kma_arena arena;
	uint64_t allocs, frees;		 /* totals of the last account */
	uint64_t ns;			 /* time at which it was read */
	unsigned long samples, restarts; /* accounts since the last restart; restarts */
	bool groups;			 /* sites are identified by the group, too */
};

void kma_rates_create(bool groups, struct kma_rates **ret)
{
	*ret = kma_xcalloc(1, sizeof(**ret));
	(*ret)->groups = groups;
}

void kma_rates_destroy(struct kma_rates *rates)
{
	if (!rates)
		return;
	kma_arena_deinit(&rates->arena);
	free(rates->sites);
	kma_map_free(&rates->map);
	free(rates);
}

static bool rates_is(const struct kma_rates_site *site, const char *caller, enum kma_kind kind,
		     const char *group)
{
	return site->kind == kind && !strcmp(site->caller, caller) &&
	       (!group || !strcmp(site->group, group));
}

static uint32_t rates_hash(const char *caller, enum kma_kind kind, const char *group)
{
	return kma_map_text(caller, strlen(caller)) + kind +
	       (group ? kma_map_text(group, strlen(group)) : 0);
}

/* The site; NULL if there is none. @group: NULL if sites have no groups. */
static struct kma_rates_site *rates_find(const struct kma_rates *rates, const char *caller,
					 enum kma_kind kind, const char *group)
{
	uint32_t found = kma_map_find(&rates->map, rates_hash(caller, kind, group), i,
				      rates_is(&rates->sites[i], caller, kind, group));

	return found == KMA_MAP_NONE ? NULL : &rates->sites[found];
}

/* Copy a text into the arena; a copy of NULL is NULL. */
static const char *rates_copy(struct kma_rates *rates, const char *text)
{
	return text ? kma_arena_text(&rates->arena, text, strlen(text)) : NULL;
}

/* Find the site of a row, or add it. */
static struct kma_rates_site *rates_site(struct kma_rates *rates, const struct kma_site *from)
{
	const char *group = rates->groups ? from->group ?: KMA_GROUP_NONE : NULL;
	struct kma_rates_site *site = rates_find(rates, from->caller, from->kind, group);

	if (site)
		return site;
	kma_array_room(rates->sites, rates->map.nr, rates->room);
	site = &rates->sites[kma_map_add(&rates->map, rates_hash(from->caller, from->kind, group))];
	*site = (struct kma_rates_site){
		.caller = rates_copy(rates, from->caller),
		.group = rates_copy(rates, group),
		.kind = from->kind,
		.bytes = from->bytes,
		.named = from->named,
	};
	rates->unplaced++;
	return site;
}

/* Change per second over @seconds; negative if the number fell. */
static double rates_per_second(uint64_t before, uint64_t after, double seconds)
{
	return after >= before ? (after - before) / seconds : -((before - after) / seconds);
}

static void rates_rates(struct kma_rates_numbers *numbers, const struct kma_values *was,
			double seconds, double weight)
{
	const double newest[KMA_NR_RATES] = {
		[KMA_RATE_BYTES] = rates_per_second(was->current, numbers->now.current, seconds),
		[KMA_RATE_ALLOCS] = rates_per_second(was->allocs, numbers->now.allocs, seconds),
		[KMA_RATE_FREES] = rates_per_second(was->frees, numbers->now.frees, seconds),
	};

	for (unsigned int i = 0; i < KMA_NR_RATES; i++)
		numbers->rates[i] += weight * (newest[i] - numbers->rates[i]);
}

/* Restart: values of the account before cannot be compared with later ones. */
static void rates_forget(struct kma_rates *rates)
{
	for (size_t i = 0; i < rates->map.nr; i++) {
		struct kma_rates_numbers *numbers = &rates->sites[i].numbers;

		memset(numbers->rates, 0, sizeof(numbers->rates));
		memset(numbers->history, 0, sizeof(numbers->history));
	}
	rates->samples = 0;
}

void kma_rates_rebase(struct kma_rates *rates)
{
	for (size_t i = 0; i < rates->map.nr; i++)
		rates->sites[i].numbers.base = rates->sites[i].numbers.now.current;
}

/* Set the cache of a site from one of its rows. Several caches become KMA_SITE_CACHES. */
static void rates_cache(struct kma_rates *rates, struct kma_rates_site *site,
			const struct kma_site *from)
{
	const char *cache = from->caches ? KMA_SITE_CACHES : from->cache;

	if (cache && (!site->cache || strcmp(site->cache, cache) != 0))
		site->cache = rates_copy(rates, site->cache ? KMA_SITE_CACHES : cache);
}

static void rates_add_age(struct kma_site_age *to, const struct kma_site_age *from)
{
	to->live += from->live;
	to->unknown += from->unknown;
	if (from->oldest > to->oldest)
		to->oldest = from->oldest;
	for (unsigned int i = 0; i < KMA_SITE_EPOCHS; i++)
		to->epochs[i] += from->epochs[i];
}

/* Add the rows of an account to their sites. */
static void rates_take(struct kma_rates *rates, const struct kma_account *account)
{
	const struct kma_site *from;
	size_t nr;

	from = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++) {
		struct kma_rates_site *site = rates_site(rates, &from[i]);

		kma_values_add(&site->numbers.now, &from[i].values);
		if (from[i].age)
			rates_add_age(&site->numbers.age, from[i].age);
		rates_cache(rates, site, &from[i]);
	}
}

void kma_rates_update(struct kma_rates *rates, const struct kma_account *account, uint64_t ns)
{
	const struct kma_values *total = kma_account_total(account);
	double seconds = ns > rates->ns ? (ns - rates->ns) / 1e9 : 1e-9;
	bool restarted = rates->samples &&
			 (total->allocs < rates->allocs || total->frees < rates->frees);
	/* The rates of the second account are the first ones, so they are not smoothed. */
	double weight = rates->samples > 1 ? 1 - exp(-seconds * 1e9 / KMA_RATES_SMOOTH_NS) : 1;
	size_t before = rates->map.nr;
	struct kma_values *was;

	was = kma_xcalloc(before + 1, sizeof(*was));
	if (restarted) {
		rates_forget(rates);
		rates->restarts++;
	}
	for (size_t i = 0; i < before; i++) {
		was[i] = rates->sites[i].numbers.now;
		rates->sites[i].numbers.now = (struct kma_values){ 0 };
		rates->sites[i].numbers.age = (struct kma_site_age){ 0 };
	}
	rates_take(rates, account);
	for (size_t i = 0; i < rates->map.nr; i++) {
		struct kma_rates_numbers *numbers = &rates->sites[i].numbers;

		if (rates->samples)
			rates_rates(numbers, i < before ? &was[i] : &was[before], seconds, weight);
		memmove(numbers->history, numbers->history + 1,
			sizeof(numbers->history) - sizeof(numbers->history[0]));
		numbers->history[KMA_RATES_HISTORY - 1] = numbers->now.current;
	}
	free(was);
	if (!rates->samples++)
		kma_rates_rebase(rates);
	rates->allocs = total->allocs;
	rates->frees = total->frees;
	rates->ns = ns;
}

static void rates_place_one(struct kma_rates *rates, struct kma_rates_site *site,
			    const struct kma_rates_place *place)
{
	if (site->placed)
		return;
	site->place = (struct kma_rates_place){
		.dir = rates_copy(rates, place->dir),
		.file = rates_copy(rates, place->file),
		.line = rates_copy(rates, place->line),
		.function = rates_copy(rates, place->function),
		.module = rates_copy(rates, place->module),
		.subsystem = rates_copy(rates, place->subsystem),
		.type = rates_copy(rates, place->type),
		.row = rates_copy(rates, place->row),
		.inlines = rates_copy(rates, place->inlines),
	};
	site->placed = true;
	rates->unplaced--;
}

void kma_rates_place(struct kma_rates *rates, const char *caller,
		     const struct kma_rates_place *place)
{
	for (unsigned int kind = 0; kind < KMA_NR_KINDS; kind++) {
		struct kma_rates_site *site = rates_find(rates, caller, kind, NULL);

		if (site)
			rates_place_one(rates, site, place);
	}
}

void kma_rates_place_as(struct kma_rates *rates, const struct kma_rates *from)
{
	for (size_t i = 0; i < rates->map.nr && rates->unplaced; i++) {
		struct kma_rates_site *site = &rates->sites[i];
		const struct kma_rates_site *known = NULL;

		if (!site->placed)
			known = rates_find(from, site->caller, site->kind, NULL);
		if (!known || !known->placed)
			continue;
		site->place = known->place;
		site->placed = true;
		rates->unplaced--;
	}
}

size_t kma_rates_unplaced(const struct kma_rates *rates)
{
	return rates->unplaced;
}

const struct kma_rates_site *kma_rates_sites(const struct kma_rates *rates, size_t *nr)
{
	*nr = rates->map.nr;
	return rates->sites;
}

unsigned long kma_rates_samples(const struct kma_rates *rates)
{
	return rates->samples;
}

unsigned long kma_rates_restarts(const struct kma_rates *rates)
{
	return rates->restarts;
}

void kma_rates_add(struct kma_rates_numbers *to, const struct kma_rates_numbers *from)
{
	kma_values_add(&to->now, &from->now);
	to->base += from->base;
	rates_add_age(&to->age, &from->age);
	for (unsigned int i = 0; i < KMA_NR_RATES; i++)
		to->rates[i] += from->rates[i];
	for (unsigned int i = 0; i < KMA_RATES_HISTORY; i++)
		to->history[i] += from->history[i];
}
