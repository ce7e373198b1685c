// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-tasks.c - host/record: pages of ftrace's ring buffer, written here byte by byte as
 * events/header_event and events/header_page describe them; lines about tasks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "record/ring-page.h"
#include "record/task-lines.h"
#include "record/task-scan.h"

#include "ktap.h"

#define HEAD   16
#define MISSED (1U << 31)
#define STORED (1U << 30)

static union {
	unsigned char bytes[4096];
	uint64_t align;
} page;
static size_t used;

static void put32(uint32_t value)
{
	memcpy(page.bytes + HEAD + used, &value, sizeof(value));
	used += sizeof(value);
}

static void head(unsigned int type, uint32_t delta)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	put32(type << 27 | delta);
#else
	put32(delta << 5 | type);
#endif
}

static void event(uint32_t delta, uint32_t value)
{
	head(2, delta);
	put32(value);
	put32(~value);
}

static bool begin(struct kma_ring_page *ring, uint64_t time, uint32_t flags)
{
	uint64_t commit = used | flags;

	memcpy(page.bytes, &time, 8);
	memcpy(page.bytes + 8, &commit, 8);
	return kma_ring_page_init(ring, page.bytes, sizeof(page.bytes), HEAD);
}

static void start(void)
{
	memset(&page, 0, sizeof(page));
	used = 0;
}

#define EXPECT_NEXT(ring, want_time, want_value)          \
	do {                                              \
		struct kma_ring_event got_;               \
		uint32_t value;                           \
		REQUIRE(kma_ring_page_next(ring, &got_)); \
		EXPECT_EQ(got_.time, want_time);          \
		memcpy(&value, got_.data, 4);             \
		EXPECT_EQ(value, want_value);             \
	} while (0)

TEST(a_page_has_short_and_long_events_paddings_and_times)
{
	struct kma_ring_event none;
	struct kma_ring_page ring;

	start();
	event(5, 11);
	/* 12 bytes, of which the length takes 4; the length is not that of the type */
	head(0, 3);
	put32(12);
	put32(22);
	put32(0);
	/* an event that was discarded: its time is part of the next one's */
	head(29, 1);
	put32(8);
	put32(99);
	/* the time since the last event is longer than 27 bits */
	head(30, 7);
	put32(2);
	event(1, 33);
	head(31, 4);
	put32(1 << 10);
	event(0, 44);
	REQUIRE(begin(&ring, 1000, 0));
	EXPECT_EQ(ring.lost, 0);
	EXPECT_NEXT(&ring, 1005, 11);
	EXPECT_NEXT(&ring, 1008, 22);
	EXPECT_NEXT(&ring, 1008 + (2ULL << 27) + 7 + 1, 33);
	EXPECT_NEXT(&ring, (1ULL << 37) + 4, 44);
	EXPECT(!kma_ring_page_next(&ring, &none));
}

/* An absolute time has 59 bits; a machine that has run for long has more. */
TEST(the_upper_bits_of_a_time_are_those_of_the_page)
{
	struct kma_ring_page ring;

	start();
	head(31, 4);
	put32(1 << 10);
	event(0, 44);
	REQUIRE(begin(&ring, 3ULL << 59, 0));
	EXPECT_NEXT(&ring, (3ULL << 59) + (1ULL << 37) + 4, 44);
}

TEST(losses_are_counted_or_known)
{
	struct kma_ring_page ring;
	uint64_t lost = 123;

	start();
	event(1, 1);
	REQUIRE(begin(&ring, 5, MISSED));
	EXPECT_EQ(ring.lost, 1);
	EXPECT_NEXT(&ring, 6, 1);
	memcpy(page.bytes + HEAD + used, &lost, 8);
	REQUIRE(begin(&ring, 5, MISSED | STORED));
	EXPECT_EQ(ring.lost, 123);
}

TEST(bytes_that_are_no_event_end_the_page)
{
	static const uint32_t bad[][2] = {
		{ 0, 4000 }, { 0, 0 }, { 29, 0 }, { 28, 1 }, { 0, UINT32_MAX }
	};
	struct kma_ring_event found;
	struct kma_ring_page ring;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		start();
		event(1, 1);
		head(bad[i][0], bad[i][0] == 29 ? 0 : 1);
		put32(bad[i][1]);
		REQUIRE(begin(&ring, 0, 0));
		EXPECT_NEXT(&ring, 1, 1);
		EXPECT(!kma_ring_page_next(&ring, &found));
	}
	start();
	used = 5000;
	EXPECT(!begin(&ring, 0, 0));
	EXPECT(!kma_ring_page_init(&ring, page.bytes, 8, HEAD));
	EXPECT(!kma_ring_page_init(&ring, page.bytes, sizeof(page.bytes), 0));
}

/* As 6.1 shows it; cgroup_attach_task has the bracket elsewhere. */
TEST(fields_are_found_by_their_names)
{
	static const char format[] =
		"name: task_rename\nID: 119\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
		"\tfield:char oldcomm[16];\toffset:12;\tsize:16;\tsigned:0;\n"
		"\tfield:char newcomm[16];\toffset:28;\tsize:16;\tsigned:0;\n"
		"\tfield:__data_loc char[] dst_path;\toffset:44;\tsize:4;\tsigned:0;\n\n"
		"print fmt: \"pid=%d comm=%s\", REC->pid\n";
	static const char *const names[] = { "common_pid", "pid",      "comm",
					     "newcomm",	   "dst_path", NULL };
	struct kma_ring_field fields[5];
	unsigned char data[64] = { 0 };
	const struct kma_ring_event event = { .data = data, .len = sizeof(data) };
	const char *text;
	uint32_t pid = 77, place = 5 << 16 | 48;
	size_t len;

	EXPECT_EQ(kma_ring_format(format, names, fields), 119);
	EXPECT_EQ(fields[0].offset, 4);
	EXPECT_EQ(fields[1].offset, 8);
	EXPECT_EQ(fields[2].size, 0);
	EXPECT_EQ(fields[3].offset, 28);
	EXPECT_EQ(fields[4].offset, 44);
	memcpy(data + 8, &pid, 4);
	memcpy(data + 28, "a\nb", 3);
	memcpy(data + 44, &place, 4);
	memcpy(data + 48, "/x/y", 5);
	EXPECT_EQ(kma_ring_number(&event, &fields[1]), 77);
	EXPECT_EQ(kma_ring_number(&event, &fields[2]), 0);
	text = kma_ring_text(&event, &fields[3], false, &len);
	EXPECT(len == 3 && !memcmp(text, "a\nb", 3));
	text = kma_ring_text(&event, &fields[4], true, &len);
	EXPECT(len == 4 && !memcmp(text, "/x/y", 4));
	place = 60 << 16 | 48;
	memcpy(data + 44, &place, 4);
	kma_ring_text(&event, &fields[4], true, &len);
	EXPECT_EQ(len, 0);
}

TEST(a_line_has_one_line_end_and_a_cgroup_one_line)
{
	static const char want[] =
		"#cgroup 1 /a b\n#task 7 6 1 1 x\\012y\\134\n"
		"#cgroup 2 /a\n#fork 99 8 7 65536 \\033[m\n#comm 100 8 z\n#move 101 8 1\n";
	struct kma_task_lines lines = { 0 };

	kma_task_lines_task(&lines, 7, 6, true, kma_task_lines_cgroup(&lines, "/a b", 4), "x\ny\\",
			    4);
	EXPECT_EQ(kma_task_lines_cgroup(&lines, "/a bcd", 2), 2);
	kma_task_lines_fork(&lines, 99, 8, 7, 0x10000, "\033[m", 3);
	kma_task_lines_rename(&lines, 100, 8, "z", 1);
	kma_task_lines_move(&lines, 101, 8, kma_task_lines_cgroup(&lines, "/a b", 4));
	EXPECT_EQ(kma_task_lines_cgroup(&lines, "", 0), 0);
	EXPECT(!strcmp(lines.text.str, want));
	kma_task_lines_deinit(&lines);
}

static void proc_file(const char *root, const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *p = strchr(path + strlen(root) + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
	f = fopen(path, "w");
	REQUIRE(f);
	fputs(text, f);
	fclose(f);
}

/* The file comm of a worker also has its current work. That of a rescuer has its workqueue. */
TEST(a_worker_has_its_name_without_its_work)
{
	static const struct {
		const char *tid, *comm, *want;
	} tasks[] = {
		{ "7", "kworker/0:1-events\n", "kworker/0:1" },
		{ "8", "kworker/u9:2+flush\n", "kworker/u9:2" },
		{ "9", "kworker/R-nvme-reset-wq\n", "kworker/R-nvme-reset-wq" },
	};
	char root[] = "/tmp/test-host-tasks-XXXXXX", path[64], command[64];
	struct kma_task_lines lines = { 0 };

	REQUIRE(mkdtemp(root));
	for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++) {
		snprintf(path, sizeof(path), "proc/%s/task/%s/x", tasks[i].tid, tasks[i].tid);
		proc_file(root, path, "");
		snprintf(path, sizeof(path), "proc/%s/comm", tasks[i].tid);
		proc_file(root, path, tasks[i].comm);
		snprintf(path, sizeof(path), "proc/%s/stat", tasks[i].tid);
		proc_file(root, path, "7 (x) S 2 0 0 0 -1 69238880 0 0 0 0");
	}
	kma_task_scan(root, &lines);
	for (size_t i = 0; i < sizeof(tasks) / sizeof(*tasks); i++) {
		char want[80];

		snprintf(want, sizeof(want), "#task %s %s 1 0 %s\n", tasks[i].tid, tasks[i].tid,
			 tasks[i].want);
		EXPECT(lines.text.str && strstr(lines.text.str, want));
	}
	kma_task_lines_deinit(&lines);
	snprintf(command, sizeof(command), "rm -r %s", root);
	EXPECT(!system(command));
}

TEST_MAIN()
