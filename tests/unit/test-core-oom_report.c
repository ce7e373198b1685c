// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-oom_report.c - the call sites of classes, for a report that takes no lock.
 *
 * An event runs where the report asks how many sites there are.
 */
#include "account/group.h"
#include "account/site.h"
#include "class-account.h"
#include "ktap.h"

#define TASK_COMM_LEN			16
#define HZ				100
#define jiffies				0ul
#define pr_warn(...)			((void)snprintf(NULL, 0, __VA_ARGS__))
#define rcu_read_lock()			((void)0)
#define rcu_read_unlock()		((void)0)
#define synchronize_rcu()		((void)0)
#define test_and_set_bit_lock(nr, at)	__atomic_exchange_n(at, 1, __ATOMIC_ACQUIRE)
#define clear_bit_unlock(nr, at)	__atomic_store_n(at, 0, __ATOMIC_RELEASE)

struct task_struct {
	int pid;
	char comm[TASK_COMM_LEN];
};

static void (*event)(void);

static unsigned int sites_after_event(void)
{
	if (event)
		event();
	return kma_site_nr();
}

#define kma_site_nr			sites_after_event
/* the shim has one */
#define kma_oom_memory			memory_of_table
#include "show/oom_report.c"
#undef kma_site_nr

#define GROUP	500

static unsigned int class_in(unsigned int site, unsigned int group)
{
	return kma_class_of(kma_site_id(SITE(site), KMA_KIND_KMALLOC), group,
			    kma_size_small(60, 64));
}

static unsigned int again;

static void use_number(void)
{
	event = NULL;
	again = class_in(30, GROUP + 1);
}

/* The call site by which the report counts a class. */
static unsigned int owner(const struct kma_oom_table *t, unsigned int class)
{
	const struct kma_class c = kma_class_get(class);

	return kma_oom_owner(t, &c);
}

/* The report reads a number that is free until an event uses it. */
TEST(a_number_that_is_used_again_during_a_report)
{
	struct kma_oom_table *t = calloc(1, sizeof(*t));
	unsigned int site, last = 0;

	REQUIRE(!start(100));
	REQUIRE(t);
	t->nr = 100;
	for (unsigned int n = 1; n <= 20; n++)
		last = class_in(n, GROUP);
	class_in(30, 0);
	EXPECT_EQ(owner(t, last), 20);
	EXPECT_EQ(fold(GROUP, GROUP + 2), 0);
	/* the number that is used next, whose owner is the one after it */
	EXPECT_EQ(owner(t, last), KMA_SITE_NONE);
	event = use_number;
	site = owner(t, last);
	if (event)
		event();
	EXPECT_EQ(again, last);
	EXPECT(site == KMA_SITE_NONE || site == kma_class_owner(last));
	EXPECT_EQ(owner(t, last), kma_class_owner(last));
	free(t);
	stop();
}

TEST_MAIN()
