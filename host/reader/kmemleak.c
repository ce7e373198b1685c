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
 * Newer kernels print the frames without an address.
 */
#include <string.h>

#include "backtrace.h"
#include "input/cursor.h"
#include "lib/cleanup.h"
#include "reader.h"

static const char kma_kmemleak_object[] = "unreferenced object";

struct kma_kmemleak {
	struct kma_cursor cur;
	struct kma_merge *merge;
	struct kma_backtrace frames;
	struct kma_values values;
	enum kma_kind kind;
	bool open;  /* the head of an object was read */
	bool frame; /* and the line "backtrace" of that object */
};

static struct kma_err *kma_kmemleak_end(struct kma_kmemleak *in)
{
	struct kma_err *err = NULL;

	if (in->open)
		err = kma_backtrace_end(&in->frames, in->merge, in->kind, &in->values);
	in->open = in->frame = false;
	kma_backtrace_start(&in->frames);
	return kma_cursor_place(&in->cur, err);
}

/* Begin an object: "unreferenced object (percpu) 0xffff8881057d5c00 (size 192):" */
static struct kma_err *kma_kmemleak_begin(struct kma_kmemleak *in)
{
	const char *size = strstr(in->cur.text, "(size ");
	struct kma_err *err;

	err = kma_kmemleak_end(in);
	if (err)
		return err;
	if (!size)
		return kma_cursor_error(&in->cur, "the object has no '(size N)'");
	size += strlen("(size ");
	err = kma_cursor_number(&in->cur, &size, "the size", &in->values.current);
	in->values.objects = 1;
	in->kind = strstr(in->cur.text, " (percpu) ") ? KMA_KIND_PERCPU : KMA_KIND_UNKNOWN;
	in->open = true;
	return err;
}

/* Read a frame: "[<00000000f9ac4b4d>] function+0x1/0x2", or the same without the address. */
static void kma_kmemleak_frame(struct kma_kmemleak *in, const char *text)
{
	const char *end = strstr(text, ">] ");

	if (!strncmp(text, "[<", 2) && end)
		text = end + strlen(">] ");
	kma_backtrace_add(&in->frames, text);
}

static struct kma_err *kma_kmemleak_line(void *arg)
{
	struct kma_kmemleak *in = arg;
	const char *text = in->cur.text + strspn(in->cur.text, " ");

	if (!strncmp(in->cur.text, kma_kmemleak_object, strlen(kma_kmemleak_object)))
		return kma_kmemleak_begin(in);
	if (!*text)
		return NULL;
	/* A task's name may contain newlines, so a line before "backtrace" may be a part of it. */
	if (!in->open || (text == in->cur.text && in->frame))
		return kma_cursor_error(&in->cur, "not a line of kmemleak");
	if (in->frame)
		kma_kmemleak_frame(in, text);
	else
		in->frame = !strncmp(text, "backtrace", strlen("backtrace"));
	return NULL;
}

static struct kma_err *kma_kmemleak_lines(struct kma_kmemleak *in)
{
	struct kma_err *err = kma_cursor_each(&in->cur, kma_kmemleak_line, in);

	if (err)
		return err;
	if (in->open && !in->frame)
		return kma_cursor_error(&in->cur, "truncated: the last object has no backtrace");
	return kma_kmemleak_end(in);
}

static struct kma_err *kma_kmemleak_read(struct kma_input *input, struct kma_account *account)
{
	struct kma_kmemleak in = { 0 };
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	err = kma_merge_create(&in.merge);
	if (!err)
		err = kma_kmemleak_lines(&in);
	if (!err)
		err = kma_merge_close(in.merge, account);
	kma_account_set_metrics(account, 1U << KMA_CURRENT | 1U << KMA_OBJECTS);
	kma_backtrace_deinit(&in.frames);
	kma_merge_destroy(in.merge);
	kma_cursor_deinit(&in.cur);
	return err;
}

const struct kma_reader_ops kma_reader_kmemleak = {
	.name = "kmemleak's report",
	.begins = kma_kmemleak_object,
	.read = kma_kmemleak_read,
};
