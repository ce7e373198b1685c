// SPDX-License-Identifier: GPL-2.0-only
/*
 * caches.c - add the kernel's own numbers of slab caches to an account by cache.
 *
 * The row "[before]" of a cache is the bytes of its active objects by slabinfo minus the bytes of
 * the account, at least 0. SLUB counts the free objects on the slabs of a CPU as active, so the
 * row is too large by those. With such rows the account has only the metrics live bytes and
 * objects, because nothing else is known of the older objects.
 *
 * A merged cache is one directory of /sys/kernel/slab, and its names are symbolic links to it. So
 * names with the same target are aliases. Lists are short (some hundred caches), and are searched
 * linearly.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "caches.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "model/filter.h"
#include "reader/memory.h"

#define KMA_CACHES_SLABINFO "/proc/slabinfo"
#define KMA_CACHES_SLAB	    "/sys/kernel/slab"

/* A name of a cache, and the directory in sysfs that all names of the same cache lead to. */
struct kma_alias {
	char *name;
	char *target;
};

struct kma_aliases {
	struct kma_alias *list;
	size_t nr, alloc;
};

static void aliases_deinit(struct kma_aliases *aliases)
{
	for (size_t i = 0; i < aliases->nr; i++) {
		free(aliases->list[i].name);
		free(aliases->list[i].target);
	}
	free(aliases->list);
}

static void add_alias(struct kma_aliases *aliases, const char *name, const char *target)
{
	kma_array_room(aliases->list, aliases->nr, aliases->alloc);
	aliases->list[aliases->nr].name = kma_xstrdup(name);
	aliases->list[aliases->nr++].target = kma_xstrdup(target);
}

/*
 * Reads the symbolic links of /sys/kernel/slab. A cache that cannot be merged is a directory, not a
 * link. If the directory is missing, this is an error only if @must.
 */
static struct kma_err *aliases_read(const char *path, bool must, struct kma_aliases *ret)
{
	_cleanup_dir_ DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir)
		return must ? kma_err_create(path, 0, "cannot open: %s", strerror(errno)) : NULL;
	while ((entry = readdir(dir))) {
		char target[PATH_MAX];
		ssize_t len = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1);

		if (len <= 0)
			continue;
		target[len] = '\0';
		add_alias(ret, entry->d_name, target);
	}
	return NULL;
}

static int cmp_alias(const void *a, const void *b)
{
	return strcmp(((const struct kma_alias *)a)->name, ((const struct kma_alias *)b)->name);
}

/* Writes the other names of a cache, "pid, eventpoll_epi"; nothing if it has none. */
static void aliases_of(const struct kma_aliases *aliases, const char *name, struct kma_strbuf *out)
{
	const struct kma_alias *self = NULL;

	for (size_t i = 0; i < aliases->nr && !self; i++)
		if (!strcmp(aliases->list[i].name, name))
			self = &aliases->list[i];
	for (size_t i = 0; i < aliases->nr && self; i++)
		if (&aliases->list[i] != self && !strcmp(aliases->list[i].target, self->target))
			kma_strbuf_printf(out, "%s%s", out->len ? ", " : "", aliases->list[i].name);
}

/* The inputs, and the account that is made. */
struct kma_caches_of {
	struct kma_aliases aliases; /* sorted by name; empty: unknown */
	struct kma_slabinfo slabinfo;
	bool has_slabinfo;
	struct kma_account *to;
};

static void set_aliases(const struct kma_caches_of *of, const char *cache)
{
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };

	aliases_of(&of->aliases, cache, &names);
	if (names.len)
		kma_account_set_aliases(of->to, names.str);
}

static struct kma_err *caches_sites(const struct kma_caches_of *of, const struct kma_account *from)
{
	const struct kma_site *sites;
	struct kma_err *err;
	size_t nr;

	sites = kma_account_sites(from, &nr);
	for (size_t i = 0; i < nr; i++) {
		err = kma_account_copy_site(&sites[i], of->to);
		if (err)
			return err;
		if (sites[i].cache && !sites[i].caches)
			set_aliases(of, sites[i].cache);
	}
	return NULL;
}

/* Sums the sites of a cache. Sites with several caches are left out: their shares are unknown. */
static struct kma_values caches_ours(const struct kma_account *from, const char *cache)
{
	struct kma_values sum = { 0 };
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(from, &nr);
	for (size_t i = 0; i < nr; i++)
		if (sites[i].cache && !sites[i].caches && !strcmp(sites[i].cache, cache))
			kma_values_add(&sum, &sites[i].values);
	return sum;
}

static uint64_t caches_left(uint64_t all, uint64_t ours)
{
	return all > ours ? all - ours : 0;
}

static struct kma_err *caches_before(const struct kma_caches_of *of, const struct kma_account *from)
{
	struct kma_err *err = NULL;

	for (size_t i = 0; i < of->slabinfo.nr && !err; i++) {
		const struct kma_slab *slab = &of->slabinfo.slabs[i];
		struct kma_values ours = caches_ours(from, slab->name);
		struct kma_values before = {
			.objects = caches_left(slab->active, ours.objects),
		};

		before.current = caches_left(slab->active * slab->size, ours.current);
		if (kma_values_is_zero(&before))
			continue;
		err = kma_account_add_site(of->to, KMA_SITE_BEFORE, strlen(KMA_SITE_BEFORE),
					   &before);
		if (err)
			return err;
		kma_account_set_cache(of->to, slab->name, false);
		set_aliases(of, slab->name);
	}
	return NULL;
}

/* Warns of sites with several caches: their bytes are also in the rows "[before]". */
static struct kma_err *caches_mixed(const struct kma_caches_of *of, const struct kma_account *from)
{
	struct kma_values sum = { 0 };
	const struct kma_site *sites;
	size_t nr;

	sites = kma_account_sites(from, &nr);
	for (size_t i = 0; i < nr; i++)
		if (sites[i].caches)
			kma_values_add(&sum, &sites[i].values);
	if (!sum.current)
		return NULL;
	kma_account_warn(
		of->to,
		"%" PRIu64
		" bytes of call sites with several slab caches are counted twice: in " KMA_SITE_CACHES
		" and in " KMA_SITE_BEFORE
		"; for exact rows, read /sys/kernel/debug/kmem_account/caches",
		sum.current);
	return NULL;
}

static struct kma_err *caches_fill(const struct kma_caches_of *of, const struct kma_account *from)
{
	unsigned int known = 1U << KMA_CURRENT | 1U << KMA_OBJECTS;
	struct kma_err *err;

	kma_account_copy_head(from, of->to);
	/* Only these metrics are known of objects from before the account. */
	if (of->has_slabinfo)
		kma_account_set_metrics(of->to, kma_account_metrics(from) & known);
	err = caches_sites(of, from);
	if (!err && of->has_slabinfo)
		err = caches_before(of, from) ?: caches_mixed(of, from);
	return err ?: kma_account_finish(of->to);
}

static struct kma_err *caches_inputs(const struct kma_load_options *opts, struct kma_caches_of *of)
{
	bool here = opts->account && kma_memory_is_here(opts->account);
	const char *slabinfo = opts->slabinfo, *slab = opts->slab;
	bool part = opts->kinds || opts->stacks.through;
	struct kma_err *err;

	/* If sites were left out of the account, slabinfo minus the account is not "[before]". */
	if (!slabinfo && here && !part && !access(KMA_CACHES_SLABINFO, R_OK))
		slabinfo = KMA_CACHES_SLABINFO;
	if (!slab && here)
		slab = KMA_CACHES_SLAB;
	if (slabinfo) {
		err = kma_slabinfo_read(slabinfo, &of->slabinfo);
		if (err)
			return err;
		of->has_slabinfo = true;
	}
	if (slab) {
		err = aliases_read(slab, opts->slab, &of->aliases);
		if (err)
			return err;
	}
	if (of->aliases.nr)
		qsort(of->aliases.list, of->aliases.nr, sizeof(*of->aliases.list), cmp_alias);
	return NULL;
}

struct kma_err *kma_caches_load(const struct kma_load_options *opts,
				const struct kma_account *account, struct kma_account **ret)
{
	struct kma_caches_of of = { 0 };
	struct kma_err *err = caches_inputs(opts, &of);

	*ret = NULL;
	if (!err && (of.has_slabinfo || of.aliases.nr)) {
		of.to = kma_account_create(kma_account_name(account));
		err = caches_fill(&of, account);
		if (err)
			kma_account_destroy(of.to);
		else
			*ret = of.to;
	}
	kma_slabinfo_deinit(&of.slabinfo);
	aliases_deinit(&of.aliases);
	return err;
}
