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
#include "log-file.h"
#include "log-tasks.h"
#include "log.h"

/*
 * The text that the recorder has written into a log: the symbols of the kernel and
 * its modules as in /proc/kallsyms, the CPUs of each node, the tasks, and the totals at the end.
 * Only for log*.c.
 *
 * The text is copied into one buffer, because its lines may be in two chunks. A symbol takes 40
 * bytes and points into this buffer.
 *
 * Locking: none; one thread.
 *
 * The text of a log. It has these lines:
 *
 *	ffffffff81000000 T name			a symbol of the kernel
 *	ffffffffc0000000 t name<tab>[module]	a symbol of a module
 *	#node 0 0-3,8				the CPUs of a NUMA node
 *	#task ..., #fork ..., and others	tasks, see log-tasks.c
 *	#total CPU RECORDS LOST NMI		numbers that the module has counted on a CPU
 *	#end N					the last line; N is the number of #total lines
 *
 * A log whose header announces totals and that lacks the last line is truncated.
 *
 * If an address has several names, %pS prints the first one in the file. The size of a symbol is
 * the distance to the next different address; the last symbol has no size.
 */

/* Numbers of one CPU: those that the module has counted, and those of its stream in the file. */
struct kma_log_total {
	bool known;		  /* the text has a line for this CPU */
	uint64_t records, lost;	  /* counted by the module: records, including lost events */
	uint64_t read, read_lost; /* the same numbers of the stream */
};

struct kma_log_totals {
	struct kma_log_total *cpus; /* by CPU, nr_cpus of the header; NULL: no line was read */
	uint32_t nr;		    /* number of CPUs that are known */
	bool whole;		    /* the last line of the totals was read, and agrees with @nr */
};

struct kma_log_symbol {
	uint64_t address, size; /* bytes up to the next different address, as in %pS; 0: unknown */
	const char *name;	/* not terminated, see @len */
	const char *module;	/* not terminated, see @module_len; NULL for the kernel */
	unsigned short len, module_len;
};

struct kma_log_symbols {
	struct kma_log_symbol *all; /* sorted by address, each address once */
	size_t nr;
	char *text;	   /* the text of the log, terminated */
	uint16_t *nodes;   /* NUMA node by CPU; KMA_LOG_NO_NODE: unknown */
	uint32_t nr_nodes; /* elements of @nodes */
	struct kma_log_totals totals;
	struct kma_log_tasks tasks;
};

/* Bytes. A symbol that seems to be larger is the last one before a gap, and has no size. */
#define KMA_LOG_SYMBOL_MAX (16U << 20)
#define KMA_LOG_CPU_MAX	   65535 /* largest number of a CPU */

/* Parse at most 16 hexadecimal digits. Return: position after them. */
static const char *log_hex(const char *p, const char *end, uint64_t *ret)
{
	uint64_t value = 0;
	const char *from = p;

	for (; p < end && p - from < 16; p++) {
		if (*p >= '0' && *p <= '9')
			value = value << 4 | (*p - '0');
		else if (*p >= 'a' && *p <= 'f')
			value = value << 4 | (*p - 'a' + 10);
		else
			break;
	}
	*ret = value;
	return p;
}

/* Parse the line of a symbol, which ends at @end; false if it has another form. */
static bool log_parse_symbol(const char *p, const char *end, struct kma_log_symbol *ret)
{
	const char *after = log_hex(p, end, &ret->address), *tab;

	/* A name that starts with "$" or ".L" is the assembler's, and %pS does not print it. */
	if ((after - p != 8 && after - p != 16) || end - after < 4 || after[0] != ' ' ||
	    after[2] != ' ' || !strchr("tTwWi", after[1]) || after[3] == '$' ||
	    !strncmp(after + 3, ".L", 2))
		return false;
	ret->name = after + 3;
	tab = memchr(ret->name, '\t', end - ret->name);
	ret->module = NULL;
	ret->module_len = 0;
	if (tab && end - tab > 3 && tab[1] == '[' && end[-1] == ']') {
		ret->module = tab + 2;
		if (end - 1 - ret->module > 64)
			return false;
		ret->module_len = end - 1 - ret->module;
	}
	end = tab ?: end;
	if (end == ret->name || end - ret->name > 512)
		return false;
	ret->len = end - ret->name;
	return true;
}

static void log_set_node(struct kma_log_symbols *symbols, unsigned int first, unsigned int last,
			 unsigned int node)
{
	uint16_t *nodes;

	if (last >= symbols->nr_nodes) {
		nodes = kma_xrealloc(symbols->nodes, last + 1, sizeof(*nodes));
		for (unsigned int cpu = symbols->nr_nodes; cpu <= last; cpu++)
			nodes[cpu] = KMA_LOG_NO_NODE;
		symbols->nodes = nodes;
		symbols->nr_nodes = last + 1;
	}
	for (unsigned int cpu = first; cpu <= last; cpu++)
		symbols->nodes[cpu] = node;
}

/* Parse a line of a node with its list of CPUs, "0-3,8"; a corrupt character ends the list. */
static void log_parse_node(struct kma_log_symbols *symbols, const char *line)
{
	unsigned int node, first, last;

	int len = 0;

	if (sscanf(line, "#node %5u %n", &node, &len) != 1 || !len || node >= KMA_LOG_NO_NODE)
		return;
	for (;;) {
		line += len;
		len = 0;
		if (sscanf(line, "%5u%n", &first, &len) != 1 || !len || first > KMA_LOG_CPU_MAX)
			break;
		line += len;
		last = first;
		len = 0;
		if (*line == '-' && (sscanf(line, "-%5u%n", &last, &len) != 1 || !len))
			break;
		line += len;
		if (last < first || last > KMA_LOG_CPU_MAX)
			break;
		log_set_node(symbols, first, last, node);
		if (*line != ',')
			break;
		len = 1;
	}
}

static void log_totals_add(struct kma_log_totals *totals, uint32_t cpu, uint64_t records,
			   uint64_t lost)
{
	struct kma_log_total *total = &totals->cpus[cpu];

	totals->nr += !total->known;
	total->known = true;
	total->records = records;
	total->lost = lost;
}

/* Parse a line of totals, which ends with a line feed; false if it has another form. */
static bool log_totals_parse(struct kma_log_totals *totals, const char *line, uint32_t nr_cpus)
{
	uint64_t records, lost;
	uint32_t cpu, nr;

	if (sscanf(line, "#end %" SCNu32, &nr) == 1) {
		totals->whole = nr == totals->nr;
		return true;
	}
	if (sscanf(line, "#total %" SCNu32 " %" SCNu64 " %" SCNu64, &cpu, &records, &lost) != 3)
		return false;
	if (cpu >= nr_cpus)
		return true;
	if (!totals->cpus)
		totals->cpus = kma_xcalloc(nr_cpus, sizeof(*totals->cpus));
	log_totals_add(totals, cpu, records, lost);
	return true;
}

/*
 * qsort(3) is not stable. Of symbols at one address, the one that comes first in the text is placed
 * first: names point into the text.
 */
static int log_compare_symbols(const void *a, const void *b)
{
	const struct kma_log_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

/* Sort the symbols, keep one for each address, and set their sizes. */
static void log_size_symbols(struct kma_log_symbols *symbols)
{
	size_t nr = 0;

	if (!symbols->nr)
		return;
	qsort(symbols->all, symbols->nr, sizeof(*symbols->all), log_compare_symbols);
	for (size_t i = 0; i < symbols->nr; i++)
		if (!nr || symbols->all[i].address != symbols->all[nr - 1].address)
			symbols->all[nr++] = symbols->all[i];
	symbols->nr = nr;
	for (size_t i = 0; i < nr; i++) {
		uint64_t size = i + 1 < nr ? symbols->all[i + 1].address - symbols->all[i].address :
					     UINT64_MAX;

		symbols->all[i].size = size <= KMA_LOG_SYMBOL_MAX ? size : 0;
	}
}

/*
 * Parses the text of a log into zeroed @symbols. Unknown lines and symbols that are not code are
 * skipped.
 */
static void log_symbols_read(struct kma_log_symbols *symbols, const struct kma_log_file *file)
{
	struct kma_log_symbol symbol;
	size_t room = 0, len = 0;
	const char *end, *nl;

	for (size_t i = 0; i < file->symbols.nr; i++)
		len += file->symbols.all[i].len;
	if (!len)
		return;
	/*
	 * Copy the text: a line may be in two chunks, and names are needed after the pages were
	 * read.
	 */
	symbols->text = kma_xmalloc(len + 1);
	len = 0;
	for (size_t i = 0; i < file->symbols.nr; i++) {
		const struct kma_log_extent *extent = &file->symbols.all[i];

		memcpy(symbols->text + len, file->map + extent->pos, extent->len);
		len += extent->len;
	}
	end = symbols->text + len;
	symbols->text[len] = '\0';
	for (const char *p = symbols->text; p < end; p = nl + 1) {
		nl = memchr(p, '\n', end - p) ?: end;
		if (*p == '#' && *nl == '\n' &&
		    kma_log_tasks_parse(&symbols->tasks, p, &file->ticks))
			continue;
		/* The text is terminated, and a number ends with its line: sscanf() is safe. */
		if (*p == '#' && *nl == '\n' &&
		    log_totals_parse(&symbols->totals, p, file->head.nr_cpus))
			continue;
		if (*p == '#') {
			log_parse_node(symbols, p);
		} else if (log_parse_symbol(p, nl, &symbol)) {
			kma_array_room(symbols->all, symbols->nr, room);
			symbols->all[symbols->nr++] = symbol;
		}
	}
	log_size_symbols(symbols);
	kma_log_tasks_sort(&symbols->tasks);
}

static void log_symbols_free(struct kma_log_symbols *symbols)
{
	free(symbols->all);
	free(symbols->nodes);
	free(symbols->totals.cpus);
	kma_log_tasks_free(&symbols->tasks);
	free(symbols->text);
}

/* The symbol that %pS prints for an address; NULL if there is none. */
static const struct kma_log_symbol *log_symbols_at(const struct kma_log_symbols *symbols,
						   uint64_t address)
{
	size_t low = kma_array_search(symbols->nr, i, symbols->all[i].address <= address);

	return low && symbols->all[low - 1].size ? &symbols->all[low - 1] : NULL;
}

/*
 * Decode the stream of one CPU of an event log: the records in extents of a mapped
 * file. Only for log*.c.
 *
 * A stream is a sequence of blocks. A BLOCK record states the CPU, the number of the next record,
 * the number of events lost so far, and the full time. The records after it have times relative to
 * that time. Three numbers are therefore checked against each other: the records that were read,
 * the numbers in BLOCK records, and the losses in LOST records.
 *
 * - A difference between the number in a BLOCK and the number of records read is the number of
 *   events that were lost (as far as the BLOCK says so), and of records that are missing from the
 *   file.
 * - A BLOCK and a later LOST record report the same loss. It counts once: @unsaid has the loss that
 *   a LOST may still confirm.
 * - After bytes that are not a record, reading continues at the next BLOCK, which is recognised by
 *   its magic and the number of this CPU. Its number gives the count of records in between.
 *
 * A record may be in two extents; it is then copied into a buffer.
 *
 * Locking: none; one thread.
 */

#define KMA_LOG_RECORD_MAX (255 * 8) /* bytes: a record has its length in one byte, in units of 8 */

struct kma_log_stream {
	const struct kma_log_file *file;
	uint32_t cpu;
	const struct kma_log_extents *extents; /* of the CPU */
	size_t at;			       /* index of the current extent */
	uint64_t offset;		       /* position in it, in bytes */
	bool synced;			       /* a BLOCK was read, and no corrupt bytes since */
	uint64_t base;		  /* time to which deltas are added, in units of the log */
	uint64_t last;		  /* time of the last record, in ns */
	uint64_t seq;		  /* number of the next record */
	uint64_t lost;		  /* events lost so far, as the stream states */
	uint64_t unsaid;	  /* lost events of a BLOCK that no LOST has confirmed */
	bool ended;		  /* an END was read */
	const unsigned char *raw; /* record of the last KMA_LOG_ITEM_MODULE */
	unsigned char bounce[KMA_LOG_RECORD_MAX]; /* copy of a record that is in two extents */
};

/* Least length of a record of each type, in bytes. */
static const unsigned char log_least[] = {
	[KMA_LOG_BLOCK] = sizeof(struct kma_log_block),
	[KMA_LOG_ALLOC] = sizeof(struct kma_log_alloc),
	[KMA_LOG_FREE] = sizeof(struct kma_log_free),
	[KMA_LOG_LOST] = sizeof(struct kma_log_lost),
	[KMA_LOG_TIME] = sizeof(struct kma_log_time),
	[KMA_LOG_MODULE] = sizeof(struct kma_log_module),
	[KMA_LOG_ALLOC_WIDE] = offsetof(struct kma_log_alloc_wide, irq),
	[KMA_LOG_FREE_WIDE] = sizeof(struct kma_log_free_wide),
	[KMA_LOG_START] = sizeof(struct kma_log_bound),
	[KMA_LOG_END] = sizeof(struct kma_log_bound),
};

/* Kinds by enum kma_log_kind. A free by kfree_rcu() may be of an object of any kind. */
static const unsigned char log_kinds[16] = {
	[KMA_LOG_DEFERRED] = KMA_KIND_UNKNOWN, [KMA_LOG_KMALLOC] = KMA_KIND_KMALLOC,
	[KMA_LOG_CACHE] = KMA_KIND_CACHE,      [KMA_LOG_PAGE] = KMA_KIND_PAGE,
	[KMA_LOG_PERCPU] = KMA_KIND_PERCPU,    [KMA_LOG_LARGE] = KMA_KIND_KMALLOC,
	[KMA_LOG_SLAB_PAGE] = KMA_KIND_PAGE,   [KMA_LOG_PERCPU_PAGE] = KMA_KIND_PAGE,
};

#define KMA_LOG_KINDS (KMA_LOG_PERCPU_PAGE + 1)

/* An unknown type above this limit is not a record: few types will be added. */
#define KMA_LOG_TYPE_MAX 63

/* Places a stream at its beginning. @file must outlive it. */
static void log_stream_init(struct kma_log_stream *stream, const struct kma_log_file *file,
			    uint32_t cpu)
{
	*stream = (struct kma_log_stream){
		.file = file,
		.cpu = cpu,
		.extents = &file->cpus[cpu],
		.base = KMA_LOG_GET64(file->map, kma_log_header, start, file->swap),
		.last = 0,
	};
}

/* Position of the next byte in the file. */
static uint64_t log_pos(const struct kma_log_stream *stream)
{
	const struct kma_log_extents *extents = stream->extents;

	if (stream->at < extents->nr)
		return extents->all[stream->at].pos + stream->offset;
	return extents->nr ? extents->all[extents->nr - 1].pos + extents->all[extents->nr - 1].len :
			     0;
}

/*
 * Get the next @len bytes without consuming them; @len is reduced at the end of the stream. This is
 * the rare case: the bytes are in several extents, and are copied.
 */
static const unsigned char *log_peek_far(struct kma_log_stream *stream, size_t *len)
{
	uint64_t offset = stream->offset;
	size_t have = 0;

	for (size_t i = stream->at; i < stream->extents->nr && have < *len; i++, offset = 0) {
		const struct kma_log_extent *extent = &stream->extents->all[i];
		size_t part = extent->len - offset;

		if (part > *len - have)
			part = *len - have;
		memcpy(stream->bounce + have, stream->file->map + extent->pos + offset, part);
		have += part;
	}
	*len = have;
	return stream->bounce;
}

/* Get the next @len bytes without consuming them. The usual case needs no copy. */
static inline const unsigned char *log_peek(struct kma_log_stream *stream, size_t *len)
{
	const struct kma_log_extent *extent = &stream->extents->all[stream->at];

	if (stream->at < stream->extents->nr && extent->len - stream->offset >= *len)
		return stream->file->map + extent->pos + stream->offset;
	return log_peek_far(stream, len);
}

static inline void log_advance(struct kma_log_stream *stream, uint64_t len)
{
	stream->offset += len;
	while (stream->at < stream->extents->nr &&
	       stream->offset >= stream->extents->all[stream->at].len) {
		stream->offset -= stream->extents->all[stream->at].len;
		stream->at++;
	}
}

static bool log_is_block(const struct kma_log_stream *stream, const unsigned char *p)
{
	bool swap = stream->file->swap;

	return p[0] == KMA_LOG_BLOCK && p[1] >= sizeof(struct kma_log_block) / 8 &&
	       KMA_LOG_GET32(p, kma_log_record, delta, swap) == KMA_LOG_BLOCK_MAGIC &&
	       KMA_LOG_GET32(p, kma_log_block, cpu, swap) == stream->cpu;
}

/* Distance in bytes to the next position within this extent at which a block may begin. */
static uint64_t log_skip(const struct kma_log_stream *stream)
{
	const struct kma_log_extent *extent = &stream->extents->all[stream->at];
	const unsigned char *from = stream->file->map + extent->pos + stream->offset, *p;
	uint32_t magic = stream->file->swap ? __builtin_bswap32(KMA_LOG_BLOCK_MAGIC) :
					      KMA_LOG_BLOCK_MAGIC;
	uint64_t left = extent->len - stream->offset;
	const size_t before = offsetof(struct kma_log_record, delta), whole = 2 * before;

	/* The last bytes of an extent may be the first bytes of a block: try each of them. */
	if (left < whole + 1)
		return 1;
	p = memmem(from + 1 + before, left - 1 - before, &magic, sizeof(magic));
	return p ? (uint64_t)(p - before - from) : left - whole + 1;
}

/* The bytes are not valid records: continue at the next block. */
static bool log_resync(struct kma_log_stream *stream)
{
	uint64_t pos = log_pos(stream), skipped = 0;
	bool found = false;

	stream->synced = false;
	while (stream->at < stream->extents->nr && !found) {
		size_t len = sizeof(struct kma_log_block);
		const unsigned char *p;
		uint64_t step = log_skip(stream);

		log_advance(stream, step);
		skipped += step;
		p = log_peek(stream, &len);
		found = len == sizeof(struct kma_log_block) && log_is_block(stream, p);
	}
	kma_log_report(stream->file, KMA_LOG_BAD_STREAM, stream->cpu, pos, skipped);
	return found;
}

static void log_lose(struct kma_log_stream *stream, uint64_t pos, uint64_t events)
{
	stream->lost += events;
	kma_log_report(stream->file, KMA_LOG_OVERRUN, stream->cpu, pos, events);
}

/*
 * Compare the numbers of a BLOCK with those read so far: report lost events, and missing records.
 */
static void log_take_block(struct kma_log_stream *stream, const unsigned char *p, uint64_t pos)
{
	bool swap = stream->file->swap;
	uint64_t seq = KMA_LOG_GET64(p, kma_log_block, seq, swap);
	uint64_t lost = KMA_LOG_GET64(p, kma_log_block, lost, swap);
	uint64_t gap = seq - stream->seq, news = lost - stream->lost;

	stream->base = KMA_LOG_GET64(p, kma_log_block, time, swap);
	stream->unsaid = 0;
	if (seq < stream->seq) {
		kma_log_report(stream->file, KMA_LOG_BAD_SEQUENCE, stream->cpu, pos,
			       stream->seq - seq);
		stream->lost = lost;
	} else if (lost < stream->lost || news > gap) {
		kma_log_report(stream->file, KMA_LOG_BAD_LOST, stream->cpu, pos, news);
		stream->lost = lost;
		if (gap)
			kma_log_report(stream->file, KMA_LOG_MISSING, stream->cpu, pos, gap);
	} else {
		if (news)
			log_lose(stream, pos, news);
		stream->unsaid = news;
		if (gap > news)
			kma_log_report(stream->file, KMA_LOG_MISSING, stream->cpu, pos, gap - news);
	}
	stream->seq = seq;
	stream->synced = true;
}

/* Count the loss of a LOST record, unless the BLOCK before it has stated the loss already. */
static void log_take_lost(struct kma_log_stream *stream, const unsigned char *p, uint64_t pos,
			  struct kma_log_item *ret)
{
	uint64_t events = KMA_LOG_GET64(p, kma_log_lost, events, stream->file->swap);

	if (!stream->unsaid) {
		stream->seq += events;
		log_lose(stream, pos, events);
	} else if (events != stream->unsaid) {
		kma_log_report(stream->file, KMA_LOG_BAD_LOST, stream->cpu, pos, events);
	}
	stream->unsaid = 0;
	ret->type = KMA_LOG_ITEM_LOST;
	ret->alloc = events;
}

/*
 * Set the time of a record. A time before that of the record before it is reported and corrected.
 */
static inline void log_take_time(struct kma_log_stream *stream, uint64_t delta, uint64_t pos,
				 struct kma_log_item *ret)
{
	uint64_t time = kma_log_ticks_ns(&stream->file->ticks, stream->base + delta);

	if (__builtin_expect(time < stream->last, 0)) {
		kma_log_report(stream->file, KMA_LOG_BAD_TIME, stream->cpu, pos,
			       stream->last - time);
		time = stream->last;
	}
	stream->last = time;
	ret->time = time;
}

/* The STARTs of all streams have the same time. The first one that is read counts. */
static void log_take_start(struct kma_log_stream *stream, const unsigned char *p)
{
	const struct kma_log_file *file = stream->file;
	uint64_t time =
		kma_log_ticks_ns(&file->ticks, KMA_LOG_GET64(p, kma_log_bound, time, file->swap));

	if (!file->sums->began)
		file->sums->began = time;
}

/*
 * Check the numbers of an END record. Calls that kprobes have missed are a number of the whole log,
 * which each END states: that of the first END counts.
 */
static void log_take_end(struct kma_log_stream *stream, const unsigned char *p, uint64_t pos)
{
	struct kma_log_sums *sums = stream->file->sums;
	bool swap = stream->file->swap;
	uint64_t lost = KMA_LOG_GET64(p, kma_log_bound, lost, swap);
	uint64_t nmi = KMA_LOG_GET64(p, kma_log_bound, nmi, swap);
	uint64_t missed = KMA_LOG_GET64(p, kma_log_bound, missed, swap);

	if (stream->ended)
		return;
	stream->ended = true;
	if (lost != stream->lost)
		kma_log_report(stream->file, KMA_LOG_BAD_LOST, stream->cpu, pos, lost);
	if (nmi)
		kma_log_report(stream->file, KMA_LOG_REFUSED, stream->cpu, pos, nmi);
	if (missed && !sums->ends)
		kma_log_report(stream->file, KMA_LOG_MISSED, KMA_LOG_NO_CPU, pos, missed);
	sums->ends++;
	sums->streams = KMA_LOG_GET32(p, kma_log_bound, streams, swap);
}

/* Address of a call site that is stored as its distance from _stext; 0: unknown. */
static inline uint64_t log_narrow(const struct kma_log_file *file, uint32_t site)
{
	uint64_t address = file->head.stext + (uint64_t)(int64_t)(int32_t)site;

	if (!site)
		return 0;
	return file->head.word_bits == 32 ? (uint32_t)address : address;
}

static inline void log_take_flags(const struct kma_log_stream *stream, uint16_t flags, uint64_t pos,
				  struct kma_log_item *ret)
{
	unsigned int node = flags >> KMA_LOG_NODE_SHIFT;

	ret->kind = log_kinds[flags & KMA_LOG_KIND];
	ret->part = flags & KMA_LOG_KIND;
	ret->quiet = flags & KMA_LOG_QUIET;
	ret->failed = flags & KMA_LOG_FAILED;
	ret->node = node ? node - 1 : KMA_LOG_NO_NODE;
	if (__builtin_expect((flags & KMA_LOG_KIND) >= KMA_LOG_KINDS, 0))
		kma_log_report(stream->file, KMA_LOG_BAD_VALUE, stream->cpu, pos,
			       KMA_LOG_VALUE_KIND);
}

/* Decode one of the four records of events: an allocation or a free, narrow or wide. */
static inline void log_take_event(const struct kma_log_stream *stream, const unsigned char *p,
				  struct kma_log_item *ret)
{
	const struct kma_log_file *file = stream->file;
	bool swap = file->swap;

	ret->ptr = KMA_LOG_GET64(p, kma_log_alloc, ptr, swap);
	switch (p[0]) {
	case KMA_LOG_ALLOC:
		ret->type = KMA_LOG_ITEM_ALLOC;
		ret->site = log_narrow(file, KMA_LOG_GET32(p, kma_log_alloc, site, swap));
		ret->tid = KMA_LOG_GET32(p, kma_log_alloc, tid, swap);
		ret->req = KMA_LOG_GET32(p, kma_log_alloc, req, swap);
		ret->alloc = KMA_LOG_GET32(p, kma_log_alloc, alloc, swap);
		ret->gfp = KMA_LOG_GET32(p, kma_log_alloc, gfp, swap);
		ret->irq = KMA_LOG_GET32(p, kma_log_alloc, irq, swap);
		break;
	case KMA_LOG_FREE:
		ret->type = KMA_LOG_ITEM_FREE;
		ret->site = log_narrow(file, KMA_LOG_GET32(p, kma_log_free, site, swap));
		ret->tid = KMA_LOG_GET32(p, kma_log_free, tid, swap);
		ret->req = ret->alloc = 0;
		ret->gfp = 0;
		ret->irq = false;
		break;
	case KMA_LOG_ALLOC_WIDE:
		ret->type = KMA_LOG_ITEM_ALLOC;
		ret->site = KMA_LOG_GET64(p, kma_log_alloc_wide, site, swap);
		ret->req = KMA_LOG_GET64(p, kma_log_alloc_wide, req, swap);
		ret->alloc = KMA_LOG_GET64(p, kma_log_alloc_wide, alloc, swap);
		ret->tid = KMA_LOG_GET32(p, kma_log_alloc_wide, tid, swap);
		ret->gfp = KMA_LOG_GET32(p, kma_log_alloc_wide, gfp, swap);
		/* Older logs lack the field. */
		ret->irq = p[1] * 8U >= sizeof(struct kma_log_alloc_wide) &&
			   KMA_LOG_GET32(p, kma_log_alloc_wide, irq, swap);
		break;
	default:
		ret->type = KMA_LOG_ITEM_FREE;
		ret->site = KMA_LOG_GET64(p, kma_log_free_wide, site, swap);
		ret->alloc = KMA_LOG_GET64(p, kma_log_free_wide, bytes, swap);
		ret->req = 0;
		ret->tid = KMA_LOG_GET32(p, kma_log_free_wide, tid, swap);
		ret->gfp = 0;
		ret->irq = false;
	}
}

/* Process a complete record; true if it is an item for the caller. */
static inline bool log_take_record(struct kma_log_stream *stream, const unsigned char *p,
				   uint64_t pos, struct kma_log_item *ret)
{
	struct kma_log_sums *sums = stream->file->sums;
	bool swap = stream->file->swap;
	uint64_t delta = KMA_LOG_GET32(p, kma_log_record, delta, swap);

	if (p[0] == KMA_LOG_BLOCK) {
		log_take_block(stream, p, pos);
		return false;
	}
	ret->seq = stream->seq++;
	ret->pos = pos;
	ret->cpu = stream->cpu;
	switch (p[0]) {
	case KMA_LOG_ALLOC:
	case KMA_LOG_FREE:
	case KMA_LOG_ALLOC_WIDE:
	case KMA_LOG_FREE_WIDE:
		log_take_flags(stream, KMA_LOG_GET16(p, kma_log_record, flags, swap), pos, ret);
		log_take_event(stream, p, ret);
		log_take_time(stream, delta, pos, ret);
		sums->records[ret->type]++;
		return true;
	case KMA_LOG_TIME:
		stream->base = KMA_LOG_GET64(p, kma_log_time, time, swap);
		sums->others++;
		return false;
	case KMA_LOG_LOST:
		log_take_lost(stream, p, pos, ret);
		log_take_time(stream, delta, pos, ret);
		sums->others++;
		return true;
	case KMA_LOG_START:
		log_take_start(stream, p);
		sums->others++;
		return false;
	case KMA_LOG_END:
		log_take_end(stream, p, pos);
		sums->others++;
		return false;
	case KMA_LOG_MODULE:
		ret->type = KMA_LOG_ITEM_MODULE;
		stream->raw = p;
		log_take_time(stream, delta, pos, ret);
		sums->others++;
		return true;
	default:
		sums->unknown++;
		return false;
	}
}

/* Can these bytes be the head of a record, by their type and length? */
static inline bool log_is_record(const struct kma_log_stream *stream, const unsigned char *p)
{
	if (!p[0] || p[0] > KMA_LOG_TYPE_MAX || !p[1])
		return false;
	if (p[0] < ARRAY_SIZE(log_least) && p[1] * 8U < log_least[p[0]])
		return false;
	if (!stream->synced && p[0] != KMA_LOG_BLOCK)
		return false;
	return p[0] != KMA_LOG_BLOCK ||
	       KMA_LOG_GET32(p, kma_log_record, delta, stream->file->swap) == KMA_LOG_BLOCK_MAGIC;
}

/* The stream ends within a record. */
static bool log_end(struct kma_log_stream *stream, size_t have, size_t want)
{
	if (have)
		kma_log_report(stream->file, KMA_LOG_CUT, stream->cpu, log_pos(stream) + have,
			       want - have);
	stream->at = stream->extents->nr;
	return false;
}

/* Decodes the next event; ptr is that of the record. False at the end of the stream. */
static bool log_stream_next(struct kma_log_stream *stream, struct kma_log_item *ret)
{
	while (stream->at < stream->extents->nr) {
		size_t want = sizeof(struct kma_log_record), len = want;
		const unsigned char *p = log_peek(stream, &len);
		uint64_t pos;

		if (len == want && log_is_record(stream, p)) {
			want = len = p[1] * 8;
			p = log_peek(stream, &len);
		} else if (len == want) {
			if (!log_resync(stream))
				return false;
			continue;
		}
		if (len < want)
			return log_end(stream, len, want);
		if (p[0] == KMA_LOG_BLOCK && !log_is_block(stream, p)) {
			if (!log_resync(stream))
				return false;
			continue;
		}
		pos = log_pos(stream);
		log_advance(stream, len);
		if (log_take_record(stream, p, pos, ret))
			return true;
	}
	return false;
}

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
	unsigned int since;	  /* events since the last call of log_look() */
	struct kma_log_loaded *modules;
	size_t nr_modules, room_modules;
};

/* Events after which the progress is updated, and a request to stop is checked. */
#define KMA_LOG_LOOK 8192

/* Add the module of a MODULE record, which is in the header or in a stream. */
static void log_take_module(struct kma_log *log, const unsigned char *p)
{
	bool swap = log->file.swap;
	struct kma_log_loaded module = { 0 };
	unsigned int len = p[offsetof(struct kma_log_module, name_len)];
	unsigned int flags;

	if (len > p[1] * 8U - sizeof(struct kma_log_module) || len > 64)
		return;
	memcpy(module.name, p + sizeof(struct kma_log_module), len);
	module.base = KMA_LOG_GET64(p, kma_log_module, base, swap);
	module.size = KMA_LOG_GET64(p, kma_log_module, size, swap);
	kma_log_build_id(module.build_id, p + offsetof(struct kma_log_module, build_id),
			 p[offsetof(struct kma_log_module, build_id_len)]);
	flags = KMA_LOG_GET16(p, kma_log_record, flags, swap);
	/* Earlier events may still follow, and another module may be loaded at the same address. */
	if (flags & KMA_LOG_GONE)
		return;
	module.init = flags & KMA_LOG_INIT;
	kma_array_room(log->modules, log->nr_modules, log->room_modules);
	log->modules[log->nr_modules++] = module;
}

/* Read the records after the header: the modules that were loaded when the log began. */
static void log_read_modules(struct kma_log *log)
{
	const struct kma_log_file *file = &log->file;
	uint64_t pos = KMA_LOG_GET16(file->map, kma_log_header, fixed_len, file->swap);

	while (pos < file->head.header_len) {
		const unsigned char *p = file->map + pos;
		uint64_t left = file->head.header_len - pos;

		if (left < sizeof(struct kma_log_record) || !p[1] || p[1] * 8U > left) {
			kma_log_report(file, KMA_LOG_BAD_STREAM, KMA_LOG_NO_CPU, pos, left);
			break;
		}
		if (p[0] == KMA_LOG_MODULE && p[1] * 8U >= sizeof(struct kma_log_module))
			log_take_module(log, p);
		pos += p[1] * 8;
	}
}

static struct kma_err *log_begin(struct kma_log *log)
{
	struct kma_err *err;
	uint32_t nr = 0;

	log->file.sums = &log->sums;
	err = kma_log_file_open(&log->file);
	if (err)
		return err;
	log_read_modules(log);
	log_symbols_read(&log->symbols, &log->file);
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
		log_stream_init(&lane->stream, &log->file, cpu);
	}
	return NULL;
}

static struct kma_log *log_create(const char *name, kma_log_found_fn *found, void *arg)
{
	struct kma_log *log = kma_xcalloc(1, sizeof(*log));

	log->name = kma_xstrdup(name);
	log->file.name = log->name;
	log->file.found = found;
	log->file.arg = arg;
	return log;
}

static struct kma_err *log_map(struct kma_log *log, const char *path)
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

	log = log_create(kma_input_name(input), found, arg);
	log->input = input;
	kma_input_allow_truncated(input);
	err = kma_log_file_probe(input) ?: kma_input_path(input, &path);
	if (!err)
		err = log_map(log, path);
	if (!err)
		err = log_begin(log);
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

	log = log_create(name, found, arg);
	log->file.map = bytes;
	log->file.len = len;
	err = log_begin(log);
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
	log_symbols_free(&log->symbols);
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
static void log_drop(struct kma_log *log, size_t i)
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
static void log_load(struct kma_log *log, size_t i)
{
	struct kma_log_lane *lane = log->lanes[i];

	if (!log_stream_next(&lane->stream, &lane->item))
		log_drop(log, i);
}

/* Is the next event of @a before that of @b, another lane? */
static inline bool log_before(const struct kma_log_lane *a, const struct kma_log_lane *b)
{
	return a->item.time < b->item.time ||
	       (a->item.time == b->item.time && a->item.cpu < b->item.cpu);
}

/*
 * Count the streams without an END record: the recorder was killed, or could not write. The ENDs of
 * other streams have the number of all streams, including those that are not in the file at all.
 */
static uint32_t log_without_end(const struct kma_log *log)
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
static void log_compare_total(struct kma_log *log, uint32_t cpu)
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
static void log_finish(struct kma_log *log)
{
	const struct kma_log_head *head = &log->file.head;
	const struct kma_log_totals *totals = &log->symbols.totals;
	uint32_t without = log_without_end(log);

	if (log->finished)
		return;
	log->finished = true;
	if (without || (head->totals && !totals->whole) || kma_input_is_truncated(log->input))
		kma_log_report(&log->file, KMA_LOG_NO_END, KMA_LOG_NO_CPU, log->file.len, without);
	for (uint32_t cpu = 0; totals->cpus && cpu < head->nr_cpus; cpu++)
		log_compare_total(log, cpu);
}

/*
 * The interval has ended before the streams. Streams that ended earlier, without an END, lack
 * events of the interval: report them.
 */
static void log_finish_interval(struct kma_log *log)
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
static size_t log_choose(struct kma_log *log)
{
	size_t best = 0;

	for (size_t i = 1; i < log->nr_lanes; i++)
		if (log_before(log->lanes[i], log->lanes[best]))
			best = i;
	log->until = UINT64_MAX;
	for (size_t i = 0; i < log->nr_lanes; i++)
		if (i != best && log->lanes[i]->item.time < log->until)
			log->until = log->lanes[i]->item.time;
	log->cur = log->lanes[best];
	return best;
}

/* Update the progress of the input; false after a request to stop. */
static bool log_look(struct kma_log *log)
{
	log->since = 0;
	if (!log->input)
		return true;
	kma_input_set_done(log->input, log->cur ? log->cur->item.pos : 0);
	return !kma_input_stopped();
}

/* Read the first event of each stream, and remove empty streams. */
static void log_start(struct kma_log *log)
{
	log->began = true;
	for (size_t i = log->nr_lanes; i-- > 0;)
		log_load(log, i);
}

/* Advance the stream of the last event, and check whether it is still the earliest. */
static bool log_go_on(struct kma_log *log)
{
	struct kma_log_lane *cur = log->cur;
	size_t i = 0;

	if (!cur)
		return false;
	if (log_stream_next(&cur->stream, &cur->item))
		return cur->item.time < log->until;
	while (log->lanes[i] != cur)
		i++;
	log_drop(log, i);
	log->cur = NULL;
	return false;
}

static const struct kma_log_loaded *log_module_at(const struct kma_log *log, uint64_t address)
{
	for (size_t i = log->nr_modules; i-- > 0;)
		if (address - log->modules[i].base < log->modules[i].size)
			return &log->modules[i];
	return NULL;
}

static void log_wrong(struct kma_log *log, const struct kma_log_item *item,
		      enum kma_log_value value)
{
	kma_log_report(&log->file, KMA_LOG_BAD_VALUE, item->cpu, item->pos, value);
}

/* Is the address in code? The last page of a module is remembered: most events are in few. */
static bool log_is_code(struct kma_log *log, uint64_t address)
{
	const struct kma_log_head *head = &log->file.head;
	uint64_t page = address >> 12;

	/* Without the end of the kernel's text this cannot be checked. */
	if (!head->stext || !head->etext || (address >= head->stext && address < head->etext))
		return true;
	if (page != log->code_page && log_module_at(log, address))
		log->code_page = page;
	return page == log->code_page;
}

/* Report values that an event cannot have. */
static void log_check_item(struct kma_log *log, const struct kma_log_item *item)
{
	const struct kma_log_head *head = &log->file.head;
	bool alloc = item->type == KMA_LOG_ITEM_ALLOC;
	bool slab = item->kind == KMA_KIND_KMALLOC || item->kind == KMA_KIND_CACHE;
	uint64_t align = slab ? 4 : item->kind == KMA_KIND_PAGE ? 1ULL << head->page_shift : 1;

	if (item->time < head->start)
		kma_log_report(&log->file, KMA_LOG_EARLY, item->cpu, item->pos,
			       head->start - item->time);
	if (alloc && item->failed != !item->ptr)
		log_wrong(log, item, KMA_LOG_VALUE_NULL);
	if (alloc && !item->failed && item->alloc < item->req && slab)
		log_wrong(log, item, KMA_LOG_VALUE_SHORT);
	if (item->ptr > KMA_PTR_NONE && item->ptr & (align - 1))
		log_wrong(log, item, KMA_LOG_VALUE_ALIGN);
	if (item->ptr > KMA_PTR_NONE && slab &&
	    (head->word_bits == 32 ? item->ptr >> 32 : !(item->ptr >> 63)))
		log_wrong(log, item, KMA_LOG_VALUE_ADDRESS);
	if (item->site && !log_is_code(log, item->site))
		log_wrong(log, item, KMA_LOG_VALUE_SITE);
	if (alloc && item->node != KMA_LOG_NO_NODE && item->node >= head->nr_nodes)
		log_wrong(log, item, KMA_LOG_VALUE_NODE);
}

/* Convert the addresses of pages and per-CPU memory to values of kma_event.ptr. */
static inline void log_ptr(struct kma_log_item *item)
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

	if (++log->since >= KMA_LOG_LOOK && !log_look(log))
		return false;
	if (!log->began)
		log_start(log);
	if (!log_go_on(log)) {
		if (!log->nr_lanes) {
			log_finish(log);
			return false;
		}
		log_choose(log);
	}
	item = &log->cur->item;
	if (log->end && item->time >= log->end) {
		log_finish_interval(log);
		return false;
	}
	*ret = item;
	if (item->type == KMA_LOG_ITEM_MODULE) {
		log_take_module(log, log->cur->stream.raw);
		return true;
	}
	if (item->type == KMA_LOG_ITEM_LOST)
		return true;
	log_check_item(log, item);
	log_ptr(item);
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
static bool log_symbol_fits(const struct kma_log_symbol *symbol,
			    const struct kma_log_loaded *module)
{
	if (!symbol->module || !module)
		return !symbol->module == !module || !module;
	return strlen(module->name) == symbol->module_len &&
	       !memcmp(module->name, symbol->module, symbol->module_len);
}

static void log_name_site(const struct kma_log *log, uint64_t address,
			  const struct kma_log_loaded *module, struct kma_log_site *ret)
{
	const struct kma_log_symbol *symbol = log_symbols_at(&log->symbols, address);

	if (symbol && log_symbol_fits(symbol, module))
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
	const struct kma_log_loaded *module = log_module_at(log, address);
	const struct kma_log_head *head = &log->file.head;
	bool core = head->stext && address >= head->stext &&
		    (head->etext ? address < head->etext : !module);

	log_name_site(log, address, core ? NULL : module, ret);
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
