// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaks-scan.c - lost objects and holders of a scan, for the rows of leaks.
 *
 * A scan tells a caller's slab objects from those of other callers, but not its kinds of objects
 * from each other. If a caller has several rows, its lost objects are a leak of one of them, and it is
 * not known of which one: the confidence of each is its share.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heap/census.h"
#include "heap/holders.h"
#include "heap/scan-read.h"
#include "leaks-scan.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "lib/say.h"
#include "model/moment.h"

/* A scan, by call site. */
struct kma_leaks_evidence {
	bool caches; /* the rows are slab caches, and not call sites */
	const struct kma_scan *scan;
	const struct kma_account *newest;
	struct kma_holder *holders; /* sorted by caller */
	size_t nr, found;	    /* @found: rows whose call site the scan has */
	bool *seen;		    /* by row of @scan->lost: a row of leaks has the call site */
};

/* Refuse a scan of another kernel, boot or account, as far as both say of which they are. */
static struct kma_err *leaks_same(const char *path, const struct kma_account *account,
				  const struct kma_scan *of)
{
	static const char *const keys[] = { KMA_NOTE_BUILD_ID, KMA_NOTE_RELEASE };
	const struct kma_account *from = of->account;
	struct kma_moment scan = { 0 }, newest = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(keys) && from; i++) {
		const char *x = kma_account_note(from, keys[i]);
		const char *y = kma_account_note(account, keys[i]);

		if (x && y && strcmp(x, y) != 0)
			return kma_err_create(
				path, 0,
				"the scan is of another kernel than the inputs: its %s is %.40s, not %.40s",
				keys[i], x, y);
	}
	if (!from || !kma_moment_of(from, &scan) || !*scan.boot ||
	    !kma_moment_of(account, &newest) || !*newest.boot) {
		kma_warn("leaks: %s: cannot check whether the scan is of the boot of the inputs",
			 path);
		return NULL;
	}
	if (strcmp(scan.boot, newest.boot) != 0)
		return kma_err_create(path, 0, "the scan is of another boot than the newest input");
	if (!kma_moment_same(&scan, &newest))
		return kma_err_create(
			path, 0,
			"the module was loaded or cleared between the scan and the newest input");
	if (scan.up < newest.up)
		kma_warn(
			"leaks: %s: the scan is %.0f s older than the newest input, and has no objects that were allocated since",
			path, (newest.up - scan.up) / 1e9);
	else if (scan.up > newest.up)
		kma_warn("leaks: %s: the scan is %.0f s younger than the newest input", path,
			 (scan.up - newest.up) / 1e9);
	return NULL;
}

static const struct kma_holder *leaks_holder(const struct kma_leaks_evidence *evidence,
					     const char *caller)
{
	size_t i =
		kma_array_search(evidence->nr, n, strcmp(evidence->holders[n].caller, caller) < 0);

	if (i == evidence->nr || strcmp(evidence->holders[i].caller, caller) != 0)
		return NULL;
	return &evidence->holders[i];
}

/* Add up the lost objects of a caller, or those that are held unseen. */
static struct kma_lost_row leaks_sum(const struct kma_leaks_evidence *evidence, const char *caller,
				     bool unseen)
{
	const struct kma_lost *lost = &evidence->scan->lost;
	size_t from = unseen ? lost->nr : 0, to = lost->nr + (unseen ? lost->nr_unseen : 0);
	struct kma_lost_row sum = { 0 };

	for (size_t i = from; i < to; i++) {
		if (strcmp(lost->rows[i].caller, caller) != 0)
			continue;
		evidence->seen[i] = true;
		sum.lost += lost->rows[i].lost;
		sum.live += lost->rows[i].live;
		sum.heads += lost->rows[i].heads;
		sum.unseen = lost->rows[i].unseen;
	}
	return sum;
}

/*
 * Lost objects prove a leak: of this row, or of one of the rows of its caller. Reasons of the samples
 * for another verdict would contradict that.
 */
static void leaks_lost(struct kma_leak_table *table, struct kma_leak_row *row)
{
	_cleanup_strbuf_ struct kma_strbuf reasons = { 0 };
	bool was = row->result.verdict == KMA_LEAK_LEAK;

	kma_leaks_say_lost(row, &reasons);
	if (was)
		kma_strbuf_printf(&reasons, "; %s", row->reasons.str ?: "");
	kma_strbuf_deinit(&row->reasons);
	row->reasons = reasons;
	reasons = (struct kma_strbuf){ 0 };
	row->by_scan = !was;
	row->result.confidence = fmax(was ? row->result.confidence : 0, 1.0 / row->kinds);
	table->counts[row->result.verdict]--;
	row->result.verdict = KMA_LEAK_LEAK;
	table->counts[KMA_LEAK_LEAK]++;
}

static void leaks_held(const struct kma_holder *holder, struct kma_leak_row *row)
{
	kma_strbuf_puts(&row->reasons, "; ");
	if (holder->root)
		kma_leaks_say_holder(row, &row->reasons);
	else
		kma_strbuf_printf(&row->reasons,
				  "the last pass found nothing that holds its %" PRIu64 " %s",
				  holder->all, kma_plural(holder->all, "object", "objects"));
}

/* Say what the scan did not see of a call site. */
static void leaks_unequal(const struct kma_leaks_evidence *evidence, uint64_t scanned,
			  struct kma_leak_row *row)
{
	const unsigned int counts = 1U << KMA_ALLOCS | 1U << KMA_FREES;
	const struct kma_values *values = &row->site->values;
	uint64_t live = values->allocs > values->frees ? values->allocs - values->frees : 0;

	if ((kma_account_metrics(evidence->newest) & counts) == counts && live != scanned)
		kma_strbuf_printf(&row->reasons,
				  "; the scan saw %" PRIu64 " %s, the newest input has %" PRIu64,
				  scanned, kma_plural(scanned, "object", "objects"), live);
}

/* The text of a row as the scan has it; "" if it does not. */
static const char *leaks_name(const struct kma_leaks_evidence *evidence,
			      const struct kma_leak_row *row)
{
	const struct kma_listing_sites *sites = &evidence->scan->sites;

	if (!evidence->caches)
		return row->caller;
	for (uint32_t i = 0; i < sites->nr; i++)
		if (sites->callers[i] && kma_census_is(sites->callers[i], row->caller))
			return sites->callers[i];
	return "";
}

/* Does a scan see this kind of memory? */
static bool leaks_in_scan(const struct kma_leak_row *row)
{
	return row->site->kind != KMA_KIND_PAGE && row->site->kind != KMA_KIND_PERCPU;
}

static void leaks_row(struct kma_leaks_evidence *evidence, struct kma_leak_table *table,
		      struct kma_leak_row *row)
{
	const char *name = leaks_name(evidence, row);
	const struct kma_holder *holder = leaks_holder(evidence, name);
	struct kma_lost_row lost, unseen;

	if (!leaks_in_scan(row)) {
		kma_strbuf_printf(&row->reasons, "; a scan does not see %s",
				  row->site->kind == KMA_KIND_PAGE ? "pages" : "per-CPU memory");
		return;
	}
	lost = leaks_sum(evidence, name, false);
	unseen = leaks_sum(evidence, name, true);
	evidence->found += holder || lost.lost;
	if (!lost.lost && (!holder || !holder->all)) {
		kma_strbuf_puts(&row->reasons, "; the scan has no object of this call site");
		return;
	}
	row->scanned = true;
	row->lost = lost.lost;
	row->lost_of = lost.live;
	row->chained = !lost.heads;
	if (lost.lost > (evidence->caches ? KMA_LEAKS_AT_BOOT : 0))
		leaks_lost(table, row);
	if (holder && holder->all) {
		row->holder = holder->root;
		row->held = holder->held;
		row->held_of = holder->all;
		if (holder->root || (!lost.lost && !unseen.lost))
			leaks_held(holder, row);
	}
	if (unseen.lost)
		kma_strbuf_printf(&row->reasons,
				  "; %" PRIu64 " %s held in a way that a scan cannot see: %s",
				  unseen.lost, kma_plural(unseen.lost, "object is", "objects are"),
				  unseen.unseen->how);
	if (row->kinds == 1)
		leaks_unequal(evidence, holder && holder->all ? holder->all : lost.live, row);
}

static void leaks_rows(struct kma_leaks_evidence *evidence, struct kma_leak_table *table)
{
	struct kma_leak_row *rows = table->rows;

	for (size_t i = 0, next; i < table->nr; i = next) {
		size_t kinds = 0;

		for (next = i; next < table->nr && !strcmp(rows[i].caller, rows[next].caller);
		     next++)
			kinds += leaks_in_scan(&rows[next]);
		for (size_t n = i; n < next; n++) {
			rows[n].kinds = kinds;
			leaks_row(evidence, table, &rows[n]);
		}
	}
}

struct kma_err *kma_leaks_by_scan(const char *path, const struct kma_account *newest,
				  const struct kma_scan *scan, bool caches,
				  struct kma_leak_table *table)
{
	struct kma_leaks_evidence evidence = { .scan = scan, .newest = newest, .caches = caches };
	struct kma_err *err = path && !caches ? leaks_same(path, newest, scan) : NULL;

	if (err)
		return err;
	table->scan = true;
	evidence.holders = kma_holders_find(scan, &evidence.nr);
	evidence.seen =
		kma_xcalloc(scan->lost.nr + scan->lost.nr_unseen + 1, sizeof(*evidence.seen));
	leaks_rows(&evidence, table);
	if (table->nr && !evidence.found)
		err = kma_err_create(
			path ?: "scan", 0,
			"the scan has no call site of the inputs; is it of the same machine?");
	table->missing = 0;
	for (size_t i = 0; i < scan->lost.nr; i++)
		table->missing += !evidence.seen[i];
	free(evidence.holders);
	free(evidence.seen);
	return err;
}

struct kma_err *kma_leaks_scan(const char *path, const struct kma_account *newest,
			       struct kma_scan *scan, struct kma_leak_table *table)
{
	struct kma_err *err = kma_scan_load(path, scan, NULL);
	const char *note = NULL;

	table->scan = true;
	if (err || !newest)
		return err;
	err = kma_leaks_by_scan(path, newest, scan, false, table);
	if (err)
		return err;
	while ((note = kma_notes_next(&scan->notes, note)))
		kma_warn("leaks: %s: %s", path, note);
	if (table->missing)
		kma_warn("leaks: %s: %zu call %s with lost objects %s in no input; see lost", path,
			 table->missing, kma_plural(table->missing, "site", "sites"),
			 kma_plural(table->missing, "is", "are"));
	return NULL;
}
