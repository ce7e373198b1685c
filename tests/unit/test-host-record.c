// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-record.c - host/record: the output of several lanes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "lib/cleanup.h"
#include "lib/err.h"
#include "lib/file.h"
#include "record/output.h"

#include "ktap.h"

static char bytes[4096];
static int syncs, sync_fails;

/* In place of the C library's: a disk that may be broken. */
int fdatasync(int fd)
{
	syncs++;
	errno = fd < 0 ? EBADF : sync_fails;
	return errno ? -1 : 0;
}

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
	first = kma_lane_create(out);
	second = kma_lane_create(out);
	EXPECT(refuses(first));
	EXPECT(refuses(second));
	EXPECT_EQ(kma_output_bytes(out), 0);
	kma_lane_destroy(first);
	kma_lane_destroy(second);
	kma_output_destroy(out);
}

TEST(what_was_written_is_brought_to_the_disk)
{
	_cleanup_free_ char *text = NULL;
	char path[] = "/tmp/kma-record-XXXXXX";
	struct kma_output *out;
	struct kma_lane *lane;
	struct kma_err *err;

	REQUIRE(mkdtemp(path));
	strcat(strcpy(bytes, path), "/log");
	syncs = 0;
	REQUIRE(!kma_output_open(bytes, false, &out));
	lane = kma_lane_create(out);
	EXPECT(!kma_lane_write(lane, bytes, sizeof(bytes)));
	EXPECT_EQ(syncs, 0);
	EXPECT(!kma_output_sync(out));
	EXPECT_EQ(syncs, 1);
	sync_fails = EIO;
	err = kma_output_sync(out);
	sync_fails = 0;
	REQUIRE(err);
	text = kma_err_text(err);
	kma_err_destroy(err);
	EXPECT(text && strstr(text, "/log: cannot write: Input/output error"));
	/* Nobody knows what such a disk has: nothing more is written. */
	err = kma_lane_write(lane, bytes, sizeof(bytes));
	EXPECT(err);
	kma_err_destroy(err);
	EXPECT(!kma_output_commit(out));
	EXPECT_EQ(syncs, 3);
	kma_lane_destroy(lane);
	kma_output_destroy(out);
	EXPECT(!unlink(bytes));
	EXPECT(!rmdir(path));
}

TEST(a_device_is_not_brought_to_the_disk)
{
	struct kma_output *out;

	syncs = 0;
	REQUIRE(!kma_output_open("/dev/null", false, &out));
	EXPECT(!kma_output_sync(out));
	EXPECT(!kma_output_commit(out));
	EXPECT_EQ(syncs, 0);
	kma_output_destroy(out);
}

/* Frames that are packed and frames that are not, of one lane: one file for any zstd. */
TEST(a_lane_in_a_hurry_does_not_pack)
{
	enum { LEN = 300000 };
	_cleanup_free_ char *plain = malloc(3 * LEN), *got = malloc(3 * LEN), *packed = NULL;
	char path[] = "/tmp/kma-record-XXXXXX";
	struct kma_output *out;
	struct kma_lane *lane;
	size_t len;

	REQUIRE(plain && got && mkdtemp(path));
	for (size_t i = 0; i < 3 * LEN; i++)
		plain[i] = i / 1000;
	strcat(strcpy(bytes, path), "/log");
	REQUIRE(!kma_output_open(bytes, true, &out));
	lane = kma_lane_create(out);
	for (int i = 0; i < 3; i++) {
		kma_lane_hurry(lane, i == 1);
		EXPECT(!kma_lane_write(lane, plain + i * LEN, LEN));
		EXPECT(!kma_lane_end(lane));
	}
	EXPECT(kma_output_bytes(out) > LEN && kma_output_bytes(out) < LEN + LEN / 2);
	EXPECT(!kma_output_commit(out));
	kma_lane_destroy(lane);
	kma_output_destroy(out);
	REQUIRE(!kma_file_slurp(bytes, &packed, &len));
	/* one frame after the other, as zstd(1) does */
	EXPECT_EQ(ZSTD_decompress(got, 3 * LEN, packed, len), 3 * LEN);
	EXPECT(!memcmp(plain, got, 3 * LEN));
	EXPECT(!unlink(bytes));
	EXPECT(!rmdir(path));
}

/* The bytes are put into the lane's own space, as those of read(2) are. */
TEST(a_frame_ends_at_the_limit_of_its_lane)
{
	enum { LEN = 1000 };
	_cleanup_free_ char *packed = NULL;
	char path[] = "/tmp/kma-record-XXXXXX", got[2 * LEN];
	struct kma_output *out;
	struct kma_lane *lane;
	size_t len;
	char *room;

	REQUIRE(mkdtemp(path));
	strcat(strcpy(bytes, path), "/log");
	REQUIRE(!kma_output_open(bytes, true, &out));
	lane = kma_lane_create(out);
	kma_lane_limit(lane, LEN);
	REQUIRE((room = kma_lane_room(lane, 3 * LEN)));
	memset(room, 'a', LEN - 1);
	EXPECT(!kma_lane_add(lane, LEN - 1));
	EXPECT_EQ(kma_output_bytes(out), 0);
	REQUIRE((room = kma_lane_room(lane, 3 * LEN)));
	memset(room, 'b', LEN + 1);
	EXPECT(!kma_lane_add(lane, LEN + 1));
	EXPECT(kma_output_bytes(out) > 0);
	EXPECT(!kma_lane_end(lane));
	EXPECT(!kma_output_commit(out));
	kma_lane_destroy(lane);
	kma_output_destroy(out);
	REQUIRE(!kma_file_slurp(bytes, &packed, &len));
	EXPECT_EQ(ZSTD_decompress(got, sizeof(got), packed, len), 2 * LEN);
	EXPECT(got[0] == 'a' && got[LEN - 2] == 'a' && got[LEN - 1] == 'b' && got[2 * LEN - 1] == 'b');
	EXPECT(!unlink(bytes));
	EXPECT(!rmdir(path));
}

TEST_MAIN()
