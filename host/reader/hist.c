// SPDX-License-Identifier: GPL-2.0-only
/*
 * hist.c - reader of histograms by call site, which hist triggers of ftrace keep:
 *
 *	# trigger info: hist:keys=call_site.sym:vals=hitcount,bytes_req,bytes_alloc ... [active]
 *	{ call_site: [ffffffffa0549434] demo_helper [demo]   } hitcount: 2004  bytes_alloc: 192384
 *	{ common_stacktrace:
 *	         __kmalloc+0x1/0x2
 *	         demo_helper+0x1/0x2
 *	} hitcount:         12  bytes_alloc:       1024
 *
 *	    Dropped: 0
 *
 * The event is not in the text. The field bytes_alloc belongs to allocations alone; without it, a
 * warning says that hits are taken for allocations. Frees are unknown.
 *
 * A histogram has each key once, so a key that comes again is of a later print of it, whose numbers
 * are of all the time: the earlier print is forgotten. Prints are sorted by numbers, so the later one
 * begins where the entries begin without other lines between them.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backtrace.h"
#include "input/cursor.h"
#include "lib/cleanup.h"
#include "lib/map.h"
#include "lib/strbuf.h"
#include "log-seen.h"
#include "reader.h"

#define TRIGGER "# trigger info: hist:keys="
#define SITE	"call_site: "
#define STACK	"stacktrace:"
#define DROPPED "Dropped: "

struct hist {
	struct kma_cursor cur;
	struct kma_merge *merge;  /* of the last print */
	struct kma_merge *recent; /* of the entries since other lines; NULL: there are none yet */
	struct kma_strbuf key;	  /* the keys of the entry */
	struct kma_seen_map
		*seen;	     /* hashes of all keys, with the last run of entries that has them */
	uint64_t run, first; /* the current run, and the one in which the print begins; from 1 */
	unsigned int line;   /* the last line that was read */
	unsigned int prints; /* of the last list */
	struct kma_backtrace frames;
	uint64_t dropped;
	bool open;  /* the stack of an entry was begun */
	bool bytes; /* entries have bytes_alloc */
	bool other; /* or do not */
};

/* Read "hitcount:         56"; false if the entry has no such value. */
static struct kma_err *value_of(struct hist *in, const char *text, const char *name, bool *has,
				uint64_t *ret)
{
	const char *at = strstr(text, name);

	*has = at;
	*ret = 0;
	if (!at)
		return NULL;
	at += strlen(name);
	return kma_cursor_number(&in->cur, &at, name, ret);
}

/* No entry was read yet. */
static void begin_print(struct hist *in)
{
	kma_merge_destroy(in->merge);
	in->merge = in->recent ?: kma_merge_create();
	in->recent = NULL;
	in->first = in->run;
	in->dropped = 0;
	in->bytes = in->other = false;
	in->prints++;
}

/* Lines that are no entries: another print may follow. */
static void end_run(struct hist *in)
{
	in->run++;
	kma_merge_destroy(in->recent);
	in->recent = NULL;
}

/* Note the key of the current entry. */
static void take_key(struct hist *in)
{
	struct kma_seen *seen = kma_seen_get(in->seen, XXH3_64bits(in->key.str, in->key.len) ?: 1);

	if (seen->live && seen->req >= in->first) {
		/* if nothing is between the prints, the later one begins here */
		if (seen->req == in->run)
			end_run(in);
		begin_print(in);
	}
	seen->live = true;
	seen->req = in->run;
	if (!in->recent)
		in->recent = kma_merge_create();
}

/* Add an entry to the site whose frames were read; @text has its values. */
static struct kma_err *end_entry(struct hist *in, const char *text)
{
	struct kma_values values = { 0 };
	bool hits, bytes;
	struct kma_err *err;

	in->open = false;
	err = value_of(in, text, "hitcount:", &hits, &values.allocs);
	if (!err)
		err = value_of(in, text, "bytes_alloc:", &bytes, &values.total);
	if (err)
		return err;
	if (!hits)
		return kma_cursor_error(&in->cur, "the entry has no 'hitcount:'");
	take_key(in);
	in->bytes |= bytes;
	in->other |= !bytes;
	err = kma_backtrace_end(&in->frames, in->merge, KMA_KIND_UNKNOWN, &values) ?:
		      kma_backtrace_end(&in->frames, in->recent, KMA_KIND_UNKNOWN, &values);
	return kma_cursor_place(&in->cur, err);
}

/* "[ffffffffa0549434] demo_helper+0x1/0x2 [demo]   }", or a number with .hex or without a modifier */
static void take_site(struct hist *in, const char *text, size_t len)
{
	char *site = in->frames.caller;

	kma_backtrace_start(&in->frames);
	if (*text == '[' && memchr(text, ']', len)) {
		size_t past = (const char *)memchr(text, ']', len) - text + 1;

		while (past < len && text[past] == ' ')
			past++;
		text += past;
		len -= past;
	}
	while (len && text[len - 1] == ' ')
		len--;
	if (len && strspn(text, "0123456789") >= len)
		snprintf(site, KMA_BACKTRACE_CALLER, "0x%llx", strtoull(text, NULL, 10));
	else if (len >= 8 && strspn(text, "0123456789abcdef") >= len)
		snprintf(site, KMA_BACKTRACE_CALLER, "0x%.*s", (int)len, text);
	else
		snprintf(site, KMA_BACKTRACE_CALLER, "%.*s", (int)len, text);
}

static struct kma_err *take_entry(struct hist *in, const char *text)
{
	const char *site = strstr(text, SITE), *end = strstr(text, "} hitcount:");
	const char *comma;

	in->key.len = 0;
	kma_strbuf_add(&in->key, text, end ? (size_t)(end - text) : strlen(text));
	if (!site && strstr(text, STACK)) {
		in->open = true;
		kma_backtrace_start(&in->frames);
		return NULL;
	}
	if (!site || !end || end < site)
		return kma_cursor_error(
			&in->cur,
			"the keys of the histogram have no call site; use keys=call_site.sym-offset");
	site += strlen(SITE);
	/* further keys follow a comma */
	comma = strchr(site, ',');
	take_site(in, site, comma && comma < end ? comma - site : end - site);
	return end_entry(in, end);
}

static struct kma_err *close_list(struct hist *in, struct kma_account *account)
{
	struct kma_err *err;

	if (in->open)
		return kma_cursor_error(&in->cur, "truncated in a stack");
	if (!in->bytes && !in->other)
		return kma_cursor_error(&in->cur, "a histogram without entries");
	if (in->bytes && in->other)
		return kma_cursor_error(&in->cur, "some entries have no 'bytes_alloc:'");
	err = kma_merge_close(in->merge, account);
	if (err)
		return err;
	kma_account_set_metrics(account, 1U << KMA_ALLOCS | (in->bytes ? 1U << KMA_TOTAL : 0));
	kma_account_set_loss(account, KMA_LOSS_NOT_RECORDED, in->dropped);
	if (in->other)
		kma_account_warn(
			account,
			"the histogram does not say of which event it is; hits are taken for allocations");
	if (in->prints > 1)
		kma_account_warn(account,
				 "the histogram was printed %u times; the last time is used",
				 in->prints);
	return NULL;
}

static struct kma_err *begin_list(struct hist *in)
{
	bool entries = in->bytes || in->other;
	struct kma_account *account = entries ? kma_reports_end(in->cur.input) : NULL;
	struct kma_err *err = account ? close_list(in, account) : NULL;

	end_run(in);
	in->prints = 0;
	begin_print(in);
	return err;
}

static struct kma_err *take_line(void *arg)
{
	struct hist *in = arg;
	const char *text = in->cur.text;

	if (!in->open && (*text != '{' || in->cur.line != in->line + 1))
		end_run(in);
	in->line = in->cur.line;
	if (!strncmp(text, TRIGGER, strlen(TRIGGER)))
		return begin_list(in);
	if (*text == '{' && !in->merge) {
		end_run(in);
		begin_print(in);
	}
	if (!strncmp(text, DROPPED, strlen(DROPPED))) {
		text += strlen(DROPPED);
		return kma_cursor_number(&in->cur, &text, "the number of dropped events",
					 &in->dropped);
	}
	if (*text == '{')
		return take_entry(in, text);
	if (in->open && *text == '}')
		return end_entry(in, text);
	if (in->open) {
		kma_strbuf_puts(&in->key, text);
		kma_backtrace_add(&in->frames, text);
	}
	return NULL;
}

static void hist_deinit(struct hist *in)
{
	kma_backtrace_deinit(&in->frames);
	kma_merge_destroy(in->merge);
	kma_merge_destroy(in->recent);
	kma_seen_destroy(in->seen);
	kma_strbuf_deinit(&in->key);
	kma_cursor_deinit(&in->cur);
}

static struct kma_err *read_hist(struct kma_input *input, struct kma_account *account)
{
	_cleanup_(hist_deinit) struct hist in = { 0 };

	kma_cursor_init(&in.cur, input);
	in.seen = kma_seen_create();
	return kma_cursor_each(&in.cur, take_line, &in) ?: close_list(&in, account);
}

static enum kma_line_kind line_of(const char *text)
{
	static const char *const others[] = { "# event histogram", "#",	   "Totals:", "Hits: ",
					      "Entries: ",	   DROPPED };

	if (!strncmp(text, TRIGGER, strlen(TRIGGER)) ||
	    (*text == '{' && (strstr(text, "} hitcount:") || strstr(text, STACK))))
		return KMA_LINE_ROW;
	if (!strncmp(text, "} hitcount:", strlen("} hitcount:")) || kma_backtrace_is_frame(text))
		return KMA_LINE_MORE;
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!strncmp(text, others[i], strlen(others[i])))
			return KMA_LINE_MORE;
	return KMA_LINE_OTHER;
}

const struct kma_reader_ops kma_reader_hist = {
	.name = "a histogram of a trigger, by call site",
	.key = "hist",
	.line = line_of,
	.several = true,
	.read = read_hist,
};
