/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-analyze.h - the command line of trace_analyze.py (2012), translated into the options of
 * this program. It applies when the program is called by that name.
 *
 * getopt cannot express this: -r may have no name before another option or at the end (`-r -a
 * waste`). Names of attributes and orders are the script's, its spelling of its own documentation
 * (total_dyamic) included; ours do as well.
 */
#ifndef KMA_CLI_TRACE_ANALYZE_H
#define KMA_CLI_TRACE_ANALYZE_H

#include <stdbool.h>

#include "session/options.h"

/* The options of the command line. Strings belong to argv. */
struct kma_trace_options {
	/*
	 * The input and the content of a chart. attr is that of the chart; sort is the order of
	 * the account; without a log there is a tree.
	 */
	struct kma_options common;
	const char *account_file; /* NULL: not requested, as below */
	const char *callers_file;
	const char *rings_file;
	bool rings; /* a chart is requested, perhaps without a name */
	bool show;  /* and to be opened */
};

/**
 * kma_trace_options_parse() - read the command line
 * @argc: as for main(), the program's or command's name first
 * @argv: as for main()
 * @ret: filled in
 * @ret_help: true if --help is given: its text was printed, and @ret is not filled in
 *
 * Return: NULL, or an error of kind KMA_ERR_USAGE.
 */
struct kma_err *kma_trace_options_parse(int argc, char **argv, struct kma_trace_options *ret,
					bool *ret_help);

#endif /* KMA_CLI_TRACE_ANALYZE_H */
