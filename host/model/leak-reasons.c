// SPDX-License-Identifier: GPL-2.0-only
/*
 * leak-reasons.c - describe the reasons of a verdict. Each has the figure that it is made of, so that
 * it can be compared with the row, and is left out if there is no figure.
 */
#include <math.h>

#include "leak-reasons.h"
#include "lib/plural.h"
#include "lib/units.h"

static void leak_say_bytes(double bytes, struct kma_strbuf *text)
{
	char buf[32];

	kma_strbuf_printf(text, " %s%s", bytes < 0 ? "-" : "",
			  kma_units_format(buf, sizeof(buf), fabs(bytes), KMA_UNIT_BYTES));
}

/* " 90 s", or " 3 runs" of a workload. */
static void leak_say_time(const struct kma_leak_evidence *ev, double seconds,
			  struct kma_strbuf *text)
{
	double runs = ev->run > 0 ? round(seconds / ev->run) : 0;

	if (ev->run > 0)
		kma_strbuf_printf(text, " %.0f %s", runs, kma_plural(runs, "run", "runs"));
	else
		kma_strbuf_printf(text, " %.0f s", seconds);
}

static void leak_say_early(const struct kma_leak_evidence *ev, struct kma_strbuf *text)
{
	if (ev->few) {
		kma_strbuf_printf(text, "%.0f %s too few to judge the growth by", ev->events,
				  kma_plural(ev->events, "allocation is", "allocations are"));
		leak_say_bytes(ev->gained, text);
		return;
	}
	/* a change counts for a turn only if there is a sample at both of its ends */
	if (ev->missing && ev->run > 0) {
		kma_strbuf_printf(
			text,
			"%zu %s whether the site held memory, so its changes cannot be assigned to the runs",
			ev->missing,
			kma_plural(ev->missing, "sample does not tell", "samples do not tell"));
		return;
	}
	kma_strbuf_printf(text, "%zu %s over", ev->nr, kma_plural(ev->nr, "sample", "samples"));
	leak_say_time(ev, ev->covers, text);
	kma_strbuf_printf(text, " %s too few; at least %d over", kma_plural(ev->nr, "is", "are"),
			  KMA_LEAK_MIN_SAMPLES);
	leak_say_time(ev, fmax(KMA_LEAK_MIN_COVER, KMA_LEAK_PERIODS * ev->period), text);
	kma_strbuf_puts(text, " are needed");
	if (ev->period > 0) {
		kma_strbuf_puts(text, ", three times the visible period of");
		leak_say_time(ev, ev->period, text);
	}
	if (ev->missing)
		kma_strbuf_printf(text, "; %zu %s whether the site held memory", ev->missing,
				  kma_plural(ev->missing, "account does not tell",
					     "accounts do not tell"));
}

void kma_leak_say_share(const struct kma_leak_evidence *ev, bool brief, struct kma_strbuf *text)
{
	const char *what = brief ? "" : " allocations";
	double percent = ev->leaked * 100;

	if (ev->leaked > 1 - 1e-9 && ev->freed == 0)
		kma_strbuf_printf(text, "%s is ever freed", brief ? "none" : "no allocation");
	else if (ev->leaked > 1 - 1e-9)
		kma_strbuf_printf(text, "%s is freed", brief ? "none new" : "no new allocation");
	else if (ev->leaked > 0.5)
		kma_strbuf_printf(text, "%.*f of 100%s are never freed", percent > 99.5,
				  fmin(percent, 99.9), what);
	else
		kma_strbuf_printf(text, "1 of %.0f%s is never freed", 1 / ev->leaked, what);
}

/* Why the load may explain the growth. */
static void leak_say_load(const struct kma_leak_evidence *ev, struct kma_strbuf *text)
{
	if (isinf(ev->load_rise))
		kma_strbuf_puts(text, "; nearly all of the allocations are in the second half");
	else if (ev->load_rise > 0)
		kma_strbuf_printf(
			text,
			"; the rate of allocations rises by %.0f %%, and live bytes by %.0f %%",
			ev->load_rise * 100, ev->live_rise * 100);
	else
		kma_strbuf_printf(
			text,
			"; live bytes rise by %.0f %%, of which allocations that stay explain less than half",
			ev->live_rise * 100);
}

static void leak_say_left(const struct kma_leak_result *result, struct kma_strbuf *text)
{
	const struct kma_leak_evidence *ev = &result->evidence;

	if (result->verdict == KMA_LEAK_LEAK && ev->leaked > 0) {
		kma_strbuf_puts(text, "; ");
		kma_leak_say_share(ev, false, text);
		kma_strbuf_printf(text, " (%.0f of %.0f stay)", ev->grown, ev->allocated);
	}
	if (ev->has_cohorts && ev->old_births > 0)
		kma_strbuf_printf(text, "; %.0f of %.0f objects of the first half are live",
				  ev->survivors, ev->old_births);
	else if (ev->follows_load)
		leak_say_load(ev, text);
	if (ev->fades)
		kma_strbuf_printf(
			text,
			"; the share of allocations that stay decreases (to %.0f %% of what it was)%s",
			100 * (ev->has_cohorts ? ev->residue_fading : ev->fading),
			ev->may_fade ? ", which can be chance" : "");
}

static const char *const leak_reclaims[] = {
	[KMA_LEAK_RECLAIM_UNKNOWN] = "it is unknown whether the cache is reclaimable",
	[KMA_LEAK_RECLAIM_NONE] = "the cache is not reclaimable",
	[KMA_LEAK_RECLAIM_CACHE] = "the cache is reclaimable",
	[KMA_LEAK_RECLAIM_PASSED] = "a reclaim did not shrink the cache",
	[KMA_LEAK_RECLAIM_LATE] = "the kernel frees these objects late and in batches",
};

/* The size of objects that are resized, as by krealloc(). */
static void leak_say_sizes(const struct kma_leak_evidence *ev, struct kma_strbuf *text)
{
	kma_strbuf_puts(text, "; the objects become larger, not more: from");
	leak_say_bytes(ev->sizes[0], text);
	kma_strbuf_puts(text, " to");
	leak_say_bytes(ev->sizes[2], text);
	kma_strbuf_puts(text, " each");
}

/* The interval of a slope that may be 0, or none above the floor. */
static void leak_say_slope(const struct kma_leak_evidence *ev, struct kma_strbuf *text)
{
	double unit = ev->run > 0 ? ev->run : 3600;

	kma_strbuf_puts(text, "; the growth is not certain:");
	leak_say_bytes(ev->slope.low * unit, text);
	kma_strbuf_puts(text, " to");
	leak_say_bytes(ev->slope.high * unit, text);
	kma_strbuf_puts(text, ev->run > 0 ? " a run" : " an hour");
}

void kma_leak_reasons(const struct kma_leak_result *result, struct kma_strbuf *text)
{
	const struct kma_leak_evidence *ev = &result->evidence;

	if (ev->orphan) {
		kma_strbuf_puts(text, "its module was unloaded");
		leak_say_time(ev, ev->unloaded, text);
		kma_strbuf_puts(text, " ago and its objects stay");
		return;
	}
	if (result->verdict == KMA_LEAK_TOO_EARLY) {
		leak_say_early(ev, text);
		return;
	}
	kma_strbuf_printf(text, "the minima of %zu blocks of samples %s (trend score z = %.1f)",
			  ev->blocks,
			  ev->rises    ? "rise" :
			  ev->falls    ? "fall" :
			  ev->unsteady ? "rise, but not steadily" :
					 "neither rise steadily nor fall",
			  ev->z);
	if (ev->resized)
		leak_say_sizes(ev, text);
	if (ev->rises || ev->unsteady) {
		leak_say_left(result, text);
		kma_strbuf_printf(text, "; %s", leak_reclaims[ev->reclaim]);
		if (result->verdict == KMA_LEAK_GROWING && ev->rises && ev->events >= 0 &&
		    ev->grown <= 0 && !ev->resized)
			kma_strbuf_puts(text, "; the number of objects does not rise");
	} else if (!ev->falls && ev->slope.slope > ev->above) {
		leak_say_slope(ev, text);
	}
	if (result->verdict == KMA_LEAK_CACHE && ev->swings) {
		kma_strbuf_puts(text, "; live bytes rise to");
		leak_say_bytes(ev->top, text);
		kma_strbuf_puts(text, " and fall again to");
		leak_say_bytes(ev->high, text);
	}
	if (result->verdict == KMA_LEAK_GROWING && !ev->has_cohorts && ev->advice)
		kma_strbuf_printf(text, "; %s to distinguish a leak from a filling cache",
				  ev->advice);
	if (result->verdict == KMA_LEAK_GROWING && !ev->has_cohorts && ev->events < 0)
		kma_strbuf_puts(text, "; the input has no counts of allocations");
}
