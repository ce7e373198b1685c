// SPDX-License-Identifier: GPL-2.0-only
/*
 * kmemleak.c - reader of /sys/kernel/debug/kmemleak (CONFIG_DEBUG_KMEMLEAK): objects to which
 * kmemleak has found no reference. Each is only suspected to be a leak.
 *
 *	unreferenced object 0xffff8881057d5c00 (size 192):
 *	  comm "insmod", pid 4086, jiffies 4294894389 (age 27.850s)
 *	  hex dump (first 32 bytes):
 *	    00 00 00 00 ad 4e ad de ff ff ff ff 00 00 00 00  .....N..........
 *	  backtrace (crc 8fd8d4e2):
 *	    [<00000000f9ac4b4d>] kmalloc_trace+0x27/0xa0
 *	    ...
 *
 * Newer kernels print the frames without an address. In the reports of syzbot each object follows a
 * line "BUG: memory leak", and each frame has a source line.
 *
 * The kernel prints an object in each dump until it is freed or referenced. So several dumps in one
 * file have the same objects: an object counts once for each address and time of allocation.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backtrace.h"
#include "input/cursor.h"
#include "lib/cleanup.h"
#include "log-seen.h"
#include "reader.h"

#define KMA_KMEMLEAK_OBJECT "unreferenced object"
#define KMA_KMEMLEAK_BUG    "BUG: memory leak" /* of syzbot, before an object */
#define KMA_KMEMLEAK_OTHER  "BUG: leak checking failed"

struct kma_kmemleak {
	struct kma_cursor cur;
	struct kma_merge *merge;
	struct kma_backtrace frames;
	struct kma_values values;
	enum kma_kind kind;
	struct kma_seen_map *seen; /* addresses, with the time of allocation in jiffies */
	uint64_t ptr, jiffies;	   /* of the object; 0: unknown */
	bool no_caller;		   /* the last object has none */
	uint64_t again;		   /* objects that were in an earlier dump, too */
	bool open;		   /* the head of an object was read */
	bool frame;		   /* and the line "backtrace" of that object */
};

/* Was the object in an earlier dump? */
static bool kmemleak_again(struct kma_kmemleak *in)
{
	struct kma_seen *seen;
	bool again;

	if (!in->ptr || !in->jiffies)
		return false;
	seen = kma_seen_get(in->seen, in->ptr);
	again = seen->alloc_at.time == in->jiffies;
	in->again += again;
	seen->alloc_at.time = in->jiffies;
	return again;
}

static struct kma_err *kmemleak_end(struct kma_kmemleak *in)
{
	struct kma_err *err = NULL;

	if (in->open && !kmemleak_again(in))
		err = kma_backtrace_end(&in->frames, in->merge, in->kind, &in->values);
	in->open = in->frame = false;
	kma_backtrace_start(&in->frames);
	return kma_cursor_place(&in->cur, err);
}

/* Begin an object: "unreferenced object (percpu) 0xffff8881057d5c00 (size 192):" */
static struct kma_err *kmemleak_begin(struct kma_kmemleak *in)
{
	const char *size = strstr(in->cur.text, "(size "), *hex = strstr(in->cur.text, " 0x");
	struct kma_err *err;

	err = kmemleak_end(in);
	if (err)
		return err;
	if (!size)
		return kma_cursor_error(&in->cur, "the object has no '(size N)'");
	size += strlen("(size ");
	err = kma_cursor_number(&in->cur, &size, "the size", &in->values.current);
	in->values.objects = 1;
	in->ptr = hex ? strtoull(hex, NULL, 16) : 0;
	in->jiffies = 0;
	in->kind = strstr(in->cur.text, " (percpu) ") ? KMA_KIND_PERCPU : KMA_KIND_UNKNOWN;
	in->open = true;
	return err;
}

/* Read a line between the head and the frames: '  comm "init", pid 1, jiffies 4294894389 (age ...' */
static void kmemleak_fact(struct kma_kmemleak *in, const char *text)
{
	static const char jiffies[] = ", jiffies ";
	const char *p;

	/* the task's name may contain the word, too */
	while ((p = strstr(text, jiffies))) {
		text = p + strlen(jiffies);
		in->jiffies = strtoull(text, NULL, 10);
	}
	in->frame = !strncmp(text, "backtrace", strlen("backtrace"));
}

static struct kma_err *kmemleak_line(void *arg)
{
	struct kma_kmemleak *in = arg;
	const char *text = in->cur.text;

	if (!strncmp(text, KMA_KMEMLEAK_OBJECT, strlen(KMA_KMEMLEAK_OBJECT)))
		return kmemleak_begin(in);
	if (!strncmp(text, KMA_KMEMLEAK_BUG, strlen(KMA_KMEMLEAK_BUG)) ||
	    !strncmp(text, KMA_KMEMLEAK_OTHER, strlen(KMA_KMEMLEAK_OTHER)))
		return in->frame ? kmemleak_end(in) : NULL;
	if (in->open && in->frame)
		kma_backtrace_add(&in->frames, text);
	else if (in->open)
		kmemleak_fact(in, text);
	return NULL;
}

/* The last frame of a stack: the numbers stand before the frames. */
static bool is_whole(void *arg, bool *name)
{
	const struct kma_kmemleak *in = arg;

	*name = true;
	return in->open && in->frame && kma_backtrace_may_end(&in->frames, in->cur.text);
}

static struct kma_err *kmemleak_lines(struct kma_kmemleak *in)
{
	struct kma_err *err = kma_cursor_each(&in->cur, kmemleak_line, in);

	if (err)
		return err;
	if (in->open && !in->frame)
		return kma_cursor_error(&in->cur, "truncated: the last object has no backtrace");
	in->no_caller = in->open && !*in->frames.caller && !in->frames.early;
	return kmemleak_end(in);
}

static void kmemleak_deinit(struct kma_kmemleak *in)
{
	kma_backtrace_deinit(&in->frames);
	kma_merge_destroy(in->merge);
	kma_seen_destroy(in->seen);
	kma_cursor_deinit(&in->cur);
}

static struct kma_err *kmemleak_read(struct kma_input *input, struct kma_account *account)
{
	_cleanup_(kmemleak_deinit) struct kma_kmemleak in = { 0 };
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	in.cur.whole = is_whole;
	in.merge = kma_merge_create();
	in.seen = kma_seen_create();
	err = kmemleak_lines(&in) ?: kma_merge_close(in.merge, account);
	if (err)
		return err;
	kma_paste_say_again(in.again, "object is", "objects are", account);
	if (in.no_caller) {
		kma_account_set_partial(account);
		kma_account_warn(account,
				 "the last object has no call site; the report may be truncated");
	}
	kma_account_set_metrics(account, 1U << KMA_CURRENT | 1U << KMA_OBJECTS);
	return NULL;
}

/* Is it bytes of an object: "00 00 00 00 ad 4e ad de ff ff ff ff 00 00 00 00  .....N.........."? */
static bool is_dump(const char *text)
{
	return strspn(text, "0123456789abcdef") == 2 && text[2] == ' ' &&
	       strspn(text + 3, "0123456789abcdef") == 2;
}

static enum kma_line_kind line_of(const char *text)
{
	static const char *const facts[] = { "comm \"", "hex dump (",	  "backtrace",
					     "[<",	KMA_KMEMLEAK_BUG, KMA_KMEMLEAK_OTHER };

	if (!strncmp(text, KMA_KMEMLEAK_OBJECT, strlen(KMA_KMEMLEAK_OBJECT)))
		return KMA_LINE_ROW;
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		if (!strncmp(text, facts[i], strlen(facts[i])))
			return KMA_LINE_MORE;
	/* a task's name may contain newlines */
	return strstr(text, ", jiffies ") || is_dump(text) || kma_backtrace_is_frame(text) ?
		       KMA_LINE_MORE :
		       KMA_LINE_OTHER;
}

const struct kma_reader_ops kma_reader_kmemleak = {
	.name = "kmemleak's report",
	.key = "kmemleak",
	.line = line_of,
	.read = kmemleak_read,
};
