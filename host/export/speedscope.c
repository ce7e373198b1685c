// SPDX-License-Identifier: GPL-2.0-only
/*
 * speedscope.c - write an account as a file of speedscope (JSON): a profile for each metric,
 * between which the viewer can switch. Speedscope's importer of pprof shows only one metric, and
 * only one function of each chain of inlined functions; this format has all of them.
 */
#include <inttypes.h>
#include <regex.h>
#include <stdlib.h>

#include "../../module/uapi/version.h"
#include "export.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/json.h"
#include "lib/texts.h"
#include "places.h"
#include "stack.h"

/* The profiles; those whose metric the account does not have are left out. */
static const struct {
	enum kma_metric_id metric;
	const char *name, *unit;
} profiles[] = {
	{ KMA_CURRENT, "live bytes", "bytes" },
	{ KMA_WASTE, "slack bytes", "bytes" },
	{ KMA_OBJECTS, "live objects", "none" },
	{ KMA_ALLOCS, "allocations", "none" },
	{ KMA_TOTAL, "allocated bytes", "bytes" },
	{ KMA_LATENCY, "waits", "nanoseconds" },
	{ KMA_WAITS, "allocations that waited", "none" },
	{ KMA_STATIC, "static bytes", "bytes" },
	{ KMA_TEXT, "code", "bytes" },
	{ KMA_RODATA, "read-only data", "bytes" },
	{ KMA_DATA, "data", "bytes" },
	{ KMA_BSS, "zeroed data", "bytes" },
	{ KMA_INIT, "freed after boot", "bytes" },
	{ KMA_OTHER, "other static bytes", "bytes" },
};

struct kma_speedscope {
	const struct kma_export *export;
	struct kma_export_sites sites;
	struct kma_texts keys;	  /* frames as texts, for their numbers */
	struct kma_frame *frames; /* the frames by number */
	size_t alloc;
	size_t **stacks; /* for each sample: number of frames, then their numbers, root first */
};

/* The number of a frame, which is added if it is new. */
static size_t add_frame(struct kma_speedscope *ss, const struct kma_frame *frame)
{
	_cleanup_strbuf_ struct kma_strbuf key = { 0 };
	size_t ret;

	kma_strbuf_printf(&key, "%s\n%s\n%u", frame->function, frame->file, frame->line);
	ret = kma_texts_add(&ss->keys, key.str);
	kma_array_reach(ss->frames, ss->alloc, ret);
	ss->frames[ret] = *frame;
	return ret;
}

static struct kma_err *read_stacks(struct kma_speedscope *ss)
{
	_cleanup_(kma_graph_stack_deinit) struct kma_graph_stack stack = { 0 };
	const struct kma_export *export = ss->export;
	struct kma_err *err;
	regex_t wrappers;

	err = kma_places_find(export->account, export->source, export->hide_addresses, &ss->sites);
	if (err)
		return err;
	ss->stacks = kma_xcalloc(ss->sites.nr_samples + 1, sizeof(*ss->stacks));
	kma_wrappers_compile(&wrappers);
	for (size_t i = 0; i < ss->sites.nr_samples; i++) {
		size_t *numbers;

		kma_graph_stack_make(export, &ss->sites.samples[i], &wrappers, &ss->sites.arena,
				     &stack);
		numbers = kma_arena_zalloc(&ss->sites.arena, (stack.nr + 1) * sizeof(*numbers));
		numbers[0] = stack.nr;
		for (unsigned int k = 0; k < stack.nr; k++)
			numbers[k + 1] = add_frame(ss, &stack.frames[k]);
		ss->stacks[i] = numbers;
	}
	regfree(&wrappers);
	return NULL;
}

static void put_frames(const struct kma_speedscope *ss, struct kma_json *json)
{
	kma_json_begin(json, "shared", '{', KMA_JSON_LINES);
	kma_json_begin(json, "frames", '[', KMA_JSON_LINES);
	for (size_t i = 0; i < ss->keys.map.nr; i++) {
		const struct kma_frame *frame = &ss->frames[i];

		kma_json_begin(json, NULL, '{', KMA_JSON_INLINE);
		kma_json_text(json, "name", *frame->function ? frame->function : "?");
		if (*frame->file)
			kma_json_text(json, "file", frame->file);
		if (frame->line)
			kma_json_number(json, "line", frame->line);
		kma_json_end(json);
	}
	kma_json_end(json);
	kma_json_end(json);
}

/* Writes the stacks and weights of a metric; stacks with the weight 0 are left out. */
static void put_samples(const struct kma_speedscope *ss, struct kma_json *json,
			const struct kma_metric *metric)
{
	kma_json_begin(json, "samples", '[', KMA_JSON_LINES);
	for (size_t i = 0; i < ss->sites.nr_samples; i++) {
		if (!metric->get(ss->sites.samples[i].values))
			continue;
		kma_json_begin(json, NULL, '[', KMA_JSON_INLINE);
		for (size_t k = 1; k <= ss->stacks[i][0]; k++)
			kma_json_number(json, NULL, ss->stacks[i][k]);
		kma_json_end(json);
	}
	kma_json_end(json);
	kma_json_begin(json, "weights", '[', KMA_JSON_INLINE);
	for (size_t i = 0; i < ss->sites.nr_samples; i++)
		if (metric->get(ss->sites.samples[i].values))
			kma_json_number(json, NULL, metric->get(ss->sites.samples[i].values));
	kma_json_end(json);
}

static void put_profile(const struct kma_speedscope *ss, struct kma_json *json, size_t which)
{
	const struct kma_metric *metric = &kma_metrics[profiles[which].metric];
	uint64_t sum = 0;

	for (size_t i = 0; i < ss->sites.nr_samples; i++)
		sum += metric->get(ss->sites.samples[i].values);
	kma_json_begin(json, NULL, '{', KMA_JSON_LINES);
	kma_json_text(json, "type", "sampled");
	kma_json_text(json, "name", profiles[which].name);
	kma_json_text(json, "unit", profiles[which].unit);
	kma_json_number(json, "startValue", 0);
	kma_json_number(json, "endValue", sum);
	put_samples(ss, json, metric);
	kma_json_end(json);
}

static void put_document(const struct kma_speedscope *ss, struct kma_strbuf *out)
{
	unsigned int have = kma_account_metrics(ss->export->account);
	struct kma_json json = { .out = out };

	kma_json_begin(&json, NULL, '{', KMA_JSON_LINES);
	kma_json_text(&json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	kma_json_text(&json, "exporter", "kmem-account " KMA_VERSION);
	kma_json_text(&json, "name", *ss->export->release ? ss->export->release : "kmem-account");
	kma_json_number(&json, "activeProfileIndex", 0);
	put_frames(ss, &json);
	kma_json_begin(&json, "profiles", '[', KMA_JSON_LINES);
	for (size_t i = 0; i < ARRAY_SIZE(profiles); i++)
		if (have >> profiles[i].metric & 1)
			put_profile(ss, &json, i);
	kma_json_end(&json);
	kma_json_end(&json);
	kma_strbuf_puts(out, "\n");
}

static struct kma_err *write_speedscope(const struct kma_export *export, struct kma_strbuf *out)
{
	struct kma_speedscope ss = { .export = export };
	struct kma_err *err;

	err = read_stacks(&ss);
	if (!err)
		put_document(&ss, out);
	free(ss.stacks);
	free(ss.frames);
	kma_texts_deinit(&ss.keys);
	kma_places_deinit(&ss.sites);
	return err;
}

const struct kma_export_format kma_export_speedscope = {
	.name = "speedscope",
	.what = "a file for speedscope.app, with a profile for each metric",
	.stacks = true,
	.roots = true,
	.write = write_speedscope,
};
