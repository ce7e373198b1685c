// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-path.c - the site of an event: past wrappers, and by its stack.
 */
#include "account/live.h"
#include "account/site.h"
#include "caller/caller.h"
#include "caller/path.h"
#include "caller/sample.h"
#include "caller/stack.h"
#include "ktap.h"
#include "shim.h"
#include "account-tables.h"
#include "show/report.h"
#include "show/report_text.h"
#include "watch/dispatch.h"

#define TEXT	KMA_TEXT
#define AT(f)	(TEXT + 0x1000ul * (f) + 0x100)

/* functions 0x10 to 0x1f are wrappers, 0x20 is where an interrupt begins */
static const char *function(unsigned long addr)
{
	unsigned long f = (addr - TEXT) / 0x1000;

	if (f >= 0x1000)
		return NULL;
	return f >= 0x10 && f < 0x20 ? "wrapper" : f == 0x20 ? "asm_sysvec" : "plain";
}

static bool start(unsigned int max_sites, unsigned int depth)
{
	struct kma_features features = { .wrappers = "wrapper", .stack_depth = depth };

	shim_init();
	shim_cpu = 0;
	shim_function = function;
	shim_text = TEXT;
	if (tables_init(max_sites) || kma_live_init(200000 * KMA_OBJECT_BYTES, map_wake) ||
	    kma_dispatch_init(&features))
		return false;
	/* names are those of addresses from here on */
	shim_function = NULL;
	kma_account_reset();
	kma_dispatch_reset();
	kma_live_open();
	return true;
}

static void stop(void)
{
	kma_live_close();
	kma_dispatch_deinit();
	kma_live_deinit();
	tables_deinit();
}

static void stack(const unsigned long *fns, unsigned int n)
{
	/* the probe, the tracepoint and the allocator */
	for (shim_stack_nr = 0; shim_stack_nr < 6; shim_stack_nr++)
		shim_stack[shim_stack_nr] = TEXT + 0x900000 + shim_stack_nr;
	for (unsigned int i = 0; i < n; i++)
		shim_stack[shim_stack_nr++] = AT(fns[i]);
}

#define STACK(...) do {							\
	static const unsigned long fns_[] = { __VA_ARGS__ };		\
									\
	stack(fns_, ARRAY_SIZE(fns_));					\
} while (0)

static unsigned int site(unsigned long f)
{
	const struct kma_event e = { .call_site = AT(f), .kind = KMA_KIND_KMALLOC };

	return kma_caller_site(&e, NULL);
}

static unsigned long where(unsigned int id)
{
	return (kma_sites.sites[id].call_site - TEXT) / 0x1000;
}

TEST(a_wrapper_s_caller_is_the_site)
{
	REQUIRE(start(100, 0));
	STACK(0x10, 0x11, 0x10, 1, 2);
	EXPECT_EQ(where(site(0x10)), 1);
	EXPECT_EQ(where(site(0x11)), 1);
	EXPECT_EQ(kma_site_nr(), 2);
	/* an ordinary function is not walked for */
	shim_walked = 0;
	EXPECT_EQ(where(site(5)), 5);
	EXPECT_EQ(shim_walked, 0);
	EXPECT_EQ(kma_caller_missed(), 0);
	stop();
}

TEST(a_caller_that_is_not_found_is_counted)
{
	REQUIRE(start(100, 0));
	STACK(3, 4);
	EXPECT_EQ(where(site(0x10)), 0x10);	/* not on the stack */
	STACK(0x10, 0x11);
	EXPECT_EQ(where(site(0x10)), 0x10);	/* nobody beyond */
	EXPECT_EQ(kma_caller_missed(), 2);
	kma_dispatch_reset();
	EXPECT_EQ(kma_caller_missed(), 0);
	stop();
}

TEST(many_wrappers_need_a_long_walk)
{
	REQUIRE(start(100, 0));
	stack(NULL, 0);
	for (; shim_stack_nr < 40; shim_stack_nr++)
		shim_stack[shim_stack_nr] = AT(0x10) + shim_stack_nr;
	shim_stack[shim_stack_nr++] = AT(7);
	shim_stack[shim_stack_nr++] = AT(8);
	EXPECT_EQ(where(kma_caller_site(&(struct kma_event){ .call_site = shim_stack[7] }, NULL)), 7);
	/* and wrappers all the way */
	while (shim_stack_nr < 200)
		shim_stack[shim_stack_nr++] = AT(0x10);
	for (int i = 30; i < 100; i++)
		shim_stack[i] = AT(0x10);
	EXPECT_EQ(where(site(0x10)), 0x10);
	EXPECT_EQ(kma_caller_missed(), 1);
	stop();
}

TEST(a_path_has_an_id_and_a_base)
{
	unsigned int a, b, c;

	REQUIRE(start(100, 3));
	EXPECT_EQ(kma_path_depth(), 3);
	STACK(1, 2, 3, 4);
	a = site(1);
	STACK(1, 2, 5, 4);
	b = site(1);
	STACK(1, 2, 3, 9);	/* beyond the depth */
	EXPECT_EQ(site(1), a);
	STACK(1, 2);		/* shorter */
	c = site(1);
	EXPECT(a != b && b != c && a != c);
	STACK(1, 2, 0x20, 7);
	EXPECT(site(1) != a);
	STACK(1, 2);
	EXPECT_EQ(site(1), c);
	EXPECT_EQ(kma_sites.sites[a].base, kma_sites.sites[b].base);
	EXPECT_EQ(kma_sites.sites[c].base, kma_site_id(AT(1), KMA_KIND_FREE));
	STACK(1);
	EXPECT_EQ(site(1), kma_sites.sites[a].base);
	STACK(2, 3);
	EXPECT(kma_sites.sites[site(2)].base != kma_sites.sites[a].base);
	stop();
}

TEST(a_path_begins_beyond_the_wrappers)
{
	unsigned int a;

	REQUIRE(start(100, 2));
	STACK(0x10, 0x11, 1, 2, 3);
	a = site(0x10);
	EXPECT_EQ(where(a), 1);
	STACK(1, 2, 3);
	EXPECT_EQ(site(1), a);
	stop();
}

/* @n paths, each found again; the index has at least twice as many slots. */
static void many_paths(unsigned int n)
{
	static unsigned int ids[16000];

	REQUIRE(start(n + 1, 4));
	for (int round = 0; round < 2; round++) {
		for (unsigned int i = 0; i < n; i++) {
			unsigned long addr[4] = { AT(1), AT(2), AT(3) + i % 128, AT(4) + i / 128 };
			unsigned int id = kma_path_id(addr, 2 + i % 3, KMA_KIND_KMALLOC);

			if (round && id != ids[i])
				EXPECT_EQ(id, ids[i]);
			ids[i] = id;
		}
	}
	EXPECT_EQ(kma_path_full(), 0);
	stop();
}

TEST(thousands_of_paths_are_told_apart)
{
	many_paths(16000);
}

TEST(paths_of_one_hash_are_told_apart)
{
	unsigned int two, three, other;

	shim_golden_ratio = 0;
	many_paths(1000);
	REQUIRE(start(100, 3));
	STACK(1, 2, 3);
	three = site(1);
	STACK(1, 2);
	two = site(1);
	STACK(1, 2, 4);
	other = site(1);
	EXPECT(two != three && two != other && three != other);
	EXPECT_EQ(site(1), other);
	STACK(1, 2);
	EXPECT_EQ(site(1), two);
	STACK(1, 2, 3);
	EXPECT_EQ(site(1), three);
	shim_golden_ratio = 0x61C8864680B583EBull;
	stop();
}

static void meet_the_neighbour(void)
{
	STACK(1, 2, 4);
	site(1);
	STACK(1, 2, 3);
}

/* Behind any of the looks that a path takes. */
TEST(who_loses_a_free_slot_is_another_path)
{
	shim_golden_ratio = 0;
	shim_other_cpu = meet_the_neighbour;
	for (unsigned int at = 1; at <= 3; at++) {
		unsigned int mine, other;

		REQUIRE(start(100, 3));
		STACK(1, 2);
		site(1);
		STACK(1, 2, 3);
		shim_other_cpu_at = at;
		mine = site(1);
		EXPECT_EQ(shim_other_cpu_at, 0);
		EXPECT_EQ(site(1), mine);
		STACK(1, 2, 4);
		other = site(1);
		EXPECT(other != mine);
		/* [site table full], the call site, and three paths */
		EXPECT_EQ(kma_site_nr(), 5);
		stop();
	}
	shim_golden_ratio = 0x61C8864680B583EBull;
}

/* An allocation by function 1, which @caller has called, while one in N is sampled. */
static unsigned int sampled_site(unsigned long caller)
{
	static char object;
	const unsigned long fns[] = { 1, caller, 3 };
	const struct kma_event e = { .call_site = AT(1), .ptr = &object };

	stack(fns, 3);
	return kma_caller_site(&e, NULL);
}

static bool start_samples(unsigned int every)
{
	if (!start(100, 2))
		return false;
	kma_path_reset();
	kma_path_begin(every);
	kma_sample_use(every);
	return true;
}

/* Is a count within five standard deviations of what is expected, of independent samples? */
static bool near(long count, long expected)
{
	return (count - expected) * (count - expected) <= 25 * expected;
}

TEST(intervals_of_samples_have_their_mean_and_are_random)
{
	static const unsigned int means[] = { 2, 16, 256, KMA_SAMPLE_MAX };

	for (size_t i = 0; i < ARRAY_SIZE(means); i++) {
		unsigned int n = means[i] > 256 ? 100000000 : 4000000, taken = 0, phase[2] = {};

		kma_sample_use(means[i]);
		for (unsigned int at = 0; at < n; at++) {
			if (!kma_sample_due())
				continue;
			EXPECT(kma_sample_take());
			taken++;
			phase[at / (means[i] / 2) % 2]++;
		}
		EXPECT(near(taken, n / means[i]));
		/* the first half of each N, and the second */
		EXPECT(near(phase[0], taken / 2) && near(phase[1], taken / 2));
	}
	kma_sample_use(KMA_SAMPLE_ALL);
	EXPECT(kma_sample_take() && kma_sample_take());
	kma_sample_use(KMA_SAMPLE_NONE);
	EXPECT(!kma_sample_take());
}

TEST(samples_of_a_call_site_are_paths_and_the_others_one_site)
{
	unsigned int rest, first, taken[2] = {}, others = 0;

	REQUIRE(start_samples(16));
	per_cpu(kma_sample, 0).left = 100;
	first = sampled_site(5);
	rest = sampled_site(5);
	EXPECT(first != rest);
	EXPECT_EQ(kma_sites.sites[first].base, kma_sites.sites[rest].base);
	EXPECT(kma_sites.sites[rest].sampled && !kma_sites.sites[first].sampled);
	/* what has no stack otherwise is no part of the call site's samples */
	EXPECT(kma_sites.sites[rest].base != rest);
	/* two paths in turn */
	for (unsigned int i = 0; i < 160000; i++) {
		unsigned int id = sampled_site(5 + i % 2);

		if (id == rest)
			others++;
		else
			taken[id != first]++;
	}
	EXPECT_EQ(taken[0] + taken[1] + others, 160000);
	EXPECT(near(taken[0], 5000) && near(taken[1], 5000));
	stop();
}

TEST(shares_of_stacks_do_not_mix)
{
	REQUIRE(start_samples(16));
	EXPECT(kma_path_fits(16, true));
	/* a pause, another share, all */
	EXPECT(!kma_path_fits(16, false) && !kma_path_fits(32, true) && !kma_path_fits(1, true));
	/* without stacks a clear forgets it; with them they go on */
	kma_path_reset();
	EXPECT(!kma_path_fits(32, true));
	kma_path_init(0);
	kma_path_reset();
	EXPECT(kma_path_fits(32, false));
	stop();
	REQUIRE(start(100, 2));
	EXPECT(kma_path_fits(1, true) && kma_path_fits(1, false) && !kma_path_fits(16, true));
	stop();
}

TEST(paths_beyond_max_sites_are_their_call_site_s)
{
	unsigned int a, b;

	REQUIRE(start(3, 2));
	STACK(1, 2);
	a = site(1);
	STACK(1, 3);
	b = site(1);
	EXPECT(a != b);
	EXPECT_EQ(kma_path_full(), 0);
	STACK(1, 4);
	EXPECT_EQ(site(1), kma_sites.sites[a].base);
	EXPECT_EQ(kma_path_full(), 1);
	STACK(5, 4);
	EXPECT_EQ(site(5), KMA_SITE_OTHER);
	STACK(1, 2);
	EXPECT_EQ(site(1), a);
	stop();
}

static void alloc(unsigned long f, unsigned long ptr)
{
	kma_dispatch_alloc(&(struct kma_event){
		.call_site = AT(f), .ptr = (void *)ptr, .req = 100, .bytes = 128,
		.kind = KMA_KIND_KMALLOC,
	});
}

/* Rows of a report as text; freed by the caller. */
static char *rows(bool all)
{
	struct kma_report *r = kma_report_create(0, all);
	struct seq_file m = {};

	r->shown = true;
	seq_puts(&m, "");
	for (size_t i = 0; i < kma_report_rows(r); i++)
		all ? kma_report_show_site(&m, r, i) : kma_report_show_row(&m, r, i);
	kma_report_destroy(r);
	return m.buf;
}

TEST(proc_merges_what_sites_keeps_apart)
{
	char *t;

	REQUIRE(start(100, 2));
	STACK(1, 2);
	alloc(1, 0x10000);
	alloc(1, 0x20000);
	STACK(1, 3);
	alloc(1, 0x30000);
	kma_dispatch_free(&(struct kma_event){ .call_site = AT(9), .ptr = (void *)0x20000 });
	/* unknown: no stack, the call site's own */
	kma_dispatch_free(&(struct kma_event){ .call_site = AT(1), .ptr = (void *)0x90000 });
	t = rows(false);
	EXPECT_STR(t, "     256       56      200     3/2     sym_ffffffff81001100+0x0/0x10\n");
	free(t);
	t = rows(true);
	EXPECT(strstr(t, "2\t0xffffffff81001100\t128\t28\t100\t2\t1\t0\t"));
	EXPECT(strstr(t, "\tsym_ffffffff81001100+0x0/0x10;sym_ffffffff81002100+0x0/0x10\t-\t-\n"));
	EXPECT(strstr(t, "3\t0xffffffff81001100\t128\t28\t100\t1\t0\t0\t"));
	EXPECT(strstr(t, "\tsym_ffffffff81001100+0x0/0x10;sym_ffffffff81003100+0x0/0x10\t-\t-\n"));
	EXPECT(strstr(t, "1\t0xffffffff81001100\t0\t0\t0\t0\t0\t1\t"));
	EXPECT(strstr(t, "\tsym_ffffffff81001100+0x0/0x10\tkmalloc\t-\t0\t0\t-\t-\t-\n"));
	free(t);
	stop();
}

static bool in_two(unsigned long addr, void *arg)
{
	return addr - (TEXT + 0x2000) < 0x1000;
}

TEST(a_path_through_an_unloaded_module_keeps_its_text)
{
	unsigned long path[KMA_PATH_DEPTH_MAX] = { AT(1), AT(2), AT(3) };
	unsigned long other[KMA_PATH_DEPTH_MAX] = { AT(6) };
	unsigned int a, b, base;
	char text[KMA_PATH_LEN];

	REQUIRE(start(100, 3));
	STACK(1, 2, 3);
	a = site(1);
	STACK(1, 4, 3);
	b = site(1);
	base = kma_sites.sites[a].base;
	EXPECT_EQ(kma_path_retire(in_two, NULL), 1);
	EXPECT_EQ(kma_path_retire(in_two, NULL), 0);
	EXPECT_EQ(site(1), b);
	/* another module in its place */
	STACK(1, 2, 3);
	EXPECT(site(1) != a);
	EXPECT_EQ(kma_sites.sites[site(1)].base, base);
	kma_path_text(a, path, text);
	EXPECT_STR(text, "sym_ffffffff81001100+0x0/0x10;sym_ffffffff81002100+0x0/0x10;"
		   "sym_ffffffff81003100+0x0/0x10");
	/* the id is another's by now: what the row says counts */
	kma_path_text(a, other, text);
	EXPECT_STR(text, "sym_ffffffff81006100+0x0/0x10");
	shim_fail_at = -1;
	EXPECT_EQ(kma_path_retire(in_two, NULL), 1);
	shim_fail_at = 0;
	stop();
}

/* A row that is printed after a clear has the path that it had before. */
TEST(a_row_keeps_its_path_when_the_account_begins_anew)
{
	struct seq_file m = {};
	struct kma_report *r;

	REQUIRE(start(100, 2));
	STACK(1, 2);
	alloc(1, 0x10000);
	r = kma_report_create(0, true);
	kma_live_close();
	kma_account_reset();
	kma_dispatch_reset();
	kma_live_open();
	STACK(3, 4);
	alloc(3, 0x10000);
	kma_report_show_site(&m, r, 0);
	kma_report_destroy(r);
	EXPECT(strstr(m.buf, "\tsym_ffffffff81001100+0x0/0x10;sym_ffffffff81002100+0x0/0x10\t-\t-\n"));
	free(m.buf);
	stop();
}

/* The text of the stack of a row of sites, of call site @f with @allocs allocations. */
static bool has_stack(unsigned long f, const char *stack, u64 allocs)
{
	struct kma_report *r = kma_report_create(0, true);
	bool found = false;

	for (size_t i = 0; i < kma_report_rows(r); i++) {
		struct seq_file m = {};

		kma_report_show_site(&m, r, i);
		found |= r->rows[i].call_site == AT(f) && r->rows[i].allocs == allocs &&
			 strstr(m.buf, stack);
		free(m.buf);
	}
	kma_report_destroy(r);
	return found;
}

/* Stacks come later: what older objects hold has a row of its own, to the byte. */
TEST(stacks_are_switched_on)
{
	REQUIRE(start(100, 0));
	STACK(3, 1, 2);
	alloc(3, 0x10000);
	alloc(3, 0x20000);
	EXPECT(has_stack(3, "\t-\t", 2));
	REQUIRE(!kma_path_init(2));
	kma_caller_use(true);
	kma_path_begin(1);
	EXPECT(has_stack(3, "\t[before]\t", 2));
	alloc(3, 0x30000);
	EXPECT(has_stack(3, "\t[before]\t", 2));
	EXPECT(has_stack(3, "\tsym_ffffffff81003100+0x0/0x10;sym_ffffffff81001100+0x0/0x10\t", 1));
	/* no stack: not one of those before, and not on its stack either */
	STACK(7, 8);
	alloc(3, 0x40000);
	EXPECT(has_stack(3, "\t[before]\t", 2));
	EXPECT(has_stack(3, "\tsym_ffffffff81003100+0x0/0x10\t", 1));
	/* a call site that is younger than the switch has nothing from before */
	alloc(5, 0x50000);
	EXPECT(has_stack(5, "\t-\t", 1));
	/* deeper: another path, and the first one stays as it is */
	REQUIRE(!kma_path_init(3));
	STACK(3, 1, 2);
	alloc(3, 0x60000);
	EXPECT(has_stack(3, "\tsym_ffffffff81003100+0x0/0x10;sym_ffffffff81001100+0x0/0x10\t", 1));
	EXPECT(has_stack(3, "\tsym_ffffffff81003100+0x0/0x10;sym_ffffffff81001100+0x0/0x10;sym_ffffffff81002100+0x0/0x10\t", 1));
	/* off: call sites alone, and the paths stay */
	REQUIRE(!kma_path_init(0));
	alloc(3, 0x70000);
	EXPECT(has_stack(3, "\t[before]\t", 3));
	EXPECT(has_stack(3, "\tsym_ffffffff81003100+0x0/0x10;sym_ffffffff81001100+0x0/0x10\t", 1));
	kma_caller_use(false);
	kma_live_close();
	kma_account_reset();
	kma_dispatch_reset();
	EXPECT_EQ(kma_path_before(), 0);
	stop();
}

TEST(a_wish_survives_every_failed_allocation)
{
	struct kma_features features = { .stack_depth = 1 };
	int n;

	shim_init();
	shim_function = function;
	shim_text = TEXT;
	REQUIRE(!tables_init(100));
	EXPECT_EQ(kma_dispatch_init(&features), 0);
	EXPECT(!kma_dispatch_wanted());
	EXPECT_EQ(kma_dispatch_memory(), 0);
	features.stack_depth = KMA_PATH_DEPTH_MAX;
	for (n = 1; n < 100; n++) {
		shim_fail_at = n;
		if (!kma_dispatch_init(&features))
			break;
		EXPECT(!kma_dispatch_wanted());
	}
	shim_fail_at = 0;
	/* 8 stacks; names, a symbol, the table and the memo; 3 tables of paths */
	EXPECT_EQ(n, SHIM_CPUS + 4 + 3 + 1);
	EXPECT(kma_dispatch_wanted());
	EXPECT(kma_dispatch_memory() > 100 * 16 * 8);
	kma_dispatch_deinit();
	tables_deinit();
}

TEST(no_memory_for_a_report_is_an_error)
{
	int n;

	REQUIRE(start(100, 2));
	STACK(1, 2);
	alloc(1, 0x10000);
	for (n = 1; n < 10; n++) {
		struct kma_report *r;

		shim_fail_at = n;
		r = kma_report_create(0, true);
		if (!IS_ERR(r)) {
			kma_report_destroy(r);
			break;
		}
	}
	shim_fail_at = 0;
	EXPECT_EQ(n, 5);
	stop();
}

TEST_MAIN()
