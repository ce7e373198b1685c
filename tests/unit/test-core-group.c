// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-group.c - objects of groups: the word that says call site and group, groups that are
 * at hand or are asked for, groups that go.
 */
#include "account/group.h"
#include "class-account.h"
#include "ktap.h"

/* Objects that a class has counted so far. */
static u64 counted(unsigned int class)
{
	struct kma_site_count *sums = calloc(kma_class_nr(), sizeof(*sums));
	u64 allocs;

	kma_sum_classes(kma_class_nr(), sums);
	allocs = sums[class].allocs;
	free(sums);
	return allocs;
}

/* Call sites at both ends of where the kernel's code may lie, all groups: words and back. */
TEST(a_word_says_call_site_and_group)
{
	const u64 sites[] = { KMA_SITE_LOWEST, KMA_SITE_LOWEST + 5, KMA_TEXT,
			      KMA_SITE_LOWEST + (1ull << 32) - 1 };

	for (unsigned int i = 0; i < ARRAY_SIZE(sites); i++) {
		REQUIRE(kma_site_near(sites[i]));
		for (unsigned int group = 0; group <= 0xffff; group++) {
			u64 key = kma_class_key(sites[i], group);

			REQUIRE(kma_class_key_group(key) == group);
			REQUIRE(key - kma_class_key_of(group) == sites[i]);
		}
	}
	/* the same lower half, and the least that groups add above it */
	EXPECT(kma_class_key(SITE(1), 1) != kma_class_key(SITE(1), 0));
	EXPECT(kma_class_key(KMA_SITE_LOWEST, 1) >
	       kma_class_key(KMA_SITE_LOWEST + (1ull << 32) - 1, 0));
}

static unsigned int asked, asked_group;

static unsigned int ask_group(unsigned long addr, unsigned int charged)
{
	asked++;
	return (addr ? asked_group : KMA_GROUP_OTHER) | charged;
}

static void alloc_in(unsigned int site, void *ptr, unsigned int at_hand)
{
	unsigned long flags = kma_account_begin();

	kma_account_alloc_in(NULL, SITE(site), ptr, 10, 16, KMA_KIND_KMALLOC,
			     kma_class_key(SITE(site), at_hand));
	kma_account_end(flags);
}

static unsigned int group_at(const void *ptr)
{
	struct kma_live_object obj;
	struct kma_event e = { .call_site = SITE(1), .ptr = ptr };

	return kma_account_free_as(&e, &obj) ? obj.group : ~0u;
}

TEST(a_group_that_is_not_at_hand_is_asked_for)
{
	unsigned long class;

	REQUIRE(!start(100));
	asked = 0;
	kma_group_use(ask_group);
	/* neither is known: the group is asked for, and the quick index knows both from now on */
	asked_group = 7;
	alloc_in(1, PTR(1), 0);
	EXPECT_EQ(asked, 1);
	EXPECT(kma_class_find_quick(kma_class_key(SITE(1), 7), 10, 16, &class));
	EXPECT_EQ(kma_class_group(class), 7);
	EXPECT(!kma_class_find_quick(SITE(1), 10, 16, &class));
	/* only the group is not at hand */
	alloc_in(1, PTR(2), 0);
	EXPECT_EQ(asked, 2);
	/* at hand, for a class that is known and one that is not */
	alloc_in(1, PTR(3), 7);
	alloc_in(1, PTR(4), 8);
	EXPECT_EQ(asked, 2);
	/* the same object in two groups: its last free was not seen */
	asked_group = 9;
	alloc_in(1, PTR(4), 0);
	EXPECT_EQ(asked, 3);
	EXPECT_EQ(kma_account_totals().implied, 1);
	/* an allocation that failed is of no group */
	alloc_in(1, NULL, 0);
	EXPECT_EQ(asked, 3);
	EXPECT_EQ(count_of(1).allocs, 5);
	EXPECT_EQ(count_of(1).frees, 1);
	EXPECT_EQ(group_at(PTR(1)), 7);
	EXPECT_EQ(group_at(PTR(2)), 7);
	EXPECT_EQ(group_at(PTR(3)), 7);
	EXPECT_EQ(group_at(PTR(4)), 9);
	/* a call site without a short name, which the quick index does not get to know */
	if (!KMA_SITES_NEAR) {
		unsigned long flags = kma_account_begin(), far = KMA_SITE_LOWEST - 4;

		kma_account_alloc_in(NULL, far, PTR(5), 10, 16, KMA_KIND_KMALLOC,
				     kma_class_key(far, 7));
		kma_account_end(flags);
		EXPECT_EQ(group_at(PTR(5)), 9);
		EXPECT_EQ(kma_sites.sites[kma_site_id(far, KMA_KIND_KMALLOC)].call_site, far);
	}
	kma_group_use(NULL);
	stop();
}

TEST(a_dead_group_leaves_the_quick_index)
{
	unsigned long class;

	REQUIRE(!start(100));
	kma_group_use(ask_group);
	alloc_in(1, PTR(1), 7);
	alloc_in(1, PTR(2), 8);
	kma_account_free(SITE(1), PTR(1));
	EXPECT_EQ(fold(7, KMA_GROUP_FIRST), 0);
	EXPECT(!kma_class_find_quick(kma_class_key(SITE(1), 7), 10, 16, &class));
	EXPECT(kma_class_find_quick(kma_class_key(SITE(1), 8), 10, 16, &class));
	kma_class_retire(SITE(1));
	EXPECT(!kma_class_find_quick(kma_class_key(SITE(1), 8), 10, 16, &class));
	EXPECT_EQ(count_of(1).allocs, 2);
	kma_group_use(NULL);
	stop();
}

/* The bit of the charge goes with each object, whether the group's number is at hand or not. */
TEST(what_is_charged_is_apart)
{
	struct kma_event e = { .call_site = SITE(1), .ptr = PTR(4), .req = 10, .bytes = 16,
			       .kind = KMA_KIND_KMALLOC, .charged = KMA_GROUP_CHARGED };
	unsigned long class;

	REQUIRE(!start(100));
	kma_group_use(ask_group);
	asked = 0;
	asked_group = 7;
	alloc_in(1, PTR(1), KMA_GROUP_CHARGED);
	alloc_in(1, PTR(2), 0);
	EXPECT_EQ(asked, 2);
	alloc_in(1, PTR(3), 7 | KMA_GROUP_CHARGED);
	EXPECT_EQ(asked, 2);
	kma_account_alloc_at(kma_site_id(SITE(1), KMA_KIND_KMALLOC), &e);
	EXPECT(kma_class_find_quick(kma_class_key(SITE(1), 7 | KMA_GROUP_CHARGED), 10, 16, &class));
	EXPECT(!kma_class_find_quick(kma_class_key(SITE(1), KMA_GROUP_CHARGED), 10, 16, &class));
	EXPECT_EQ(group_at(PTR(1)), 7 | KMA_GROUP_CHARGED);
	EXPECT_EQ(group_at(PTR(2)), 7);
	EXPECT_EQ(group_at(PTR(3)), 7 | KMA_GROUP_CHARGED);
	/* both kinds die with the group; what lives keeps its bit */
	EXPECT_EQ(fold(7, KMA_GROUP_FIRST), 1);
	EXPECT(!kma_class_find_quick(kma_class_key(SITE(1), 7 | KMA_GROUP_CHARGED), 10, 16, &class));
	EXPECT_EQ(group_at(PTR(4)), 7 | KMA_GROUP_CHARGED);
	EXPECT_EQ(fold(7, KMA_GROUP_FIRST), 0);
	/* an heir for each */
	class = kma_class_of(kma_site_id(SITE(1), KMA_KIND_KMALLOC),
			     KMA_GROUP_FIRST | KMA_GROUP_CHARGED, (struct kma_size){ 16, 10 });
	EXPECT_EQ(kma_class_group(class), KMA_GROUP_FIRST | KMA_GROUP_CHARGED);
	EXPECT_EQ(count_of(1).allocs, 4);
	EXPECT_EQ(count_of(1).frees, 4);
	EXPECT_EQ(counted(class), 3);
	/* no switch is on: no group, and no bit */
	kma_group_use(NULL);
	alloc_in(1, PTR(5), KMA_GROUP_CHARGED);
	EXPECT_EQ(group_at(PTR(5)), KMA_GROUP_NONE);
	stop();
}

TEST_MAIN()
