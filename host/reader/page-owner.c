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
 */
#include <stdio.h>
#include <string.h>

#include "backtrace.h"
#include "input/cursor.h"
#include "lib/cleanup.h"
#include "reader.h"

#define KMA_OWNER_PAGE	    4096ULL /* bytes */
#define KMA_OWNER_MAX_ORDER 20

#define KMA_OWNER_RECORD    "Page allocated via order " /* begins a record */
#define KMA_OWNER_COUNT	    "nr_base_pages: "		/* ends a stack from 6.13 on */
#define KMA_OWNER_OLD_COUNT "stack_count: "		/* ends a stack before 6.13 */
#define KMA_OWNER_TIMES	    " times, "			/* of page_owner_sort */

static const char *const kma_owner_counts[] = { KMA_OWNER_COUNT, KMA_OWNER_OLD_COUNT };
/* Beginnings of lines that do not tell who has allocated the page. */
static const char *const kma_owner_passed[] = {
	"PFN ", "Page has been migrated", "Charged ", "Slab cache page", "handle: ",
};

struct kma_owner {
	struct kma_cursor cur;
	struct kma_merge *merge;
	struct kma_backtrace frames;
	struct kma_values values; /* of the current record */
	bool open;		  /* @values are known */
	bool head;   /* before the line of the PFN: a task's name may contain newlines */
	bool sorted; /* @values are those of page_owner_sort */
	bool blocks; /* at least one record has a number of blocks */
};

static bool kma_owner_begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* A record is complete: add its numbers to those of its call site. */
static struct kma_err *kma_owner_end(struct kma_owner *in)
{
	struct kma_err *err = NULL;

	if (in->open)
		err = kma_backtrace_end(&in->frames, in->merge, KMA_KIND_PAGE, &in->values);
	in->open = in->sorted = false;
	kma_backtrace_start(&in->frames);
	return kma_cursor_place(&in->cur, err);
}

static struct kma_err *kma_owner_pages(struct kma_owner *in, uint64_t pages, uint64_t blocks)
{
	if (__builtin_mul_overflow(pages, KMA_OWNER_PAGE, &in->values.current))
		return kma_cursor_error(&in->cur, "the number of pages is too large");
	in->values.objects = blocks;
	in->blocks |= blocks;
	in->open = true;
	return NULL;
}

/* "Page allocated via order 2, mask ..." */
static struct kma_err *kma_owner_one(struct kma_owner *in)
{
	const char *p = in->cur.text + strlen(KMA_OWNER_RECORD);
	struct kma_err *err = NULL;
	uint64_t order;

	if (!in->sorted)
		err = kma_owner_end(in);
	if (!err)
		err = kma_cursor_number(&in->cur, &p, "the order", &order);
	if (!err && order > KMA_OWNER_MAX_ORDER)
		err = kma_cursor_error(&in->cur, "the order is too large");
	if (err || in->sorted)
		return err;
	return kma_owner_pages(in, 1ULL << order, 1);
}

/* "12 times, 48 pages, allocated by SLAB :" */
static struct kma_err *kma_owner_times(struct kma_owner *in)
{
	uint64_t times, pages;
	const char *p = in->cur.text;
	struct kma_err *err;

	err = kma_owner_end(in);
	if (!err)
		err = kma_cursor_number(&in->cur, &p, "the number of times", &times);
	if (!err && !kma_owner_begins(p, KMA_OWNER_TIMES))
		return kma_cursor_error(&in->cur, "expected 'N times, M pages'");
	p += strlen(KMA_OWNER_TIMES);
	if (!err)
		err = kma_cursor_number(&in->cur, &p, "the number of pages", &pages);
	if (!err)
		err = kma_owner_pages(in, pages, times);
	in->sorted = true;
	return err;
}

/* Read "nr_base_pages: 12", which ends a record; @was: the line has this form. */
static struct kma_err *kma_owner_count(struct kma_owner *in, bool *was)
{
	struct kma_err *err;
	uint64_t pages;
	const char *p;

	for (size_t i = 0; i < ARRAY_SIZE(kma_owner_counts); i++) {
		*was = kma_owner_begins(in->cur.text, kma_owner_counts[i]);
		if (!*was)
			continue;
		p = in->cur.text + strlen(kma_owner_counts[i]);
		err = kma_cursor_number(&in->cur, &p, "the number of pages", &pages);
		return err ?: kma_owner_pages(in, pages, 0) ?: kma_owner_end(in);
	}
	return NULL;
}

static struct kma_err *kma_owner_line(void *arg)
{
	struct kma_owner *in = arg;
	const char *text = in->cur.text;
	struct kma_err *err;
	bool was;

	if (kma_owner_begins(text, KMA_OWNER_RECORD)) {
		in->head = true;
		return kma_owner_one(in);
	}
	if (in->head && *text != ' ' && !kma_owner_begins(text, "PFN "))
		return NULL;
	in->head = false;
	if (text[strspn(text, "0123456789")] == ' ' && *text != ' ')
		return kma_owner_times(in);
	if (*text == ' ') {
		kma_backtrace_add(&in->frames, text + strspn(text, " "));
		return NULL;
	}
	if (!*text) /* page_owner_sort prints two empty lines after a record */
		return in->sorted && !in->frames.stack.len && !in->frames.taker ? NULL :
										  kma_owner_end(in);
	for (size_t i = 0; i < ARRAY_SIZE(kma_owner_passed); i++)
		if (kma_owner_begins(text, kma_owner_passed[i]))
			return NULL;
	err = kma_owner_count(in, &was);
	if (err || was)
		return err;
	return kma_cursor_error(&in->cur, "not a line of page_owner");
}

static struct kma_err *kma_owner_lines(struct kma_owner *in)
{
	struct kma_err *err = kma_cursor_each(&in->cur, kma_owner_line, in);

	if (err)
		return err;
	/* each record ends with an empty line */
	return in->open || in->frames.stack.len ?
		       kma_cursor_error(&in->cur, "truncated in a record") :
		       NULL;
}

/* Does @head have a line "nr_base_pages: 12"? */
static bool kma_owner_has_count(const char *head, size_t len)
{
	for (const char *p = head, *nl; p < head + len; p = nl + 1) {
		nl = memchr(p, '\n', head + len - p);
		if (!nl)
			break;
		for (size_t i = 0; i < ARRAY_SIZE(kma_owner_counts); i++)
			if ((size_t)(nl - p) > strlen(kma_owner_counts[i]) &&
			    kma_owner_begins(p, kma_owner_counts[i]))
				return true;
	}
	return false;
}

/* Does @head begin with "12 times, 48 pages"? */
static bool kma_owner_is_sorted(const char *head, size_t len)
{
	static const char *const words[] = { KMA_OWNER_TIMES, " pages" };
	size_t at = 0, digits;

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		for (digits = 0; at < len && head[at] >= '0' && head[at] <= '9'; digits++)
			at++;
		if (!digits || len - at < strlen(words[i]) ||
		    memcmp(head + at, words[i], strlen(words[i])))
			return false;
		at += strlen(words[i]);
	}
	return true;
}

static bool kma_owner_probe(const char *head, size_t len)
{
	size_t n = strlen(KMA_OWNER_RECORD);

	if (len >= n && !memcmp(head, KMA_OWNER_RECORD, n))
		return true;
	if (kma_owner_is_sorted(head, len))
		return true;
	return len > 1 && *head == ' ' && kma_owner_has_count(head, len);
}

static struct kma_err *kma_owner_read(struct kma_input *input, struct kma_account *account)
{
	struct kma_owner in = { 0 };
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	err = kma_merge_create(&in.merge);
	if (!err)
		err = kma_owner_lines(&in);
	if (!err)
		err = kma_merge_close(in.merge, account);
	kma_account_set_metrics(account, 1U << KMA_CURRENT | (in.blocks ? 1U << KMA_OBJECTS : 0));
	kma_backtrace_deinit(&in.frames);
	kma_merge_destroy(in.merge);
	kma_cursor_deinit(&in.cur);
	return err;
}

const struct kma_reader_ops kma_reader_page_owner = {
	.name = "page_owner, page_owner_sort or page_owner_stacks",
	.signs = { KMA_OWNER_RECORD, KMA_OWNER_COUNT, KMA_OWNER_OLD_COUNT, KMA_OWNER_TIMES },
	.probe = kma_owner_probe,
	.read = kma_owner_read,
};
