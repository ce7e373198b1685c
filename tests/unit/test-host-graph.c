// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-graph.c - host/heap/graph.c beside a plain model that compares each word with each
 * object, on random memory, with one to three threads.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heap/heads.h"
#include "lib/atend.h"
#include "lib/cleanup.h"

#include "ktap.h"
#include "rnd.h"

#define BASE	0xffff888000000000ULL
#define PAGES	600 /* three chunks, and a part of a fourth one in a second area */
#define GAP	64  /* pages between the two areas */
#define OBJECTS 400

static uint64_t *mem; /* PAGES pages, without the gap */
static bool absent[PAGES];

static const struct kma_memory_area areas[] = {
	{ BASE, BASE + 500 * KMA_HEAP_PAGE },
	{ BASE + (500 + GAP) * KMA_HEAP_PAGE, BASE + (PAGES + GAP) * KMA_HEAP_PAGE },
};

/* Page of an address, as a place in mem. */
static size_t page_of(uint64_t addr)
{
	size_t page = (addr - BASE) / KMA_HEAP_PAGE;

	return page < 500 ? page : page - GAP;
}

static void *fake_open(const void *arg)
{
	return (void *)arg;
}

static bool fake_read(void *reader, uint64_t addr, size_t nr, char *buf, bool *there)
{
	size_t page = page_of(addr);

	(void)reader;
	for (size_t i = 0; i < nr; i++) {
		there[i] = !absent[page + i];
		memset(buf + i * KMA_HEAP_PAGE, 0xff, KMA_HEAP_PAGE);
		if (there[i])
			memcpy(buf + i * KMA_HEAP_PAGE, mem + (page + i) * 512, KMA_HEAP_PAGE);
	}
	return true;
}

static void fake_close(void *reader)
{
	(void)reader;
}

static const struct kma_memory memory = {
	.areas = areas,
	.nr_areas = ARRAY_SIZE(areas),
	.arg = &memory,
	.open = fake_open,
	.read = fake_read,
	.close = fake_close,
};

/* What the model knows of an object: its words, and whether a root or a reached object has it. */
struct plain {
	uint64_t addr, len;
	uint32_t site;
	bool still, reached;
};

static struct plain plain[OBJECTS];

/* The object or range at an address; -1 without one. */
static int plain_at(uint64_t addr)
{
	for (int i = 0; i < OBJECTS; i++)
		if (addr - plain[i].addr < plain[i].len)
			return i;
	return -1;
}

static uint64_t word_at(uint64_t addr)
{
	return mem[page_of(addr) * 512 + addr % KMA_HEAP_PAGE / 8];
}

/* True if the object has a word that points into @to. */
static bool plain_refers(const struct plain *from, const struct plain *to)
{
	for (uint64_t at = from->addr; at < from->addr + from->len; at += 8)
		if (!absent[page_of(at)] && word_at(at) - to->addr < to->len)
			return true;
	return false;
}

static void plain_mark(void)
{
	bool more = true;

	for (size_t a = 0; a < ARRAY_SIZE(areas); a++)
		for (uint64_t at = areas[a].start; at < areas[a].end; at += 8) {
			int from = absent[page_of(at)] ? 0 : plain_at(at), to;

			if (absent[page_of(at)] || from >= 0)
				continue;
			to = plain_at(word_at(at));
			if (to >= 0)
				plain[to].reached = true;
		}
	for (int i = 0; i < OBJECTS; i++)
		if (plain[i].site >= KMA_HEAP_FREE)
			plain[i].reached = plain[i].site == KMA_HEAP_FREE && !plain[i].still;
		else if (plain[i].still)
			plain[i].reached = true;
	while (more) {
		more = false;
		for (int i = 0; i < OBJECTS; i++)
			for (int j = 0; j < OBJECTS && plain[i].reached; j++)
				if (!plain[j].reached && plain[j].site < KMA_HEAP_FREE &&
				    plain_refers(&plain[i], &plain[j])) {
					plain[j].reached = true;
					more = true;
				}
	}
}

/* Random objects without overlaps; some cross the bounds of pages and chunks. */
static void make_objects(void)
{
	uint64_t at = BASE;

	for (int i = 0; i < OBJECTS; i++) {
		uint64_t len = 8 * (1 + rnd(i % 50 ? 40 : 1500));

		at += 8 * rnd(1250);
		if (at < areas[1].start && at + len > areas[0].end)
			at = areas[1].start;
		plain[i] = (struct plain){ .addr = at, .len = len, .site = i % 7 };
		if (i % 9 == 8)
			plain[i].site = i % 2 ? KMA_HEAP_IGNORED : KMA_HEAP_FREE;
		/* of the objects, few are freed meanwhile */
		plain[i].still = plain[i].site < KMA_HEAP_FREE ? i % 16 == 5 : i % 4;
		at += len;
	}
}

/* Few words are references: most objects would be reached otherwise. */
static void make_words(void)
{
	for (size_t i = 0; i < PAGES * 512; i++)
		mem[i] = rnd(3) ? 0 : BASE - 1 - rnd(1000);
	for (size_t i = 0; i < 60; i++) {
		const struct plain *to = &plain[rnd(OBJECTS)];

		mem[rnd(PAGES * 512)] = to->addr + rnd(to->len);
	}
	for (int i = 0; i < OBJECTS; i++) {
		const struct plain *to = &plain[rnd(OBJECTS)];
		uint64_t at = plain[i].addr + 8 * rnd(plain[i].len / 8);

		mem[page_of(at) * 512 + at % KMA_HEAP_PAGE / 8] = to->addr + rnd(to->len);
	}
	for (size_t i = 0; i < PAGES; i++)
		absent[i] = !rnd(20);
}

static void fill(struct kma_graph *graph)
{
	kma_graph_init(graph);
	/* in no order */
	for (int i = 0; i < OBJECTS; i++) {
		const struct plain *p = &plain[i * 37 % OBJECTS];

		kma_graph_add(graph, p->addr, p->len, p->site);
	}
	kma_graph_finish(graph);
	EXPECT_EQ(graph->nr, OBJECTS);
}

/* Kept words: each of them points into the object that it is said to refer to. */
static void check_kept(const struct kma_graph *graph)
{
	size_t roots = 0;

	for (uint32_t from = 0; from < graph->nr; from++)
		for (uint32_t e = graph->first[from]; e < graph->first[from + 1]; e++) {
			const struct plain *to = &plain[graph->to[e]];
			uint64_t word = plain[from].addr + 8 * (uint64_t)graph->words[e];

			if (graph->words[e] == KMA_HEAP_FAR)
				EXPECT(plain[from].len > 8 * KMA_HEAP_FAR);
			else
				EXPECT(word_at(word) - to->addr < to->len);
		}
	EXPECT_EQ(graph->nr_roots, graph->counts.roots);
	for (size_t i = 0; i < graph->nr_roots; i++) {
		uint64_t at = graph->roots[i].key ^ KMA_HEAP_KEY;
		const struct plain *to = &plain[graph->roots[i].to];

		EXPECT(plain_at(at) < 0 && word_at(at) - to->addr < to->len);
		roots += !i || graph->roots[i].key != graph->roots[i - 1].key;
	}
	EXPECT_EQ(roots, graph->nr_roots);
}

/* Heads: each object of the set is reached from one, and no head from another one. */
static void check_heads(const struct kma_graph *graph)
{
	uint32_t set[OBJECTS], nr = 0;
	bool head[OBJECTS], seen[OBJECTS] = { false };

	for (uint32_t i = 0; i < graph->nr; i++)
		if (kma_graph_is_object(graph, i) && !graph->reached[i])
			set[nr++] = i;
	kma_graph_heads(graph, set, nr, head);
	for (uint32_t h = 0; h < nr; h++) {
		bool from[OBJECTS] = { false };
		bool more = true;

		if (!head[h])
			continue;
		from[h] = true;
		while (more) {
			more = false;
			for (uint32_t i = 0; i < nr; i++)
				for (uint32_t j = 0; j < nr && from[i]; j++)
					if (!from[j] &&
					    plain_refers(&plain[set[i]], &plain[set[j]]))
						from[j] = more = true;
		}
		for (uint32_t i = 0; i < nr; i++) {
			EXPECT(!(from[i] && head[i] && i != h));
			seen[i] |= from[i];
		}
	}
	for (uint32_t i = 0; i < nr; i++)
		EXPECT(seen[i]);
}

TEST(beside_a_model)
{
	_cleanup_free_ uint64_t *words = mem = calloc(PAGES * 512, 8);
	static const int go;
	unsigned int unreached = 0;

	REQUIRE(words);
	for (unsigned int round = 0; round < 4; round++) {
		uint32_t sums[OBJECTS];

		make_objects();
		make_words();
		plain_mark();
		for (unsigned int threads = 1; threads <= 3; threads++) {
			_cleanup_graph_ struct kma_graph graph;

			fill(&graph);
			graph.keep = round % 2;
			REQUIRE(!kma_graph_scan(&graph, &memory, threads, &go));
			for (int i = 0; i < OBJECTS; i++)
				if (plain[i].still)
					kma_graph_still_free(&graph, plain[i].addr, plain[i].len);
			kma_graph_mark(&graph);
			for (int i = 0; i < OBJECTS; i++) {
				EXPECT_EQ(graph.reached[i], plain[i].reached);
				unreached += !plain[i].reached;
			}
			if (threads == 1)
				memcpy(sums, graph.sums, sizeof(sums));
			EXPECT(!memcmp(sums, graph.sums, sizeof(sums)));
			EXPECT_EQ(graph.counts.pages + graph.counts.skipped, PAGES);
			check_heads(&graph);
			if (graph.keep)
				check_kept(&graph);
			else
				EXPECT(!graph.words && !graph.roots);
		}
	}
	/* neither all nor none */
	EXPECT(unreached > 100 && unreached < 4 * 3 * OBJECTS - 100);
}

TEST(find)
{
	_cleanup_graph_ struct kma_graph graph;

	kma_graph_init(&graph);
	kma_graph_finish(&graph);
	EXPECT_EQ(kma_graph_find(&graph, BASE), KMA_HEAP_NONE);
	kma_graph_add(&graph, BASE + 64, 30, 5);
	kma_graph_add(&graph, BASE + 64, 64, KMA_HEAP_FREE);
	kma_graph_add(&graph, BASE + 64, 32, 6);
	kma_graph_add(&graph, BASE + 1024, 64, KMA_HEAP_FREE);
	kma_graph_add(&graph, BASE + 1056, 64, 7);
	kma_graph_add(&graph, BASE + 2048, 0, 7);
	kma_graph_finish(&graph);
	EXPECT_EQ(graph.nr, 3);
	EXPECT_EQ(kma_graph_find(&graph, BASE + 63), KMA_HEAP_NONE);
	EXPECT_EQ(kma_graph_find(&graph, BASE + 64), 0);
	EXPECT_EQ(kma_graph_find(&graph, BASE + 95), 0);
	EXPECT_EQ(kma_graph_find(&graph, BASE + 96), KMA_HEAP_NONE);
	EXPECT_EQ(kma_graph_find(&graph, BASE + 1024), KMA_HEAP_NONE);
	EXPECT_EQ(kma_graph_find(&graph, BASE + 1056), 2);
	EXPECT_EQ(kma_graph_find(&graph, BASE + 1120), KMA_HEAP_NONE);
	EXPECT_EQ(kma_graph_find(&graph, 0), KMA_HEAP_NONE);
	EXPECT_EQ(kma_graph_find(&graph, UINT64_MAX), KMA_HEAP_NONE);
	EXPECT_EQ(graph.objects[0].site, 5);
}

/* A sheaf that is an object: its array is free, and words into the array refer to nothing. */
TEST(free_in_object)
{
	_cleanup_graph_ struct kma_graph graph;

	kma_graph_init(&graph);
	kma_graph_add(&graph, BASE + 256, 256, 3);
	kma_graph_add(&graph, BASE + 288, 160, KMA_HEAP_FREE);
	kma_graph_add(&graph, BASE + 512, 64, 4);
	kma_graph_finish(&graph);
	EXPECT_EQ(graph.nr, 3);
	EXPECT_EQ(kma_graph_find(&graph, BASE + 287), 0);
	EXPECT_EQ(kma_graph_find(&graph, BASE + 288), KMA_HEAP_NONE);
	EXPECT_EQ(kma_graph_find(&graph, BASE + 447), KMA_HEAP_NONE);
	EXPECT_EQ(kma_graph_find(&graph, BASE + 512), 2);
}

/* An object that is free after the scan, by its address alone, is not unreached; others are. */
TEST(freed_during_the_scan)
{
	_cleanup_free_ uint64_t *words = mem = calloc(PAGES * 512, 8);
	static const int go;
	_cleanup_graph_ struct kma_graph graph;

	REQUIRE(words);
	kma_graph_init(&graph);
	for (int i = 0; i < 3; i++)
		kma_graph_add(&graph, BASE + i * 64, 64, 1);
	kma_graph_finish(&graph);
	REQUIRE(!kma_graph_scan(&graph, &memory, 1, &go));
	kma_graph_still_free(&graph, BASE + 64, 64);
	kma_graph_still_free(&graph, BASE + 128 + 8, 56);
	kma_graph_mark(&graph);
	EXPECT(!graph.reached[0] && graph.reached[1] && !graph.reached[2]);
}

static bool holds_site_3(void *arg, uint32_t site)
{
	(void)arg;
	return site == 3;
}

/*
 * A chain a -> b -> c, a ring d -> e -> d, and f, of site 3, -> g -> h: two heads are lost, and what
 * f refers to is not.
 */
TEST(chain_ring_and_holder)
{
	_cleanup_free_ uint64_t *words = mem = calloc(PAGES * 512, 8);
	static const int to[] = { 1, 2, -1, 4, 3, 6, 7, -1 };
	static const int go;
	_cleanup_graph_ struct kma_graph graph;
	uint32_t set[8], nr = 0;
	bool head[8] = { false };

	REQUIRE(words);
	kma_graph_init(&graph);
	for (int i = 0; i < 8; i++) {
		kma_graph_add(&graph, BASE + i * 64, 64, i == 5 ? 3 : 1);
		words[i * 8 + 1] = to[i] < 0 ? 0 : BASE + to[i] * 64;
	}
	kma_graph_finish(&graph);
	REQUIRE(!kma_graph_scan(&graph, &memory, 1, &go));
	kma_graph_mark(&graph);
	for (uint32_t i = 0; i < 8; i++)
		EXPECT(!graph.reached[i]);
	kma_graph_mark_from(&graph, holds_site_3, NULL);
	for (uint32_t i = 0; i < 8; i++) {
		EXPECT_EQ(graph.reached[i], i >= 6);
		if (!graph.reached[i])
			set[nr++] = i;
	}
	EXPECT_EQ(graph.counts.reached, 2);
	REQUIRE(nr == 6);
	kma_graph_heads(&graph, set, nr, head);
	EXPECT(head[0] && !head[1] && !head[2]);
	EXPECT_EQ(head[3] + head[4], 1);
	EXPECT(head[5]);
}

TEST(interrupted)
{
	_cleanup_free_ uint64_t *words = mem = calloc(PAGES * 512, 8);
	_cleanup_graph_ struct kma_graph graph;
	struct kma_err *err;
	int stop = 1;

	REQUIRE(words);
	kma_graph_init(&graph);
	kma_graph_add(&graph, BASE, 64, 0);
	kma_graph_finish(&graph);
	err = kma_graph_scan(&graph, &memory, 2, &stop);
	REQUIRE(err);
	EXPECT_STR(err->message, "the scan was interrupted");
	kma_err_destroy(err);
}

TEST(too_many_objects)
{
	_cleanup_graph_ struct kma_graph graph;
	static const int go;
	struct kma_err *err;

	kma_graph_init(&graph);
	graph.nr = KMA_HEAP_MOST;
	kma_graph_add(&graph, BASE, 64, 0);
	EXPECT_EQ(graph.nr, KMA_HEAP_MOST);
	graph.nr = 0;
	err = kma_graph_scan(&graph, &memory, 1, &go);
	REQUIRE(err);
	EXPECT_STR(err->message, "more than 2,000,000,000 live objects and free ranges");
	kma_err_destroy(err);
}

/* In the child of the test below: memory that is larger than a reader's buffer, and is clean. */
static unsigned int clean;
static bool lacking;

int munmap(void *at, size_t len)
{
	bool is = len > (size_t)KMA_HEAP_PAGES * KMA_HEAP_PAGE;

	for (size_t i = 0; is && i < len; i++)
		is = !((char *)at)[i];
	clean += is;
	return syscall(SYS_munmap, at, len);
}

void *reallocarray(void *old, size_t nr, size_t size)
{
	/* the threads of a scan are not the process's first one */
	if (lacking && syscall(SYS_gettid) != getpid())
		return NULL;
	return realloc(old, nr * size);
}

static void count_clean(void *arg)
{
	EXPECT(write(*(int *)arg, &clean, sizeof(clean)) == sizeof(clean));
}

/* When a thread of a scan lacks memory, what the threads have read is wiped before the end. */
TEST(no_memory)
{
	_cleanup_free_ uint64_t *words = mem = calloc(PAGES * 512, 8);
	unsigned int wiped = 0;
	static const int go;
	int fds[2], status;
	pid_t child;

	REQUIRE(words && !pipe(fds));
	make_objects();
	make_words();
	child = fork();
	REQUIRE(child >= 0);
	if (!child) {
		struct kma_graph graph;

		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		kma_atend_signals();
		kma_atend_call(count_clean, &fds[1]);
		fill(&graph);
		lacking = true;
		clean = 0;
		kma_graph_scan(&graph, &memory, 2, &go);
		_exit(0);
	}
	close(fds[1]);
	REQUIRE(waitpid(child, &status, 0) == child);
	EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	EXPECT(read(fds[0], &wiped, sizeof(wiped)) == sizeof(wiped));
	EXPECT_EQ(wiped, 2);
	close(fds[0]);
}

TEST_MAIN()
