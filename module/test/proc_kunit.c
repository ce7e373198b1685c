// SPDX-License-Identifier: GPL-2.0-only
/*
 * proc_kunit.c - /proc/kmem_account, read through the VFS: the format that is fixed
 * in Documentation/ABI/testing/procfs-kmem_account, and the commands.
 */
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "context.h"
#include "control.h"
#include "fixture.h"

#define KMA_TEST_SITE	0x1000ul

static struct file *kma_test_proc_open(struct kunit *test)
{
	return kma_test_open(test, "proc", "kmem_account", O_RDONLY);
}

static char *kma_test_proc_read(struct kunit *test)
{
	return kma_test_read(test, kma_test_proc_open(test), PAGE_SIZE);
}

/* The text of a known account; the width of a key is part of the format. */
static void kma_test_proc_known(struct kunit *test)
{
	static const char expected[] =
		"total bytes allocated:       4224\n"
		"total bytes requested:       4124\n"
		"slack bytes allocated:        100\n"
		"number of allocs:               4\n"
		"number of frees:                1\n"
		"number of callers:              2\n"
		"frees of unknown objects:       0\n"
		"implied frees:                  1\n"
		"events not recorded:            0\n"
		"\n"
		"   total    slack      req alloc/free  caller\n"
		"    4096       96     4000     1/0     kfree+0x4/";
	char *text;

	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	kma_test_gate(test);
	kma_test_alloc((unsigned long)kfree + 4, PAGE_OFFSET, 4000, 4096);
	kma_test_alloc(KMA_TEST_SITE, PAGE_OFFSET + 4096, 24, 32);
	kma_test_alloc(KMA_TEST_SITE, PAGE_OFFSET + 4096, 60, 64);
	kma_test_alloc(KMA_TEST_SITE, PAGE_OFFSET + 8192, 64, 64);
	text = kma_test_proc_read(test);
	KUNIT_EXPECT_EQ_MSG(test, 0, strncmp(text, expected,
					     sizeof(expected) - 1),
			    "it is:\n%s", text);
	/* an address without a symbol */
	text = strstr(text, "     128        4      124     3/1     0x1000\n");
	KUNIT_EXPECT_NOT_NULL(test, text);
}

static void kma_test_proc_empty(struct kunit *test)
{
	char *text;

	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	kma_test_gate(test);
	text = kma_test_proc_read(test);
	KUNIT_EXPECT_NOT_NULL(test,
			      strstr(text, "number of callers:              0\n"));
	text = strstr(text, "alloc/free  caller\n");
	KUNIT_ASSERT_NOT_NULL(test, text);
	KUNIT_EXPECT_STREQ(test, text, "alloc/free  caller\n");
}

/* The mode lets tasks with CAP_PERFMON reach kma_access_open(); only root can write. */
static void kma_test_proc_mode(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, file_inode(kma_test_proc_open(test))->i_mode,
			S_IFREG | 0644);
}

/* Seek in a file that is open for writing only, as "dd seek=" does: it has no report. */
static void kma_test_proc_write_only(struct kunit *test)
{
	struct file *file;

	kma_test_account(test, KMA_TEST_SITES, KMA_TEST_OBJECTS);
	file = kma_test_open(test, "proc", "kmem_account", O_WRONLY);
	KUNIT_EXPECT_EQ(test, vfs_llseek(file, 1, SEEK_SET), 1ll);
}

#define KMA_TEST_ROWS	600u

static void kma_test_proc_fill(unsigned int thread, void *arg)
{
	const unsigned int threads = *(unsigned int *)arg;
	unsigned int i;

	for (i = thread; i < KMA_TEST_ROWS; i += threads)
		kma_test_alloc(KMA_TEST_SITE + 2 * i,
			       PAGE_OFFSET + (i + 1) * PAGE_SIZE, i + 1, 1024);
}

static void kma_test_proc_noise(void *unused)
{
	kma_test_alloc(KMA_TEST_SITE, PAGE_OFFSET, 1, 1024);
	kma_test_free((unsigned long)PAGE_OFFSET);
}

static const size_t kma_test_chunks[] = { 1, 7, 100, 4096, 1 << 20 };

static void kma_test_chunk_desc(const size_t *chunk, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%zu bytes", *chunk);
}

KUNIT_ARRAY_PARAM(kma_test_chunk, kma_test_chunks, kma_test_chunk_desc);

/* Return the number after a key of the header. */
static u64 kma_test_proc_value(struct kunit *test, const char *text,
			       const char *key)
{
	const char *line = strstr(text, key);
	u64 value = 0;
	int found;

	KUNIT_ASSERT_NOT_NULL(test, line);
	found = sscanf(line + strlen(key), " %llu", &value);
	KUNIT_ASSERT_EQ(test, found, 1);
	return value;
}

static void kma_test_proc_sums(struct kunit *test, char *text)
{
	struct kma_test_row sum = {}, row;
	u64 rows = 0, last = U64_MAX;
	char *line;

	KUNIT_EXPECT_EQ(test, kma_test_proc_value(test, text, "number of callers:"),
			(u64)KMA_TEST_ROWS);
	sum.total = -kma_test_proc_value(test, text, "total bytes allocated:");
	sum.req = -kma_test_proc_value(test, text, "total bytes requested:");
	sum.slack = -kma_test_proc_value(test, text, "slack bytes allocated:");
	sum.allocs = -kma_test_proc_value(test, text, "number of allocs:");
	sum.frees = -kma_test_proc_value(test, text, "number of frees:");
	while ((line = strsep(&text, "\n"))) {
		if (!kma_test_row_parse(line, &row))
			continue;
		KUNIT_EXPECT_LE(test, row.total, last);
		last = row.total;
		sum.total += row.total;
		sum.req += row.req;
		sum.slack += row.slack;
		sum.allocs += row.allocs;
		sum.frees += row.frees;
		rows++;
	}
	KUNIT_EXPECT_EQ(test, rows, (u64)KMA_TEST_ROWS);
	/* subtracting the rows from the header leaves 0 */
	KUNIT_EXPECT_EQ(test, sum.total, 0ull);
	KUNIT_EXPECT_EQ(test, sum.req, 0ull);
	KUNIT_EXPECT_EQ(test, sum.slack, 0ull);
	KUNIT_EXPECT_EQ(test, sum.allocs, 0ull);
	KUNIT_EXPECT_EQ(test, sum.frees, 0ull);
}

/*
 * With any size of read(), the text is the account at the time of the open: its header is the
 * sum of its rows although events go on.
 */
static void kma_test_proc_chunks(struct kunit *test)
{
	const size_t chunk = *(const size_t *)test->param_value;
	unsigned int threads = num_online_cpus();
	struct file *file;
	char *text;

	kma_test_account(test, KMA_TEST_ROWS, KMA_TEST_OBJECTS);
	kma_test_gate(test);
	kma_test_threads(test, threads, kma_test_proc_fill, &threads);
	kma_test_storm(test, kma_test_proc_noise, NULL);
	file = kma_test_proc_open(test);
	text = kma_test_read(test, file, chunk);
	KUNIT_EXPECT_STREQ(test, text, kma_test_read(test, file, 4096));
	KUNIT_EXPECT_GT(test, kma_test_storm_end(), 0ul);
	kma_test_proc_sums(test, text);
}

static const struct kma_test_command {
	const char *text;
	int err;
	bool on;		/* the account, which was on before, is on afterwards */
	bool kept;		/* the numbers are kept */
} kma_test_commands[] = {
	{ "on", 0, true, true },
	{ "on\n", 0, true, true },
	{ "off", 0, false, true },
	{ "off\n", 0, false, true },
	{ "clear", 0, true, false },
	{ "clear\n", 0, true, false },
	{ "", -EINVAL, true, true },
	{ "\n", -EINVAL, true, true },
	{ "On", -EINVAL, true, true },
	{ "onn", -EINVAL, true, true },
	{ "o", -EINVAL, true, true },
	{ "on off", -EINVAL, true, true },
	{ "clear\n\n", -EINVAL, true, true },
	/* switches keep the contents of the account */
	{ "errors", -EINVAL, true, true },
	{ "errors yes", -EINVAL, true, true },
	{ "errors off", 0, true, true },
	{ "stacks 2\n", 0, true, true },
	{ "stacks 16", 0, true, true },
	{ "stacks 17", -EINVAL, true, true },
	{ "stacks 1", -EINVAL, true, true },
	{ "stacks -2", -EINVAL, true, true },
	{ "stacks 2/64", 0, true, true },
	{ "stacks 2/", -EINVAL, true, true },
	{ "stacks 2/0", -EINVAL, true, true },
	{ "stacks off", 0, true, true },
	{ "wrappers", -EINVAL, true, true },
	{ "wrappers default", 0, true, true },
	{ "wrappers off", 0, true, true },
	{ "latency off", 0, true, true },
	{ "age on", 0, true, true },
};

static void kma_test_command_desc(const struct kma_test_command *c, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%*pE", (int)strlen(c->text),
		 c->text);
}

KUNIT_ARRAY_PARAM(kma_test_command, kma_test_commands, kma_test_command_desc);

/* No command changes the text of a file that is already open. */
static void kma_test_proc_command(struct kunit *test)
{
	const struct kma_test_command *c = test->param_value;
	const char *row = "     128        0      128     1/0     0x1000\n";
	struct file *file;
	char *text;

	kma_test_account(test, KMA_TEST_SITES * 8, KMA_TEST_KERNEL_OBJECTS);
	kma_test_on(test);
	kma_test_alloc(KMA_TEST_SITE, PAGE_OFFSET + BIT(38), 128,
		       128);
	file = kma_test_proc_open(test);
	KUNIT_EXPECT_EQ(test, kma_control_command(c->text), c->err);
	KUNIT_EXPECT_EQ(test, kma_live_is_open(), c->on);
	text = kma_test_proc_read(test);
	KUNIT_EXPECT_EQ(test, !!strstr(text, row), c->kept);
	text = kma_test_read(test, file, PAGE_SIZE);
	KUNIT_EXPECT_NOT_NULL(test, strstr(text, row));
	/* the account of the next test stores no births */
	KUNIT_EXPECT_EQ(test, kma_control_command("age off"), 0);
}

static struct kunit_case kma_test_proc_cases[] = {
	KUNIT_CASE(kma_test_proc_known),
	KUNIT_CASE(kma_test_proc_empty),
	KUNIT_CASE(kma_test_proc_mode),
	KUNIT_CASE(kma_test_proc_write_only),
	KUNIT_CASE_PARAM(kma_test_proc_chunks, kma_test_chunk_gen_params),
	KUNIT_CASE_PARAM(kma_test_proc_command, kma_test_command_gen_params),
	{}
};

static struct kunit_suite kma_test_proc_suite = {
	.name = "kma_proc",
	.test_cases = kma_test_proc_cases,
};

kunit_test_suite(kma_test_proc_suite);
