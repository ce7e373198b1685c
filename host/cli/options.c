// SPDX-License-Identifier: GPL-2.0
/*
 * options.c - the table of options, and the command line by it.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "conflict.h"
#include "lib/cleanup.h"
#include "lib/file.h"
#include "options.h"
#include "session/kernel.h"
#include "session/options.h"
#include "view/text/view.h"

enum kma_option_kind {
	KMA_OPT_STRING,
	KMA_OPT_LIST,
	KMA_OPT_NUMBER,
	KMA_OPT_SIZE,
	KMA_OPT_TIME,
	KMA_OPT_FLAG
};

struct kma_option {
	const char *name;	   /* --name */
	char letter;		   /* -l, or 0 */
	const char *arg;	   /* name of its value in the help */
	unsigned int cmds;	   /* commands that have it */
	enum kma_option_kind kind; /* of the member */
	size_t member;		   /* of struct kma_options */
	unsigned long min, max;	   /* of a number; of size and time, min is its flag's member */
	const char *unit;	   /* of a number, for the message that it is out of range */
	const char *help;	   /* lines are broken by hand */
};

#define KMA_CHARTS (KMA_CMD_RINGS | KMA_CMD_TREEMAP | KMA_CMD_ICICLE)
#define KMA_DRAWS  (KMA_CMD_DIFF | KMA_CMD_STATIC)
#define KMA_DRAWN  (KMA_CHARTS | KMA_DRAWS)
#define KMA_BOTH   (KMA_CMD_REPORT | KMA_CHARTS)
#define KMA_SHOWN  (KMA_BOTH | KMA_CMD_DIFF)
#define KMA_LISTS  (KMA_CMD_REPORT | KMA_CMD_DIFF)
#define KMA_TABLES (KMA_LISTS | KMA_CMD_STATIC)
#define KMA_ALL	   (KMA_SHOWN | KMA_CMD_DB | KMA_CMD_STATIC)
/* Of logs alone. */
#define KMA_READS	(KMA_CMD_CHECK | KMA_CMD_OBJECTS | KMA_CMD_TIMELINE)
#define KMA_LOGS	(KMA_BOTH | KMA_CMD_OBJECTS | KMA_CMD_TIMELINE)
#define KMA_OPT(m)	offsetof(struct kma_options, m)
#define KMA_SECONDS_MAX 1000000000 /* some 32 years; in ns it fits in 64 bits */
#define KMA_NEWLINE	"\n                         "

/* clang-format off */
static const struct kma_option kma_options[] = {
	{ "file", 'f', "ACCOUNT", KMA_BOTH, KMA_OPT_STRING, KMA_OPT(account), 0, 0, NULL,
	  "what to read, by its content: an account, a log, a DB file;" KMA_NEWLINE
	  "- is the standard input" },
	{ "file", 'f', "LOG", KMA_READS, KMA_OPT_STRING, KMA_OPT(account), 0, 0, NULL,
	  "event log of the module, as record writes it; - is the" KMA_NEWLINE
	  "standard input" },
	{ "db-file", 0, "FILE[@LABEL]", KMA_SHOWN, KMA_OPT_STRING, KMA_OPT(db_file), 0, 0, NULL,
	  "snapshot of a DB file, the newest without LABEL" },
	{ "save-db", 0, "FILE[@LABEL]", KMA_SHOWN, KMA_OPT_STRING, KMA_OPT(save_db), 0, 0, NULL,
	  "add what was read to a DB file as a snapshot" },
	{ "kernel", 'k', "DIR", KMA_SHOWN | KMA_CMD_TIMELINE, KMA_OPT_STRING, KMA_OPT(tree), 0, 0, NULL,
	  "built kernel tree (System.map, *.o) to find source files in" },
	{ "vmlinux", 0, "FILE", KMA_SHOWN | KMA_CMD_TIMELINE, KMA_OPT_STRING, KMA_OPT(vmlinux), 0, 0, NULL,
	  "vmlinux with debugging information (without, or a System.map or" KMA_NEWLINE
	  "kallsyms: names only); with -k in place of the tree's own" },
	{ "modules", 0, "DIR", KMA_SHOWN | KMA_CMD_TIMELINE, KMA_OPT_STRING, KMA_OPT(modules), 0, 0, NULL,
	  "with --vmlinux: where the modules with debugging information" KMA_NEWLINE
	  "are; default is where packages put them beside FILE" },
	{ "inlines", 0, "MODE", KMA_SHOWN | KMA_CMD_TIMELINE, KMA_OPT_STRING, KMA_OPT(inlines), 0, 0, NULL,
	  "with --vmlinux: bytes of an inlined function belong to the outer" KMA_NEWLINE
	  "function (default), to the inner one, or both are named" },
	{ "maintainers", 0, "FILE", KMA_TABLES | KMA_CMD_TIMELINE, KMA_OPT_STRING, KMA_OPT(maintainers), 0, 0, NULL,
	  "for --by subsystem: MAINTAINERS of the kernel; default is that" KMA_NEWLINE
	  "of the tree of -k" },
	{ "force", 0, NULL, KMA_SHOWN | KMA_CMD_TIMELINE, KMA_OPT_FLAG, KMA_OPT(force), 0, 0, NULL,
	  "use a kernel, and modules, of another build" },
	{ "by", 0, "KEY", KMA_LISTS | KMA_CMD_TIMELINE, KMA_OPT_STRING, KMA_OPT(by), 0, 0, NULL,
	  "a row is a caller, file, dir, line, function, module or subsystem" },
	{ "branch", 'b', "BRANCH", KMA_SHOWN | KMA_CMD_STATIC | KMA_CMD_TIMELINE, KMA_OPT_STRING, KMA_OPT(branch), 0, 0, NULL,
	  "begin at this directory or file (fs, fs/ext4)" },
	{ "kernel", 'k', "DIR", KMA_CMD_STATIC, KMA_OPT_STRING, KMA_OPT(tree), 0, 0, NULL,
	  "built kernel tree (*.o, .*.cmd); default is the current folder" },
	{ "image", 0, NULL, KMA_CMD_STATIC | KMA_CMD_DIFF, KMA_OPT_FLAG, KMA_OPT(image), 0, 0, NULL,
	  "of built trees: what is in vmlinux, to the byte, without" KMA_NEWLINE
	  "modules; what the linker merged, left out and added" },
	{ "by", 0, "KEY", KMA_CMD_STATIC, KMA_OPT_STRING, KMA_OPT(by), 0, 0, NULL,
	  "a row is a dir (default), file, subsystem, object, symbol," KMA_NEWLINE
	  "section or module" },
	{ "attr", 'a', "ATTR", KMA_CMD_STATIC, KMA_OPT_STRING, KMA_OPT(attr), 0, 0, NULL,
	  "static (default), text, rodata, data, bss, init, other" },
	{ "attr", 'a', "ATTR", KMA_SHOWN, KMA_OPT_STRING, KMA_OPT(attr), 0, 0, NULL,
	  "current_dynamic (default), requested, waste, allocs, frees;" KMA_NEWLINE
	  "or as in the account: total, req, slack, alloc, free" },
	{ "malloc", 0, NULL, KMA_SHOWN, KMA_OPT_FLAG, KMA_OPT(malloc), 0, 0, NULL,
	  "only what kmalloc allocated; goes with the three below" },
	{ "cache", 0, NULL, KMA_SHOWN, KMA_OPT_FLAG, KMA_OPT(cache), 0, 0, NULL,
	  "only what came from caches of their own" },
	{ "pages", 0, NULL, KMA_SHOWN, KMA_OPT_FLAG, KMA_OPT(pages), 0, 0, NULL,
	  "only pages" },
	{ "percpu", 0, NULL, KMA_SHOWN, KMA_OPT_FLAG, KMA_OPT(percpu), 0, 0, NULL,
	  "only per-CPU memory" },
	{ "sort", 'o', "KEY", KMA_CMD_REPORT | KMA_CMD_STATIC, KMA_OPT_STRING, KMA_OPT(sort), 0, 0, NULL,
	  "order of the rows, an ATTR; default is that of -a" },
	{ "columns", 0, "ATTR,...", KMA_CMD_REPORT | KMA_CMD_STATIC, KMA_OPT_STRING, KMA_OPT(columns), 0, 0, NULL,
	  "columns of a table, or all; csv and json have all" },
	{ "top", 0, "N", KMA_TABLES | KMA_READS, KMA_OPT_NUMBER, KMA_OPT(top), 1, 1000000000, "rows",
	  "show N rows, the others as one" },
	{ "format", 0, "FORMAT", KMA_TABLES | KMA_CMD_DB | KMA_READS, KMA_OPT_STRING, KMA_OPT(format), 0, 0, NULL,
	  "table (default), csv, json" },
	{ "bytes", 0, NULL, KMA_TABLES | KMA_CMD_DB | KMA_CMD_OBJECTS, KMA_OPT_FLAG, KMA_OPT(bytes), 0, 0, NULL,
	  "plain numbers in the table instead of KiB and MiB" },
	{ "output", 'O', "FILE", KMA_TABLES | KMA_CMD_DB | KMA_READS, KMA_OPT_STRING, KMA_OPT(output), 0, 0, NULL,
	  "write to FILE, which appears when it is complete" },
	{ "floor", 0, "BYTES", KMA_CMD_DIFF, KMA_OPT_SIZE, KMA_OPT(floor), KMA_OPT(has_floor), 0, NULL,
	  "gather rows that changed by less; 1 by default: the unchanged" },
	{ "fail-above", 0, "BYTES", KMA_CMD_DIFF, KMA_OPT_SIZE, KMA_OPT(fail_above),
	  KMA_OPT(has_fail_above), 0, NULL,
	  "exit with 3 when the total grew by more (64K, 1MiB, ...)" },
	{ "render", 'r', "FILE", KMA_DRAWN | KMA_CMD_TIMELINE, KMA_OPT_LIST, KMA_OPT(render), 0, 0, NULL,
	  "write FILE.svg, .png, .pdf or .html; may be given several times" },
	{ "chart", 0, "KIND", KMA_DRAWS, KMA_OPT_STRING, KMA_OPT(chart), 0, 0, NULL,
	  "with -r: rings (default), treemap or icicle" },
	{ "depth", 0, "N", KMA_TABLES | KMA_CMD_TIMELINE, KMA_OPT_NUMBER, KMA_OPT(depth), 1, 64, "levels",
	  "with --by dir: roll up directories below N levels" },
	{ "depth", 0, "N", KMA_CHARTS, KMA_OPT_NUMBER, KMA_OPT(depth), 1, 12, "levels",
	  "number of levels, 5 by default" },
	{ "width", 0, "PX", KMA_DRAWN | KMA_CMD_TIMELINE, KMA_OPT_NUMBER, KMA_OPT(width), 400, 8000, "pixels",
	  "width of the picture, 1600 by default" },
	{ "theme", 0, "THEME", KMA_DRAWN | KMA_CMD_TIMELINE, KMA_OPT_STRING, KMA_OPT(theme), 0, 0, NULL,
	  "colours: light (default), dark, or print with little ink" },
	{ "max-nodes", 0, "N", KMA_DRAWN, KMA_OPT_NUMBER, KMA_OPT(max_nodes), 1, 10000000, "nodes",
	  "that a page has, 50000 by default; the least are gathered" },
	{ "plain", 0, NULL, KMA_DRAWN, KMA_OPT_FLAG, KMA_OPT(plain), 0, 0, NULL,
	  "do not pack a page's data: for browsers from before 2023" },
	{ "title", 0, "TEXT", KMA_DRAWN | KMA_CMD_TIMELINE, KMA_OPT_STRING, KMA_OPT(title), 0, 0, NULL,
	  "heading of the picture" },
	{ "points", 0, "N", KMA_CMD_TIMELINE, KMA_OPT_NUMBER, KMA_OPT(points), 2, 100000, "samples",
	  "samples at least, up to twice as many; 250 by default" },
	{ "show", 0, "WHAT", KMA_CMD_OBJECTS, KMA_OPT_STRING, KMA_OPT(show), 0, 0, NULL,
	  "total, sizes, waste, lifetimes, sites, cpus, nodes or errors;" KMA_NEWLINE
	  "default is all" },
	{ "from", 0, "S", KMA_LOGS, KMA_OPT_TIME, KMA_OPT(interval.from), KMA_OPT(interval.is), 0, NULL,
	  "of an event log: count from S seconds after its beginning on" },
	{ "to", 0, "S", KMA_LOGS, KMA_OPT_TIME, KMA_OPT(interval.to), KMA_OPT(has_to), 0, NULL,
	  "of an event log: end there" },
	{ "quiet", 'q', NULL, KMA_ALL | KMA_READS, KMA_OPT_FLAG, KMA_OPT(quiet), 0, 0, NULL,
	  "no progress on the terminal while a large input is read" },
	{ "help", 'h', NULL, KMA_ALL | KMA_READS, KMA_OPT_FLAG, KMA_OPT(help), 0, 0, NULL,
	  "this text" },
};
/* clang-format on */

static struct kma_err *kma_option_number(const struct kma_cmd *cmd, const struct kma_option *opt,
					 const char *value, unsigned long *ret)
{
	char *end;

	errno = 0;
	*ret = strtoul(value, &end, 10);
	if (errno || end == value || *end || *value == '-' || *ret < opt->min || *ret > opt->max)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "%s: invalid --%s '%s' (expected %lu to %lu %s)",
					   cmd->name, opt->name, value, opt->min, opt->max,
					   opt->unit);
	return NULL;
}

/* Bytes: 4096, 64K, 1MiB; both K and KiB are 1024. */
static struct kma_err *kma_option_size(const struct kma_cmd *cmd, const struct kma_option *opt,
				       const char *value, struct kma_options *opts)
{
	static const char letters[] = "KMGT";
	const char *letter;
	unsigned int shift = 0;
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(value, &end, 10);
	letter = *end ? strchr(letters, *end == 'k' ? 'K' : *end) : NULL;
	if (letter) {
		shift = 10 * (letter - letters + 1);
		end += end[1] == 'i' && end[2] == 'B' ? 3 : 1;
	}
	if (errno || !isdigit((unsigned char)*value) || *end ||
	    number > (unsigned long)LONG_MAX >> shift)
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"%s: invalid --%s '%s' (expected 0 to %ld bytes, as 4096, 64K or 1MiB)",
			cmd->name, opt->name, value, LONG_MAX);
	*(unsigned long *)((char *)opts + opt->member) = number << shift;
	*(bool *)((char *)opts + opt->min) = true;
	return NULL;
}

/* Seconds, 2 or 0.25, as ns. */
static struct kma_err *kma_option_time(const struct kma_cmd *cmd, const struct kma_option *opt,
				       const char *value, struct kma_options *opts)
{
	double seconds;
	char *end;

	seconds = strtod(value, &end);
	if (!isdigit((unsigned char)*value) || *end || seconds > KMA_SECONDS_MAX)
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"%s: invalid --%s '%s' (expected 0 to %d seconds, as 2 or 0.25)", cmd->name,
			opt->name, value, KMA_SECONDS_MAX);
	*(uint64_t *)((char *)opts + opt->member) = seconds * 1e9;
	*(bool *)((char *)opts + opt->min) = true;
	return NULL;
}

static struct kma_err *kma_option_set(const struct kma_cmd *cmd, const struct kma_option *opt,
				      const char *value, struct kma_options *opts)
{
	void *member = (char *)opts + opt->member;

	switch (opt->kind) {
	case KMA_OPT_STRING:
		*(const char **)member = value;
		break;
	case KMA_OPT_LIST:
		if (opts->nr_render == KMA_MAX_OUTPUTS)
			return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
						   "%s: --%s is given more than %d times",
						   cmd->name, opt->name, KMA_MAX_OUTPUTS);
		opts->render[opts->nr_render++] = value;
		break;
	case KMA_OPT_NUMBER:
		return kma_option_number(cmd, opt, value, member);
	case KMA_OPT_SIZE:
		return kma_option_size(cmd, opt, value, opts);
	case KMA_OPT_TIME:
		return kma_option_time(cmd, opt, value, opts);
	case KMA_OPT_FLAG:
		*(bool *)member = true;
		break;
	}
	return NULL;
}

/* The table in the form that getopt_long() wants; val is the place in the table. */
static void kma_options_for(const struct kma_cmd *cmd, struct option *longs, char *letters)
{
	*letters++ = ':'; /* a missing value is told from an unknown option */
	for (size_t i = 0; i < ARRAY_SIZE(kma_options); i++) {
		const struct kma_option *opt = &kma_options[i];

		if (!(opt->cmds & cmd->bit))
			continue;
		*longs++ = (struct option){ opt->name, opt->arg ? required_argument : no_argument,
					    NULL, 256 + i };
		if (!opt->letter)
			continue;
		*letters++ = opt->letter;
		if (opt->arg)
			*letters++ = ':';
	}
	memset(longs, 0, sizeof(*longs));
	*letters = '\0';
}

static const struct kma_option *kma_option_of(const struct kma_cmd *cmd, int c)
{
	if (c >= 256)
		return &kma_options[c - 256];
	for (size_t i = 0; i < ARRAY_SIZE(kma_options); i++)
		if ((kma_options[i].cmds & cmd->bit) && kma_options[i].letter == c)
			return &kma_options[i];
	return NULL;
}

/* optopt is the letter of a short one, which may stand among others. */
static struct kma_err *kma_options_unknown(const struct kma_cmd *cmd, const char *word)
{
	char letter[] = { '-', optopt, '\0' };

	return kma_err_create(NULL, 0, "%s: unknown option %s; see kmem-account %s --help",
			      cmd->name, optopt > 0 && optopt < 256 ? letter : word, cmd->name);
}

static bool kma_has_tree(const struct kma_options *opts)
{
	for (unsigned int i = 0; i < opts->nr_args; i++)
		if (kma_file_is_dir(opts->args[i]))
			return true;
	return opts->tree;
}

/* What is given in vain would be believed to have had an effect. */
static struct kma_err *kma_options_excluded(const struct kma_cmd *cmd,
					    const struct kma_options *opts)
{
	bool subsystem = opts->by && !strcmp(opts->by, kma_by_names[KMA_BY_SUBSYSTEM]);
	const struct kma_conflict conflicts[] = {
		{ opts->tree, "-k", opts->modules, "--modules" },
		{ opts->tree, "-k", opts->inlines, "--inlines" },
	};
	struct kma_err *err;
	const struct {
		bool wrong;
		const char *sentence;
	} rules[] = {
		{ opts->modules && !opts->vmlinux, "--modules needs --vmlinux FILE" },
		{ opts->inlines && !opts->vmlinux, "--inlines needs --vmlinux FILE" },
		{ opts->has_to && opts->interval.to <= opts->interval.from,
		  "--to is not after --from" },
		{ opts->maintainers && !subsystem, "--maintainers needs --by subsystem" },
		{ subsystem && !opts->maintainers && cmd->bit != KMA_CMD_STATIC &&
			  !kma_has_tree(opts),
		  "--by subsystem needs --maintainers FILE, or -k DIR" },
		{ opts->force && !opts->tree && !opts->vmlinux,
		  "--force needs -k DIR or --vmlinux FILE" },
	};

	err = kma_conflict_check(cmd->name, conflicts, ARRAY_SIZE(conflicts));
	if (err)
		return err;
	if (opts->inlines && kma_inlines_mode(opts) == KMA_NR_INLINES_MODES)
		return kma_err_create(NULL, 0, "%s: --inlines '%s' is none of outer, inner, both",
				      cmd->name, opts->inlines);
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (rules[i].wrong)
			return kma_err_create(NULL, 0, "%s: %s", cmd->name, rules[i].sentence);
	return NULL;
}

/* Of a command that takes one account: it is the argument, or that of an option. */
static struct kma_err *kma_options_account(const struct kma_cmd *cmd, struct kma_options *opts)
{
	const char *arg = opts->nr_args ? opts->args[0] : NULL;

	if (opts->account && arg)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "%s: -f %s cannot be combined with the input %s",
					   cmd->name, opts->account, arg);
	if (arg)
		opts->account = arg;
	if (opts->account && opts->db_file)
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "%s: --db-file cannot be combined with %s%s", cmd->name,
					   arg ? "the input " : "-f ", opts->account);
	if (!opts->account && !opts->db_file && !(cmd->load && opts->tree))
		return kma_err_create(
			NULL, 0, "%s: no account given; use -f FILE, or -f - for stdin", cmd->name);
	return NULL;
}

struct kma_err *kma_options_parse(const struct kma_cmd *cmd, int argc, char **argv,
				  struct kma_options *ret)
{
	struct option longs[ARRAY_SIZE(kma_options) + 1];
	char letters[2 * ARRAY_SIZE(kma_options) + 2];
	struct kma_err *err = NULL;
	int c;

	memset(ret, 0, sizeof(*ret));
	kma_options_for(cmd, longs, letters);
	opterr = 0;
	optind = 1;
	while (!err && (c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (c == ':')
			err = kma_err_create(NULL, 0, "%s: %s needs a value", cmd->name,
					     argv[optind - 1]);
		else if (c == '?')
			err = kma_options_unknown(cmd, argv[optind - 1]);
		else
			err = kma_option_set(cmd, kma_option_of(cmd, c), optarg, ret);
	}
	if (err || ret->help)
		return err;
	while (optind < argc && ret->nr_args < cmd->nr_args)
		ret->args[ret->nr_args++] = argv[optind++];
	if (optind < argc)
		return kma_err_create(NULL, 0, "%s: too many arguments: %s", cmd->name,
				      argv[optind]);
	ret->interval.is |= ret->has_to;
	err = kma_options_excluded(cmd, ret);
	if (!err && cmd->nr_args == 1)
		err = kma_options_account(cmd, ret);
	return err;
}

void kma_options_help(const struct kma_cmd *cmd)
{
	printf("Usage: kmem-account %s [OPTION...]%s%s\n%s\n\n", cmd->name, *cmd->args ? " " : "",
	       cmd->args, cmd->summary);
	for (size_t i = 0; i < ARRAY_SIZE(kma_options); i++) {
		const struct kma_option *opt = &kma_options[i];
		char name[32], letter[4] = "   ";

		if (!(opt->cmds & cmd->bit))
			continue;
		snprintf(name, sizeof(name), "--%s%s%s", opt->name, opt->arg ? " " : "",
			 opt->arg ?: "");
		if (opt->letter)
			snprintf(letter, sizeof(letter), "-%c,", opt->letter);
		/* What is too long for its column has a line of its own. */
		printf("  %s %-17s%s%s\n", letter, name, strlen(name) > 17 ? KMA_NEWLINE : "  ",
		       opt->help);
	}
	printf("\nExamples:\n%s", cmd->examples);
}
