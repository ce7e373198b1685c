// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of function_graph, and how long something took: percentiles beside the sorted numbers.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ktap.h"
#include "latency/stat.h"
#include "latency/task.h"
#include "lib/cleanup.h"

#define ROOM 512

static uint64_t seed = 1;

/* xorshift64 (Marsaglia) */
static uint64_t rnd(uint64_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

/* Lines with all columns, as people read them. */
static const struct {
	const char *text;
	enum kma_lat_what what;
	uint64_t time, duration; /* ns; @duration 0: none */
	unsigned int cpu, pid;
	const char *comm, *name, *args;
} lines[] = {
	{ "  134.663705 |   0)     sh-104     | # 8118.719 us |  } /* __alloc_pages */", KMA_LAT_EXIT,
	  134663705000, 8118719, 0, 104, "sh", "__alloc_pages", "" },
	{ "   48.498509 |   1)   kswapd0-43   | ! 209.550 us  |      } /* shrink_node.isra.0 */",
	  KMA_LAT_EXIT, 48498509000, 209550, 1, 43, "kswapd0", "shrink_node.isra.0", "" },
	{ "   48.498509 | 1)   a:b c-1  | + 17 us |  }", KMA_LAT_EXIT, 48498509000, 17000, 1, 1, "a:b c",
	  "", "" },
	{ "    1.000001 |  12)  kworker-1003   |   3.000 us    |  __alloc_pages_nodemask();",
	  KMA_LAT_LEAF, 1000001000, 3000, 12, 1003, "kworker", "__alloc_pages_nodemask", "" },
	{ "    1.000001 |  12)   <idle>-0      |               |  shrink_slab() {", KMA_LAT_ENTRY,
	  1000001000, 0, 12, 0, "<idle>", "shrink_slab", "" },
	{ "    1.000001 |   3)  cc1-99999      |               |    f(); /* with a comment */",
	  KMA_LAT_LEAF, 1000001000, 0, 3, 99999, "cc1", "f", "" },
	{ "  155.000014 |   2)   bash-1002  |   |    /* mm_compaction_begin: zone=0x1 mode=sync */",
	  KMA_LAT_EVENT, 155000014000, 0, 2, 1002, "bash", "mm_compaction_begin",
	  "zone=0x1 mode=sync" },
	{ "  134.922413 |   0)   kswapd0-43 |   |  /* mm_shrink_slab_end: a+0x0/0xa0 [m] 6a: nid: 0 */",
	  KMA_LAT_EVENT, 134922413000, 0, 0, 43, "kswapd0", "mm_shrink_slab_end",
	  "a+0x0/0xa0 [m] 6a: nid: 0" },
	{ "  134.922413 |   0)   kswapd0-43   |               |  /* trace_printk's: a|b */",
	  KMA_LAT_EVENT, 134922413000, 0, 0, 43, "kswapd0", "trace_printk's", "a|b" },
	{ "  134.922413 |   0)   1.5 us-43   |  1.5 us   |  }", KMA_LAT_EXIT, 134922413000, 1500, 0, 43,
	  "1.5 us", "", "" },
	{ "  134.922413 |   0)   a|b-43   |  1.5 us   |  }", KMA_LAT_EXIT, 134922413000, 1500, 0, 43,
	  "a|b", "", "" },
};

TEST(lines_with_all_columns)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct kma_lat_line line;

		kma_lat_parse(lines[i].text, strlen(lines[i].text), &line);
		EXPECT_EQ(line.what, lines[i].what);
		EXPECT(line.has_time && line.has_cpu && line.has_pid);
		EXPECT_EQ(line.has_duration, !!lines[i].duration);
		EXPECT_EQ(line.time, lines[i].time);
		EXPECT_EQ(line.duration, lines[i].duration);
		EXPECT_EQ(line.cpu, lines[i].cpu);
		EXPECT_EQ(line.pid, lines[i].pid);
		if (!kma_lat_is(&line.comm, lines[i].comm) || !kma_lat_is(&line.name, lines[i].name) ||
		    !kma_lat_is(&line.args, lines[i].args))
			KTAP_FAIL("texts of: %s", lines[i].text);
	}
}

static bool within(const struct kma_lat_text *text, const char *line, size_t len)
{
	return !text->len || (text->str >= line && text->str + text->len <= line + len);
}

/* Whatever the line: nothing beyond it is read (the sanitizer looks), and texts lie in it. */
TEST(damaged_lines)
{
	static const char bytes[] = "|||\n\t -./*:}{(;)+!<=>_#a0u9\r\0\xff";

	for (unsigned int i = 0; i < 500000; i++) {
		const char *text = lines[rnd(ARRAY_SIZE(lines))].text;
		size_t len = strlen(text);
		struct kma_lat_line line;
		char buf[ROOM], *exact;

		memset(buf, '0', sizeof(buf));
		memcpy(buf, text, len);
		for (uint64_t n = rnd(4); n; n--) {
			size_t at = rnd(len + 1);

			if (rnd(2))
				buf[at] = bytes[rnd(sizeof(bytes) - 1)];
			else
				memmove(buf + at, buf + at + 1 + rnd(3), sizeof(buf) - at - 4);
		}
		buf[len] = '\n';
		len = (char *)memchr(buf, '\n', sizeof(buf)) - buf;
		exact = malloc(len + !len);
		if (!exact)
			abort();
		memcpy(exact, buf, len);
		kma_lat_parse(exact, len, &line);
		EXPECT(within(&line.comm, exact, len) && within(&line.name, exact, len) &&
		       within(&line.args, exact, len));
		free(exact);
	}
}

/* As the kernel says it, and as trace-cmd report does. */
TEST(lost_events)
{
	static const struct {
		const char *text;
		enum kma_lat_what what;
		unsigned int cpu;
		uint64_t lost;
	} losses[] = {
		{ "CPU:3 [LOST 12 EVENTS]", KMA_LAT_LOST, 3, 12 },
		{ "CPU:3 [LOST EVENTS]", KMA_LAT_LOST, 3, 0 },
		{ "CPU:3 [12 EVENTS DROPPED]", KMA_LAT_LOST, 3, 12 },
		{ "CPU:3 [EVENTS DROPPED]", KMA_LAT_LOST, 3, 0 },
		{ "CPU:3 [12 EVENTS FOUND]", KMA_LAT_BAD, 0, 0 },
		{ "CPU:3 [12 EVENTS]", KMA_LAT_BAD, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(losses); i++) {
		struct kma_lat_line line;

		kma_lat_parse(losses[i].text, strlen(losses[i].text), &line);
		EXPECT_EQ(line.what, losses[i].what);
		EXPECT_EQ(line.cpu, losses[i].cpu);
		EXPECT_EQ(line.lost, losses[i].lost);
	}
}

/* A line of a MiB, each bar of which may end a task's name: it is read once. */
TEST(bars_and_blanks)
{
	enum { LEN = 1 << 20 };
	clock_t begin = clock();
	struct kma_lat_line line;
	char *text = malloc(LEN);

	REQUIRE(text);
	memset(text, ' ', LEN);
	memcpy(text, "0)", 2);
	for (size_t i = LEN / 2; i < LEN; i += 2)
		memcpy(text + i, "x|", 2);
	kma_lat_parse(text, LEN, &line);
	EXPECT_EQ(line.what, KMA_LAT_NOTHING);
	EXPECT(clock() - begin < 2 * CLOCKS_PER_SEC);
	free(text);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Nearest rank of the sorted numbers; at most a sixteenth more. */
TEST(percentiles)
{
	static const double percents[] = { 0.001, 1, 50, 90, 99, 99.9, 100 };

	for (unsigned int round = 0; round < 200; round++) {
		struct kma_lat_stat stat = { 0 };
		uint64_t values[300], total = 0;
		unsigned int nr = 1 + rnd(ARRAY_SIZE(values)), calls = 0;

		for (unsigned int i = 0; i < nr; i++) {
			values[i] = rnd(1ULL << (1 + rnd(40)));
			total += values[i];
			kma_lat_stat_add(&stat, values[i]);
		}
		qsort(values, nr, sizeof(*values), compare);
		EXPECT(stat.calls == nr && stat.total == total && stat.min == values[0] &&
		       stat.max == values[nr - 1]);
		for (size_t i = 0; i < ARRAY_SIZE(percents); i++) {
			double rank = nr * percents[i] / 100;
			unsigned int at = rank > (unsigned int)rank ? rank : rank - 1;
			uint64_t got = kma_lat_stat_percentile(&stat, percents[i]);

			if (got < values[at] || got > values[at] + values[at] / 16)
				KTAP_FAIL("%g of %u: %llu for %llu", percents[i], nr,
					  (unsigned long long)got, (unsigned long long)values[at]);
		}
		for (unsigned int power = 0; power < KMA_LAT_POWERS; power++) {
			unsigned int want = 0;

			for (unsigned int i = 0; i < nr; i++)
				want += power ? values[i] >> power == 1 : values[i] < 2;
			calls += kma_lat_stat_power(&stat, power);
			EXPECT_EQ(kma_lat_stat_power(&stat, power), want);
		}
		EXPECT_EQ(calls, nr);
	}
}

/* Each text has a row of its own, until there are too many: then one has the rest. */
TEST(rows_are_limited)
{
	struct kma_lat_rows *rows = kma_lat_rows_create();
	unsigned int more = 0;
	size_t nr;

	for (unsigned int pass = 0; pass < 2; pass++)
		for (unsigned int i = 0; i < KMA_LAT_MAX_ROWS + 100; i++) {
			char name[32];
			struct kma_lat_text text = { name,
						     snprintf(name, sizeof(name), "row %u", i) };
			struct kma_lat_row *row = kma_lat_rows_get(rows, 1, text);

			if (i >= KMA_LAT_MAX_ROWS)
				more += !strcmp(row->text, KMA_LAT_MORE_ROWS);
			else if (strcmp(row->text, name))
				KTAP_FAIL("%s is %s", name, row->text);
			kma_lat_stat_add(&row->stat, 1);
		}
	EXPECT_EQ(more, 200);
	free(kma_lat_rows_sorted(rows, 1, 1, &nr));
	EXPECT_EQ(nr, KMA_LAT_MAX_ROWS + 1);
	kma_lat_rows_destroy(rows);
}

static void forget(void *arg, struct kma_lat_task *task)
{
	*(unsigned int *)arg += task->nr_open;
}

/* A bare } is of the innermost function; one with a name ends those within it. */
TEST(functions_that_are_open)
{
	static const char *const names[] = { "outer", "a.isra.0", "b", "c" };
	struct kma_lat_text name = { "", 0 }, outer = { "outer", 5 }, other = { "other", 5 };
	struct kma_lat_line line = {
		.what = KMA_LAT_ENTRY, .has_pid = true, .pid = 9, .comm = { "c", 1 }
	};
	struct kma_lat_tasks *tasks;
	struct kma_lat_task *task;
	unsigned int open = 0;

	tasks = kma_lat_tasks_create(forget, &open);
	REQUIRE(tasks);
	task = kma_lat_tasks_get(tasks, &line);
	REQUIRE(task);
	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++)
		kma_lat_task_push(task, &(struct kma_lat_text){ names[i], strlen(names[i]) });
	EXPECT(kma_lat_task_pop(task, &name) && kma_lat_is(&name, "c"));
	EXPECT(kma_lat_task_pop(task, &other) && task->depth == 3);
	EXPECT(kma_lat_task_pop(task, &outer) && task->depth == 0);
	name.len = 0;
	EXPECT(!kma_lat_task_pop(task, &name));
	/* Deeper than names are kept: as many ends as begins lead out again. */
	for (unsigned int i = 0; i < KMA_LAT_MAX_DEPTH + 5; i++)
		kma_lat_task_push(task, &outer);
	for (unsigned int i = 0; i < KMA_LAT_MAX_DEPTH + 5; i++) {
		name.len = 0;
		EXPECT_EQ(kma_lat_task_pop(task, &name), i >= 5);
	}
	EXPECT_EQ(task->depth, 0);
	kma_lat_tasks_destroy(tasks);
}

/*
 * Tasks that wait for an end stay, of the others the ones that were seen last; also when so many were
 * dropped that all tasks get new numbers.
 */
TEST(tasks_are_bounded)
{
	struct kma_lat_line line = { .what = KMA_LAT_EVENT, .has_pid = true, .comm = { "c", 1 } };
	struct kma_lat_tasks *tasks;
	unsigned int open = 0;

	tasks = kma_lat_tasks_create(forget, &open);
	REQUIRE(tasks);
	for (line.pid = 1; line.pid < 3 * KMA_LAT_ALL_TASKS; line.pid++) {
		struct kma_lat_task *task = kma_lat_tasks_get(tasks, &line);

		REQUIRE(task);
		if (line.pid <= 100)
			task->nr_open = 1;
	}
	EXPECT_EQ(open, 0);
	for (line.pid = 1; line.pid <= 100; line.pid++)
		EXPECT_EQ(kma_lat_tasks_get(tasks, &line)->nr_open, 1);
	kma_lat_tasks_destroy(tasks);
	EXPECT_EQ(open, 100);
}

TEST_MAIN()
