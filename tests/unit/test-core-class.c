// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-class.c - classes: numbers, the indexes, counters of several CPUs, growth, groups
 * that go, and objects whose sizes are in the map.
 */
#include <unistd.h>

#include "account/group.h"
#include "class-account.h"
#include "ktap.h"

static struct kma_size size_of(size_t req, size_t bytes)
{
	struct kma_size size;

	EXPECT(kma_size_pack(&size, req, bytes));
	return size;
}

static void alloc(unsigned int site, void *ptr, size_t req, size_t bytes)
{
	kma_account_alloc(SITE(site), ptr, req, bytes, KMA_KIND_KMALLOC);
	if (!shim_fail_at)
		map_serve();
}

TEST(a_class_has_one_number)
{
	unsigned int a, b;

	REQUIRE(!start(100));
	a = kma_class_of(kma_owner_of(5, KMA_MADE_UNWATCHED), 0, size_of(10, 16));
	EXPECT(kma_class_is_plain(a));
	EXPECT_EQ(kma_class_of(kma_owner_of(5, KMA_MADE_UNWATCHED), 0, size_of(10, 16)), a);
	EXPECT_EQ(kma_class_owner(a), 5);
	EXPECT_EQ(kma_class_made_of(kma_class_get(a)), KMA_MADE_UNWATCHED);
	EXPECT_EQ(kma_size_req(kma_class_size(a)), 10);
	EXPECT_EQ(kma_size_bytes(kma_class_size(a)), 16);
	/* whatever differs makes another one */
	b = kma_class_of(kma_owner_of(5, KMA_MADE_CACHE), 0, size_of(10, 16));
	EXPECT(b != a);
	EXPECT_EQ(kma_class_made_of(kma_class_get(b)), KMA_MADE_CACHE);
	EXPECT_EQ(kma_class_owner(b), 5);
	EXPECT(kma_class_of(5, 0, size_of(11, 16)) != a);
	EXPECT(kma_class_of(5, 0, size_of(10, 24)) != a);
	EXPECT(kma_class_of(6, 0, size_of(10, 16)) != a);
	/* what is no site, is whole */
	EXPECT_EQ(kma_class_owner(kma_class_of(0xfff1, 0, size_of(4096, 4096))), 0xfff1);
	stop();
}

static void meet_the_same(void)
{
	kma_class_of(5, 0, (struct kma_size){ .bytes = 16, .req = 10 });
}

TEST(a_class_that_two_meet_first_has_one_number)
{
	unsigned int nr, a;

	REQUIRE(!start(100));
	nr = kma_class_nr();
	shim_other_cpu = meet_the_same;
	shim_other_cpu_at = 1;
	a = kma_class_of(5, 0, size_of(10, 16));
	EXPECT_EQ(shim_other_cpu_at, 0);
	EXPECT_EQ(kma_class_nr(), nr + 1);
	EXPECT_EQ(a, nr);
	stop();
}

/* As class.c has it: where the search for a class begins, in a table of 4096 slots. */
static u32 first_slot(u16 owner, struct kma_size size)
{
	u64 key = (u64)owner << 32 | (u32)size.req << 16 | size.bytes;

	return (key * 0x9e3779b97f4a7c15ull >> 47) % 4096;
}

static struct kma_size neighbour;

static void meet_the_neighbour(void)
{
	kma_class_of(5, 0, neighbour);
}

/* Two classes want a slot: one looks at it while it is free, and then the other gets it. */
TEST(who_loses_a_free_slot_is_another_class)
{
	struct kma_size mine = size_of(10, 16);
	unsigned int a;

	REQUIRE(!start(100));
	neighbour = size_of(0, 8192);
	while (first_slot(5, neighbour) != first_slot(5, mine))
		neighbour.req++;
	shim_other_cpu = meet_the_neighbour;
	shim_other_cpu_at = 1;
	a = kma_class_of(5, 0, mine);
	EXPECT_EQ(shim_other_cpu_at, 0);
	EXPECT_EQ(kma_size_bytes(kma_class_size(a)), 16);
	EXPECT_EQ(kma_class_of(5, 0, mine), a);
	EXPECT(kma_class_of(5, 0, neighbour) != a);
	stop();
}

TEST(counters_are_summed_over_all_cpus)
{
	struct kma_site_count sum;

	REQUIRE(!start(100));
	for (int cpu = 0; cpu < SHIM_CPUS; cpu++) {
		shim_cpu = cpu;
		for (int i = 0; i <= cpu; i++)
			alloc(1, PTR(cpu * 100 + i), 100, 128);
		alloc(1, NULL, 100, 128);
		kma_account_free(SITE(1), PTR(5000 + cpu));
	}
	/* freed all on one CPU, more than it allocated */
	for (int cpu = 0; cpu < SHIM_CPUS; cpu++)
		for (int i = 0; i <= cpu; i++)
			kma_account_free(SITE(2), PTR(cpu * 100 + i));
	sum = count_of(1);
	EXPECT_EQ(sum.allocs, 36);
	EXPECT_EQ(sum.req, 3600);
	EXPECT_EQ(sum.bytes, 36 * 128);
	EXPECT_EQ(sum.frees, 36);
	EXPECT_EQ(sum.freed_req, 3600);
	EXPECT_EQ(sum.freed_bytes, 36 * 128);
	EXPECT_EQ(sum.unknown, SHIM_CPUS);
	EXPECT_EQ(sum.failed, SHIM_CPUS);
	stop();
}

/* More sizes than a site may have classes: all sums and all sizes are exact. */
TEST(a_site_of_many_sizes_is_exact)
{
	enum { OBJECTS = 3000 };
	unsigned long long req = 0, bytes = 0, wrong = 0;
	struct kma_site_count sum;
	unsigned int nr;

	REQUIRE(!start(100));
	nr = kma_class_nr();
	for (unsigned int i = 0; i < OBJECTS; i++) {
		size_t want = i % 3 ? 1000 + i : 70000 + 64 * i;
		size_t given = i % 3 ? 8192 : 262144;

		alloc(1, PTR(i), want, given);
		req += want;
		bytes += given;
	}
	/* its classes; those of many sizes are among the first numbers */
	EXPECT_EQ(kma_class_nr(), nr + KMA_CLASS_SIZES);
	sum = count_of(1);
	EXPECT_EQ(sum.allocs, OBJECTS);
	EXPECT_EQ(sum.req, req);
	EXPECT_EQ(sum.bytes, bytes);
	for (u64 at = kma_live_next(0); at != KMA_LIVE_END; at = kma_live_next(at + 1)) {
		struct kma_live_object buf[64];
		u32 n = kma_live_read(at, buf, ARRAY_SIZE(buf));

		REQUIRE(n <= ARRAY_SIZE(buf));
		for (u32 k = 0; k < n; k++) {
			unsigned long i = (buf[k].ptr - (unsigned long)PTR(0)) / 4096;

			wrong += kma_size_req(buf[k].size) != (i % 3 ? 1000 + i : 70000 + 64 * i) ||
				 kma_size_bytes(buf[k].size) != (i % 3 ? 8192 : 262144);
			nr += 1u << 16;
		}
	}
	EXPECT_EQ(wrong, 0);
	EXPECT_EQ(nr >> 16, OBJECTS);
	for (unsigned int i = 0; i < OBJECTS; i++)
		kma_account_free(SITE(2), PTR(i));
	sum = count_of(1);
	EXPECT_EQ(sum.frees, OBJECTS);
	EXPECT_EQ(sum.freed_req, req);
	EXPECT_EQ(sum.freed_bytes, bytes);
	for (u64 at = kma_live_next(0); at != KMA_LIVE_END; at = kma_live_next(at + 1))
		EXPECT_EQ(kma_live_read(at, NULL, 0), 0);
	EXPECT_EQ(kma_account_totals().implied, 0);
	stop();
}

/* Objects of any size, and side by side in a page. */
TEST(small_objects_of_many_sizes_are_exact)
{
	REQUIRE(!start(100));
	for (unsigned int i = 0; i < 100; i++)
		alloc(1, PTR(i), 1000 + i, 2048);
	for (unsigned int i = 0; i < 24; i++)
		alloc(1, (char *)PTR(200) + 24 * i, i + 1, 24);
	EXPECT_EQ(count_of(1).req, 100 * 1000 + 99 * 50 + 24 * 25 / 2);
	for (unsigned int i = 0; i < 24; i++)
		kma_account_free(SITE(2), (char *)PTR(200) + 24 * i);
	for (unsigned int i = 0; i < 100; i++)
		kma_account_free(SITE(2), PTR(i));
	EXPECT_EQ(count_of(1).req, count_of(1).freed_req);
	EXPECT_EQ(count_of(1).frees, 124);
	stop();
}

/* A free that nobody saw: the memory has another object, of many sizes or not. */
TEST(an_implied_free_of_an_object_of_many_sizes)
{
	REQUIRE(!start(100));
	for (unsigned int i = 0; i < 100; i++)
		alloc(1, PTR(i), 1000 + i, 2048);
	alloc(1, PTR(90), 1500, 2048);
	EXPECT_EQ(kma_account_totals().implied, 1);
	EXPECT_EQ(count_of(1).freed_req, 1090);
	EXPECT_EQ(count_of(1).freed_bytes, 2048);
	alloc(2, PTR(90), 7, 8);
	EXPECT_EQ(count_of(1).freed_req, 1090 + 1500);
	kma_account_free(SITE(2), PTR(90));
	EXPECT_EQ(count_of(2).frees, 1);
	/* other objects in the page, where no object of this one's stride begins */
	alloc(2, (char *)PTR(91) + 16, 8, 8);
	alloc(1, (char *)PTR(91) + 24, 77, 2048);
	kma_account_free(SITE(2), PTR(91));
	EXPECT_EQ(count_of(1).freed_req, 1090 + 1500 + 1091);
	kma_account_free(SITE(2), (char *)PTR(91) + 16);
	EXPECT_EQ(count_of(2).frees, 2);
	kma_account_free(SITE(2), (char *)PTR(91) + 24);
	EXPECT_EQ(count_of(1).freed_req, 1090 + 1500 + 1091 + 77);
	EXPECT_EQ(kma_account_totals().implied, 2);
	EXPECT_EQ(count_of(2).unknown, 0);
	stop();
}

/* The tables grow while events go on; without memory they stay, and then grow again. */
TEST(thousands_of_classes_and_growth)
{
	enum { SITES = 5000 };
	unsigned int refused = 0;

	REQUIRE(!start(SITES));
	for (unsigned int s = 0; s < SITES; s++) {
		alloc(s, PTR(s), s % 100, 128);
		if (s >= 2000 && s < 2600) {
			shim_fail_at = -1;
			refused += tables_grow() == -ENOMEM;
			shim_fail_at = 0;
		} else {
			EXPECT_EQ(tables_grow(), 0);
		}
		kma_account_free(SITE(s), PTR(s));
		/* once more, by the quick index */
		alloc(s, PTR(s), s % 100, 128);
	}
	EXPECT(refused > 0);
	EXPECT(kma_class_nr() > SITES);
	for (unsigned int s = 0; s < SITES; s += 7) {
		EXPECT_EQ(count_of(s).allocs, 2);
		EXPECT_EQ(count_of(s).req, 2 * (s % 100));
	}
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_CLASS], 0);
	stop();
}

TEST(without_a_number_left_an_event_is_dropped_and_counted)
{
	unsigned int dropped;

	REQUIRE(!start(8000));
	for (unsigned int s = 0; s < 4000; s++)
		alloc(s, PTR(s), 10, 64);
	dropped = kma_account_totals().drops[KMA_DROP_CLASS];
	EXPECT(dropped > 1000 && dropped < 4000);
	for (unsigned int s = 0; s < 4000; s++)
		kma_account_free(SITE(s), PTR(s));
	EXPECT_EQ(tables_grow(), 0);
	alloc(3999, PTR(3999), 10, 64);
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_CLASS], dropped);
	EXPECT_EQ(count_of(3999).allocs, 1);
	stop();
}

TEST(the_quick_index_forgets_what_goes)
{
	struct kma_site_count sum;
	unsigned long class;

	REQUIRE(!start(100));
	alloc(1, PTR(1), 10, 16);
	EXPECT(kma_class_find_quick(SITE(1), 10, 16, &class));
	EXPECT(!kma_class_find_quick(SITE(1), 11, 16, &class));
	if (BITS_PER_LONG == 64)
		EXPECT(!kma_class_find_quick(SITE(1) - (1ull << 32), 10, 16, &class));
	alloc(2, PTR(2), 10, 16);
	kma_class_retire(SITE(1));
	EXPECT(!kma_class_find_quick(SITE(1), 10, 16, &class));
	EXPECT(kma_class_find_quick(SITE(2), 10, 16, &class));
	kma_class_hide();
	EXPECT(!kma_class_find_quick(SITE(2), 10, 16, &class));
	sum = count_of(2);
	EXPECT_EQ(sum.allocs, 1);
	stop();
}

/* Modules come and go for years: their entries do not fill the quick index. */
TEST(retired_entries_make_room)
{
	unsigned long class;

	REQUIRE(!start(4000));
	for (unsigned int round = 0; round < 40; round++)
		for (unsigned int s = 0; s < 100; s++) {
			alloc(s, PTR(s), 10, 16);
			kma_account_free(SITE(s), PTR(s));
			kma_class_retire(SITE(s));
			EXPECT_EQ(tables_grow(), 0);
		}
	alloc(1, PTR(1), 10, 16);
	EXPECT(kma_class_find_quick(SITE(1), 10, 16, &class));
	EXPECT_EQ(kma_class_quick->mask + 16, 4096 * 16);
	stop();
}

static unsigned int of_group(unsigned int site, unsigned int group, size_t req, size_t bytes)
{
	return kma_class_of(kma_owner_of(site, KMA_MADE_UNWATCHED), group, size_of(req, bytes));
}

/* Groups that come and go use up no numbers, also not those of classes without a size. */
TEST(a_dead_group_gives_all_its_numbers_back)
{
	enum { GROUPS = 1000 };
	struct kma_site_count sum;
	unsigned int site, class;

	REQUIRE(!start(100));
	site = kma_site_id(SITE(1), KMA_KIND_KMALLOC);
	for (unsigned int i = 0; i < KMA_CLASS_SIZES; i++)
		of_group(site, 0, 1000 + i, 2048);
	for (unsigned int i = 0; i < GROUPS; i++) {
		struct kma_size size = size_of(5000 + i, 8192);
		unsigned int group = KMA_GROUP_FIRST + 1 + i;

		class = of_group(site, group, 5000 + i, 8192);
		REQUIRE(kma_class_is_sized(class));
		EXPECT_EQ(kma_class_group(class), group);
		shim_cpu = i % SHIM_CPUS;
		kma_class_count_objects(class, size, 2);
		shim_cpu = 0;
		kma_class_credit(class, size);
		/* an object is left: the class stays */
		EXPECT_EQ(fold(group, KMA_GROUP_FIRST), 3);
		EXPECT_EQ(of_group(site, group, 5000 + i, 8192), class);
		EXPECT_EQ(kma_class_group(class), group);
		kma_class_credit(class, size);
		EXPECT_EQ(fold(group, KMA_GROUP_FIRST), 0);
		REQUIRE(!tables_grow());
	}
	EXPECT(kma_class_sized_nr() < 20);
	sum = count_of(1);
	EXPECT_EQ(sum.allocs, 2 * GROUPS);
	EXPECT_EQ(sum.frees, 2 * GROUPS);
	EXPECT_EQ(sum.req, 2 * (5000 * GROUPS + GROUPS * (GROUPS - 1) / 2));
	EXPECT_EQ(sum.freed_req, sum.req);
	EXPECT_EQ(sum.bytes, 2ul * GROUPS * 8192);
	EXPECT_EQ(sum.freed_bytes, sum.bytes);
	stop();
}

/* Growth waits for one call, which therefore folds 512 classes at most. */
TEST(many_classes_are_folded_in_parts)
{
	enum { SITES = 20, CLASSES = SITES * 60, PART = 512 };
	unsigned int group = KMA_GROUP_FIRST + 1;
	u32 left = 0;

	REQUIRE(!start(100));
	for (unsigned int i = 0; i < CLASSES; i++) {
		unsigned int site = kma_site_id(SITE(i / 60), KMA_KIND_KMALLOC);

		REQUIRE(of_group(site, group, 100 + i % 60, 1024));
		REQUIRE(!tables_grow());
	}
	EXPECT(fold_some(group, KMA_GROUP_FIRST, &left));
	EXPECT_EQ(left, CLASSES - PART);
	REQUIRE(!tables_grow());
	EXPECT(fold_some(group, KMA_GROUP_FIRST, &left));
	EXPECT_EQ(left, CLASSES - 2 * PART);
	REQUIRE(!tables_grow());
	EXPECT(!fold_some(group, KMA_GROUP_FIRST, &left));
	EXPECT_EQ(left, 0);
	stop();
}

static unsigned int used_class, used_group, grown;

/* The map's mutex is free: the worker replaces the index, and an object comes to a hidden class. */
static void grow_meanwhile(void)
{
	kma_class_forget();
	grown++;
	shim_cpu = 1;
	kma_class_count_objects(used_class, size_of(100, 1024), 1);
	shim_cpu = 0;
}

TEST(the_tables_grow_while_classes_are_folded)
{
	unsigned int empty;

	REQUIRE(!start(100));
	used_group = KMA_GROUP_FIRST + 1;
	grown = 0;
	kma_site_id(SITE(1), KMA_KIND_KMALLOC);
	used_class = of_group(1, used_group, 100, 1024);
	empty = of_group(1, used_group, 200, 1024);
	REQUIRE(used_class && empty);
	fold_meanwhile = grow_meanwhile;
	EXPECT_EQ(fold(used_group, KMA_GROUP_FIRST), 1);
	fold_meanwhile = NULL;
	EXPECT_EQ(grown, 1);
	/* the class that got an object is found again, the other one is gone */
	EXPECT_EQ(of_group(1, used_group, 100, 1024), used_class);
	EXPECT_EQ(kma_class_group(used_class), used_group);
	kma_class_credit(used_class, size_of(100, 1024));
	EXPECT_EQ(fold(used_group, KMA_GROUP_FIRST), 0);
	EXPECT(of_group(1, used_group, 100, 1024) != 0);
	stop();
}

/* A copy of one takes some 50 instructions, and there may be thousands. */
TEST(the_index_is_copied_with_irqs_on_between_any_two_classes)
{
	enum { SITES = 100 };
	unsigned long before;

	REQUIRE(!start(SITES + 2));
	for (unsigned int i = 0; i < SITES * (KMA_CLASS_SIZES + 1); i++) {
		unsigned int site = kma_site_id(SITE(i / (KMA_CLASS_SIZES + 1)), KMA_KIND_KMALLOC);

		REQUIRE(of_group(site, 0, 1000 + i, 16384));
		REQUIRE(!tables_grow());
	}
	EXPECT_EQ(kma_class_sized_nr(), 1 + 3 * SITES);
	before = shim_irqs_off[0];
	kma_class_forget();
	EXPECT((shim_irqs_off[0] - before) / 2 >= kma_class_nr() - KMA_CLASS_FIRST + SITES);
	stop();
}

static unsigned int met_class, met_loads;

/* While the index is copied, another CPU gets a number that is free again. */
static void meet_by_a_used_number(void)
{
	if (pthread_mutex_trylock(&kma_sites.lock)) {
		shim_other_cpu_at = 1;
		return;
	}
	pthread_mutex_unlock(&kma_sites.lock);
	if (++met_loads < 150)
		shim_other_cpu_at = 1;
	else
		met_class = of_group(9, 0, 10, 16);
}

TEST(a_number_that_is_used_again_is_found_after_growth)
{
	unsigned int class;

	REQUIRE(!start(100));
	class = of_group(1, KMA_GROUP_FIRST + 1, 10, 16);
	for (unsigned int i = 0; i < 300; i++)
		of_group(2 + i / 60, 0, 100 + i, 1024);
	EXPECT_EQ(fold(KMA_GROUP_FIRST + 1, KMA_GROUP_FIRST), 0);
	met_class = 0;
	met_loads = 0;
	shim_other_cpu = meet_by_a_used_number;
	shim_other_cpu_at = 1;
	/* makes the indexes anew */
	kma_class_forget();
	EXPECT_EQ(shim_other_cpu_at, 0);
	EXPECT_EQ(met_class, class);
	EXPECT_EQ(of_group(9, 0, 10, 16), class);
	stop();
}

/* Without a number left, nobody waits for the lock to learn it. */
TEST(when_numbers_run_out_no_event_takes_the_lock)
{
	unsigned int other, charged, none, sized, site;

	REQUIRE(!start(4000));
	other = of_group(1, KMA_GROUP_OTHER, 10, 16);
	charged = of_group(1, KMA_GROUP_OTHER | KMA_GROUP_CHARGED, 10, 16);
	none = of_group(2, 0, 10, 16);
	site = kma_site_id(SITE(3), KMA_KIND_KMALLOC);
	for (unsigned int i = 0; i < KMA_CLASS_SIZES + 1; i++)
		sized = of_group(site, 0, 1000 + i, 2048);
	EXPECT(kma_class_is_sized(sized));
	for (unsigned int group = KMA_GROUP_FIRST; kma_class_sized_nr() < KMA_CLASS_FIRST; group++)
		of_group(site, group, 5000, 8192);
	for (unsigned int i = 0; of_group(4 + i, 0, 10, 16); i++)
		;
	alarm(10);
	raw_spin_lock(&kma_sites.lock);
	EXPECT_EQ(of_group(1, 500, 10, 16), other);
	EXPECT_EQ(of_group(1, 500 | KMA_GROUP_CHARGED, 10, 16), charged);
	EXPECT_EQ(of_group(2, 500, 10, 16), none);
	EXPECT_EQ(of_group(site, 500, 5000, 8192), sized);
	EXPECT_EQ(of_group(3999, 500, 10, 16), KMA_CLASS_NONE);
	EXPECT_EQ(of_group(3999, 0, 10, 16), KMA_CLASS_NONE);
	raw_spin_unlock(&kma_sites.lock);
	alarm(0);
	/* growth gives numbers: the group has a class of its own again */
	EXPECT_EQ(tables_grow(), 0);
	EXPECT_EQ(kma_class_group(of_group(2, 500, 10, 16)), 500);
	stop();
}

TEST(init_survives_every_failed_allocation)
{
	int n;

	shim_init();
	for (n = 1; n < 1000; n++) {
		shim_fail_at = n;
		if (!tables_init(100))
			break;
		EXPECT_EQ(kma_class_memory(), 0);
	}
	shim_fail_at = 0;
	EXPECT(n > SHIM_CPUS && n < 1000);
	tables_deinit();
}

/* Counters are on the node of their CPU, and the map is on all nodes that have CPUs. */
TEST(memory_is_on_the_nodes_that_use_it)
{
	unsigned long before[SHIM_NODES], least = ~0ul, most = 0;

	shim_init();
	shim_cpu = 0;
	REQUIRE(!kma_site_init(100) && !kma_class_init(map_wake));
	for (int cpu = 0; cpu < SHIM_CPUS; cpu++) {
		memcpy(before, shim_node_pages, sizeof(before));
		REQUIRE(!kma_class_add_cpu(cpu));
		for (int node = 0; node < SHIM_NODES; node++)
			EXPECT_EQ(shim_node_pages[node] > before[node], node == cpu_to_node(cpu));
	}
	memcpy(before, shim_node_pages, sizeof(before));
	REQUIRE(!kma_live_init(1000000 * KMA_OBJECT_BYTES, map_wake));
	for (int node = 0; node <= cpu_to_node(SHIM_CPUS - 1); node++) {
		least = min(least, shim_node_pages[node] - before[node]);
		most = max(most, shim_node_pages[node] - before[node]);
	}
	EXPECT(least > 0 && most <= least + 1);
	stop();
}

TEST_MAIN()
