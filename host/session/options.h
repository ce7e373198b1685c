/* SPDX-License-Identifier: GPL-2.0 */
/*
 * options.h - what the command line asks for, as far as commands share it.
 */
#ifndef KMA_SESSION_OPTIONS_H
#define KMA_SESSION_OPTIONS_H

#include "input/input.h"

#define KMA_MAX_ARGS	64
#define KMA_MAX_OUTPUTS 8

/* What the command line says. Strings belong to argv. */
struct kma_options {
	const char *account; /* FILE or FILE@LABEL; NULL when not given */
	const char *db_file; /* the same, and has to be a DB file */
	const char *save_db;
	const char *args[KMA_MAX_ARGS];
	unsigned int nr_args;
	const char *tree;
	const char *vmlinux;
	const char *modules;
	const char *maintainers;
	const char *inlines;
	const char *by;
	const char *branch;
	const char *attr;
	const char *sort;
	const char *columns;
	const char *format;
	const char *output;
	const char *title;
	const char *theme;
	const char *show;
	const char *chart;
	const char *render[KMA_MAX_OUTPUTS];
	unsigned int nr_render;
	unsigned long top;
	unsigned long depth;
	unsigned long width;
	unsigned long max_nodes;
	unsigned long points;
	bool plain;
	unsigned long floor;
	unsigned long fail_above;
	bool has_floor;
	bool has_fail_above;
	bool has_to;
	bool malloc, cache, pages, percpu; /* kinds to show; none is all */
	struct kma_interval interval;	   /* of an event log */
	bool image;
	bool bytes;
	bool force;
	bool quiet;
	bool help;
};

#endif /* KMA_SESSION_OPTIONS_H */
