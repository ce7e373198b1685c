// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace-dat-child.c - read a trace.dat with libtracecmd, in a child process.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <trace-cmd.h>

#include "ftrace-prefix.h"
#include "ftrace-stack.h"
#include "lib/cleanup.h"
#include "trace-dat-child.h"
#include "trace-dat-load.h"
#include "trace-dat-sites.h"
#include "trace-dat-tasks.h"
#include "trace-dat.h"

#define KMA_DAT_IDS	    65536
#define KMA_DAT_ALIVE_S	    20	  /* CPU seconds that KMA_DAT_ALIVE_EVERY records may take */
#define KMA_DAT_ALIVE_EVERY 65536 /* records */
#define KMA_DAT_ORDER_MAX   30	  /* a larger order of pages is invalid */

enum kma_dat_field {
	KMA_DAT_CALL_SITE,
	KMA_DAT_PTR,
	KMA_DAT_REQ,
	KMA_DAT_ALLOC,
	KMA_DAT_SIZE,
	KMA_DAT_PFN,
	KMA_DAT_ORDER,
	KMA_DAT_CALLER,
	KMA_DAT_NR_FIELDS,
};

static const char *const kma_dat_field_names[KMA_DAT_NR_FIELDS] = {
	[KMA_DAT_CALL_SITE] = "call_site", [KMA_DAT_PTR] = "ptr",	[KMA_DAT_REQ] = "bytes_req",
	[KMA_DAT_ALLOC] = "bytes_alloc",   [KMA_DAT_SIZE] = "size",	[KMA_DAT_PFN] = "pfn",
	[KMA_DAT_ORDER] = "order",	   [KMA_DAT_CALLER] = "caller",
};

#define KMA_DAT_F(f)	(1U << KMA_DAT_##f)
#define KMA_DAT_ALLOCS	(KMA_DAT_F(CALL_SITE) | KMA_DAT_F(PTR) | KMA_DAT_F(REQ) | KMA_DAT_F(ALLOC))
#define KMA_DAT_FREES	(KMA_DAT_F(CALL_SITE) | KMA_DAT_F(PTR))
#define KMA_DAT_PAGES	(KMA_DAT_F(PFN) | KMA_DAT_F(ORDER))
#define KMA_DAT_PER_CPU (KMA_DAT_F(PTR) | KMA_DAT_F(SIZE))

/* mm_page_free_batched is not listed: each such page has an mm_page_free event, too. */
static const struct kma_dat_kind {
	const char *system, *name;
	enum kma_kind kind;
	bool is_free;
	unsigned int needs;
} kma_dat_kinds[] = {
	{ "kmem", "kmalloc", KMA_KIND_KMALLOC, false, KMA_DAT_ALLOCS },
	{ "kmem", "kmalloc_node", KMA_KIND_KMALLOC, false, KMA_DAT_ALLOCS },
	{ "kmem", "kfree", KMA_KIND_KMALLOC, true, KMA_DAT_FREES },
	{ "kmem", "kmem_cache_alloc", KMA_KIND_CACHE, false, KMA_DAT_ALLOCS },
	{ "kmem", "kmem_cache_alloc_node", KMA_KIND_CACHE, false, KMA_DAT_ALLOCS },
	{ "kmem", "kmem_cache_free", KMA_KIND_CACHE, true, KMA_DAT_FREES },
	{ "kmem", "mm_page_alloc", KMA_KIND_PAGE, false, KMA_DAT_PAGES },
	{ "kmem", "mm_page_free", KMA_KIND_PAGE, true, KMA_DAT_PAGES },
	{ "percpu", "percpu_alloc_percpu", KMA_KIND_PERCPU, false, KMA_DAT_PER_CPU },
	{ "percpu", "percpu_free_percpu", KMA_KIND_PERCPU, true, KMA_DAT_F(PTR) },
	{ "ftrace", "kernel_stack", KMA_KIND_UNKNOWN, false, KMA_DAT_F(CALLER) },
};

/* A tracepoint of this file. */
struct kma_dat_event {
	const struct kma_dat_kind *kind;
	unsigned int has; /* fields of the record, bits 1 << enum kma_dat_field */
	struct {
		uint16_t offset, size;
	} field[KMA_DAT_NR_FIELDS];
	int len;    /* a record has at least these bytes */
	int buffer; /* buffer whose events are taken, -1 before the first record */
};

/* The records of one CPU in one buffer. */
struct kma_dat_stream {
	struct tracecmd_input *handle;
	int cpu, buffer;
	struct tep_record *record; /* the next one; NULL at the end */
	struct kma_event held;	   /* event that waits for its stack, if holds is set */
	int held_who;		   /* task of the held event */
	bool holds;
};

struct kma_dat_child {
	struct kma_shmring *ring;
	struct kma_dat_slot *slot;
	struct tep_handle *tep;
	struct kma_dat_places *places;
	struct kma_dat_tasks *tasks;   /* NULL: tasks are not distinguished */
	struct kma_dat_event **events; /* by the tracepoint's id; NULL: not read */
	int type_offset, type_size, long_size;
	bool swap;
	struct kma_dat_stream *streams;
	unsigned int nr_streams;
	uint32_t nr_sites, taker_site[KMA_NR_TAKERS], no_site[KMA_NR_KINDS];
	uint64_t seq, done;
	struct kma_dat_sums sums;
};

static void kma_dat_alive(void)
{
	const struct itimerval timer = { .it_value.tv_sec = KMA_DAT_ALIVE_S };

	setitimer(ITIMER_PROF, &timer, NULL);
}

static void kma_dat_open_slot(struct kma_dat_child *child)
{
	child->slot = kma_shmring_fill(child->ring);
	child->slot->nr = child->slot->sites = child->slot->len = 0;
}

static void kma_dat_push(struct kma_dat_child *child, enum kma_dat_what what)
{
	child->slot->seq = child->seq++;
	child->slot->what = what;
	child->slot->done = child->done;
	child->slot->sums = child->sums;
	kma_shmring_push(child->ring);
	if (what == KMA_DAT_BOOK)
		kma_dat_open_slot(child);
}

static void kma_dat_fail(struct kma_dat_child *child, const char *why)
{
	strcpy(child->slot->text, why);
	child->slot->len = strlen(why);
	kma_dat_push(child, KMA_DAT_FAIL);
}

/* Number a new text and add it to the slot that is being filled. */
static uint32_t kma_dat_new_site(struct kma_dat_child *child, enum kma_kind kind, const char *text)
{
	size_t len = strlen(text) + 1;

	if (child->nr_sites == KMA_DAT_MAX_SITES)
		return KMA_DAT_REST;
	if (child->slot->len + 1 + len > KMA_DAT_TEXT)
		kma_dat_push(child, KMA_DAT_BOOK);
	child->slot->text[child->slot->len] = kind;
	memcpy(child->slot->text + child->slot->len + 1, text, len);
	child->slot->len += 1 + len;
	child->slot->sites++;
	return child->nr_sites++;
}

/* Get the number of a call site for a task. @name is its text; if NULL, that of @address. */
static uint32_t kma_dat_of_task(struct kma_dat_child *child, enum kma_kind kind, uint32_t site,
				const char *name, uint64_t address, int who)
{
	char text[KMA_DAT_SITE_MAX], both[KMA_DAT_SITE_MAX + KMA_FTRACE_TASK];
	uint32_t *number;

	if (!child->tasks || site == KMA_DAT_REST)
		return site;
	number = kma_dat_tasks_slot(child->tasks, site, who);
	if (!number)
		return KMA_DAT_REST;
	if (*number == KMA_DAT_NONE) {
		kma_dat_tasks_text(child->tep,
				   name ?: kma_dat_place_text(child->places, address, text), who,
				   both);
		*number = kma_dat_new_site(child, kind, both);
	}
	return *number;
}

static uint32_t kma_dat_site(struct kma_dat_child *child, enum kma_kind kind, uint64_t address,
			     int who)
{
	struct kma_dat_place *place = kma_dat_place(child->places, address);
	char text[KMA_DAT_SITE_MAX];

	if (!place)
		return KMA_DAT_REST;
	if (place->site[kind] == KMA_DAT_NONE)
		place->site[kind] = kma_dat_new_site(
			child, kind, kma_dat_place_text(child->places, address, text));
	return kma_dat_of_task(child, kind, place->site[kind], NULL, address, who);
}

/* Get the number of a row that has a name; @site keeps it. */
static uint32_t kma_dat_row(struct kma_dat_child *child, enum kma_kind kind, const char *name,
			    uint32_t *site)
{
	if (*site == KMA_DAT_NONE)
		*site = kma_dat_new_site(child, kind, name);
	return *site;
}

static void kma_dat_emit(struct kma_dat_child *child, const struct kma_event *event)
{
	child->slot->events[child->slot->nr++] = *event;
	if (child->slot->nr == KMA_DAT_EVENTS)
		kma_dat_push(child, KMA_DAT_BOOK);
}

static inline uint64_t kma_dat_number(const struct kma_dat_child *child, const char *p, int size)
{
	return child->swap ? tep_read_number(child->tep, p, size) : kma_dat_load(p, size);
}

static inline uint64_t kma_dat_get(const struct kma_dat_child *child,
				   const struct kma_dat_event *event, const char *data,
				   enum kma_dat_field field)
{
	return kma_dat_number(child, data + event->field[field].offset, event->field[field].size);
}

/* Emit the held event with its call site. */
static void kma_dat_release(struct kma_dat_child *child, struct kma_dat_stream *stream,
			    uint32_t site)
{
	stream->held.site = site;
	stream->holds = false;
	kma_dat_emit(child, &stream->held);
}

/* Emit the held event in the row for events without call site. */
static void kma_dat_release_untold(struct kma_dat_child *child, struct kma_dat_stream *stream)
{
	enum kma_kind kind = stream->held.kind;
	uint32_t site = kma_dat_row(child, kind, kma_no_site[kind], &child->no_site[kind]);

	kma_dat_release(child, stream,
			kma_dat_of_task(child, kind, site, kma_no_site[kind], 0, stream->held_who));
}

/*
 * Emit the held event if this frame is its call site: the first one outside the event's own
 * allocator. Return false if the next frame must be looked at.
 */
static bool kma_dat_take_frame(struct kma_dat_child *child, struct kma_dat_stream *stream,
			       uint64_t address)
{
	const struct kma_dat_place *place = kma_dat_place(child->places, address);
	enum kma_frame_kind frame = place ? place->frame : KMA_FRAME_CALLER;
	enum kma_kind kind = stream->held.kind;

	if (frame == KMA_FRAME_PAGE || frame == KMA_FRAME_PROBE ||
	    (kind == KMA_KIND_PERCPU && frame == KMA_FRAME_PERCPU))
		return false;
	for (size_t i = 0; kind == KMA_KIND_PAGE && i < KMA_NR_TAKERS; i++)
		if (kma_takers[i].frame == frame) {
			kma_dat_release(child, stream,
					kma_dat_row(child, kind,
						    child->tasks ? kma_takers[i].row_of_task :
								   kma_takers[i].row,
						    &child->taker_site[i]));
			return true;
		}
	kma_dat_release(child, stream, kma_dat_site(child, kind, address, stream->held_who));
	return true;
}

static void kma_dat_take_stack(struct kma_dat_child *child, struct kma_dat_stream *stream,
			       const struct kma_dat_event *event)
{
	const char *p = (const char *)stream->record->data + event->field[KMA_DAT_CALLER].offset;
	const char *end = (const char *)stream->record->data + stream->record->size;

	for (; stream->holds && end - p >= child->long_size; p += child->long_size) {
		uint64_t address = kma_dat_number(child, p, child->long_size);

		/* -1 marks the end if the record has space for more entries. */
		if (!(address + 1) || (child->long_size == 4 && address == UINT32_MAX))
			break;
		if (address && kma_dat_take_frame(child, stream, address))
			return;
	}
}

/*
 * Read the fields of an event of pages or per-CPU memory. Its address is mapped to a range that
 * slab addresses do not use (event.h).
 */
static void kma_dat_take_rare(struct kma_dat_child *child, struct kma_dat_stream *stream,
			      const struct kma_dat_event *event, int who, struct kma_event *ret)
{
	const char *data = stream->record->data;
	uint64_t order;

	if (ret->kind == KMA_KIND_PAGE) {
		ret->ptr = kma_dat_get(child, event, data, KMA_DAT_PFN);
		/* No page was allocated: the pfn is -1, as wide as the kernel's long. */
		if (!(ret->ptr + 1) || (child->long_size == 4 && ret->ptr == UINT32_MAX))
			ret->ptr = 0;
		order = kma_dat_get(child, event, data, KMA_DAT_ORDER);
		if (order > KMA_DAT_ORDER_MAX) {
			child->sums.short_events++;
			return;
		}
		ret->req = ret->alloc = 1ULL << (KMA_PAGE_SHIFT + order);
		if (ret->is_free)
			ret->req = 0;
		ret->ptr = ret->ptr ? kma_ptr_page(ret->ptr) : 0;
	} else {
		ret->ptr = ret->ptr ? kma_ptr_percpu(ret->ptr) : 0;
		if (event->has & KMA_DAT_F(SIZE) && !ret->is_free) {
			ret->req = kma_dat_get(child, event, data, KMA_DAT_SIZE);
			/* bytes_alloc is the sum over all CPUs, size that of one CPU. */
			if (event->has & KMA_DAT_F(ALLOC))
				ret->req = ret->alloc;
			else
				ret->alloc = ret->req;
		}
	}
	child->sums.kinds |= 1U << ret->kind;
	if (event->has & KMA_DAT_F(CALL_SITE)) {
		ret->site = kma_dat_site(child, ret->kind,
					 kma_dat_get(child, event, data, KMA_DAT_CALL_SITE), who);
		kma_dat_emit(child, ret);
		return;
	}
	stream->held = *ret;
	stream->held_who = who;
	stream->holds = true;
}

static void kma_dat_take_event(struct kma_dat_child *child, struct kma_dat_stream *stream,
			       struct kma_dat_event *event)
{
	const struct kma_dat_kind *kind = event->kind;
	const char *data = stream->record->data;
	struct kma_event ret = {
		.cpu = stream->cpu,
		.kind = kind->kind,
		.is_free = kind->is_free,
	};
	int who = child->tasks ? kma_dat_tasks_who(child->tep, stream->record) : 0;

	if (event->buffer < 0)
		event->buffer = stream->buffer;
	if (event->buffer != stream->buffer) {
		child->sums.doubled++;
		return;
	}
	if (event->has & KMA_DAT_F(PTR))
		ret.ptr = kma_dat_get(child, event, data, KMA_DAT_PTR);
	if (event->has & KMA_DAT_F(ALLOC))
		ret.alloc = kma_dat_get(child, event, data, KMA_DAT_ALLOC);
	if (event->has & KMA_DAT_F(REQ))
		ret.req = kma_dat_get(child, event, data, KMA_DAT_REQ);
	if (kind->kind == KMA_KIND_PAGE || kind->kind == KMA_KIND_PERCPU) {
		kma_dat_take_rare(child, stream, event, who, &ret);
		return;
	}
	child->sums.kinds |= 1U << kind->kind;
	ret.site = kma_dat_site(child, kind->kind,
				kma_dat_get(child, event, data, KMA_DAT_CALL_SITE), who);
	kma_dat_emit(child, &ret);
}

/* The tracepoint of a record, found by its id; NULL if it is not read. */
static struct kma_dat_event *kma_dat_event_of(struct kma_dat_child *child,
					      const struct tep_record *record)
{
	uint64_t id = KMA_DAT_IDS;

	if (record->size >= child->type_offset + child->type_size)
		id = kma_dat_number(child, (char *)record->data + child->type_offset,
				    child->type_size);
	return id < KMA_DAT_IDS ? child->events[id] : NULL;
}

static bool kma_dat_is_stack(const struct kma_dat_event *event, const struct tep_record *record)
{
	return event && event->kind->kind == KMA_KIND_UNKNOWN && record->size >= event->len;
}

static void kma_dat_take_record(struct kma_dat_child *child, struct kma_dat_stream *stream)
{
	const struct tep_record *record = stream->record;
	struct kma_dat_event *event = kma_dat_event_of(child, record);

	if (record->missed_events > 0)
		child->sums.lost += record->missed_events;
	else if (record->missed_events)
		child->sums.lost_unsaid++;
	child->done += record->record_size;
	if (kma_dat_is_stack(event, record)) {
		if (stream->holds)
			kma_dat_take_stack(child, stream, event);
		/* No frame of the stack was a call site. */
		if (stream->holds)
			kma_dat_release_untold(child, stream);
		return;
	}
	if (!event)
		child->sums.other++;
	else if (record->size < event->len)
		child->sums.short_events++;
	else
		kma_dat_take_event(child, stream, event);
}

/*
 * Read the next record of a stream. If an event is held, release it unless that record is its
 * stack. A stack after a loss belongs to a lost event.
 */
static void kma_dat_next(struct kma_dat_child *child, struct kma_dat_stream *stream)
{
	const struct tep_record *next;

	if (stream->record)
		tracecmd_free_record(stream->record);
	next = stream->record = tracecmd_read_data(stream->handle, stream->cpu);
	if (stream->holds && (!next || next->missed_events ||
			      !kma_dat_is_stack(kma_dat_event_of(child, next), next)))
		kma_dat_release_untold(child, stream);
}

/*
 * Return the stream with the oldest record, NULL at the end; @until is the time of the second
 * oldest. A linear search suffices: there is one stream per CPU and buffer.
 */
static struct kma_dat_stream *kma_dat_oldest(const struct kma_dat_child *child, uint64_t *until)
{
	struct kma_dat_stream *oldest = NULL;

	*until = UINT64_MAX;
	for (unsigned int i = 0; i < child->nr_streams; i++) {
		struct kma_dat_stream *stream = &child->streams[i];

		if (!stream->record)
			continue;
		if (!oldest || stream->record->ts < oldest->record->ts) {
			if (oldest)
				*until = oldest->record->ts;
			oldest = stream;
		} else if (stream->record->ts < *until) {
			*until = stream->record->ts;
		}
	}
	return oldest;
}

static void kma_dat_read_all(struct kma_dat_child *child)
{
	struct kma_dat_stream *stream;
	uint64_t until, nr = 0;

	for (unsigned int i = 0; i < child->nr_streams; i++)
		kma_dat_next(child, &child->streams[i]);
	while ((stream = kma_dat_oldest(child, &until))) {
		/*
		 * This stream comes next as long as its records are older than @until. At equal
		 * times the lowest CPU comes first, as in the output of trace-cmd report. If an
		 * event is held, the next record of its stream comes first in any case.
		 */
		do {
			kma_dat_take_record(child, stream);
			kma_dat_next(child, stream);
			if (++nr % KMA_DAT_ALIVE_EVERY)
				continue;
			if (kma_shmring_stopped(child->ring))
				return;
			kma_dat_alive();
		} while (stream->record && (stream->holds || stream->record->ts < until));
	}
}

/* Look up the fields of a tracepoint. One that lacks a needed field is not read. */
static bool kma_dat_find_fields(struct kma_dat_child *child, const struct kma_dat_kind *kind)
{
	struct tep_event *format = tep_find_event_by_name(child->tep, kind->system, kind->name);
	struct kma_dat_event *event;

	if (!format || format->id < 0 || format->id >= KMA_DAT_IDS)
		return true;
	event = calloc(1, sizeof(*event));
	if (!event)
		return false;
	event->kind = kind;
	event->buffer = -1;
	for (unsigned int i = 0; i < KMA_DAT_NR_FIELDS; i++) {
		const struct tep_format_field *field =
			tep_find_any_field(format, kma_dat_field_names[i]);
		/* A stack is an array: only its offset counts, not its size. */
		int size = field && i != KMA_DAT_CALLER ? field->size : 0;

		if (!field || field->offset < 0 || field->offset > 4096 || size < 0 || size > 8)
			continue;
		event->has |= 1U << i;
		event->field[i].offset = field->offset;
		event->field[i].size = size;
		if (field->offset + size > event->len)
			event->len = field->offset + size;
	}
	if (kind->needs & ~event->has)
		free(event);
	else
		child->events[format->id] = event;
	return true;
}

/* Guess the kernel's release by the fields that it added, as kma_reader_ftrace does. */
static enum kma_dat_wrong kma_dat_wrong_of(struct tep_handle *tep)
{
	struct tep_event *alloc = tep_find_event_by_name(tep, "kmem", "kmem_cache_alloc");

	if (!alloc)
		return KMA_DAT_WRONG_PERHAPS;
	if (tep_find_any_field(alloc, "name"))
		return KMA_DAT_WRONG_LEGAL;
	return tep_find_any_field(alloc, "accounted") ? KMA_DAT_WRONG_PERHAPS : KMA_DAT_WRONG_FAULT;
}

static bool kma_dat_set_up_events(struct kma_dat_child *child)
{
	struct tep_event *any = tep_get_first_event(child->tep);
	struct tep_format_field *type = any ? tep_find_common_field(any, "common_type") : NULL;

	if (!type || type->offset < 0 || type->offset > 64 || type->size < 1 || type->size > 8)
		return false;
	child->type_offset = type->offset;
	child->type_size = type->size;
	child->long_size = tep_get_long_size(child->tep) == 4 ? 4 : 8;
	child->swap = tep_is_file_bigendian(child->tep) != tep_is_local_bigendian(child->tep);
	child->sums.wrong = kma_dat_wrong_of(child->tep);
	for (size_t i = 0; i < KMA_NR_TAKERS; i++)
		child->taker_site[i] = KMA_DAT_NONE;
	for (size_t i = 0; i < KMA_NR_KINDS; i++)
		child->no_site[i] = KMA_DAT_NONE;
	child->events = calloc(KMA_DAT_IDS, sizeof(struct kma_dat_event *));
	if (!child->events)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(kma_dat_kinds); i++)
		if (!kma_dat_find_fields(child, &kma_dat_kinds[i]))
			return false;
	return true;
}

/* Buffer 0 is the file's main one; instances are 1 and up. */
static bool kma_dat_set_up_streams(struct kma_dat_child *child, struct tracecmd_input *handle)
{
	int instances = tracecmd_buffer_instances(handle), cpus = tep_get_cpus(child->tep);

	if (instances < 0 || instances > 4096 || cpus < 1 || cpus > UINT16_MAX)
		return false;
	child->streams = calloc((size_t)(instances + 1) * cpus, sizeof(*child->streams));
	if (!child->streams)
		return false;
	for (int buffer = 0; buffer <= instances; buffer++) {
		struct tracecmd_input *of =
			buffer ? tracecmd_buffer_instance_handle(handle, buffer - 1) : handle;

		if (!of)
			return false;
		for (int cpu = 0; cpu < cpus; cpu++)
			child->streams[child->nr_streams++] = (struct kma_dat_stream){
				.handle = of, .cpu = cpu, .buffer = buffer
			};
	}
	return true;
}

void kma_dat_child(const char *path, struct kma_shmring *ring, bool tasks)
{
	struct kma_dat_child child = { .ring = ring };
	struct tracecmd_input *handle;

	kma_dat_alive();
	kma_dat_open_slot(&child);
	/* Plugins serve only for printing, and are foreign code: do not load them. */
	handle = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	child.tep = handle ? tracecmd_get_tep(handle) : NULL;
	if (!child.tep) {
		kma_dat_fail(&child, "libtracecmd cannot open it; it may be corrupt or truncated");
		return;
	}
	if (!kma_dat_set_up_events(&child)) {
		kma_dat_fail(&child, "no events are described in this file");
		return;
	}
	if (!kma_dat_places_create(child.tep, &child.places)) {
		kma_dat_fail(&child, "out of memory for its symbols");
		return;
	}
	child.tasks = tasks ? kma_dat_tasks_create() : NULL;
	if (tasks && !child.tasks) {
		kma_dat_fail(&child, "out of memory for its tasks");
		return;
	}
	child.sums.no_symbols = !kma_dat_places_named(child.places);
	if (!kma_dat_set_up_streams(&child, handle)) {
		kma_dat_fail(&child, "no readable buffers in this file");
		return;
	}
	kma_dat_read_all(&child);
	kma_dat_push(&child, KMA_DAT_END);
}
