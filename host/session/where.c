// SPDX-License-Identifier: GPL-2.0-only
/*
 * where.c - account for all memory of a machine.
 *
 * The files are read at different moments, so their numbers do not fit exactly. Each part of a line
 * of meminfo is therefore limited to the bytes that are left of the line, and a difference is at
 * least 0. kma_where_rest() makes the sum exact.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/cleanup.h"
#include "load.h"
#include "model/account.h"
#include "own.h"
#include "reader/memory.h"
#include "where.h"

#define KMA_WHERE_MEMINFO  "/proc/meminfo"
#define KMA_WHERE_SLABINFO "/proc/slabinfo"
#define KMA_WHERE_LARGE	   "[large kmalloc]" /* as the module names the cache of whole pages */

/*
 * Lines of meminfo that are rows, minus the line @without; a kernel need not have all of them. The
 * subtraction avoids that bytes are in two rows: Cached includes Shmem, VmallocUsed includes the
 * stacks of tasks, and KReclaimable includes SReclaimable. SwapCached is not a row: most of it is
 * mapped, and so part of AnonPages.
 */
static const struct {
	const char *group, *owner, *line, *without;
} kma_where_lines[] = {
	{ "user", "anonymous", "AnonPages", NULL },
	{ "files", "page cache", "Cached", "Shmem" },
	{ "files", "shared memory, tmpfs", "Shmem", NULL },
	{ "files", "block devices", "Buffers", NULL },
	{ "huge pages", "hugetlbfs", "Hugetlb", NULL },
	{ "kernel", "page tables", "PageTables", NULL },
	{ "kernel", "page tables of guests", "SecPageTables", NULL },
	{ "kernel", "stacks of tasks", "KernelStack", NULL },
	{ "kernel", "vmalloc", "VmallocUsed", "KernelStack" },
	{ "kernel", "compressed swap", "Zswap", NULL },
	{ "kernel", "bounce buffers", "Bounce", NULL },
	{ "kernel", "reclaimable, not slab", "KReclaimable", "SReclaimable" },
	{ "kernel", "balloon", "Balloon", NULL },
	{ "kernel", "graphics", "GPUActive", NULL },
	{ "kernel", "graphics, reclaimable", "GPUReclaim", NULL },
	{ "broken", "pages with errors", "HardwareCorrupted", NULL },
};

struct kma_where_in {
	struct kma_meminfo meminfo;
	struct kma_slabinfo slabinfo;
	bool has_slabinfo;
	struct kma_loaded loaded; /* its account is NULL if there is none */
};

/* Parts of an account by kind of memory: slabs, kmalloc() of whole pages, pages, per-CPU memory. */
enum kma_where_part { KMA_WHERE_SLAB, KMA_WHERE_WHOLE, KMA_WHERE_PAGES, KMA_WHERE_PERCPU };

static enum kma_where_part kma_where_part(const struct kma_site *site)
{
	const char *cache = site->cache ?: "";

	if (site->kind == KMA_KIND_PAGE || !strcmp(cache, "[pages]"))
		return KMA_WHERE_PAGES;
	if (site->kind == KMA_KIND_PERCPU || !strcmp(cache, "[percpu]"))
		return KMA_WHERE_PERCPU;
	return strcmp(cache, KMA_WHERE_LARGE) ? KMA_WHERE_SLAB : KMA_WHERE_WHOLE;
}

static uint64_t kma_where_sum(const struct kma_where_in *in, enum kma_where_part part)
{
	const struct kma_site *sites;
	uint64_t sum = 0;
	size_t nr;

	if (!in->loaded.account)
		return 0;
	sites = kma_account_sites(in->loaded.account, &nr);
	for (size_t i = 0; i < nr; i++)
		if (kma_where_part(&sites[i]) == part)
			sum += sites[i].values.current;
	return sum;
}

static struct kma_err *kma_where_push(struct kma_where_row **rows, size_t *nr,
				      const struct kma_where_row *row)
{
	if (!(*nr & (*nr - 1))) {
		struct kma_where_row *bigger =
			reallocarray(*rows, *nr ? *nr * 2 : 1, sizeof(*bigger));

		if (!bigger)
			return &kma_enomem;
		*rows = bigger;
	}
	(*rows)[(*nr)++] = *row;
	return NULL;
}

static struct kma_err *kma_where_add(struct kma_where *where, const char *group, const char *owner,
				     uint64_t bytes)
{
	const struct kma_where_row row = { .group = group, .owner = owner, .bytes = bytes };

	return kma_where_push(&where->rows, &where->nr, &row);
}

/* Adds a row for a part of a line of meminfo, of at most the bytes that are left of the line. */
static struct kma_err *kma_where_take(struct kma_where *where, const char *group, const char *owner,
				      uint64_t want, uint64_t *left)
{
	uint64_t bytes = want < *left ? want : *left;

	*left -= bytes;
	return bytes ? kma_where_add(where, group, owner, bytes) : NULL;
}

static uint64_t kma_where_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static struct kma_err *kma_where_meminfo(const struct kma_where_in *in, struct kma_where *where)
{
	struct kma_err *err = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(kma_where_lines) && !err; i++) {
		uint64_t bytes, without = 0;

		if (!kma_meminfo_get(&in->meminfo, kma_where_lines[i].line, &bytes))
			continue;
		if (kma_where_lines[i].without)
			kma_meminfo_get(&in->meminfo, kma_where_lines[i].without, &without);
		bytes = kma_where_less(bytes, without);
		if (bytes)
			err = kma_where_add(where, kma_where_lines[i].group,
					    kma_where_lines[i].owner, bytes);
	}
	return err;
}

/* Are all lines that the kernel counts in pages multiples of this size? */
static bool kma_where_fits(const struct kma_meminfo *meminfo, uint64_t size)
{
	static const char *const lines[] = { "MemTotal", "MemFree", "Cached",	  "AnonPages",
					     "Mapped",	 "Slab",    "SUnreclaim", "PageTables" };
	uint64_t bytes;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (kma_meminfo_get(meminfo, lines[i], &bytes) && bytes % size)
			return false;
	return true;
}

/*
 * Guesses the size of a page, because slabinfo counts pages without it. Of the sizes that divide
 * the lines of meminfo, takes the one with which the slabs are nearest to the line Slab. That line
 * alone is not sufficient: it includes kmalloc() of whole pages, which can be more than all slabs.
 */
static uint64_t kma_where_page(const struct kma_meminfo *meminfo, uint64_t pages, uint64_t slab)
{
	static const uint64_t sizes[] = { 4096, 16384, 65536 };
	uint64_t best = sizes[0];

	for (size_t i = 1; i < ARRAY_SIZE(sizes); i++) {
		uint64_t off = llabs((int64_t)(pages * sizes[i] - slab));

		if (kma_where_fits(meminfo, sizes[i]) &&
		    off < (uint64_t)llabs((int64_t)(pages * best - slab)))
			best = sizes[i];
	}
	return best;
}

static struct kma_err *kma_where_slab(const struct kma_where_in *in, struct kma_where *where)
{
	uint64_t ours = kma_where_sum(in, KMA_WHERE_SLAB), active = in->slabinfo.bytes, left, all;
	struct kma_err *err;

	kma_meminfo_get(&in->meminfo, "Slab", &left);
	all = in->slabinfo.nr_pages * kma_where_page(&in->meminfo, in->slabinfo.nr_pages, left);
	err = kma_where_take(where, "slab", "accounted", ours, &left);
	if (!err)
		err = kma_where_take(where, "slab", "accounted, kmalloc of whole pages",
				     kma_where_sum(in, KMA_WHERE_WHOLE), &left);
	if (!in->has_slabinfo)
		return err ? err :
			     kma_where_take(where, "slab", "[before], or free in slabs", left,
					    &left);
	if (!err)
		err = kma_where_take(where, "slab", "[before]", kma_where_less(active, ours),
				     &left);
	if (!err)
		err = kma_where_take(where, "slab", "free in slabs", kma_where_less(all, active),
				     &left);
	return err ? err :
		     kma_where_take(where, "slab", "[before], kmalloc of whole pages", left, &left);
}

static int kma_cmp_where(const void *a, const void *b)
{
	const struct kma_where_row *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return strcmp(x->owner, y->owner);
}

/* Lists the call sites of a part, largest first; their texts belong to @where. */
static struct kma_err *kma_where_sites(const struct kma_where_in *in, enum kma_where_part part,
				       struct kma_where *where, struct kma_where_row **ret,
				       size_t *ret_nr)
{
	const struct kma_site *sites;
	struct kma_err *err = NULL;
	size_t nr = 0;

	sites = in->loaded.account ? kma_account_sites(in->loaded.account, &nr) : NULL;
	for (size_t i = 0; i < nr && !err; i++) {
		struct kma_where_row row = { .bytes = sites[i].values.current };

		if (kma_where_part(&sites[i]) != part || !row.bytes)
			continue;
		row.owner = kma_arena_text(&where->arena, sites[i].caller, strlen(sites[i].caller));
		if (!row.owner)
			return &kma_enomem;
		err = kma_where_push(ret, ret_nr, &row);
	}
	if (*ret_nr)
		qsort(*ret, *ret_nr, sizeof(**ret), kma_cmp_where);
	return err;
}

static struct kma_err *kma_where_percpu(const struct kma_where_in *in, struct kma_where *where)
{
	_cleanup_free_ struct kma_where_row *sites = NULL;
	struct kma_err *err;
	size_t nr = 0;
	uint64_t left;

	kma_meminfo_get(&in->meminfo, "Percpu", &left);
	err = kma_where_sites(in, KMA_WHERE_PERCPU, where, &sites, &nr);
	for (size_t i = 0; i < nr && !err; i++)
		err = kma_where_take(where, "per-CPU", sites[i].owner, sites[i].bytes, &left);
	return err ? err : kma_where_take(where, "per-CPU", "[before], or free", left, &left);
}

/* Adds free memory, and the row that makes the sum equal to MemTotal. */
static struct kma_err *kma_where_rest(const struct kma_where_in *in, struct kma_where *where)
{
	struct kma_err *err;
	uint64_t sum;

	kma_meminfo_get(&in->meminfo, "MemFree", &sum);
	err = kma_where_add(where, "free", "free", sum);
	if (err)
		return err;
	sum = 0;
	for (size_t i = 0; i < where->nr; i++)
		sum += where->rows[i].bytes;
	if (sum <= where->total)
		return kma_where_add(where, "kernel", KMA_WHERE_REST, where->total - sum);
	err = kma_where_add(where, "kernel", KMA_WHERE_TWICE, sum - where->total);
	if (!err)
		where->rows[where->nr - 1].negative = true;
	return err;
}

static struct kma_err *kma_where_account(const struct kma_options *opts, struct kma_where_in *in)
{
	struct kma_options own = *opts;

	if (!own.account && !opts->meminfo)
		own.account = kma_own_account();
	return own.account || own.db_file ? kma_load_account(&own, &in->loaded) : NULL;
}

static struct kma_err *kma_where_read(const struct kma_options *opts, struct kma_where_in *in)
{
	bool here = !opts->meminfo && !opts->db_file &&
		    (!opts->account || kma_memory_is_here(opts->account));
	const char *slabinfo = opts->slabinfo;
	struct kma_err *err;

	if (!here && !opts->meminfo)
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"report: --where needs --meminfo FILE if the account is of another machine");
	if (!slabinfo && here && !access(KMA_WHERE_SLABINFO, R_OK))
		slabinfo = KMA_WHERE_SLABINFO;
	err = kma_where_account(opts, in);
	if (!err)
		err = kma_meminfo_read(opts->meminfo ?: KMA_WHERE_MEMINFO, &in->meminfo);
	if (!err && slabinfo)
		err = kma_slabinfo_read(slabinfo, &in->slabinfo);
	in->has_slabinfo = slabinfo;
	return err;
}

struct kma_err *kma_where_load(const struct kma_options *opts, struct kma_where *ret)
{
	struct kma_where_in in = { 0 };
	struct kma_err *err;

	*ret = (struct kma_where){ 0 };
	kma_arena_init(&ret->arena);
	err = kma_where_read(opts, &in);
	if (!err) {
		kma_meminfo_get(&in.meminfo, "MemTotal", &ret->total);
		err = kma_where_meminfo(&in, ret);
	}
	if (!err)
		err = kma_where_slab(&in, ret);
	if (!err)
		err = kma_where_percpu(&in, ret);
	if (!err)
		err = kma_where_rest(&in, ret);
	if (!err)
		err = kma_where_sites(&in, KMA_WHERE_PAGES, ret, &ret->pages, &ret->nr_pages);
	kma_slabinfo_deinit(&in.slabinfo);
	kma_meminfo_deinit(&in.meminfo);
	kma_unload(&in.loaded);
	return err;
}

void kma_where_deinit(struct kma_where *where)
{
	kma_arena_deinit(&where->arena);
	free(where->rows);
	free(where->pages);
}
