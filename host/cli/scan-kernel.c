// SPDX-License-Identifier: GPL-2.0-only
/*
 * scan-kernel.c - the kernel of a scan of the heap.
 */
#include <string.h>
#include <unistd.h>

#include "heap/places.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/map.h"
#include "lib/module-files.h"
#include "scan-kernel.h"
#include "session/load.h"
#include "session/options.h"

/* Counts the objects of a scan in the account of its file, which has only the places of call sites. */
static void count_objects(const struct kma_scan *scan, struct kma_account *account)
{
	_cleanup_free_ struct kma_values *values = NULL;
	struct kma_map map = { 0 };
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(account, &nr);
	values = kma_xcalloc(nr + 1, sizeof(*values));
	for (size_t i = 0; i < nr; i++)
		kma_map_add(&map, kma_map_text(sites[i].caller, strlen(sites[i].caller)));
	for (uint32_t i = 0; i < scan->paths.nr; i++) {
		const struct kma_path *path = &scan->paths.list[i];
		const char *caller = kma_listing_caller(&scan->sites, path->site);
		uint32_t at = kma_map_find(&map, kma_map_text(caller, strlen(caller)), k,
					   !strcmp(sites[k].caller, caller));

		if (at == KMA_MAP_NONE || path->site == KMA_HEAP_FREE)
			continue;
		values[at].objects++;
		values[at].current += path->bytes;
	}
	for (size_t i = 0; i < nr; i++)
		kma_account_use_values(account, i, &values[i]);
	kma_map_free(&map);
}

/*
 * Adds the objects that are older than the module, a row for each cache, so that they get a type. A scan for
 * lost objects alone has only these.
 */
static struct kma_err *add_older(const struct kma_scan *scan, struct kma_account *account)
{
	const struct kma_lost *lost = &scan->lost;
	const struct kma_listing_sites *sites = &scan->sites;
	_cleanup_free_ struct kma_values *values = kma_xcalloc(sites->nr + 1, sizeof(*values));
	struct kma_err *err = NULL;
	size_t len;

	for (uint32_t i = 0; i < scan->paths.nr; i++) {
		const struct kma_path *path = &scan->paths.list[i];

		if (path->site >= sites->nr)
			continue;
		values[path->site].objects++;
		values[path->site].current += path->bytes;
	}
	for (uint32_t i = 0; i < sites->nr && !err; i++)
		if (sites->callers[i] && kma_site_before(sites->callers[i], &len))
			err = kma_account_add_scanned(account, sites->callers[i], &values[i]);
	for (size_t i = 0; i < lost->nr && !sites->nr && !err; i++) {
		const struct kma_lost_row *row = &lost->rows[i];
		const struct kma_values some = { .objects = row->lost, .current = row->bytes };

		if (kma_site_before(row->caller, &len))
			err = kma_account_add_scanned(account, row->caller, &some);
	}
	return err;
}

/* The account of the call sites of a scan of the running kernel, or of a dump. */
static struct kma_err *load_live(const struct kma_heap_source *heap, struct kma_loaded *loaded)
{
	_cleanup_free_ char *sites = NULL;
	struct kma_load_options opts = { .account = KMA_FILE_SNAPSHOT, .quiet = true };

	if (heap->vmcore)
		opts.account = sites = kma_xasprintf("%s/sites", heap->tables);
	else if (access(opts.account, R_OK))
		kma_places_none(&loaded->account);
	return loaded->account ? NULL : kma_load_account(&opts, loaded);
}

struct kma_err *kma_scan_kernel(const struct kma_kernel_query *query,
				const struct kma_heap_source *heap, bool file,
				struct kma_scan *scan, struct kma_loaded *loaded)
{
	struct kma_load_options opts = { .kernel = *query };
	struct kma_err *err = NULL;

	if (file && !scan->account && (query->tree || query->vmlinux || query->types_file))
		return kma_err_create(
			NULL, 0, "the scan has no places of call sites: a kernel cannot be used");
	if (file && !scan->account)
		return NULL;
	opts.kernel.types = true;
	loaded->account = scan->account;
	scan->account = NULL;
	if (loaded->account)
		count_objects(scan, loaded->account);
	else
		err = load_live(heap, loaded);
	return err ?: add_older(scan, loaded->account) ?: kma_load_places(&opts, loaded);
}
