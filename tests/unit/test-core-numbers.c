// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-numbers.c - the numbers of groups: free ones are used again. There are no cgroups here.
 */
#include "ktap.h"
#include "shim.h"

struct cgroup_subsys_state;

struct task_struct {
	unsigned int flags;
};

static struct task_struct only_task;

#define current			(&only_task)
#define in_task()		true
#define PF_KTHREAD		1
#define page_to_nid(page)	((page) ? 0 : 1)
#define virt_to_page(addr)	(addr)
#define static_key_enabled(key)	((key)->on)
#define kma_group_memory	kma_group_table_memory	/* shim.c has one without groups */

#include "watch/group.c"

#define GROUPS	16

static void ignore(void)
{
}

static void fill(void)
{
	REQUIRE(!kma_group_reserve(ignore));
	for (int i = 0; i < GROUPS; i++)
		EXPECT_EQ(kma_group_find(100 + i, i % 3, NULL), KMA_GROUP_FIRST + i);
	EXPECT_EQ(kma_group_find(999, 0, NULL), KMA_GROUP_OTHER);
}

TEST(a_number_that_is_free_again_is_used_once)
{
	static u16 dead[KMA_CLASS_GROUPS];

	shim_init();
	kma_max_cgroups = GROUPS;
	fill();
	for (int round = 0; round < 100; round++) {
		unsigned int a = KMA_GROUP_FIRST + round % GROUPS;
		unsigned int b = KMA_GROUP_FIRST + (round + 1 + round % 7) % GROUPS;
		unsigned int first, second;

		memset(dead, 0, sizeof(dead));
		dead[a] = 1;
		dead[b] = 1;
		REQUIRE(!kma_group_hide(dead, ignore));
		kma_group_free(a);
		kma_group_free(b);
		kma_group_free(a);
		first = kma_group_find(1000 + 2 * round, 1, NULL);
		second = kma_group_find(1001 + 2 * round, 2, NULL);
		EXPECT_EQ(first, b);
		EXPECT_EQ(second, a);
		EXPECT_EQ(kma_groups[first].node, 1);
		EXPECT_EQ(kma_groups[second].node, 2);
		/* no other number is free, and the groups are found */
		EXPECT_EQ(kma_group_find(5000 + round, 1, NULL), KMA_GROUP_OTHER);
		EXPECT_EQ(kma_group_find(1000 + 2 * round, 1, NULL), first);
	}
	kma_group_release();
	/* a new table has all numbers */
	fill();
	EXPECT(kma_group_memory() > 0);
	kma_group_release();
}

TEST_MAIN()
