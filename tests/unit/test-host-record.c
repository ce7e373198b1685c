// SPDX-License-Identifier: GPL-2.0
/*
 * test-host-record.c - host/record: the output of several lanes.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/cleanup.h"
#include "lib/err.h"
#include "record/output.h"

#include "ktap.h"

static char bytes[4096];

static bool refuses(struct kma_lane *lane)
{
	_cleanup_free_ char *text = NULL;
	static const char want[] = "/dev/full: cannot write: No space left on device";
	struct kma_err *err;
	bool same;

	err = kma_lane_write(lane, bytes, sizeof(bytes));
	if (err)
		text = kma_err_text(err);
	same = text && !strcmp(text, want);
	if (text && !same)
		printf("# %s\n", text);
	kma_err_destroy(err);
	return same;
}

/* Which of them is asked why is chance: each lane has a thread. */
TEST(every_lane_says_why_the_output_has_failed)
{
	struct kma_output *out;
	struct kma_lane *first, *second;

	REQUIRE(!kma_output_open("/dev/full", false, &out));
	REQUIRE(!kma_lane_create(out, &first));
	REQUIRE(!kma_lane_create(out, &second));
	EXPECT(refuses(first));
	EXPECT(refuses(second));
	EXPECT_EQ(kma_output_bytes(out), 0);
	kma_lane_destroy(first);
	kma_lane_destroy(second);
	kma_output_destroy(out);
}

TEST_MAIN()
