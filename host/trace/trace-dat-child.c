// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace-dat-child.c - read a trace.dat with libtracecmd, in a child process.
 */
#include <ctype.h>
#include <event-parse.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <trace-cmd.h>
#include <unistd.h>

#include "ftrace-prefix.h"
#include "ftrace-stack.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "trace-dat-child.h"
#include "trace-dat.h"

/*
 * Call sites of a trace.dat by address.
 *
 * Symbols: libtraceevent tells the size and the module of a function only when it prints its whole
 * table. The table is therefore printed into memory, where it is sorted by address, and searched
 * there. A function's size is the distance to the next different address, as for %pS. The end of
 * the last function of a module is unknown: kallsyms uses the end of its section. A function that
 * would be larger than KMA_DAT_SIZE_MAX is treated as unknown, as is the last one in the table. If
 * an address has several names, kallsyms uses the first one in its list; libtraceevent prints the
 * names of an address in reverse order.
 *
 * Addresses: a hash table with open addressing, at most half full, so that each address is searched
 * and classified once. An entry takes 40 bytes; at 4 million addresses the table is full, and
 * further addresses share one row.
 */

/* An address that is a call site or a frame of a stack. */
struct kma_dat_place {
	uint64_t address;
	uint32_t site[KMA_NR_KINDS]; /* number by kind of the event; KMA_DAT_NONE: none yet */
	enum kma_frame_kind frame;   /* class of the function that the address is in */
	bool used;
};

#define KMA_DAT_NONE (UINT32_MAX - 1)

#define KMA_DAT_SIZE_MAX   (16U << 20)
#define KMA_DAT_PLACES_MAX (1U << 22)

struct kma_dat_symbol {
	uint64_t address;
	const char *name; /* up to the end of the line: "name" or "name [module]" */
};

struct kma_dat_places {
	char *text; /* the printed table of symbols */
	size_t len;
	struct kma_dat_symbol *symbols;
	size_t nr_symbols;
	struct kma_dat_place *slots; /* open addressing, at most half full */
	size_t nr_slots, nr_places;
};

/* Map what the library prints about its symbols on the standard output. */
static bool dat_catch(struct tep_handle *tep, char **text, size_t *len)
{
	int fd = memfd_create("symbols", MFD_CLOEXEC), out;
	struct stat st;
	void *map;

	out = dup(STDOUT_FILENO);
	if (fd < 0 || out < 0)
		return false;
	fflush(stdout);
	dup2(fd, STDOUT_FILENO);
	tep_print_funcs(tep);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	if (fstat(fd, &st))
		return false;
	*len = st.st_size;
	map = *len ? mmap(NULL, *len, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
	close(fd);
	if (map == MAP_FAILED)
		return false;
	*text = map;
	return true;
}

static bool dat_add_symbol(struct kma_dat_places *places, size_t *alloc, uint64_t address,
			   const char *name)
{
	kma_array_room(places->symbols, places->nr_symbols, *alloc);
	places->symbols[places->nr_symbols++] = (struct kma_dat_symbol){ address, name };
	return true;
}

/* Parse the lines "ffffffff81000000 name" and "ffffffffc0000000 name [module]". */
static bool dat_parse(struct kma_dat_places *places)
{
	const char *p = places->text, *end, *nl;
	size_t alloc = 0;

	if (!p)
		return true;
	end = p + places->len;
	for (; p < end && (nl = memchr(p, '\n', end - p)); p = nl + 1) {
		char *name = NULL;
		/* strtoull() would skip newlines, and the end of the text: check for a digit. */
		uint64_t address = isxdigit((unsigned char)*p) ? strtoull(p, &name, 16) : 0;

		/* The address is 0 if the recorder was not allowed to see it. */
		if (!address || *name != ' ' || name + 1 >= nl)
			continue;
		if (!dat_add_symbol(places, &alloc, address, name + 1))
			return false;
	}
	return true;
}

/*
 * Read the symbols of a file and create an empty table of addresses. Redirects the standard
 * output for a moment: libtraceevent gives the names of modules only when it prints its table
 * of symbols.
 */
static bool dat_places_create(struct tep_handle *tep, struct kma_dat_places **ret)
{
	struct kma_dat_places *places = calloc(1, sizeof(*places));

	if (!places)
		return false;
	places->nr_slots = 1 << 12;
	places->slots = calloc(places->nr_slots, sizeof(*places->slots));
	*ret = places;
	return places->slots && dat_catch(tep, &places->text, &places->len) && dat_parse(places);
}

/* Test whether the file has symbols. */
static bool dat_places_named(const struct kma_dat_places *places)
{
	return places->nr_symbols;
}

/* The last symbol at or below an address and its size; NULL if there is none. */
static const struct kma_dat_symbol *dat_find(const struct kma_dat_places *places, uint64_t address,
					     uint64_t *size)
{
	size_t low = kma_array_search(places->nr_symbols, i, places->symbols[i].address <= address);

	if (!low || low == places->nr_symbols)
		return NULL;
	*size = places->symbols[low].address - places->symbols[low - 1].address;
	return *size <= KMA_DAT_SIZE_MAX ? &places->symbols[low - 1] : NULL;
}

/* Write an address as %pS prints it. */
static const char *dat_place_text(const struct kma_dat_places *places, uint64_t address, char *buf)
{
	const struct kma_dat_symbol *symbol;
	const char *nl, *module;
	uint64_t size;

	symbol = dat_find(places, address, &size);
	if (!symbol) {
		snprintf(buf, KMA_DAT_SITE_MAX, "0x%" PRIx64, address);
		return buf;
	}
	nl = strchrnul(symbol->name, '\n');
	module = memmem(symbol->name, nl - symbol->name, " [", 2) ?: nl;
	snprintf(buf, KMA_DAT_SITE_MAX, "%.*s+0x%" PRIx64 "/0x%" PRIx64 "%.*s",
		 (int)(module - symbol->name), symbol->name, address - symbol->address, size,
		 (int)(nl - module), module);
	return buf;
}

static struct kma_dat_place *dat_slot(struct kma_dat_place *slots, size_t nr, uint64_t address)
{
	size_t i = address * 0x9e3779b97f4a7c15ULL >> 32 & (nr - 1);

	while (slots[i].used && slots[i].address != address)
		i = (i + 1) & (nr - 1);
	return &slots[i];
}

static bool dat_grow_places(struct kma_dat_places *places)
{
	size_t nr = places->nr_slots * 2;
	struct kma_dat_place *slots;

	if (places->nr_places * 2 < places->nr_slots)
		return true;
	if (places->nr_places >= KMA_DAT_PLACES_MAX)
		return false;
	slots = calloc(nr, sizeof(*slots));
	if (!slots)
		return false;
	for (size_t i = 0; i < places->nr_slots; i++)
		if (places->slots[i].used)
			*dat_slot(slots, nr, places->slots[i].address) = places->slots[i];
	free(places->slots);
	places->slots = slots;
	places->nr_slots = nr;
	return true;
}

/* Find or add an address. */
static struct kma_dat_place *dat_place(struct kma_dat_places *places, uint64_t address)
{
	struct kma_dat_place *place = dat_slot(places->slots, places->nr_slots, address);
	char text[KMA_DAT_SITE_MAX];

	if (place->used)
		return place;
	if (!dat_grow_places(places))
		return NULL;
	place = dat_slot(places->slots, places->nr_slots, address);
	place->used = true;
	place->address = address;
	for (unsigned int kind = 0; kind < KMA_NR_KINDS; kind++)
		place->site[kind] = KMA_DAT_NONE;
	dat_place_text(places, address, text);
	place->frame = kma_frame_class(text, strlen(text));
	places->nr_places++;
	return place;
}

/*
 * Load a number from a record that has the host's byte order.
 */

/* Loads a number of 1, 2, 4 or 8 bytes, of any alignment; 0 for another size. */
static inline uint64_t dat_load(const char *p, int size)
{
	uint64_t number = 0;

	switch (size) {
	case 8:
		memcpy(&number, p, 8);
		break;
	case 4:
		memcpy(&number, p, 4);
		break;
	case 2:
		memcpy(&number, p, 2);
		break;
	case 1:
		memcpy(&number, p, 1);
		break;
	}
	return number;
}

/*
 * Numbers of the call sites of a trace.dat if tasks are distinguished: each
 * pair of a call site and a task has a number. Used only in the child, by trace-dat*.c.
 *
 * Locking: none; the child has one thread.
 */

/* The process number of an event within an interrupt. */
#define KMA_DAT_IRQ -1

struct kma_dat_tasks;

#define KMA_DAT_FLAG_HARDIRQ 0x08 /* TRACE_FLAG_HARDIRQ and TRACE_FLAG_SOFTIRQ of the kernel */
#define KMA_DAT_FLAG_SOFTIRQ 0x10

struct kma_dat_task {
	uint32_t site;
	int who;
	uint32_t number;
	bool used;
};

struct kma_dat_tasks {
	struct kma_dat_task *slots; /* open addressing, at most half full */
	size_t nr_slots, nr;
};

/* Returns an empty table, or NULL if memory cannot be allocated. */
static struct kma_dat_tasks *dat_tasks_create(void)
{
	struct kma_dat_tasks *tasks = calloc(1, sizeof(*tasks));

	if (!tasks)
		return NULL;
	tasks->nr_slots = 1 << 12;
	tasks->slots = calloc(tasks->nr_slots, sizeof(*tasks->slots));
	if (tasks->slots)
		return tasks;
	free(tasks);
	return NULL;
}

/* The process number of an event, or KMA_DAT_IRQ. */
static int dat_tasks_who(struct tep_handle *tep, struct tep_record *record)
{
	if (tep_data_flags(tep, record) & (KMA_DAT_FLAG_HARDIRQ | KMA_DAT_FLAG_SOFTIRQ))
		return KMA_DAT_IRQ;
	return tep_data_pid(tep, record);
}

static struct kma_dat_task *dat_tasks_find(struct kma_dat_task *slots, size_t nr, uint32_t site,
					   int who)
{
	uint64_t key = (uint64_t)site << 32 | (uint32_t)who;
	size_t i = key * 0x9e3779b97f4a7c15ULL >> 32 & (nr - 1);

	while (slots[i].used && (slots[i].site != site || slots[i].who != who))
		i = (i + 1) & (nr - 1);
	return &slots[i];
}

static bool dat_tasks_grow(struct kma_dat_tasks *tasks)
{
	size_t nr = tasks->nr_slots * 2;
	struct kma_dat_task *slots;

	if (tasks->nr * 2 < tasks->nr_slots)
		return true;
	if (tasks->nr >= KMA_DAT_MAX_SITES)
		return false;
	slots = calloc(nr, sizeof(*slots));
	if (!slots)
		return false;
	for (size_t i = 0; i < tasks->nr_slots; i++)
		if (tasks->slots[i].used)
			*dat_tasks_find(slots, nr, tasks->slots[i].site, tasks->slots[i].who) =
				tasks->slots[i];
	free(tasks->slots);
	tasks->slots = slots;
	tasks->nr_slots = nr;
	return true;
}

/*
 * Finds or adds a pair of a call site and a task (@who: process number, or KMA_DAT_IRQ). Returns
 * where the number of the pair is stored, KMA_DAT_NONE for a new pair, valid until the next call;
 * NULL if the table is full or memory cannot be allocated.
 */
static uint32_t *dat_tasks_slot(struct kma_dat_tasks *tasks, uint32_t site, int who)
{
	struct kma_dat_task *slot = dat_tasks_find(tasks->slots, tasks->nr_slots, site, who);

	if (slot->used)
		return &slot->number;
	if (!dat_tasks_grow(tasks))
		return NULL;
	slot = dat_tasks_find(tasks->slots, tasks->nr_slots, site, who);
	*slot = (struct kma_dat_task){ site, who, KMA_DAT_NONE, true };
	tasks->nr++;
	return &slot->number;
}

/*
 * Writes the text of a call site for a task, as kma_intern_grouped() does. @buf has
 * KMA_DAT_SITE_MAX + KMA_FTRACE_TASK bytes.
 */
static void dat_tasks_text(struct tep_handle *tep, const char *site, int who, char *buf)
{
	const char *name = KMA_FTRACE_IRQ;
	char *task;

	if (who != KMA_DAT_IRQ)
		name = tep_data_comm_from_pid(tep, who);
	if (!name || !*name || !strcmp(name, "<...>"))
		name = KMA_FTRACE_NO_TASK;
	task = buf + snprintf(buf, KMA_DAT_SITE_MAX, "%s\n", site);
	snprintf(task, KMA_FTRACE_TASK, "%s", name);
	/* A task can choose any name: replace what would end the line. */
	for (; *task; task++)
		if (iscntrl((unsigned char)*task))
			*task = '?';
}

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

static const char *const dat_field_names[KMA_DAT_NR_FIELDS] = {
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
	uint64_t page; /* bytes */
	bool swap;
	struct kma_dat_stream *streams;
	unsigned int nr_streams;
	uint32_t nr_sites, taker_site[KMA_NR_TAKERS], no_site[KMA_NR_KINDS];
	uint64_t seq, done;
	struct kma_dat_sums sums;
};

static void dat_alive(void)
{
	const struct itimerval timer = { .it_value.tv_sec = KMA_DAT_ALIVE_S };

	setitimer(ITIMER_PROF, &timer, NULL);
}

static void dat_open_slot(struct kma_dat_child *child)
{
	child->slot = kma_shmring_fill(child->ring);
	child->slot->nr = child->slot->sites = child->slot->len = 0;
}

static void dat_push(struct kma_dat_child *child, enum kma_dat_what what)
{
	child->slot->seq = child->seq++;
	child->slot->what = what;
	child->slot->done = child->done;
	child->slot->sums = child->sums;
	kma_shmring_push(child->ring);
	if (what == KMA_DAT_BOOK)
		dat_open_slot(child);
}

static void dat_fail(struct kma_dat_child *child, const char *why)
{
	strcpy(child->slot->text, why);
	child->slot->len = strlen(why);
	dat_push(child, KMA_DAT_FAIL);
}

/* Number a new text and add it to the slot that is being filled. */
static uint32_t dat_new_site(struct kma_dat_child *child, enum kma_kind kind, const char *text)
{
	size_t len = strlen(text) + 1;

	if (child->nr_sites == KMA_DAT_MAX_SITES)
		return KMA_DAT_REST;
	if (child->slot->len + 1 + len > KMA_DAT_TEXT)
		dat_push(child, KMA_DAT_BOOK);
	child->slot->text[child->slot->len] = kind;
	memcpy(child->slot->text + child->slot->len + 1, text, len);
	child->slot->len += 1 + len;
	child->slot->sites++;
	return child->nr_sites++;
}

/* Get the number of a call site for a task. @name is its text; if NULL, that of @address. */
static uint32_t dat_of_task(struct kma_dat_child *child, enum kma_kind kind, uint32_t site,
			    const char *name, uint64_t address, int who)
{
	char text[KMA_DAT_SITE_MAX], both[KMA_DAT_SITE_MAX + KMA_FTRACE_TASK];
	uint32_t *number;

	if (!child->tasks || site == KMA_DAT_REST)
		return site;
	number = dat_tasks_slot(child->tasks, site, who);
	if (!number)
		return KMA_DAT_REST;
	if (*number == KMA_DAT_NONE) {
		dat_tasks_text(child->tep, name ?: dat_place_text(child->places, address, text),
			       who, both);
		*number = dat_new_site(child, kind, both);
	}
	return *number;
}

static uint32_t dat_site(struct kma_dat_child *child, enum kma_kind kind, uint64_t address, int who)
{
	struct kma_dat_place *place = dat_place(child->places, address);
	char text[KMA_DAT_SITE_MAX];

	if (!place)
		return KMA_DAT_REST;
	if (place->site[kind] == KMA_DAT_NONE)
		place->site[kind] =
			dat_new_site(child, kind, dat_place_text(child->places, address, text));
	return dat_of_task(child, kind, place->site[kind], NULL, address, who);
}

/* Get the number of a row that has a name; @site keeps it. */
static uint32_t dat_row(struct kma_dat_child *child, enum kma_kind kind, const char *name,
			uint32_t *site)
{
	if (*site == KMA_DAT_NONE)
		*site = dat_new_site(child, kind, name);
	return *site;
}

static void dat_emit(struct kma_dat_child *child, const struct kma_event *event)
{
	child->slot->events[child->slot->nr++] = *event;
	if (child->slot->nr == KMA_DAT_EVENTS)
		dat_push(child, KMA_DAT_BOOK);
}

static inline uint64_t dat_number(const struct kma_dat_child *child, const char *p, int size)
{
	return child->swap ? tep_read_number(child->tep, p, size) : dat_load(p, size);
}

static inline uint64_t dat_get(const struct kma_dat_child *child, const struct kma_dat_event *event,
			       const char *data, enum kma_dat_field field)
{
	return dat_number(child, data + event->field[field].offset, event->field[field].size);
}

/* Emit the held event with its call site. */
static void dat_release(struct kma_dat_child *child, struct kma_dat_stream *stream, uint32_t site)
{
	stream->held.site = site;
	stream->holds = false;
	dat_emit(child, &stream->held);
}

/* Emit the held event in the row for events without call site. */
static void dat_release_untold(struct kma_dat_child *child, struct kma_dat_stream *stream)
{
	enum kma_kind kind = stream->held.kind;
	uint32_t site = dat_row(child, kind, kma_no_site[kind], &child->no_site[kind]);

	dat_release(child, stream,
		    dat_of_task(child, kind, site, kma_no_site[kind], 0, stream->held_who));
}

/*
 * Emit the held event if this frame is its call site: the first one outside the event's own
 * allocator. Return false if the next frame must be looked at.
 */
static bool dat_take_frame(struct kma_dat_child *child, struct kma_dat_stream *stream,
			   uint64_t address)
{
	const struct kma_dat_place *place = dat_place(child->places, address);
	enum kma_frame_kind frame = place ? place->frame : KMA_FRAME_CALLER;
	enum kma_kind kind = stream->held.kind;

	if (frame == KMA_FRAME_PAGE || frame == KMA_FRAME_PROBE ||
	    (kind == KMA_KIND_PERCPU && frame == KMA_FRAME_PERCPU))
		return false;
	for (size_t i = 0; kind == KMA_KIND_PAGE && i < KMA_NR_TAKERS; i++)
		if (kma_takers[i].frame == frame) {
			dat_release(child, stream,
				    dat_row(child, kind,
					    child->tasks ? kma_takers[i].row_of_task :
							   kma_takers[i].row,
					    &child->taker_site[i]));
			return true;
		}
	dat_release(child, stream, dat_site(child, kind, address, stream->held_who));
	return true;
}

static void dat_take_stack(struct kma_dat_child *child, struct kma_dat_stream *stream,
			   const struct kma_dat_event *event)
{
	const char *p = (const char *)stream->record->data + event->field[KMA_DAT_CALLER].offset;
	const char *end = (const char *)stream->record->data + stream->record->size;

	for (; stream->holds && end - p >= child->long_size; p += child->long_size) {
		uint64_t address = dat_number(child, p, child->long_size);

		/* -1 marks the end if the record has space for more entries. */
		if (!(address + 1) || (child->long_size == 4 && address == UINT32_MAX))
			break;
		if (address && dat_take_frame(child, stream, address))
			return;
	}
}

/*
 * Read the fields of an event of pages or per-CPU memory. Its address is mapped to a range that
 * slab addresses do not use (event.h).
 */
static void dat_take_rare(struct kma_dat_child *child, struct kma_dat_stream *stream,
			  const struct kma_dat_event *event, int who, struct kma_event *ret)
{
	const char *data = stream->record->data;
	uint64_t order;

	if (ret->kind == KMA_KIND_PAGE) {
		ret->ptr = dat_get(child, event, data, KMA_DAT_PFN);
		/* No page was allocated: the pfn is -1, as wide as the kernel's long. */
		if (!(ret->ptr + 1) || (child->long_size == 4 && ret->ptr == UINT32_MAX))
			ret->ptr = 0;
		order = dat_get(child, event, data, KMA_DAT_ORDER);
		if (order > KMA_DAT_ORDER_MAX) {
			child->sums.short_events++;
			return;
		}
		ret->req = ret->alloc = child->page << order;
		if (ret->is_free)
			ret->req = 0;
		ret->ptr = ret->ptr ? kma_ptr_page(ret->ptr * (child->page >> KMA_PAGE_SHIFT)) : 0;
	} else {
		ret->ptr = ret->ptr ? kma_ptr_percpu(ret->ptr) : 0;
		if (event->has & KMA_DAT_F(SIZE) && !ret->is_free) {
			ret->req = dat_get(child, event, data, KMA_DAT_SIZE);
			/* bytes_alloc is the sum over all CPUs, size that of one CPU. */
			if (event->has & KMA_DAT_F(ALLOC))
				ret->req = ret->alloc;
			else
				ret->alloc = ret->req;
		}
	}
	child->sums.kinds |= 1U << ret->kind;
	if (event->has & KMA_DAT_F(CALL_SITE)) {
		ret->site = dat_site(child, ret->kind,
				     dat_get(child, event, data, KMA_DAT_CALL_SITE), who);
		dat_emit(child, ret);
		return;
	}
	stream->held = *ret;
	stream->held_who = who;
	stream->holds = true;
}

static void dat_take_event(struct kma_dat_child *child, struct kma_dat_stream *stream,
			   struct kma_dat_event *event)
{
	const struct kma_dat_kind *kind = event->kind;
	const char *data = stream->record->data;
	struct kma_event ret = {
		.cpu = stream->cpu,
		.kind = kind->kind,
		.is_free = kind->is_free,
	};
	int who = child->tasks ? dat_tasks_who(child->tep, stream->record) : 0;

	if (event->buffer < 0)
		event->buffer = stream->buffer;
	if (event->buffer != stream->buffer) {
		child->sums.doubled++;
		return;
	}
	if (event->has & KMA_DAT_F(PTR))
		ret.ptr = dat_get(child, event, data, KMA_DAT_PTR);
	if (event->has & KMA_DAT_F(ALLOC))
		ret.alloc = dat_get(child, event, data, KMA_DAT_ALLOC);
	if (event->has & KMA_DAT_F(REQ))
		ret.req = dat_get(child, event, data, KMA_DAT_REQ);
	if (kind->kind == KMA_KIND_PAGE || kind->kind == KMA_KIND_PERCPU) {
		dat_take_rare(child, stream, event, who, &ret);
		return;
	}
	child->sums.kinds |= 1U << kind->kind;
	ret.site = dat_site(child, kind->kind, dat_get(child, event, data, KMA_DAT_CALL_SITE), who);
	dat_emit(child, &ret);
}

/* The tracepoint of a record, found by its id; NULL if it is not read. */
static struct kma_dat_event *dat_event_of(struct kma_dat_child *child,
					  const struct tep_record *record)
{
	uint64_t id = KMA_DAT_IDS;

	if (record->size >= child->type_offset + child->type_size)
		id = dat_number(child, (char *)record->data + child->type_offset, child->type_size);
	return id < KMA_DAT_IDS ? child->events[id] : NULL;
}

static bool dat_is_stack(const struct kma_dat_event *event, const struct tep_record *record)
{
	return event && event->kind->kind == KMA_KIND_UNKNOWN && record->size >= event->len;
}

static void dat_take_record(struct kma_dat_child *child, struct kma_dat_stream *stream)
{
	const struct tep_record *record = stream->record;
	struct kma_dat_event *event = dat_event_of(child, record);

	if (record->missed_events > 0)
		child->sums.lost += record->missed_events;
	else if (record->missed_events)
		child->sums.lost_unsaid++;
	child->done += record->record_size;
	if (dat_is_stack(event, record)) {
		if (stream->holds)
			dat_take_stack(child, stream, event);
		/* No frame of the stack was a call site. */
		if (stream->holds)
			dat_release_untold(child, stream);
		return;
	}
	if (!event)
		child->sums.other++;
	else if (record->size < event->len)
		child->sums.short_events++;
	else
		dat_take_event(child, stream, event);
}

/*
 * Read the next record of a stream. If an event is held, release it unless that record is its
 * stack. A stack after a loss belongs to a lost event.
 */
static void dat_next(struct kma_dat_child *child, struct kma_dat_stream *stream)
{
	const struct tep_record *next;

	if (stream->record)
		tracecmd_free_record(stream->record);
	next = stream->record = tracecmd_read_data(stream->handle, stream->cpu);
	if (stream->holds &&
	    (!next || next->missed_events || !dat_is_stack(dat_event_of(child, next), next)))
		dat_release_untold(child, stream);
}

/*
 * Return the stream with the oldest record, NULL at the end; @until is the time of the second
 * oldest. A linear search suffices: there is one stream per CPU and buffer.
 */
static struct kma_dat_stream *dat_oldest(const struct kma_dat_child *child, uint64_t *until)
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

static void dat_read_all(struct kma_dat_child *child)
{
	struct kma_dat_stream *stream;
	uint64_t until, nr = 0;

	for (unsigned int i = 0; i < child->nr_streams; i++)
		dat_next(child, &child->streams[i]);
	while ((stream = dat_oldest(child, &until))) {
		/*
		 * This stream comes next as long as its records are older than @until. At equal
		 * times the lowest CPU comes first, as in the output of trace-cmd report. If an
		 * event is held, the next record of its stream comes first in any case.
		 */
		do {
			dat_take_record(child, stream);
			dat_next(child, stream);
			if (++nr % KMA_DAT_ALIVE_EVERY)
				continue;
			if (kma_shmring_stopped(child->ring))
				return;
			dat_alive();
		} while (stream->record && (stream->holds || stream->record->ts < until));
	}
}

/* Look up the fields of a tracepoint. One that lacks a needed field is not read. */
static bool dat_find_fields(struct kma_dat_child *child, const struct kma_dat_kind *kind)
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
			tep_find_any_field(format, dat_field_names[i]);
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
static enum kma_dat_wrong dat_wrong_of(struct tep_handle *tep)
{
	struct tep_event *alloc = tep_find_event_by_name(tep, "kmem", "kmem_cache_alloc");

	if (!alloc)
		return KMA_DAT_WRONG_PERHAPS;
	if (tep_find_any_field(alloc, "name"))
		return KMA_DAT_WRONG_LEGAL;
	return tep_find_any_field(alloc, "accounted") ? KMA_DAT_WRONG_PERHAPS : KMA_DAT_WRONG_FAULT;
}

static bool dat_set_up_events(struct kma_dat_child *child)
{
	struct tep_event *any = tep_get_first_event(child->tep);
	struct tep_format_field *type = any ? tep_find_common_field(any, "common_type") : NULL;

	if (!type || type->offset < 0 || type->offset > 64 || type->size < 1 || type->size > 8)
		return false;
	child->type_offset = type->offset;
	child->type_size = type->size;
	child->long_size = tep_get_long_size(child->tep) == 4 ? 4 : 8;
	child->swap = tep_is_file_bigendian(child->tep) != tep_is_local_bigendian(child->tep);
	child->sums.wrong = dat_wrong_of(child->tep);
	for (size_t i = 0; i < KMA_NR_TAKERS; i++)
		child->taker_site[i] = KMA_DAT_NONE;
	for (size_t i = 0; i < KMA_NR_KINDS; i++)
		child->no_site[i] = KMA_DAT_NONE;
	child->events = calloc(KMA_DAT_IDS, sizeof(struct kma_dat_event *));
	if (!child->events)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(kma_dat_kinds); i++)
		if (!dat_find_fields(child, &kma_dat_kinds[i]))
			return false;
	return true;
}

/* Buffer 0 is the file's main one; instances are 1 and up. */
static bool dat_set_up_streams(struct kma_dat_child *child, struct tracecmd_input *handle)
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

void kma_dat_child(const char *path, struct kma_shmring *ring, bool tasks, uint64_t page)
{
	struct kma_dat_child child = { .ring = ring, .page = page };
	struct tracecmd_input *handle;

	dat_alive();
	dat_open_slot(&child);
	/* Plugins serve only for printing, and are foreign code: do not load them. */
	handle = tracecmd_open(path, TRACECMD_FL_LOAD_NO_PLUGINS);
	child.tep = handle ? tracecmd_get_tep(handle) : NULL;
	if (!child.tep) {
		dat_fail(&child, "libtracecmd cannot open it; it may be corrupt or truncated");
		return;
	}
	if (!dat_set_up_events(&child)) {
		dat_fail(&child, "no events are described in this file");
		return;
	}
	if (!dat_places_create(child.tep, &child.places)) {
		dat_fail(&child, "out of memory for its symbols");
		return;
	}
	child.tasks = tasks ? dat_tasks_create() : NULL;
	if (tasks && !child.tasks) {
		dat_fail(&child, "out of memory for its tasks");
		return;
	}
	child.sums.no_symbols = !dat_places_named(child.places);
	if (!dat_set_up_streams(&child, handle)) {
		dat_fail(&child, "no readable buffers in this file");
		return;
	}
	dat_read_all(&child);
	dat_push(&child, KMA_DAT_END);
}
