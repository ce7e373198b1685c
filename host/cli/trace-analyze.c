// SPDX-License-Identifier: GPL-2.0
/*
 * trace-analyze.c - the command line of trace_analyze.py.
 */
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "trace-analyze.h"

enum kma_trace_kind { KMA_TRACE_TEXT, KMA_TRACE_FLAG, KMA_TRACE_RINGS };

struct kma_trace_option {
	const char *name; /* --name */
	char letter;	  /* -l, or 0 */
	const char *arg;  /* name of its value in the help */
	enum kma_trace_kind kind;
	size_t member;	  /* of struct kma_trace_options */
	const char *help; /* lines are broken by hand */
};

#define KMA_TRACE(m) offsetof(struct kma_trace_options, m)
#define KMA_NEWLINE  "\n                                "

/* clang-format off */
static const struct kma_trace_option kma_trace_options[] = {
	{ "kernel", 'k', "DIR", KMA_TRACE_TEXT, KMA_TRACE(tree),
	  "built kernel tree; without a log, the current directory" },
	{ "file", 'f', "LOG", KMA_TRACE_TEXT, KMA_TRACE(log),
	  "log of kmem events, or any account; - is the standard" KMA_NEWLINE
	  "input; without one, static sizes are shown" },
	{ "account-file", 'c', "FILE", KMA_TRACE_TEXT, KMA_TRACE(account_file),
	  "write an account: a line for each caller" },
	{ "callers-file", 'l', "FILE", KMA_TRACE_TEXT, KMA_TRACE(callers_file),
	  "write the callers with their source files" },
	{ "rings-file", 'r', "[FILE]", KMA_TRACE_RINGS, KMA_TRACE(rings_file),
	  "draw a ring chart, FILE.png or FILE.svg (rings.png)" },
	{ "rings-show", 'i', NULL, KMA_TRACE_FLAG, KMA_TRACE(show),
	  "open the chart with the desktop's viewer" },
	{ "rings-attr", 'a', "ATTR", KMA_TRACE_TEXT, KMA_TRACE(attr),
	  "what the chart shows: current, static, waste," KMA_NEWLINE
	  "current_dynamic (default), total_dynamic" },
	{ "start-branch", 'b', "BRANCH", KMA_TRACE_TEXT, KMA_TRACE(branch),
	  "only what is in this directory (fs, fs/ext2)" },
	{ "order-by", 'o', "ORDER", KMA_TRACE_TEXT, KMA_TRACE(order),
	  "order of the account: current_dynamic (default)," KMA_NEWLINE
	  "total_dynamic, alloc_count, free_count, waste" },
	{ "malloc", 0, NULL, KMA_TRACE_FLAG, KMA_TRACE(malloc),
	  "only what kmalloc allocated" },
	{ "cache", 0, NULL, KMA_TRACE_FLAG, KMA_TRACE(cache),
	  "only what kmem_cache_alloc allocated" },
	{ "save-db", 0, "FILE", KMA_TRACE_TEXT, KMA_TRACE(save_db),
	  "keep what was read of the log in a DB file" },
	{ "db-file", 0, "FILE", KMA_TRACE_TEXT, KMA_TRACE(db_file),
	  "use a DB file instead of the log" },
	{ "help", 'h', NULL, KMA_TRACE_FLAG, KMA_TRACE(help),
	  "this text" },
};
/* clang-format on */

/* The script's names of metrics that have another one here. */
static const struct {
	const char *name, *metric;
} kma_trace_names[] = {
	{ "total_dyamic", "total_dynamic" },
	{ "alloc_count", "allocs" },
	{ "free_count", "frees" },
};

void kma_trace_options_help(void)
{
	printf("Usage: trace_analyze [OPTION...]\n"
	       "What a kernel allocates, and what it holds from the start.\n\n");
	for (size_t i = 0; i < ARRAY_SIZE(kma_trace_options); i++) {
		const struct kma_trace_option *opt = &kma_trace_options[i];
		char name[32], letter[4] = "   ";

		snprintf(name, sizeof(name), "--%s%s%s", opt->name, opt->arg ? " " : "",
			 opt->arg ?: "");
		if (opt->letter)
			snprintf(letter, sizeof(letter), "-%c,", opt->letter);
		printf("  %s %-24s  %s\n", letter, name, opt->help);
	}
	printf("\nExamples:\n"
	       "  trace_analyze -k linux -b fs/ext2 -r ext2.png\n"
	       "  trace_analyze -k linux -f kmem.log -c account.txt -o waste --malloc\n"
	       "  trace_analyze -k linux -f kmem.log -r fs.png -a waste -b fs\n"
	       "  trace_analyze -k linux -f kmem.log --save-db db\n"
	       "  trace_analyze -k linux --db-file db -r rings.png -c account.txt\n");
}

/* The table in the form that getopt_long() wants; val is the place in the table. */
static void kma_trace_options_for(struct option *longs, char *letters)
{
	/* No permutation; a missing value is told from an unknown option. */
	letters = stpcpy(letters, "+:");
	for (size_t i = 0; i < ARRAY_SIZE(kma_trace_options); i++) {
		const struct kma_trace_option *opt = &kma_trace_options[i];

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

static const struct kma_trace_option *kma_trace_option_of(int c)
{
	if (c >= 256)
		return &kma_trace_options[c - 256];
	for (size_t i = 0; i < ARRAY_SIZE(kma_trace_options); i++)
		if (kma_trace_options[i].letter == c)
			return &kma_trace_options[i];
	return NULL;
}

/* The value of -r is none when it is the next option. */
static const char *kma_trace_rings_name(char **argv)
{
	if (optarg != argv[optind - 1] || optarg[0] != '-' || !optarg[1])
		return optarg;
	optind--;
	return NULL;
}

static void kma_trace_option_set(const struct kma_trace_option *opt, const char *value,
				 struct kma_trace_options *opts)
{
	void *member = (char *)opts + opt->member;

	if (opt->kind == KMA_TRACE_FLAG)
		*(bool *)member = true;
	else
		*(const char **)member = value;
	if (opt->kind == KMA_TRACE_RINGS)
		opts->rings = true;
}

/* Not an option: is it the beginning of several? */
static struct kma_err *kma_trace_option_unknown(const char *word)
{
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };
	size_t nr = 0, len = strcspn(word, "=");

	for (size_t i = 0; i < ARRAY_SIZE(kma_trace_options); i++) {
		const char *name = kma_trace_options[i].name;

		if (len < 3 || strncmp(word, "--", 2) || strncmp(name, word + 2, len - 2))
			continue;
		kma_strbuf_printf(&names, "%s--%s", nr++ ? ", " : "", name);
	}
	if (!kma_strbuf_ok(&names))
		return &kma_enomem;
	if (nr > 1)
		return kma_err_create(NULL, 0, "%.*s may be %s", (int)len, word, names.str);
	if (nr)
		return kma_err_create(NULL, 0, "%.*s takes no value", (int)len, word);
	return kma_err_create(NULL, 0, "unknown option %s; see trace_analyze --help", word);
}

/* A name of ours for one of the script's; unknown ones are refused before anything is read. */
static struct kma_err *kma_trace_metric(const char **name)
{
	enum kma_metric_id id;
	struct kma_err *err;

	if (!*name)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(kma_trace_names); i++)
		if (!strcmp(*name, kma_trace_names[i].name))
			*name = kma_trace_names[i].metric;
	err = kma_metric_find(*name, ~0U >> (32 - KMA_NR_METRICS), &id);
	if (!err)
		*name = kma_metrics[id].name;
	return err;
}

static struct kma_err *kma_trace_options_check(int argc, char **argv,
					       struct kma_trace_options *opts)
{
	struct kma_err *err;

	if (optind < argc)
		return kma_err_create(NULL, 0, "too many arguments: %s", argv[optind]);
	err = kma_trace_metric(&opts->attr);
	if (!err)
		err = kma_trace_metric(&opts->order);
	if (err)
		return err;
	if (opts->log && opts->db_file)
		return kma_err_create(NULL, 0, "-f and --db-file exclude each other");
	if (opts->log || opts->db_file)
		return NULL;
	if (opts->account_file || opts->callers_file || opts->save_db)
		return kma_err_create(NULL, 0, "%s needs a log: -f LOG or --db-file FILE",
				      opts->account_file ? "-c" :
				      opts->callers_file ? "-l" :
							   "--save-db");
	return NULL;
}

struct kma_err *kma_trace_options_parse(int argc, char **argv, struct kma_trace_options *ret)
{
	struct option longs[ARRAY_SIZE(kma_trace_options) + 1];
	char letters[2 * ARRAY_SIZE(kma_trace_options) + 3];
	const struct kma_trace_option *opt;
	int c;

	memset(ret, 0, sizeof(*ret));
	kma_trace_options_for(longs, letters);
	opterr = 0;
	optind = 1;
	while ((c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (c == '?')
			return kma_trace_option_unknown(argv[optind - 1]);
		opt = kma_trace_option_of(c == ':' ? optopt : c);
		if (c == ':' && opt->kind != KMA_TRACE_RINGS)
			return kma_err_create(NULL, 0, "%s needs a value", argv[optind - 1]);
		if (c == ':')
			optarg = NULL;
		else if (opt->kind == KMA_TRACE_RINGS)
			optarg = (char *)kma_trace_rings_name(argv);
		kma_trace_option_set(opt, optarg, ret);
	}
	return ret->help ? NULL : kma_trace_options_check(argc, argv, ret);
}
