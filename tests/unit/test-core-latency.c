// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-latency.c - waits: begin, end, and what is booked where. Tasks and times are
 * made up; what a row says is compared with what was done.
 */
#include "account/site.h"
#include "caller/origin.h"
#include "ktap.h"
#include "shim.h"
#include "show/debugfs.h"
#include "show/rows.h"
#include "watch/latency.h"

#define TASK(n)	((void *)(unsigned long)(0xffff888040000000ull + (n) * 0x1000ull))
#define SITE(n)	(KMA_TEXT + (n) * 0x10ul)
#define US	1000ull
#define ALL	((1u << KMA_NR_WAITS) - 1)

static bool start(unsigned int threshold_us)
{
	shim_init();
	shim_cpu = 0;
	kma_latency_on = true;
	kma_latency_threshold_us = threshold_us;
	if (kma_latency_init())
		return false;
	kma_latency_start(ALL);
	kma_latency_reset();
	return true;
}

static void stop(void)
{
	kma_latency_deinit();
	kma_latency_on = false;
	shim_cpu = 0;
}

/* A wait of @ns at call site @site. */
static void wait_at(enum kma_wait kind, unsigned int task, unsigned long site, u64 ns, int order)
{
	shim_origin.call_site = site;
	kma_latency_begin(kind, TASK(task), order, 5000);
	kma_latency_end(kind, TASK(task), 5000 + ns);
}

/* What the file says; valid until the next call. */
static const char *shown(void)
{
	static struct seq_file m;
	void *r = kma_latency_rows.create();

	free(m.buf);
	memset(&m, 0, sizeof(m));
	kma_latency_rows.header(&m, r);
	for (size_t i = 0; i < kma_latency_rows.nr(r); i++)
		kma_latency_rows.row(&m, r, i);
	kma_latency_rows.destroy(r);
	return m.buf;
}

/* The number behind "NAME: ", or -1. */
static long long figure(const char *text, const char *name)
{
	char key[100];
	const char *at;

	snprintf(key, sizeof(key), "\n%s: ", name);
	at = strstr(text, key);
	return at ? atoll(at + strlen(key)) : -1;
}

struct row {
	long long calls, total, max, order;	/* -1: there is none */
	long long in_hist;			/* calls of all its classes */
	char hist[500];
};

/* Row of a kind and a caller as %pS prints it, or with this beginning. */
static struct row row_of(const char *text, const char *kind, const char *caller)
{
	const char *line = strstr(text, "caller\n");
	struct row found = { .calls = -1 };

	while (line && (line = strchr(line, '\n')) && *++line) {
		struct row r = {};
		char k[20], order[20], name[200];

		if (sscanf(line, "%19s %lld %lld %lld %19s %499s %199[^\n]", k, &r.calls, &r.total,
			   &r.max, order, r.hist, name) != 7) {
			EXPECT_STR(line, "one of the rows");
			break;
		}
		if (strcmp(k, kind) || strncmp(name, caller, strlen(caller)))
			continue;
		r.order = strcmp(order, "-") ? atoll(order) : -1;
		for (const char *p = r.hist; p && (p = strchr(p, ':')); p++)
			r.in_hist += atoll(p + 1);
		found = r;
	}
	return found;
}

static const char *name_of(unsigned long site)
{
	static char name[100];

	snprintf(name, sizeof(name), "sym_%lx+", site);
	return name;
}

TEST(a_wait_over_the_threshold_is_its_call_sites)
{
	struct row r;

	REQUIRE(start(100));
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(1), 100 * US, 4);
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(1), 300 * US, 2);
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(1), 200 * US, 0);
	wait_at(KMA_WAIT_RECLAIM, 2, SITE(2), 150 * US, 3);
	r = row_of(shown(), "reclaim", name_of(SITE(1)));
	EXPECT_EQ(r.calls, 3);
	EXPECT_EQ(r.total, 600000);
	EXPECT_EQ(r.max, 300000);
	EXPECT_EQ(r.order, 2);
	EXPECT_STR(r.hist, "16:1,17:1,18:1");
	r = row_of(shown(), "reclaim", name_of(SITE(2)));
	EXPECT_EQ(r.calls, 1);
	EXPECT_EQ(r.order, 3);
	stop();
}

TEST(below_it_none_is_asked_for)
{
	struct row r;

	REQUIRE(start(100));
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(1), 100 * US - 1, 4);
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(1), 0, 4);
	r = row_of(shown(), "reclaim", "[below the threshold]");
	EXPECT_EQ(r.calls, 2);
	EXPECT_EQ(r.total, 99999);
	EXPECT_STR(r.hist, "0:1,16:1");
	EXPECT_EQ(row_of(shown(), "reclaim", name_of(SITE(1))).calls, -1);
	EXPECT_EQ(figure(shown(), "reclaim calls"), 2);
	EXPECT_EQ(figure(shown(), "reclaim calls over the threshold"), 0);
	EXPECT_EQ(figure(shown(), "reclaim ns"), 99999);
	/* from now on all are */
	kma_latency_threshold_us = 0;
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(1), 0, 4);
	EXPECT_EQ(row_of(shown(), "reclaim", name_of(SITE(1))).calls, 1);
	EXPECT_EQ(figure(shown(), "reclaim calls over the threshold"), 1);
	stop();
}

TEST(kinds_are_apart_also_when_one_is_within_another)
{
	REQUIRE(start(0));
	shim_origin.call_site = SITE(1);
	kma_latency_begin(KMA_WAIT_RECLAIM, TASK(1), 4, 1000);
	kma_latency_begin(KMA_WAIT_COMPACTION, TASK(1), KMA_WAIT_NO_ORDER, 2000);
	kma_latency_begin(KMA_WAIT_MEMCG, TASK(1), KMA_WAIT_NO_ORDER, 2500);
	EXPECT_EQ(figure(shown(), "waits under way"), 3);
	kma_latency_end(KMA_WAIT_COMPACTION, TASK(1), 5000);
	/* another task's, on another CPU, and then this one goes on there */
	shim_cpu = 3;
	kma_latency_begin(KMA_WAIT_RECLAIM, TASK(2), 1, 5500);
	kma_latency_end(KMA_WAIT_RECLAIM, TASK(1), 8000);
	kma_latency_end(KMA_WAIT_MEMCG, TASK(1), 8500);
	kma_latency_end(KMA_WAIT_RECLAIM, TASK(2), 9000);
	EXPECT_EQ(row_of(shown(), "compaction", name_of(SITE(1))).total, 3000);
	EXPECT_EQ(row_of(shown(), "compaction", name_of(SITE(1))).order, -1);
	EXPECT_EQ(row_of(shown(), "reclaim", name_of(SITE(1))).total, 7000 + 3500);
	EXPECT_EQ(row_of(shown(), "reclaim", name_of(SITE(1))).max, 7000);
	EXPECT_EQ(row_of(shown(), "memcg", name_of(SITE(1))).total, 6000);
	EXPECT_EQ(figure(shown(), "waits under way"), 0);
	EXPECT_EQ(figure(shown(), "begins without an end"), 0);
	EXPECT_EQ(figure(shown(), "ends without a begin"), 0);
	stop();
}

TEST(a_begin_or_an_end_alone_is_counted)
{
	REQUIRE(start(0));
	shim_origin.call_site = SITE(1);
	kma_latency_end(KMA_WAIT_RECLAIM, TASK(1), 1000);
	/* it died, and another task has its place: that one's time is its own */
	kma_latency_begin(KMA_WAIT_RECLAIM, TASK(1), 4, 2000);
	kma_latency_begin(KMA_WAIT_RECLAIM, TASK(1), 2, 50000);
	kma_latency_end(KMA_WAIT_RECLAIM, TASK(1), 51000);
	kma_latency_end(KMA_WAIT_COMPACTION, TASK(1), 52000);
	EXPECT_EQ(figure(shown(), "ends without a begin"), 2);
	EXPECT_EQ(figure(shown(), "begins without an end"), 1);
	EXPECT_EQ(figure(shown(), "waits under way"), 0);
	EXPECT_EQ(row_of(shown(), "reclaim", name_of(SITE(1))).total, 1000);
	EXPECT_EQ(row_of(shown(), "reclaim", name_of(SITE(1))).order, 2);
	/* a clock that goes back */
	kma_latency_begin(KMA_WAIT_MEMCG, TASK(1), 0, 2000);
	kma_latency_end(KMA_WAIT_MEMCG, TASK(1), 1000);
	EXPECT_EQ(row_of(shown(), "memcg", name_of(SITE(1))).total, 0);
	stop();
}

/* More tasks wait than there is room for: each begin is open or counted, and so its end. */
TEST(what_has_no_room_is_counted)
{
	const unsigned int tasks = 4 * KMA_WAIT_OPEN;
	long long open, lost;

	REQUIRE(start(0));
	shim_origin.call_site = SITE(1);
	for (unsigned int i = 0; i < tasks; i++)
		kma_latency_begin(KMA_WAIT_RECLAIM, TASK(i), 0, 1000);
	open = figure(shown(), "waits under way");
	lost = figure(shown(), "begins without room");
	EXPECT_EQ(open + lost, tasks);
	EXPECT_EQ(open, KMA_WAIT_OPEN);
	for (unsigned int i = 0; i < tasks; i++)
		kma_latency_end(KMA_WAIT_RECLAIM, TASK(i), 3000);
	EXPECT_EQ(figure(shown(), "waits under way"), 0);
	EXPECT_EQ(figure(shown(), "ends without a begin"), lost);
	EXPECT_EQ(row_of(shown(), "reclaim", name_of(SITE(1))).calls, open);
	EXPECT_EQ(row_of(shown(), "reclaim", name_of(SITE(1))).total, open * 2000);
	stop();
}

/* At a load of a half, which no machine has. */
TEST(half_of_the_places_always_do)
{
	REQUIRE(start(0));
	shim_origin.call_site = SITE(1);
	for (unsigned int round = 0; round < 20; round++) {
		for (unsigned int i = 0; i < KMA_WAIT_OPEN / 2; i++)
			kma_latency_begin(KMA_WAIT_RECLAIM, TASK(round * 7919 + i * 11), 0, 1);
		for (unsigned int i = 0; i < KMA_WAIT_OPEN / 2; i++)
			kma_latency_end(KMA_WAIT_RECLAIM, TASK(round * 7919 + i * 11), 3);
	}
	EXPECT_EQ(figure(shown(), "begins without room"), 0);
	EXPECT_EQ(figure(shown(), "reclaim calls"), 20 * (KMA_WAIT_OPEN / 2));
	stop();
}

TEST(rows_are_the_sum_also_when_there_is_none_left)
{
	const unsigned int sites = KMA_LATENCY_ROWS + 100;
	long long calls = 0, total = 0;
	const char *text;
	struct row r;

	REQUIRE(start(0));
	for (unsigned int i = 0; i < sites; i++)
		wait_at(KMA_WAIT_RECLAIM, 1, SITE(i), 1000 + i, 0);
	/* those that have one keep it */
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(0), 5, 0);
	text = shown();
	r = row_of(text, "reclaim", "[more call sites than rows]");
	EXPECT_EQ(r.calls, 100);
	EXPECT_EQ(row_of(text, "reclaim", name_of(SITE(0))).calls, 2);
	for (unsigned int i = 0; i < KMA_LATENCY_ROWS; i++) {
		struct row site = row_of(text, "reclaim", name_of(SITE(i)));

		calls += site.calls;
		total += site.total;
		EXPECT_EQ(site.in_hist, site.calls);
	}
	EXPECT_EQ(calls + r.calls, sites + 1);
	EXPECT_EQ(figure(text, "reclaim calls"), sites + 1);
	EXPECT_EQ(figure(text, "reclaim calls over the threshold"), sites + 1);
	EXPECT_EQ(figure(text, "reclaim ns"), total + r.total);
	EXPECT_EQ(figure(text, "reclaim longest ns"), 1000 + sites - 1);
	stop();
}

/* As many as there are rows: they are found among others of the same site. */
TEST(a_site_has_a_row_for_each_kind)
{
	const unsigned int sites = KMA_LATENCY_ROWS / KMA_NR_WAITS;

	REQUIRE(start(0));
	for (unsigned int round = 0; round < 4; round++) {
		const char *text;

		kma_latency_reset();
		for (unsigned int i = 0; i < sites * KMA_NR_WAITS * 2; i++)
			wait_at(i % KMA_NR_WAITS, 1,
				SITE(round * 1000 + i / KMA_NR_WAITS % sites), 10, 0);
		text = shown();
		EXPECT_EQ(figure(text, "reclaim calls"), 2 * sites);
		EXPECT_EQ(figure(text, "compaction calls"), 2 * sites);
		EXPECT_EQ(figure(text, "kcompactd calls"), 2 * sites);
		EXPECT_EQ(figure(text, "memcg calls"), 2 * sites);
		EXPECT(!strstr(text, "[more call sites than rows]"));
	}
	stop();
}

TEST(each_class_is_twice_the_one_before)
{
	char want[500] = "";
	struct row r;

	REQUIRE(start(0));
	for (unsigned int n = 0; n < 50; n++) {
		wait_at(KMA_WAIT_MEMCG, 1, SITE(1), 1ull << n, 0);
		wait_at(KMA_WAIT_MEMCG, 1, SITE(1), (2ull << n) - 1, 0);
	}
	for (unsigned int n = 0; n < KMA_LATENCY_CLASSES; n++)
		sprintf(want + strlen(want), "%s%u:%u", n ? "," : "", n,
			n < KMA_LATENCY_CLASSES - 1 ? 2 : 2 * (50 - n));
	r = row_of(shown(), "memcg", name_of(SITE(1)));
	EXPECT_STR(r.hist, want);
	stop();
}

TEST(the_longest_comes_first)
{
	const char *text;

	REQUIRE(start(10));
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(1), 20000, 0);
	wait_at(KMA_WAIT_COMPACTION, 1, SITE(2), 90000, KMA_WAIT_NO_ORDER);
	wait_at(KMA_WAIT_RECLAIM, 1, 0, 40000, 0);
	text = shown();
	EXPECT(strstr(text, "sym_ffffffff81000020") < strstr(text, "[nobody on the stack]"));
	EXPECT(strstr(text, "[nobody on the stack]") < strstr(text, "sym_ffffffff81000010"));
	stop();
}

static bool in_site_1(unsigned long addr, void *arg)
{
	return addr == SITE(1);
}

TEST(code_that_goes_leaves_its_name)
{
	const char *text;

	REQUIRE(start(0));
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(1), 1000, 0);
	wait_at(KMA_WAIT_COMPACTION, 1, SITE(1), 1000, 0);
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(2), 1000, 0);
	EXPECT_EQ(kma_latency_retire(in_site_1, NULL), 2);
	EXPECT_EQ(kma_latency_retire(in_site_1, NULL), 0);
	/* other code at this address has a row of its own */
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(1), 30000, 0);
	text = shown();
	EXPECT_EQ(figure(text, "reclaim calls"), 3);
	/* the last one, for it is the shortest */
	EXPECT_EQ(row_of(text, "reclaim", name_of(SITE(1))).total, 1000);
	EXPECT_EQ(row_of(text, "compaction", name_of(SITE(1))).total, 1000);
	stop();
}

TEST(a_reset_forgets_all_but_what_goes_on)
{
	REQUIRE(start(10));
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(1), 20000, 0);
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(1), 2, 0);
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(2), 20000, 0);
	EXPECT_EQ(kma_latency_retire(in_site_1, NULL), 1);
	kma_latency_end(KMA_WAIT_MEMCG, TASK(1), 1000);
	kma_latency_begin(KMA_WAIT_RECLAIM, TASK(9), 3, 1000);
	kma_latency_reset();
	EXPECT_EQ(figure(shown(), "reclaim calls"), 0);
	EXPECT_EQ(figure(shown(), "ends without a begin"), 0);
	EXPECT_EQ(figure(shown(), "waits under way"), 1);
	EXPECT(!strstr(shown(), "[below"));
	wait_at(KMA_WAIT_RECLAIM, 1, SITE(2), 30000, 0);
	EXPECT_EQ(row_of(shown(), "reclaim", name_of(SITE(2))).total, 30000);
	shim_origin.call_site = SITE(3);
	kma_latency_end(KMA_WAIT_RECLAIM, TASK(9), 101000);
	EXPECT_EQ(row_of(shown(), "reclaim", name_of(SITE(3))).total, 100000);
	EXPECT_EQ(row_of(shown(), "reclaim", name_of(SITE(3))).order, 3);
	/* a new start forgets that, and keeps the numbers until its probes are attached */
	kma_latency_begin(KMA_WAIT_RECLAIM, TASK(9), 3, 1000);
	kma_latency_start(1u << KMA_WAIT_RECLAIM);
	EXPECT_EQ(figure(shown(), "waits under way"), 0);
	EXPECT_EQ(figure(shown(), "reclaim calls"), 2);
	kma_latency_reset();
	EXPECT_EQ(figure(shown(), "reclaim calls"), 0);
	/* what the kernel has no event of is absent */
	EXPECT_EQ(figure(shown(), "compaction calls"), -1);
	stop();
}

TEST(without_the_parameter_there_is_nothing)
{
	shim_init();
	kma_latency_on = false;
	EXPECT_EQ(kma_latency_init(), 0);
	EXPECT_EQ(kma_latency_memory(), 0);
	EXPECT_EQ(kma_latency_retire(in_site_1, NULL), 0);
	kma_latency_reset();
	EXPECT(IS_ERR(kma_latency_rows.create()));
	kma_latency_deinit();
	kma_latency_on = true;
	shim_fail_at = 1;
	EXPECT_EQ(kma_latency_init(), -ENOMEM);
	shim_fail_at = 0;
	kma_latency_deinit();
	kma_latency_on = false;
}

#define THREADS		(SHIM_CPUS - 1)	/* the reader is CPU 0 */
#define ROUNDS		20000

/* Each thread is a CPU with two tasks, which share two sites with all others. */
static void *hammer(void *arg)
{
	unsigned int cpu = 1 + (unsigned long)arg;

	shim_cpu = cpu;
	for (unsigned int i = 0; i < ROUNDS; i++) {
		enum kma_wait kind = i % 2 ? KMA_WAIT_RECLAIM : KMA_WAIT_COMPACTION;

		shim_origin.call_site = SITE(i % 3);
		kma_latency_begin(kind, TASK(2 * cpu), 0, i);
		kma_latency_begin(kind, TASK(2 * cpu + 1), 0, i);
		kma_latency_end(kind, TASK(2 * cpu), i + 1000);
		kma_latency_end(kind, TASK(2 * cpu + 1), i + 3000);
	}
	return NULL;
}

TEST(nothing_is_lost_among_cpus)
{
	pthread_t threads[THREADS];
	const char *text;

	REQUIRE(start(2));
	for (unsigned long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, hammer, (void *)i);
	for (unsigned int i = 0; i < 20; i++)
		shown();
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	text = shown();
	EXPECT_EQ(figure(text, "reclaim calls"), THREADS * ROUNDS);
	EXPECT_EQ(figure(text, "compaction calls"), THREADS * ROUNDS);
	EXPECT_EQ(figure(text, "reclaim calls over the threshold"), THREADS * ROUNDS / 2);
	EXPECT_EQ(figure(text, "reclaim ns"), THREADS * ROUNDS / 2 * 4000ll);
	EXPECT_EQ(figure(text, "ends without a begin"), 0);
	EXPECT_EQ(figure(text, "begins without an end"), 0);
	EXPECT_EQ(figure(text, "begins without room"), 0);
	stop();
}

TEST_MAIN()
