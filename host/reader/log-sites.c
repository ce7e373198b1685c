// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-sites.c - numbers of the call sites of an event log.
 *
 * A direct-mapped cache of 8,192 addresses is searched first, by address, kind and owner. On a miss
 * the log's symbols give the address a name, and the name gets its number.
 *
 * Lost events and corrupt bytes are losses of the account. They never end a report: the other
 * events are counted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "log-sites.h"
#include "trace/ftrace-stack.h"

#define KMA_LOG_CACHE 8192 /* addresses in the cache */

/* Rows for events without a call site, by the kind of the event. */
static const char *const kma_log_no_site[KMA_NR_KINDS] = {
	[KMA_KIND_UNKNOWN] = "[without call site]",
	[KMA_KIND_KMALLOC] = "[without call site]",
	[KMA_KIND_CACHE] = "[without call site]",
	[KMA_KIND_PAGE] = "[pages without call site]",
	[KMA_KIND_PERCPU] = "[per-CPU memory without call site]",
};

/* A slot of the cache. */
struct kma_log_known {
	uint64_t address;
	uint32_t site;	/* number */
	uint32_t owner; /* number of the task or cgroup, from kma_log_owner() */
	uint8_t kind;
	bool is; /* the slot is in use */
};

/* Where the code of a site lies in its file, vmlinux or a module. */
struct kma_log_place {
	char build_id[KMA_LOG_BUILD_ID_MAX]; /* of the file; "" if unknown */
	uint64_t offset;
	bool in_init; /* @offset is in the part that is freed after initialisation */
};

struct kma_log_sites {
	const struct kma_log *log;
	struct kma_intern *intern;
	struct kma_log_known *known;  /* the cache */
	struct kma_log_place *places; /* by number of the site */
	uint32_t nr_places;	      /* allocated elements of @places */
	uint32_t *rows;		      /* numbers of the sites in the account's order */
	size_t nr_rows, room_rows;
	uint32_t takers[KMA_NR_TAKERS]; /* numbers of the allocators' rows */
	uint32_t no_site[KMA_NR_KINDS]; /* numbers of the rows for events without a call site */
	enum kma_grouped by;		/* by what sites are separated */
	uint64_t from; /* beginning of the interval, ns since the start of the log */
};

static void log_add_place(struct kma_log_sites *sites, uint32_t site,
			  const struct kma_log_site *named)
{
	kma_array_reach(sites->places, sites->nr_places, site);
	memcpy(sites->places[site].build_id, named->build_id, sizeof(named->build_id));
	sites->places[site].offset = named->offset;
	sites->places[site].in_init = named->in_init;
}

/* Did an allocator take these pages for itself? The objects in them have rows of their own. */
static bool log_taken(const struct kma_log_item *item, enum kma_taker *ret)
{
	*ret = item->part == KMA_LOG_SLAB_PAGE ? KMA_TAKER_SLAB : KMA_TAKER_PERCPU;
	return item->part == KMA_LOG_SLAB_PAGE || item->part == KMA_LOG_PERCPU_PAGE;
}

/* Name and number a site that is not in the cache. */
static void log_sites_new(struct kma_log_sites *sites, const struct kma_log_item *item,
			  const char *owner, uint32_t *ret)
{
	struct kma_log_site named = { 0 };
	const char *text = kma_log_no_site[item->kind];

	if (item->site) {
		kma_log_site(sites->log, item->site, &named);
		text = named.text;
	}
	*ret = owner ? kma_intern_grouped(sites->intern, item->kind, text, strlen(text), owner) :
		       kma_intern(sites->intern, item->kind, text, strlen(text));
	if (*ret == KMA_INTERN_REST || !item->site)
		return;
	log_add_place(sites, *ret, &named);
}

void kma_log_sites_find(struct kma_log_sites *sites, const struct kma_log_item *item, uint32_t *ret)
{
	struct kma_log_known *known;
	enum kma_taker taker;
	const char *owner = NULL;
	uint32_t number = 0;
	size_t slot;

	if (item->type == KMA_LOG_ITEM_MODULE)
		memset(sites->known, 0, KMA_LOG_CACHE * sizeof(*sites->known));
	if (item->type > KMA_LOG_ITEM_FREE)
		return;
	if (log_taken(item, &taker)) {
		*ret = sites->takers[taker];
		return;
	}
	if (!item->site && !sites->by) {
		*ret = sites->no_site[item->kind];
		return;
	}
	if (sites->by)
		number = kma_log_owner(sites->log, item, sites->by == KMA_GROUPED_CGROUP, &owner);
	slot = (item->site ^ item->site >> 13) * 5 + item->kind + number * 2731;
	known = &sites->known[slot % KMA_LOG_CACHE];
	if (!known->is || known->address != item->site || known->kind != item->kind ||
	    known->owner != number) {
		*known = (struct kma_log_known){
			.address = item->site,
			.owner = number,
			.kind = item->kind,
			.is = true,
		};
		log_sites_new(sites, item, owner, &known->site);
	}
	*ret = known->site;
}

void kma_log_event(const struct kma_log_item *item, uint32_t site, struct kma_event *ret)
{
	*ret = (struct kma_event){
		.ptr = item->failed ? 0 : item->ptr,
		.alloc = item->alloc,
		.req = item->req,
		.site = site,
		.cpu = item->cpu,
		.kind = item->kind,
		.is_free = item->type == KMA_LOG_ITEM_FREE,
		.quiet = item->quiet,
		.twice = item->part == KMA_LOG_LARGE,
	};
}

static void log_add_row(struct kma_log_sites *sites, uint32_t site)
{
	kma_array_room(sites->rows, sites->nr_rows, sites->room_rows);
	sites->rows[sites->nr_rows++] = site;
}

uint32_t kma_log_sites_row(const struct kma_log_sites *sites, size_t row)
{
	return row < sites->nr_rows ? sites->rows[row] : KMA_INTERN_REST;
}

static void log_set_place(const struct kma_log_sites *sites, uint32_t site,
			  struct kma_account *account)
{
	const struct kma_log_place *place = &sites->places[site];

	if (site < sites->nr_places && *place->build_id)
		kma_account_set_image(account, place->build_id, place->offset, place->in_init);
}

static struct kma_err *log_place_site(void *arg, uint32_t site, struct kma_account *account)
{
	log_add_row(arg, site);
	log_set_place(arg, site, account);
	return NULL;
}

struct kma_err *kma_log_sites_add(const struct kma_log_sites *sites, uint32_t site,
				  const struct kma_values *values, struct kma_account *account)
{
	enum kma_kind kind;
	size_t len;
	/* the text of a site with an owner is "caller\nowner" */
	const char *text = kma_intern_site(sites->intern, site, &kind, &len);
	size_t caller = strcspn(text, "\n");
	struct kma_err *err = kma_account_add_site(account, text, caller, values);

	if (err)
		return err;
	kma_account_set_place(account, kind, NULL);
	log_set_place(sites, site, account);
	if (text[caller])
		kma_account_set_group(account, sites->by, text + caller + 1);
	return NULL;
}

/* The interval has no event: the account has only what was live at the end of the log. */
static void log_warn_missed(const struct kma_log_sites *sites, struct kma_account *account)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };

	kma_log_sentence_missed(kma_log_sums(sites->log), sites->from, &text);
	if (text.len)
		kma_account_warn(account, "%s", text.str);
}

/* Findings that do not end the reading. */
static void log_warn(const struct kma_log_sums *sums, struct kma_account *account)
{
	static const enum kma_log_what unread[] = {
		KMA_LOG_BAD_CHUNK, KMA_LOG_BAD_STREAM, KMA_LOG_MISSING, KMA_LOG_CUT, KMA_LOG_NO_END,
	};

	for (size_t i = 0; i < ARRAY_SIZE(unread); i++)
		if (sums->times[unread[i]])
			kma_account_set_partial(account);
	for (unsigned int what = 0; what < KMA_LOG_NR_WHATS; what++) {
		_cleanup_strbuf_ struct kma_strbuf text = { 0 };

		kma_log_sentence(sums, what, &text);
		if (text.len)
			kma_account_warn(account, "%s", text.str);
	}
	if (kma_log_lost(sums))
		kma_account_warn(account, "live bytes may be too high or too low");
}

static void log_note_numbers(const struct kma_log_sites *sites, struct kma_account *account)
{
	const struct kma_log_head *head = kma_log_head(sites->log);
	const struct kma_log_sums *sums = kma_log_sums(sites->log);
	const struct {
		const char *key;
		uint64_t value;
	} notes[] = {
		{ "events lost", sums->what[KMA_LOG_OVERRUN] },
		{ "records missing", sums->what[KMA_LOG_MISSING] },
		{ "damaged bytes", sums->what[KMA_LOG_BAD_CHUNK] + sums->what[KMA_LOG_BAD_STREAM] },
		{ "log CPUs", head->nr_cpus },
		{ "log ns", sums->last - sums->first },
	};
	char text[24];

	for (size_t i = 0; i < ARRAY_SIZE(notes); i++) {
		snprintf(text, sizeof(text), "%" PRIu64, notes[i].value);
		kma_account_put_note(account, notes[i].key, text);
	}
}

/* Warn if the names of tasks or cgroups may be wrong. */
static void log_warn_owners(const struct kma_log_sites *sites, struct kma_account *account)
{
	struct kma_log_doubt doubt;

	if (!sites->by)
		return;
	kma_log_tasks_doubt(sites->log, &doubt);
	if (doubt.start)
		kma_account_warn(
			account,
			"tasks have the names and cgroups that they had when the log began; new tasks are in '[%s not in the log]'",
			kma_grouped_names[sites->by]);
	if (doubt.lost)
		kma_account_warn(
			account,
			"%" PRIu64
			" %s of task names or cgroups %s lost; some rows may have an earlier %s",
			doubt.lost, kma_plural(doubt.lost, "change", "changes"),
			kma_plural(doubt.lost, "was", "were"),
			sites->by == KMA_GROUPED_TASK ? "name of the task" : "cgroup");
	if (doubt.no_irq)
		kma_account_warn(
			account,
			"the module that wrote this log does not mark interrupts; what they allocated is in the rows of the interrupted tasks");
}

void kma_log_sites_note(const struct kma_log_sites *sites, struct kma_account *account)
{
	const struct kma_log_head *head = kma_log_head(sites->log);
	char text[24];

	if (*head->release)
		kma_account_put_note(account, KMA_NOTE_RELEASE, head->release);
	if (*head->build_id)
		kma_account_put_note(account, KMA_NOTE_BUILD_ID, head->build_id);
	if (*head->machine)
		kma_account_put_note(account, "machine", head->machine);
	snprintf(text, sizeof(text), "0x%" PRIx64, head->stext);
	kma_account_put_note(account, KMA_NOTE_STEXT, text);
	log_note_numbers(sites, account);
}

/*
 * Warn of frees by another allocator's function. From Linux 6.4 on kfree() may free an object of a
 * cache, so there the metric is absent.
 */
static void log_wrong_frees(const struct kma_log_sites *sites, struct kma_account *account)
{
	unsigned int have = kma_account_metrics(account), major = 0, minor = 0;
	const struct kma_site *rows;
	uint64_t sum = 0;
	size_t nr;

	if (sscanf(kma_log_head(sites->log)->release, "%u.%u", &major, &minor) == 2 &&
	    (major > 6 || (major == 6 && minor >= 4))) {
		kma_account_set_metrics(account, have & ~(1U << KMA_WRONG));
		return;
	}
	rows = kma_account_sites(account, &nr);
	for (size_t i = 0; i < nr; i++)
		sum += rows[i].values.wrong;
	if (!sum)
		return;
	kma_account_warn(account, "%" PRIu64 " %s freed by another allocator's function", sum,
			 kma_plural(sum, "object was", "objects were"));
}

struct kma_err *kma_log_sites_fill(struct kma_log_sites *sites, struct kma_ledger *ledger,
				   struct kma_account *account)
{
	const struct kma_log_sums *sums = kma_log_sums(sites->log);
	struct kma_err *err;

	kma_ledger_lose(ledger, kma_log_lost(sums));
	if (!kma_ledger_booked(ledger))
		return kma_err_create(kma_account_name(account), 0,
				      "no events of allocations or frees in this log");
	for (unsigned int i = 0; i < KMA_NR_TAKERS; i++)
		kma_ledger_leave_out(ledger, sites->takers[i]);
	if (sites->by)
		kma_ledger_set_grouped(ledger, sites->by);
	kma_ledger_set_placer(ledger, log_place_site, sites);
	err = kma_ledger_close(ledger, account);
	if (err)
		return err;
	kma_log_sites_note(sites, account);
	log_wrong_frees(sites, account);
	log_warn_owners(sites, account);
	log_warn(sums, account);
	log_warn_missed(sites, account);
	return NULL;
}

/* Number these rows first: a log may have more call sites than numbers exist. */
static void log_name_rows(struct kma_log_sites *sites)
{
	for (unsigned int i = 0; i < KMA_NR_TAKERS; i++) {
		const char *row = sites->by ? kma_takers[i].row_of_task : kma_takers[i].row;

		sites->takers[i] = kma_intern(sites->intern, KMA_KIND_PAGE, row, strlen(row));
	}
	for (unsigned int kind = 0; kind < KMA_NR_KINDS; kind++)
		sites->no_site[kind] = kma_intern(sites->intern, kind, kma_log_no_site[kind],
						  strlen(kma_log_no_site[kind]));
}

enum kma_grouped kma_log_sites_owned(const struct kma_log_sites *sites)
{
	return sites->by;
}

struct kma_log_sites *kma_log_sites_create(const struct kma_log *log, struct kma_intern *intern,
					   const struct kma_input *input)
{
	struct kma_log_sites *sites = kma_xcalloc(1, sizeof(*sites));

	sites->log = log;
	sites->intern = intern;
	sites->from = kma_input_interval(input)->from;
	if (kma_log_has_tasks(log))
		sites->by = kma_input_tasks(input)   ? KMA_GROUPED_TASK :
			    kma_input_cgroups(input) ? KMA_GROUPED_CGROUP :
						       KMA_GROUPED_NOT;
	sites->known = kma_xcalloc(KMA_LOG_CACHE, sizeof(*sites->known));
	log_name_rows(sites);
	return sites;
}

void kma_log_sites_destroy(struct kma_log_sites *sites)
{
	if (!sites)
		return;
	free(sites->places);
	free(sites->rows);
	free(sites->known);
	free(sites);
}
