/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd.h - commands: each only wires the components together. main.c reads the command line by
 * one table for all commands (options.h) and calls a command with its typed options.
 */
#ifndef KMA_CLI_CMD_H
#define KMA_CLI_CMD_H

#include "session/options.h"

/* Commands, as a set: which commands an option belongs to. */
enum {
	KMA_CMD_REPORT = 1 << 0,
	KMA_CMD_RINGS = 1 << 1,
	KMA_CMD_TREEMAP = 1 << 2,
	KMA_CMD_ICICLE = 1 << 3,
	KMA_CMD_STATIC = 1 << 4,
	KMA_CMD_DIFF = 1 << 5,
	KMA_CMD_DIFF_TREES = 1 << 6, /* diff of built trees, whose arguments are directories */
	KMA_CMD_DB = 1 << 7,
	KMA_CMD_CHECK = 1 << 8,
	KMA_CMD_OBJECTS = 1 << 9,
	KMA_CMD_TIMELINE = 1 << 10,
	KMA_CMD_LEAKS = 1 << 11,
	KMA_CMD_EXPORT = 1 << 12,
	KMA_CMD_FLAME = 1 << 13,
};

struct kma_cmd {
	const char *name;	   /* as typed */
	unsigned int bits;	   /* set of KMA_CMD_*; 0: it reads its command line by itself */
	const char *args;	   /* arguments after the options, for --help */
	unsigned int nr_args;	   /* at most that many; 1 is the account, which -f may name, too */
	const char *summary;	   /* one line for the list of commands */
	const char *examples;	   /* for --help */
	enum kma_chart_kind chart; /* the kind of chart, for commands that draw one kind */

	/* Run it with what the command line asks for; gives the exit code. */
	int (*run)(const struct kma_options *opts);

	/* The same of a command without bits. */
	int (*main)(int argc, char **argv);
};

/* The commands, one or more in each cmd-*.c. */
extern const struct kma_cmd kma_cmd_report;
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
extern const struct kma_cmd kma_cmd_top;
extern const struct kma_cmd kma_cmd_trace_analyze;

#endif /* KMA_CLI_CMD_H */
