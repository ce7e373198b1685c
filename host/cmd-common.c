// SPDX-License-Identifier: GPL-2.0
/*
 * cmd-common.c - what the commands share: options, and loading an account with
 * the source tree that it belongs to.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "lib/cleanup.h"
#include "lib/escape.h"
#include "lib/file.h"
#include "progress.h"
#include "reader/reader.h"

enum kma_option_kind { KMA_OPT_STRING, KMA_OPT_LIST, KMA_OPT_NUMBER, KMA_OPT_FLAG };

struct kma_option {
	const char *name;	   /* --name */
	char letter;		   /* -l, or 0 */
	const char *arg;	   /* name of its value in the help */
	unsigned int cmds;	   /* commands that have it */
	enum kma_option_kind kind; /* of the member */
	size_t member;		   /* of struct kma_options */
	unsigned long min, max;	   /* of a number */
	const char *help;	   /* lines are broken by hand */
};

#define KMA_BOTH    (KMA_CMD_REPORT | KMA_CMD_RINGS)
#define KMA_OPT(m)  offsetof(struct kma_options, m)
#define KMA_NEWLINE "\n                         "

/* clang-format off */
static const struct kma_option kma_options[] = {
	{ "file", 'f', "ACCOUNT", KMA_BOTH, KMA_OPT_STRING, KMA_OPT(account), 0, 0,
	  "saved /proc/kmem_account; - is the standard input" },
	{ "kernel", 'k', "DIR", KMA_BOTH, KMA_OPT_STRING, KMA_OPT(tree), 0, 0,
	  "built kernel tree (System.map, *.o) to find source files in" },
	{ "vmlinux", 0, "FILE", KMA_BOTH, KMA_OPT_STRING, KMA_OPT(vmlinux), 0, 0,
	  "vmlinux with debugging information, instead of -k" },
	{ "modules", 0, "DIR", KMA_BOTH, KMA_OPT_STRING, KMA_OPT(modules), 0, 0,
	  "with --vmlinux: where the modules with debugging information" KMA_NEWLINE
	  "are; default is where packages put them beside FILE" },
	{ "by", 0, "KEY", KMA_CMD_REPORT, KMA_OPT_STRING, KMA_OPT(by), 0, 0,
	  "a row is a caller, a file or a dir" },
	{ "branch", 'b', "BRANCH", KMA_BOTH, KMA_OPT_STRING, KMA_OPT(branch), 0, 0,
	  "begin at this directory or file (fs, fs/ext4)" },
	{ "attr", 'a', "ATTR", KMA_BOTH, KMA_OPT_STRING, KMA_OPT(attr), 0, 0,
	  "current_dynamic (default), requested, waste, allocs, frees;" KMA_NEWLINE
	  "or as in the account: total, req, slack, alloc, free" },
	{ "sort", 'o', "KEY", KMA_CMD_REPORT, KMA_OPT_STRING, KMA_OPT(sort), 0, 0,
	  "order of the rows, an ATTR; default is that of -a" },
	{ "columns", 0, "ATTR,...", KMA_CMD_REPORT, KMA_OPT_STRING, KMA_OPT(columns), 0, 0,
	  "columns of a table, or all; csv and json have all" },
	{ "top", 0, "N", KMA_CMD_REPORT, KMA_OPT_NUMBER, KMA_OPT(top), 1, 1000000000,
	  "show N rows, the others as one" },
	{ "format", 0, "FORMAT", KMA_CMD_REPORT, KMA_OPT_STRING, KMA_OPT(format), 0, 0,
	  "table (default), csv, json" },
	{ "bytes", 0, NULL, KMA_CMD_REPORT, KMA_OPT_FLAG, KMA_OPT(bytes), 0, 0,
	  "plain numbers in the table instead of KiB and MiB" },
	{ "output", 'O', "FILE", KMA_CMD_REPORT, KMA_OPT_STRING, KMA_OPT(output), 0, 0,
	  "write to FILE, which appears when it is complete" },
	{ "render", 'r', "FILE", KMA_CMD_RINGS, KMA_OPT_LIST, KMA_OPT(render), 0, 0,
	  "write FILE.svg or FILE.png; may be given several times" },
	{ "depth", 0, "N", KMA_CMD_REPORT, KMA_OPT_NUMBER, KMA_OPT(depth), 1, 64,
	  "with --by dir: roll up directories below N levels" },
	{ "depth", 0, "N", KMA_CMD_RINGS, KMA_OPT_NUMBER, KMA_OPT(depth), 1, 12,
	  "number of rings, 5 by default" },
	{ "width", 0, "PX", KMA_CMD_RINGS, KMA_OPT_NUMBER, KMA_OPT(width), 400, 8000,
	  "width of the picture, 1600 by default" },
	{ "title", 0, "TEXT", KMA_CMD_RINGS, KMA_OPT_STRING, KMA_OPT(title), 0, 0,
	  "heading of the picture" },
	{ "quiet", 'q', NULL, KMA_BOTH, KMA_OPT_FLAG, KMA_OPT(quiet), 0, 0,
	  "no progress on the terminal while a large input is read" },
	{ "help", 'h', NULL, KMA_BOTH, KMA_OPT_FLAG, KMA_OPT(help), 0, 0,
	  "this text" },
};
/* clang-format on */

void kma_warn(const char *fmt, ...)
{
	_cleanup_strbuf_ struct kma_strbuf line = { 0 };
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	/* The text may quote the input: one line, and nothing for the terminal to obey. */
	if (text)
		kma_escape_plain(&line, text);
	fprintf(stderr, "kmem-account: %s\n", line.str ?: "out of memory");
	free(text);
}

int kma_fail(struct kma_err *err, int code)
{
	_cleanup_free_ char *text = NULL;

	if (!err)
		return KMA_EXIT_OK;
	text = kma_err_text(err);
	kma_warn("%s", text ?: err->message);
	kma_err_destroy(err);
	return code;
}

static struct kma_err *kma_option_number(const struct kma_option *opt, const char *value,
					 unsigned long *ret)
{
	char *end;

	errno = 0;
	*ret = strtoul(value, &end, 10);
	if (errno || end == value || *end || *value == '-' || *ret < opt->min || *ret > opt->max)
		return kma_err_create(NULL, 0, "--%s '%s' is no number from %lu to %lu", opt->name,
				      value, opt->min, opt->max);
	return NULL;
}

static struct kma_err *kma_option_set(const struct kma_option *opt, const char *value,
				      struct kma_options *opts)
{
	void *member = (char *)opts + opt->member;

	switch (opt->kind) {
	case KMA_OPT_STRING:
		*(const char **)member = value;
		break;
	case KMA_OPT_LIST:
		if (opts->nr_render == KMA_MAX_OUTPUTS)
			return kma_err_create(NULL, 0, "--%s is given more than %d times",
					      opt->name, KMA_MAX_OUTPUTS);
		opts->render[opts->nr_render++] = value;
		break;
	case KMA_OPT_NUMBER:
		return kma_option_number(opt, value, member);
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
			err = kma_err_create(NULL, 0,
					     "%s: unknown option %s; see kmem-account %s --help",
					     cmd->name, argv[optind - 1], cmd->name);
		else
			err = kma_option_set(kma_option_of(cmd, c), optarg, ret);
	}
	if (err || ret->help)
		return err;
	if (optind < argc && !ret->account)
		ret->account = argv[optind++];
	if (optind < argc)
		return kma_err_create(NULL, 0, "%s: too many arguments: %s", cmd->name,
				      argv[optind]);
	if (!ret->account)
		return kma_err_create(
			NULL, 0, "%s: no account given; use -f FILE, or -f - for stdin", cmd->name);
	if (ret->tree && ret->vmlinux)
		return kma_err_create(NULL, 0, "%s: -k and --vmlinux exclude each other",
				      cmd->name);
	if (ret->modules && !ret->vmlinux)
		return kma_err_create(NULL, 0, "%s: --modules needs --vmlinux", cmd->name);
	return NULL;
}

void kma_options_help(const struct kma_cmd *cmd)
{
	printf("Usage: kmem-account %s [OPTION...] [-f] ACCOUNT\n%s\n\n", cmd->name, cmd->summary);
	for (size_t i = 0; i < ARRAY_SIZE(kma_options); i++) {
		const struct kma_option *opt = &kma_options[i];
		char name[32], letter[4] = "   ";

		if (!(opt->cmds & cmd->bit))
			continue;
		snprintf(name, sizeof(name), "--%s%s%s", opt->name, opt->arg ? " " : "",
			 opt->arg ?: "");
		if (opt->letter)
			snprintf(letter, sizeof(letter), "-%c,", opt->letter);
		printf("  %s %-17s  %s\n", letter, name, opt->help);
	}
	printf("\nExamples:\n%s", cmd->examples);
}

static struct kma_err *kma_load_account(const struct kma_options *opts, struct kma_loaded *ret)
{
	struct kma_progress progress;
	struct kma_input *input;
	const char *warning;
	struct kma_err *err;

	err = kma_input_open(opts->account, &input);
	if (err)
		return err;
	kma_progress_begin(&progress, input, opts->quiet);
	err = kma_reader_read(input, &ret->account);
	kma_progress_end(&progress);
	if (!err && kma_input_stopped())
		kma_warn("%s: interrupted; this is what was read until then",
			 kma_input_name(input));
	for (size_t i = 0; !err && (warning = kma_account_warning(ret->account, i)); i++)
		kma_warn("%s: %s", kma_input_name(input), warning);
	kma_input_close(input);
	return err;
}

/* Finds who knows the files; says in words why nobody does. */
static struct kma_err *kma_load_source(const struct kma_options *opts, struct kma_loaded *ret)
{
	const char *name = opts->tree ?: opts->vmlinux;
	_cleanup_free_ char *why = NULL;
	struct kma_err *err;

	if (!name)
		return NULL;
	/* What is not there was mistyped; what is there but of no use is said. */
	if (access(name, R_OK))
		return kma_err_create(name, 0, "cannot open: %s", strerror(errno));
	if (opts->modules && access(opts->modules, R_OK))
		return kma_err_create(opts->modules, 0, "cannot open: %s", strerror(errno));
	if (opts->tree)
		err = kma_kbuild_create(opts->tree, &ret->source);
	else
		err = kma_debug_create(opts->vmlinux, opts->modules, &ret->source);
	if (!err || err == &kma_enomem)
		return err;
	why = kma_err_text(err);
	kma_warn("%s; callers only", why ?: err->message);
	kma_err_destroy(err);
	ret->source = NULL;
	return NULL;
}

static struct kma_err *kma_load_tree(struct kma_loaded *ret)
{
	struct kma_err *err = kma_join(ret->account, ret->source, &ret->root, &ret->stats);

	if (!err && ret->source && ret->stats.strange)
		kma_warn("%s: %zu of %zu addresses are in no symbol of the kernel: KASLR, modules, "
			 "or another kernel",
			 ret->source->name, ret->stats.strange, ret->stats.addresses);
	if (err || !ret->source || kma_join_plausible(&ret->stats))
		return err;
	kma_warn(
		"%s: is another kernel's: %zu of %zu call sites agree in name and size; callers only",
		ret->source->name, ret->stats.fitting, ret->stats.compared);
	kma_source_destroy(ret->source);
	ret->source = NULL;
	kma_node_destroy(ret->root);
	ret->root = NULL;
	return kma_join(ret->account, NULL, &ret->root, &ret->stats);
}

struct kma_err *kma_load(const struct kma_options *opts, struct kma_loaded *ret)
{
	struct kma_err *err;

	memset(ret, 0, sizeof(*ret));
	err = kma_load_account(opts, ret);
	if (!err)
		err = kma_load_source(opts, ret);
	if (!err)
		err = kma_load_tree(ret);
	if (err)
		return err;
	ret->branch = ret->root;
	ret->has_files = ret->source || kma_account_has_paths(ret->account);
	if (!opts->branch || !ret->has_files)
		return NULL;
	return kma_node_find(ret->root, opts->branch, &ret->branch);
}

struct kma_err *kma_needs_files(const struct kma_options *opts, const struct kma_loaded *loaded,
				const char *option)
{
	if (!option || loaded->has_files || opts->tree || opts->vmlinux)
		return NULL;
	return kma_err_create(NULL, 0, "%s needs -k DIR or --vmlinux FILE", option);
}

void kma_unload(struct kma_loaded *loaded)
{
	kma_node_destroy(loaded->root);
	kma_source_destroy(loaded->source);
	kma_account_destroy(loaded->account);
}

const char *kma_release(const struct kma_loaded *loaded)
{
	const char *note = kma_account_note(loaded->account, "kernel release");

	if (note)
		return note;
	return loaded->source && loaded->source->release ? loaded->source->release : "";
}

enum kma_metric_id kma_default_attr(const struct kma_loaded *loaded)
{
	unsigned int have = kma_account_metrics(loaded->account);

	return have ? __builtin_ctz(have) : KMA_CURRENT;
}
