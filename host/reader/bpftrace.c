// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpftrace.c - reader of bpftrace's maps by stack:
 *
 *	@bytes[
 *	    __kmalloc_noprof+280
 *	    demo_ioctl+28
 *	, bash]: 4096
 *
 * The text does not tell what the numbers are, so the name of the map has to: one with the word
 * "bytes" or "size" has allocated bytes, one with "allocs", "allocations", "count", "calls" or
 * "hits" allocations. Offsets are decimal. Further keys of the map are left out. bpftrace does not
 * print what was freed, and maps whose names say that they have it are refused.
 *
 * A map has each stack once, so a stack that comes again is of a later print of the map. Its
 * numbers are of all the time: the earlier print is forgotten. bpftrace prints a map from small to
 * large, so stacks that are new come before those that come again. The later print thus begins
 * where the stacks of the map begin without a blank line, another map or other text between them.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "backtrace.h"
#include "input/cursor.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/map.h"
#include "lib/strbuf.h"
#include "reader.h"

static const struct {
	const char *word;
	enum kma_metric_id metric;
} units[] = {
	{ "bytes", KMA_TOTAL },	       { "size", KMA_TOTAL },	{ "allocs", KMA_ALLOCS },
	{ "allocations", KMA_ALLOCS }, { "count", KMA_ALLOCS }, { "calls", KMA_ALLOCS },
	{ "hits", KMA_ALLOCS },
};

/* Names with these have what was freed, or what was not. */
static const char *const not_allocated[] = { "free", "live" };

/* A map, by its name. */
struct map {
	char *name;
	enum kma_metric_id metric;
	unsigned int first; /* the run of stacks in which its last print begins */
	unsigned int prints;
};

struct stack {
	char *key; /* its lines without the number, each with a newline */
	uint32_t map;
	unsigned int run; /* the last one that has the stack */
	uint64_t value;
};

struct bpftrace {
	struct kma_cursor cur;
	bool open;	       /* a map's stack was begun */
	struct kma_strbuf key; /* the lines of the current stack */
	uint32_t map;	       /* of the current stack */
	unsigned int run;      /* number of the current run: stacks of a map with nothing between */
	unsigned int line;     /* the last line that was read */
	struct map *maps;
	size_t room_maps;
	struct kma_map by_name; /* numbers of @maps */
	struct kma_map by_key;	/* numbers of @stacks */
	struct stack *stacks;
	size_t room_stacks;
};

/* The end of the stack and its value, "]: 104" or ", bash]: 104"; NULL for any other line. */
static const char *value_of(const char *text)
{
	const char *end = NULL, *next = *text == ']' || *text == ',' ? text : NULL;

	/* the name of a task may have "]:", too */
	while (next && (next = strstr(next, "]:"))) {
		next += 2;
		if (!*next || *next == ' ')
			end = next + (*next == ' ');
	}
	return end;
}

/*
 * Bytes of the address before a frame of kstack(perf): "ffffffff81234568 demo+28
 * ([kernel.kallsyms])"
 */
static size_t address_len(const char *text)
{
	size_t len = strspn(text, "0123456789abcdef");

	return len >= 8 && text[len] == ' ' ? len + 1 : 0;
}

/* "demo_ioctl+28", where the offset is decimal, with more after a blank; or without an offset */
static bool is_frame(const char *text)
{
	size_t name, offset;

	text += address_len(text);
	if (kma_backtrace_is_frame(text))
		return true;
	name = strcspn(text, "+ ");
	offset = text[name] == '+' ? strspn(text + name + 1, "0123456789") : 0;
	if (offset)
		return name && (!text[name + 1 + offset] || text[name + 1 + offset] == ' ');
	for (name = 0;
	     isalnum((unsigned char)text[name]) || (text[name] && strchr("_.$", text[name]));)
		name++;
	return name &&
	       (!text[name] || !strncmp(text + name, " [", 2) || !strncmp(text + name, " ([", 3));
}

/* Does the name have the word as a whole, as "alloc_bytes" and "allocBytes" have "bytes"? */
static bool has_word(const char *name, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = name; (at = strcasestr(at, word)); at++) {
		bool begins = at == name || !isalpha((unsigned char)at[-1]) ||
			      (islower((unsigned char)at[-1]) && isupper((unsigned char)*at));

		if (begins && !islower((unsigned char)at[len]))
			return true;
	}
	return false;
}

/* What the numbers of a map are. */
static struct kma_err *metric_of(struct bpftrace *in, const char *name, enum kma_metric_id *ret)
{
	bool refused = false;

	for (size_t i = 0; i < ARRAY_SIZE(not_allocated); i++)
		refused |= strcasestr(name, not_allocated[i]) != NULL;
	for (size_t i = 0; i < ARRAY_SIZE(units) && !refused; i++)
		if (has_word(name, units[i].word)) {
			*ret = units[i].metric;
			return NULL;
		}
	return kma_cursor_error(
		&in->cur,
		"a map of bpftrace that does not say what its numbers are; name it @bytes[kstack] or @allocs[kstack]");
}

static void key_line(struct bpftrace *in, const char *text, size_t len)
{
	kma_strbuf_add(&in->key, text, len);
	kma_strbuf_puts(&in->key, "\n");
}

static struct kma_err *begin_stack(struct bpftrace *in)
{
	_cleanup_free_ char *name =
		kma_xasprintf("%.*s", (int)strcspn(in->cur.text, "["), in->cur.text);
	const char *text = in->cur.text;
	uint32_t hash = kma_map_text(name, strlen(name));
	uint32_t map = kma_map_find(&in->by_name, hash, i, !strcmp(in->maps[i].name, name));
	enum kma_metric_id metric = KMA_TOTAL;
	struct kma_err *err;

	if (in->open)
		return kma_cursor_error(
			&in->cur, "a stack begins before the end of the last one, ']: NUMBER'");
	if (map == KMA_MAP_NONE) {
		err = metric_of(in, name, &metric);
		if (err)
			return err;
		kma_array_room(in->maps, in->by_name.nr, in->room_maps);
		map = kma_map_add(&in->by_name, hash);
		in->maps[map] = (struct map){ .name = name, .metric = metric, .prints = 1 };
		name = NULL;
	}
	in->run += map != in->map;
	in->map = map;
	in->open = true;
	in->key.len = 0;
	key_line(in, text, strlen(text));
	return NULL;
}

/* The current stack is complete. */
static void end_stack(struct bpftrace *in, uint64_t value)
{
	uint32_t hash = kma_map_text(in->key.str, in->key.len);
	uint32_t n = kma_map_find(&in->by_key, hash, i, !strcmp(in->stacks[i].key, in->key.str));
	struct map *map = &in->maps[in->map];
	struct stack *stack;

	if (n == KMA_MAP_NONE) {
		kma_array_room(in->stacks, in->by_key.nr, in->room_stacks);
		n = kma_map_add(&in->by_key, hash);
		in->stacks[n] = (struct stack){ .key = kma_xstrdup(in->key.str) };
	} else if (in->stacks[n].run >= map->first) {
		/* if nothing is between the prints, the later one begins here */
		in->run += in->stacks[n].run == in->run;
		map->first = in->run;
		map->prints++;
	}
	stack = &in->stacks[n];
	stack->map = in->map;
	stack->run = in->run;
	stack->value = value;
}

static struct kma_err *take_line(void *arg)
{
	struct bpftrace *in = arg;
	const char *text = in->cur.text, *value = value_of(text);
	struct kma_err *err;
	uint64_t number;

	/* other text was passed over */
	in->run += !in->open && in->cur.line != in->line + 1;
	in->line = in->cur.line;
	if (*text == '@')
		return begin_stack(in);
	if (!in->open) {
		in->run++;
		return NULL;
	}
	if (!value) {
		if (*text)
			key_line(in, text, strlen(text));
		return NULL;
	}
	in->open = false;
	key_line(in, text, value - text);
	if (!isdigit((unsigned char)*value) && *value != '-')
		return kma_cursor_error(
			&in->cur,
			"the value of the stack is not one number; use sum() or count() in bpftrace");
	err = kma_cursor_number(&in->cur, &value, "the number", &number);
	if (err)
		return err;
	if (*value)
		return kma_cursor_error(&in->cur, "the number is not a whole number");
	end_stack(in, number);
	return NULL;
}

/* Add a frame as the kernel prints it, with a hexadecimal offset. */
static void add_frame(struct kma_backtrace *frames, char *text)
{
	static const char perf[] = " (";
	size_t name, address = address_len(text);
	char frame[512];
	char *end;

	text += address;
	end = address ? strstr(text, perf) : NULL;
	if (end)
		*end = '\0';
	name = strcspn(text, "+ ");
	if (text[name] == '+' && isdigit((unsigned char)text[name + 1]) &&
	    strncmp(text + name, "+0x", 3) && name < 400)
		snprintf(frame, sizeof(frame), "%.*s+0x%llx", (int)name, text,
			 strtoull(text + name + 1, NULL, 10));
	else
		snprintf(frame, sizeof(frame), "%s", text);
	kma_backtrace_add(frames, frame);
}

/* Add the stacks of the last print of each map. */
static struct kma_err *add_stacks(struct bpftrace *in, struct kma_merge *merge, unsigned int *have)
{
	struct kma_backtrace frames = { 0 };
	struct kma_err *err = NULL;

	for (uint32_t i = 0; i < in->by_key.nr && !err; i++) {
		struct stack *stack = &in->stacks[i];
		const struct map *map = &in->maps[stack->map];
		struct kma_values values = { 0 };
		char *line = stack->key, *nl;

		if (stack->run < map->first)
			continue;
		kma_backtrace_start(&frames);
		/* between the line of the map's name and that of the number */
		while ((nl = strchr(line, '\n')) && nl[1]) {
			*nl = '\0';
			if (line != stack->key)
				add_frame(&frames, line);
			line = nl + 1;
		}
		*have |= 1U << map->metric;
		kma_metrics[map->metric].set(&values, stack->value);
		err = kma_backtrace_end(&frames, merge, KMA_KIND_UNKNOWN, &values);
	}
	kma_backtrace_deinit(&frames);
	return err;
}

static struct kma_err *close_maps(struct bpftrace *in, struct kma_account *account)
{
	_cleanup_merge_ struct kma_merge *merge = kma_merge_create();
	unsigned int have = 0, prints = 1;
	struct kma_err *err = add_stacks(in, merge, &have) ?: kma_merge_close(merge, account);

	if (err)
		return err;
	kma_account_set_metrics(account, have);
	for (uint32_t i = 0; i < in->by_name.nr; i++)
		prints = in->maps[i].prints > prints ? in->maps[i].prints : prints;
	if (prints > 1)
		kma_account_warn(account, "the maps were printed %u times; the last time is used",
				 prints);
	return NULL;
}

static void bpftrace_deinit(struct bpftrace *in)
{
	for (uint32_t i = 0; i < in->by_key.nr; i++)
		free(in->stacks[i].key);
	for (uint32_t i = 0; i < in->by_name.nr; i++)
		free(in->maps[i].name);
	free(in->stacks);
	free(in->maps);
	kma_map_free(&in->by_key);
	kma_map_free(&in->by_name);
	kma_strbuf_deinit(&in->key);
	kma_cursor_deinit(&in->cur);
}

static struct kma_err *read_maps(struct kma_input *input, struct kma_account *account)
{
	_cleanup_(bpftrace_deinit) struct bpftrace in = { 0 };
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	err = kma_cursor_each(&in.cur, take_line, &in);
	if (err)
		return err;
	if (in.open)
		return kma_cursor_error(&in.cur, "truncated in a stack");
	if (!in.by_key.nr)
		return kma_cursor_error(&in.cur, "a map of bpftrace without a stack");
	return close_maps(&in, account);
}

static enum kma_line_kind line_of(const char *text)
{
	size_t name = *text == '@' ? 1 : 0;

	while (name && (isalnum((unsigned char)text[name]) || text[name] == '_'))
		name++;
	/* the stack is on the next lines, after the keys before it */
	if (name && text[name] == '[' && (!text[name + 1] || text[strlen(text) - 1] == ','))
		return KMA_LINE_ROW;
	return value_of(text) || is_frame(text) || !strncmp(text, "Attaching ", 10) ||
			       !strcmp(text, "^C") ?
		       KMA_LINE_MORE :
		       KMA_LINE_OTHER;
}

const struct kma_reader_ops kma_reader_bpftrace = {
	.name = "a map of bpftrace by stack",
	.key = "bpftrace",
	.line = line_of,
	.read = read_maps,
};
