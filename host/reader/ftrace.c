// SPDX-License-Identifier: GPL-2.0-only
/*
 * ftrace.c - reader of ftrace logs as text: the files trace and trace_pipe, output of trace-cmd
 * report and of perf script.
 *
 * Lines are converted to events (ftrace-line.h), which a second thread counts (booker.h). Only the
 * text of each call site is stored, once, so the memory does not grow with the log.
 *
 * An event of pages has no call site: the stack that follows on the same CPU has it. The last such
 * event of each CPU is therefore held (struct kma_held) until that CPU has another line, or until
 * any CPU has an event of the same pages. The second condition keeps the order of a free and an
 * allocation of the same pages, because a CPU may be idle for long after its last line. Events of
 * all other objects may be counted before a held one. At most one event per CPU is held; searching
 * them is linear.
 *
 * Pages that the slab or the per-CPU allocator takes are charged to a row of that allocator. If the
 * log also has the events of that allocator's objects, the row would count these bytes twice: it is
 * then left out of the account and becomes a note.
 *
 * Lines that are not recognised are counted, and the number of the first one is stored. A truncated
 * last line counts as not recognised if a number in it may be incomplete. A line that does not fit
 * in a block is not recognised either, and its rest is skipped. Lines that have the shape of an
 * allocation or a free but were not counted are also notes of the account (unread.h), because its
 * numbers lack them.
 *
 * Long file: nearly all functions change the state of one log.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/plural.h"
#include "model/booker.h"
#include "model/unread.h"
#include "reader.h"
#include "trace/ftrace-line.h"
#include "trace/ftrace-prefix.h"
#include "trace/ftrace-quick.h"
#include "trace/ftrace-stack.h"

/* Text of a warning. */
#define KMA_HASHED "addresses are hashed; objects with the same hash cause frees of unknown objects"

#define KMA_CPUS       (UINT16_MAX + 1)
#define KMA_SYMBOL_MAX 512
#define FIRST_MIN      32  /* bytes of an event of any form with a time */
#define FIRST_MAX      256 /* bytes by which an event is known again */

/* The last event of a CPU that may have a stack. */
struct kma_held {
	struct kma_event event;
	char task[KMA_FTRACE_TASK]; /* its task, if tasks are distinguished */
	unsigned int nr;	    /* 1 + its index in kma_ftrace.waiting; 0: no event is held */
};

/*
 * Names that trace-cmd report prints before events: of its inputs, or of the buffers of one file,
 * whose main buffer has no name. Addresses of two machines have nothing to do with each other.
 */
struct kma_ftrace_sources {
	char first[KMA_FTRACE_SOURCE], other[KMA_FTRACE_SOURCE]; /* empty: there is none */
	bool unnamed; /* a line with an event has no name */
};

/* The slab cache of a call site. */
struct site_cache {
	char *name; /* NULL: unknown */
	size_t len;
	bool others; /* some events have another cache */
};

struct kma_ftrace {
	const char *name;
	struct kma_intern *intern;
	struct kma_ledger *ledger;
	struct kma_booker *booker;
	struct kma_batch *batch;
	uint64_t page;	    /* size of a page, in units of 4 KiB */
	uint64_t line;	    /* number of the current line, from 1 */
	bool no_cpu;	    /* there are lines without a CPU: frees on another CPU are unknown */
	bool in_line;	    /* the last block ended within a line that does not fit in a block */
	unsigned int kinds; /* kinds of all events, bits 1 << enum kma_kind */
	uint64_t bad, first_bad; /* lines that were not recognised; number of the first */
	struct kma_unread unread;
	/* events of other kinds; with a hidden address; with a hashed one; times of unknown loss */
	uint64_t other, no_ptr, hashed, lost_unsaid;
	uint64_t lost;			/* events that the log reports as lost */
	uint32_t takers[KMA_NR_TAKERS]; /* numbers of the allocators' rows in @intern */
	struct kma_held *held;		/* by CPU; NULL before the first event without site */
	struct kma_held **waiting;	/* the entries of @held that hold an event, in any order */
	unsigned int nr_held;
	struct kma_held *stack; /* the event whose frames come next, or NULL */
	bool perf;		/* those frames are of perf script, without a head */
	struct kma_ftrace_sources sources;
	struct site_cache *caches;  /* by number of the site */
	uint32_t nr_caches;	    /* entries of @caches */
	char first[FIRST_MAX];	    /* the first event with a time */
	size_t first_len;	    /* 0: there was none yet */
	uint64_t again;		    /* number of a later line that is the same */
	const char *first_at;	    /* where that event is in the current block; NULL: in none */
	bool look;		    /* the last line was no event: a log may begin */
	struct kma_paste paste;	    /* what was removed from lines that were not recognised */
	bool tasks;		    /* tasks are distinguished */
	char task[KMA_FTRACE_TASK]; /* task of the current line */
};

static inline uint32_t ftrace_site(struct kma_ftrace *log, enum kma_kind kind, const char *caller,
				   size_t len, const char *task)
{
	return log->tasks ? kma_intern_grouped(log->intern, kind, caller, len, task) :
			    kma_intern(log->intern, kind, caller, len);
}

static void emit(struct kma_ftrace *log, const struct kma_event *event)
{
	log->batch->events[log->batch->nr++] = *event;
	if (log->batch->nr < KMA_BATCH_EVENTS)
		return;
	kma_booker_submit(log->booker);
	log->batch = kma_booker_batch(log->booker);
}

/* Emit a held event. @caller is from its stack; NULL if there was none. */
static void ftrace_release(struct kma_ftrace *log, struct kma_held *held, const char *caller,
			   size_t len)
{
	enum kma_kind kind = held->event.kind;
	size_t taker;

	if (!caller) {
		caller = kma_no_site[kind];
		len = strlen(caller);
	}
	for (taker = 0; taker < KMA_NR_TAKERS && caller != kma_takers[taker].row; taker++)
		;
	held->event.site = taker < KMA_NR_TAKERS ? log->takers[taker] :
						   ftrace_site(log, kind, caller, len, held->task);
	log->waiting[held->nr - 1] = log->waiting[--log->nr_held];
	log->waiting[held->nr - 1]->nr = held->nr;
	held->nr = 0;
	if (log->stack == held)
		log->stack = NULL;
	emit(log, &held->event);
}

/* The CPU has another line: no stack will come for its held event. */
static inline void release_cpu(struct kma_ftrace *log, uint16_t cpu)
{
	if (log->nr_held && log->held[cpu].nr)
		ftrace_release(log, &log->held[cpu], NULL, 0);
}

/* Emit the held events of the same memory first: they must be counted in the order of the log. */
static void release_same(struct kma_ftrace *log, uint64_t ptr, uint64_t bytes)
{
	for (unsigned int i = 0; i < log->nr_held;) {
		const struct kma_event *event = &log->waiting[i]->event;

		if (event->ptr < ptr + (bytes ?: 1) && ptr < event->ptr + (event->alloc ?: 1))
			ftrace_release(log, log->waiting[i], NULL, 0);
		else
			i++;
	}
}

/*
 * Return the site of an address. One of 8 or 16 digits keeps its form, which kma_site_parse()
 * recognises as an address: "c104dd2f". Another one gets the form in which %pS prints an address
 * without a symbol: "0x...".
 */
static uint32_t site_address(struct kma_ftrace *log, const struct kma_ftrace_line *line)
{
	char text[2 + 16] = "0x";

	if (line->site_len == 8 || line->site_len == 16)
		return ftrace_site(log, line->kind, line->site, line->site_len, log->task);
	memcpy(text + 2, line->site, line->site_len);
	return ftrace_site(log, line->kind, text, 2 + line->site_len, log->task);
}

static __attribute__((noinline, cold)) void add_cache(struct kma_ftrace *log, uint32_t site,
						      const char *name, size_t len)
{
	struct site_cache *cache;

	if (site >= log->nr_caches) {
		uint32_t nr = site + site / 2 + 64;

		log->caches = kma_xrealloc(log->caches, nr, sizeof(*log->caches));
		memset(log->caches + log->nr_caches, 0,
		       (nr - log->nr_caches) * sizeof(*log->caches));
		log->nr_caches = nr;
	}
	cache = &log->caches[site];
	cache->others = cache->name;
	if (cache->name)
		return;
	cache->name = kma_xasprintf("%.*s", (int)len, name);
	cache->len = strlen(cache->name);
}

/* Note the cache of a site. */
static inline void take_cache(struct kma_ftrace *log, uint32_t site, const char *name, size_t len)
{
	const struct site_cache *cache = site < log->nr_caches ? &log->caches[site] : NULL;

	if (!cache || (!cache->others && (cache->len != len || memcmp(cache->name, name, len))))
		add_cache(log, site, name, len);
}

static struct kma_err *place_cache(void *arg, uint32_t site, struct kma_account *account)
{
	const struct kma_ftrace *log = arg;

	if (site < log->nr_caches && log->caches[site].name)
		kma_account_set_cache(account, log->caches[site].name, log->caches[site].others);
	return NULL;
}

static inline __attribute__((always_inline)) void take_event(struct kma_ftrace *log,
							     const struct kma_ftrace_line *line)
{
	struct kma_event event = {
		.ptr = line->ptr,
		.alloc = line->alloc,
		.req = line->req,
		.cpu = line->cpu,
		.kind = line->kind,
		.is_free = line->is_free,
	};

	log->hashed += line->hashed;
	log->kinds |= 1U << line->kind;
	if (line->address)
		event.site = site_address(log, line);
	else
		event.site = ftrace_site(log, line->kind, line->site, line->site_len, log->task);
	if (line->cache_len)
		take_cache(log, event.site, line->cache, line->cache_len);
	emit(log, &event);
}

/*
 * Take an event of pages or per-CPU memory: map its address to a range of its own (event.h), and
 * hold it if it has no call site.
 */
static void take_rare(struct kma_ftrace *log, struct kma_ftrace_line *line)
{
	struct kma_held *held;

	if (line->kind == KMA_KIND_PAGE) {
		line->ptr = line->ptr ? kma_ptr_page(line->ptr * log->page) : 0;
		line->alloc *= log->page;
		line->req *= log->page;
	} else
		line->ptr = line->ptr ? kma_ptr_percpu(line->ptr) : 0;
	line->hashed = false;
	if (line->ptr)
		release_same(log, line->ptr, line->alloc);
	if (line->has & KMA_FTRACE_HAS_SITE) {
		take_event(log, line);
		return;
	}
	log->kinds |= 1U << line->kind;
	/* 65,536 entries are mapped, but only those of existing CPUs are touched. */
	if (!log->held) {
		log->held = kma_xcalloc(KMA_CPUS, sizeof(*log->held));
		log->waiting = kma_xcalloc(KMA_CPUS, sizeof(struct kma_held *));
	}
	held = &log->held[line->cpu];
	*held = (struct kma_held){
		.event = { .ptr = line->ptr,
			   .alloc = line->alloc,
			   .req = line->req,
			   .cpu = line->cpu,
			   .kind = line->kind,
			   .is_free = line->is_free },
		.nr = log->nr_held + 1,
	};
	if (log->tasks)
		memcpy(held->task, log->task, sizeof(held->task));
	log->waiting[log->nr_held++] = held;
	/* perf script prints the frames right after the event */
	log->stack = held;
	log->perf = true;
}

/*
 * Emit the held event; the frame is its call site. A frame is often only a name, without the offset
 * of the call in the function: the offset is then 1.
 */
static void release_frame(struct kma_ftrace *log, const struct kma_ftrace_line *line)
{
	const char *module = memchr(line->site, ' ', line->site_len);
	size_t len = module ? (size_t)(module - line->site) : line->site_len;
	bool offset = memchr(line->site, '+', len);
	char text[2 * KMA_SYMBOL_MAX + 16];

	if (line->address || line->site_len > KMA_SYMBOL_MAX || line->module_len > KMA_SYMBOL_MAX ||
	    (offset && !line->module_len)) {
		ftrace_release(log, log->stack, line->site, line->site_len);
		return;
	}
	len = snprintf(text, sizeof(text), "%.*s%s%.*s", (int)len, line->site, offset ? "" : "+0x1",
		       (int)(line->site_len - len), line->site + len);
	if (line->module_len)
		len += snprintf(text + len, sizeof(text) - len, " [%.*s]", (int)line->module_len,
				line->module);
	ftrace_release(log, log->stack, text, len);
}

static void take_frame(struct kma_ftrace *log, const struct kma_ftrace_line *line)
{
	enum kma_kind kind = log->stack->event.kind;
	enum kma_frame_kind frame = kma_frame_class(line->site, line->site_len);

	if (frame == KMA_FRAME_PAGE || frame == KMA_FRAME_PROBE || !line->site_len)
		return;
	if (kind == KMA_KIND_PERCPU && frame == KMA_FRAME_PERCPU)
		return;
	for (size_t i = 0; kind == KMA_KIND_PAGE && i < KMA_NR_TAKERS; i++)
		if (kma_takers[i].frame == frame) {
			ftrace_release(log, log->stack, kma_takers[i].row,
				       strlen(kma_takers[i].row));
			return;
		}
	release_frame(log, line);
}

static void take_unread(struct kma_ftrace *log, const char *text, size_t len)
{
	if (kma_ftrace_shape(text, len) && !log->unread.lines++)
		log->unread.first = log->line;
}

static void take_bad(struct kma_ftrace *log, const char *text, size_t len)
{
	char copy[KMA_FTRACE_ROOM];

	if (!log->bad++)
		log->first_bad = log->line;
	take_unread(log, text, len);
	if (log->paste.other || !log->paste.format_of || len >= sizeof(copy))
		return;
	memcpy(copy, text, len);
	copy[len] = '\0';
	kma_paste_undress(copy, &(unsigned int){ 0 });
	kma_paste_other(&log->paste, log->line, copy);
}

static void take_lost(struct kma_ftrace *log, uint64_t lost)
{
	log->lost_unsaid += !lost;
	if (__builtin_add_overflow(log->lost, lost, &log->lost))
		log->lost = UINT64_MAX;
}

/* Note from which input or buffer of trace-cmd report an event is. */
static void take_source(struct kma_ftrace_sources *sources, const char *text, size_t len)
{
	const char *name;
	size_t bytes = kma_ftrace_source(text, len, &name);
	char *first = sources->first, *to = *first ? sources->other : first;

	sources->unnamed = !bytes;
	if (bytes && !*to && (strlen(first) != bytes || memcmp(first, name, bytes)))
		snprintf(to, KMA_FTRACE_SOURCE, "%.*s", (int)bytes, name);
}

/* Remove what stands before a pasted line; false if it is as it was. */
static bool undress(struct kma_ftrace *log, const char **text, size_t *len,
		    char copy[KMA_FTRACE_ROOM])
{
	unsigned int removed = 0;

	if (*len >= KMA_FTRACE_ROOM)
		return false;
	memcpy(copy, *text, *len);
	copy[*len] = '\0';
	kma_paste_strip(copy, &removed);
	if (!removed)
		return false;
	log->paste.removed |= removed;
	*text = copy;
	*len = strlen(copy);
	return true;
}

/* Take a line of any form; @text has no newline. */
static void take_line(struct kma_ftrace *log, const char *text, size_t len, bool whole)
{
	struct kma_ftrace_line line;
	char copy[KMA_FTRACE_ROOM];

	kma_ftrace_parse(text, len, whole, &line);
	if ((line.what == KMA_FTRACE_BAD ||
	     (line.what == KMA_FTRACE_OTHER && memchr(text, '\033', len))) &&
	    undress(log, &text, &len, copy))
		kma_ftrace_parse(text, len, whole, &line);
	if (line.what == KMA_FTRACE_FRAME) {
		if (log->stack && log->perf == line.perf)
			take_frame(log, &line);
		return;
	}
	log->stack = NULL;
	/* The CPU has another line, or lost events: a stack after that belongs to other events. */
	if ((line.placed || line.no_cpu) && line.what != KMA_FTRACE_STACK)
		release_cpu(log, line.cpu);
	log->no_cpu |= line.no_cpu;
	switch (line.what) {
	case KMA_FTRACE_STACK:
		log->stack = log->nr_held && log->held[line.cpu].nr ? &log->held[line.cpu] : NULL;
		log->perf = false;
		if (log->stack && line.site_len)
			take_frame(log, &line);
		return;
	case KMA_FTRACE_EVENT:
		if (!log->sources.unnamed)
			take_source(&log->sources, text, len);
		if (line.kind == KMA_KIND_PAGE || line.kind == KMA_KIND_PERCPU)
			take_rare(log, &line);
		else
			take_event(log, &line);
		return;
	case KMA_FTRACE_OTHER:
		log->other++;
		take_unread(log, text, len);
		return;
	case KMA_FTRACE_NO_PTR:
		log->no_ptr++;
		return;
	case KMA_FTRACE_LOST:
		take_lost(log, line.lost);
		return;
	case KMA_FTRACE_BAD:
		log->look = true;
		take_bad(log, text, len);
		return;
	default:
		log->look = true;
		return;
	}
}

/* Skip the end of a line that did not fit in a block; its beginning was counted. */
static const char *skip_rest(struct kma_ftrace *log, const char *text, const char *end)
{
	const char *nl = memchr(text, '\n', end - text);

	log->in_line = !nl;
	return nl ? nl + 1 : end;
}

/*
 * Does the log begin again with this line: with the same event at the same time? Asked after lines
 * that are no events, and in the middle of a file, which may be two copies without any other line.
 */
static void look_again(struct kma_ftrace *log, const char *text, size_t len)
{
	log->look = false;
	if (!log->again && log->first_len && len >= log->first_len && text != log->first_at &&
	    !memcmp(text, log->first, log->first_len))
		log->again = log->line;
}

static void take_block(struct kma_ftrace *log, const char *text, size_t len)
{
	const char *end = text + len, *p = text, *nl;
	struct kma_ftrace_line line;

	if (log->in_line)
		p = skip_rest(log, p, end);
	for (; p < end; p = nl + 1) {
		log->line++;
		if (log->look)
			look_again(log, p, end - p);
		if (log->tasks) {
			nl = memchr(p, '\n', end - p) ?: end;
			kma_ftrace_task(p, nl - p, log->task);
		}
		nl = end - p >= KMA_FTRACE_ROOM ? kma_ftrace_quick(p, &line) : NULL;
		if (nl) {
			log->stack = NULL;
			log->sources.unnamed = true;
			release_cpu(log, line.cpu);
			take_event(log, &line);
			nl = memchr(nl, '\n', end - nl);
		} else {
			nl = memchr(p, '\n', end - p);
			if (nl || end - p < KMA_INPUT_LINE_MAX)
				take_line(log, p, (nl ?: end) - p, nl);
			else
				take_bad(log, p, end - p);
		}
		if (!nl) {
			log->in_line = end - p >= KMA_INPUT_LINE_MAX;
			break;
		}
	}
}

/* Take note of the first event with a time, by which the log is known again. */
static void find_first(struct kma_ftrace *log, const char *text, size_t len)
{
	const char *end = text + len, *nl;
	struct kma_ftrace_line line;

	for (; text < end && (nl = memchr(text, '\n', end - text)); text = nl + 1) {
		size_t bytes = nl - text;

		if (bytes < FIRST_MIN || bytes >= KMA_FTRACE_ROOM)
			continue;
		kma_ftrace_parse(text, bytes, true, &line);
		if (line.what != KMA_FTRACE_EVENT || line.no_cpu)
			continue;
		log->first_len = bytes < FIRST_MAX ? bytes : FIRST_MAX;
		memcpy(log->first, text, log->first_len);
		log->first_at = text;
		return;
	}
}

/* Is a file two copies of a text, without any other line between them? */
static bool is_doubled(const struct kma_input *input)
{
	const char *text;
	size_t len;

	return kma_input_text(input, &text, &len) && len && !(len % 2) &&
	       !memcmp(text, text + len / 2, len / 2);
}

static struct kma_err *read_blocks(struct kma_ftrace *log, struct kma_input *input)
{
	bool doubled = is_doubled(input);
	struct kma_err *err;
	const char *text;
	size_t len;

	do {
		err = kma_input_block(input, &text, &len);
		if (err)
			return err;
		if (!log->first_len)
			find_first(log, text, len);
		take_block(log, text, len);
		log->first_at = NULL;
	} while (len);
	if (doubled && !log->again)
		log->again = log->line / 2 + 1;
	for (unsigned int cpu = 0; log->nr_held && cpu < KMA_CPUS; cpu++)
		release_cpu(log, cpu);
	kma_booker_finish(log->booker);
	return NULL;
}

/*
 * From Linux 6.4 on kfree() may free an object of a cache. A log does not name the kernel, but its
 * fields tell the release: 6.0 added accounted=, and a later release added name= before the sizes.
 */
enum kma_wrong { KMA_WRONG_FAULT, KMA_WRONG_PERHAPS, KMA_WRONG_LEGAL };

static enum kma_wrong wrong_of(const char *head, size_t len)
{
	static const char alloc[] = "kmem_cache_alloc: ";
	const char *end = head + len, *line, *nl, *name, *req;

	for (line = head; (line = memmem(line, end - line, alloc, strlen(alloc))); line = nl) {
		nl = memchr(line, '\n', end - line);
		if (!nl)
			break;
		name = memmem(line, nl - line, " name=", 6);
		req = memmem(line, nl - line, " bytes_req=", 11);
		if (!req)
			continue;
		if (name && name < req)
			return KMA_WRONG_LEGAL;
		return memmem(line, nl - line, " accounted=", 11) ? KMA_WRONG_PERHAPS :
								    KMA_WRONG_FAULT;
	}
	return KMA_WRONG_PERHAPS;
}

static void warn_wrong(struct kma_account *account, enum kma_wrong wrong)
{
	unsigned int have = kma_account_metrics(account);
	uint64_t sum = 0;
	size_t nr;

	if (wrong == KMA_WRONG_LEGAL) {
		kma_account_set_metrics(account, have & ~(1U << KMA_WRONG));
		return;
	}
	for (const struct kma_site *site = kma_account_sites(account, &nr); nr; nr--)
		sum += site++->values.wrong;
	if (!sum)
		return;
	kma_account_warn(account, "%" PRIu64 " %s freed by another allocator's function%s", sum,
			 kma_plural(sum, "object was", "objects were"),
			 wrong == KMA_WRONG_FAULT ? "" : ", which is legal from Linux 6.4 on");
}

static void warn_lines(const struct kma_ftrace *log, struct kma_account *account)
{
	if (log->again)
		kma_account_warn(
			account,
			"line %" PRIu64
			" is the first event once more: if the log is in the input twice, its events count twice",
			log->again);
	if (log->bad || log->unread.lines || log->again)
		kma_account_set_partial(account);
	if (log->bad)
		kma_account_warn(account, "%" PRIu64 " %s not recognised (first: line %" PRIu64 ")",
				 log->bad, kma_plural(log->bad, "line was", "lines were"),
				 log->first_bad);
	if (log->no_ptr)
		kma_account_warn(
			account,
			"%" PRIu64
			" %s counted as not recorded, because the kernel hid the addresses of the objects",
			log->no_ptr, kma_plural(log->no_ptr, "event is", "events are"));
	if (log->lost)
		kma_account_warn(account,
				 "%" PRIu64 " %s lost; live bytes may be too high or too low",
				 log->lost, kma_plural(log->lost, "event was", "events were"));
	if (log->lost_unsaid)
		kma_account_warn(account,
				 "events were lost %" PRIu64
				 " %s; the trace does not report how many",
				 log->lost_unsaid, kma_plural(log->lost_unsaid, "time", "times"));
}

static void note_number(struct kma_account *account, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	kma_account_put_note(account, key, text);
}

/* Properties of the log, as notes of the account. */
static void note_log(const struct kma_ftrace *log, struct kma_account *account)
{
	struct kma_unread unread = log->unread;

	unread.all = kma_ledger_booked(log->ledger) + log->no_ptr + unread.lines;
	note_number(account, "lines", log->line);
	note_number(account, "lines not understood", log->bad);
	note_number(account, "other events", log->other);
	kma_unread_note(account, &unread);
	if (log->hashed)
		kma_account_put_note(account, "addresses", "hashed");
}

static struct kma_err *close_log(struct kma_ftrace *log, struct kma_account *account)
{
	for (size_t i = 0; i < KMA_NR_TAKERS; i++)
		if (log->kinds & kma_takers[i].kinds)
			kma_ledger_leave_out(log->ledger, log->takers[i]);
	if (*log->sources.other && !log->sources.unnamed)
		return kma_err_create(
			log->name, 0,
			"has the events of several machines or buffers, '%s' and '%s'; report each of them alone",
			log->sources.first, log->sources.other);
	/* Lost events, and those without an address, are not recorded. */
	if (log->nr_caches)
		kma_ledger_set_placer(log->ledger, place_cache, log);
	kma_ledger_lose(log->ledger, log->lost);
	kma_ledger_lose(log->ledger, log->no_ptr);
	if (!kma_ledger_booked(log->ledger))
		return kma_err_create(log->name, 0,
				      "no events of allocations or frees in this input%s",
				      log->other ? ", only other events" : "");
	return kma_ledger_close(log->ledger, account);
}

/* Lines without a CPU all count as CPU 0, so frees on another CPU cannot be seen. */
static void drop_remote(const struct kma_ftrace *log, struct kma_account *account)
{
	if (log->no_cpu)
		kma_account_set_metrics(account,
					kma_account_metrics(account) & ~(1U << KMA_REMOTE));
}

static struct kma_err *finish_log(struct kma_ftrace *log, const struct kma_input *input,
				  enum kma_wrong wrong, struct kma_account *account)
{
	struct kma_err *err;

	err = close_log(log, account);
	if (err)
		return err;
	drop_remote(log, account);
	note_log(log, account);
	warn_lines(log, account);
	kma_paste_close(&log->paste, account);
	if (log->hashed)
		kma_account_warn(account, KMA_HASHED);
	if (log->kinds & 1U << KMA_KIND_PAGE)
		kma_paste_say_page(input, 0, account);
	warn_wrong(account, wrong);
	return NULL;
}

static void free_log(struct kma_ftrace *log)
{
	kma_booker_destroy(log->booker);
	kma_ledger_destroy(log->ledger);
	kma_intern_destroy(log->intern);
	for (uint32_t i = 0; i < log->nr_caches; i++)
		free(log->caches[i].name);
	free(log->caches);
	free(log->waiting);
	free(log->held);
}

static struct kma_err *ftrace_read(struct kma_input *input, struct kma_account *account)
{
	_cleanup_(free_log) struct kma_ftrace log = {
		.name = kma_input_name(input),
		.paste.format_of = kma_input_reports(input)->format_of,
		.page = (kma_input_page_size(input) ?: 4096) / 4096,
		.tasks = kma_input_tasks(input),
	};
	enum kma_wrong wrong = KMA_WRONG_PERHAPS;
	struct kma_err *err;
	const char *head;
	size_t len;

	err = kma_input_head(input, &head, &len);
	if (err)
		return err;
	wrong = wrong_of(head, len);
	log.intern = kma_intern_new();
	log.ledger = kma_ledger_create(log.intern);
	log.booker = kma_booker_create(log.ledger);
	/* Number these rows first: a log may have more call sites than numbers exist. */
	for (size_t i = 0; i < KMA_NR_TAKERS; i++) {
		const char *row = log.tasks ? kma_takers[i].row_of_task : kma_takers[i].row;

		log.takers[i] = kma_intern(log.intern, KMA_KIND_PAGE, row, strlen(row));
	}
	log.batch = kma_booker_batch(log.booker);
	return read_blocks(&log, input) ?: finish_log(&log, input, wrong, account);
}

static enum kma_line_kind like(const char *text)
{
	struct kma_ftrace_line line;

	kma_ftrace_parse(text, strlen(text), true, &line);
	switch (line.what) {
	case KMA_FTRACE_EVENT:
	case KMA_FTRACE_NO_PTR:
		return KMA_LINE_ROW;
	case KMA_FTRACE_BAD:
		return KMA_LINE_OTHER;
	default:
		return KMA_LINE_MORE;
	}
}

const struct kma_reader_ops kma_reader_ftrace = {
	.name = "a log of ftrace",
	.key = "ftrace",
	.behind_text = true,
	.probe = kma_ftrace_is_log,
	.like = like,
	.read = ftrace_read,
};
