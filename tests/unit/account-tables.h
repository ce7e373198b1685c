/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * account-tables.h - what the account needs of sites and classes, with counters for all CPUs.
 */
#ifndef KMA_TEST_ACCOUNT_TABLES_H
#define KMA_TEST_ACCOUNT_TABLES_H

#include "account/class.h"
#include "account/site.h"
#include "account/sum.h"
#include "grown.h"
#include "shim.h"

static bool tables_asked;	/* for kma_class_grow() */

static inline void tables_wake(void)
{
	WRITE_ONCE(tables_asked, true);
}

static inline void tables_deinit(void)
{
	kma_class_deinit();
	kma_site_deinit();
}

static inline int tables_init(unsigned int max_sites)
{
	int err = kma_site_init(max_sites) ?: kma_class_init(tables_wake);

	for (int cpu = 0; cpu < SHIM_CPUS && !err; cpu++)
		err = kma_class_add_cpu(cpu);
	if (err)
		tables_deinit();
	return err;
}

/* What the worker does when it is asked. */
static inline int tables_grow(void)
{
	if (!__atomic_exchange_n(&tables_asked, false, __ATOMIC_SEQ_CST))
		return 0;
	return classes_grow();
}

#endif /* KMA_TEST_ACCOUNT_TABLES_H */
