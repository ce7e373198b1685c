// SPDX-License-Identifier: GPL-2.0
/*
 * tables.c - reserves and releases the tables of all parts.
 */
#include <linux/mm.h>

#include "account/live.h"
#include "account/peak.h"
#include "account/site.h"
#include "growth.h"
#include "tables.h"
#include "watch/dispatch.h"
#include "watch/errors.h"
#include "watch/latency.h"
#include "watch/lifetime.h"

/* At 16 bytes an object, or 32 with its birth. */
static unsigned long kma_default_objects(void)
{
	return ((totalram_pages() << PAGE_SHIFT) / 16 / 16) >> kma_age_on;
}

int kma_tables_init(unsigned int max_sites, unsigned long max_objects,
		    const struct kma_wish *wish)
{
	int err;

	err = kma_site_init(max_sites);
	if (err)
		return err;
	err = kma_peak_init(wish->stack_depth > 1);
	if (err)
		goto err_site;
	err = kma_live_init(max_objects ?: kma_default_objects(), kma_age_on,
			    kma_growth_wake);
	if (err)
		goto err_peak;
	err = kma_age_init();
	if (err)
		goto err_live;
	err = kma_errors_init();
	if (err)
		goto err_age;
	err = kma_latency_init();
	if (err)
		goto err_errors;
	err = kma_detail_init(wish);
	if (err)
		goto err_latency;
	return 0;

err_latency:
	kma_latency_deinit();
err_errors:
	kma_errors_deinit();
err_age:
	kma_age_deinit();
err_live:
	kma_live_deinit();
err_peak:
	kma_peak_deinit();
err_site:
	kma_site_deinit();
	return err;
}

void kma_tables_deinit(void)
{
	kma_detail_deinit();
	kma_latency_deinit();
	kma_errors_deinit();
	kma_age_deinit();
	kma_live_deinit();
	kma_peak_deinit();
	kma_site_deinit();
}
