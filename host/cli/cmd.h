/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cmd.h - commands: each only wires the components together. Options are one table
 * for all commands (options.h); a command takes those that name it.
 */
#ifndef KMA_CLI_CMD_H
#define KMA_CLI_CMD_H

#include "session/loaded.h"
#include "session/options.h"
#include "view/chart/chart.h"

/* Commands, as a set: which commands an option belongs to. */
enum {
	KMA_CMD_REPORT = 1 << 0,
	KMA_CMD_RINGS = 1 << 1,
	KMA_CMD_DIFF = 1 << 2,
	KMA_CMD_DB = 1 << 3,
	KMA_CMD_TREEMAP = 1 << 4,
	KMA_CMD_ICICLE = 1 << 5,
	KMA_CMD_STATIC = 1 << 8,
	KMA_CMD_CHECK = 1 << 9,
	KMA_CMD_OBJECTS = 1 << 10,
	KMA_CMD_TIMELINE = 1 << 11,
};

struct kma_cmd {
	const char *name;     /* as typed */
	unsigned int bit;     /* KMA_CMD_* */
	const char *args;     /* what follows the options, for --help */
	unsigned int nr_args; /* at most that many; 1 is the account, which -f may name, too */
	const char *summary;  /* one line for the list of commands */
	const char *examples; /* for --help */
	int (*run)(const struct kma_cmd *cmd, int argc, char **argv); /* gives the exit code */

	/* For kma_cmd_show(): reads the input; NULL is kma_load(), which needs an account. */
	struct kma_err *(*load)(const struct kma_options *opts, struct kma_loaded *ret);

	/*
	 * For kma_cmd_show(): do the options make sense, do they suit the input (both: or
	 * it is bad usage), show it.
	 */
	struct kma_err *(*check)(const struct kma_cmd *cmd, const struct kma_options *opts);
	struct kma_err *(*suits)(const struct kma_cmd *cmd, const struct kma_options *opts,
				 const struct kma_loaded *loaded);
	struct kma_err *(*show)(const struct kma_cmd *cmd, const struct kma_options *opts,
				const struct kma_loaded *loaded);
	enum kma_chart_kind chart; /* of a command that is a kind of picture */
};

/* The commands, one or more in each cmd-*.c. */
extern const struct kma_cmd kma_cmd_report;
extern const struct kma_cmd kma_cmd_rings;
extern const struct kma_cmd kma_cmd_treemap;
extern const struct kma_cmd kma_cmd_icicle;
extern const struct kma_cmd kma_cmd_diff;
extern const struct kma_cmd kma_cmd_db;
extern const struct kma_cmd kma_cmd_static;
extern const struct kma_cmd kma_cmd_check;
extern const struct kma_cmd kma_cmd_objects;
extern const struct kma_cmd kma_cmd_timeline;
extern const struct kma_cmd kma_cmd_record;
extern const struct kma_cmd kma_cmd_latency;
extern const struct kma_cmd kma_cmd_trace_analyze;

#endif /* KMA_CLI_CMD_H */
