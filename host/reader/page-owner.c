// SPDX-License-Identifier: GPL-2.0-only
/*
 * page-owner.c - reader of page_owner's reports (CONFIG_PAGE_OWNER and page_owner=on): which stack
 * has allocated the pages. There are three forms.
 *
 * /sys/kernel/debug/page_owner has a record for each block of pages:
 *
 *	Page allocated via order 0, mask 0xcc0(GFP_KERNEL), pid 1, tgid 1 (init), ts 123 ns
 *	PFN 0x1000 type Unmovable Block 8 type Unmovable Flags 0x...
 *	 post_alloc_hook+0x60/0xa0
 *	 get_page_from_freelist+0x7e5/0x8b0
 *	 ...
 *
 * tools/mm/page_owner_sort prints the same, with "N times, M pages" before each record. It may
 * leave out the record's own lines.
 *
 * /sys/kernel/debug/page_owner_stacks/show_stacks (6.9 and later) has the pages of each stack, but
 * not the number of blocks:
 *
 *	 post_alloc_hook+0x60/0xa0
 *	 ...
 *	nr_base_pages: 4098
 *
 * (stack_count: before 6.13). The files do not tell the size of a page; 4 KiB are assumed.
 *
 * From 6.19 on show_stacks_handles has the stacks with "handle: 12" instead of a number, and
 * show_handles the handles with their numbers. One file may have the text of both, in any order.
 *
 * A file may have several dumps of page_owner. A page counts once: by its first record, and so does
 * a stack of show_stacks.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backtrace.h"
#include "input/cursor.h"
#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/map.h"
#include "lib/plural.h"
#include "log-seen.h"
#include "reader.h"

#define KMA_OWNER_PAGE	    4096ULL /* bytes, if the user gives no other size */
#define KMA_OWNER_MAX_ORDER 20
#define LISTS_FROM	    4 /* records of a list of page_owner_sort by which its order is known */

#define KMA_OWNER_RECORD    "Page allocated via order " /* begins a record */
#define KMA_OWNER_COUNT	    "nr_base_pages: "		/* ends a stack from 6.13 on */
#define KMA_OWNER_OLD_COUNT "stack_count: "		/* ends a stack before 6.13 */
#define KMA_OWNER_TIMES	    " times, "			/* of page_owner_sort */
#define KMA_OWNER_OLD_TIMES " times:"			/* of page_owner_sort up to 5.16 */

static const char *const kma_owner_counts[] = { KMA_OWNER_COUNT, KMA_OWNER_OLD_COUNT };
/* Beginnings of lines that do not tell who has allocated the page. */
static const char *const kma_owner_passed[] = {
	"Page has been migrated",
	"Charged ",
	"Slab cache page",
};

#define KMA_OWNER_PFN	 "PFN "
#define KMA_OWNER_HANDLE "handle: "

/* A stack of show_stacks_handles, or a number of show_handles. */
struct kma_owner_handle {
	uint64_t handle;
	uint64_t pages; /* of a number */
	char *frames;	/* of a stack: each frame ends with a newline; NULL: a number */
	unsigned int line;
};

struct kma_owner {
	struct kma_cursor cur;
	struct kma_merge *merge;
	struct kma_backtrace frames;
	uint64_t page;		   /* bytes */
	struct kma_values values;  /* of the current record */
	bool open;		   /* @values are known */
	uint64_t times;		   /* of page_owner_sort */
	struct kma_strbuf key;	   /* the lines of its record, up to that of its page */
	bool keyed;		   /* it has that line */
	struct kma_seen_map *keys; /* hashes of the lines of all its records, and of all stacks */
	bool sorted;		   /* @values are those of page_owner_sort */
	uint64_t last_times;
	uint64_t run, runs;	   /* records since more times followed fewer; how often they did */
	bool unsorted;		   /* they did so soon that the list has another order */
	bool blocks;		   /* at least one record has a number of blocks */
	struct kma_seen_map *seen; /* the pages of all records */
	bool again;		   /* an earlier record has the page */
	uint64_t nr_again;	   /* such records */
	struct kma_strbuf text;	   /* the frames of the current stack, each with a newline */
	bool has_handle;	   /* the current record has a handle: */
	uint64_t handle;
	struct kma_owner_handle *handles;
	size_t nr_handles, room_handles;
};

static bool owner_begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Keep a stack or a number of pages of a handle, until both are known. */
static void owner_keep(struct kma_owner *in)
{
	struct kma_owner_handle *kept;

	kma_array_room(in->handles, in->nr_handles, in->room_handles);
	kept = &in->handles[in->nr_handles];
	*kept = (struct kma_owner_handle){ .handle = in->handle, .line = in->cur.line };
	if (in->open)
		kept->pages = in->values.current;
	else
		kept->frames = kma_xstrdup(in->text.len ? in->text.str : "");
	in->nr_handles++;
}

static int owner_compare(const void *a, const void *b)
{
	const struct kma_owner_handle *x = a, *y = b;

	if (x->handle != y->handle)
		return x->handle < y->handle ? -1 : 1;
	if (!x->frames != !y->frames)
		return x->frames ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Add each number to the call site of the stack with the same handle. */
static struct kma_err *owner_join(struct kma_owner *in)
{
	const struct kma_owner_handle *stack = NULL, *last = NULL;
	struct kma_err *err = NULL;

	if (in->nr_handles)
		qsort(in->handles, in->nr_handles, sizeof(*in->handles), owner_compare);
	for (size_t i = 0; i < in->nr_handles; i++) {
		const struct kma_owner_handle *now = &in->handles[i];
		struct kma_values values = { .current = now->pages };
		char *save = NULL, *text;

		if (now->frames) {
			stack = now;
			continue;
		}
		if (!stack || stack->handle != now->handle)
			return kma_err_create_kind(
				KMA_ERR_DAMAGED, kma_input_name(in->cur.input), now->line,
				"no stack of handle %" PRIu64
				"; give show_stacks_handles and show_handles in one file",
				now->handle);
		if (last && last->handle == now->handle) {
			in->nr_again++;
			continue;
		}
		last = now;
		kma_backtrace_start(&in->frames);
		text = kma_xstrdup(stack->frames);
		for (char *frame = strtok_r(text, "\n", &save); frame;
		     frame = strtok_r(NULL, "\n", &save))
			kma_backtrace_add(&in->frames, frame);
		free(text);
		err = kma_backtrace_end(&in->frames, in->merge, KMA_KIND_PAGE, &values);
		if (err)
			return err;
	}
	if (in->nr_handles && !last)
		return kma_cursor_error(
			&in->cur,
			"the stacks have no numbers; give show_stacks_handles and show_handles in one file");
	return NULL;
}

/* The report adds up equal records and has each text once: has an earlier copy of it this one? */
static void owner_once(struct kma_owner *in, const struct kma_strbuf *text)
{
	struct kma_seen *seen;

	if (!text->len)
		return;
	seen = kma_seen_get(in->keys, XXH3_64bits(text->str, text->len) ?: 1);
	in->again = seen->live;
	in->nr_again += in->again;
	seen->live = true;
}

/* A record is complete: add its numbers to those of its call site. */
static struct kma_err *owner_end(struct kma_owner *in)
{
	struct kma_err *err = NULL;

	if (in->sorted && in->open)
		owner_once(in, &in->key);
	in->key.len = 0;
	if (in->has_handle)
		owner_keep(in);
	else if (in->open && !in->again)
		err = kma_backtrace_end(&in->frames, in->merge, KMA_KIND_PAGE, &in->values);
	in->open = in->sorted = in->again = in->has_handle = in->keyed = false;
	in->text.len = 0;
	in->values = (struct kma_values){ 0 };
	kma_backtrace_start(&in->frames);
	return kma_cursor_place(&in->cur, err);
}

static struct kma_err *owner_pages(struct kma_owner *in, uint64_t pages, uint64_t blocks)
{
	if (__builtin_mul_overflow(pages, in->page, &in->values.current))
		return kma_cursor_error(&in->cur, "the number of pages is too large");
	in->values.objects = blocks;
	in->blocks |= blocks;
	in->open = true;
	return NULL;
}

/* "Page allocated via order 2, mask ..." */
static struct kma_err *owner_one(struct kma_owner *in)
{
	const char *p = in->cur.text + strlen(KMA_OWNER_RECORD);
	struct kma_err *err = in->sorted ? NULL : owner_end(in);
	uint64_t order, pages;

	err = err ?: kma_cursor_number(&in->cur, &p, "the order", &order);
	if (err)
		return err;
	if (order > KMA_OWNER_MAX_ORDER)
		return kma_cursor_error(&in->cur, "the order is too large");
	if (in->sorted && in->values.objects)
		return NULL;
	if (__builtin_mul_overflow(in->sorted ? in->times : 1, 1ULL << order, &pages))
		return kma_cursor_error(&in->cur, "the number of pages is too large");
	return owner_pages(in, pages, in->sorted ? in->times : 1);
}

/*
 * "12 times, 48 pages, allocated by SLAB :"; the record has the pages of "12 times:". Records that
 * page_owner_sort made equal have one order.
 */
static struct kma_err *owner_times(struct kma_owner *in)
{
	uint64_t pages = 0;
	const char *p = in->cur.text;
	struct kma_err *err;

	err = owner_end(in) ?: kma_cursor_number(&in->cur, &p, "the number of times", &in->times);
	if (err)
		return err;
	in->sorted = true;
	if (in->run && in->times > in->last_times) {
		in->unsorted |= in->run < LISTS_FROM;
		in->runs++;
		in->run = 0;
	}
	in->run++;
	in->last_times = in->times;
	kma_strbuf_puts(&in->key, in->cur.text);
	if (!strcmp(p, KMA_OWNER_OLD_TIMES)) {
		in->open = true;
		return NULL;
	}
	p += strlen(KMA_OWNER_TIMES);
	err = kma_cursor_number(&in->cur, &p, "the number of pages", &pages);
	return err ?: owner_pages(in, pages, in->times);
}

/* Read "nr_base_pages: 12", which ends a record; @was: the line has this form. */
static struct kma_err *owner_count(struct kma_owner *in, bool *was)
{
	struct kma_err *err;
	uint64_t pages;
	const char *p;

	for (size_t i = 0; i < ARRAY_SIZE(kma_owner_counts); i++) {
		*was = owner_begins(in->cur.text, kma_owner_counts[i]);
		if (!*was)
			continue;
		p = in->cur.text + strlen(kma_owner_counts[i]);
		err = kma_cursor_number(&in->cur, &p, "the number of pages", &pages);
		err = err ?: owner_pages(in, pages, 0);
		if (err)
			return err;
		if (!in->has_handle && !in->sorted)
			owner_once(in, &in->text);
		return owner_end(in);
	}
	return NULL;
}

/* "PFN 0x1000 type Unmovable Block 8 type Unmovable Flags 0x..."; up to 5.15 without "0x" */
static void owner_pfn(struct kma_owner *in)
{
	uint64_t pfn = strtoull(in->cur.text + strlen(KMA_OWNER_PFN), NULL, 0);
	struct kma_seen *seen;

	/* a record of page_owner_sort stands for several pages */
	if (in->sorted || !in->open)
		return;
	seen = kma_seen_get(in->seen, pfn + 1 ?: 1);
	in->again = seen->live;
	in->nr_again += in->again;
	seen->live = true;
}

/* "handle: 1234" */
static struct kma_err *owner_handle(struct kma_owner *in)
{
	const char *p = in->cur.text + strlen(KMA_OWNER_HANDLE);

	in->has_handle = true;
	return kma_cursor_number(&in->cur, &p, "the handle", &in->handle);
}

/* "12 times:" of page_owner_sort up to 5.16, "12 times, 48 pages" of later ones */
static bool is_times(const char *text)
{
	size_t number = strspn(text, "0123456789");

	return number && (!strcmp(text + number, KMA_OWNER_OLD_TIMES) ||
			  owner_begins(text + number, KMA_OWNER_TIMES));
}

static struct kma_err *owner_line(void *arg)
{
	struct kma_owner *in = arg;
	const char *text = in->cur.text;
	struct kma_err *err;
	bool was;

	/* what follows the page may be cut */
	if (in->sorted && !in->keyed && *text && !is_times(text))
		kma_strbuf_puts(&in->key, text);
	in->keyed |= owner_begins(text, KMA_OWNER_PFN);
	if (owner_begins(text, KMA_OWNER_RECORD))
		return owner_one(in);
	if (owner_begins(text, KMA_OWNER_PFN)) {
		owner_pfn(in);
		return NULL;
	}
	if (owner_begins(text, KMA_OWNER_HANDLE))
		return owner_handle(in);
	if (is_times(text))
		return owner_times(in);
	if (!*text) /* page_owner_sort prints two empty lines after a record */
		return in->sorted && !in->frames.stack.len && !in->frames.taker ? NULL :
										  owner_end(in);
	for (size_t i = 0; i < ARRAY_SIZE(kma_owner_passed); i++)
		if (owner_begins(text, kma_owner_passed[i]))
			return NULL;
	err = owner_count(in, &was);
	if (err || was)
		return err;
	kma_backtrace_add(&in->frames, text);
	kma_strbuf_printf(&in->text, "%s\n", text);
	return NULL;
}

/* The last frame of a stack: the numbers stand before the frames. */
static bool is_whole(void *arg, bool *name)
{
	const struct kma_owner *in = arg;

	*name = true;
	return in->open && kma_backtrace_may_end(&in->frames, in->cur.text);
}

static struct kma_err *owner_lines(struct kma_owner *in)
{
	struct kma_err *err = kma_cursor_each(&in->cur, owner_line, in);
	bool name;

	if (err)
		return err;
	/* the last record of a list that is there twice, which is cut: it need not be like the first one */
	if (in->sorted && !in->keyed && in->nr_again && kma_input_unended(in->cur.input, &name))
		return kma_cursor_error(
			&in->cur, "truncated in a record that an earlier one may be a copy of");
	if (in->open && (*in->frames.caller || in->frames.taker || in->frames.early))
		err = owner_end(in);
	else if (in->open || in->has_handle || in->frames.stack.len)
		err = kma_cursor_error(&in->cur, "truncated in a record");
	return err ?: owner_join(in);
}

static enum kma_line_kind line_of(const char *text)
{
	if (owner_begins(text, KMA_OWNER_RECORD) || is_times(text))
		return KMA_LINE_ROW;
	for (size_t i = 0; i < ARRAY_SIZE(kma_owner_counts); i++)
		if (owner_begins(text, kma_owner_counts[i]))
			return KMA_LINE_ROW;
	if (owner_begins(text, KMA_OWNER_HANDLE))
		return strspn(text + strlen(KMA_OWNER_HANDLE), "0123456789") ? KMA_LINE_ROW :
									       KMA_LINE_OTHER;
	for (size_t i = 0; i < ARRAY_SIZE(kma_owner_passed); i++)
		if (owner_begins(text, kma_owner_passed[i]))
			return KMA_LINE_MORE;
	return owner_begins(text, KMA_OWNER_PFN) || kma_backtrace_is_frame(text) ? KMA_LINE_MORE :
										   KMA_LINE_OTHER;
}

static void owner_deinit(struct kma_owner *in)
{
	kma_backtrace_deinit(&in->frames);
	kma_merge_destroy(in->merge);
	kma_seen_destroy(in->seen);
	kma_strbuf_deinit(&in->text);
	kma_strbuf_deinit(&in->key);
	kma_seen_destroy(in->keys);
	for (size_t i = 0; i < in->nr_handles; i++)
		free(in->handles[i].frames);
	free(in->handles);
	kma_cursor_deinit(&in->cur);
}

static struct kma_err *owner_read(struct kma_input *input, struct kma_account *account)
{
	_cleanup_(owner_deinit) struct kma_owner in = { 0 };
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	in.page = kma_input_page_size(input) ?: KMA_OWNER_PAGE;
	in.cur.whole = is_whole;
	in.merge = kma_merge_create();
	in.seen = kma_seen_create();
	in.keys = kma_seen_create();
	err = owner_lines(&in) ?: kma_merge_close(in.merge, account);
	if (err)
		return err;
	kma_paste_say_again(in.nr_again, "record is", "records are", account);
	if (in.runs && !in.unsorted && in.run >= LISTS_FROM) {
		kma_account_set_partial(account);
		kma_account_warn(account,
				 "the sorted numbers of times start again %" PRIu64
				 " %s: if these are lists of different times, they are added up",
				 in.runs, kma_plural(in.runs, "time", "times"));
	}
	kma_paste_say_page(input, 0, account);
	kma_account_set_metrics(account, 1U << KMA_CURRENT | (in.blocks ? 1U << KMA_OBJECTS : 0));
	return NULL;
}

const struct kma_reader_ops kma_reader_page_owner = {
	.name = "page_owner, page_owner_sort or page_owner_stacks",
	.key = "page_owner",
	.line = line_of,
	.read = owner_read,
};
