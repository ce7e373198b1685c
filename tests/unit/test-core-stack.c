// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-stack.c - kinds of functions, and who is behind an event.
 *
 * A stack here is made of functions f of the table below, at FN(f): its return
 * addresses are between that and the next one.
 */
#include "caller/frame.h"
#include "caller/name.h"
#include "caller/rcu_free.h"
#include "caller/stack.h"
#include "caller/symbol.h"
#include "ktap.h"
#include "shim.h"

#define TEXT	KMA_TEXT
#define FN(f)	(TEXT + 0x1000ul * (f))
#define AT(f)	(FN(f) + 0x100)

enum fn {
	OURS, TRACEITER, INT3, GET_PAGES, PAGES_NOPROF, ALLOCATE_SLAB, PCPU,
	KMALLOC, KSTRDUP, KVASPRINTF, DRIVER, INIT, TIMER, SOFTIRQ,
	SYSCALL, EL1_DBG, EL1_HANDLER, EL1_VECTOR, RCU_LIST, DATA, DATA_KFREE, GAP, MINE, NR_FN
};

static const char *const names[NR_FN] = {
	"never_asked_for", "__traceiter_mm_page_alloc", "asm_exc_int3",
	"get_page_from_freelist.constprop.0", "__alloc_pages_noprof",
	"allocate_slab.isra.0", "pcpu_populate_chunk", "__kmalloc_large_noprof",
	"kstrdup", "kvasprintf.part.0", "driver_probe",
	"driver_init", "asm_sysvec_apic_timer_interrupt", "__do_softirq",
	"entry_SYSCALL_64_after_hwframe", "el1_dbg", "el1h_64_sync_handler", "el1h_64_sync",
	"kvfree_rcu_list.isra.0", "_etext", "kfree", NULL, "my_wrapper [mymod]",
};

static struct module mymod = { "mymod", FN(MINE), 0x1000 };

/* Addresses right at the beginning of a function belong to the one before. */
static const char *function(unsigned long addr)
{
	unsigned long f = (addr - TEXT) / 0x1000;

	return f < NR_FN ? names[f] : NULL;
}

static bool start(const char *wrappers)
{
	shim_init();
	shim_cpu = 0;
	shim_function = function;
	shim_text = TEXT;
	shim_modules[0] = &mymod;
	shim_own_text = FN(OURS);
	shim_own_bytes = 0x1000;
	shim_walked = 0;
	return !kma_frame_init(wrappers) && !kma_stack_init();
}

static void stop(void)
{
	kma_stack_deinit();
	kma_frame_deinit();
}

static void stack(const enum fn *fns, unsigned int n)
{
	shim_stack_nr = n;
	while (n--)
		shim_stack[n] = AT(fns[n]);
}

#define STACK(...) do {							\
	static const enum fn fns_[] = { __VA_ARGS__ };			\
									\
	stack(fns_, ARRAY_SIZE(fns_));					\
} while (0)

TEST(a_name_is_cut_to_what_its_author_wrote)
{
	static const struct { const char *symbol, *name; } cuts[] = {
		{ "kstrdup", "kstrdup" },
		{ "kstrdup_noprof", "kstrdup" },
		{ "kstrdup.isra.0", "kstrdup" },
		{ "kstrdup_noprof.constprop.0.isra.0", "kstrdup" },
		{ "ext4_kvmalloc.part.12 [ext4]", "ext4_kvmalloc" },
		{ "_noprof", "_noprof" },
		{ "x_noprofile", "x_noprofile" },
		{ "kmemdup\n", "kmemdup" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cuts); i++) {
		char buf[KSYM_SYMBOL_LEN];

		strcpy(buf, cuts[i].symbol);
		kma_name_cut(buf);
		EXPECT_STR(buf, cuts[i].name);
	}
}

TEST(kinds_are_told_by_name)
{
	static const struct { const char *name; unsigned int kind; } kinds[] = {
		{ "alloc_pages", KMA_FRAME_PAGE },
		{ "__alloc_pages_bulk", KMA_FRAME_PAGE },
		{ "release_pages", KMA_FRAME_PAGE },
		{ "new_slab", KMA_FRAME_SLAB },
		/* names that the list has as a stem and its endings */
		{ "kmem_cache_alloc", KMA_FRAME_SLAB },
		{ "kmem_cache_alloc_lru", KMA_FRAME_SLAB },
		{ "kmem_cache_alloc_node_trace", KMA_FRAME_SLAB },
		{ "kmem_cache_alloc_lrux", 0 },
		{ "kmem_cache_alloc_l", 0 },
		{ "kmem_cache_alloc|_lru", 0 },
		{ "_lru", 0 },
		{ "__kmalloc_large_node", KMA_FRAME_SLAB },
		{ "pcpu_alloc", KMA_FRAME_PERCPU },
		{ "__traceiter_kmalloc", KMA_FRAME_TRACE },
		{ "asm_exc_page_fault", KMA_FRAME_ENTRY },
		{ "asm_exc_int3", KMA_FRAME_ENTRY | KMA_FRAME_TRACE },
		{ "mine", KMA_FRAME_WRAPPER },
		{ "ours_too", KMA_FRAME_WRAPPER },
		{ "ours", 0 },
		{ "kmalloc_large", KMA_FRAME_SLAB | KMA_FRAME_WRAPPER },
		{ "kstrdup", 0 },
		{ "alloc_pagesx", 0 },
		{ "alloc_page", 0 },
		{ "mine_too", 0 },
		/* shorter than what names are looked up by */
		{ "x", KMA_FRAME_WRAPPER },
		{ "xx", 0 },
		{ "y", KMA_FRAME_WRAPPER },
		{ "yes", KMA_FRAME_WRAPPER },
		{ "el0", KMA_FRAME_ENTRY },
		{ "el", 0 },
		{ "", 0 },
	};

	struct kma_names *known = kma_names_create("mine_noprof,ours_*,,x,y*,kmalloc_large\n");

	REQUIRE(!IS_ERR(known));
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kma_name_kind(known, kinds[i].name) != kinds[i].kind)
			EXPECT_STR(kinds[i].name, "of another kind");
	kma_names_free(known);
}

static unsigned int kind_in(const char *wrappers, const char *name)
{
	struct kma_names *known = kma_names_create(wrappers);
	unsigned int kind = IS_ERR(known) ? ~0u : kma_name_kind(known, name);

	if (!IS_ERR(known))
		kma_names_free(known);
	return kind;
}

TEST(the_default_list_and_ones_own)
{
	EXPECT_EQ(kind_in("default,mine", "kstrdup"), KMA_FRAME_WRAPPER);
	EXPECT_EQ(kind_in("default,mine", "sk_prot_alloc"), KMA_FRAME_WRAPPER);
	EXPECT_EQ(kind_in("default,mine", "mine"), KMA_FRAME_WRAPPER);
	EXPECT_EQ(kind_in("default,mine", "default"), 0);
	EXPECT_EQ(kind_in(NULL, "kstrdup"), 0);
	EXPECT_EQ(kind_in(NULL, "mine"), 0);
}

TEST(a_list_has_128_names)
{
	char list[129 * 5 + 1] = "";

	for (int i = 0; i < 128; i++)
		sprintf(list + strlen(list), "w%03d,", i);
	EXPECT_EQ(kind_in(list, "w000"), KMA_FRAME_WRAPPER);
	EXPECT_EQ(kind_in(list, "w127"), KMA_FRAME_WRAPPER);
	strcat(list, "w128");
	EXPECT_EQ(PTR_ERR(kma_names_create(list)), -EINVAL);
	strcpy(list + 127 * 5, "default");
	EXPECT_EQ(PTR_ERR(kma_names_create(list)), -EINVAL);
}

/* What is known of an address is looked up again. */
TEST(a_list_is_replaced)
{
	REQUIRE(start("kstrdup"));
	EXPECT_EQ(kma_frame_kind(AT(KSTRDUP)), KMA_FRAME_WRAPPER);
	/* a list that is refused changes nothing */
	shim_fail_at = 3;
	EXPECT_EQ(kma_symbol_wrap("my_wrapper"), -ENOMEM);
	shim_fail_at = 0;
	EXPECT_EQ(kma_frame_kind(AT(KSTRDUP) + 1), KMA_FRAME_WRAPPER);
	REQUIRE(!kma_symbol_wrap("my_wrapper"));
	kma_frame_settle();
	EXPECT_EQ(kma_frame_kind(AT(KSTRDUP)), 0);
	EXPECT_EQ(kma_frame_kind(AT(MINE)), KMA_FRAME_WRAPPER);
	REQUIRE(!kma_symbol_wrap(NULL));
	kma_frame_settle();
	EXPECT_EQ(kma_frame_kind(AT(MINE)), 0);
	REQUIRE(!kma_symbol_wrap("default"));
	kma_frame_settle();
	EXPECT_EQ(kma_frame_kind(AT(KSTRDUP)), KMA_FRAME_WRAPPER);
	stop();
}

/* An event has irqs off. A symbol of a large module takes 100,000 instructions to find. */
TEST(an_event_looks_up_no_symbol)
{
	REQUIRE(start("kstrdup"));
	shim_named = 0;
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(kma_frame_kind(AT(KSTRDUP)), KMA_FRAME_WRAPPER);
		EXPECT_EQ(kma_frame_kind(AT(DRIVER)), 0);
		EXPECT_EQ(kma_frame_kind(AT(OURS)), KMA_FRAME_TRACE);
		EXPECT_EQ(kma_frame_kind(AT(MINE)), 0);
		EXPECT_EQ(kma_frame_kind(AT(GAP)), 0);
	}
	for (enum fn f = 0; f < NR_FN; f++)
		for (unsigned long at = 1; at < 0x1000; at += 0x10)
			kma_frame_kind(FN(f) + at);
	STACK(OURS, TRACEITER, PAGES_NOPROF, KSTRDUP, KVASPRINTF, MINE, INIT);
	EXPECT_EQ(kma_stack_origin().call_site, AT(KVASPRINTF));
	EXPECT_EQ(shim_named, 0);
	stop();
}

TEST(the_last_call_of_a_function_returns_to_the_next_one)
{
	REQUIRE(start("kstrdup,my_wrapper"));
	EXPECT_EQ(kma_frame_kind(FN(KSTRDUP + 1)), KMA_FRAME_WRAPPER);
	EXPECT_EQ(kma_frame_kind(FN(KSTRDUP)), KMA_FRAME_SLAB);
	/* the first and the last addresses, and those outside of all functions */
	EXPECT_EQ(kma_frame_kind(FN(MINE) + 1), KMA_FRAME_WRAPPER);
	EXPECT_EQ(kma_frame_kind(FN(MINE) + 0x1000), KMA_FRAME_WRAPPER);
	EXPECT_EQ(kma_frame_kind(FN(MINE) + 0x1001), 0);
	EXPECT_EQ(kma_frame_kind(FN(MINE)), 0);
	EXPECT_EQ(kma_frame_kind(TEXT - 0x1000), 0);
	EXPECT_EQ(kma_frame_kind(~0ul), 0);
	/* data that has the name of a function */
	EXPECT_EQ(kma_frame_kind(AT(DATA_KFREE)), 0);
	stop();
}

/* More functions that have a kind than there is room for at first. */
static const char *wrapper_or_not(unsigned long addr)
{
	unsigned long f = (addr - TEXT) / 0x1000;

	return f < 5000 ? f % 2 ? "wrapper" : "no_wrapper" : NULL;
}

TEST(all_functions_have_room)
{
	shim_init();
	shim_cpu = 0;
	shim_function = wrapper_or_not;
	shim_text = TEXT;
	shim_modules[0] = NULL;
	shim_own_bytes = 0;
	REQUIRE(!kma_frame_init("wrapper"));
	for (unsigned long f = 0; f < 5001; f++)
		EXPECT_EQ(kma_frame_kind(FN(f) + 1), f < 5000 && f % 2 ? KMA_FRAME_WRAPPER : 0);
	kma_frame_deinit();
}

/* More addresses than the memo has room for, and all in a few sets. */
TEST(what_is_pushed_out_is_looked_up_again)
{
	REQUIRE(start("kstrdup"));
	for (unsigned long i = 0; i < 100; i++)
		EXPECT_EQ(kma_frame_kind(AT(DRIVER) + 0x100000 * i), 0);
	for (int round = 0; round < 3; round++)
		for (unsigned long i = 0; i < 100000; i++)
			if (kma_frame_kind(FN(KSTRDUP) + 1 + i % 0xfff) != KMA_FRAME_WRAPPER ||
			    kma_frame_kind(TEXT + 0x100000 + i))
				EXPECT_EQ(i, -1);
	EXPECT_EQ(kma_frame_kind(AT(DRIVER)), 0);
	stop();
}

static bool inside(unsigned long addr, void *mod)
{
	return within_module(addr, mod);
}

/* What another module has at the addresses of mymod. */
static const char *later(unsigned long addr)
{
	unsigned long f = (addr - TEXT) / 0x1000;

	return f < MINE ? names[f] : f < MINE + 8 ? f % 2 ? "kfree [other]" : "kstrdup [other]" : NULL;
}

TEST(a_module_s_addresses_are_forgotten_and_those_of_the_next_one_learned)
{
	struct module next = { "other", FN(MINE), 0x8000 };

	REQUIRE(start("my_wrapper,kstrdup"));
	EXPECT_EQ(kma_frame_kind(AT(KSTRDUP)), KMA_FRAME_WRAPPER);
	EXPECT_EQ(kma_frame_kind(AT(MINE)), KMA_FRAME_WRAPPER);
	kma_frame_forget(inside, &mymod);
	EXPECT_EQ(kma_frame_kind(AT(MINE)), 0);
	EXPECT_EQ(kma_frame_kind(AT(MINE) + 1), 0);
	/* another module in its place; the memo knows addresses that were there */
	shim_function = later;
	shim_modules[0] = &next;
	EXPECT_EQ(kma_frame_kind(AT(MINE + 1)), 0);
	kma_frame_forget(inside, &next);
	kma_frame_learn(&next);
	for (enum fn f = MINE; f < MINE + 8; f++)
		EXPECT_EQ(kma_frame_kind(AT(f)), f % 2 ? KMA_FRAME_SLAB : KMA_FRAME_WRAPPER);
	EXPECT_EQ(kma_frame_kind(AT(MINE + 8)), 0);
	EXPECT_EQ(kma_frame_kind(AT(KSTRDUP)), KMA_FRAME_WRAPPER);
	/* what is known already takes no grace period */
	shim_waits = 0;
	kma_frame_learn(&next);
	EXPECT_EQ(shim_waits, 0);
	/* the same by a new list */
	REQUIRE(!kma_symbol_wrap("my_wrapper"));
	kma_frame_settle();
	for (enum fn f = MINE; f < MINE + 8; f++)
		EXPECT_EQ(kma_frame_kind(AT(f)), f % 2 ? KMA_FRAME_SLAB : 0);
	stop();
}

TEST(without_memory_a_module_s_functions_have_no_kind)
{
	struct module next = { "other", FN(MINE), 0x8000 };
	int n;

	for (n = 1; n < 10; n++) {
		REQUIRE(start("kstrdup"));
		kma_frame_forget(inside, &next);
		shim_function = later;
		shim_fail_at = n;
		kma_frame_learn(&next);
		if (shim_fail_at)
			break;
		EXPECT_EQ(kma_frame_kind(AT(MINE + 1)), 0);
		EXPECT_EQ(kma_frame_kind(AT(KSTRDUP)), KMA_FRAME_WRAPPER);
		stop();
	}
	shim_fail_at = 0;
	EXPECT_EQ(n, 4);
	stop();
	/* a module that comes before there is a table */
	kma_frame_forget(inside, &next);
	kma_frame_learn(&next);
}

TEST(a_call_site_is_found_on_the_stack)
{
	const struct kma_stack *s;
	unsigned int at;

	REQUIRE(start(NULL));
	STACK(OURS, OURS, TRACEITER, KSTRDUP, DRIVER, INIT);
	s = kma_stack_find(NULL, AT(KSTRDUP), 1, &at);
	REQUIRE(s);
	EXPECT_EQ(at, 3);
	EXPECT_EQ(s->nr, 6);
	EXPECT(s->all);
	EXPECT_EQ(s->addr[at + 1], AT(DRIVER));
	EXPECT(!kma_stack_find(NULL, AT(MINE), 0, &at));
	stop();
}

TEST(a_long_walk_only_where_it_is_needed)
{
	const struct kma_stack *s;
	unsigned int at;

	REQUIRE(start(NULL));
	for (shim_stack_nr = 0; shim_stack_nr < 100; shim_stack_nr++)
		shim_stack[shim_stack_nr] = AT(DRIVER) + shim_stack_nr;
	/* nothing is known yet: the first address, then all */
	s = kma_stack_find(NULL, AT(DRIVER) + 10, 0, &at);
	EXPECT(s && at == 10);
	EXPECT_EQ(shim_walked, 1 + KMA_STACK_MAX);
	/* as far as the last one, and a nearer one with that */
	shim_walked = 0;
	s = kma_stack_find(NULL, AT(DRIVER) + 10, 5, &at);
	EXPECT(s && at == 10 && s->nr == 16 && !s->all);
	s = kma_stack_find(NULL, AT(DRIVER) + 3, 12, &at);
	EXPECT(s && at == 3 && s->nr == 23);
	EXPECT_EQ(shim_walked, 16 + 23);
	/* one that is farther away, with fewer addresses than asked for */
	s = kma_stack_find(NULL, AT(DRIVER) + 12, 5, &at);
	EXPECT(s && at == 12 && s->nr == KMA_STACK_MAX);
	/* one that is far away is no measure for the others */
	s = kma_stack_find(NULL, AT(DRIVER) + 40, 0, &at);
	EXPECT(s && at == 40);
	shim_walked = 0;
	s = kma_stack_find(NULL, AT(DRIVER) + 12, 3, &at);
	EXPECT(s && at == 12);
	EXPECT_EQ(shim_walked, KMA_STACK_SHORT + 4);
	EXPECT(!kma_stack_find(NULL, AT(DRIVER) + KMA_STACK_MAX, 0, &at));
	stop();
}

TEST(a_stack_ends_where_an_interrupt_begins)
{
	const struct kma_stack *s;
	unsigned int at;

	REQUIRE(start(NULL));
	STACK(OURS, KSTRDUP, DRIVER, SOFTIRQ, TIMER, INIT, MINE);
	s = kma_stack_find(NULL, AT(KSTRDUP), 16, &at);
	EXPECT(s && s->nr == 4 && s->all);
	STACK(OURS, KSTRDUP, TIMER, SOFTIRQ, INIT, MINE);
	s = kma_stack_find(NULL, AT(KSTRDUP), 16, &at);
	EXPECT(s && s->nr == 3);
	EXPECT(!kma_stack_find(NULL, AT(INIT), 0, &at));
	/* but not where our own kprobe does */
	STACK(OURS, INT3, KSTRDUP, DRIVER, SYSCALL, INIT);
	s = kma_stack_find(NULL, AT(KSTRDUP), 16, &at);
	EXPECT(s && s->nr == 5);
	stop();
}

/* arm64 comes through its vector for all traps: what led from there tells which. */
TEST(a_breakpoint_is_no_end_but_another_trap_is)
{
	const struct kma_stack *s;

	REQUIRE(start(NULL));
	STACK(OURS, EL1_DBG, EL1_HANDLER, EL1_VECTOR, GET_PAGES, DRIVER, EL1_HANDLER, EL1_VECTOR,
	      INIT);
	s = kma_stack_walk(KMA_STACK_MAX);
	EXPECT_EQ(s->nr, 7);
	EXPECT(s->all);
	STACK(OURS, TRACEITER, GET_PAGES, EL1_HANDLER, EL1_VECTOR, DRIVER);
	EXPECT_EQ(kma_stack_walk(KMA_STACK_MAX)->nr, 4);
	stop();
}

static void origin_is(enum fn fn, unsigned int kind)
{
	struct kma_stack_origin o = kma_stack_origin();

	EXPECT_EQ((o.call_site - TEXT) / 0x1000, fn);
	EXPECT_EQ(o.kind, kind);
}

TEST(pages_belong_to_the_first_that_is_no_allocator)
{
	REQUIRE(start("kstrdup,kvasprintf,my_wrapper"));
	STACK(OURS, OURS, TRACEITER, GET_PAGES, PAGES_NOPROF, DRIVER, INIT);
	origin_is(DRIVER, 0);
	STACK(OURS, TRACEITER, PAGES_NOPROF, KSTRDUP, KVASPRINTF, MINE, INIT);
	origin_is(INIT, 0);
	STACK(OURS, TRACEITER, PAGES_NOPROF, ALLOCATE_SLAB, KMALLOC, DRIVER);
	origin_is(ALLOCATE_SLAB, KMA_FRAME_SLAB);
	STACK(OURS, TRACEITER, PAGES_NOPROF, KMALLOC, DRIVER);
	origin_is(KMALLOC, KMA_FRAME_SLAB);
	STACK(OURS, TRACEITER, PAGES_NOPROF, PCPU, DRIVER);
	origin_is(PCPU, KMA_FRAME_PERCPU);
	/* a user of pages within an allocation of slab's */
	STACK(OURS, PAGES_NOPROF, DRIVER, ALLOCATE_SLAB, INIT);
	origin_is(DRIVER, 0);
	/* our own pages are ours */
	STACK(OURS, TRACEITER, PAGES_NOPROF, OURS, INIT);
	origin_is(OURS, 0);
	stop();
}

TEST(an_owner_that_the_stack_does_not_show)
{
	REQUIRE(start("kstrdup"));
	STACK(OURS, TRACEITER, PAGES_NOPROF);
	EXPECT_EQ(kma_stack_origin().call_site, 0);
	shim_stack_nr = 0;
	EXPECT_EQ(kma_stack_origin().call_site, 0);
	/* nobody beyond the wrapper: the wrapper itself */
	STACK(OURS, PAGES_NOPROF, KSTRDUP);
	origin_is(KSTRDUP, 0);
	/* allocators only in the first walk */
	for (shim_stack_nr = 0; shim_stack_nr < 30; shim_stack_nr++)
		shim_stack[shim_stack_nr] = AT(PAGES_NOPROF) + shim_stack_nr;
	shim_stack[shim_stack_nr++] = AT(DRIVER);
	origin_is(DRIVER, 0);
	stop();
}

TEST(init_survives_every_failed_allocation)
{
	int n;

	shim_init();
	for (n = 1; n < 100; n++) {
		shim_fail_at = n;
		if (!kma_frame_init("default"))
			break;
	}
	shim_fail_at = 0;
	/* names, wrappers, a symbol, the table and the memo */
	EXPECT_EQ(n, 5 + 1);
	EXPECT(kma_frame_memory() > 0);
	for (n = 1; n < 100; n++) {
		shim_fail_at = n;
		if (!kma_stack_init())
			break;
	}
	shim_fail_at = 0;
	EXPECT_EQ(n, SHIM_CPUS + 1);
	stop();
	EXPECT_EQ(kma_frame_memory(), 0);
}

/* Their symbols take time for each symbol of their module. */
TEST(a_free_by_a_module_looks_up_no_symbol)
{
	unsigned int named;

	shim_function = function;
	shim_text = TEXT;
	shim_text_bytes = FN(DATA) - TEXT;
	kma_rcu_free_use(true);
	named = shim_named;
	EXPECT(!kma_rcu_free_ended(AT(MINE)));
	EXPECT(!kma_rcu_free_ended(FN(DATA) + 1));
	EXPECT_EQ(shim_named, named);
	EXPECT(kma_rcu_free_ended(AT(RCU_LIST)));
	EXPECT(kma_rcu_free_ended(FN(DATA)));	/* the last instruction calls */
	EXPECT(!kma_rcu_free_ended(AT(DRIVER)));
	EXPECT(shim_named > named);
	named = shim_named;
	EXPECT(kma_rcu_free_ended(AT(RCU_LIST)));
	EXPECT_EQ(shim_named, named);
	kma_rcu_free_use(false);
}

TEST_MAIN()
