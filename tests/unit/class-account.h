/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * class-account.h - the set-up of the tests of classes and groups: an account with call sites that
 * are numbers, its sums, and groups that go.
 */
#ifndef KMA_TEST_CLASS_ACCOUNT_H
#define KMA_TEST_CLASS_ACCOUNT_H

#include "account/account.h"
#include "account/class.h"
#include "account/live.h"
#include "account/sum.h"
#include "account-tables.h"
#include "shim.h"

#define SITE(n)	(KMA_TEXT + (n) * 37ul)
#define PTR(n)	((void *)(PAGE_OFFSET + 0x10000000ul + (n) * 4096ul))

static inline int start(unsigned int max_sites)
{
	shim_init();
	shim_cpu = 0;
	if (tables_init(max_sites) || kma_live_init(64 << 20, map_wake))
		return -1;
	kma_account_reset();
	kma_live_open();
	return 0;
}

static inline void stop(void)
{
	kma_live_close();
	kma_live_deinit();
	tables_deinit();
}

static inline struct kma_site_count count_of(unsigned int site)
{
	struct kma_site_count *sums = calloc(kma_site_nr(), sizeof(*sums)), ret;
	unsigned int id = kma_site_id(SITE(site), KMA_KIND_KMALLOC);

	kma_site_fold(kma_site_nr(), sums);
	ret = sums[id];
	free(sums);
	return ret;
}

/* What happens while a fold waits for a grace period. */
static void (*fold_meanwhile)(void);

static inline void fold_wait(void)
{
	if (fold_meanwhile)
		fold_meanwhile();
	synchronize_rcu();
}

/* The group @dead is gone: what it has counted is @to's. Stores the classes that it has left. */
static inline bool fold_some(unsigned int dead, unsigned int to, u32 *left_of)
{
	static u16 heir[KMA_CLASS_GROUPS];
	static u32 left[KMA_CLASS_GROUPS];
	bool more;

	memset(heir, 0, sizeof(heir));
	memset(left, 0, sizeof(left));
	heir[dead] = to;
	more = kma_class_fold(heir, left, fold_wait);
	*left_of = left[dead];
	return more;
}

/* The same once; returns the classes that it has left. */
static inline u32 fold(unsigned int dead, unsigned int to)
{
	u32 left;

	fold_some(dead, to, &left);
	return left;
}

#endif /* KMA_TEST_CLASS_ACCOUNT_H */
