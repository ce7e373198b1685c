// SPDX-License-Identifier: GPL-2.0-only
/*
 * metric.c - the table of everything that is counted.
 */
#include <string.h>

#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "metric.h"

/* Number of columns that fit into a table next to an owner's name. */
#define KMA_FEW_METRICS 6

/* clang-format off */
#define KMA_DEFINE_SUM(name, sum)							\
	static uint64_t kma_get_##name(const struct kma_values *values)			\
	{										\
		return sum;								\
	}										\
	static int kma_cmp_##name(const struct kma_values *a, const struct kma_values *b) \
	{										\
		uint64_t x = kma_get_##name(a), y = kma_get_##name(b);			\
											\
		return (x < y) - (x > y);						\
	}
#define KMA_DEFINE_METRIC(field)							\
	KMA_DEFINE_SUM(field, values->field)						\
	static void kma_set_##field(struct kma_values *values, uint64_t value)		\
	{										\
		values->field = value;							\
	}

KMA_DEFINE_METRIC(current)
KMA_DEFINE_METRIC(req)
KMA_DEFINE_METRIC(waste)
KMA_DEFINE_METRIC(allocs)
KMA_DEFINE_METRIC(frees)
KMA_DEFINE_METRIC(total)
KMA_DEFINE_METRIC(peak)
KMA_DEFINE_METRIC(objects)
KMA_DEFINE_METRIC(remote)
KMA_DEFINE_METRIC(wrong)
KMA_DEFINE_METRIC(text)
KMA_DEFINE_METRIC(rodata)
KMA_DEFINE_METRIC(data)
KMA_DEFINE_METRIC(bss)
KMA_DEFINE_METRIC(init)
KMA_DEFINE_METRIC(other)
KMA_DEFINE_METRIC(merged)
KMA_DEFINE_METRIC(discarded)
KMA_DEFINE_METRIC(latency)
KMA_DEFINE_METRIC(waits)
KMA_DEFINE_METRIC(samples)
KMA_DEFINE_METRIC(error)
KMA_DEFINE_METRIC(charged)
KMA_DEFINE_METRIC(retained)
KMA_DEFINE_SUM(static, values->text + values->rodata + values->data + values->bss +
		       values->init + values->other)
KMA_DEFINE_SUM(footprint, kma_get_static(values) + values->current)

#define KMA_FIELD(field) kma_get_##field, kma_set_##field, kma_cmp_##field
#define KMA_SUM(name)	 kma_get_##name, NULL, kma_cmp_##name

const struct kma_metric kma_metrics[KMA_NR_METRICS] = {
	/*		    name		alias	  title		what */
	[KMA_CURRENT]	= { "current_dynamic",	"total",  "live",	"live bytes",
			    KMA_UNIT_BYTES, true, KMA_FIELD(current) },
	[KMA_REQUESTED]	= { "requested",	"req",	  "requested",	"requested bytes",
			    KMA_UNIT_BYTES, true, KMA_FIELD(req) },
	[KMA_WASTE]	= { "waste",		"slack",  "waste",	"wasted bytes",
			    KMA_UNIT_BYTES, true, KMA_FIELD(waste) },
	[KMA_ALLOCS]	= { "allocs",		"alloc",  "allocs",	"allocations",
			    KMA_UNIT_COUNT, true, KMA_FIELD(allocs) },
	[KMA_FREES]	= { "frees",		"free",   "frees",	"frees",
			    KMA_UNIT_COUNT, true, KMA_FIELD(frees) },
	[KMA_TOTAL]	= { "total_dynamic",	"all_total", "allocated", "allocated bytes",
			    KMA_UNIT_BYTES, false, KMA_FIELD(total) },
	[KMA_PEAK]	= { "peak",		NULL,	  "peak",	"bytes at their peaks",
			    KMA_UNIT_BYTES, false, KMA_FIELD(peak) },
	[KMA_OBJECTS]	= { "objects",		NULL,	  "objects",	"live objects",
			    KMA_UNIT_COUNT, false, KMA_FIELD(objects) },
	[KMA_REMOTE]	= { "remote_frees",	"remote_cpu", "remote",	"frees on another CPU",
			    KMA_UNIT_COUNT, false, KMA_FIELD(remote) },
	[KMA_WRONG]	= { "wrong_frees",	NULL,	  "wrong",	"frees by the wrong function",
			    KMA_UNIT_COUNT, false, KMA_FIELD(wrong) },
	[KMA_TEXT]	= { "text",		NULL,	  "text",	"bytes of code",
			    KMA_UNIT_BYTES, false, KMA_FIELD(text) },
	[KMA_RODATA]	= { "rodata",		NULL,	  "rodata",	"read-only bytes",
			    KMA_UNIT_BYTES, false, KMA_FIELD(rodata) },
	[KMA_DATA]	= { "data",		NULL,	  "data",	"bytes of data",
			    KMA_UNIT_BYTES, false, KMA_FIELD(data) },
	[KMA_BSS]	= { "bss",		NULL,	  "bss",	"bytes of zeroed data",
			    KMA_UNIT_BYTES, false, KMA_FIELD(bss) },
	[KMA_INIT]	= { "init",		NULL,	  "init",	"bytes freed after boot",
			    KMA_UNIT_BYTES, false, KMA_FIELD(init) },
	[KMA_OTHER]	= { "other",		NULL,	  "other",	"bytes of tables",
			    KMA_UNIT_BYTES, false, KMA_FIELD(other) },
	[KMA_STATIC]	= { "static",		NULL,	  "static",	"static bytes",
			    KMA_UNIT_BYTES, true, KMA_SUM(static) },
	[KMA_FOOTPRINT]	= { "current",		NULL,	  "footprint",	"static and live bytes",
			    KMA_UNIT_BYTES, true, KMA_SUM(footprint) },
	[KMA_MERGED]	= { "merged",		NULL,	  "merged",	"bytes of merged constants",
			    KMA_UNIT_BYTES, false, KMA_FIELD(merged) },
	[KMA_DISCARDED]	= { "discarded",	NULL,	  "discarded",	"bytes that were not linked",
			    KMA_UNIT_BYTES, false, KMA_FIELD(discarded) },
	[KMA_LATENCY]	= { "latency",		NULL,	  "waited",	"time of allocations",
			    KMA_UNIT_NS, true, KMA_FIELD(latency) },
	[KMA_WAITS]	= { "waits",		NULL,	  "waits",	"allocations that waited",
			    KMA_UNIT_COUNT, true, KMA_FIELD(waits) },
	[KMA_SAMPLES]	= { "samples",		NULL,	  "samples",	"sampled live objects",
			    KMA_UNIT_COUNT, true, KMA_FIELD(samples) },
	[KMA_ERROR]	= { "live_error",	NULL,	  "+/- live",	"standard error of live bytes",
			    KMA_UNIT_BYTES, true, KMA_FIELD(error) },
	[KMA_CHARGED]	= { "charged",		NULL,	  "charged",	"charged bytes",
			    KMA_UNIT_BYTES, true, KMA_FIELD(charged) },
	[KMA_RETAINED]	= { "retained",		NULL,	  "retained",	"retained bytes",
			    KMA_UNIT_BYTES, true, KMA_FIELD(retained) },
};
/* clang-format on */

/* The title counts, too: users type the headings that they see in a table, such as "live". */
static bool metric_named(enum kma_metric_id id, const char *name)
{
	const char *alias = kma_metrics[id].alias;

	return !strcmp(name, kma_metrics[id].name) || (alias && !strcmp(name, alias)) ||
	       !strcmp(name, kma_metrics[id].title);
}

bool kma_metric_find(const char *name, enum kma_metric_id *ret)
{
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (metric_named(id, name)) {
			*ret = id;
			return true;
		}
	return false;
}

void kma_metric_find_set(const char *names, unsigned int *ret, char **unknown)
{
	_cleanup_free_ char *copy = kma_xstrdup(names);
	char *rest = copy;

	*ret = 0;
	*unknown = NULL;
	for (char *name; (name = strsep(&rest, ","));) {
		enum kma_metric_id id;

		if (!strcmp(name, "all")) {
			*ret = KMA_METRICS_ALL;
		} else if (kma_metric_find(name, &id)) {
			*ret |= 1U << id;
		} else {
			*unknown = kma_xstrdup(name);
			return;
		}
	}
}

struct kma_err *kma_metric_check(unsigned int asked, unsigned int have)
{
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };
	unsigned int missing = asked & ~have;

	if (!missing)
		return NULL;
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (have & 1U << id)
			kma_strbuf_printf(&names, "%s%s", names.len ? ", " : "",
					  kma_metrics[id].name);
	return kma_err_create(NULL, 0, "no attribute '%s' in this input (available: %s)",
			      kma_metrics[__builtin_ctz(missing)].name,
			      names.len ? names.str : "none");
}

unsigned int kma_metric_shown(unsigned int have, unsigned int wanted)
{
	unsigned int shown = wanted;

	if (__builtin_popcount(have) <= KMA_FEW_METRICS)
		return have;
	for (unsigned int id = 0; id < KMA_NR_METRICS; id++)
		if (kma_metrics[id].shown)
			shown |= 1U << id;
	return shown & have;
}

void kma_values_add(struct kma_values *to, const struct kma_values *from)
{
	to->current += from->current;
	to->req += from->req;
	to->waste += from->waste;
	to->allocs += from->allocs;
	to->frees += from->frees;
	to->total += from->total;
	to->peak += from->peak;
	to->objects += from->objects;
	to->remote += from->remote;
	to->wrong += from->wrong;
	to->text += from->text;
	to->rodata += from->rodata;
	to->data += from->data;
	to->bss += from->bss;
	to->init += from->init;
	to->other += from->other;
	to->merged += from->merged;
	to->discarded += from->discarded;
	to->latency += from->latency;
	to->waits += from->waits;
	to->samples += from->samples;
	to->error += from->error;
	to->charged += from->charged;
	to->retained += from->retained;
}

uint64_t kma_values_bits(const struct kma_values *values)
{
	return values->current | values->req | values->waste | values->allocs | values->frees |
	       values->total | values->peak | values->objects | values->remote | values->wrong |
	       values->text | values->rodata | values->data | values->bss | values->init |
	       values->other | values->merged | values->discarded | values->latency |
	       values->waits | values->samples | values->error | values->charged | values->retained;
}

bool kma_values_is_zero(const struct kma_values *values)
{
	return !kma_values_bits(values);
}
