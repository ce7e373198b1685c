/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peak-account.h - the set-up of the tests with peaks: an account with tables, a map and peaks.
 */
#ifndef KMA_TEST_PEAK_ACCOUNT_H
#define KMA_TEST_PEAK_ACCOUNT_H

#include "account/account.h"
#include "account/live.h"
#include "account/peak.h"
#include "account-tables.h"
#include "shim.h"

static inline bool start(unsigned int max_sites, unsigned long max_objects)
{
	shim_init();
	shim_cpu = 0;
	if (tables_init(max_sites) || kma_peak_init(false) ||
	    kma_live_init(max_objects * KMA_OBJECT_BYTES, map_wake))
		return false;
	kma_account_reset();
	kma_live_open();
	return true;
}

static inline void stop(void)
{
	kma_live_close();
	kma_live_deinit();
	kma_peak_deinit();
	tables_deinit();
}

#endif /* KMA_TEST_PEAK_ACCOUNT_H */
