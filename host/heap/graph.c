// SPDX-License-Identifier: GPL-2.0-only
/*
 * graph.c - objects, the index that finds them by address, edges, marking.
 *
 * The threads of a scan take chunks of memory in turn. Objects are sorted by address, so the edges
 * of a chunk come in the order of the objects that they begin in, and the edges of all chunks, one
 * chunk after the other, are sorted. So a thread keeps of an edge only where it ends, and each
 * object counts its edges; when all threads have ended, the edges of their chunks are joined.
 * Counts, marks and checksums are written by atomic operations, because an object can lie in the
 * chunks of two threads.
 *
 * A thread has a stack of its own, which is wiped at its end, because words of the kernel's memory
 * are spilled there. If a thread lacks memory, it ends itself only; when all have ended and are
 * wiped, that ends the program.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "graph.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "settle.h"

#define KMA_GRAPH_STACK	  (256UL << 10)
#define KMA_GRAPH_BUF	  (KMA_HEAP_PAGES * (size_t)KMA_HEAP_PAGE)
#define KMA_GRAPH_DIGIT	  11	      /* bits of an address that are sorted at a time */
#define KMA_GRAPH_RELEASE (1UL << 20) /* bytes that are given back at once, at least */

/* The edges of a chunk: from @start on, up to the next part of the thread. */
struct kma_graph_part {
	uint64_t chunk;
	size_t start;
};

/* One thread of a scan. */
struct kma_graph_thread {
	struct kma_graph_scan *scan;
	pthread_t id;
	char *stack; /* KMA_GRAPH_STACK bytes, followed by @buf */
	char *buf;   /* KMA_HEAP_PAGES pages of the kernel's memory */
	void *reader;
	uint32_t *to;	      /* where each edge ends */
	unsigned char *words; /* by edge, if kma_graph.keep */
	size_t nr, room, room_words;
	struct kma_graph_part *parts; /* in the order of their chunks */
	size_t nr_parts, room_parts, next_part;
	size_t released; /* bytes of @to that were given back */
	struct kma_graph_root *roots;
	size_t nr_roots, room_roots;
	struct kma_graph_counts counts;
};

/* Why the threads end early. */
enum { KMA_GRAPH_STOPPED = 1, KMA_GRAPH_BROKEN, KMA_GRAPH_NO_MEMORY };

struct kma_graph_scan {
	struct kma_graph *graph;
	const struct kma_memory *memory;
	const int *stop;
	uint64_t next;	      /* number of the next chunk; atomic */
	int ends;	      /* the threads end, for this reason; atomic */
	unsigned int threads; /* in use */
	struct kma_graph_thread thread[KMA_HEAP_THREADS];
};

void kma_graph_init(struct kma_graph *graph)
{
	*graph = (struct kma_graph){ 0 };
}

/* Free the results of a scan. */
static void graph_forget(struct kma_graph *graph)
{
	kma_free_large(graph->first);
	kma_free_large(graph->to);
	kma_free_large(graph->sums);
	kma_free_large(graph->reached);
	kma_free_large(graph->still);
	kma_free_large(graph->words);
	kma_free_large(graph->roots);
	graph->words = NULL;
	graph->roots = NULL;
	graph->nr_roots = 0;
	graph->first = graph->to = graph->sums = NULL;
	graph->reached = graph->still = NULL;
	graph->counts = (struct kma_graph_counts){ 0 };
}

void kma_graph_deinit(struct kma_graph *graph)
{
	graph_forget(graph);
	kma_free_large(graph->objects);
	kma_free_large(graph->index);
	kma_graph_init(graph);
}

void kma_graph_add(struct kma_graph *graph, uint64_t addr, uint64_t len, uint32_t site)
{
	uint64_t start = addr & ~7ULL, end = (addr + len + 7) & ~7ULL;

	if (end <= start || end - start > UINT32_MAX)
		return;
	if (graph->nr == KMA_HEAP_MOST) {
		graph->full = true;
		return;
	}
	kma_array_room(graph->objects, graph->nr, graph->room);
	graph->objects[graph->nr++] = (struct kma_graph_object){ .key = start ^ KMA_HEAP_KEY,
								 .len = end - start,
								 .site = site };
}

/* By address; an object is before a range that is not one. */
static int graph_compare(const void *a, const void *b)
{
	const struct kma_graph_object *x = a, *y = b;
	uint64_t from = kma_graph_addr(x), to = kma_graph_addr(y);

	if (from != to)
		return from < to ? -1 : 1;
	return (x->site > y->site) - (x->site < y->site);
}

static size_t graph_digit(const struct kma_graph_object *object, uint64_t min, unsigned int shift)
{
	return (kma_graph_addr(object) - min) >> shift & ((1U << KMA_GRAPH_DIGIT) - 1);
}

/*
 * Leave out what overlaps what is before it. An object makes a range before it shorter, and a free
 * range after its first byte makes an object shorter: an array of left-over pointers in it.
 */
static void graph_disjoin(struct kma_graph *graph)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < graph->nr; i++) {
		struct kma_graph_object *object = &graph->objects[i];
		uint64_t start = kma_graph_addr(object);
		struct kma_graph_object *last = kept ? &graph->objects[kept - 1] : NULL;

		if (last && start < kma_graph_addr(last) + last->len) {
			if (start == kma_graph_addr(last) ||
			    (object->site == KMA_HEAP_FREE) == (last->site >= KMA_HEAP_FREE))
				continue;
			last->len = start - kma_graph_addr(last);
			kept -= !last->len;
		}
		graph->objects[kept++] = *object;
	}
	graph->nr = kept;
}

/*
 * Sort the objects: by radix, because a million of them are sorted in each pass, and qsort() takes
 * ten times as many instructions. It sorts those of one address, which are few. @span: from address
 * @min.
 */
static void graph_order(struct kma_graph *graph, uint64_t min, uint64_t span)
{
	struct kma_graph_object *from = graph->objects, *to;

	to = kma_xmalloc(graph->nr * sizeof(*to));
	for (unsigned int shift = 3; shift < 64 && span >> shift; shift += KMA_GRAPH_DIGIT) {
		uint32_t place[1U << KMA_GRAPH_DIGIT] = { 0 }, sum = 0;

		for (uint32_t i = 0; i < graph->nr; i++)
			place[graph_digit(&from[i], min, shift)]++;
		for (size_t digit = 0; digit < ARRAY_SIZE(place); digit++) {
			uint32_t nr = place[digit];

			place[digit] = sum;
			sum += nr;
		}
		for (uint32_t i = 0; i < graph->nr; i++)
			to[place[graph_digit(&from[i], min, shift)]++] = from[i];
		graph->objects = to;
		to = from;
		from = graph->objects;
	}
	kma_free_large(to);
	graph->room = graph->nr;
	for (uint32_t i = 0, end; i < graph->nr; i = end) {
		for (end = i + 1; end < graph->nr && from[end].key == from[i].key; end++)
			;
		if (end - i > 1)
			qsort(&from[i], end - i, sizeof(*from), graph_compare);
	}
}

void kma_graph_finish(struct kma_graph *graph)
{
	uint64_t min = UINT64_MAX, last = 0;
	uint32_t i;
	size_t size;

	if (!graph->nr)
		return;
	for (i = 0; i < graph->nr; i++) {
		uint64_t addr = kma_graph_addr(&graph->objects[i]);

		min = addr < min ? addr : min;
		last = addr > last ? addr : last;
	}
	graph_order(graph, min, last - min);
	graph_disjoin(graph);
	graph->min = min ^ KMA_HEAP_KEY;
	graph->span = kma_graph_addr(&graph->objects[graph->nr - 1]) +
		      graph->objects[graph->nr - 1].len - min;
	graph->shift = 0;
	while (graph->span >> graph->shift > 2 * (uint64_t)graph->nr)
		graph->shift++;
	kma_free_large(graph->index);
	size = (graph->span >> graph->shift) + 2;
	graph->index = kma_xmalloc(size * sizeof(*graph->index));
	i = 0;
	for (size_t bucket = 0; bucket < size; bucket++) {
		while (i < graph->nr &&
		       (kma_graph_addr(&graph->objects[i]) - min) >> graph->shift < bucket)
			i++;
		graph->index[bucket] = i;
	}
}

static bool graph_has(const struct kma_graph_object *object, uint64_t addr)
{
	return addr - kma_graph_addr(object) < object->len;
}

/* The object or range that has an address; KMA_HEAP_NONE without one. */
static uint32_t graph_at(const struct kma_graph *graph, uint64_t addr)
{
	uint64_t off = addr - (graph->min ^ KMA_HEAP_KEY);
	uint64_t in = off & ((UINT64_C(1) << graph->shift) - 1);
	uint32_t low, high, guess;

	if (off >= graph->span)
		return KMA_HEAP_NONE;
	low = graph->index[off >> graph->shift];
	high = graph->index[(off >> graph->shift) + 1];
	/* The objects of a slab have one size, so most often they divide a bucket evenly. */
	guess = low + (in * (high - low) >> graph->shift);
	if (guess < high && graph_has(&graph->objects[guess], addr))
		return guess;
	low += kma_array_search(high - low, i, kma_graph_addr(&graph->objects[low + i]) <= addr);
	return low && graph_has(&graph->objects[low - 1], addr) ? low - 1 : KMA_HEAP_NONE;
}

bool kma_graph_has(const struct kma_graph *graph, uint64_t addr)
{
	return graph->nr && graph_at(graph, addr) != KMA_HEAP_NONE;
}

uint32_t kma_graph_find(const struct kma_graph *graph, uint64_t word)
{
	uint32_t i = graph_at(graph, word);

	return i == KMA_HEAP_NONE || !kma_graph_is_object(graph, i) ? KMA_HEAP_NONE : i;
}

/* As kma_array_room(), but without memory the result is false, and the threads end. */
#define graph_room(thread, array, nr, room)                                             \
	({                                                                              \
		bool kma_is = (nr) < (room);                                            \
		if (!kma_is) {                                                          \
			size_t kma_more = (room) ? 2 * (room) : 8;                      \
			void *kma_at = reallocarray(array, kma_more, sizeof(*(array))); \
			kma_is = kma_at;                                                \
			if (kma_is) {                                                   \
				(array) = kma_at;                                       \
				(room) = kma_more;                                      \
			} else {                                                        \
				graph_end(thread, KMA_GRAPH_NO_MEMORY);                 \
			}                                                               \
		}                                                                       \
		kma_is;                                                                 \
	})

static void graph_end(struct kma_graph_thread *thread, int why)
{
	__atomic_store_n(&thread->scan->ends, why, __ATOMIC_RELAXED);
}

/* Words outside objects, the first of which is at @addr. */
static void graph_roots(struct kma_graph_thread *thread, uint64_t addr, const uint64_t *words,
			size_t nr)
{
	struct kma_graph *graph = thread->scan->graph;
	const uint64_t min = graph->min ^ KMA_HEAP_KEY, span = graph->span;

	for (size_t i = 0; i < nr; i++) {
		uint32_t to;

		/* Most words end here. */
		if (words[i] - min >= span)
			continue;
		to = kma_graph_find(graph, words[i]);
		if (to == KMA_HEAP_NONE)
			continue;
		thread->counts.roots++;
		__atomic_store_n(&graph->reached[to], 1, __ATOMIC_RELAXED);
		if (!graph->keep ||
		    !graph_room(thread, thread->roots, thread->nr_roots, thread->room_roots))
			continue;
		thread->roots[thread->nr_roots++] =
			(struct kma_graph_root){ (addr + 8 * i) ^ KMA_HEAP_KEY, to };
	}
}

/* Words inside object @from, the first of which is @off bytes from its start. */
static void graph_inside(struct kma_graph_thread *thread, uint32_t from, uint64_t off,
			 const uint64_t *words, size_t nr)
{
	struct kma_graph *graph = thread->scan->graph;
	const uint64_t min = graph->min ^ KMA_HEAP_KEY, span = graph->span;
	size_t before = thread->nr;
	uint32_t sum = 0;

	for (size_t i = 0; i < nr; i++) {
		/* Independent of the order in which threads add up the parts of an object. */
		uint64_t mixed = (words[i] + off / 8 + i) * UINT64_C(0x9e3779b97f4a7c15);
		uint32_t to;

		sum += mixed >> 32;
		if (words[i] - min >= span)
			continue;
		to = kma_graph_find(graph, words[i]);
		if (to == KMA_HEAP_NONE || to == from ||
		    !graph_room(thread, thread->to, thread->nr, thread->room))
			continue;
		if (graph->keep) {
			if (!graph_room(thread, thread->words, thread->nr, thread->room_words))
				continue;
			thread->words[thread->nr] = off / 8 + i < KMA_HEAP_FAR ? off / 8 + i :
										 KMA_HEAP_FAR;
		}
		thread->to[thread->nr++] = to;
	}
	__atomic_fetch_add(&graph->sums[from], sum, __ATOMIC_RELAXED);
	__atomic_fetch_add(&graph->first[from + 1], thread->nr - before, __ATOMIC_RELAXED);
}

/* Divide the memory from @addr to @end, which is at @buf, between objects and roots. */
static void graph_run(struct kma_graph_thread *thread, uint64_t addr, uint64_t end, const char *buf)
{
	const struct kma_graph *graph = thread->scan->graph;
	uint32_t i = kma_array_search(
		graph->nr, n, kma_graph_addr(&graph->objects[n]) + graph->objects[n].len <= addr);

	for (uint64_t at = addr; at < end;) {
		const struct kma_graph_object *object = i < graph->nr ? &graph->objects[i] : NULL;
		uint64_t start = object ? kma_graph_addr(object) : end, stop;
		const uint64_t *words = (const uint64_t *)(buf + (at - addr));

		if (start > at) {
			stop = start < end ? start : end;
			graph_roots(thread, at, words, (stop - at) / 8);
		} else {
			stop = start + object->len < end ? start + object->len : end;
			if (object->site == KMA_HEAP_IGNORED)
				thread->counts.ignored += stop - at;
			else
				graph_inside(thread, i, at - start, words, (stop - at) / 8);
			i += stop == start + object->len;
		}
		at = stop;
	}
}

/* Find the memory of a chunk; false after the last. */
static bool graph_chunk(const struct kma_memory *memory, uint64_t number, uint64_t *start,
			size_t *pages)
{
	for (size_t i = 0; i < memory->nr_areas; i++) {
		const struct kma_memory_area *area = &memory->areas[i];
		uint64_t nr = (area->end - area->start) / KMA_HEAP_PAGE, chunks, left;

		chunks = (nr + KMA_HEAP_PAGES - 1) / KMA_HEAP_PAGES;
		if (number >= chunks) {
			number -= chunks;
			continue;
		}
		left = nr - number * KMA_HEAP_PAGES;
		*start = area->start + number * KMA_HEAP_PAGES * KMA_HEAP_PAGE;
		*pages = left < KMA_HEAP_PAGES ? left : KMA_HEAP_PAGES;
		return true;
	}
	return false;
}

static bool graph_read(struct kma_graph_thread *thread, uint64_t start, size_t pages)
{
	const struct kma_memory *memory = thread->scan->memory;
	bool there[KMA_HEAP_PAGES];
	size_t from = 0;

	if (!memory->read(thread->reader, start, pages, thread->buf, there))
		return false;
	while (from < pages) {
		size_t to = from;

		while (to < pages && there[to] == there[from])
			to++;
		if (there[from]) {
			graph_run(thread, start + from * KMA_HEAP_PAGE, start + to * KMA_HEAP_PAGE,
				  thread->buf + from * KMA_HEAP_PAGE);
			thread->counts.pages += to - from;
		} else {
			thread->counts.skipped += to - from;
		}
		from = to;
	}
	return true;
}

static void *graph_thread(void *arg)
{
	struct kma_graph_thread *thread = arg;
	struct kma_graph_scan *scan = thread->scan;
	size_t pages, before;

	while (!__atomic_load_n(&scan->ends, __ATOMIC_RELAXED)) {
		uint64_t number = __atomic_fetch_add(&scan->next, 1, __ATOMIC_RELAXED), start;

		if (!graph_chunk(scan->memory, number, &start, &pages))
			break;
		if (__atomic_load_n(scan->stop, __ATOMIC_RELAXED)) {
			graph_end(thread, KMA_GRAPH_STOPPED);
			break;
		}
		before = thread->nr;
		if (!graph_read(thread, start, pages)) {
			graph_end(thread, KMA_GRAPH_BROKEN);
			break;
		}
		if (thread->nr != before &&
		    graph_room(thread, thread->parts, thread->nr_parts, thread->room_parts))
			thread->parts[thread->nr_parts++] =
				(struct kma_graph_part){ number, before };
	}
	if (scan->memory->forget)
		scan->memory->forget(thread->reader, thread->buf);
	return NULL;
}

/* Get the memory of the threads, before the first one has anything to wipe. */
static void graph_prepare(struct kma_graph_scan *scan, unsigned int threads)
{
	for (unsigned int t = 0; t < threads; t++) {
		struct kma_graph_thread *thread = &scan->thread[t];

		thread->scan = scan;
		thread->stack = mmap(NULL, KMA_GRAPH_STACK + KMA_GRAPH_BUF, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
		if (thread->stack == MAP_FAILED)
			kma_atend_no_memory();
		thread->buf = thread->stack + KMA_GRAPH_STACK;
		thread->reader = scan->memory->open(scan->memory->arg);
	}
}

/* Return 0 or a number of errno. */
static int graph_start(struct kma_graph_scan *scan, struct kma_graph_thread *thread)
{
	pthread_attr_t attr;
	int code;

	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, thread->stack, KMA_GRAPH_STACK);
	code = pthread_create(&thread->id, &attr, graph_thread, thread);
	pthread_attr_destroy(&attr);
	scan->threads += !code;
	return code;
}

/* The thread that has the next chunk with edges; NULL after the last. */
static struct kma_graph_thread *graph_next(struct kma_graph_scan *scan)
{
	struct kma_graph_thread *ret = NULL;

	for (unsigned int t = 0; t < scan->threads; t++) {
		struct kma_graph_thread *thread = &scan->thread[t];

		if (thread->next_part < thread->nr_parts &&
		    (!ret ||
		     thread->parts[thread->next_part].chunk < ret->parts[ret->next_part].chunk))
			ret = thread;
	}
	return ret;
}

/* Give back the memory of the first @nr edges of a thread, which have been copied. */
static void graph_release(struct kma_graph_thread *thread, size_t nr)
{
	size_t bytes = nr * sizeof(*thread->to) - thread->released;

	if (bytes < KMA_GRAPH_RELEASE)
		return;
	kma_drop_pages((char *)thread->to + thread->released, bytes);
	thread->released += bytes;
}

/* Join the edges of all chunks, and make first[] of the counts. */
static void graph_sort(struct kma_graph *graph, struct kma_graph_scan *scan)
{
	uint64_t nr = graph->counts.edges, at = 0;
	struct kma_graph_thread *thread;

	graph->to = kma_xmalloc((nr + 1) * sizeof(*graph->to));
	if (graph->keep)
		graph->words = kma_xmalloc(nr + 1);
	while ((thread = graph_next(scan))) {
		size_t start = thread->parts[thread->next_part++].start;
		size_t end = thread->next_part < thread->nr_parts ?
				     thread->parts[thread->next_part].start :
				     thread->nr;

		memcpy(graph->to + at, thread->to + start, (end - start) * sizeof(*graph->to));
		if (graph->keep)
			memcpy(graph->words + at, thread->words + start, end - start);
		at += end - start;
		graph_release(thread, end);
	}
	for (uint32_t i = 0; i < graph->nr; i++)
		graph->first[i + 1] += graph->first[i];
}

/* Put the roots of all threads together. */
static void graph_gather(struct kma_graph *graph, const struct kma_graph_scan *scan)
{
	size_t at = 0;

	if (!graph->nr_roots)
		return;
	graph->roots = kma_xmalloc(graph->nr_roots * sizeof(*graph->roots));
	for (unsigned int t = 0; t < scan->threads; t++)
		for (size_t i = 0; i < scan->thread[t].nr_roots; i++)
			graph->roots[at++] = scan->thread[t].roots[i];
}

void kma_graph_still_free(struct kma_graph *graph, uint64_t addr, uint64_t len)
{
	uint32_t i = graph_at(graph, addr);

	if (i == KMA_HEAP_NONE || kma_graph_addr(&graph->objects[i]) != addr)
		return;
	if (kma_graph_is_object(graph, i))
		graph->reached[i] = 1;
	else if (graph->objects[i].site == KMA_HEAP_FREE && graph->objects[i].len == len)
		graph->still[i] = 1;
}

/* Mark what is reached from the @top objects on the stack, which has room for all objects. */
static void graph_spread(struct kma_graph *graph, uint32_t *stack, uint32_t top)
{
	while (top) {
		uint32_t i = stack[--top];

		for (uint32_t e = graph->first[i]; e < graph->first[i + 1]; e++) {
			if (graph->reached[graph->to[e]])
				continue;
			graph->reached[graph->to[e]] = 1;
			graph->counts.reached += kma_graph_is_object(graph, graph->to[e]);
			stack[top++] = graph->to[e];
		}
	}
}

void kma_graph_mark(struct kma_graph *graph)
{
	_cleanup_free_ uint32_t *stack = kma_xmalloc((graph->nr + 1) * sizeof(*stack));
	uint32_t top = 0;

	for (uint32_t i = 0; i < graph->nr; i++) {
		graph->reached[i] |= graph->objects[i].site == KMA_HEAP_FREE && !graph->still[i];
		if (!graph->reached[i])
			continue;
		graph->counts.reached += kma_graph_is_object(graph, i);
		stack[top++] = i;
	}
	graph_spread(graph, stack, top);
}

void kma_graph_mark_from(struct kma_graph *graph, bool (*holds)(void *arg, uint32_t site),
			 void *arg)
{
	_cleanup_free_ uint32_t *stack = kma_xmalloc((graph->nr + 1) * sizeof(*stack));

	for (uint32_t i = 0; i < graph->nr; i++) {
		if (graph->reached[i] || !kma_graph_is_object(graph, i) ||
		    !holds(arg, graph->objects[i].site))
			continue;
		stack[0] = i;
		graph_spread(graph, stack, 1);
	}
}

/* Wait for the threads, wipe what they leave, and add up their numbers. */
static void graph_join(struct kma_graph_scan *scan, unsigned int threads)
{
	struct kma_graph_counts *counts = &scan->graph->counts;
	uint64_t begin = kma_clock(CLOCK_MONOTONIC);

	for (unsigned int t = 0; t < scan->threads; t++)
		pthread_join(scan->thread[t].id, NULL);
	kma_settle(kma_clock(CLOCK_MONOTONIC) - begin);
	for (unsigned int t = 0; t < threads; t++) {
		struct kma_graph_thread *thread = &scan->thread[t];

		scan->memory->close(thread->reader);
		explicit_bzero(thread->stack, KMA_GRAPH_STACK + KMA_GRAPH_BUF);
		kma_drop_pages(thread->stack, KMA_GRAPH_STACK + KMA_GRAPH_BUF);
		munmap(thread->stack, KMA_GRAPH_STACK + KMA_GRAPH_BUF);
		counts->pages += thread->counts.pages;
		counts->skipped += thread->counts.skipped;
		counts->roots += thread->counts.roots;
		counts->ignored += thread->counts.ignored;
		counts->edges += thread->nr;
		scan->graph->nr_roots += thread->nr_roots;
	}
}

static void graph_free_threads(struct kma_graph_scan *scan)
{
	for (unsigned int t = 0; t < KMA_HEAP_THREADS; t++) {
		kma_free_large(scan->thread[t].to);
		free(scan->thread[t].parts);
		kma_free_large(scan->thread[t].words);
		kma_free_large(scan->thread[t].roots);
	}
}

struct kma_err *kma_graph_scan(struct kma_graph *graph, const struct kma_memory *memory,
			       unsigned int threads, const int *stop)
{
	_cleanup_(graph_free_threads) struct kma_graph_scan scan = { .graph = graph,
								     .memory = memory,
								     .stop = stop };
	int code = 0;

	if (graph->full)
		return kma_err_create(NULL, 0,
				      "more than 2,000,000,000 live objects and free ranges");
	graph_forget(graph);
	graph->first = kma_xcalloc((size_t)graph->nr + 2, sizeof(*graph->first));
	graph->sums = kma_xcalloc((size_t)graph->nr + 1, sizeof(*graph->sums));
	graph->reached = kma_xcalloc((size_t)graph->nr + 1, 1);
	graph->still = kma_xcalloc((size_t)graph->nr + 1, 1);
	graph_prepare(&scan, threads);
	for (unsigned int t = 0; t < threads && !code; t++)
		code = graph_start(&scan, &scan.thread[t]);
	if (code)
		__atomic_store_n(&scan.ends, KMA_GRAPH_STOPPED, __ATOMIC_RELAXED);
	graph_join(&scan, threads);
	if (scan.ends == KMA_GRAPH_NO_MEMORY)
		kma_atend_no_memory();
	if (code)
		return kma_err_create(NULL, 0, "cannot start a thread: %s", strerror(code));
	if (scan.ends == KMA_GRAPH_BROKEN)
		return memory->error(memory->arg);
	if (scan.ends)
		return kma_err_create(NULL, 0, "the scan was interrupted");
	if (graph->counts.edges >= UINT32_MAX)
		return kma_err_create(NULL, 0,
				      "more than 4,294,967,294 references between objects");
	if (graph->nr_roots > KMA_HEAP_MOST)
		return kma_err_create(NULL, 0,
				      "more than 2,000,000,000 references from outside objects");
	graph_sort(graph, &scan);
	graph_gather(graph, &scan);
	return NULL;
}
