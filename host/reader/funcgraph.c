// SPDX-License-Identifier: GPL-2.0-only
/*
 * funcgraph.c - reader of logs of function_graph with the tracepoints of vmscan and compaction.
 *
 * The account has how long the allocations of each call site took, so that reports and pictures
 * show times by file and directory. It has no bytes. Lines are analysed as in "kmem-account
 * latency" (latency/latency.h). Time without a call site is in a named row, so the rows add up to
 * the time of all allocations in the log.
 */
#include <inttypes.h>

#include "funcgraph.h"
#include "latency/latency.h"
#include "lib/cleanup.h"
#include "reader.h"
#include "trace/ftrace-line.h"
#include "trace/ftrace-stack.h"
#include "trace/trace-text.h"

static bool funcgraph_allocator(const char *function, size_t len)
{
	return kma_frame_class(function, len) != KMA_FRAME_CALLER;
}

static struct kma_err *funcgraph_log(struct kma_input *input, struct kma_lat *lat)
{
	struct kma_err *err;
	const char *text;
	size_t len;

	do {
		err = kma_input_block(input, &text, &len);
		if (err)
			return err;
		kma_lat_text(lat, text, len);
	} while (len);
	kma_lat_end(lat);
	return NULL;
}

static struct kma_err *funcgraph_sites(const struct kma_lat *lat, struct kma_account *account)
{
	_cleanup_free_ const struct kma_lat_row **rows = NULL;
	size_t nr;

	rows = kma_lat_rows_sorted(kma_lat_rows(lat), KMA_LAT_OF_BY + KMA_LAT_ALLOC,
				   KMA_LAT_OF_BY + KMA_LAT_ALLOC, &nr);
	for (size_t i = 0; i < nr; i++) {
		struct kma_values values = { .latency = rows[i]->stat.total,
					     .waits = rows[i]->stat.calls };
		struct kma_err *err;

		err = kma_account_add_site(account, rows[i]->text, rows[i]->len, &values);
		if (err)
			return err;
	}
	return NULL;
}

static void funcgraph_losses(const struct kma_lat *lat, struct kma_account *account)
{
	const struct kma_lat_sums *sums = kma_lat_sums(lat);

	kma_account_set_loss(account, KMA_LOSS_NOT_RECORDED, sums->losses[KMA_LAT_LOST_EVENTS]);
	for (unsigned int i = 0; i < KMA_LAT_NR_LOSSES; i++)
		if (sums->losses[i] && i != KMA_LAT_LOST_EVENTS)
			kma_account_warn(account, "%" PRIu64 " %s", sums->losses[i],
					 kma_lat_loss_titles[i]);
}

static void destroy(struct kma_lat **lat)
{
	kma_lat_destroy(*lat);
}

/* Read lines; @none is the error message if they contain no allocation. */
static struct kma_err *funcgraph_lines(struct kma_input *input, const char *none,
				       struct kma_account *account)
{
	_cleanup_(destroy) struct kma_lat *lat = NULL;
	struct kma_lat_options opts = { .by = KMA_LAT_BY_SITE, .allocator = funcgraph_allocator };
	struct kma_err *err;

	lat = kma_lat_create(&opts);
	kma_account_set_metrics(account, 1U << KMA_LATENCY | 1U << KMA_WAITS);
	err = funcgraph_log(input, lat);
	if (err)
		return err;
	if (!kma_lat_sums(lat)->causes[KMA_LAT_ALLOC].calls)
		return kma_err_create(kma_input_name(input), 0, "%s", none);
	err = funcgraph_sites(lat, account);
	if (err)
		return err;
	funcgraph_losses(lat, account);
	return NULL;
}

static struct kma_err *funcgraph_read(struct kma_input *input, struct kma_account *account)
{
	return funcgraph_lines(
		input, "no call of an allocating function in this input, only events", account);
}

struct kma_err *kma_funcgraph_read_dat(struct kma_input *input, struct kma_account *account)
{
	struct kma_trace_text *text;
	struct kma_input *lines;
	struct kma_err *err, *second;

	err = kma_trace_text_create(input, &lines, &text);
	if (err)
		return err;
	err = funcgraph_lines(lines,
			      "no events of allocations or frees in this input, only other events",
			      account);
	/* The error of a corrupt file takes precedence. */
	second = kma_trace_text_end(text);
	kma_trace_text_destroy(text);
	kma_input_close(lines);
	if (second)
		kma_err_destroy(err);
	return second ?: err;
}

/* Events of reclaim and compaction are in logs of allocations, too; ftrace.c reads those. */
static bool funcgraph_probe(const char *head, size_t len)
{
	bool calls;

	return kma_lat_is_log(head, len, &calls) && (calls || !kma_ftrace_has_events(head, len));
}

const struct kma_reader_ops kma_reader_funcgraph = {
	.name = "a log of function_graph (times of allocations)",
	.key = "funcgraph",
	.behind_text = true,
	/* Calls, "f() {", "f();" and "}"; beginnings of the names of latency.c's tracepoints. */
	.signs = { ") {", ");", "}", "mm_vmscan_", "mm_shrink_slab_", "mm_compaction_", "kma_open",
		   "kma_shrinker" },
	.probe = funcgraph_probe,
	.read = funcgraph_read,
};
