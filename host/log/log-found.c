// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-found.c - findings: names and sentences.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

#include "log-found.h"

const char *const kma_log_what_names[KMA_LOG_NR_WHATS] = {
	[KMA_LOG_BAD_CHUNK] = "damaged_chunk", [KMA_LOG_BAD_STREAM] = "damaged_stream",
	[KMA_LOG_MISSING] = "missing_records", [KMA_LOG_CUT] = "cut",
	[KMA_LOG_OVERRUN] = "overrun",	       [KMA_LOG_BAD_LOST] = "loss_disagrees",
	[KMA_LOG_BAD_SEQUENCE] = "sequence",   [KMA_LOG_BAD_TIME] = "time_order",
	[KMA_LOG_EARLY] = "before_start",      [KMA_LOG_BAD_VALUE] = "impossible_value",
	[KMA_LOG_NO_END] = "no_end",	       [KMA_LOG_MISSED] = "missed_calls",
	[KMA_LOG_REFUSED] = "refused_events",
};

const char *const kma_log_what_titles[KMA_LOG_NR_WHATS] = {
	[KMA_LOG_BAD_CHUNK] = "bytes between chunks do not belong to a chunk",
	[KMA_LOG_BAD_STREAM] = "bytes of a stream are not valid records",
	[KMA_LOG_MISSING] = "records are missing and were not reported as lost",
	[KMA_LOG_CUT] = "bytes are missing at the end",
	[KMA_LOG_OVERRUN] = "events were lost because the buffers were full",
	[KMA_LOG_BAD_LOST] = "events reported as lost do not match the record numbers",
	[KMA_LOG_BAD_SEQUENCE] = "record numbers of blocks went back",
	[KMA_LOG_BAD_TIME] = "timestamps of a CPU went back",
	[KMA_LOG_EARLY] = "events lie before the start of the log",
	[KMA_LOG_BAD_VALUE] = "events have invalid values",
	[KMA_LOG_NO_END] = "streams have no END record",
	[KMA_LOG_MISSED] =
		"calls were skipped by the kernel's kprobes: their objects are not in the log",
	[KMA_LOG_REFUSED] = "events of NMIs were not recorded",
};

/* Findings whose number is the size of the error: "BEFORE number AFTER". */
static const struct {
	const char *before, *after;
} kma_log_what_distances[KMA_LOG_NR_WHATS] = {
	[KMA_LOG_BAD_SEQUENCE] = { "the record number of a block goes back by", "records" },
	[KMA_LOG_BAD_TIME] = { "a timestamp of the CPU goes back by", "ns" },
	[KMA_LOG_EARLY] = { "an event lies", "ns before the start of the log" },
};

static const char *const log_value_titles[KMA_LOG_NR_VALUES] = {
	[KMA_LOG_VALUE_KIND] = "unknown kind of allocation",
	[KMA_LOG_VALUE_NULL] =
		"an allocation has failed but has an address, or has no address but has not failed",
	[KMA_LOG_VALUE_SHORT] = "fewer bytes allocated than requested",
	[KMA_LOG_VALUE_ALIGN] = "an address is not aligned",
	[KMA_LOG_VALUE_ADDRESS] = "an address is not in the kernel's range",
	[KMA_LOG_VALUE_SITE] = "a call site is neither in the kernel's text nor in a module",
	[KMA_LOG_VALUE_NODE] = "unknown memory node",
};

/* Kinds whose number is the size of an error: their findings are counted, not added up. */
static bool log_counts_times(enum kma_log_what what)
{
	return what == KMA_LOG_BAD_VALUE || what == KMA_LOG_BAD_TIME || what == KMA_LOG_EARLY ||
	       what == KMA_LOG_BAD_SEQUENCE;
}

/*
 * Append the sentence about a missing end, with the time of the last event on the recorded machine.
 */
static void log_sentence_end(const struct kma_log_sums *sums, struct kma_strbuf *ret)
{
	uint64_t since = kma_log_last(sums);
	time_t wall = (sums->wall + since) / 1000000000;
	char text[32] = "";
	struct tm tm;

	if (!sums->last)
		kma_strbuf_puts(ret, "the end is missing: the log has no event");
	else
		kma_strbuf_printf(
			ret, "the end is missing: the last event is %.9f s after the log began",
			since / 1e9);
	if (sums->last && sums->wall && gmtime_r(&wall, &tm) &&
	    strftime(text, sizeof(text), "%F %T", &tm))
		kma_strbuf_printf(ret, ", at %s UTC", text);
	kma_strbuf_puts(
		ret,
		"; later events are not in the file (the recorder was killed, its disk was full, or the machine was reset)");
}

void kma_log_finding_sentence(const struct kma_log_finding *finding, char *ret, size_t size)
{
	const char *before = kma_log_what_distances[finding->what].before;

	if (finding->what == KMA_LOG_BAD_VALUE)
		snprintf(ret, size, "%s", log_value_titles[finding->number % KMA_LOG_NR_VALUES]);
	else if (before)
		snprintf(ret, size, "%s %" PRIu64 " %s", before, finding->number,
			 kma_log_what_distances[finding->what].after);
	else
		snprintf(ret, size, "%" PRIu64 " %s", finding->number,
			 kma_log_what_titles[finding->what]);
}

void kma_log_sentence(const struct kma_log_sums *sums, enum kma_log_what what,
		      struct kma_strbuf *ret)
{
	bool times = log_counts_times(what);

	if (!sums->times[what])
		return;
	if (what == KMA_LOG_NO_END) {
		log_sentence_end(sums, ret);
		return;
	}
	kma_strbuf_printf(ret, "%" PRIu64 " %s%s", times ? sums->times[what] : sums->what[what],
			  kma_log_what_titles[what],
			  what == KMA_LOG_OVERRUN ? "" : "; see kmem-account check");
}

void kma_log_sentence_missed(const struct kma_log_sums *sums, uint64_t from, struct kma_strbuf *ret)
{
	if (sums->last && kma_log_last(sums) < from)
		kma_strbuf_printf(
			ret,
			"no event is counted: the last one before --from is %.9g s after the log began",
			kma_log_last(sums) / 1e9);
}

uint64_t kma_log_last(const struct kma_log_sums *sums)
{
	return sums->last > sums->start ? sums->last - sums->start : 0;
}

uint64_t kma_log_lost(const struct kma_log_sums *sums)
{
	uint64_t lost;

	if (__builtin_add_overflow(sums->what[KMA_LOG_OVERRUN], sums->what[KMA_LOG_MISSING], &lost))
		return UINT64_MAX;
	return lost;
}
