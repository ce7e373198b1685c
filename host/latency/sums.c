// SPDX-License-Identifier: GPL-2.0-only
/*
 * sums.c - names of the counters of an analysis.
 */
#include "sums.h"

const char *const kma_lat_by_names[KMA_LAT_NR_BY] = {
	"cause", "shrinker", "function", "task", "order", "gfp", "node", "site",
};

const char *const kma_lat_cause_names[KMA_LAT_NR_CAUSES] = {
	"allocation", "direct_reclaim", "memcg_reclaim", "compaction", "shrink",
};

const char *const kma_lat_loss_names[KMA_LAT_NR_LOSSES] = {
	[KMA_LAT_LOST_EVENTS] = "lost_events",
	[KMA_LAT_LOST_GAPS] = "lost_gaps",
	[KMA_LAT_NOT_READ] = "lines_not_understood",
	[KMA_LAT_NO_END] = "begins_without_end",
	[KMA_LAT_NO_BEGIN] = "ends_without_begin",
	[KMA_LAT_OVER_GAP] = "pairs_over_lost_events",
	[KMA_LAT_BACKWARDS] = "pairs_backwards",
	[KMA_LAT_NO_TIME] = "pairs_without_time",
	[KMA_LAT_NO_NAME] = "functions_without_name",
	[KMA_LAT_NO_DURATION] = "functions_without_duration",
	[KMA_LAT_CUT] = "cut_lines",
	[KMA_LAT_NO_ROOM] = "shrinker_names_without_room",
};

const char *const kma_lat_loss_titles[KMA_LAT_NR_LOSSES] = {
	[KMA_LAT_LOST_EVENTS] = "events were lost by the kernel",
	[KMA_LAT_LOST_GAPS] = "times the kernel lost events without reporting how many",
	[KMA_LAT_NOT_READ] = "lines were not recognised",
	[KMA_LAT_NO_END] = "begin events have no end event",
	[KMA_LAT_NO_BEGIN] = "end events have no begin event",
	[KMA_LAT_OVER_GAP] =
		"begin/end pairs have lost events between begin and end and are not timed",
	[KMA_LAT_BACKWARDS] = "begin/end pairs end before they begin and are not timed",
	[KMA_LAT_NO_TIME] =
		"begin/end pairs have no times (needs the trace option funcgraph-abstime)",
	[KMA_LAT_NO_NAME] = "functions have no name (needs the trace option funcgraph-tail)",
	[KMA_LAT_NO_DURATION] =
		"functions have no duration (needs the trace option funcgraph-duration)",
	[KMA_LAT_CUT] = "line at the end is truncated",
	[KMA_LAT_NO_ROOM] = "names of shrinkers did not fit into the table",
};
