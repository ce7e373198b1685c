// SPDX-License-Identifier: GPL-2.0-only
/*
 * pprof.c - write an account as a profile for go tool pprof, Parca, Pyroscope and speedscope.
 *
 * The format is profile.proto of github.com/google/pprof. A sample is a call site, or a stack that
 * led to one; a chain of inlined functions is one location. The values are those of Go's heap
 * profile, in its order, then others; for an account of waits those of Go's block profile; for
 * static sizes the bytes of each kind. A metric that the account does not have has no type of
 * value, because a zero would be a false statement.
 *
 * Addresses are linked addresses of the calls (the return address less 1), so a consumer that finds
 * symbols by the build ID gets the line of the call. The address is within the instruction, not at
 * its start, as usual for all frames of a stack except the innermost.
 *
 * A profile is made in one pass over the samples: a location, a function or a string is written
 * when it is first used, to a buffer of its own. The buffers are joined at the end, the table of
 * strings last. Names are bytes of the kernel; bytes that are not UTF-8 become "?", because the
 * format requires UTF-8.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../module/uapi/version.h"
#include "export.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/escape.h"
#include "lib/gzip.h"
#include "lib/strbuf.h"
#include "lib/texts.h"
#include "model/sampled.h"
#include "model/unread.h"
#include "places.h"
#include "stack.h"

/*
 * The wire format of protocol buffers.
 *
 * A message is a sequence of fields. A field is a tag, which has the number of the field and the
 * wire type, and a value. Only two wire types are written: numbers (varint) and bytes with a length
 * in front of them, which are texts, packed lists and messages. pprof's profile.proto needs no
 * others.
 *
 * Numbers are written without a sign: a negative int64 takes ten bytes, as the format requires; the
 * zigzag form (sint64) is not supported. A number that is 0 is left out, because 0 is the default.
 * Nothing is read back and nothing is checked against a schema: the callers know the numbers and
 * types of their fields.
 */

/* How the value of a field is written: the low three bits of its tag. */
enum { KMA_PROTO_VARINT = 0, KMA_PROTO_BYTES = 2 };

/*
 * A number without a field, as packed lists have it. A negative one, cast to unsigned, takes ten
 * bytes.
 */
static void proto_varint(struct kma_strbuf *out, uint64_t value)
{
	char bytes[10];
	size_t len = 0;

	/* Seven bits in a byte, the lowest first; the top bit says that more follow. */
	for (; value > 0x7f; value >>= 7)
		bytes[len++] = value | 0x80;
	bytes[len++] = value;
	kma_strbuf_add(out, bytes, len);
}

static void proto_tag(struct kma_strbuf *out, unsigned int field, unsigned int type)
{
	proto_varint(out, field << 3 | type);
}

/* Nothing is written for 0, the default of all fields. */
static void proto_number(struct kma_strbuf *out, unsigned int field, uint64_t value)
{
	if (!value)
		return;
	proto_tag(out, field, KMA_PROTO_VARINT);
	proto_varint(out, value);
}

static void proto_bytes(struct kma_strbuf *out, unsigned int field, const char *bytes, size_t len)
{
	proto_tag(out, field, KMA_PROTO_BYTES);
	proto_varint(out, len);
	kma_strbuf_add(out, bytes, len);
}

/* An empty text is written, too, because lists contain such. */
static void proto_text(struct kma_strbuf *out, unsigned int field, const char *text)
{
	proto_bytes(out, field, text, strlen(text));
}

/* Appends a message or a packed list, and empties @message, so that it can be used again. */
static void proto_message(struct kma_strbuf *out, unsigned int field, struct kma_strbuf *message)
{
	proto_bytes(out, field, message->str ?: "", message->len);
	message->len = 0;
}

/* Numbers of fields, for each message that is written. */
enum {
	KMA_PROFILE_SAMPLE_TYPE = 1,
	KMA_PROFILE_SAMPLE = 2,
	KMA_PROFILE_MAPPING = 3,
	KMA_PROFILE_LOCATION = 4,
	KMA_PROFILE_FUNCTION = 5,
	KMA_PROFILE_STRINGS = 6,
	KMA_PROFILE_DROP_FRAMES = 7,
	KMA_PROFILE_TIME_NANOS = 9,
	KMA_PROFILE_PERIOD_TYPE = 11,
	KMA_PROFILE_PERIOD = 12,
	KMA_PROFILE_COMMENT = 13,
	KMA_PROFILE_DEFAULT_TYPE = 14,

	KMA_VALUE_TYPE = 1,
	KMA_VALUE_UNIT = 2,

	KMA_SAMPLE_LOCATIONS = 1,
	KMA_SAMPLE_VALUES = 2,
	KMA_SAMPLE_LABEL = 3,

	KMA_LABEL_KEY = 1,
	KMA_LABEL_TEXT = 2,
	KMA_LABEL_NUMBER = 3,
	KMA_LABEL_UNIT = 4,

	KMA_MAPPING_ID = 1,
	KMA_MAPPING_START = 2,
	KMA_MAPPING_LIMIT = 3,
	KMA_MAPPING_FILE = 5,
	KMA_MAPPING_BUILD_ID = 6,
	KMA_MAPPING_HAS_FUNCTIONS = 7,
	KMA_MAPPING_HAS_FILES = 8,
	KMA_MAPPING_HAS_LINES = 9,
	KMA_MAPPING_HAS_INLINES = 10,

	KMA_LOCATION_ID = 1,
	KMA_LOCATION_MAPPING = 2,
	KMA_LOCATION_ADDRESS = 3,
	KMA_LOCATION_LINE = 4,

	KMA_LINE_FUNCTION = 1,
	KMA_LINE_NUMBER = 2,

	KMA_FUNCTION_ID = 1,
	KMA_FUNCTION_NAME = 2,
	KMA_FUNCTION_SYSTEM_NAME = 3,
	KMA_FUNCTION_FILE = 4,
};

/* The values of a sample in this order; those that the account does not have are left out. */
static const struct put_type {
	enum kma_metric_id metric;
	const char *name, *unit;
} types[] = {
	{ KMA_ALLOCS, "alloc_objects", "count" },  { KMA_TOTAL, "alloc_space", "bytes" },
	{ KMA_OBJECTS, "inuse_objects", "count" }, { KMA_CURRENT, "inuse_space", "bytes" },
	{ KMA_WASTE, "slack_space", "bytes" },	   { KMA_WAITS, "contentions", "count" },
	{ KMA_LATENCY, "delay", "nanoseconds" },   { KMA_STATIC, "static_space", "bytes" },
	{ KMA_TEXT, "text_space", "bytes" },	   { KMA_RODATA, "rodata_space", "bytes" },
	{ KMA_DATA, "data_space", "bytes" },	   { KMA_BSS, "bss_space", "bytes" },
	{ KMA_INIT, "init_space", "bytes" },	   { KMA_OTHER, "other_space", "bytes" },
};

/* The default metric of the viewer: the first one in this list that the account has. */
static const enum kma_metric_id defaults[] = { KMA_CURRENT, KMA_OBJECTS, KMA_LATENCY,
					       KMA_TOTAL,   KMA_ALLOCS,	 KMA_STATIC };

/* A file with code: the kernel, or a module. */
struct kma_pprof_mapping {
	const char *module;	    /* NULL: the kernel */
	const char *build_id;	    /* in hex, "" if unknown */
	uint64_t start, limit;	    /* addresses are in [start, limit); limit 0: none is known */
	bool files, lines, inlines; /* locations have these */
};

struct kma_pprof {
	const struct kma_export *export;
	unsigned int have; /* set of metrics that the account has */
	struct kma_export_sites sites;
	struct kma_texts strings, functions;
	struct kma_pprof_mapping *mappings; /* the first is the kernel */
	size_t nr_mappings;
	size_t *site_ids, *caller_ids; /* number of the location of each site; 0: not written yet */
	size_t nr_locations;
	struct kma_strbuf samples, locations, tables; /* parts of the profile */
	struct kma_strbuf one, part;		      /* messages that are being written */
};

/* Finds or adds a text in the table of strings. Returns its number. */
static size_t string_of(struct kma_pprof *pp, const char *text)
{
	_cleanup_strbuf_ struct kma_strbuf plain = { 0 };

	kma_escape_plain(&plain, text);
	return kma_texts_add(&pp->strings, plain.str ?: "");
}

/* Finds or adds a function in its table. Returns its number, from 1. */
static size_t function_of(struct kma_pprof *pp, const struct kma_frame *frame)
{
	_cleanup_strbuf_ struct kma_strbuf key = { 0 };
	size_t name = string_of(pp, frame->function);
	size_t file = string_of(pp, frame->file);
	size_t known = pp->functions.map.nr, ret;

	kma_strbuf_printf(&key, "%zu %zu", name, file);
	ret = kma_texts_add(&pp->functions, key.str);
	if (ret < known)
		return ret + 1;
	proto_number(&pp->part, KMA_FUNCTION_ID, ret + 1);
	proto_number(&pp->part, KMA_FUNCTION_NAME, name);
	proto_number(&pp->part, KMA_FUNCTION_SYSTEM_NAME, name);
	proto_number(&pp->part, KMA_FUNCTION_FILE, file);
	proto_message(&pp->tables, KMA_PROFILE_FUNCTION, &pp->part);
	return ret + 1;
}

/* Finds or adds the mapping of a site. Returns its number, from 1; 0 if the site is not code. */
static size_t mapping_of(struct kma_pprof *pp, const struct kma_export_site *site)
{
	const char *build_id = site->site->build_id ?: "";

	if (!kma_place_is_code(site))
		return 0;
	if (!site->module)
		return 1;
	for (size_t i = 1; i < pp->nr_mappings; i++)
		if (!strcmp(pp->mappings[i].module, site->module) &&
		    !strcmp(pp->mappings[i].build_id, build_id))
			return i + 1;
	pp->mappings = kma_xrealloc(pp->mappings, pp->nr_mappings + 1, sizeof(*pp->mappings));
	pp->mappings[pp->nr_mappings++] =
		(struct kma_pprof_mapping){ .module = site->module, .build_id = build_id };
	return pp->nr_mappings;
}

/*
 * Records in a mapping whether its locations have files, lines and inlined functions, and extends
 * its addresses. Viewers search for symbols of a mapping that has none of these.
 */
static void cover(struct kma_pprof_mapping *mapping, const struct kma_export_site *site)
{
	for (unsigned int i = 0; i < site->nr_frames; i++) {
		mapping->files |= *site->frames[i].file;
		mapping->lines |= site->frames[i].line;
	}
	mapping->inlines |= site->nr_frames > 1;
	if (!site->addr)
		return;
	if (!mapping->limit || site->addr < mapping->start)
		mapping->start = site->addr;
	if (site->addr >= mapping->limit)
		mapping->limit = site->addr + 1;
}

static void put_location(struct kma_pprof *pp, const struct kma_export_site *site, size_t id)
{
	size_t mapping = mapping_of(pp, site);

	/* Add functions first: a new function uses pp->part, which the loop below needs. */
	for (unsigned int i = 0; i < site->nr_frames; i++)
		function_of(pp, &site->frames[i]);
	proto_number(&pp->one, KMA_LOCATION_ID, id);
	proto_number(&pp->one, KMA_LOCATION_MAPPING, mapping);
	proto_number(&pp->one, KMA_LOCATION_ADDRESS, site->addr);
	for (unsigned int i = 0; i < site->nr_frames; i++) {
		size_t function = function_of(pp, &site->frames[i]);

		proto_number(&pp->part, KMA_LINE_FUNCTION, function);
		proto_number(&pp->part, KMA_LINE_NUMBER, site->frames[i].line);
		proto_message(&pp->one, KMA_LOCATION_LINE, &pp->part);
	}
	proto_message(&pp->locations, KMA_PROFILE_LOCATION, &pp->one);
	if (mapping)
		cover(&pp->mappings[mapping - 1], site);
}

static void put_label(struct kma_pprof *pp, const char *key, const char *text)
{
	if (!text)
		return;
	proto_number(&pp->part, KMA_LABEL_KEY, string_of(pp, key));
	proto_number(&pp->part, KMA_LABEL_TEXT, string_of(pp, text));
	proto_message(&pp->one, KMA_SAMPLE_LABEL, &pp->part);
}

/*
 * Size of the objects of a site, if live and allocated objects have one size according to the sums;
 * 0 if sizes differ or are unknown.
 */
static uint64_t size_of(const struct kma_pprof *pp, const struct kma_values *values)
{
	const unsigned int needed = 1U << KMA_ALLOCS | 1U << KMA_TOTAL | 1U << KMA_OBJECTS |
				    1U << KMA_CURRENT;
	uint64_t size;

	if ((pp->have & needed) != needed || !values->allocs || values->total % values->allocs)
		return 0;
	size = values->total / values->allocs;
	return values->objects * size == values->current ? size : 0;
}

/*
 * Labels that each sample has if they are known: cache, kind, module and group; and those of the keys
 * that were requested, which are also written for what is unknown. Stacks are locations.
 */
static void put_labels(struct kma_pprof *pp, const struct kma_export_site *site)
{
	const struct kma_keys *keys = &pp->export->keys;
	enum kma_kind kind = site->site->kind;
	uint64_t size = size_of(pp, &site->site->values);
	/* A site that allocates from several caches gets no label. */
	const char *texts[KMA_NR_KEYS] = {
		[KMA_KEY_CACHE] = site->site->caches ? NULL : site->site->cache,
		[KMA_KEY_KIND] = kind == KMA_KIND_UNKNOWN ? NULL : kma_kind_names[kind],
		[KMA_KEY_MODULE] = site->module,
	};

	for (unsigned int i = 0; i < keys->nr; i++)
		texts[keys->list[i]] =
			kma_export_text(pp->export, site, keys->list[i], &pp->sites.arena);
	for (enum kma_key_id id = 0; id < KMA_NR_KEYS; id++)
		if (id != KMA_KEY_CALLER && id != KMA_KEY_STACK && !kma_keys[id].groups)
			put_label(pp, kma_keys[id].name, texts[id]);
	if (site->site->group)
		put_label(pp, kma_grouped_names[site->site->grouped], site->site->group);
	if (!size)
		return;
	proto_number(&pp->part, KMA_LABEL_KEY, string_of(pp, "bytes"));
	proto_number(&pp->part, KMA_LABEL_NUMBER, size);
	proto_number(&pp->part, KMA_LABEL_UNIT, string_of(pp, "bytes"));
	proto_message(&pp->one, KMA_SAMPLE_LABEL, &pp->part);
}

/* Writes the values of a sample. Returns false if all are 0. */
static bool put_values(const struct kma_pprof *pp, const struct kma_values *values,
		       struct kma_strbuf *out)
{
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		enum kma_metric_id id = types[i].metric;
		uint64_t value = kma_metrics[id].get(values);

		if (!(pp->have >> id & 1))
			continue;
		proto_varint(out, value);
		any |= value;
	}
	return any;
}

/* Adds a location to a list. The location is written at its first use: until then *id is 0. */
static void put_at(struct kma_pprof *pp, const struct kma_export_site *site, size_t *id,
		   struct kma_strbuf *list)
{
	if (!*id) {
		*id = ++pp->nr_locations;
		put_location(pp, site, *id);
	}
	proto_varint(list, *id);
}

static void put_sample(struct kma_pprof *pp, const struct kma_export_sample *sample,
		       struct kma_strbuf *values)
{
	_cleanup_strbuf_ struct kma_strbuf list = { 0 };

	put_at(pp, sample->site, &pp->site_ids[sample->site - pp->sites.list], &list);
	for (unsigned int i = 0; i < sample->nr_callers; i++)
		put_at(pp, sample->callers[i],
		       &pp->caller_ids[sample->callers[i] - pp->sites.callers], &list);
	proto_message(&pp->one, KMA_SAMPLE_LOCATIONS, &list);
	proto_message(&pp->one, KMA_SAMPLE_VALUES, values);
	put_labels(pp, sample->site);
	proto_message(&pp->samples, KMA_PROFILE_SAMPLE, &pp->one);
}

static void put_samples(struct kma_pprof *pp)
{
	_cleanup_strbuf_ struct kma_strbuf values = { 0 };
	const struct kma_stacks *stacks = kma_account_stacks(pp->export->account);

	pp->site_ids = kma_xcalloc(pp->sites.nr + 1, sizeof(*pp->site_ids));
	pp->caller_ids = kma_xcalloc(stacks ? kma_stacks_nr_frames(stacks) + 1UL : 1,
				     sizeof(*pp->caller_ids));
	for (size_t i = 0; i < pp->sites.nr_samples; i++) {
		const struct kma_export_sample *sample = &pp->sites.samples[i];

		values.len = 0;
		if (put_values(pp, sample->values, &values))
			put_sample(pp, sample, &values);
	}
}

static void put_type(struct kma_pprof *pp, struct kma_strbuf *out, unsigned int field,
		     const char *name, const char *unit)
{
	proto_number(&pp->part, KMA_VALUE_TYPE, string_of(pp, name));
	proto_number(&pp->part, KMA_VALUE_UNIT, string_of(pp, unit));
	proto_message(out, field, &pp->part);
}

/* Extends the mapping of the kernel to its whole text, if that is known. */
static void extend_kernel(struct kma_pprof *pp)
{
	const struct kma_source *source = pp->export->source;
	struct kma_pprof_mapping *kernel = &pp->mappings[0];
	uint64_t start, end;

	if (!source || !source->ops->text || !source->ops->text(source, &start, &end))
		return;
	if (!kernel->limit || start < kernel->start)
		kernel->start = start;
	if (end > kernel->limit)
		kernel->limit = end;
}

static void put_mappings(struct kma_pprof *pp)
{
	char file[80] = "[kernel.kallsyms]";

	extend_kernel(pp);
	for (size_t i = 0; i < pp->nr_mappings; i++) {
		const struct kma_pprof_mapping *mapping = &pp->mappings[i];
		struct kma_strbuf *part = &pp->part;

		if (mapping->module)
			snprintf(file, sizeof(file), "%.64s.ko", mapping->module);
		proto_number(part, KMA_MAPPING_ID, i + 1);
		proto_number(part, KMA_MAPPING_START, mapping->start);
		proto_number(part, KMA_MAPPING_LIMIT, mapping->limit);
		proto_number(part, KMA_MAPPING_FILE, string_of(pp, file));
		proto_number(part, KMA_MAPPING_BUILD_ID, string_of(pp, mapping->build_id));
		/* Each location has a function, so viewers need not search for symbols. */
		proto_number(part, KMA_MAPPING_HAS_FUNCTIONS, 1);
		proto_number(part, KMA_MAPPING_HAS_FILES, mapping->files);
		proto_number(part, KMA_MAPPING_HAS_LINES, mapping->lines);
		proto_number(part, KMA_MAPPING_HAS_INLINES, mapping->inlines);
		proto_message(&pp->tables, KMA_PROFILE_MAPPING, part);
	}
}

static void put_comment(struct kma_pprof *pp, struct kma_strbuf *out, const char *text)
{
	proto_varint(out, string_of(pp, text));
}

static void put_estimates(struct kma_pprof *pp, struct kma_strbuf *out)
{
	const struct kma_stacks *stacks = kma_account_stacks(pp->export->account);
	char line[160], *sampled = NULL;

	if (stacks)
		kma_sampled_text(stacks, &sampled);
	if (!sampled)
		return;
	snprintf(line, sizeof(line), "numbers by stack are estimates: the stacks of %s were taken",
		 sampled);
	put_comment(pp, out, line);
	free(sampled);
}

/* Adds comments with losses and warnings. Viewers print them above each report. */
static void put_comments(struct kma_pprof *pp, struct kma_strbuf *out)
{
	const struct kma_export *export = pp->export;
	struct kma_unread unread;
	const char *warning;
	char line[160];
	uint64_t lost;

	snprintf(line, sizeof(line), "kmem-account %s%s%.64s", KMA_VERSION,
		 *export->release ? ", kernel " : "", export->release);
	put_comment(pp, out, line);
	for (unsigned int i = 0; i < KMA_NR_LOSSES; i++) {
		if (!kma_account_loss(export->account, i, &lost))
			continue;
		snprintf(line, sizeof(line), "%s: %" PRIu64, kma_losses[i].title, lost);
		put_comment(pp, out, line);
	}
	if (kma_unread_of(export->account, &unread)) {
		snprintf(line, sizeof(line), "event lines not read: %" PRIu64, unread.lines);
		put_comment(pp, out, line);
	}
	for (size_t i = 0; (warning = kma_account_warning(export->account, i)); i++)
		put_comment(pp, out, warning);
	put_estimates(pp, out);
	if (pp->have >> KMA_STATIC & 1) {
		put_comment(pp, out, "static sizes: a sample is a symbol, without an address");
		return;
	}
	if (!*export->build_id)
		put_comment(
			pp, out,
			"the input has no build ID of the kernel: no viewer can check that a vmlinux matches");
	put_comment(pp, out, "addresses: of the call as linked (return address less 1)");
}

static const char *default_type(const struct kma_pprof *pp)
{
	enum kma_metric_id first = KMA_NR_METRICS;

	for (size_t i = 0; i < ARRAY_SIZE(defaults) && first == KMA_NR_METRICS; i++)
		if (pp->have >> defaults[i] & 1)
			first = defaults[i];
	if (pp->export->allocs && pp->have >> KMA_TOTAL & 1)
		first = KMA_TOTAL;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (types[i].metric == first)
			return types[i].name;
	return "";
}

/* Joins the parts of the profile; the strings are last, because every other part adds some. */
static void put_profile(struct kma_pprof *pp, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf comments = { 0 };
	const struct kma_export *export = pp->export;

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (pp->have >> types[i].metric & 1)
			put_type(pp, out, KMA_PROFILE_SAMPLE_TYPE, types[i].name, types[i].unit);
	kma_strbuf_add(out, pp->samples.str ?: "", pp->samples.len);
	put_mappings(pp);
	kma_strbuf_add(out, pp->locations.str ?: "", pp->locations.len);
	kma_strbuf_add(out, pp->tables.str ?: "", pp->tables.len);
	if (!export->keep_wrappers)
		proto_number(out, KMA_PROFILE_DROP_FRAMES, string_of(pp, KMA_WRAPPERS));
	proto_number(out, KMA_PROFILE_TIME_NANOS, export->time * 1000000000ULL);
	if (pp->have >> KMA_CURRENT & 1)
		put_type(pp, out, KMA_PROFILE_PERIOD_TYPE, "space", "bytes");
	proto_number(out, KMA_PROFILE_PERIOD, 1);
	put_comments(pp, &comments);
	proto_message(out, KMA_PROFILE_COMMENT, &comments);
	proto_number(out, KMA_PROFILE_DEFAULT_TYPE, string_of(pp, default_type(pp)));
	for (size_t i = 0; i < pp->strings.map.nr; i++)
		proto_text(out, KMA_PROFILE_STRINGS, kma_texts_get(&pp->strings, i));
}

static void make_profile(struct kma_pprof *pp, struct kma_strbuf *out)
{
	/* The first string of the table is the empty one, the first mapping the kernel. */
	string_of(pp, "");
	pp->mappings = kma_xmalloc(sizeof(*pp->mappings));
	pp->mappings[0] = (struct kma_pprof_mapping){ .build_id = pp->export->build_id };
	pp->nr_mappings = 1;
	put_samples(pp);
	put_profile(pp, out);
}

static struct kma_err *write_pprof(const struct kma_export *export, struct kma_strbuf *out)
{
	_cleanup_strbuf_ struct kma_strbuf plain = { 0 };
	struct kma_pprof pp = { .export = export, .have = kma_account_metrics(export->account) };
	struct kma_err *err;

	err = kma_places_find(export->account, export->source, export->hide_addresses, &pp.sites);
	if (!err) {
		make_profile(&pp, &plain);
		kma_gzip(&plain, KMA_GZIP_SMALL, out);
	}
	kma_places_deinit(&pp.sites);
	kma_texts_deinit(&pp.strings);
	kma_texts_deinit(&pp.functions);
	free(pp.mappings);
	free(pp.site_ids);
	free(pp.caller_ids);
	kma_strbuf_deinit(&pp.samples);
	kma_strbuf_deinit(&pp.locations);
	kma_strbuf_deinit(&pp.tables);
	kma_strbuf_deinit(&pp.one);
	kma_strbuf_deinit(&pp.part);
	return err;
}

const struct kma_export_format kma_export_pprof = {
	.name = "pprof",
	.what = "a profile for go tool pprof, Parca and Pyroscope",
	.binary = true,
	.stacks = true,
	.write = write_pprof,
};
