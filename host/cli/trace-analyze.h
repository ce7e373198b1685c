/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-analyze.h - translate the command line of trace_analyze.py (2012) into the options of this
 * program. It applies when the program is called by that name.
 *
 * getopt cannot parse it, because -r may be given without a name before another option or at the
 * end (`-r -a waste`). Attributes and orders have the names of the script, with the spelling of its
 * documentation (total_dyamic); the names of this program are accepted as well.
 */
#ifndef KMA_CLI_TRACE_ANALYZE_H
#define KMA_CLI_TRACE_ANALYZE_H

#include <stdbool.h>

#include "lib/option.h"
#include "session/options.h"

/* The options of the command line. Strings belong to argv. */
struct kma_trace_options {
	/* Its metric is that of the chart. If its account is NULL, there is a tree. */
	struct kma_load_options load;
	struct kma_chart_options chart;
	enum kma_metric_id sort; /* the order of the account; valid with has_sort */
	bool has_sort;
	const char *account_file; /* file to write; NULL: not requested; the same below */
	const char *callers_file;
	const char *rings_file;
	bool rings; /* a chart is requested, with or without a name */
	bool show;  /* open the chart */
};

/* The options of the script, for completion. */
extern const struct kma_option_set kma_trace_option_set;

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
