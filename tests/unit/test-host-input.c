// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-input.c - host/input/input: what goes in comes out, through a file, a
 * pipe, and each packer's own program; blocks end at lines; damage is an error.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "input/input.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "input/progress.h"

#include "ktap.h"

static char dir[] = "/tmp/kma-input-XXXXXX";

__attribute__((constructor)) static void make_dir(void)
{
	if (!mkdtemp(dir))
		abort();
}

__attribute__((destructor)) static void drop_dir(void)
{
	char cmd[64];

	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	if (system(cmd))
		abort();
}

static const char *in_dir(const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

/* Lines of all lengths, 3 MB: more than any buffer, and than a packer's block. */
static const char *sample(size_t *len)
{
	static struct kma_strbuf sb;
	bool whole = sb.len;

	for (unsigned int i = 0; i < 30000 && !whole; i++)
		kma_strbuf_printf(&sb, "%u %0*u\n", i * 2654435761U, (int)(i * 7 % 190), 0U);
	*len = sb.len;
	return sb.str;
}

static void write_file(const char *path, const char *bytes, size_t len)
{
	FILE *f = fopen(path, "we");

	if (!f || fwrite(bytes, 1, len, f) != len || fclose(f))
		abort();
}

/* All blocks together; says what is wrong with one. */
static struct kma_err *take(struct kma_input *input, struct kma_strbuf *sb)
{
	struct kma_err *err;
	const char *text;
	bool cut = false;
	size_t len;

	for (;;) {
		err = kma_input_block(input, &text, &len);
		if (err || !len)
			return err;
		if (cut)
			KTAP_FAIL("a block behind one without a line's end");
		cut = text[len - 1] != '\n';
		kma_strbuf_add(sb, text, len);
	}
}

static struct kma_err *take_path(const char *path, struct kma_strbuf *sb)
{
	struct kma_input *input;
	struct kma_err *err;

	err = kma_input_open(path, &input);
	if (err)
		return err;
	err = take(input, sb);
	kma_input_close(input);
	return err;
}

static void expect_sample(const struct kma_strbuf *sb, const char *what, unsigned int times)
{
	const char *text;
	size_t len;

	text = sample(&len);
	ktap_expectations++;
	if (sb->len != len * times)
		KTAP_FAIL("%s: %zu bytes, expected %zu", what, sb->len, len * times);
	for (unsigned int i = 0; i < times && sb->len == len * times; i++)
		if (memcmp(sb->str + i * len, text, len))
			KTAP_FAIL("%s: other bytes", what);
}

TEST(blocks_in_memory)
{
	static const size_t blocks[] = { 0, 1, 7, 190, 4096, 1 << 20 };
	const char *text, *head;
	size_t len, head_len;

	text = sample(&len);
	for (size_t i = 0; i < ARRAY_SIZE(blocks); i++) {
		_cleanup_strbuf_ struct kma_strbuf sb = { 0 };
		struct kma_input *input;

		REQUIRE(!kma_input_memory("m", text, len, blocks[i], &input));
		EXPECT(!kma_input_head(input, &head, &head_len));
		EXPECT_EQ(head_len, 65536);
		EXPECT(!take(input, &sb));
		expect_sample(&sb, "memory", 1);
		kma_input_close(input);
	}
}

TEST(a_file)
{
	_cleanup_strbuf_ struct kma_strbuf sb = { 0 };
	const char *path = in_dir("plain"), *text, *again;
	uint64_t done, size;
	struct kma_input *input;
	size_t len;

	text = sample(&len);
	write_file(path, text, len);
	REQUIRE(!kma_input_open(path, &input));
	EXPECT_STR(kma_input_name(input), path);
	EXPECT(!kma_input_path(input, &again));
	kma_input_progress(input, &done, &size);
	EXPECT_EQ(done, 0);
	EXPECT_EQ(size, len);
	EXPECT(!take(input, &sb));
	kma_input_progress(input, &done, &size);
	EXPECT_EQ(done, len);
	expect_sample(&sb, "file", 1);
	kma_input_close(input);
}

/* More than two blocks of a map: what was passed is given back. */
TEST(a_large_file)
{
	_cleanup_strbuf_ struct kma_strbuf sb = { 0 };
	const char *path = in_dir("large"), *text;
	size_t len;
	FILE *f;

	text = sample(&len);
	f = fopen(path, "we");
	for (unsigned int i = 0; i < 8; i++)
		fwrite(text, 1, len, f);
	fclose(f);
	EXPECT(!take_path(path, &sb));
	expect_sample(&sb, "large file", 8);
}

TEST(a_file_that_becomes_shorter)
{
	const char *path = in_dir("shorter"), *text;
	struct kma_input *input;
	struct kma_err *err;
	size_t len;

	text = sample(&len);
	write_file(path, text, len);
	REQUIRE(!kma_input_open(path, &input));
	REQUIRE(!truncate(path, 100));
	err = kma_input_block(input, &text, &len);
	REQUIRE(err);
	EXPECT_STR(err->message, "the file became shorter while it was read");
	EXPECT_STR(err->file, path);
	kma_err_destroy(err);
	kma_input_close(input);
}

/* A child that writes to the read end's other side, @piece bytes at a time. */
static int pipe_from(const char *text, size_t len, size_t piece, unsigned int pause_us)
{
	int fds[2];

	if (pipe(fds))
		abort();
	if (fork()) {
		close(fds[1]);
		return fds[0];
	}
	close(fds[0]);
	while (len) {
		ssize_t n = write(fds[1], text, len < piece ? len : piece);

		if (n < 0)
			_exit(1);
		text += n;
		len -= n;
		if (pause_us)
			usleep(pause_us);
	}
	_exit(0);
}

static const char *fd_name(int fd)
{
	static char name[32];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	return name;
}

TEST(a_pipe)
{
	static const size_t pieces[] = { 1 << 20, 65536, 1009 };
	const char *text;
	size_t len;

	text = sample(&len);
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		_cleanup_strbuf_ struct kma_strbuf sb = { 0 };
		int fd = pipe_from(text, len, pieces[i], 0);

		EXPECT(!take_path(fd_name(fd), &sb));
		expect_sample(&sb, "pipe", 1);
		close(fd);
		wait(NULL);
	}
}

/* One byte, a pause, one byte: nothing is taken for the end. */
TEST(a_slow_pipe)
{
	_cleanup_strbuf_ struct kma_strbuf sb = { 0 };
	int fd = pipe_from("one\ntwo\nth", 10, 1, 2000);
	struct kma_input *input;
	const char *head;
	size_t len;

	REQUIRE(!kma_input_open(fd_name(fd), &input));
	EXPECT(!kma_input_head(input, &head, &len));
	EXPECT_EQ(len, 10);
	EXPECT(!take(input, &sb));
	EXPECT_STR(sb.str, "one\ntwo\nth");
	kma_input_close(input);
	close(fd);
	wait(NULL);
}

/* What no buffer holds comes in pieces, and all of it. */
TEST(a_long_line)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 3 * KMA_INPUT_LINE_MAX + 5, got = 0, n;
	unsigned int pieces = 0;
	struct kma_input *input;
	const char *block;
	int fd;

	text = malloc(len);
	REQUIRE(text);
	memset(text, 'x', len);
	memcpy(text + len - 4, "\nab\n", 4);
	fd = pipe_from(text, len, len, 0);
	REQUIRE(!kma_input_open(fd_name(fd), &input));
	while (!kma_input_block(input, &block, &n) && n) {
		EXPECT(!memcmp(block, text + got, n));
		got += n;
		pieces++;
	}
	EXPECT_EQ(got, len);
	EXPECT(pieces >= 3);
	kma_input_close(input);
	close(fd);
	wait(NULL);
}

static const char *const packers[] = { "gzip", "xz -1", "zstd -q" };

/* Packs the sample with the packer's own program, several times, into one file. */
static const char *packed_sample(const char *packer, unsigned int times, const char *behind)
{
	const char *text;
	char cmd[256];
	size_t len;

	text = sample(&len);
	write_file(in_dir("plain"), text, len);
	snprintf(cmd, sizeof(cmd),
		 "cd %s && once=once-%.2s; [ -e $once ] || %s -c <plain >$once || exit; "
		 ": >packed; for i in $(seq %u); do cat $once >>packed; done; %s",
		 dir, packer, packer, times, behind);
	if (system(cmd))
		abort();
	return in_dir("packed");
}

TEST(packed_files)
{
	for (size_t i = 0; i < ARRAY_SIZE(packers); i++)
		for (unsigned int times = 1; times <= 3; times += 2) {
			_cleanup_strbuf_ struct kma_strbuf sb = { 0 };

			EXPECT(!take_path(packed_sample(packers[i], times, ":"), &sb));
			expect_sample(&sb, packers[i], times);
		}
}

/* gzip(1) takes zeros behind the end, as tapes have them. */
TEST(padded)
{
	_cleanup_strbuf_ struct kma_strbuf sb = { 0 };

	EXPECT(!take_path(packed_sample("gzip", 2, "head -c 999 /dev/zero >>packed"), &sb));
	expect_sample(&sb, "gzip, padded", 2);
}

TEST(packed_pipe)
{
	for (size_t i = 0; i < ARRAY_SIZE(packers); i++) {
		_cleanup_strbuf_ struct kma_strbuf sb = { 0 };
		int in = open(packed_sample(packers[i], 2, ":"), O_RDONLY), fd;
		static char bytes[4 << 20];
		ssize_t len = read(in, bytes, sizeof(bytes));

		close(in);
		REQUIRE(len > 0);
		fd = pipe_from(bytes, len, 501, 0);
		EXPECT(!take_path(fd_name(fd), &sb));
		expect_sample(&sb, packers[i], 2);
		close(fd);
		wait(NULL);
	}
}

/* A file that ends too early, or has something else behind, says so by name. */
TEST(packed_and_cut)
{
	static const char *const cuts[] = {
		"truncate -s -1 packed", "truncate -s -9 packed",	 "truncate -s 1000 packed",
		"truncate -s 20 packed", "echo more than that >>packed",
	};

	for (size_t i = 0; i < ARRAY_SIZE(packers); i++)
		for (size_t k = 0; k < ARRAY_SIZE(cuts); k++) {
			_cleanup_strbuf_ struct kma_strbuf sb = { 0 };
			struct kma_err *err = take_path(packed_sample(packers[i], 2, cuts[k]), &sb);

			REQUIRE(err);
			EXPECT_STR(err->file, in_dir("packed"));
			if (!strstr(err->message, k < 4 ? "truncated" : "corrupt"))
				KTAP_FAIL("%s, %s: %s", packers[i], cuts[k], err->message);
			kma_err_destroy(err);
		}
}

/* A changed byte is found by the checksum, or changes nothing (a name, a time). */
TEST(packed_and_damaged)
{
	static char bytes[4 << 20], other[4 << 20];
	unsigned int found = 0, seed = 1;

	for (size_t i = 0; i < ARRAY_SIZE(packers); i++) {
		int in = open(packed_sample(packers[i], 1, ":"), O_RDONLY);
		ssize_t len = read(in, bytes, sizeof(bytes));

		close(in);
		REQUIRE(len > 100);
		for (unsigned int k = 0; k < 20; k++) {
			_cleanup_strbuf_ struct kma_strbuf sb = { 0 };
			struct kma_err *err;

			seed = seed * 1103515245 + 12345;
			memcpy(other, bytes, len);
			other[20 + (seed >> 8) % (len - 20)] ^= 1 + (seed >> 4) % 255;
			write_file(in_dir("damaged"), other, len);
			err = take_path(in_dir("damaged"), &sb);
			if (!err)
				expect_sample(&sb, "damage", 1);
			found += !!err;
			kma_err_destroy(err);
		}
	}
	EXPECT(found > 50);
}

/* Whatever it was, a library gets a plain file. */
TEST(a_path)
{
	for (size_t i = 0; i < ARRAY_SIZE(packers); i++) {
		_cleanup_strbuf_ struct kma_strbuf sb = { 0 };
		struct kma_input *input;
		const char *path, *head;
		size_t len;

		REQUIRE(!kma_input_open(packed_sample(packers[i], 1, ":"), &input));
		EXPECT(!kma_input_head(input, &head, &len));
		REQUIRE(!kma_input_path(input, &path));
		EXPECT(!take_path(path, &sb));
		expect_sample(&sb, "path", 1);
		kma_input_close(input);
	}
}

TEST(not_there)
{
	_cleanup_strbuf_ struct kma_strbuf sb = { 0 };
	struct kma_input *input;
	struct kma_err *err;
	const char *head;
	size_t len;

	err = kma_input_open(in_dir("absent"), &input);
	REQUIRE(err);
	EXPECT_STR(err->message, "cannot open: No such file or directory");
	kma_err_destroy(err);
	write_file(in_dir("empty"), "", 0);
	REQUIRE(!kma_input_open(in_dir("empty"), &input));
	EXPECT(!kma_input_head(input, &head, &len));
	EXPECT_EQ(len, 0);
	EXPECT(!take(input, &sb));
	EXPECT_EQ(sb.len, 0);
	kma_input_close(input);
}

TEST(progress)
{
	static const struct {
		uint64_t done, size, ms;
		const char *text;
	} cases[] = {
		{ 1 << 30, 2ULL << 30, 1000, "1.0 GiB of 2.0 GiB, 1.0 GiB/s, 1 s left" },
		{ 1 << 20, 0, 500, "1.0 MiB, 2.0 MiB/s" },
		{ 0, 2ULL << 30, 500, "0 B of 2.0 GiB, 0 B/s" },
		/* a file that grows */
		{ 2 << 20, 1 << 20, 1000, "2.0 MiB, 2.0 MiB/s" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_strbuf_ struct kma_strbuf sb = { 0 };

		kma_progress_text(&sb, cases[i].done, cases[i].size, cases[i].ms * 1000000);
		EXPECT_STR(sb.str, cases[i].text);
	}
}

/* The last one: nothing takes a stop back. */
TEST(stopped)
{
	_cleanup_strbuf_ struct kma_strbuf sb = { 0 };
	struct kma_input *input;
	int fds[2];

	REQUIRE(!pipe(fds));
	EXPECT_EQ(write(fds[1], "one\ntwo\nthr", 11), 11);
	/* Its beginning is all that was read. */
	REQUIRE(!kma_input_open(fd_name(fds[0]), &input));
	EXPECT(!kma_input_stopped());
	kma_input_stop();
	EXPECT(!take(input, &sb));
	EXPECT_STR(sb.str, "one\ntwo\n");
	kma_input_close(input);
	close(fds[0]);
	close(fds[1]);
}

TEST_MAIN()
