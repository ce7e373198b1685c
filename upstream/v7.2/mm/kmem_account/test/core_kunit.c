// SPDX-License-Identifier: GPL-2.0-only
/*
 * core_kunit.c - an account of its own for each test; see test/fixture.h.
 */
#include "account/live.h"
#include "core.h"
#include "test/fixture.h"

static bool kma_test_was_on;	/* the account was on before the test */

static void kma_test_give_back(void *unused)
{
	kma_core_drop();
	if (kma_test_was_on)
		WARN_ON(kma_core_command("on"));
}

void kma_test_account(struct kunit *test, unsigned int max_sites,
		      unsigned long max_objects)
{
	kma_test_was_on = kma_live_is_open();
	kma_core_drop();
	kma_test_defer(test, kma_test_give_back, NULL);
	KUNIT_ASSERT_EQ(test, 0, kma_core_make(max_sites, max_objects));
}
