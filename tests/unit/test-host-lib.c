// SPDX-License-Identifier: GPL-2.0-only
/*
 * test-host-lib.c - host/lib: escapes, base64, strings, files that appear whole or not
 * at all.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "lib/arena.h"
#include "lib/atend.h"
#include "lib/base64.h"
#include "lib/cleanup.h"
#include "lib/err.h"
#include "lib/escape.h"
#include "lib/fit.h"
#include "lib/file.h"
#include "lib/json.h"
#include "lib/map.h"
#include "lib/notes.h"
#include "lib/strbuf.h"

#include "ktap.h"

#define BAD "\xef\xbf\xbd"

typedef void (*escape_fn)(struct kma_strbuf *sb, const char *text);

static const struct {
	escape_fn escape;
	const char *text, *want;
} escapes[] = {
	{ kma_escape_xml, "a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c&#39;" },
	{ kma_escape_xml, "\xc3\xa9\xe2\x80\xa6", "\xc3\xa9\xe2\x80\xa6" },
	{ kma_escape_xml, "a\x01\x80z", "a\xef\xbf\xbd\xef\xbf\xbdz" },
	{ kma_escape_label, "<\xc3\xa9&\"\xe2\x80\xa6", "<\xc3\xa9&\"\xe2\x80\xa6" },
	/* ESC, a C1 control, half a character, RIGHT-TO-LEFT OVERRIDE, U+FFFF, U+1FFFE */
	{ kma_escape_label, "a\x1b\xc2\x9b\xc3z", "a" BAD BAD BAD "z" },
	{ kma_escape_label, "\xe2\x80\xae_\xef\xbf\xbf\xf0\x9f\xbf\xbe", BAD "_" BAD BAD },
	{ kma_escape_label, "\xe6\xbc\xa2\xf0\x9f\x98\x80\xef\xbf\xbd",
	  "\xe6\xbc\xa2\xf0\x9f\x98\x80\xef\xbf\xbd" },
	{ kma_escape_json, "a\"b\\c", "\"a\\\"b\\\\c\"" },
	{ kma_escape_json, "\n\t\x7f", "\"\\u000a\\u0009\\u007f\"" },
	{ kma_escape_json, "\xff", "\"\xef\xbf\xbd\"" },
	/* CSI as one character, RIGHT-TO-LEFT OVERRIDE, a tag above 16 bits; what is drawn stays */
	{ kma_escape_json, "\302\233", "\"\\u009b\"" },
	{ kma_escape_json, "\xe2\x80\xae", "\"\\u202e\"" },
	{ kma_escape_json, "\xf3\xa0\x80\x81", "\"\\udb40\\udc01\"" },
	{ kma_escape_json, "\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\"" },
	{ kma_escape_csv, "plain+0x1/0x2 [m]", "plain+0x1/0x2 [m]" },
	{ kma_escape_csv, "a,b", "\"a,b\"" },
	{ kma_escape_csv, "say \"x\"", "\"say \"\"x\"\"\"" },
	{ kma_escape_csv, "a\nb", "\"a\nb\"" },
	{ kma_escape_csv, "=1+1", "=1+1" },
	{ kma_escape_csv_safe, "=1+1", "'=1+1" },
	{ kma_escape_csv_safe, "+a", "'+a" },
	{ kma_escape_csv_safe, "-a", "'-a" },
	{ kma_escape_csv_safe, "@a", "'@a" },
	{ kma_escape_csv_safe, "\ta", "'\ta" },
	{ kma_escape_csv_safe, "\ra", "\"'\ra\"" },
	{ kma_escape_csv_safe, "\na", "\"'\na\"" },
	{ kma_escape_csv_safe, "=a,\"b\"", "\"'=a,\"\"b\"\"\"" },
	{ kma_escape_csv_safe, "a=1", "a=1" },
	{ kma_escape_csv_safe, "'=1", "'=1" },
	{ kma_escape_csv_safe, "", "" },
	{ kma_escape_plain, "a\x1b[31mb\n", "a?[31mb?" },
	/* CSI as one character, as a byte of Latin-1; what has no end; what is none */
	{ kma_escape_plain, "a\302\2332J\2331m\302", "a?2J?1m?" },
	/* RIGHT-TO-LEFT OVERRIDE, an isolate, MARK; LINE SEPARATOR */
	{ kma_escape_plain, "a\xe2\x80\xae_\xe2\x81\xa7_\xe2\x80\x8f\xe2\x80\xa8", "a?_?_??" },
	{ kma_escape_plain, "\xc2\xa0\xc3\xa9\xe2\x80\xa6\xf0\x9f\x98\x80",
	  "\xc2\xa0\xc3\xa9\xe2\x80\xa6\xf0\x9f\x98\x80" },
};

/* All levels are closed as they were opened. */
TEST(json_depth)
{
	_cleanup_strbuf_ struct kma_strbuf out = { 0 };
	struct kma_json json = { .out = &out };

	for (int i = 0; i < KMA_JSON_DEPTH; i++)
		kma_json_begin(&json, NULL, '[', KMA_JSON_INLINE);
	for (int i = 0; i < KMA_JSON_DEPTH; i++)
		kma_json_end(&json);
	EXPECT_STR(out.str, "[[[[[[[[]]]]]]]]");
	EXPECT_EQ(json.depth, 0);
}

TEST(escape_screen)
{
	_cleanup_strbuf_ struct kma_strbuf sb = { 0 };
	static const char text[] = "a\tb\n\x1b[2J\r\0\x7f\302\233z\303";

	kma_escape_screen(&sb, text, sizeof(text) - 1);
	EXPECT_STR(sb.str, "a\tb\n?[2J????z?");
}

TEST(fit)
{
	static const struct {
		const char *text;
		size_t columns;
		const char *want;
	} fits[] = {
		{ "short", 8, "short" },
		{ "exactly8", 8, "exactly8" },
		{ "fs/ext4/inode.c", 12, "fs/ex...de.c" },
		{ "fs/ext4/inode.c", 9, "fs/...e.c" },
		{ "fs/ext4/inode.c", 5, "fs/ex" },
		{ "fs/ext4/inode.c", 0, "" },
		/* two columns each: three have no room for the half of one */
		{ "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2", 9,
		  "\xe6\xbc\xa2...\xe6\xbc\xa2" },
		{ "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 8,
		  "\xc3\xa9\xc3\xa9\xc3\xa9...\xc3\xa9\xc3\xa9" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(fits); i++) {
		_cleanup_strbuf_ struct kma_strbuf sb = { 0 };

		kma_strbuf_puts(&sb, "");
		kma_fit_middle(&sb, fits[i].text, fits[i].columns);
		EXPECT_STR(sb.str, fits[i].want);
		EXPECT(kma_fit_columns(sb.str) <= fits[i].columns);
	}
	EXPECT_EQ(kma_fit_columns("a\xcc\x81"), 1);
}

TEST(escape)
{
	for (size_t i = 0; i < ARRAY_SIZE(escapes); i++) {
		_cleanup_strbuf_ struct kma_strbuf sb = { 0 };

		escapes[i].escape(&sb, escapes[i].text);
		EXPECT_STR(sb.str, escapes[i].want);
	}
}

TEST(utf8)
{
	static const struct {
		const char *s;
		unsigned int len;
	} chars[] = {
		{ "a", 1 },
		{ "", 0 },
		{ "\xc3\xa9", 2 },
		{ "\xe2\x82\xac", 3 },
		{ "\xf0\x9f\x98\x80", 4 },
		{ "\x80", 0 },
		{ "\xc3", 0 },
		{ "\xc0\x80", 0 },
		{ "\xe0\x80\x80", 0 },
		{ "\xed\xa0\x80", 0 },
		{ "\xf4\x90\x80\x80", 0 },
		{ "\xf5\x80\x80\x80", 0 },
		{ "\xe2\x82", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(chars); i++)
		EXPECT_EQ(kma_utf8_len(chars[i].s), chars[i].len);
}

/* As Python's base64.b85encode() has them, with "," in place of "<". */
TEST(base85)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *want;
	} vectors[] = {
		{ "", 0, "" },
		{ "f", 1, "W&" },
		{ "ab", 2, "VPX" },
		{ "foo", 3, "W^Zo" },
		{ "foob", 4, "W^Zp|" },
		{ "fooba", 5, "W^Zp|VE" },
		{ "foobar", 6, "W^Zp|VR8" },
		{ "\000\377\376\373\357\000", 6, "0RR5`?*I" },
		{ "\377\377\377\377", 4, "|NsC0" },
		{ "\000\000\000\000\001", 5, "000000R" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(vectors); i++) {
		_cleanup_strbuf_ struct kma_strbuf sb;

		kma_strbuf_init(&sb);
		kma_escape_base85(&sb, (const unsigned char *)vectors[i].bytes, vectors[i].len);
		EXPECT_STR(sb.str ?: "", vectors[i].want);
	}
}

TEST(strbuf_grows)
{
	_cleanup_strbuf_ struct kma_strbuf sb;

	kma_strbuf_init(&sb);
	for (int i = 0; i < 1000; i++)
		kma_strbuf_printf(&sb, "%d,", i);
	kma_strbuf_add(&sb, "", 1);
	EXPECT_EQ(sb.len, 10 * 2 + 90 * 3 + 900 * 4 + 1);
	EXPECT(!strncmp(sb.str, "0,1,2,", 6));
	EXPECT_STR(sb.str + sb.len - 6, ",999,");
}

/* Two keys have each hash, and all hashes end in the same bits: searches go past other keys. */
TEST(map_numbers_keys_in_order)
{
	struct kma_map map = { 0 };

	EXPECT_EQ(kma_map_find(&map, 0, i, true), KMA_MAP_NONE);
	for (unsigned int key = 0; key < 5000; key++) {
		EXPECT_EQ(kma_map_find(&map, key / 2 << 20, i, i == key), KMA_MAP_NONE);
		EXPECT_EQ(kma_map_add(&map, key / 2 << 20), key);
	}
	for (unsigned int key = 0; key < 5000; key++)
		EXPECT_EQ(kma_map_find(&map, key / 2 << 20, i, i == key), key);
	EXPECT_EQ(kma_map_find(&map, 2600U << 20, i, true), KMA_MAP_NONE);
	kma_map_free(&map);
	EXPECT_EQ(map.nr, 0);
}

static void say(void *text)
{
	EXPECT(write(STDERR_FILENO, text, strlen(text)) > 0);
}

/* Ends by missing memory in a child whose standard error is @fd. */
static void end_without_memory(const char *unfinished, int fd)
{
	char forgotten[] = "forgotten\n";

	dup2(fd, STDERR_FILENO);
	kma_atend_signals();
	kma_atend_unlink(AT_FDCWD, unfinished);
	kma_atend_call(say, forgotten);
	kma_atend_call(say, "action\n");
	kma_atend_forget(say, forgotten);
	kma_atend_no_memory();
}

TEST(missing_memory_ends_the_program)
{
	char unfinished[] = "/tmp/kma-unfinished-XXXXXX", text[64] = "";
	int file = mkstemp(unfinished), out[2], status;
	pid_t child;

	REQUIRE(file >= 0 && !pipe(out));
	close(file);
	child = fork();
	REQUIRE(child >= 0);
	if (!child)
		end_without_memory(unfinished, out[1]);
	REQUIRE(waitpid(child, &status, 0) == child);
	EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	EXPECT(read(out[0], text, sizeof(text) - 1) > 0);
	EXPECT_STR(text, "kmem-account: out of memory\naction\n");
	EXPECT(unlink(unfinished) < 0);
	close(out[0]);
	close(out[1]);
}

TEST(strbuf_expected)
{
	_cleanup_free_ char *text = malloc(5UL << 20);
	static const size_t expected[] = { 0, 10, 4UL << 20, SIZE_MAX };

	REQUIRE(text);
	memset(text, 'x', 5UL << 20);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		_cleanup_strbuf_ struct kma_strbuf sb = { 0 };

		kma_strbuf_expect(&sb, expected[i]);
		EXPECT_EQ(sb.len, 0);
		/* less than expected, as much, more */
		kma_strbuf_puts(&sb, "0123456789");
		EXPECT_STR(sb.str, "0123456789");
		kma_strbuf_add(&sb, text, 5UL << 20);
		EXPECT_EQ(sb.len, 10 + (5UL << 20));
		EXPECT(!strncmp(sb.str, "0123456789xxx", 13));
	}
}

/* Texts and structures side by side, more than a chunk of them, and one that is larger. */
TEST(arena)
{
	static const size_t sizes[] = { 1, 8, 24, 240, 65536, 3UL << 20 };
	struct kma_arena arena;
	char *mem[600], *texts[600], *more[600];

	kma_arena_init(&arena);
	for (size_t i = 0; i < ARRAY_SIZE(mem); i++) {
		size_t size = sizes[i % 100 ? i % 4 : i / 100];
		char text[32];

		mem[i] = kma_arena_zalloc(&arena, size);
		texts[i] = kma_arena_text(&arena, text, snprintf(text, sizeof(text), "%zu", i * i));
		more[i] = kma_arena_text(&arena, text, strlen(text));
		REQUIRE(mem[i] && texts[i] && more[i]);
		EXPECT_EQ((uintptr_t)mem[i] % _Alignof(max_align_t), 0);
		EXPECT(!mem[i][0] && !memcmp(mem[i], mem[i] + 1, size - 1));
		memset(mem[i], 0xa5, size);
	}
	/* Nobody has written over another. */
	for (size_t i = 0; i < ARRAY_SIZE(mem); i++) {
		size_t size = sizes[i % 100 ? i % 4 : i / 100];

		EXPECT_EQ(strtoul(texts[i], NULL, 10), i * i);
		EXPECT_STR(more[i], texts[i]);
		EXPECT((unsigned char)mem[i][0] == 0xa5 && !memcmp(mem[i], mem[i] + 1, size - 1));
	}
	EXPECT(kma_arena_bytes(&arena) >= 3UL << 20);
	kma_arena_deinit(&arena);
	EXPECT_EQ(kma_arena_bytes(&arena), 0);
}

TEST(error_text)
{
	struct kma_err *err = kma_err_create("in", 7, "%s", "sentence");
	char *text = kma_err_text(err);

	EXPECT_STR(text, "in:7: sentence");
	free(text);
	err->line = 0;
	text = kma_err_text(err);
	EXPECT_STR(text, "in: sentence");
	free(text);
	kma_err_destroy(err);
	err = kma_err_create("", 0, "%s", "sentence");
	text = kma_err_text(err);
	EXPECT_STR(text, "'': sentence");
	free(text);
	kma_err_destroy(err);
	kma_err_destroy(NULL);
}

static unsigned int files_in(const char *dir)
{
	DIR *d = opendir(dir);
	unsigned int n = 0;
	struct dirent *e;

	while (d && (e = readdir(d)))
		n += e->d_name[0] != '.';
	if (d)
		closedir(d);
	return n;
}

TEST(gaps)
{
	struct kma_gaps gaps = { 0 }, more = { 0 };
	struct kma_err *err;
	char *text;

	EXPECT(!kma_gaps_total(&gaps));
	EXPECT(!kma_gaps_note(&gaps, KMA_GAP_DIR, NULL));
	EXPECT(!kma_gaps_total(&gaps));
	/* Errors that say nothing of a file stay errors. */
	for (enum kma_err_kind kind = KMA_ERR_DATA; kind <= KMA_ERR_USAGE; kind++) {
		bool of_file = kind == KMA_ERR_NOT_READABLE || kind == KMA_ERR_OTHER_FORMAT ||
			       kind == KMA_ERR_DAMAGED;

		err = kma_err_create_kind(kind, "a", 3, "kind %d", kind);
		EXPECT_EQ(kma_gaps_note(&gaps, KMA_GAP_DIR, err) == err, !of_file);
		if (!of_file)
			kma_err_destroy(err);
	}
	EXPECT_EQ(kma_gaps_total(&gaps), 3);
	EXPECT_STR(gaps.first, "a:3: kind 2");
	EXPECT(!kma_gaps_note(&more, KMA_GAP_OBJECT,
			      kma_err_create_kind(KMA_ERR_DAMAGED, "b", 0, "is cut short")));
	kma_gaps_merge(&gaps, &more);
	text = kma_gaps_text(&gaps);
	EXPECT_STR(text, "3 directories, 1 object");
	EXPECT_STR(gaps.first, "a:3: kind 2");
	free(text);
	/* The first of the other, if there is none yet. */
	gaps = (struct kma_gaps){ 0 };
	kma_gaps_merge(&gaps, &more);
	EXPECT_STR(gaps.first, "b: is cut short");
}

TEST(output_is_whole_or_absent)
{
	char dir[] = "/tmp/kma-lib-XXXXXX", path[64], *text;
	struct kma_outfile *out;
	struct stat st;
	size_t len;

	REQUIRE(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/out", dir);

	/* Dropped: nothing is left, the name never appears. */
	REQUIRE(!kma_outfile_create(path, KMA_OUTFILE_USUAL, &out));
	fputs("half", kma_outfile_stream(out));
	EXPECT(access(path, F_OK));
	kma_outfile_destroy(out);
	EXPECT_EQ(files_in(dir), 0);

	/* Committed: the name has all of it, with the mode that the umask gives. */
	umask(022);
	REQUIRE(!kma_outfile_create(path, KMA_OUTFILE_USUAL, &out));
	fputs("whole", kma_outfile_stream(out));
	EXPECT(!kma_outfile_commit(out));
	kma_outfile_destroy(out);
	EXPECT_EQ(files_in(dir), 1);
	REQUIRE(!kma_file_slurp(path, &text, &len));
	EXPECT_STR(text, "whole");
	EXPECT_EQ(len, 5);
	free(text);
	EXPECT(!stat(path, &st));
	EXPECT_EQ(st.st_mode & 0777, 0644);

	/* Dropped beside an old one: the old one stays. */
	REQUIRE(!kma_outfile_create(path, KMA_OUTFILE_USUAL, &out));
	fputs("other", kma_outfile_stream(out));
	kma_outfile_destroy(out);
	REQUIRE(!kma_file_slurp(path, &text, &len));
	EXPECT_STR(text, "whole");
	free(text);
	EXPECT(!unlink(path));
	EXPECT(!rmdir(dir));
}

TEST(files_that_cannot_be)
{
	static const char *const in[] = { "/nonexistent/file", "/" };
	static const char *const out[] = { "/nonexistent/file", "/" };
	struct kma_outfile *file;
	struct kma_err *err;
	char *text;
	size_t len;

	for (size_t i = 0; i < ARRAY_SIZE(in); i++) {
		err = kma_file_slurp(in[i], &text, &len);
		REQUIRE(err);
		EXPECT_STR(err->file, in[i]);
		kma_err_destroy(err);
		err = kma_outfile_create(out[i], KMA_OUTFILE_USUAL, &file);
		REQUIRE(err);
		EXPECT_STR(err->file, out[i]);
		kma_err_destroy(err);
	}
}

/* Notes without a sentence have no buffer. */
TEST(notes_move)
{
	struct kma_notes from = { 0 }, to = { 0 };
	const char *note;

	kma_notes_move(&from, &to);
	EXPECT(!kma_notes_next(&to, NULL));
	kma_notes_add(&from, "%d", 1);
	kma_notes_move(&from, &to);
	kma_notes_move(&from, &to);
	note = kma_notes_next(&to, NULL);
	EXPECT(note && !strcmp(note, "1") && !kma_notes_next(&to, note));
	kma_notes_deinit(&to);
}

/* The examples of RFC 4648, section 10, and bytes that need each digit of both halves. */
TEST(base64)
{
	static const struct {
		const char *bytes, *text;
	} examples[] = {
		{ "", "" },
		{ "f", "Zg==" },
		{ "f\x6f", "Zm8=" },
		{ "foo", "Zm9v" },
		{ "foob", "Zm9vYg==" },
		{ "fooba", "Zm9vYmE=" },
		{ "foobar", "Zm9vYmFy" },
		{ "\xfb\xff\xbf\xfb\xef\xbe", "+/+/++++" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(examples); i++) {
		_cleanup_strbuf_ struct kma_strbuf text = { 0 }, bytes = { 0 };

		kma_base64_encode(examples[i].bytes, strlen(examples[i].bytes), &text);
		EXPECT_STR(text.str ?: "", examples[i].text);
		EXPECT(kma_base64_decode(examples[i].text, strlen(examples[i].text), &bytes));
		EXPECT_STR(bytes.str ?: "", examples[i].bytes);
	}
}

TEST(base64_refused)
{
	/* too short, white space, digits of base64url, '=' elsewhere, bits that no byte has */
	static const char *const texts[] = {
		"Zg",	"Zg=",	    "Zg==\n", "Zm9 ", "Z\n9v", "-_-_", "====",
		"Z===", "Zg==Zm9v", "Zg=v",   "Z=9v", "Zh==",  "Zm9=", "Zm\xffv",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		_cleanup_strbuf_ struct kma_strbuf bytes = { 0 };

		EXPECT(!kma_base64_decode(texts[i], strlen(texts[i]), &bytes));
	}
}

/* A program that ends for lack of memory leaves the terminal as it was, and then says why. */
TEST(the_terminal_is_restored)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave, status = 0;
	struct termios before, after;
	char got[256] = "";
	const char *left;
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	REQUIRE(master >= 0 && !grantpt(master) && !unlockpt(master));
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	REQUIRE(slave >= 0 && !tcgetattr(slave, &before));
	pid = fork();
	if (!pid) {
		struct termios raw = before;

		dup2(slave, STDERR_FILENO);
		kma_atend_signals();
		kma_atend_terminal(slave, &before, "LEAVE");
		cfmakeraw(&raw);
		tcsetattr(slave, TCSANOW, &raw);
		kma_atend_no_memory();
	}
	EXPECT_EQ(waitpid(pid, &status, 0), pid);
	EXPECT_EQ(status, 1 << 8);
	tcgetattr(slave, &after);
	EXPECT_EQ(after.c_iflag, before.c_iflag);
	EXPECT_EQ(after.c_oflag, before.c_oflag);
	EXPECT_EQ(after.c_cflag, before.c_cflag);
	EXPECT_EQ(after.c_lflag, before.c_lflag);
	fcntl(master, F_SETFL, O_NONBLOCK);
	while (len < sizeof(got) - 1 && (n = read(master, got + len, sizeof(got) - 1 - len)) > 0)
		len += n;
	left = strstr(got, "LEAVE");
	EXPECT(left == got);
	EXPECT(left && strstr(left, ": out of memory"));
	close(slave);
	close(master);
}

TEST_MAIN()
