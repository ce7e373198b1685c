// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpftrace.c - reader of bpftrace's maps by stack:
 *
 *	@bytes[
 *	    __kmalloc_noprof+280
 *	    demo_ioctl+28
 *	, bash]: 4096
 *
 * The text does not tell what the numbers are, so the name of the map has to: one with "byte" or
 * "size" has allocated bytes, one with "alloc", "count", "call" or "hit" allocations. Offsets are
 * decimal. Further keys of the map are left out. bpftrace does not print what was freed.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "backtrace.h"
#include "input/cursor.h"
#include "lib/cleanup.h"
#include "lib/strbuf.h"
#include "model/intern.h"
#include "reader.h"

static const struct {
	const char *word;
	enum kma_metric_id metric;
} units[] = {
	{ "byte", KMA_TOTAL },	 { "size", KMA_TOTAL },	 { "alloc", KMA_ALLOCS },
	{ "count", KMA_ALLOCS }, { "call", KMA_ALLOCS }, { "hit", KMA_ALLOCS },
};

struct bpftrace {
	struct kma_cursor cur;
	struct kma_merge *merge;
	struct kma_backtrace frames;
	bool open; /* a map's stack was begun */
	enum kma_metric_id metric;
	unsigned int have;	 /* set of metrics */
	struct kma_strbuf key;	 /* the lines of the current stack */
	struct kma_intern *keys; /* those of all stacks since the maps were printed */
	unsigned int prints;
};

/* The end of the stack and its number, "]: 104" or ", bash]: 104"; NULL if the line is none. */
static const char *number_of(const char *text)
{
	const char *end = *text == ']' || *text == ',' ? strstr(text, "]: ") : NULL;

	return end && isdigit((unsigned char)end[3]) ? end + 3 : NULL;
}

/* "demo_ioctl+28", where the offset is decimal; with the function's size in newer versions */
static bool is_frame(const char *text)
{
	size_t name = strcspn(text, "+ "), offset;

	if (!name || text[name] != '+')
		return kma_backtrace_is_frame(text);
	offset = strspn(text + name + 1, "0123456789");
	return offset && (!text[name + 1 + offset] || text[name + 1 + offset] == ' ');
}

/*
 * A map has each key once, so a stack that comes again is of a later print of the map, whose numbers are of
 * all the time: forget the earlier one.
 */
static void begin_print(struct bpftrace *in)
{
	uint32_t known = in->keys ? kma_intern_count(in->keys) : 0;

	if (in->keys && kma_intern(in->keys, KMA_KIND_UNKNOWN, in->key.str, in->key.len) >= known)
		return;
	kma_merge_destroy(in->merge);
	kma_intern_destroy(in->keys);
	in->merge = kma_merge_create();
	in->keys = kma_intern_new();
	kma_intern(in->keys, KMA_KIND_UNKNOWN, in->key.str, in->key.len);
	in->have = 0;
	in->prints++;
}

static struct kma_err *begin_stack(struct bpftrace *in)
{
	const char *text = in->cur.text;
	size_t name = strcspn(text, "[");

	in->open = true;
	in->key.len = 0;
	kma_strbuf_puts(&in->key, text);
	kma_backtrace_start(&in->frames);
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (memmem(text, name, units[i].word, strlen(units[i].word))) {
			in->metric = units[i].metric;
			return NULL;
		}
	return kma_cursor_error(
		&in->cur,
		"a map of bpftrace that does not say what its numbers are; name it @bytes[kstack] or @allocs[kstack]");
}

static struct kma_err *take_line(void *arg)
{
	struct bpftrace *in = arg;
	const char *text = in->cur.text, *number = number_of(text);
	struct kma_values values = { 0 };
	struct kma_err *err;
	uint64_t value;
	char frame[512];

	if (*text == '@')
		return begin_stack(in);
	if (!in->open)
		return NULL;
	/* without the number */
	kma_strbuf_add(&in->key, text, number ? (size_t)(number - text) : strlen(text));
	if (!number && is_frame(text)) {
		int name = strcspn(text, "+ ");

		if (text[name] == '+' && strncmp(text + name, "+0x", 3) && name < 400)
			snprintf(frame, sizeof(frame), "%.*s+0x%llx", name, text,
				 strtoull(text + name + 1, NULL, 10));
		else
			snprintf(frame, sizeof(frame), "%s", text);
		kma_backtrace_add(&in->frames, frame);
	}
	if (!number)
		return NULL;
	in->open = false;
	err = kma_cursor_number(&in->cur, &number, "the number", &value);
	if (err)
		return err;
	if (*number)
		return kma_cursor_error(&in->cur, "the number is not a whole number");
	begin_print(in);
	in->have |= 1U << in->metric;
	kma_metrics[in->metric].set(&values, value);
	err = kma_backtrace_end(&in->frames, in->merge, KMA_KIND_UNKNOWN, &values);
	return kma_cursor_place(&in->cur, err);
}

static struct kma_err *read_maps(struct kma_input *input, struct kma_account *account)
{
	struct bpftrace in = { 0 };
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	err = kma_cursor_each(&in.cur, take_line, &in);
	if (!err && in.open)
		err = kma_cursor_error(&in.cur, "truncated in a stack");
	if (!err && !in.have)
		err = kma_cursor_error(&in.cur, "a map of bpftrace without a stack");
	if (!err)
		err = kma_merge_close(in.merge, account);
	if (!err && in.prints > 1)
		kma_account_warn(account, "the maps were printed %u times; the last time is used",
				 in.prints);
	kma_account_set_metrics(account, in.have);
	kma_strbuf_deinit(&in.key);
	kma_intern_destroy(in.keys);
	kma_backtrace_deinit(&in.frames);
	kma_merge_destroy(in.merge);
	kma_cursor_deinit(&in.cur);
	return err;
}

static enum kma_line_kind line_of(const char *text)
{
	size_t name = *text == '@' ? 1 : 0;

	while (name && (isalnum((unsigned char)text[name]) || text[name] == '_'))
		name++;
	/* the stack is on the next lines, behind the keys before it */
	if (name && text[name] == '[' && (!text[name + 1] || text[strlen(text) - 1] == ','))
		return KMA_LINE_ROW;
	return number_of(text) || is_frame(text) || !strncmp(text, "Attaching ", 10) ||
			       !strcmp(text, "^C") ?
		       KMA_LINE_MORE :
		       KMA_LINE_OTHER;
}

const struct kma_reader_ops kma_reader_bpftrace = {
	.name = "a map of bpftrace by stack",
	.line = line_of,
	.read = read_maps,
};
