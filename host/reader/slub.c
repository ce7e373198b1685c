// SPDX-License-Identifier: GPL-2.0-only
/*
 * slub.c - reader of SLUB's own data with slub_debug=U: /sys/kernel/debug/slab/CACHE/alloc_traces
 * (5.14 and later), and before that /sys/kernel/slab/CACHE/alloc_calls. An input may contain
 * several of these files, which become one account.
 *
 *	     63 cdev_alloc+0x1c/0x50 waste=1512/24 age=11022/11026/11031 pid=1 cpus=1
 *	        cdev_alloc+0x1c/0x50
 *	        ...
 *
 * A row has a call site and a stack. Rows of the same site are added up, and its stacks are kept.
 * The only bytes are the
 * waste. It exists for caches of kmalloc, and is not printed if it is 0, or before 6.1.
 *
 * Files free_traces have the same form, and only the file's name distinguishes them. They would be
 * read as allocations.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backtrace.h"
#include "input/cursor.h"
#include "lib/cleanup.h"
#include "lib/map.h"
#include "lib/strbuf.h"
#include "log-seen.h"
#include "model/merge.h"
#include "reader.h"

#define KMA_SLUB_NO_DATA   "No data" /* what a cache without objects prints */
#define KMA_SLUB_AGE	   " age="   /* a field of each row */
#define KMA_SLUB_NOT_THERE "<not-available>"
#define KMA_SLUB_CALLER	   512 /* bytes, including the NUL; a longer name has no stack */
#define KMA_SLUB_UNTOLD	   "[caller not recorded]"

struct kma_slub {
	struct kma_cursor cur;
	struct kma_merge *merge;
	bool waste;		      /* at least one row has the field waste */
	bool row;		      /* a row was read, and its stack may follow */
	struct kma_values values;     /* of that row */
	struct kma_strbuf stack;      /* frames from its call site outwards, separated by ";" */
	char caller[KMA_SLUB_CALLER]; /* call site of that row */
	struct kma_strbuf key;	      /* the lines of that row */
	struct kma_seen_map *seen;    /* hashes of the lines of all rows */
	uint64_t again;		      /* rows that an earlier one is equal to */
};

/* Is it a row, "     63 cdev_alloc+0x1c/0x50 age=..."? If so, @p points to the caller. */
static bool slub_is_row(const char *text, const char **p)
{
	const char *digits = text + strspn(text, " ");
	size_t len = strspn(digits, "0123456789");

	*p = digits + len + 1;
	return len && digits[len] == ' ' && **p && **p != ' ' && strstr(*p, KMA_SLUB_AGE);
}

/* The caller ends before the first of the fields "key=value". */
static size_t slub_caller_len(const char *caller)
{
	static const char *const fields[] = { " waste=", KMA_SLUB_AGE };
	const char *end = caller + strlen(caller);

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		const char *field = strstr(caller, fields[i]);

		if (field && field < end)
			end = field;
	}
	return end - caller;
}

/* Has an earlier row the same lines? Its age tells rows of different files and times apart. */
static bool slub_again(struct kma_slub *in)
{
	struct kma_seen *seen = kma_seen_get(in->seen, XXH3_64bits(in->key.str, in->key.len) ?: 1);
	bool again = seen->live;

	in->again += again;
	seen->live = true;
	return again;
}

/* The last row is complete: add it and its stack. */
static struct kma_err *slub_end_row(struct kma_slub *in)
{
	const char *site = strcmp(in->caller, KMA_SLUB_NOT_THERE) ? in->caller : KMA_SLUB_UNTOLD;
	struct kma_err *err;

	if (in->row && !slub_again(in)) {
		err = kma_merge_add(in->merge, site, KMA_KIND_UNKNOWN, &in->values);
		if (err)
			return kma_cursor_place(&in->cur, err);
		kma_merge_add_stack(in->merge, in->stack.len ? in->stack.str : "-", &in->values);
	}
	in->row = false;
	in->stack.len = in->key.len = 0;
	return NULL;
}

/* Add a frame to the stack. Frames before the call site belong to the allocator. */
static void slub_frame(struct kma_slub *in)
{
	const char *frame = in->cur.text + strspn(in->cur.text, " \t");

	if (!*frame || (!in->stack.len && strcmp(frame, in->caller)))
		return;
	kma_strbuf_printf(&in->stack, "%s%s", in->stack.len ? ";" : "", frame);
}

static struct kma_err *slub_row(struct kma_slub *in, char *caller)
{
	const char *count = in->cur.text, *waste = strstr(caller, " waste=");
	struct kma_values values = { 0 };
	struct kma_err *err;

	err = kma_cursor_number(&in->cur, &count, "the number of objects", &values.objects);
	if (err)
		return err;
	if (waste) {
		waste += strlen(" waste=");
		err = kma_cursor_number(&in->cur, &waste, "waste", &values.waste);
		if (err)
			return err;
		if (*waste != '/')
			return kma_cursor_error(&in->cur, "column 'waste' is not two numbers");
		in->waste = true;
	}
	err = slub_end_row(in);
	if (err)
		return err;
	kma_strbuf_puts(&in->key, in->cur.text);
	caller[slub_caller_len(caller)] = '\0';
	snprintf(in->caller, sizeof(in->caller), "%s", caller);
	in->values = values;
	in->row = true;
	return NULL;
}

static struct kma_err *slub_line(void *arg)
{
	struct kma_slub *in = arg;
	const char *caller;

	if (slub_is_row(in->cur.text, &caller))
		return slub_row(in, (char *)caller);
	if (strcmp(in->cur.text, KMA_SLUB_NO_DATA)) {
		kma_strbuf_puts(&in->key, in->cur.text);
		slub_frame(in);
	}
	return NULL;
}

static struct kma_err *slub_lines(struct kma_slub *in)
{
	struct kma_err *err = kma_cursor_each(&in->cur, slub_line, in);

	return err ?: slub_end_row(in);
}

/* A row that has the field after its numbers and its caller, or a frame of its stack. */
static bool is_whole(void *arg, bool *name)
{
	const struct kma_slub *in = arg;
	const char *caller, *plus = strstr(in->cur.text, "+0x"), *size;

	size = plus ? strstr(plus, "/0x") : NULL;
	*name = !slub_is_row(in->cur.text, &caller);
	return !*name || !strcmp(in->cur.text, KMA_SLUB_NO_DATA) || (in->row && size && size[3]);
}

static enum kma_line_kind line_of(const char *text)
{
	const char *caller;

	if (slub_is_row(text, &caller))
		return KMA_LINE_ROW;
	if (!strcmp(text, KMA_SLUB_NO_DATA))
		return KMA_LINE_ROW;
	return kma_backtrace_is_frame(text) ? KMA_LINE_MORE : KMA_LINE_OTHER;
}

static void slub_deinit(struct kma_slub *in)
{
	kma_strbuf_deinit(&in->stack);
	kma_strbuf_deinit(&in->key);
	kma_seen_destroy(in->seen);
	kma_merge_destroy(in->merge);
	kma_cursor_deinit(&in->cur);
}

static struct kma_err *slub_read(struct kma_input *input, struct kma_account *account)
{
	_cleanup_(slub_deinit) struct kma_slub in = { 0 };
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	in.cur.whole = is_whole;
	in.merge = kma_merge_create();
	in.seen = kma_seen_create();
	err = slub_lines(&in) ?: kma_merge_close(in.merge, account);
	if (err)
		return err;
	kma_paste_say_again(in.again, "row is", "rows are", account);
	kma_account_set_metrics(account, 1U << KMA_OBJECTS | (in.waste ? 1U << KMA_WASTE : 0));
	return NULL;
}

const struct kma_reader_ops kma_reader_slub = {
	.name = "SLUB's alloc_traces (objects only, no bytes)",
	.key = "alloc_traces",
	.line = line_of,
	.read = slub_read,
};
