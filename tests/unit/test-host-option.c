// SPDX-License-Identifier: GPL-2.0-only
/*
 * Command lines by tables: types, ranges, units, aliases, what excludes or needs what, choices.
 */
#include <stdlib.h>

#include "ktap.h"
#include "lib/cleanup.h"
#include "lib/option.h"

enum { ONE = 1, TWO = 2 };

struct values {
	int first; /* no option is at offset 0 */
	bool flag, has_count;
	unsigned int bits, name;
	const char *text;
	unsigned long count;
	uint64_t size, time;
};

static const char *const names[] = { "red", "green", "blue" };

#define AT(m)		  offsetof(struct values, m)
#define TO(kind, m)	  KMA_OPTION_TO(kind, struct values, m)
#define TO_NAME(m, array) KMA_OPTION_TO_NAME(struct values, m, array)

static const struct kma_option table[] = {
	KMA_OPTION_HEADING("Words"),
	{ "flag", 'f', .forms = ONE, TO(FLAG, flag), .excludes = KMA_OPTION_ARGUMENTS, .help = "a flag" },
	{ "flag", 'f', .forms = TWO, TO(FLAG, flag), .help = "another flag" },
	{ "first", .forms = ONE, TO(BITS, bits), .min = 1, .excludes = "second", .help = "a bit" },
	/* hidden: makes --f ambiguous, but is not offered */
	{ "former", .forms = ONE, TO(BITS, bits), .min = 4 },
	{ "second", .forms = ONE, TO(BITS, bits), .min = 2 },
	{ "text", 't', 'x', .arg = "T", .forms = ONE, TO(TEXT, text) },
	{ "maybe", 'm', .optional = true, .arg = "[T]", .forms = ONE, TO(TEXT, text),
	  .given = AT(flag) },
	{ "count", 'c', .arg = "N", .forms = ONE, TO(COUNT, count), .given = AT(has_count), .min = 2,
	  .max = 5000, .unit = "apples" },
	{ "count", 'c', .arg = "N", .forms = TWO, TO(COUNT, count), .min = 1, .max = 9,
	  .unit = "pears" },
	{ "size", .arg = "B", .forms = ONE, TO(SIZE, size), .max = UINT64_MAX },
	{ "time", .arg = "S", .forms = ONE, TO(TIME, time), .min = 1,
	  .max = 100 * 86400 * KMA_OPTION_SECOND, .scale = KMA_OPTION_SECOND, .unit = "seconds" },
	{ "colour", .arg = "C", .forms = ONE, .min = 1, TO_NAME(name, names),
	  .needs = "text size" },
	{ "format", .arg = "F", TO(TEXT, text) },
	{ "safe", TO(FLAG, flag), .needs = "nosuch format", .needs_value = "csv" },
	KMA_OPTION_END
};

static void choose(char *const *args, int nr, struct kma_option_form *ret)
{
	bool two = nr && !strcmp(args[0], "two");

	*ret = (struct kma_option_form){ two ? TWO : ONE,
					 two ? "first second text maybe size time colour" : "",
					 "is not for this" };
}

static const struct kma_cmd cmd = {
	.name = "test",
	.program = "the test",
	.usage = "",
	.about = "",
	.options = table,
	.most = 2,
	.choose = choose,
};

/* Reads a line of words; the message of the error, to be freed, or NULL. */
static char *read_line(const char *line, struct values *ret, int *ret_first)
{
	char *copy = strdup(line), *save = NULL, *argv[16] = { (char *)"test" }, *message = NULL;
	struct kma_err *err;
	int argc = 1;

	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
		argv[argc++] = word;
	memset(ret, 0, sizeof(*ret));
	err = kma_option_read(&cmd, argc, argv, ret, ret_first);
	if (ret->text)
		ret->text = line + (ret->text - copy); /* in @line, which stays */
	if (err) {
		message = strdup(kma_err_is(err, KMA_ERR_USAGE) ? err->message : "no usage error");
		kma_err_destroy(err);
	}
	free(copy);
	return message;
}

static void accepts(const char *line, struct values *ret)
{
	_cleanup_free_ char *message = NULL;
	int first;

	message = read_line(line, ret, &first);
	EXPECT_STR(message ?: "", "");
	EXPECT(message || first);
}

static void refuses(const char *line, const char *want)
{
	_cleanup_free_ char *message = NULL;
	struct values values;
	int first;

	message = read_line(line, &values, &first);
	EXPECT_STR(message ?: "accepted", want);
	EXPECT_EQ(first, 0);
}

TEST(types)
{
	struct values v;

	accepts("-f --first --text=abc -c 7 --size 12 --time 2", &v);
	EXPECT(v.flag && v.has_count);
	EXPECT_EQ(v.bits, 1);
	EXPECT(!strncmp(v.text, "abc", 3));
	EXPECT_EQ(v.count, 7);
	EXPECT_EQ(v.size, 12);
	EXPECT_EQ(v.time, 2 * KMA_OPTION_SECOND);
	accepts("-x abc --colour blue", &v);
	EXPECT_EQ(v.name, 2);
	EXPECT(!strncmp(v.text, "abc", 3));
	accepts("-c 5 arg -c 6", &v);
	EXPECT_EQ(v.count, 6);
}

TEST(units)
{
	static const struct {
		const char *line;
		uint64_t size;
	} sizes[] = {
		{ "--size 0", 0 },
		{ "--size 1k", 1024 },
		{ "--size 1K", 1024 },
		{ "--size 3KiB", 3072 },
		{ "--size 3kib", 3072 },
		{ "--size 2m", 2 << 20 },
		{ "--size 1G", 1 << 30 },
		{ "--size 4T", 4ULL << 40 },
		{ "--size 18446744073709551615", UINT64_MAX },
	};
	static const struct {
		const char *line;
		uint64_t ns;
	} times[] = {
		{ "--time 0.25", 250000000 },	{ "--time 1ns", 1 },
		{ "--time 3us", 3000 },		{ "--time 1.5ms", 1500000 },
		{ "--time 1s", 1000000000 },	{ "--time 2m", 120000000000 },
		{ "--time 1h", 3600000000000 }, { "--time 100d", 8640000000000000 },
		{ "--time 0.0003", 300000 },
	};
	struct values v;

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		accepts(sizes[i].line, &v);
		EXPECT_EQ(v.size, sizes[i].size);
	}
	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		accepts(times[i].line, &v);
		EXPECT_EQ(v.time, times[i].ns);
	}
	accepts("--count 2K", &v);
	EXPECT_EQ(v.count, 2000);
}

static void no_value(const char *option, const char *value, const char *range)
{
	char line[64], want[160];

	snprintf(line, sizeof(line), "%s %s", option, value);
	snprintf(want, sizeof(want), "test: invalid %s '%s' (expected %s)", option, value, range);
	refuses(line, want);
}

static void no_size(const char *value)
{
	no_value("--size", value, "0 to 18446744073709551615 bytes, as 4096, 64K or 1MiB");
}

static void no_time(const char *value)
{
	no_value("--time", value, "more than 0 and up to 8640000 seconds, as 2, 0.5 or 500ms");
}

TEST(ranges)
{
	static const char *const values[] = { "1",  "5001", "x",
					      "-2", "+3",   "2x",
					      "6K", "2Ki",  "99999999999999999999" };

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		no_value("-c", values[i], "2 to 5000 apples");
	refuses("--cou 1", "test: invalid --count '1' (expected 2 to 5000 apples)");
	no_size("16777216T");
	no_size("1KB");
	no_size("-1");
	no_time("0");
	no_time("101d");
	no_time("nan");
	/* Names before the first place are not offered. */
	refuses("-t x --colour red", "test: invalid --colour 'red' (expected green or blue)");
}

TEST(unknown)
{
	refuses("-z", "test: unknown option -z; see the test --help");
	refuses("-fz", "test: unknown option -z; see the test --help");
	refuses("--zoo", "test: unknown option --zoo; see the test --help");
	refuses("--flag=1", "test: --flag takes no value");
	refuses("--f", "test: ambiguous option --f (expected --flag, --first)");
	refuses("--count", "test: --count needs a value");
	refuses("-c", "test: -c needs a value");
}

TEST(optional_values)
{
	struct values v;

	accepts("-m abc", &v);
	EXPECT(v.flag && v.text && !strncmp(v.text, "abc", 3));
	accepts("-m", &v);
	EXPECT(v.flag && !v.text);
	accepts("-m -c 3", &v);
	EXPECT(v.flag && !v.text);
	EXPECT_EQ(v.count, 3);
	accepts("-m -", &v);
	EXPECT(v.flag && v.text && *v.text == '-');
}

TEST(relations)
{
	struct values v;

	refuses("--first --second", "test: --first cannot be combined with --second");
	refuses("--second --first", "test: --first cannot be combined with --second");
	refuses("-f in", "test: -f cannot be combined with the input in");
	refuses("--colour blue", "test: --colour needs -t T or --size B");
	accepts("--colour blue --size 1", &v);
	/* an option of the table that does not exist is not offered */
	refuses("--safe", "test: --safe needs --format csv");
	refuses("--safe --format json", "test: --safe needs --format csv");
	refuses("--safe --format csvx", "test: --safe needs --format csv");
	accepts("--format json --safe --format csv", &v);
	refuses("a b c d", "test: too many arguments: c");
}

/* The arguments choose the row; one that the others have is refused. */
TEST(choices)
{
	struct values v;

	accepts("-c 9 two", &v);
	EXPECT_EQ(v.count, 9);
	refuses("two -c 10", "test: invalid -c '10' (expected 1 to 9 pears)");
	refuses("two -x a", "test: -x is not for this");
	/* The other form excludes the argument. */
	accepts("-f two", &v);
}

TEST(help_converts_nothing)
{
	_cleanup_free_ char *message = NULL;
	struct values v;
	int first = -1;

	message = read_line("-c x --help", &v, &first);
	EXPECT(!message);
	EXPECT_EQ(first, 0);
}

TEST_MAIN()
