// SPDX-License-Identifier: GPL-2.0-only
/*
 * suspects.c - judge the call sites of a series of accounts.
 *
 * model/leak.c gives the verdict on one site from its evidence. This file collects the evidence:
 * the values of each sample and the cohorts of ages (model/leak-series.h), whether reclaim can free
 * the objects (the kind of memory, the flags of slab caches that watch stores, a reclaim before
 * each sample), and whether the site's module was unloaded.
 */
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "model/leak-part.h"
#include "suspects.h"

/*
 * Call sites whose objects the kernel frees late, many at once; until then they look like a leak.
 * vfree() keeps the vmap_area of an address range until 32 MiB of ranges wait to be purged
 * (mm/vmalloc.c), and each read of a snapshot of the module uses some. A real leak of vmalloc()
 * memory also has another call site, that of its vm_struct.
 */
static const char *const suspects_late[] = { "alloc_vmap_area+" };

static bool suspects_is_late(const struct kma_site *site)
{
	for (size_t i = 0; i < ARRAY_SIZE(suspects_late); i++)
		if (!strncmp(site->caller, suspects_late[i], strlen(suspects_late[i])))
			return true;
	return false;
}

/*
 * Can reclaim free the objects of a site? No shrinker frees pages, per-CPU memory or objects of
 * kmalloc(), except those of kmalloc's caches for __GFP_RECLAIMABLE. For other caches the kernel's
 * flag decides; @caches lists the flagged ones, or is NULL if the account does not have the flags.
 */
static enum kma_leak_reclaim suspects_cache(const struct kma_site *site, const char *caches)
{
	if (suspects_is_late(site))
		return KMA_LEAK_RECLAIM_LATE;
	if (site->cache && !strncmp(site->cache, "kmalloc-rcl", strlen("kmalloc-rcl")))
		return KMA_LEAK_RECLAIM_CACHE;
	if (site->kind == KMA_KIND_KMALLOC || site->kind == KMA_KIND_PAGE ||
	    site->kind == KMA_KIND_PERCPU)
		return KMA_LEAK_RECLAIM_NONE;
	if (!caches || !site->cache || site->caches)
		return KMA_LEAK_RECLAIM_UNKNOWN;
	return kma_list_has(caches, site->cache) ? KMA_LEAK_RECLAIM_CACHE : KMA_LEAK_RECLAIM_NONE;
}

/* The same; if caches were dropped before each sample, the remaining objects passed a reclaim. */
static enum kma_leak_reclaim suspects_reclaim(const struct kma_site *site, const char *caches,
					      bool dropped)
{
	enum kma_leak_reclaim reclaim = suspects_cache(site, caches);

	return dropped && reclaim != KMA_LEAK_RECLAIM_NONE && reclaim != KMA_LEAK_RECLAIM_LATE ?
		       KMA_LEAK_RECLAIM_PASSED :
		       reclaim;
}

/*
 * Advice on how to get the evidence that distinguishes a leak from a cache that fills. Only
 * snapshots have ages, and only for call sites without groups. The time of a workload is counted in
 * runs, with which ages cannot be compared.
 */
static const char *suspects_advice(bool parts, bool workload)
{
	if (workload)
		return "take more samples with -n";
	if (parts)
		return "judge call sites (--by caller), from snapshots with 'age on',";
	return "use snapshots with ages (write 'age on' to /proc/kmem_account)";
}

struct kma_suspect *kma_suspects_judge(const struct kma_leak_series *series, double floor,
				       bool parts, const double *steps, size_t *nr)
{
	_cleanup_free_ struct kma_leak_sample *room =
		kma_xcalloc(kma_leak_series_nr(series) + 1, sizeof(*room));
	size_t samples = kma_leak_series_nr(series);
	struct kma_leak_cohort cohorts[KMA_LEAK_SERIES_COHORTS];
	const struct kma_site *const *sites = kma_leak_series_sites(series, nr);
	struct kma_suspect *list = kma_xcalloc(*nr + 1, sizeof(*list));
	const char *caches;
	bool dropped, workload;
	double last, freed;

	caches = samples ? kma_account_note(kma_leak_series_last(series), KMA_NOTE_RECLAIMABLE) :
			   NULL;
	workload = samples && kma_account_note(kma_leak_series_last(series), KMA_NOTE_WORKLOAD);
	dropped = samples && kma_account_note(kma_leak_series_last(series), KMA_NOTE_DROPPED);
	for (size_t i = 0; i < *nr; i++) {
		struct kma_leak_site site = { .samples = room,
					      .cohorts = cohorts,
					      .floor = floor,
					      .run = steps ? KMA_LEAK_RUN : 0 };

		site.has_allocs = kma_leak_series_samples(series, sites[i], room, &site.nr);
		site.missing = samples - site.nr;
		last = site.nr ? room[site.nr - 1].live : 0;
		freed = site.nr && site.has_allocs ?
				room[site.nr - 1].allocs - room[site.nr - 1].objects :
				-1;
		/* a change belongs to an interval only if the site has a sample at both of its ends */
		if (steps)
			site.nr = site.missing ? 0 : kma_leak_part(room, samples, steps);
		site.reclaim = suspects_reclaim(sites[i], caches, dropped);
		site.unloaded = kma_leak_series_unloaded(series, sites[i]);
		site.advice = suspects_advice(parts, workload);
		if (!workload)
			kma_leak_series_cohorts(series, sites[i], cohorts, &site.nr_cohorts);
		kma_leak_judge(&site, &list[i].result);
		/* what the site holds and has freed is not divided among turns */
		if (steps) {
			list[i].result.evidence.last = last;
			list[i].result.evidence.freed = freed;
		}
		list[i].site = sites[i];
	}
	return list;
}
