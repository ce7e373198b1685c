/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd.h - the commands. A command only connects the components: it loads its input (session/),
 * makes rows or pictures (view/, export/), and chooses the exit status. main.c parses the command
 * line by one table for all commands (options.h) and calls the command with typed options.
 */
#ifndef KMA_CLI_CMD_H
#define KMA_CLI_CMD_H

#include "lib/option.h"
#include "session/options.h"

/* Bits of a set of commands, for example of the commands that have an option. */
enum {
	KMA_CMD_REPORT = 1 << 0,
	KMA_CMD_RINGS = 1 << 1,
	KMA_CMD_TREEMAP = 1 << 2,
	KMA_CMD_ICICLE = 1 << 3,
	KMA_CMD_STATIC = 1 << 4,
	KMA_CMD_DIFF = 1 << 5,
	KMA_CMD_DIFF_TREES = 1 << 6, /* diff of built trees, whose arguments are directories */
	KMA_CMD_TIMELINE = 1 << 10,
	KMA_CMD_LEAKS = 1 << 11,
	KMA_CMD_EXPORT = 1 << 12,
	KMA_CMD_FLAME = 1 << 13,
};

struct kma_cmd {
	const char *name;	   /* as typed */
	unsigned int bits;	   /* KMA_CMD_* of the command; 0: it parses its own options */
	const char *args;	   /* arguments after the options, for --help */
	unsigned int nr_args;	   /* most arguments; 1 is the account, as -f is */
	const char *summary;	   /* one line for the list of commands; NULL: that of @set */
	const char *examples;	   /* for --help */
	enum kma_chart_kind chart; /* the kind of chart, for commands that draw one kind */

	/* For completion: get the i-th of the words that the first argument may be; or NULL. */
	const char *(*word)(size_t i);
	/* For completion: the options of a command without bits, if some have words as values. */
	const struct kma_option_set *set;

	/* Run a command with bits. Returns the exit status. */
	int (*run)(const struct kma_options *opts);

	/* Run a command without bits; argv[0] is its name. Returns the exit status. */
	int (*main)(int argc, char **argv);
};

/* The commands, one or more in each cmd-*.c. */
extern const struct kma_cmd kma_cmd_report;
extern const struct kma_cmd kma_cmd_where;
extern const struct kma_cmd kma_cmd_table;
extern const struct kma_cmd kma_cmd_rings;
extern const struct kma_cmd kma_cmd_treemap;
extern const struct kma_cmd kma_cmd_icicle;
extern const struct kma_cmd kma_cmd_flame;
extern const struct kma_cmd kma_cmd_diff;
extern const struct kma_cmd kma_cmd_db;
extern const struct kma_cmd kma_cmd_static;
extern const struct kma_cmd kma_cmd_check;
extern const struct kma_cmd kma_cmd_objects;
extern const struct kma_cmd kma_cmd_timeline;
extern const struct kma_cmd kma_cmd_leaks;
extern const struct kma_cmd kma_cmd_export;
extern const struct kma_cmd kma_cmd_serve;
extern const struct kma_cmd kma_cmd_bundle;
extern const struct kma_cmd kma_cmd_watch;
extern const struct kma_cmd kma_cmd_record;
extern const struct kma_cmd kma_cmd_latency;
extern const struct kma_cmd kma_cmd_lost;
extern const struct kma_cmd kma_cmd_why;
extern const struct kma_cmd kma_cmd_scan;
extern const struct kma_cmd kma_cmd_top;
extern const struct kma_cmd kma_cmd_trace_analyze;

#endif /* KMA_CLI_CMD_H */
