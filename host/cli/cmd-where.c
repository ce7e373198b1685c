// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd-where.c - kmem-account where: show where all memory of a machine is, as rows that add up to
 * MemTotal.
 *
 * Most rows are lines of meminfo. Slab and per-CPU memory are split into bytes of the account and
 * other bytes. One more row, "[unexplained]", has the bytes that no line has. If lines overlap,
 * "[counted twice]" replaces it, the only negative row.
 *
 * The files are read at different moments, so their numbers do not fit exactly. Each part of a line
 * of meminfo is therefore limited to the bytes that are left of the line, and a difference is at
 * least 0. kma_where_rest() makes the sum exact.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "lib/cleanup.h"
#include "lib/doc.h"
#include "lib/file.h"
#include "lib/say.h"
#include "lib/sheet.h"
#include "lib/unpack.h"
#include "model/account.h"
#include "open/open.h"
#include "reader/memory.h"
#include "rows.h"
#include "session/load.h"
#include "where-rows.h"

#define FILE_MEMINFO  "/proc/meminfo"
#define FILE_SLABINFO "/proc/slabinfo"
#define CACHE_LARGE   "[large kmalloc]" /* as the module names the cache of whole pages */

struct where_args {
	struct kma_load_options load; /* the account */
	const char *meminfo, *slabinfo;
	struct kma_text_options text;
	bool old; /* the spelling "report --where" */
};

#define KMA_ARGS struct where_args

/* clang-format off */
static const struct kma_option options[] = {
	KMA_ROW_ACCOUNT(load.account),
	KMA_ROW_DB_FILE(load.db_file, KMA_OPTION_ARGUMENTS " file"),
	KMA_ROW_REFUSED("by"),
	KMA_ROW_REFUSED("slab"),
	{ "where", TO(FLAG, old) },
	{ "meminfo", .arg = "FILE", TO(TEXT, meminfo),
	  .help = "/proc/meminfo of the account's machine" },
	{ "slabinfo", .arg = "FILE", TO(TEXT, slabinfo),
	  .help = "/proc/slabinfo of the machine; shows what was allocated before the\n"
		  "account started" },
	KMA_ROW_TOP(text,
		    "show the first N call sites of pages (default: 10)"),
	KMA_ROWS_TEXT(text, "top"),
	KMA_ROWS_SECONDS(load.interval),
	KMA_ROWS_END(load.quiet),
};
/* clang-format on */

struct where {
	struct kma_meminfo meminfo;
	struct kma_slabinfo slabinfo;
	bool has_slabinfo;
	struct kma_loaded loaded; /* its account is NULL if there is none */
	uint64_t total;		  /* MemTotal in bytes, the sum of @sum */
	struct kma_where_rows sum;
	struct kma_where_rows pages; /* by call site, largest first; they are in rows of @sum, too */
};

/* Parts of an account by kind of memory: slabs, kmalloc() of whole pages, pages, per-CPU memory. */
enum where_part { PART_SLAB, PART_WHOLE, PART_PAGES, PART_PERCPU };

static enum where_part part_of(const struct kma_site *site)
{
	const char *cache = site->cache ?: "";

	if (site->kind == KMA_KIND_PAGE || !strcmp(cache, "[pages]"))
		return PART_PAGES;
	if (site->kind == KMA_KIND_PERCPU || !strcmp(cache, "[percpu]"))
		return PART_PERCPU;
	return strcmp(cache, CACHE_LARGE) ? PART_SLAB : PART_WHOLE;
}

static uint64_t sum_of(const struct where *where, enum where_part part)
{
	const struct kma_site *sites;
	uint64_t sum = 0;
	size_t nr;

	if (!where->loaded.account)
		return 0;
	sites = kma_account_sites(where->loaded.account, &nr);
	for (size_t i = 0; i < nr; i++)
		if (part_of(&sites[i]) == part)
			sum += sites[i].values.current;
	return sum;
}

/* Adds a row for a part of a line of meminfo, of at most the bytes that are left of the line. */
static void take(struct where *where, const char *group, const char *owner, uint64_t want,
		 uint64_t *left)
{
	uint64_t bytes = want < *left ? want : *left;

	*left -= bytes;
	if (bytes)
		kma_where_add(&where->sum, group, owner, bytes);
}

/* Are all lines that the kernel counts in pages multiples of this size? */
static bool fits(const struct kma_meminfo *meminfo, uint64_t size)
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
static uint64_t page_size(const struct kma_meminfo *meminfo, uint64_t pages, uint64_t slab)
{
	static const uint64_t sizes[] = { 4096, 16384, 65536 };
	uint64_t best = sizes[0];

	for (size_t i = 1; i < ARRAY_SIZE(sizes); i++) {
		uint64_t off = llabs((int64_t)(pages * sizes[i] - slab));

		if (fits(meminfo, sizes[i]) &&
		    off < (uint64_t)llabs((int64_t)(pages * best - slab)))
			best = sizes[i];
	}
	return best;
}

static void add_slab(struct where *where)
{
	uint64_t ours = sum_of(where, PART_SLAB), active = where->slabinfo.bytes, left, all;

	kma_meminfo_get(&where->meminfo, "Slab", &left);
	all = where->slabinfo.nr_pages * page_size(&where->meminfo, where->slabinfo.nr_pages, left);
	take(where, "slab", "accounted", ours, &left);
	take(where, "slab", "accounted, kmalloc of whole pages", sum_of(where, PART_WHOLE), &left);
	if (!where->has_slabinfo) {
		take(where, "slab", "[before], or free in slabs", left, &left);
		return;
	}
	take(where, "slab", "[before]", kma_where_less(active, ours), &left);
	take(where, "slab", "free in slabs", kma_where_less(all, active), &left);
	take(where, "slab", "[before], kmalloc of whole pages", left, &left);
}

/* Lists the call sites of a part, largest first. */
static void list_sites(const struct where *where, enum where_part part, struct kma_where_rows *ret)
{
	const struct kma_site *sites;
	size_t nr = 0;

	sites = where->loaded.account ? kma_account_sites(where->loaded.account, &nr) : NULL;
	for (size_t i = 0; i < nr; i++) {
		if (part_of(&sites[i]) == part && sites[i].values.current)
			kma_where_add(ret, "", sites[i].caller, sites[i].values.current);
	}
	kma_where_sort(ret);
}

static void add_percpu(struct where *where)
{
	struct kma_where_rows sites = { 0 };
	uint64_t left;

	kma_meminfo_get(&where->meminfo, "Percpu", &left);
	list_sites(where, PART_PERCPU, &sites);
	for (size_t i = 0; i < sites.nr; i++)
		take(where, "per-CPU", sites.rows[i].owner, sites.rows[i].bytes, &left);
	take(where, "per-CPU", "[before], or free", left, &left);
	free(sites.rows);
}

/*
 * Without an account, or with one of this machine (below /proc or /sys), files that @args do not
 * name are read from this machine.
 */
static struct kma_err *read_files(const struct where_args *args, struct where *where)
{
	struct kma_load_options load = args->load;
	bool here = !args->meminfo && !load.db_file &&
		    (!load.account || kma_memory_is_here(load.account));
	const char *slabinfo = args->slabinfo;
	struct kma_err *err;

	if (!here && !args->meminfo)
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"where: needs --meminfo FILE if the account is of another machine");
	if (!slabinfo && here && !access(FILE_SLABINFO, R_OK))
		slabinfo = FILE_SLABINFO;
	if (!load.account && !args->meminfo)
		load.account = kma_open_own();
	if (load.account || load.db_file) {
		err = kma_load_account(&load, &where->loaded);
		if (err)
			return err;
	}
	err = kma_meminfo_read(args->meminfo ?: FILE_MEMINFO, &where->meminfo);
	if (err)
		return err;
	where->has_slabinfo = slabinfo;
	return slabinfo ? kma_slabinfo_read(slabinfo, &where->slabinfo) : NULL;
}

#define PAGE_ROWS 10 /* call sites of pages to show without --top and --all */

static const struct kma_sheet_column columns[] = {
	{ .name = "group", .title = "group", .kind = KMA_CELL_TEXT },
	{ .name = "bytes", .title = "bytes", .kind = KMA_CELL_BYTES },
	{ .title = "share", .kind = KMA_CELL_SHARE, .width = 6, .fixed = true },
	{ .name = "owner", .title = "owner", .kind = KMA_CELL_TEXT },
};

static const struct kma_sheet_column page_columns[] = {
	{ .name = "bytes", .title = "bytes", .kind = KMA_CELL_BYTES },
	{ .title = "share", .kind = KMA_CELL_SHARE, .width = 6, .fixed = true },
	{ .name = "caller", .title = "caller", .kind = KMA_CELL_TEXT },
};

/* Sets a cell. The row after the last one of @where is MemTotal. */
static void set_cell(const void *arg, size_t i, size_t column, struct kma_cell *ret)
{
	const struct where *where = arg;
	const struct kma_where_row total = { "", "MemTotal", where->total, false };
	const struct kma_where_row *row = i < where->sum.nr ? &where->sum.rows[i] : &total;

	switch (column) {
	case 0:
		ret->text = row->group;
		break;
	case 1:
		ret->number = row->bytes;
		ret->sign = row->negative ? '-' : 0;
		break;
	case 2:
		ret->number = row->bytes;
		ret->whole = where->total;
		ret->sign = row->negative ? '-' : 0;
		break;
	default:
		ret->text = row->owner;
	}
}

struct where_pages {
	const struct where *where;
	size_t shown; /* rows of call sites; one more has the others */
	char others[48];
	uint64_t rest;
};

static void set_page_cell(const void *arg, size_t i, size_t column, struct kma_cell *ret)
{
	const struct where_pages *pages = arg;
	const struct kma_where_row rest = { NULL, pages->others, pages->rest, false };
	const struct kma_where_row *row = i < pages->shown ? &pages->where->pages.rows[i] : &rest;

	if (column == 2)
		ret->text = row->owner;
	else
		ret->number = row->bytes;
	ret->whole = pages->where->total;
}

static void write_pages(const struct where *where, const struct kma_text_options *opts,
			struct kma_doc *doc)
{
	struct where_pages pages = {
		.where = where,
		.shown = opts->top	   ?:
				 opts->all ? where->pages.nr :
					     PAGE_ROWS,
	};
	struct kma_sheet sheet = {
		.name = "pages_by_caller",
		.title = "Pages by call site (already counted in the rows above)",
		.columns = page_columns,
		.nr_columns = ARRAY_SIZE(page_columns),
		.style = KMA_JSON_INLINE,
		.cell = set_page_cell,
		.arg = &pages,
	};

	if (pages.shown >= where->pages.nr)
		pages.shown = where->pages.nr;
	for (size_t i = pages.shown; i < where->pages.nr; i++)
		pages.rest += where->pages.rows[i].bytes;
	snprintf(pages.others, sizeof(pages.others), "other (%zu rows)",
		 where->pages.nr - pages.shown);
	sheet.rows = pages.shown + (pages.shown < where->pages.nr);
	if (kma_doc_table(doc))
		kma_strbuf_puts(doc->out, "\n");
	kma_sheet_write(&sheet, doc);
}

/*
 * CSV has only the rows that add up to MemTotal. A table and JSON also have the pages by call site,
 * whose bytes are in other rows as well.
 */
static void write_rows(const struct where *where, const struct kma_text_options *opts,
		       struct kma_strbuf *out)
{
	const struct kma_sheet sheet = {
		.name = "rows",
		.columns = columns,
		.nr_columns = ARRAY_SIZE(columns),
		.style = KMA_JSON_INLINE,
		.cell = set_cell,
		.arg = where,
		.rows = where->sum.nr,
		.tail = 1,
	};
	struct kma_doc doc;

	kma_text_begin(opts, "kmem-account where", &doc, out);
	kma_sheet_write(&sheet, &doc);
	if (kma_doc_json(&doc))
		kma_doc_number(&doc, "total", NULL, where->total);
	if (where->pages.nr && opts->format != KMA_FORMAT_CSV)
		write_pages(where, opts, &doc);
	kma_doc_end(&doc);
}

static struct kma_err *show(const struct where_args *args, struct where *where)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_err *err = read_files(args, where);

	if (err)
		return err;
	kma_meminfo_get(&where->meminfo, "MemTotal", &where->total);
	kma_where_meminfo(&where->meminfo, !args->meminfo, &where->sum);
	add_slab(where);
	add_percpu(where);
	kma_where_rest(&where->meminfo, &where->sum);
	list_sites(where, PART_PAGES, &where->pages);
	write_rows(where, &args->text, &text);
	return kma_outfile_write(args->text.output, &text);
}

static int main_where(int argc, char **argv)
{
	struct where_args args = { 0 };
	struct where where = { 0 };
	struct kma_err *err;
	int first, code;

	err = kma_option_read(&kma_cmd_where, argc, argv, &args, &first);
	if (!err)
		err = kma_interval_check("where", &args.load.interval);
	if (err || !first)
		return kma_fail(err, KMA_EXIT_USAGE);
	args.load.account = argv[first] ?: args.load.account;
	code = kma_fail_kind(show(&args, &where));
	free(where.sum.rows);
	free(where.pages.rows);
	kma_slabinfo_deinit(&where.slabinfo);
	kma_meminfo_deinit(&where.meminfo);
	kma_unload(&where.loaded);
	return code;
}

const struct kma_cmd kma_cmd_where = {
	.name = "where",
	.usage = "[OPTION...] [[-f] ACCOUNT]",
	.about = "Show where all memory of the machine is: rows that add up to MemTotal.",
	.examples = "  kmem-account where\n"
		    "  kmem-account where account.txt --meminfo meminfo --slabinfo slabinfo\n"
		    "  kmem-account where --format json -O where.json\n",
	.options = options,
	.most = 1,
	.main = main_where,
};
