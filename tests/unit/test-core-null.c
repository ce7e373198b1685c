// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-core-null.c - events of NULL and ZERO_SIZE_PTR: they take no lock, and change no
 * count.
 */
#include <linux/slab.h>

#include "account/account.h"
#include "account/group.h"
#include "account/live.h"
#include "account/site.h"
#include "ktap.h"
#include "shim.h"
#include "account-tables.h"
#include "watch/dispatch.h"
#include "watch/errors.h"

#define PTR(n)	((void *)((n) * 0x1000ul))

static unsigned long locks;	/* attempts to take one */

static void count_lock(void)
{
	locks++;
}

static void wake(void)
{
}

static bool start(bool births)
{
	shim_init();
	shim_cpu = 0;
	if (tables_init(100) || kma_live_init(1000 * KMA_OBJECT_BYTES, wake))
		return false;
	kma_births_on = births;
	kma_account_reset();
	kma_live_open();
	locks = 0;
	shim_before_lock = count_lock;
	return true;
}

static void stop(void)
{
	shim_before_lock = NULL;
	shim_nmi = false;
	kma_live_close();
	kma_live_deinit();
	tables_deinit();
	kma_births_on = false;
}

/* Is anything counted: an event of a site, an unknown or an implied free, or a drop? */
static bool counted(void)
{
	struct kma_totals t = kma_account_totals();
	struct kma_site_count sums[101];
	unsigned int nr = kma_site_nr();
	u64 n = t.implied + t.unknown_slab + t.unknown_large + t.unknown_no_size;

	kma_site_fold(nr, sums);
	for (unsigned int id = 0; id < nr; id++)
		n += sums[id].allocs + sums[id].frees + sums[id].unknown + sums[id].failed;
	for (int i = 0; i < KMA_NR_DROPS; i++)
		n += t.drops[i];
	return n;
}

static const void *const nothing[] = { NULL, ZERO_SIZE_PTR };
static const enum kma_kind kinds[] = { KMA_KIND_KMALLOC, KMA_KIND_CACHE, KMA_KIND_FREE };

/* Free nothing by each function of the account that counts a free of the slab allocator. */
static void free_nothing(void)
{
	struct kma_live_object obj;

	for (unsigned int i = 0; i < ARRAY_SIZE(nothing); i++) {
		kma_account_free(0x100, nothing[i]);
		for (unsigned int k = 0; k < ARRAY_SIZE(kinds); k++) {
			struct kma_event e = { .call_site = 0x100, .ptr = nothing[i],
					       .kind = kinds[k], .cache = (void *)1 };

			EXPECT(!kma_account_free_as(&e, &obj));
			EXPECT(!kma_dispatch_free_as(&e));
			kma_dispatch_free(&e);
			kma_errors_free(&e);
			kma_errors_entered(&e);
		}
	}
}

TEST(a_free_of_nothing_takes_no_lock_and_counts_nothing)
{
	for (int births = 0; births < 2; births++) {
		REQUIRE(start(births));
		free_nothing();
		EXPECT_EQ(locks, 0);
		EXPECT(!counted());
		stop();
	}
}

TEST(an_unknown_object_still_counts)
{
	REQUIRE(start(false));
	kma_account_free(0x100, PTR(1));
	EXPECT(locks > 0);
	EXPECT(counted());
	stop();
}

TEST(a_free_of_nothing_in_an_nmi_is_not_dropped)
{
	REQUIRE(start(false));
	shim_nmi = true;
	for (unsigned int i = 0; i < ARRAY_SIZE(nothing); i++) {
		kma_account_free(0x100, nothing[i]);
		kma_dispatch_free(&(struct kma_event){ .call_site = 0x100, .ptr = nothing[i] });
	}
	EXPECT(!counted());
	kma_dispatch_free(&(struct kma_event){ .call_site = 0x100, .ptr = PTR(1) });
	EXPECT_EQ(kma_account_totals().drops[KMA_DROP_NMI], 1);
	stop();
}

static unsigned int group_asked;

static unsigned int group_of(unsigned long addr, unsigned int charged)
{
	group_asked++;
	return KMA_GROUP_FIRST | charged;
}

/* kmalloc(0) returns ZERO_SIZE_PTR, which is neither an object nor a failure. */
TEST(an_allocation_of_no_bytes_is_no_object)
{
	const struct kma_event e = { .call_site = 0x100, .ptr = ZERO_SIZE_PTR, .req = 0,
				     .bytes = 8, .kind = KMA_KIND_KMALLOC };

	REQUIRE(start(false));
	kma_group_use(group_of);
	group_asked = 0;
	kma_site_id(0x100, e.kind);
	locks = 0;
	kma_account_alloc(e.call_site, e.ptr, e.req, e.bytes, e.kind);
	kma_account_alloc_at(kma_site_id(0x100, e.kind), &e);
	kma_dispatch_alloc(&e);
	EXPECT_EQ(locks, 0);
	EXPECT(!counted());
	EXPECT_EQ(group_asked, 0);
	kma_group_use(NULL);
	stop();
}

TEST(a_failed_allocation_counts_as_failed_and_takes_no_lock)
{
	const struct kma_event e = { .call_site = 0x100, .req = 60, .bytes = 64,
				     .kind = KMA_KIND_KMALLOC };
	struct kma_site_count sums[101];

	REQUIRE(start(false));
	/* the first one creates the site and its class */
	kma_account_alloc(e.call_site, NULL, e.req, e.bytes, e.kind);
	locks = 0;
	kma_account_alloc(e.call_site, NULL, e.req, e.bytes, e.kind);
	kma_account_alloc_at(kma_site_id(0x100, e.kind), &e);
	kma_dispatch_alloc(&e);
	EXPECT_EQ(locks, 0);
	kma_site_fold(kma_site_nr(), sums);
	EXPECT_EQ(sums[kma_site_id(0x100, e.kind)].failed, 4);
	stop();
}

TEST_MAIN()
