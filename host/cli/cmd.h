/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd.h - the commands. A command reads its command line by its own table (lib/option.h, rows.h),
 * loads its input (session/), makes rows or pictures (view/, export/), and chooses the exit status.
 */
#ifndef KMA_CLI_CMD_H
#define KMA_CLI_CMD_H

#include "lib/option.h"

/* The commands, one or more in each cmd-*.c. */
extern const struct kma_cmd kma_cmd_doctor;
extern const struct kma_cmd kma_cmd_report;
extern const struct kma_cmd kma_cmd_where;
extern const struct kma_cmd kma_cmd_table;
extern const struct kma_cmd kma_cmd_types;
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
extern const struct kma_cmd kma_cmd_names;
extern const struct kma_cmd kma_cmd_scan;
extern const struct kma_cmd kma_cmd_top;
extern const struct kma_cmd kma_cmd_trace_analyze;

#endif /* KMA_CLI_CMD_H */
