// SPDX-License-Identifier: GPL-2.0-only
/*
 * scan-kernel.c - the kernel of a scan of the heap.
 */
#include <string.h>
#include <unistd.h>

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

/* Finds the types of the objects that are older than the module, by their caches. */
static struct kma_err *type_older(const struct kma_scan *scan, struct kma_source *source)
{
	static const char of[] = KMA_SITE_BEFORE_OF;
	_cleanup_free_ uint64_t *objects = kma_xcalloc(scan->sites.nr + 1, sizeof(*objects));
	_cleanup_free_ uint64_t *bytes = kma_xcalloc(scan->sites.nr + 1, sizeof(*bytes));
	struct kma_err *err = NULL;

	for (uint32_t i = 0; i < scan->paths.nr; i++) {
		const struct kma_path *path = &scan->paths.list[i];

		if (path->site >= scan->sites.nr)
			continue;
		objects[path->site]++;
		bytes[path->site] += path->bytes;
	}
	for (uint32_t i = 0; i < scan->sites.nr && !err; i++) {
		const char *caller = scan->sites.callers[i];
		_cleanup_free_ char *cache = NULL;

		if (!caller || strncmp(caller, of, strlen(of)) != 0)
			continue;
		cache = kma_xstrndup(caller + strlen(of), strcspn(caller + strlen(of), "]"));
		err = kma_source_before(source, cache, objects[i], bytes[i]);
	}
	return err;
}

struct kma_err *kma_scan_kernel(const struct kma_kernel_query *query,
				const struct kma_heap_source *heap, bool file,
				struct kma_scan *scan, struct kma_loaded *loaded)
{
	_cleanup_free_ char *sites = NULL;
	struct kma_load_options opts = { .account = KMA_FILE_SNAPSHOT, .quiet = true };
	struct kma_err *err = NULL;

	/* Types may be found without a kernel. */
	if (!query->tree && !query->vmlinux &&
	    (file ? !scan->account : heap->vmcore || access(opts.account, R_OK)))
		return NULL;
	opts.kernel = *query;
	opts.kernel.types = true;
	loaded->account = scan->account;
	scan->account = NULL;
	if (file && !loaded->account)
		return kma_err_create(
			NULL, 0, "the scan has no places of call sites: a kernel cannot be used");
	if (heap->vmcore)
		opts.account = sites = kma_xasprintf("%s/sites", heap->tables);
	if (!loaded->account)
		err = kma_load_account(&opts, loaded);
	else
		count_objects(scan, loaded->account);
	err = err ?: kma_load_places(&opts, loaded);
	return err || !loaded->kernel.source ? err : type_older(scan, loaded->kernel.source);
}
