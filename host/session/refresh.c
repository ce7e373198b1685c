// SPDX-License-Identifier: GPL-2.0-only
/*
 * refresh.c - read one input repeatedly, for a live view.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/strbuf.h"
#include "model/filter.h"
#include "model/regroup.h"
#include "reader/reader.h"
#include "refresh.h"
#include "symbol/inline-frame.h"

static void refresh_start(struct kma_refresh *refresh)
{
	kma_rates_create(false, &refresh->rates);
	kma_rates_create(true, &refresh->cgroups);
}

void kma_refresh_init(struct kma_refresh *refresh, const char *path,
		      const struct kma_kernel_query *query)
{
	*refresh = (struct kma_refresh){ .path = path, .query = *query };
	refresh_start(refresh);
}

void kma_refresh_deinit(struct kma_refresh *refresh)
{
	kma_rates_destroy(refresh->rates);
	kma_rates_destroy(refresh->cgroups);
	kma_kernel_deinit(&refresh->kernel);
	*refresh = (struct kma_refresh){ 0 };
}

/*
 * The functions that were inlined at a call site, innermost first, a line for each:
 * "kmalloc include/linux/slab.h:590". The outermost frame is the function of the site itself.
 * Empty without such functions.
 */
static void inlines(const struct kma_place *place, struct kma_strbuf *text)
{
	for (unsigned int i = 0; place && i + 1 < place->nr_frames; i++) {
		const struct kma_frame *frame = &place->frames[i];

		kma_strbuf_printf(text, "%s%s %s:%u", i ? "\n" : "",
				  *frame->function ? frame->function : "?",
				  *frame->file ? frame->file : "?", frame->line);
	}
}

/* Tells the rates the place of a site. */
static void tell_place(struct kma_rates *rates, const struct kma_site *site,
		       struct kma_maintainers *maintainers)
{
	_cleanup_strbuf_ struct kma_strbuf dir = { 0 }, text = { 0 }, function = { 0 };
	struct kma_rates_place place = { 0 };
	struct kma_arena arena = { 0 };
	struct kma_item item;
	const char *slash;

	kma_item_of_site(site, maintainers, &arena, &item);
	slash = item.file ? strrchr(item.file, '/') : NULL;
	if (item.function) {
		kma_strbuf_add(&function, item.function, item.function_len);
		place.function = function.str;
	}
	if (item.file || item.function)
		place.module = site->module ?: "vmlinux";
	if (slash)
		kma_strbuf_add(&dir, item.file, slash - item.file);
	if (item.file) {
		place.dir = dir.str ?: ".";
		inlines(site->place, &text);
		place.inlines = text.str;
	}
	place.file = item.file;
	place.row = item.row;
	place.line = item.file ? item.line : NULL;
	place.subsystem = item.subsystem;
	place.type = item.type;
	kma_rates_place(rates, site->caller, &place);
	kma_arena_deinit(&arena);
}

/* Finds the places of the sites of an account, and the kernel at the first time. */
static struct kma_err *locate(struct kma_refresh *refresh, struct kma_account *account,
			      struct kma_notes *notes)
{
	struct kma_resolve_stats stats;
	struct kma_err *err;

	if (refresh->has_kernel)
		return kma_resolve(account, refresh->kernel.source, &stats);
	err = kma_kernel_find(&refresh->query, account, notes, &refresh->kernel) ?:
		      kma_kernel_maintainers(&refresh->query, &refresh->kernel);
	refresh->has_kernel = !err;
	return err;
}

/* The part of an account that --only and --not select; NULL without rules. */
static struct kma_err *choose(struct kma_refresh *refresh, struct kma_account *account,
			      struct kma_notes *notes, struct kma_account **ret)
{
	_cleanup_free_ bool *keep = NULL;
	struct kma_err *err;

	*ret = NULL;
	if (!refresh->query.only)
		return NULL;
	err = locate(refresh, account, notes);
	if (err)
		return err;
	keep = kma_only_sites(refresh->query.only, account, refresh->kernel.maintainers);
	return kma_account_part(account, keep, ret) ?: kma_account_finish(*ret);
}

/* Looks up the places of sites, if any site has none yet. */
static struct kma_err *refresh_places(struct kma_refresh *refresh, struct kma_account *account,
				      struct kma_notes *notes)
{
	const struct kma_site *sites;
	struct kma_err *err;
	size_t nr;

	if (!kma_rates_unplaced(refresh->rates))
		return NULL;
	err = locate(refresh, account, notes);
	if (err)
		return err;
	refresh->has_files = kma_source_has_files(refresh->kernel.source) ||
			     kma_account_has_paths(account);
	sites = kma_account_sites(account, &nr);
	/* Of sites with one text, of which one may be of another build, the first to tell wins. */
	for (size_t i = 0; i < 2 * nr; i++) {
		const struct kma_site *site = &sites[i % nr];

		if (!kma_site_file(site) != (i < nr))
			tell_place(refresh->rates, site, refresh->kernel.maintainers);
	}
	return NULL;
}

static void refresh_facts(struct kma_refresh *refresh, const struct kma_account *account)
{
	const char *release = kma_account_note(account, KMA_NOTE_RELEASE);

	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	refresh->has_ages = refresh->has_caches = false;
	for (size_t i = 0; i < nr && !(refresh->has_ages && refresh->has_caches); i++) {
		refresh->has_ages |= !!sites[i].age;
		refresh->has_caches |= !!sites[i].cache;
	}
	refresh->metrics = kma_account_metrics(account);
	for (unsigned int i = 0; i < KMA_NR_LOSSES; i++)
		if (!kma_account_loss(account, i, &refresh->losses[i]))
			refresh->losses[i] = 0;
	kma_unread_of(account, &refresh->unread);
	snprintf(refresh->release, sizeof(refresh->release), "%s", release ?: "");
}

void kma_refresh_restart(struct kma_refresh *refresh)
{
	kma_rates_destroy(refresh->rates);
	kma_rates_destroy(refresh->cgroups);
	refresh_start(refresh);
}

void kma_refresh_rebase(struct kma_refresh *refresh)
{
	kma_rates_rebase(refresh->rates);
	kma_rates_rebase(refresh->cgroups);
}

/*
 * Makes the rows of an account by call site and cgroup. *ret stays NULL if the account's own rows
 * are by cgroup, or if it has no cgroups and none are needed.
 */
static struct kma_err *refresh_regroup(struct kma_refresh *refresh,
				       const struct kma_account *account, struct kma_account **ret)
{
	struct kma_err *err = kma_regroup(account, KMA_GROUPED_CGROUP, ret);

	refresh->has_cgroups = !err;
	if (refresh->needs_cgroups || !kma_err_is(err, KMA_ERR_NOT_FOUND))
		return err;
	kma_err_destroy(err);
	return NULL;
}

static void refresh_cgroups(struct kma_refresh *refresh, const struct kma_account *rows,
			    uint64_t ns)
{
	if (!refresh->has_cgroups)
		return;
	refresh->cgroup_metrics = kma_account_metrics(rows);
	kma_rates_update(refresh->cgroups, rows, ns);
	kma_rates_place_as(refresh->cgroups, refresh->rates);
}

struct kma_err *kma_refresh_take(struct kma_refresh *refresh, struct kma_account *account,
				 uint64_t ns, struct kma_notes *notes)
{
	_cleanup_account_ struct kma_account *rows = NULL, *part = NULL;
	struct kma_err *err;

	err = choose(refresh, account, notes, &part);
	if (err)
		return err;
	account = part ?: account;
	err = refresh_regroup(refresh, account, &rows);
	if (err)
		return err;
	kma_rates_update(refresh->rates, account, ns);
	err = refresh_places(refresh, account, notes);
	if (err)
		return err;
	refresh_cgroups(refresh, rows ?: account, ns);
	refresh_facts(refresh, account);
	return NULL;
}

struct kma_err *kma_refresh_read(struct kma_refresh *refresh, struct kma_notes *notes)
{
	_cleanup_account_ struct kma_account *account = NULL;
	uint64_t begin = kma_clock(CLOCK_MONOTONIC);
	struct kma_err *err;

	err = kma_reader_read_file(refresh->path, &account) ?:
		      kma_refresh_take(refresh, account, begin, notes);
	if (err)
		return err;
	refresh->read_ns = kma_clock(CLOCK_MONOTONIC) - begin;
	return NULL;
}
