/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace-analyze.h - the command line of trace_analyze.py (2012), which this program
 * answers when it is called by that name, as it stands.
 *
 * What getopt has no word for: -r may stand without a name before another option or at
 * the end (`-r -a waste`). Names of attributes and orders are the script's, its spelling
 * of its own documentation (total_dyamic) included; ours do as well.
 */
#ifndef KMA_CLI_TRACE_ANALYZE_H
#define KMA_CLI_TRACE_ANALYZE_H

#include <stdbool.h>

#include "lib/err.h"
#include "model/metric.h"

/* What the command line says. Strings belong to argv. */
struct kma_trace_options {
	const char *tree;	  /* NULL when not given */
	const char *log;	  /* NULL when not given */
	const char *account_file; /* NULL: none is asked for, as below */
	const char *callers_file;
	const char *rings_file;
	const char *branch;
	const char *attr;  /* a name of the metric table; NULL for the default */
	const char *order; /* the same */
	const char *save_db;
	const char *db_file;
	bool rings; /* a chart is asked for, perhaps without a name */
	bool show;  /* and to be opened */
	bool malloc;
	bool cache;
	bool help;
};

/**
 * kma_trace_options_parse() - read the command line
 * @argc: as for main(), the program's or command's name first
 * @argv: as for main()
 * @ret: filled in
 *
 * Return: NULL, or a sentence for the user.
 */
struct kma_err *kma_trace_options_parse(int argc, char **argv, struct kma_trace_options *ret);

/**
 * kma_trace_options_help() - print the help on the standard output
 */
void kma_trace_options_help(void);

#endif /* KMA_CLI_TRACE_ANALYZE_H */
