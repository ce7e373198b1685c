// SPDX-License-Identifier: GPL-2.0-only
/*
 * log.c - the events of an event log, merged by time. log.h has the design.
 *
 * Events of one CPU come in runs, so the lane (stream) of the last event is used until its next
 * event is not before @until, the earliest event of all other lanes. Only then are all compared.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/atend.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "log-stream.h"
#include "log-symbols.h"
#include "log.h"

struct kma_log_lane {
	struct kma_log_stream stream;
	struct kma_log_item item;
};

/* A module that is, or was, loaded. Of several at one address, the last one counts. */
struct kma_log_loaded {
	uint64_t base, size; /* address and bytes of its code */
	char name[65];
	char build_id[KMA_LOG_BUILD_ID_MAX];
	bool init; /* this is the part of its code that is freed after initialisation */
};

struct kma_log {
	struct kma_log_file file;
	struct kma_log_sums sums;
	struct kma_log_symbols symbols;
	struct kma_input *input; /* NULL: the log is in memory */
	char *name;
	struct kma_log_lane **lanes; /* lanes that have a next event */
	size_t nr_lanes;
	uint32_t nr_streams;	  /* CPUs that have a stream in the file */
	struct kma_log_lane *cur; /* lane of the last event; NULL: it has ended */
	uint64_t until;		  /* ns: below this time, @cur has the earliest event */
	bool began, finished;	  /* the first events were read; the end was checked */
	uint64_t code_page;	  /* page of a module's code that contained the last call site */
	uint64_t end;		  /* ns: events from this time on are not returned; 0: no end */
	unsigned int since;	  /* events since the last call of kma_log_look() */
	struct kma_log_loaded *modules;
	size_t nr_modules, room_modules;
};

/* Events after which the progress is updated, and a request to stop is checked. */
#define KMA_LOG_LOOK 8192

/* Add the module of a MODULE record, which is in the header or in a stream. */
static struct kma_err *kma_log_take_module(struct kma_log *log, const unsigned char *p)
{
	bool swap = log->file.swap;
	struct kma_log_loaded module = { 0 };
	unsigned int len = p[offsetof(struct kma_log_module, name_len)];
	unsigned int flags;

	if (len > p[1] * 8U - sizeof(struct kma_log_module) || len > 64)
		return NULL;
	memcpy(module.name, p + sizeof(struct kma_log_module), len);
	module.base = KMA_LOG_GET64(p, kma_log_module, base, swap);
	module.size = KMA_LOG_GET64(p, kma_log_module, size, swap);
	kma_log_build_id(module.build_id, p + offsetof(struct kma_log_module, build_id),
			 p[offsetof(struct kma_log_module, build_id_len)]);
	flags = KMA_LOG_GET16(p, kma_log_record, flags, swap);
	/* Earlier events may still follow, and another module may be loaded at the same address. */
	if (flags & KMA_LOG_GONE)
		return NULL;
	module.init = flags & KMA_LOG_INIT;
	kma_array_room(log->modules, log->nr_modules, log->room_modules);
	log->modules[log->nr_modules++] = module;
	return NULL;
}

/* Read the records after the header: the modules that were loaded when the log began. */
static struct kma_err *kma_log_read_modules(struct kma_log *log)
{
	const struct kma_log_file *file = &log->file;
	uint64_t pos = KMA_LOG_GET16(file->map, kma_log_header, fixed_len, file->swap);
	struct kma_err *err = NULL;

	while (!err && pos < file->head.header_len) {
		const unsigned char *p = file->map + pos;
		uint64_t left = file->head.header_len - pos;

		if (left < sizeof(struct kma_log_record) || !p[1] || p[1] * 8U > left) {
			kma_log_report(file, KMA_LOG_BAD_STREAM, KMA_LOG_NO_CPU, pos, left);
			break;
		}
		if (p[0] == KMA_LOG_MODULE && p[1] * 8U >= sizeof(struct kma_log_module))
			err = kma_log_take_module(log, p);
		pos += p[1] * 8;
	}
	return err;
}

static struct kma_err *kma_log_begin(struct kma_log *log)
{
	struct kma_err *err;
	uint32_t nr = 0;

	log->file.sums = &log->sums;
	err = kma_log_file_open(&log->file);
	if (err)
		return err;
	err = kma_log_read_modules(log);
	if (err)
		return err;
	kma_log_symbols_read(&log->symbols, &log->file);
	for (uint32_t cpu = 0; cpu < log->file.head.nr_cpus; cpu++)
		nr += !!log->file.cpus[cpu].nr;
	log->nr_streams = nr;
	log->sums.start = log->file.head.start;
	log->sums.wall = log->file.head.wall;
	log->lanes = kma_xcalloc(nr + 1, sizeof(*log->lanes));
	for (uint32_t cpu = 0; cpu < log->file.head.nr_cpus; cpu++) {
		struct kma_log_lane *lane;

		if (!log->file.cpus[cpu].nr)
			continue;
		lane = kma_xcalloc(1, sizeof(*lane));
		log->lanes[log->nr_lanes++] = lane;
		kma_log_stream_init(&lane->stream, &log->file, cpu);
	}
	return NULL;
}

static struct kma_log *kma_log_create(const char *name, kma_log_found_fn *found, void *arg)
{
	struct kma_log *log = kma_xcalloc(1, sizeof(*log));

	log->name = kma_xstrdup(name);
	log->file.name = log->name;
	log->file.found = found;
	log->file.arg = arg;
	return log;
}

static struct kma_err *kma_log_map(struct kma_log *log, const char *path)
{
	struct kma_err *err;
	struct stat st;
	void *map;
	int fd;

	err = kma_file_open(AT_FDCWD, path, KMA_FILE_REGULAR, &fd, &st);
	if (err)
		return kma_err_rename(err, log->name);
	if (!st.st_size) {
		close(fd);
		return kma_err_create_kind(KMA_ERR_OTHER_FORMAT, log->name, 0,
					   "the file is empty, not an event log");
	}
	map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return kma_err_create_kind(KMA_ERR_NOT_READABLE, log->name, 0, "cannot map: %m");
	log->file.map = map;
	log->file.len = st.st_size;
	log->file.unmap = true;
	kma_atend_map(map, st.st_size, log->name);
	return NULL;
}

struct kma_err *kma_log_open(struct kma_input *input, kma_log_found_fn *found, void *arg,
			     struct kma_log **ret)
{
	struct kma_log *log;
	struct kma_err *err;
	const char *path;

	log = kma_log_create(kma_input_name(input), found, arg);
	log->input = input;
	kma_input_allow_truncated(input);
	err = kma_log_file_probe(input) ?: kma_input_path(input, &path);
	if (!err)
		err = kma_log_map(log, path);
	if (!err)
		err = kma_log_begin(log);
	if (err) {
		kma_log_close(log);
		return err;
	}
	*ret = log;
	return NULL;
}

struct kma_err *kma_log_open_memory(const char *name, const void *bytes, size_t len,
				    kma_log_found_fn *found, void *arg, struct kma_log **ret)
{
	struct kma_log *log;
	struct kma_err *err;

	log = kma_log_create(name, found, arg);
	log->file.map = bytes;
	log->file.len = len;
	err = kma_log_begin(log);
	if (err) {
		kma_log_close(log);
		return err;
	}
	*ret = log;
	return NULL;
}

void kma_log_close(struct kma_log *log)
{
	if (!log)
		return;
	for (size_t i = 0; i < log->nr_lanes; i++)
		free(log->lanes[i]);
	free(log->lanes);
	free(log->modules);
	kma_log_symbols_free(&log->symbols);
	kma_log_file_close(&log->file);
	if (log->file.unmap) {
		kma_atend_unmap(log->file.map);
		munmap((void *)log->file.map, log->file.len);
	}
	free(log->name);
	free(log);
}

uint64_t kma_log_interval(struct kma_log *log, const struct kma_interval *interval)
{
	uint64_t start = log->file.head.start;

	if (!interval->is)
		return 0;
	if (interval->to && __builtin_add_overflow(start, interval->to, &log->end))
		log->end = 0;
	if (__builtin_add_overflow(start, interval->from, &start))
		return UINT64_MAX;
	return interval->from ? start : 0;
}

const struct kma_log_head *kma_log_head(const struct kma_log *log)
{
	return &log->file.head;
}

const struct kma_log_sums *kma_log_sums(const struct kma_log *log)
{
	return &log->sums;
}

/* Remove a lane whose stream was read to its end. */
static void kma_log_drop(struct kma_log *log, size_t i)
{
	struct kma_log_lane *lane = log->lanes[i];
	struct kma_log_total *totals = log->symbols.totals.cpus;

	if (totals) {
		totals[lane->stream.cpu].read = lane->stream.seq;
		totals[lane->stream.cpu].read_lost = lane->stream.lost;
	}
	log->lanes[i] = log->lanes[--log->nr_lanes];
	free(lane);
}

/* Decode the next event of a stream, or remove the stream at its end. */
static void kma_log_load(struct kma_log *log, size_t i)
{
	struct kma_log_lane *lane = log->lanes[i];

	if (!kma_log_stream_next(&lane->stream, &lane->item))
		kma_log_drop(log, i);
}

/* Is the next event of @a before that of @b, another lane? */
static inline bool kma_log_before(const struct kma_log_lane *a, const struct kma_log_lane *b)
{
	return a->item.time < b->item.time ||
	       (a->item.time == b->item.time && a->item.cpu < b->item.cpu);
}

/*
 * Count the streams without an END record: the recorder was killed, or could not write. The ENDs of
 * other streams have the number of all streams, including those that are not in the file at all.
 */
static uint32_t kma_log_without_end(const struct kma_log *log)
{
	const struct kma_log_sums *sums = &log->sums;
	uint32_t want = sums->streams > log->nr_streams ? sums->streams : log->nr_streams;

	if (!log->file.head.bounds)
		return 0;
	if (!want)
		want = 1;
	return sums->ends < want ? want - sums->ends : 0;
}

/* Report the records of a CPU that the module has counted after the last one in the file. */
static void kma_log_compare_total(struct kma_log *log, uint32_t cpu)
{
	const struct kma_log_total *total = &log->symbols.totals.cpus[cpu];
	uint64_t gone, lost;

	if (!total->known || total->records <= total->read)
		return;
	gone = total->records - total->read;
	lost = total->lost > total->read_lost ? total->lost - total->read_lost : 0;
	if (lost > gone)
		lost = gone;
	if (lost)
		kma_log_report(&log->file, KMA_LOG_OVERRUN, cpu, log->file.len, lost);
	if (gone > lost)
		kma_log_report(&log->file, KMA_LOG_MISSING, cpu, log->file.len, gone - lost);
}

/* All streams were read: report what is missing at their ends. */
static void kma_log_finish(struct kma_log *log)
{
	const struct kma_log_head *head = &log->file.head;
	const struct kma_log_totals *totals = &log->symbols.totals;
	uint32_t without = kma_log_without_end(log);

	if (log->finished)
		return;
	log->finished = true;
	if (without || (head->totals && !totals->whole) || kma_input_is_truncated(log->input))
		kma_log_report(&log->file, KMA_LOG_NO_END, KMA_LOG_NO_CPU, log->file.len, without);
	for (uint32_t cpu = 0; totals->cpus && cpu < head->nr_cpus; cpu++)
		kma_log_compare_total(log, cpu);
}

/*
 * The interval has ended before the streams. Streams that ended earlier, without an END, lack
 * events of the interval: report them.
 */
static void kma_log_finish_interval(struct kma_log *log)
{
	uint32_t over = log->nr_streams - log->nr_lanes;

	if (log->finished || !log->file.head.bounds)
		return;
	log->finished = true;
	if (log->sums.ends < over)
		kma_log_report(&log->file, KMA_LOG_NO_END, KMA_LOG_NO_CPU, log->file.len,
			       over - log->sums.ends);
}

/* Choose the lane with the earliest event, and the time up to which it stays the earliest. */
static size_t kma_log_choose(struct kma_log *log)
{
	size_t best = 0;

	for (size_t i = 1; i < log->nr_lanes; i++)
		if (kma_log_before(log->lanes[i], log->lanes[best]))
			best = i;
	log->until = UINT64_MAX;
	for (size_t i = 0; i < log->nr_lanes; i++)
		if (i != best && log->lanes[i]->item.time < log->until)
			log->until = log->lanes[i]->item.time;
	log->cur = log->lanes[best];
	return best;
}

/* Update the progress of the input; false after a request to stop. */
static bool kma_log_look(struct kma_log *log)
{
	log->since = 0;
	if (!log->input)
		return true;
	kma_input_set_done(log->input, log->cur ? log->cur->item.pos : 0);
	return !kma_input_stopped();
}

/* Read the first event of each stream, and remove empty streams. */
static void kma_log_start(struct kma_log *log)
{
	log->began = true;
	for (size_t i = log->nr_lanes; i-- > 0;)
		kma_log_load(log, i);
}

/* Advance the stream of the last event, and check whether it is still the earliest. */
static bool kma_log_go_on(struct kma_log *log)
{
	struct kma_log_lane *cur = log->cur;
	size_t i = 0;

	if (!cur)
		return false;
	if (kma_log_stream_next(&cur->stream, &cur->item))
		return cur->item.time < log->until;
	while (log->lanes[i] != cur)
		i++;
	kma_log_drop(log, i);
	log->cur = NULL;
	return false;
}

static const struct kma_log_loaded *kma_log_module_at(const struct kma_log *log, uint64_t address)
{
	for (size_t i = log->nr_modules; i-- > 0;)
		if (address - log->modules[i].base < log->modules[i].size)
			return &log->modules[i];
	return NULL;
}

static void kma_log_wrong(struct kma_log *log, const struct kma_log_item *item,
			  enum kma_log_value value)
{
	kma_log_report(&log->file, KMA_LOG_BAD_VALUE, item->cpu, item->pos, value);
}

/* Is the address in code? The last page of a module is remembered: most events are in few. */
static bool kma_log_is_code(struct kma_log *log, uint64_t address)
{
	const struct kma_log_head *head = &log->file.head;
	uint64_t page = address >> 12;

	/* Without the end of the kernel's text this cannot be checked. */
	if (!head->stext || !head->etext || (address >= head->stext && address < head->etext))
		return true;
	if (page != log->code_page && kma_log_module_at(log, address))
		log->code_page = page;
	return page == log->code_page;
}

/* Report values that an event cannot have. */
static void kma_log_check_item(struct kma_log *log, const struct kma_log_item *item)
{
	const struct kma_log_head *head = &log->file.head;
	bool alloc = item->type == KMA_LOG_ITEM_ALLOC;
	bool slab = item->kind == KMA_KIND_KMALLOC || item->kind == KMA_KIND_CACHE;
	uint64_t align = slab ? 4 : item->kind == KMA_KIND_PAGE ? 1ULL << head->page_shift : 1;

	if (item->time < head->start)
		kma_log_report(&log->file, KMA_LOG_EARLY, item->cpu, item->pos,
			       head->start - item->time);
	if (alloc && item->failed != !item->ptr)
		kma_log_wrong(log, item, KMA_LOG_VALUE_NULL);
	if (alloc && !item->failed && item->alloc < item->req && slab)
		kma_log_wrong(log, item, KMA_LOG_VALUE_SHORT);
	if (item->ptr > KMA_PTR_NONE && item->ptr & (align - 1))
		kma_log_wrong(log, item, KMA_LOG_VALUE_ALIGN);
	if (item->ptr > KMA_PTR_NONE && slab &&
	    (head->word_bits == 32 ? item->ptr >> 32 : !(item->ptr >> 63)))
		kma_log_wrong(log, item, KMA_LOG_VALUE_ADDRESS);
	if (item->site && !kma_log_is_code(log, item->site))
		kma_log_wrong(log, item, KMA_LOG_VALUE_SITE);
	if (alloc && item->node != KMA_LOG_NO_NODE && item->node >= head->nr_nodes)
		kma_log_wrong(log, item, KMA_LOG_VALUE_NODE);
}

/* Convert the addresses of pages and per-CPU memory to values of kma_event.ptr. */
static inline void kma_log_ptr(struct kma_log_item *item)
{
	if (item->ptr <= KMA_PTR_NONE)
		return;
	if (item->kind == KMA_KIND_PAGE)
		item->ptr = kma_ptr_page(item->ptr >> KMA_PAGE_SHIFT);
	else if (item->kind == KMA_KIND_PERCPU)
		item->ptr = kma_ptr_percpu(item->ptr);
}

bool kma_log_next(struct kma_log *log, const struct kma_log_item **ret)
{
	struct kma_log_item *item;

	if (++log->since >= KMA_LOG_LOOK && !kma_log_look(log))
		return false;
	if (!log->began)
		kma_log_start(log);
	if (!kma_log_go_on(log)) {
		if (!log->nr_lanes) {
			kma_log_finish(log);
			return false;
		}
		kma_log_choose(log);
	}
	item = &log->cur->item;
	if (log->end && item->time >= log->end) {
		kma_log_finish_interval(log);
		return false;
	}
	*ret = item;
	if (item->type == KMA_LOG_ITEM_MODULE) {
		/* Without memory the call sites of the module have no name; the log goes on. */
		kma_log_take_module(log, log->cur->stream.raw);
		return true;
	}
	if (item->type == KMA_LOG_ITEM_LOST)
		return true;
	kma_log_check_item(log, item);
	kma_log_ptr(item);
	if (item->time >= log->symbols.tasks.next)
		kma_log_tasks_apply(&log->symbols.tasks, item->time);
	if (!log->sums.first || item->time < log->sums.first)
		log->sums.first = item->time;
	log->sums.last = item->time;
	return true;
}

uint16_t kma_log_cpu_node(const struct kma_log *log, uint32_t cpu)
{
	if (log->file.head.nr_nodes == 1)
		return 0;
	return cpu < log->symbols.nr_nodes ? log->symbols.nodes[cpu] : KMA_LOG_NO_NODE;
}

/* Is the symbol one of the module that is loaded at its address, or of the kernel if none is? */
static bool kma_log_symbol_fits(const struct kma_log_symbol *symbol,
				const struct kma_log_loaded *module)
{
	if (!symbol->module || !module)
		return !symbol->module == !module || !module;
	return strlen(module->name) == symbol->module_len &&
	       !memcmp(module->name, symbol->module, symbol->module_len);
}

static void kma_log_name_site(const struct kma_log *log, uint64_t address,
			      const struct kma_log_loaded *module, struct kma_log_site *ret)
{
	const struct kma_log_symbol *symbol = kma_log_symbols_at(&log->symbols, address);

	if (symbol && kma_log_symbol_fits(symbol, module))
		snprintf(ret->text, sizeof(ret->text), "%.*s+0x%" PRIx64 "/0x%" PRIx64 "%s%.*s%s",
			 symbol->len, symbol->name, address - symbol->address, symbol->size,
			 symbol->module ? " [" : "", symbol->module_len, symbol->module ?: "",
			 symbol->module ? "]" : "");
	else if (module)
		snprintf(ret->text, sizeof(ret->text), "%s+0x%" PRIx64 " [%s]", module->name,
			 address - module->base, module->name);
	else
		snprintf(ret->text, sizeof(ret->text), "0x%" PRIx64, address);
}

void kma_log_site(const struct kma_log *log, uint64_t address, struct kma_log_site *ret)
{
	const struct kma_log_loaded *module = kma_log_module_at(log, address);
	const struct kma_log_head *head = &log->file.head;
	bool core = head->stext && address >= head->stext &&
		    (head->etext ? address < head->etext : !module);

	kma_log_name_site(log, address, core ? NULL : module, ret);
	ret->build_id[0] = '\0';
	ret->offset = 0;
	ret->in_init = false;
	if (core) {
		strcpy(ret->build_id, head->build_id);
		ret->offset = address - head->stext;
	} else if (module) {
		strcpy(ret->build_id, module->build_id);
		ret->offset = address - module->base;
		ret->in_init = module->init;
	}
}

bool kma_log_has_tasks(const struct kma_log *log)
{
	return log->symbols.tasks.known;
}

void kma_log_tasks_doubt(const struct kma_log *log, struct kma_log_doubt *ret)
{
	const struct kma_log_tasks *tasks = &log->symbols.tasks;

	*ret = (struct kma_log_doubt){
		.lost = tasks->lost,
		.start = tasks->start,
		.no_irq = !log->file.head.contexts,
	};
}

uint32_t kma_log_owner(const struct kma_log *log, const struct kma_log_item *item, bool cgroup,
		       const char **name)
{
	return kma_log_tasks_owner(&log->symbols.tasks, item, cgroup, name);
}
