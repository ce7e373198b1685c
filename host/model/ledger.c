// SPDX-License-Identifier: GPL-2.0-only
/*
 * ledger.c - count the events of a log, and make an account of them. ledger.h has the rules.
 *
 * The time of an event is that of the cache miss for its entry in the live map. The ledger
 * therefore prefetches the entry KMA_AHEAD events ahead.
 *
 * Blocks of pages are entries of the map with their size, and are aligned to it. A free of pages
 * looks for a block at its address, then for one that begins before: at the address rounded down to
 * each power of two up to KMA_PAGES_MAX pages. What a partial free leaves of a block is stored
 * again as blocks of powers of two, each of which counts as an object; bytes stay exact.
 *
 * Limit: if a log lacks the free of a block, an allocation within that block is not recognised as
 * its implied free, unless it has the same address. The block stays live until a later free or
 * allocation has its address.
 *
 * The second event of a large kmalloc() reverts the counts of the first. The peak of the first site
 * cannot be recomputed from its counters, so the peak before the event is kept for the last large
 * kmalloc() of each CPU (struct kma_large, 1 MiB of zero pages that are touched only for CPUs that
 * occur).
 */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "live.h"

static_assert(KMA_LIVE_MAX_SITES >= KMA_INTERN_MAX_SITES, "a site fits into an entry");
static_assert(KMA_NR_KINDS <= 8, "a kind fits into an entry");

/* Above so many bytes kmalloc() takes pages, and makes two events on 6.12 and later. */
#define KMA_LARGE     8192
#define KMA_CPUS      65536 /* values of kma_event.cpu */
#define KMA_AHEAD     16    /* events between the prefetch of an entry and its use */
#define KMA_PAGES_MAX 1024  /* pages of the largest block that the page allocator has by default */
#define KMA_LEFT_OUT  4
#define KMA_PAGE_SIZE (1UL << KMA_PAGE_SHIFT)

/* Counters of a site; members as in struct kma_values. Waste is @current - @req. */
struct kma_tally {
	uint64_t total, current, req, peak; /* bytes */
	uint64_t allocs, frees, objects;
	uint64_t remote, wrong; /* frees of objects of this site */
};

/* The last large kmalloc() of a CPU. */
struct kma_large {
	uint64_t ptr;  /* 0: none, or its second event was already counted */
	uint64_t peak; /* bytes: peak of its site before it */
};

enum kma_count_id {
	KMA_COUNT_UNKNOWN,
	KMA_COUNT_IMPLIED,
	KMA_COUNT_LOST,
	KMA_COUNT_FAILED,
	KMA_COUNT_NULL,
	KMA_COUNT_TWICE,
	KMA_NR_COUNTS,
};

struct kma_ledger {
	const struct kma_intern *intern;
	struct kma_live *live;
	struct kma_tally *tallies; /* by number of the site */
	uint32_t nr_tallies;	   /* allocated elements */
	struct kma_large *large;   /* by CPU; NULL before the first large kmalloc() */
	uint64_t counts[KMA_NR_COUNTS];
	uint64_t booked;		 /* events */
	bool overflow;			 /* a site's total exceeds 64 bits */
	uint32_t left_out[KMA_LEFT_OUT]; /* numbers of sites */
	unsigned int nr_left_out;
	struct kma_err *(*place)(void *arg, uint32_t site, struct kma_account *account);
	void *place_arg;
	enum kma_grouped grouped; /* kind of the group in the second line of a site's text */
};

struct kma_ledger *kma_ledger_create(const struct kma_intern *intern)
{
	struct kma_ledger *ledger = kma_xcalloc(1, sizeof(*ledger));

	ledger->intern = intern;
	ledger->grouped = KMA_GROUPED_TASK;
	ledger->live = kma_live_create();
	return ledger;
}

void kma_ledger_destroy(struct kma_ledger *ledger)
{
	if (!ledger)
		return;
	kma_live_destroy(ledger->live);
	free(ledger->tallies);
	free(ledger->large);
	free(ledger);
}

/* Count the allocation of an object. */
static inline void tally_in(struct kma_ledger *ledger, struct kma_tally *tally,
			    const struct kma_live_object *object)
{
	ledger->overflow |= __builtin_add_overflow(tally->total, object->alloc, &tally->total);
	tally->current += object->alloc;
	tally->req += object->req;
	tally->allocs++;
	tally->objects++;
	if (tally->current > tally->peak)
		tally->peak = tally->current;
}

/* Count the free of an object, at the site that allocated it. */
static inline void tally_out(struct kma_ledger *ledger, const struct kma_live_object *object)
{
	struct kma_tally *tally = &ledger->tallies[object->site];

	tally->current -= object->alloc;
	tally->req -= object->req;
	tally->objects--;
	tally->frees++;
}

/* Is this a call site in one of the allocator's own functions, such as __kmalloc_node_noprof? */
static bool is_allocator(const char *caller)
{
	if (strncmp(caller, "__k", 3))
		return false;
	caller += caller[3] == 'v' ? 4 : 3;
	if (strncmp(caller, "malloc", 6))
		return false;
	while (isalnum((unsigned char)*caller) || *caller == '_')
		caller++;
	return *caller == '+' && !strncmp(caller - 7, "_noprof", 7);
}

/*
 * Is @event the second event of the large kmalloc() whose first one has added @first? If the task
 * moved to another CPU between the two, only the name of the first site can show it.
 */
static bool is_second(const struct kma_ledger *ledger, const struct kma_event *event,
		      const struct kma_live_object *first)
{
	enum kma_kind kind;
	size_t len;

	return first->alloc > KMA_LARGE && event->kind == KMA_KIND_KMALLOC &&
	       first->kind == event->kind && first->req == event->req &&
	       first->alloc == event->alloc && ledger->large[first->cpu].ptr == event->ptr &&
	       ((event->twice && first->cpu == event->cpu) ||
		is_allocator(kma_intern_site(ledger->intern, first->site, &kind, &len)));
}

/*
 * Revert the first event of a large kmalloc(). If the peak of the site rose since then, the object
 * was part of it, so the peak falls by the object, but not below its earlier value. If two CPUs are
 * between their two events at the same time, the peak may stay too high by the object of the other
 * CPU.
 */
static void undo_first(struct kma_ledger *ledger, const struct kma_live_object *first)
{
	struct kma_tally *tally = &ledger->tallies[first->site];
	uint64_t before = ledger->large[first->cpu].peak;

	tally->total -= first->alloc;
	tally->current -= first->alloc;
	tally->req -= first->req;
	tally->allocs--;
	tally->objects--;
	if (tally->peak > before)
		tally->peak = tally->peak - first->alloc > before ? tally->peak - first->alloc :
								    before;
	ledger->large[first->cpu].ptr = 0;
	ledger->counts[KMA_COUNT_TWICE]++;
}

static void note_large(struct kma_ledger *ledger, const struct kma_event *event, uint64_t peak)
{
	/* Zero pages: only those of CPUs that occur become memory. */
	if (!ledger->large)
		ledger->large = kma_xcalloc(KMA_CPUS, sizeof(*ledger->large));
	ledger->large[event->cpu] = (struct kma_large){ event->ptr, peak };
}

/* Count the free of an object that another one has replaced in the map. */
static void book_implied(struct kma_ledger *ledger, const struct kma_live_object *old)
{
	ledger->counts[KMA_COUNT_IMPLIED]++;
	tally_out(ledger, old);
}

static void book_alloc(struct kma_ledger *ledger, const struct kma_event *event)
{
	struct kma_live_object object = { .req = event->req,
					  .alloc = event->alloc,
					  .site = event->site,
					  .cpu = event->cpu,
					  .kind = event->kind };
	struct kma_tally *tally = &ledger->tallies[event->site];
	struct kma_live_object old;
	bool was;

	if (event->ptr <= KMA_PTR_NONE) {
		ledger->counts[KMA_COUNT_FAILED]++;
		return;
	}
	if (object.alloc < object.req)
		object.alloc = object.req;
	kma_live_insert(ledger->live, event->ptr, &object, &old, &was);
	/* A quiet allocation of a known object was already counted: restore the old entry. */
	if (was && event->quiet) {
		kma_live_insert(ledger->live, event->ptr, &old, &object, &was);
		return;
	}
	if (was && is_second(ledger, event, &old)) {
		undo_first(ledger, &old);
	} else {
		if (was)
			book_implied(ledger, &old);
		if (object.alloc > KMA_LARGE && object.kind == KMA_KIND_KMALLOC)
			note_large(ledger, event, tally->peak);
	}
	tally_in(ledger, tally, &object);
}

/* Count the free of a known object, or of a part of it. */
static void book_credit(struct kma_ledger *ledger, const struct kma_event *event,
			const struct kma_live_object *object)
{
	struct kma_tally *tally = &ledger->tallies[object->site];

	tally_out(ledger, object);
	tally->remote += object->cpu != event->cpu;
	/* Only slab objects can be freed by the wrong function: kfree() or kmem_cache_free(). */
	if (event->kind != object->kind)
		tally->wrong += event->kind <= KMA_KIND_CACHE && object->kind <= KMA_KIND_CACHE &&
				event->kind && object->kind;
}

/* Count the free of an object that is not in the map. */
static void book_unknown(struct kma_ledger *ledger, const struct kma_event *event)
{
	if (event->quiet)
		return;
	ledger->counts[KMA_COUNT_UNKNOWN]++;
	ledger->tallies[event->site].frees++;
}

/*
 * Insert what is left of a block, [@from, @to) without the freed [@ptr, @end), as blocks of powers
 * of two: the page allocator splits blocks in the same way.
 */
static void keep_rest(struct kma_ledger *ledger, const struct kma_live_object *block, uint64_t from,
		      uint64_t to, uint64_t ptr, uint64_t end)
{
	struct kma_live_object piece = *block, old;
	uint64_t size;
	bool was;

	while (from < to) {
		if (from == ptr) {
			from = end;
			continue;
		}
		/* Compare differences: the end of a block may exceed 64 bits. */
		size = from & -from;
		while (size > to - from || (from < ptr && size > ptr - from))
			size /= 2;
		piece.alloc = piece.req = size;
		kma_live_insert(ledger->live, from, &piece, &old, &was);
		/* The log lacks a free, of the block or of the object within it. */
		if (was)
			book_implied(ledger, &old);
		ledger->tallies[piece.site].objects++;
		from += size;
	}
}

/* Free @bytes at the address of @event, a part of the block at @from, which was removed before. */
static void free_part(struct kma_ledger *ledger, const struct kma_event *event,
		      struct kma_live_object *block, uint64_t from, uint64_t bytes)
{
	uint64_t to = from + block->alloc;

	keep_rest(ledger, block, from, to, event->ptr, event->ptr + bytes);
	block->alloc = block->req = bytes;
	book_credit(ledger, event, block);
}

/* Remove the block that contains the pages of @event and begins before them. */
static bool find_around(struct kma_ledger *ledger, const struct kma_event *event,
			struct kma_live_object *ret, uint64_t *from)
{
	struct kma_live_object old;
	bool was;

	for (uint64_t size = 2 * KMA_PAGE_SIZE; size <= KMA_PAGES_MAX * KMA_PAGE_SIZE; size *= 2) {
		*from = event->ptr & -size;
		if (*from == event->ptr || !kma_live_remove(ledger->live, *from, ret))
			continue;
		if (ret->alloc >= event->ptr - *from + event->alloc)
			return true;
		/* Insert the block again. This cannot fail: the slot that it had is free. */
		kma_live_insert(ledger->live, *from, ret, &old, &was);
		return false;
	}
	return false;
}

/*
 * Count a free of pages: a part of a block, a block, or several blocks. Pages after the first block
 * that are not in the map are not counted as unknown: the free as a whole has a known object.
 */
static void book_pages(struct kma_ledger *ledger, const struct kma_event *event)
{
	uint64_t bytes = event->alloc ?: KMA_PAGE_SIZE, at = event->ptr, end = at + bytes;
	struct kma_live_object object;
	uint64_t from = at;

	if (kma_live_remove(ledger->live, at, &object)) {
		if (object.alloc > bytes) {
			free_part(ledger, event, &object, from, bytes);
			return;
		}
		book_credit(ledger, event, &object);
		if (bytes > KMA_PAGES_MAX * KMA_PAGE_SIZE)
			return;
		for (at += object.alloc; at < end; at += object.alloc)
			if (kma_live_remove(ledger->live, at, &object))
				book_credit(ledger, event, &object);
			else
				object.alloc = KMA_PAGE_SIZE;
		return;
	}
	if (find_around(ledger, event, &object, &from)) {
		free_part(ledger, event, &object, from, bytes);
		return;
	}
	book_unknown(ledger, event);
}

static void book_free(struct kma_ledger *ledger, const struct kma_event *event)
{
	struct kma_live_object object;

	if (event->ptr <= KMA_PTR_NONE) {
		ledger->counts[KMA_COUNT_NULL]++;
		return;
	}
	if (event->kind == KMA_KIND_PAGE) {
		book_pages(ledger, event);
		return;
	}
	if (kma_live_remove(ledger->live, event->ptr, &object))
		book_credit(ledger, event, &object);
	else
		book_unknown(ledger, event);
}

void kma_ledger_book(struct kma_ledger *ledger, const struct kma_event *events, size_t nr)
{
	for (size_t i = 0; i < nr && i < KMA_AHEAD; i++)
		kma_live_prefetch(ledger->live, events[i].ptr);
	for (size_t i = 0; i < nr; i++) {
		const struct kma_event *event = &events[i];

		if (i + KMA_AHEAD < nr)
			kma_live_prefetch(ledger->live, events[i + KMA_AHEAD].ptr);
		kma_array_reach(ledger->tallies, ledger->nr_tallies, event->site);
		if (event->is_free)
			book_free(ledger, event);
		else
			book_alloc(ledger, event);
	}
	ledger->booked += nr;
}

void kma_ledger_lose(struct kma_ledger *ledger, uint64_t events)
{
	if (__builtin_add_overflow(ledger->counts[KMA_COUNT_LOST], events,
				   &ledger->counts[KMA_COUNT_LOST]))
		ledger->counts[KMA_COUNT_LOST] = UINT64_MAX;
}

void kma_ledger_leave_out(struct kma_ledger *ledger, uint32_t site)
{
	assert(ledger->nr_left_out < KMA_LEFT_OUT);
	ledger->left_out[ledger->nr_left_out++] = site;
}

static bool is_left_out(const struct kma_ledger *ledger, uint32_t site)
{
	for (unsigned int i = 0; i < ledger->nr_left_out; i++)
		if (ledger->left_out[i] == site)
			return true;
	return false;
}

void kma_ledger_restart(struct kma_ledger *ledger)
{
	for (uint32_t i = 0; i < ledger->nr_tallies; i++) {
		struct kma_tally *tally = &ledger->tallies[i];

		*tally = (struct kma_tally){
			.current = tally->current,
			.req = tally->req,
			.objects = tally->objects,
			.peak = tally->current,
		};
	}
	/* A second event from now on cannot revert a first event that was counted before. */
	if (ledger->large)
		memset(ledger->large, 0, KMA_CPUS * sizeof(*ledger->large));
	memset(ledger->counts, 0, sizeof(ledger->counts));
	ledger->overflow = false;
}

uint64_t kma_ledger_current(const struct kma_ledger *ledger, uint32_t site)
{
	return site < ledger->nr_tallies ? ledger->tallies[site].current : 0;
}

uint64_t kma_ledger_booked(const struct kma_ledger *ledger)
{
	return ledger->booked;
}

void kma_ledger_set_grouped(struct kma_ledger *ledger, enum kma_grouped grouped)
{
	ledger->grouped = grouped;
}

void kma_ledger_set_placer(struct kma_ledger *ledger,
			   struct kma_err *(*place)(void *arg, uint32_t site,
						    struct kma_account *account),
			   void *arg)
{
	ledger->place = place;
	ledger->place_arg = arg;
}

static struct kma_err *close_site(const struct kma_ledger *ledger, uint32_t number,
				  struct kma_account *account)
{
	const struct kma_tally *tally = &ledger->tallies[number];
	struct kma_values values = {
		.current = tally->current,
		.req = tally->req,
		.waste = tally->current - tally->req,
		.allocs = tally->allocs,
		.frees = tally->frees,
		.total = tally->total,
		.peak = tally->peak,
		.objects = tally->objects,
		.remote = tally->remote,
		.wrong = tally->wrong,
	};
	struct kma_err *err;
	const char *text, *task;
	enum kma_kind kind;
	size_t len;

	if (kma_values_is_zero(&values))
		return NULL;
	text = kma_intern_site(ledger->intern, number, &kind, &len);
	task = memchr(text, '\n', len);
	len = task ? (size_t)(task - text) : len;
	if (is_left_out(ledger, number)) {
		_cleanup_free_ char *key = kma_xstrndup(text, len);
		char bytes[24];

		snprintf(bytes, sizeof(bytes), "%" PRIu64, values.current);
		kma_account_put_note(account, key, bytes);
		return NULL;
	}
	err = kma_account_add_site(account, text, len, &values);
	if (err)
		return err;
	kma_account_set_place(account, kind, NULL);
	if (task)
		kma_account_set_group(account, ledger->grouped, task + 1);
	if (ledger->place)
		return ledger->place(ledger->place_arg, number, account);
	return NULL;
}

/* Counts that become notes, because they are not losses. */
static const struct {
	enum kma_count_id id;
	const char *key;
} kma_count_notes[] = {
	{ KMA_COUNT_FAILED, "allocations that failed" },
	{ KMA_COUNT_NULL, "frees of NULL" },
	{ KMA_COUNT_TWICE, "large allocations told twice" },
};

static void close_notes(const struct kma_ledger *ledger, struct kma_account *account)
{
	char number[24];

	kma_account_set_loss(account, KMA_LOSS_UNKNOWN_FREES, ledger->counts[KMA_COUNT_UNKNOWN]);
	kma_account_set_loss(account, KMA_LOSS_IMPLIED_FREES, ledger->counts[KMA_COUNT_IMPLIED]);
	kma_account_set_loss(account, KMA_LOSS_NOT_RECORDED, ledger->counts[KMA_COUNT_LOST]);
	for (size_t i = 0; i < ARRAY_SIZE(kma_count_notes); i++) {
		snprintf(number, sizeof(number), "%" PRIu64, ledger->counts[kma_count_notes[i].id]);
		kma_account_put_note(account, kma_count_notes[i].key, number);
	}
}

struct kma_err *kma_ledger_close(struct kma_ledger *ledger, struct kma_account *account)
{
	struct kma_err *err = NULL;

	if (ledger->overflow)
		return kma_err_create(kma_account_name(account), 0,
				      "the sum of the allocations exceeds 64 bits");
	/* Free the map, the largest part of the ledger, before the account takes memory. */
	kma_live_destroy(ledger->live);
	ledger->live = NULL;
	kma_account_set_metrics(account, KMA_DYNAMIC_METRICS);
	/* Number 0, "[more call sites]", becomes the last row. */
	for (uint32_t i = 1; i < ledger->nr_tallies; i++) {
		err = close_site(ledger, i, account);
		if (err)
			return err;
	}
	if (ledger->nr_tallies)
		err = close_site(ledger, KMA_INTERN_REST, account);
	if (err)
		return err;
	close_notes(ledger, account);
	return NULL;
}
