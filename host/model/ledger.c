// SPDX-License-Identifier: GPL-2.0-only
/*
 * ledger.c - from events to an account.
 */
#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger.h"
#include "lib/cleanup.h"
#include "live.h"

static_assert(KMA_LIVE_MAX_SITES >= KMA_INTERN_MAX_SITES, "a site fits into an entry");
static_assert(KMA_NR_KINDS <= 8, "a kind fits into an entry");

/* From here on kmalloc hands pages out, with two events on 6.12 and later. */
#define KMA_LARGE     8192
#define KMA_CPUS      65536
#define KMA_AHEAD     16 /* The number of events by which the prefetch of memory is ahead. */
#define KMA_PAGES_MAX 1024
#define KMA_LEFT_OUT  4
#define KMA_PAGE_SIZE (1UL << KMA_PAGE_SHIFT)

/* What becomes a struct kma_values. */
struct kma_tally {
	uint64_t total, current, req, peak;
	uint64_t allocs, frees, objects;
	uint64_t remote, wrong;
};

/* The last large kmalloc of a CPU: what its site's peak was before. */
struct kma_large {
	uint64_t ptr;
	uint64_t peak;
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
	struct kma_tally *tallies; /* by number of site */
	uint32_t nr_tallies;
	struct kma_large *large; /* by CPU; NULL before the first of all */
	uint64_t counts[KMA_NR_COUNTS];
	uint64_t booked;
	bool overflow;
	uint32_t left_out[KMA_LEFT_OUT];
	unsigned int nr_left_out;
	struct kma_err *(*place)(void *arg, uint32_t site, struct kma_account *account);
	void *place_arg;
	enum kma_grouped grouped; /* what a second line of a site's text is */
};

struct kma_err *kma_ledger_create(const struct kma_intern *intern, struct kma_ledger **ret)
{
	struct kma_ledger *ledger = calloc(1, sizeof(*ledger));
	struct kma_err *err;

	if (!ledger)
		return &kma_enomem;
	ledger->intern = intern;
	ledger->grouped = KMA_GROUPED_TASK;
	err = kma_live_create(&ledger->live);
	if (err) {
		kma_ledger_destroy(ledger);
		return err;
	}
	*ret = ledger;
	return NULL;
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

static struct kma_err *kma_ledger_grow(struct kma_ledger *ledger, uint32_t site)
{
	uint32_t nr = ledger->nr_tallies ?: 1024;
	struct kma_tally *tallies;

	while (nr <= site)
		nr *= 2;
	tallies = realloc(ledger->tallies, nr * sizeof(*tallies));
	if (!tallies)
		return &kma_enomem;
	memset(tallies + ledger->nr_tallies, 0, (nr - ledger->nr_tallies) * sizeof(*tallies));
	ledger->tallies = tallies;
	ledger->nr_tallies = nr;
	return NULL;
}

static inline void kma_tally_in(struct kma_ledger *ledger, struct kma_tally *tally,
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

static inline void kma_tally_out(struct kma_ledger *ledger, const struct kma_live_object *object)
{
	struct kma_tally *tally = &ledger->tallies[object->site];

	tally->current -= object->alloc;
	tally->req -= object->req;
	tally->objects--;
	tally->frees++;
}

/* Is the text that of a function by which kmalloc() gets pages: __kmalloc_node_noprof? */
static bool kma_is_allocator(const char *caller)
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
 * Are these two the two events of one large kmalloc? The first is in the books. The task may
 * have moved to another CPU between the two; then only the name of the first site tells.
 */
static bool kma_is_second(const struct kma_ledger *ledger, const struct kma_event *event,
			  const struct kma_live_object *first)
{
	enum kma_kind kind;
	size_t len;

	return first->alloc > KMA_LARGE && event->kind == KMA_KIND_KMALLOC &&
	       first->kind == event->kind && first->req == event->req &&
	       first->alloc == event->alloc && ledger->large[first->cpu].ptr == event->ptr &&
	       ((event->twice && first->cpu == event->cpu) ||
		kma_is_allocator(kma_intern_site(ledger->intern, first->site, &kind, &len)));
}

/*
 * Take the first event back. Whatever the site's peak was since then, the object
 * was in it; with two CPUs in the same function at once a peak may stay too high
 * by the other's object.
 */
static void kma_undo_first(struct kma_ledger *ledger, const struct kma_live_object *first)
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

static struct kma_err *kma_note_large(struct kma_ledger *ledger, const struct kma_event *event,
				      uint64_t peak)
{
	/* Mapped, and touched only where there is such a CPU. */
	if (!ledger->large)
		ledger->large = calloc(KMA_CPUS, sizeof(*ledger->large));
	if (!ledger->large)
		return &kma_enomem;
	ledger->large[event->cpu] = (struct kma_large){ event->ptr, peak };
	return NULL;
}

static struct kma_err *kma_book_alloc(struct kma_ledger *ledger, const struct kma_event *event)
{
	struct kma_live_object object = { .req = event->req,
					  .alloc = event->alloc,
					  .site = event->site,
					  .cpu = event->cpu,
					  .kind = event->kind };
	struct kma_tally *tally = &ledger->tallies[event->site];
	struct kma_live_object old;
	struct kma_err *err;
	bool was;

	if (event->ptr <= KMA_PTR_NONE) {
		ledger->counts[KMA_COUNT_FAILED]++;
		return NULL;
	}
	if (object.alloc < object.req)
		object.alloc = object.req;
	err = kma_live_insert(ledger->live, event->ptr, &object, &old, &was);
	if (err)
		return err;
	/* Told before: as if this were not. */
	if (was && event->quiet)
		return kma_live_insert(ledger->live, event->ptr, &old, &object, &was);
	if (was && kma_is_second(ledger, event, &old)) {
		kma_undo_first(ledger, &old);
	} else {
		if (was) {
			ledger->counts[KMA_COUNT_IMPLIED]++;
			kma_tally_out(ledger, &old);
		}
		if (object.alloc > KMA_LARGE && object.kind == KMA_KIND_KMALLOC)
			err = kma_note_large(ledger, event, tally->peak);
	}
	kma_tally_in(ledger, tally, &object);
	return err;
}

static void kma_book_credit(struct kma_ledger *ledger, const struct kma_event *event,
			    const struct kma_live_object *object)
{
	struct kma_tally *tally = &ledger->tallies[object->site];

	kma_tally_out(ledger, object);
	tally->remote += object->cpu != event->cpu;
	/* Only slab has two functions for one kind of object. */
	if (event->kind != object->kind)
		tally->wrong += event->kind <= KMA_KIND_CACHE && object->kind <= KMA_KIND_CACHE &&
				event->kind && object->kind;
}

static void kma_book_unknown(struct kma_ledger *ledger, const struct kma_event *event)
{
	if (event->quiet)
		return;
	ledger->counts[KMA_COUNT_UNKNOWN]++;
	ledger->tallies[event->site].frees++;
}

/*
 * Put what is left of a block back: all of [@from, @to) but [@ptr, @end), in blocks
 * of powers of two, as the page allocator has them.
 */
static struct kma_err *kma_keep_rest(struct kma_ledger *ledger, const struct kma_live_object *block,
				     uint64_t from, uint64_t to, uint64_t ptr, uint64_t end)
{
	struct kma_live_object piece = *block, old;
	struct kma_err *err;
	uint64_t size;
	bool was;

	while (from < to) {
		if (from == ptr) {
			from = end;
			continue;
		}
		/* Differences: a sum may be past the last address. */
		size = from & -from;
		while (size > to - from || (from < ptr && size > ptr - from))
			size /= 2;
		piece.alloc = piece.req = size;
		err = kma_live_insert(ledger->live, from, &piece, &old, &was);
		if (err)
			return err;
		ledger->tallies[piece.site].objects++;
		from += size;
	}
	return NULL;
}

/* Free a part of a block: [@ptr, @ptr + @bytes) of the one at @from, which is taken out. */
static struct kma_err *kma_free_part(struct kma_ledger *ledger, const struct kma_event *event,
				     struct kma_live_object *block, uint64_t from, uint64_t bytes)
{
	uint64_t to = from + block->alloc;
	struct kma_err *err;

	err = kma_keep_rest(ledger, block, from, to, event->ptr, event->ptr + bytes);
	if (err)
		return err;
	block->alloc = block->req = bytes;
	kma_book_credit(ledger, event, block);
	return NULL;
}

/* The block that begins before @event's pages and holds them, taken out. */
static bool kma_find_around(struct kma_ledger *ledger, const struct kma_event *event,
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
		/* Cannot fail: it takes the place that it had. */
		kma_live_insert(ledger->live, *from, ret, &old, &was);
		return false;
	}
	return false;
}

/* Pages: a block may be freed in parts, or several of them at once. */
static struct kma_err *kma_book_pages(struct kma_ledger *ledger, const struct kma_event *event)
{
	uint64_t bytes = event->alloc ?: KMA_PAGE_SIZE, at = event->ptr, end = at + bytes;
	struct kma_live_object object;
	uint64_t from = at;

	if (kma_live_remove(ledger->live, at, &object)) {
		if (object.alloc > bytes)
			return kma_free_part(ledger, event, &object, from, bytes);
		kma_book_credit(ledger, event, &object);
		if (bytes > KMA_PAGES_MAX * KMA_PAGE_SIZE)
			return NULL;
		for (at += object.alloc; at < end; at += object.alloc)
			if (kma_live_remove(ledger->live, at, &object))
				kma_book_credit(ledger, event, &object);
			else
				object.alloc = KMA_PAGE_SIZE;
		return NULL;
	}
	if (kma_find_around(ledger, event, &object, &from))
		return kma_free_part(ledger, event, &object, from, bytes);
	kma_book_unknown(ledger, event);
	return NULL;
}

static struct kma_err *kma_book_free(struct kma_ledger *ledger, const struct kma_event *event)
{
	struct kma_live_object object;

	if (event->ptr <= KMA_PTR_NONE) {
		ledger->counts[KMA_COUNT_NULL]++;
		return NULL;
	}
	if (event->kind == KMA_KIND_PAGE)
		return kma_book_pages(ledger, event);
	if (kma_live_remove(ledger->live, event->ptr, &object))
		kma_book_credit(ledger, event, &object);
	else
		kma_book_unknown(ledger, event);
	return NULL;
}

struct kma_err *kma_ledger_book(struct kma_ledger *ledger, const struct kma_event *events,
				size_t nr)
{
	struct kma_err *err = NULL;

	for (size_t i = 0; i < nr && i < KMA_AHEAD; i++)
		kma_live_prefetch(ledger->live, events[i].ptr);
	for (size_t i = 0; i < nr && !err; i++) {
		const struct kma_event *event = &events[i];

		if (i + KMA_AHEAD < nr)
			kma_live_prefetch(ledger->live, events[i + KMA_AHEAD].ptr);
		if (event->site >= ledger->nr_tallies)
			err = kma_ledger_grow(ledger, event->site);
		if (!err)
			err = event->is_free ? kma_book_free(ledger, event) :
					       kma_book_alloc(ledger, event);
	}
	ledger->booked += nr;
	return err;
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

static bool kma_is_left_out(const struct kma_ledger *ledger, uint32_t site)
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
	/* What was counted before cannot be taken back. */
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

static struct kma_err *kma_close_site(const struct kma_ledger *ledger, uint32_t number,
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
	if (kma_is_left_out(ledger, number)) {
		_cleanup_free_ char *key = strndup(text, len);
		char bytes[24];

		snprintf(bytes, sizeof(bytes), "%" PRIu64, values.current);
		return key ? kma_account_add_note(account, key, bytes) : &kma_enomem;
	}
	err = kma_account_add_site(account, text, len, &values);
	if (!err)
		err = kma_account_set_place(account, kind, NULL);
	if (!err && task)
		err = kma_account_set_group(account, ledger->grouped, task + 1);
	if (!err && ledger->place)
		err = ledger->place(ledger->place_arg, number, account);
	return err;
}

/* Counts for information; none of them is a loss. */
static const struct {
	enum kma_count_id id;
	const char *key;
} kma_count_notes[] = {
	{ KMA_COUNT_FAILED, "allocations that failed" },
	{ KMA_COUNT_NULL, "frees of NULL" },
	{ KMA_COUNT_TWICE, "large allocations told twice" },
};

static struct kma_err *kma_close_notes(const struct kma_ledger *ledger, struct kma_account *account)
{
	struct kma_err *err = NULL;
	char number[24];

	kma_account_set_loss(account, KMA_LOSS_UNKNOWN_FREES, ledger->counts[KMA_COUNT_UNKNOWN]);
	kma_account_set_loss(account, KMA_LOSS_IMPLIED_FREES, ledger->counts[KMA_COUNT_IMPLIED]);
	kma_account_set_loss(account, KMA_LOSS_NOT_RECORDED, ledger->counts[KMA_COUNT_LOST]);
	for (size_t i = 0; !err && i < ARRAY_SIZE(kma_count_notes); i++) {
		snprintf(number, sizeof(number), "%" PRIu64, ledger->counts[kma_count_notes[i].id]);
		err = kma_account_add_note(account, kma_count_notes[i].key, number);
	}
	return err;
}

struct kma_err *kma_ledger_close(struct kma_ledger *ledger, struct kma_account *account)
{
	struct kma_err *err = NULL;

	if (ledger->overflow)
		return kma_err_create(kma_account_name(account), 0,
				      "the sum of the allocations exceeds 64 bits");
	/* The largest part goes before the next large one comes. */
	kma_live_destroy(ledger->live);
	ledger->live = NULL;
	kma_account_set_metrics(account, KMA_DYNAMIC_METRICS);
	/* "[more call sites]" is number 0 and goes last. */
	for (uint32_t i = 1; !err && i < ledger->nr_tallies; i++)
		err = kma_close_site(ledger, i, account);
	if (!err && ledger->nr_tallies)
		err = kma_close_site(ledger, KMA_INTERN_REST, account);
	return err ? err : kma_close_notes(ledger, account);
}
