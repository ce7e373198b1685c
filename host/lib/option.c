// SPDX-License-Identifier: GPL-2.0-only
/*
 * option.c - read command lines by tables.
 *
 * There are two passes: getopt_long() sorts the words of the command line, then the values are
 * converted. A command whose options depend on its arguments (diff of accounts, diff of trees)
 * therefore knows its arguments when values are converted.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "choice.h"
#include "cleanup.h"
#include "file.h"
#include "option.h"
#include "strbuf.h"

/* getopt_long() returns this plus the index in the table for a long option. */
#define KMA_OPTION_LONG 256

/* The words that call a command, for "%s%s". */
#define PROGRAM(cmd) (cmd)->program ? "" : "kmem-account ", (cmd)->program ?: (cmd)->name

/* A command line that is being read. */
struct kma_option_line {
	const struct kma_cmd *cmd;
	struct kma_option_form form;   /* that was chosen by the arguments; 0: all */
	struct kma_option_given *list; /* options in the order of the command line */
	size_t nr;
	const char *argument; /* the first word that is not an option, or NULL */
};

static const char *prefix(const struct kma_cmd *cmd)
{
	return cmd->bare ? NULL : cmd->name;
}

static struct kma_err *usage_error(const char *command, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static struct kma_err *usage_error(const char *command, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = kma_xvasprintf(fmt, ap);
	va_end(ap);
	return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0, "%s%s%s", command ?: "",
				   command ? ": " : "", text);
}

struct kma_err *kma_option_invalid(const struct kma_option_given *given, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = kma_xvasprintf(fmt, ap);
	va_end(ap);
	return usage_error(given->command, "invalid %s '%s' (expected %s)", given->name,
			   given->value, text);
}

struct kma_err *kma_option_outputs(const char *command, const struct kma_option_output *list,
				   size_t nr)
{
	for (size_t i = 1; i < nr; i++)
		for (size_t j = 0; j < i; j++)
			if (list[i].path && list[j].path &&
			    kma_file_same(list[i].path, list[j].path))
				return usage_error(
					command,
					"%s '%s' and %s '%s' are the same file; use another name for one of them",
					list[j].name, list[j].path, list[i].name, list[i].path);
	return NULL;
}

/*
 * Make the error for a number that is out of range: "expected 1 to 64 levels". A minimum of 1 ns
 * stands for "more than 0".
 */
static struct kma_err *out_of_range(const struct kma_option_given *given, const char *examples)
{
	const struct kma_option *opt = given->option;
	uint64_t scale = opt->scale ?: 1;
	char low[32] = "more than 0 and up";

	if (!opt->min || opt->min >= scale)
		snprintf(low, sizeof(low), "%" PRIu64, opt->min / scale);
	else if (opt->min > 1)
		snprintf(low, sizeof(low), "%g", (double)opt->min / scale);
	return kma_option_invalid(given, "%s to %" PRIu64 " %s%s", low, opt->max / scale,
				  opt->unit ?: "bytes", examples);
}

/*
 * Parse digits and an optional letter for a power of @base. False if the text has another form, or
 * the number exceeds 64 bits.
 */
static bool parse_number(const char *text, unsigned int base, uint64_t *ret)
{
	static const char letters[] = "KMGT";
	const char *letter;
	char *end;

	errno = 0;
	*ret = strtoull(text, &end, 10);
	if (errno || !isdigit((unsigned char)*text))
		return false;
	letter = *end ? strchr(letters, toupper((unsigned char)*end)) : NULL;
	if (letter) {
		for (long i = 0; i <= letter - letters; i++)
			if (__builtin_mul_overflow(*ret, base, ret))
				return false;
		end++;
		if (base == 1024 && toupper((unsigned char)end[0]) == 'I' &&
		    toupper((unsigned char)end[1]) == 'B')
			end += 2;
	}
	return !*end;
}

bool kma_option_size(const char *text, uint64_t *ret)
{
	return parse_number(text, 1024, ret);
}

/* Parse a number within the limits of its option; a letter stands for a power of @base. */
static struct kma_err *convert_whole(const struct kma_option_given *given, unsigned int base,
				     const char *examples, uint64_t *ret)
{
	const struct kma_option *opt = given->option;
	uint64_t number;

	if (!parse_number(given->value, base, &number) || number < opt->min || number > opt->max)
		return out_of_range(given, examples);
	*ret = number;
	return NULL;
}

static struct kma_err *convert_count(const struct kma_option_given *given, unsigned long *ret)
{
	uint64_t number = 0;
	struct kma_err *err = convert_whole(given, 1000, "", &number);

	if (err)
		return err;
	*ret = number;
	return NULL;
}

static struct kma_err *convert_time(const struct kma_option_given *given, uint64_t *ret)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },
		{ "us", KMA_OPTION_US },
		{ "ms", 1000 * KMA_OPTION_US },
		{ "s", KMA_OPTION_SECOND },
		{ "m", 60 * KMA_OPTION_SECOND },
		{ "h", 3600 * KMA_OPTION_SECOND },
		{ "d", 86400 * KMA_OPTION_SECOND },
	};
	const struct kma_option *opt = given->option;
	const char *value = given->value;
	uint64_t scale = opt->scale;
	double number;
	char *end;

	number = strtod(value, &end);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(end, units[i].name)) {
			scale = units[i].ns;
			end += strlen(end);
		}
	number *= scale;
	if (!isdigit((unsigned char)*value) || *end || number < opt->min || number > opt->max)
		return out_of_range(given, ", as 2, 0.5 or 500ms");
	*ret = number + 0.5;
	return NULL;
}

struct kma_err *kma_option_seconds(const char *command, const char *name, const char *text,
				   uint64_t *ret)
{
	static const struct kma_option seconds = { .scale = KMA_OPTION_SECOND,
						   .max = KMA_OPTION_SECONDS_MAX,
						   .unit = "seconds" };
	struct kma_option_given given = { .option = &seconds, .command = command, .value = text };

	snprintf(given.name, sizeof(given.name), "%s", name);
	return convert_time(&given, ret);
}

static const char *name_at(const struct kma_option *opt, size_t i)
{
	return *(const char *const *)((const char *)opt->names + i * opt->stride);
}

struct kma_err *kma_option_no_name(const struct kma_option_given *given, const char *value,
				   uint64_t set, const char *more)
{
	_cleanup_choice_ struct kma_choice choice = { .word = value };
	const struct kma_option *opt = given->option;
	size_t nr = opt->nr_names;

	while (nr && !(name_at(opt, nr - 1) && set >> (nr - 1) & 1))
		nr--;
	for (size_t i = 0; i < nr; i++)
		if (name_at(opt, i) && set >> i & 1)
			kma_choice_add(&choice, name_at(opt, i), i + 1 == nr ? " or " : NULL);
	return usage_error(given->command, "invalid %s '%s' (%s%s)", given->name, value,
			   kma_choice_text(&choice), more);
}

static struct kma_err *convert_name(const struct kma_option_given *given, unsigned int *ret)
{
	const struct kma_option *opt = given->option;

	for (size_t i = opt->min; i < opt->nr_names; i++) {
		const char *name = name_at(opt, i);

		if (name && !strcmp(name, given->value)) {
			*ret = i;
			return NULL;
		}
	}
	return kma_option_no_name(given, given->value, UINT64_MAX << opt->min, "");
}

static struct kma_err *store(const struct kma_option_given *given, void *ret)
{
	const struct kma_option *opt = given->option;
	void *member = opt->variable ?: (char *)ret + opt->member;

	if (opt->given)
		*(bool *)((char *)ret + opt->given) = true;
	switch (opt->type) {
	case KMA_OPTION_FLAG:
		*(bool *)member = true;
		break;
	case KMA_OPTION_BITS:
		*(unsigned int *)member |= opt->min;
		break;
	case KMA_OPTION_TEXT:
		*(const char **)member = given->value;
		break;
	case KMA_OPTION_COUNT:
		return convert_count(given, member);
	case KMA_OPTION_SIZE:
		return convert_whole(given, 1024, ", as 4096, 64K or 1MiB", member);
	case KMA_OPTION_TIME:
		return convert_time(given, member);
	case KMA_OPTION_NAME:
		return convert_name(given, member);
	case KMA_OPTION_OWN:
		return opt->convert(given, member);
	}
	return NULL;
}

/* Rows of a table, which ends with a row without a name. */
#define for_each_option(opt, cmd) \
	for (const struct kma_option *opt = (cmd)->options; opt->name; opt++)

/* The row with this name of a form, or the first one that all forms have; NULL: none. 0: any form. */
static const struct kma_option *find(const struct kma_cmd *cmd, unsigned int form, const char *name)
{
	const struct kma_option *found = NULL;

	for_each_option(opt, cmd) {
		if (strcmp(opt->name, name))
			continue;
		if (opt->forms & form)
			return opt;
		if (!found && (!opt->forms || !form))
			found = opt;
	}
	return found;
}

/* Is a name one of a list of names, which are separated by blanks? */
static bool is_listed(const char *list, const char *name)
{
	size_t len = strlen(name), nr;

	for (; list && *list; list += nr + (list[nr] == ' ')) {
		nr = strcspn(list, " ");
		if (nr == len && !strncmp(list, name, len))
			return true;
	}
	return false;
}

/* Append a letter in the form of getopt(3). Return: the end of the text. */
static char *add_letter(char *letters, char letter, bool has_value)
{
	if (letter)
		*letters++ = letter;
	if (letter && has_value)
		*letters++ = ':';
	return letters;
}

/* Make the tables of getopt_long(). A name that has several rows occurs once. */
static void make_tables(const struct kma_cmd *cmd, struct option *longs, char *letters)
{
	if (cmd->stops)
		*letters++ = '+';
	*letters++ = ':'; /* distinguishes a missing value from an unknown option */
	for_each_option(opt, cmd) {
		if (!*opt->name || find(cmd, 0, opt->name) != opt)
			continue;
		*longs++ = (struct option){ opt->name, opt->arg ? required_argument : no_argument,
					    NULL, KMA_OPTION_LONG + (opt - cmd->options) };
		letters = add_letter(letters, opt->letter, opt->arg);
		letters = add_letter(letters, opt->alias, opt->arg);
	}
	memset(longs, 0, sizeof(*longs));
	*letters = '\0';
}

static const struct kma_option *row_of(const struct kma_cmd *cmd, int c)
{
	if (c >= KMA_OPTION_LONG)
		return &cmd->options[c - KMA_OPTION_LONG];
	for_each_option(opt, cmd)
		if (opt->letter == c || opt->alias == c)
			return opt;
	return NULL;
}

/*
 * Make the error for a word that getopt_long() refuses: an ambiguous abbreviation, a value for an
 * option without one, or an unknown option.
 */
static struct kma_err *refuse_word(const struct kma_cmd *cmd, const char *word)
{
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };
	_cleanup_choice_ struct kma_choice near = { .word = word + strspn(word, "-") };
	char letter[] = { '-', optopt, '\0' };
	size_t nr = 0, len = strcspn(word, "=");

	if (optopt > 0 && optopt < KMA_OPTION_LONG)
		return usage_error(prefix(cmd), "unknown option %s; see %s%s --help", letter,
				   PROGRAM(cmd));
	for_each_option(opt, cmd) {
		if (len < 3 || strncmp(word, "--", 2) || strncmp(opt->name, word + 2, len - 2) ||
		    find(cmd, 0, opt->name) != opt)
			continue;
		nr++;
		if (opt->help)
			kma_strbuf_printf(&names, "%s--%s", names.len ? ", " : "", opt->name);
	}
	if (nr > 1)
		return usage_error(prefix(cmd), "ambiguous option %.*s (expected %s)", (int)len,
				   word, names.str);
	if (nr)
		return usage_error(prefix(cmd), "%.*s takes no value", (int)len, word);
	for_each_option(opt, cmd)
		if (opt->help)
			kma_choice_add(&near, opt->name, NULL);
	return usage_error(prefix(cmd), "unknown option %s%s%s%s; see %s%s --help", word,
			   near.nearest ? " (did you mean --" : "", near.nearest ?: "",
			   near.nearest ? "?)" : "", PROGRAM(cmd));
}

/* The first pass: list the options that are given, with their texts. */
static struct kma_err *sort_words(struct kma_option_line *line, int argc, char **argv,
				  const struct option *longs, const char *letters)
{
	const struct kma_cmd *cmd = line->cmd;
	int c;

	opterr = 0;
	optind = 1;
	while ((c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		struct kma_option_given *given = &line->list[line->nr];

		if (c == '?')
			return refuse_word(cmd, argv[optind - 1]);
		*given = (struct kma_option_given){
			.option = row_of(cmd, c == ':' ? optopt : c),
			.command = prefix(cmd),
			.value = optarg,
		};
		if (c == ':' && !given->option->optional)
			return usage_error(prefix(cmd), "%s needs a value", argv[optind - 1]);
		if (c == ':')
			given->value = NULL;
		else if (given->option->optional && optarg == argv[optind - 1] &&
			 optarg[0] == '-' && optarg[1]) {
			given->value = NULL;
			optind--;
		}
		if (c != ':' && c < KMA_OPTION_LONG)
			snprintf(given->name, sizeof(given->name), "-%c", c);
		else
			snprintf(given->name, sizeof(given->name), "--%s", given->option->name);
		line->nr++;
	}
	return NULL;
}

/* The last option with this name on the command line; NULL: it is not given. */
static const struct kma_option_given *is_given(const struct kma_option_line *line, const char *name)
{
	for (size_t i = line->nr; i--;)
		if (!strcmp(line->list[i].option->name, name))
			return &line->list[i];
	return NULL;
}

static struct kma_err *check_excludes(const struct kma_option_line *line,
				      const struct kma_option_given *one)
{
	const char *names = one->option->excludes, *command = prefix(line->cmd);
	const struct kma_option_given *other;

	if (is_listed(names, KMA_OPTION_ARGUMENTS) && line->argument)
		return usage_error(command, "%s cannot be combined with the input %s", one->name,
				   line->argument);
	for_each_option(opt, line->cmd) {
		other = is_listed(names, opt->name) ? is_given(line, opt->name) : NULL;
		if (other)
			return usage_error(command, "%s cannot be combined with %s", one->name,
					   other->name);
	}
	return NULL;
}

/* The message names what is needed: "-k DIR or --vmlinux FILE", "--format csv". */
static struct kma_err *check_needs(const struct kma_option_line *line,
				   const struct kma_option_given *one)
{
	const char *names = one->option->needs, *value = one->option->needs_value;
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };

	for_each_option(opt, line->cmd) {
		const struct kma_option_given *other;
		char letter[] = { opt->letter, '\0' };

		if (!is_listed(names, opt->name) ||
		    find(line->cmd, line->form.form, opt->name) != opt)
			continue;
		other = is_given(line, opt->name);
		if (other && (!value || !strcmp(other->value, value)))
			return NULL;
		kma_strbuf_printf(&text, "%s%s%s%s%s", text.len ? " or " : "",
				  opt->letter ? "-" : "--", opt->letter ? letter : opt->name,
				  opt->arg ? " " : "",
				  value		   ?:
					  opt->arg ?:
						     "");
	}
	if (!text.len)
		return NULL;
	return usage_error(prefix(line->cmd), "%s needs %s", one->name, text.str);
}

/* The second pass: choose the commands by the arguments, find the rows, and convert the values. */
static struct kma_err *convert_all(struct kma_option_line *line, char *const *args, int nr,
				   void *ret)
{
	const struct kma_cmd *cmd = line->cmd;
	struct kma_err *err = NULL;

	if (cmd->choose)
		cmd->choose(args, nr, &line->form);
	line->argument = nr ? args[0] : NULL;
	for (size_t i = 0; i < line->nr; i++) {
		struct kma_option_given *given = &line->list[i];

		if (is_listed(line->form.lacks, given->option->name))
			return usage_error(prefix(cmd), "%s %s", given->name, line->form.refusal);
		given->option = find(cmd, line->form.form, given->option->name);
	}
	for (size_t i = 0; i < line->nr; i++) {
		err = store(&line->list[i], ret);
		if (err)
			return err;
	}
	for_each_option(opt, cmd) {
		const struct kma_option_given *one = is_given(line, opt->name);

		if (!one || one->option != opt)
			continue;
		err = check_excludes(line, one) ?: check_needs(line, one);
		if (err)
			return err;
	}
	if (nr > 0 && (unsigned int)nr > cmd->most)
		return usage_error(prefix(cmd), "too many arguments: %s", args[cmd->most]);
	return NULL;
}

static bool is_typed(const struct kma_option *opt, const char *name)
{
	if (name[0] != '-' || !name[1])
		return false;
	if (name[1] == '-')
		return !strcmp(opt->name, name + 2);
	return !name[2] && (name[1] == opt->letter || name[1] == opt->alias);
}

void kma_option_words(const struct kma_cmd *cmd, const char *name)
{
	for_each_option(opt, cmd) {
		bool listed = opt->type == KMA_OPTION_NAME;
		const char *array = opt->names;

		if (!is_typed(opt, name))
			continue;
		for (size_t n = listed ? opt->min : 0; n < opt->nr_names; n++) {
			const char *word = *(const char *const *)(array + n * opt->stride);

			if (word && (listed || !opt->min || opt->min >> n & 1))
				puts(word);
		}
	}
}

static void print_text(const char *text, unsigned int indent)
{
	for (const char *end; (end = strchr(text, '\n')); text = end + 1)
		printf("%.*s\n%*s", (int)(end - text), text, indent, "");
	printf("%s\n", text);
}

static void print_help(const struct kma_cmd *cmd)
{
	bool sizes = false, times = false;
	int width = cmd->width ?: 17;

	printf("Usage: %s%s %s\n%s\n\n", PROGRAM(cmd), cmd->usage, cmd->about);
	for_each_option(opt, cmd) {
		char name[48], letter[] = "   ";

		if (!opt->help)
			continue;
		if (!*opt->name) {
			printf("%s%s:\n", opt == cmd->options ? "" : "\n", opt->help);
			continue;
		}
		sizes |= opt->type == KMA_OPTION_SIZE;
		times |= opt->type == KMA_OPTION_TIME;
		snprintf(name, sizeof(name), "--%s%s%s", opt->name, opt->arg ? " " : "",
			 opt->arg ?: "");
		if (opt->letter)
			snprintf(letter, sizeof(letter), "-%c,", opt->letter);
		printf("  %s %-*s", letter, width, name);
		/* A name that is too long for its column has a line of its own. */
		if (strlen(name) > (size_t)width)
			printf("\n%*s", 8 + width, "");
		else
			printf("  ");
		print_text(opt->help, 8 + width);
	}
	if (sizes || times)
		printf("\n%s%s%s.\n", sizes ? "Sizes may be 4096, 64K or 1MiB" : "",
		       sizes && times ? "; times " :
		       times	      ? "Times " :
					"",
		       times ? "may be 2, 0.5, 500ms or 3m" : "");
	if (cmd->more)
		cmd->more();
	if (cmd->examples)
		printf("\nExamples:\n%s", cmd->examples);
}

struct kma_err *kma_option_read(const struct kma_cmd *cmd, int argc, char **argv, void *ret,
				int *ret_first)
{
	struct kma_option_line line = { .cmd = cmd };
	_cleanup_free_ struct option *longs = NULL;
	_cleanup_free_ char *letters = NULL;
	struct kma_err *err;
	size_t nr = 1;

	for_each_option(opt, cmd)
		nr++;
	longs = kma_xcalloc(nr, sizeof(*longs));
	letters = kma_xcalloc(4, nr);
	/* "-abc" is three options. */
	for (int i = 1; i < argc; i++)
		line.nr += strlen(argv[i]);
	line.list = kma_xcalloc(line.nr + 1, sizeof(*line.list));
	line.nr = 0;
	make_tables(cmd, longs, letters);
	err = sort_words(&line, argc, argv, longs, letters);
	*ret_first = 0;
	if (!err && is_given(&line, "help")) {
		print_help(cmd);
	} else if (!err) {
		*ret_first = optind;
		err = convert_all(&line, argv + optind, argc - optind, ret);
	}
	if (err)
		*ret_first = 0;
	free(line.list);
	return err;
}
