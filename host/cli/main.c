// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - kmem-account: show which code holds kernel memory, as text and as a picture.
 *
 * main_command() finds the command by its name in a table, and the command reads its own command
 * line. If the program is called by the name of a command, such as trace_analyze, it is that command.
 */
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../module/uapi/version.h"
#include "cmd.h"
#include "lib/atend.h"
#include "lib/choice.h"
#include "lib/cleanup.h"
#include "lib/say.h"
#include "view/chart/cairo.h"

static const struct kma_cmd *const kma_cmds[] = {
	&kma_cmd_doctor,   &kma_cmd_report,  &kma_cmd_where, &kma_cmd_table,
	&kma_cmd_top,	   &kma_cmd_leaks,   &kma_cmd_lost,  &kma_cmd_why,
	&kma_cmd_names,	   &kma_cmd_scan,    &kma_cmd_watch, &kma_cmd_rings,
	&kma_cmd_treemap,  &kma_cmd_icicle,  &kma_cmd_flame, &kma_cmd_static,
	&kma_cmd_diff,	   &kma_cmd_db,	     &kma_cmd_check, &kma_cmd_objects,
	&kma_cmd_timeline, &kma_cmd_export,  &kma_cmd_serve, &kma_cmd_bundle,
	&kma_cmd_record,   &kma_cmd_latency, &kma_cmd_types, &kma_cmd_trace_analyze,
};

/* Names of the program that stand for a command. */
static const struct {
	const char *name;
	const struct kma_cmd *cmd;
} kma_links[] = {
	{ "trace_analyze", &kma_cmd_trace_analyze },
	{ "trace_analyze.py", &kma_cmd_trace_analyze },
};

static void print_help(FILE *f)
{
	fprintf(f, "Usage: kmem-account COMMAND [OPTION...]\n"
		   "Show the owners of kernel memory, as text and as pictures.\n\nCommands:\n");
	for (size_t i = 0; i < ARRAY_SIZE(kma_cmds); i++)
		fprintf(f, "  %-13s %s\n", kma_cmds[i]->name,
			kma_cmds[i]->summary ?: kma_cmds[i]->about);
	fprintf(f, "\nkmem-account COMMAND --help shows the options of a command.\n");
	fprintf(f,
		"Exit status: 0 success, 1 bad data, 2 bad usage, 3 a threshold was exceeded.\n");
}

static void print_version(void)
{
	printf("kmem-account %s (libdw %s, cairo %s)\n", KMA_VERSION, dwfl_version(NULL),
	       kma_cairo_version() ?: "missing");
}

static int unknown_command(const char *name)
{
	_cleanup_choice_ struct kma_choice choice = { .word = name };

	for (size_t i = 0; i < ARRAY_SIZE(kma_cmds); i++)
		kma_choice_add(&choice, kma_cmds[i]->name, NULL);
	kma_warn("unknown command '%s' (%s)", name, kma_choice_text(&choice));
	return KMA_EXIT_USAGE;
}

static const struct kma_cmd *main_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_cmds); i++)
		if (!strcmp(kma_cmds[i]->name, name))
			return kma_cmds[i];
	return NULL;
}

static const struct kma_cmd *main_link(const char *self)
{
	const char *slash = strrchr(self, '/');

	for (size_t i = 0; i < ARRAY_SIZE(kma_links); i++)
		if (!strcmp(kma_links[i].name, slash ? slash + 1 : self)) {
			kma_program_set(kma_links[i].name);
			return kma_links[i].cmd;
		}
	return NULL;
}

/*
 * Print words for completion, one in a line: the values of an option, or without one those of the
 * first argument. "kmem-account --words COMMAND [OPTION]" is only for the scripts of the shells, so
 * the help does not show it.
 */
static int main_words(const struct kma_cmd *cmd, const char *option)
{
	const char *word;

	if (!cmd)
		return KMA_EXIT_USAGE;
	if (option)
		kma_option_words(cmd, option);
	for (size_t i = 0; !option && cmd->word && (word = cmd->word(i)); i++)
		puts(word);
	return KMA_EXIT_OK;
}

/* Is the word "--NAME", "--NAME=VALUE", or an abbreviation of at least @least bytes? */
static bool is_option(const char *word, const char *name, size_t least)
{
	size_t len = strcspn(word, "=");

	return len >= least && len <= strlen(name) && !strncmp(word, name, len);
}

/*
 * Spellings of older versions: "report --where" is the command where, and "report --table TABLE" and
 * "diff --table TABLE" are the command table, which have these options. If both are given, the
 * first one counts, and its command refuses the other. The shortest abbreviations are those that no
 * other option of report and diff begins with.
 */
static const struct kma_cmd *old_spelling(const struct kma_cmd *cmd, char **argv)
{
	bool report = cmd == &kma_cmd_report;

	if (!report && cmd != &kma_cmd_diff)
		return cmd;
	for (argv++; *argv && strcmp(*argv, "--"); argv++) {
		if (is_option(*argv, "--table", 4))
			return &kma_cmd_table;
		if (report && is_option(*argv, "--where", 3))
			return &kma_cmd_where;
	}
	return cmd;
}

static int main_command(int argc, char **argv)
{
	const struct kma_cmd *cmd = argc ? main_link(argv[0]) : NULL;
	const char *name = argc > 1 ? argv[1] : NULL;

	/* libdw would fetch debugging information from the network by itself. */
	unsetenv("DEBUGINFOD_URLS");
	/* Otherwise glibc would keep freed arrays of up to 32 MiB instead of unmapping them. */
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	kma_atend_signals();

	if (name && !strcmp(name, "--words") && argc > 2)
		return main_words(main_find(argv[2]), argc > 3 ? argv[3] : NULL);
	if (cmd)
		return cmd->main(argc, argv);
	if (!name) {
		print_help(stderr);
		return KMA_EXIT_USAGE;
	}
	/* "help report" is "report --help". */
	if (!strcmp(name, "help") && argc > 2) {
		name = argv[2];
		argv[1] = argv[2];
		argv[2] = "--help";
	}
	if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help")) {
		print_help(stdout);
		return KMA_EXIT_OK;
	}
	if (!strcmp(name, "--version") || !strcmp(name, "-V")) {
		print_version();
		return KMA_EXIT_OK;
	}
	cmd = main_find(name);
	return cmd ? old_spelling(cmd, argv + 1)->main(argc - 1, argv + 1) : unknown_command(name);
}

/* Texts of --help and --version are written without a check: a full disk shows here. */
int main(int argc, char **argv)
{
	int code;

	kma_program_streams();
	code = main_command(argc, argv);
	if (code || (!fflush(stdout) && !ferror(stdout)))
		return code;
	kma_warn("standard output: cannot write: %s", strerror(errno));
	return KMA_EXIT_DATA;
}
