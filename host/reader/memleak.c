// SPDX-License-Identifier: GPL-2.0-only
/*
 * memleak.c - reader of the output of memleak, of bcc or libbpf-tools: bytes and objects that
 * were allocated while it ran, and not freed since.
 *
 *	[11:16:33] Top 10 stacks with outstanding allocations:
 *		4096 bytes in 1 allocations from stack
 *			0xffffffff8141e2e1	kmalloc_trace+0x21 [kernel]
 *			...
 *
 * Frames of libbpf-tools are "0 [<ffffffff8141e2e1>] kmalloc_trace+0x21". memleak counts pages and
 * also the objects in them, so pages of slabs have a row of their own. memleak prints a report at
 * each interval; the last one is used. Without titles, a report begins where a stack comes again,
 * or where the rows before that stack begin without other lines between them. A report has only the
 * largest stacks: if it is as long as its limit, a warning says that others may be missing.
 *
 * Is the file truncated? The number in the title of libbpf-tools is that of the stacks that follow,
 * and its last line is "done" if it was not interrupted. The number of bcc is the limit, and bcc
 * marks no end. A return address that has a caller in one stack has one in each, so if the last
 * frame of the file has a caller in another stack, the file may be truncated after it. A last title
 * without a stack is refused: nothing may be outstanding, or the file ends there.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backtrace.h"
#include "input/cursor.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/map.h"
#include "lib/strbuf.h"
#include "log-seen.h"
#include "model/intern.h"
#include "reader.h"

#define KMA_MEMLEAK_TITLE " stacks with outstanding allocations:"
#define KMA_MEMLEAK_FULL \
	"this report has at most the %" PRIu64 " largest stacks (see memleak --top)"
#define KMA_MEMLEAK_SHALLOW \
	"no stack has more than one frame; the kernel may lack frame pointers and the ORC unwinder"

static const char kma_memleak_row[] = " allocations from stack";

struct kma_memleak {
	struct kma_cursor cur;
	struct kma_merge *merge;
	struct kma_backtrace frames;
	struct kma_values values;
	bool open;		   /* the head of a row was read, and frames may follow */
	struct kma_intern *called; /* frames that have a caller in any stack */
	char *last;		   /* the last frame of the row; NULL if it has none yet */
	size_t depth, deepest;	   /* number of frames of the row, and of the row with the most */
	bool no_caller;		   /* the last stack has no frame outside the allocator */
	/*
	 * of the current report: its number of stacks ("Top N"; bcc: at most), and the rows so far
	 */
	uint64_t most, rows;
	bool begun;    /* the first report has begun */
	bool exact;    /* the number of stacks is exact, as that of libbpf-tools is */
	bool headless; /* the report has no title */
	/* without titles: */
	struct kma_merge *recent; /* of the rows since other lines; NULL: there are none yet */
	struct kma_strbuf key;	  /* the frames of the row */
	struct kma_seen_map *seen; /* hashes of all stacks, with the last run of rows that has them */
	uint64_t run, first; /* the current run, and the one in which the report begins; from 1 */
	unsigned int line;   /* the last line that was read */
	bool gap;	     /* other lines were between the rows */
	unsigned int prints;
	bool done;   /* memleak's last line was read */
	bool kernel; /* a line said that the kernel is traced */
};

/* Other lines are between rows: another report without a title may follow. */
static void memleak_end_run(struct kma_memleak *in)
{
	in->run++;
	kma_merge_destroy(in->recent);
	in->recent = NULL;
}

/* A row without a title is complete: if its stack comes again, the row is of a later report. */
static void memleak_again(struct kma_memleak *in)
{
	struct kma_seen *seen;

	/* stacks of unknown functions may be equal */
	if (in->key.len && strchr(in->key.str, '+')) {
		seen = kma_seen_get(in->seen, XXH3_64bits(in->key.str, in->key.len) ?: 1);
		if (seen->live && seen->req >= in->first) {
			/* if nothing is between the reports, the later one begins here */
			if (seen->req == in->run)
				memleak_end_run(in);
			kma_merge_destroy(in->merge);
			in->merge = in->recent ?: kma_merge_create();
			in->recent = NULL;
			in->first = in->run;
			in->prints++;
		}
		seen->live = true;
		seen->req = in->run;
	}
	if (!in->recent)
		in->recent = kma_merge_create();
}

static struct kma_err *memleak_end(struct kma_memleak *in)
{
	struct kma_err *err = NULL;

	if (in->open && in->headless) {
		memleak_again(in);
		err = kma_backtrace_end(&in->frames, in->recent, KMA_KIND_UNKNOWN, &in->values);
	}
	if (in->open && !err)
		err = kma_backtrace_end(&in->frames, in->merge, KMA_KIND_UNKNOWN, &in->values);
	in->open = false;
	in->key.len = 0;
	kma_backtrace_start(&in->frames);
	return kma_cursor_place(&in->cur, err);
}

/* memleak itself cuts stacks at one depth. */
static bool memleak_has_caller(struct kma_memleak *in)
{
	uint32_t known = kma_intern_count(in->called);

	return in->depth < in->deepest && strchr(in->last, '+') &&
	       kma_intern(in->called, KMA_KIND_UNKNOWN, in->last, strlen(in->last)) < known;
}

/* @last: nothing follows the report. */
static void memleak_truncated(struct kma_memleak *in, bool last, struct kma_account *account)
{
	if (in->exact && !in->headless && in->rows < in->most) {
		kma_account_set_partial(account);
		kma_account_warn(account,
				 "truncated: the report has %" PRIu64 " of the %" PRIu64
				 " stacks that its title announces",
				 in->rows, in->most);
		return;
	}
	if (!last || in->done)
		return;
	if (in->last && memleak_has_caller(in))
		kma_account_warn(
			account,
			"the last stack ends at %s, which has callers in other stacks; the report may be truncated",
			in->last);
	else if (!in->last || in->no_caller)
		kma_account_warn(account, "the last stack has no %s; the report may be truncated",
				 in->last ? "call site" : "frames");
	else
		return;
	kma_account_set_partial(account);
}

static struct kma_err *memleak_close(struct kma_memleak *in, bool last, struct kma_account *account)
{
	struct kma_err *err;

	if (last && !in->rows && in->most && !in->done && kma_reports_want_last(in->cur.input))
		return kma_cursor_error(
			&in->cur,
			"the last report ends with its title: nothing was outstanding, or the text is cut there");
	err = kma_merge_close(in->merge, account);
	kma_account_set_metrics(account, 1U << KMA_CURRENT | 1U << KMA_OBJECTS);
	if (err)
		return err;
	if (in->headless && in->prints > 1)
		kma_account_warn(account,
				 "the report is in the input %u times; the last time is used",
				 in->prints);
	if (in->rows && in->deepest <= 1)
		kma_account_warn(account, "%s", KMA_MEMLEAK_SHALLOW);
	if (in->headless)
		kma_account_warn(
			account,
			"the title of the report is missing; sums are of the stacks that are here");
	else if (in->rows && in->rows >= in->most)
		kma_account_warn(account, KMA_MEMLEAK_FULL, in->most);
	memleak_truncated(in, last, account);
	return NULL;
}

/* "[11:16:33] Top 10 stacks with outstanding allocations:" */
static struct kma_err *memleak_begin(struct kma_memleak *in)
{
	const char *top = strstr(in->cur.text, KMA_MEMLEAK_TITLE);
	struct kma_account *account;
	struct kma_err *err;

	err = memleak_end(in);
	account = !err && in->merge ? kma_reports_end(in->cur.input) : NULL;
	if (account)
		err = memleak_close(in, false, account);
	if (err)
		return err;
	kma_merge_destroy(in->merge);
	in->merge = NULL;
	in->rows = 0;
	in->done = false;
	in->begun = true;
	in->headless = false;
	while (top > in->cur.text && isdigit((unsigned char)top[-1]))
		top--;
	err = kma_cursor_number(&in->cur, &top, "the number of stacks", &in->most);
	if (err)
		return err;
	in->merge = kma_merge_create();
	return NULL;
}

/* "4096 bytes in 1 allocations from stack" */
static struct kma_err *memleak_stack(struct kma_memleak *in, const char *text)
{
	struct kma_err *err;

	err = memleak_end(in);
	if (err)
		return err;
	if (in->gap)
		memleak_end_run(in);
	in->gap = false;
	err = kma_cursor_number(&in->cur, &text, "the number of bytes", &in->values.current);
	if (err)
		return err;
	if (strncmp(text, " bytes in ", strlen(" bytes in ")))
		return kma_cursor_error(&in->cur, "expected 'N bytes in M allocations'");
	text += strlen(" bytes in ");
	err = kma_cursor_number(&in->cur, &text, "the number of allocations", &in->values.objects);
	if (err)
		return err;
	in->open = true;
	in->rows++;
	in->depth = 0;
	free(in->last);
	in->last = NULL;
	return NULL;
}

static struct kma_err *memleak_refuse(struct kma_memleak *in)
{
	return kma_cursor_error(&in->cur,
				"memleak traced a process; trace the kernel, without --pid");
}

/*
 * Is the frame one of a process? Its object is a file, "[/usr/lib/libc.so.6]" or "[libc.so.6]", or
 * its @address is in the lower half. Kernels of some architectures are there, too, and 32-bit ones.
 */
static bool memleak_of_process(const struct kma_memleak *in, const char *text, uint64_t address)
{
	const char *object = strrchr(text, '[');

	if (object && (object[1] == '/' || strstr(object, ".so")))
		return true;
	return !in->kernel && address >> 32 && !(address >> 63) && !strstr(text, " [kernel]");
}

/* A function, without the word "[kernel]". */
static void memleak_function(struct kma_memleak *in, char *text)
{
	static const char kernel[] = " [kernel]";
	size_t len = strlen(text);

	if (len > strlen(kernel) && !strcmp(text + len - strlen(kernel), kernel))
		text[len - strlen(kernel)] = '\0';
	kma_strbuf_puts(&in->key, text);
	kma_backtrace_add(&in->frames, text);
	if (in->last)
		kma_intern(in->called, KMA_KIND_UNKNOWN, in->last, strlen(in->last));
	free(in->last);
	in->last = kma_xstrdup(text);
	in->depth++;
	if (in->depth > in->deepest)
		in->deepest = in->depth;
}

/* A line of a stack: without the number of the frame and its address */
static struct kma_err *memleak_frame(struct kma_memleak *in, char *text)
{
	static const char next[] = "\\n\\t\\t";
	char *end = strstr(text, ">] "), *open = strstr(text, "[<");
	uint64_t address = 0;

	if (end && isdigit((unsigned char)*text)) {
		address = open ? strtoull(open + strlen("[<"), NULL, 16) : 0;
		text = end + strlen(">] ");
		in->exact = true;
	} else if (!strncmp(text, "0x", 2)) {
		address = strtoull(text, &end, 16);
		if (*end == '\t' || *end == ' ')
			text = end + strspn(end, "\t ");
	}
	if (memleak_of_process(in, text, address))
		return memleak_refuse(in);
	/*
	 * an old bcc with Python 3: "b'kmalloc+0x21 [kernel]'", or all frames with "\n\t\t" between
	 * them
	 */
	if (!strncmp(text, "b'", 2)) {
		text += 2;
		text[strcspn(text, "'")] = '\0';
		for (; (end = strstr(text, next)); text = end + strlen(next)) {
			*end = '\0';
			memleak_function(in, text);
		}
	}
	memleak_function(in, text);
	return NULL;
}

/* Read a line before the first report; refuse a report of a traced process. */
static struct kma_err *memleak_preamble(struct kma_memleak *in)
{
	static const char *const process[] = { "tracing kernel: false", "Attaching to pid " };

	for (size_t i = 0; i < ARRAY_SIZE(process); i++)
		if (!strncmp(in->cur.text, process[i], strlen(process[i])))
			return memleak_refuse(in);
	in->exact |= !strcmp(in->cur.text, "tracing kernel: true");
	in->kernel |= in->exact || !strncmp(in->cur.text, "Attaching to kernel ", 20);
	return NULL;
}

static struct kma_err *memleak_line(void *arg)
{
	struct kma_memleak *in = arg;
	char *text = in->cur.text;

	in->gap |= !*text || in->cur.line != in->line + 1;
	in->line = in->cur.line;
	if (strstr(text, KMA_MEMLEAK_TITLE))
		return memleak_begin(in);
	/* the title was cut off */
	if (!in->begun && strstr(text, kma_memleak_row)) {
		in->begun = true;
		in->headless = true;
		in->most = UINT64_MAX;
		in->prints = 1;
		in->merge = kma_merge_create();
	}
	if (!in->begun)
		return memleak_preamble(in);
	if (!*text)
		return NULL;
	if (strstr(text, kma_memleak_row))
		return memleak_stack(in, text);
	if (!strncmp(text, "addr = ", strlen("addr = ")))
		return NULL;
	if (!in->open || !strcmp(text, "done")) {
		in->done = !strcmp(text, "done");
		return memleak_end(in);
	}
	return memleak_frame(in, text);
}

/* memleak's last line, or a frame: the numbers stand before the frames. */
static bool is_whole(void *arg, bool *name)
{
	const struct kma_memleak *in = arg;
	const char *plus = strstr(in->cur.text, "+0x");

	*name = strcmp(in->cur.text, "done");
	return !*name || (in->open && *in->frames.caller && plus && plus[3]);
}

static struct kma_err *memleak_lines(struct kma_memleak *in)
{
	struct kma_err *err = kma_cursor_each(&in->cur, memleak_line, in);

	bool name;

	if (err)
		return err;
	/* where there are no callers, only a line without an end shows that one is missing */
	in->no_caller = in->open && in->last && !*in->frames.caller && !in->frames.early &&
			!(in->frames.pages && in->frames.taker) &&
			(in->deepest > 1 || kma_input_unended(in->cur.input, &name));
	return memleak_end(in);
}

static enum kma_line_kind line_of(const char *text)
{
	static const char *const others[] = { "addr = ",	   "Attaching to ",
					      "tracing kernel: ",  "using default object: ",
					      "using page size: ", "done",
					      "Tracing module ",   "module '" };

	if (strstr(text, KMA_MEMLEAK_TITLE) || strstr(text, kma_memleak_row))
		return KMA_LINE_ROW;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strncmp(text, others[i], strlen(others[i])))
			return KMA_LINE_MORE;
	return kma_backtrace_is_frame(text) || strstr(text, " [kernel]") ? KMA_LINE_MORE :
									   KMA_LINE_OTHER;
}

static void memleak_deinit(struct kma_memleak *in)
{
	kma_backtrace_deinit(&in->frames);
	kma_merge_destroy(in->merge);
	kma_merge_destroy(in->recent);
	kma_seen_destroy(in->seen);
	kma_strbuf_deinit(&in->key);
	kma_intern_destroy(in->called);
	free(in->last);
	kma_cursor_deinit(&in->cur);
}

static struct kma_err *memleak_read(struct kma_input *input, struct kma_account *account)
{
	_cleanup_(memleak_deinit) struct kma_memleak in = { 0 };
	struct kma_err *err;

	kma_cursor_init(&in.cur, input);
	in.cur.whole = is_whole;
	in.called = kma_intern_new();
	in.seen = kma_seen_create();
	err = memleak_lines(&in);
	if (err)
		return err;
	if (!in.merge)
		return kma_cursor_error(&in.cur, "truncated before the first report");
	return memleak_close(&in, true, account);
}

const struct kma_reader_ops kma_reader_memleak = {
	.name = "memleak's report",
	.key = "memleak",
	.line = line_of,
	.several = true,
	.read = memleak_read,
};
