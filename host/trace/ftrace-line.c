// SPDX-License-Identifier: GPL-2.0-only
/*
 * ftrace-line.c - one line of ftrace text, in any of its forms.
 *
 * A line is tried as each of these, in this order: a comment ("# ..."); an event without a prefix
 * (nocontext-info); a prefix with a CPU (ftrace-prefix.c) followed by an event or a stack; a frame
 * of a stack; a note of lost events; a note of trace-cmd. Each attempt starts from a copy of the
 * cursor, so a failed one has no effect. The order matters: a task's name may look like a frame or
 * a note, so a prefix is tried before these.
 *
 * Fields are found by name in any order. Two tables, kma_ftrace_events and kma_ftrace_keys, say
 * which events and which fields are read; other events and fields are skipped. An allocation or a
 * free that lacks a needed field, or has an invalid one, makes the whole line BAD.
 *
 * Nothing is allocated. Costs are linear in the length of the line, except for the search of a
 * prefix that is in no usual column. This file is for the rare lines; ftrace-quick.c reads the
 * usual ones.
 */
#include <string.h>

#include "ftrace-line.h"
#include "ftrace-prefix.h"
#include "lib/cleanup.h"

#define KMA_SITE_MAX 1024 /* bytes of a call site: a symbol has 512 at most */

#define KMA_SLAB_ALLOC \
	(KMA_FTRACE_HAS_SITE | KMA_FTRACE_HAS_PTR | KMA_FTRACE_HAS_REQ | KMA_FTRACE_HAS_ALLOC)
#define KMA_SLAB_FREE (KMA_FTRACE_HAS_SITE | KMA_FTRACE_HAS_PTR)
#define KMA_PAGES     (KMA_FTRACE_HAS_PFN | KMA_FTRACE_HAS_ORDER)

/* mm_page_free_batched is not listed: each such page has an mm_page_free event, too. */
static const struct kma_ftrace_event {
	const char *name;
	enum kma_kind kind;
	bool is_free;
	unsigned int needs;
} kma_ftrace_events[] = {
	{ "kmalloc", KMA_KIND_KMALLOC, false, KMA_SLAB_ALLOC },
	{ "kmalloc_node", KMA_KIND_KMALLOC, false, KMA_SLAB_ALLOC },
	{ "kfree", KMA_KIND_KMALLOC, true, KMA_SLAB_FREE },
	{ "kmem_cache_alloc", KMA_KIND_CACHE, false, KMA_SLAB_ALLOC },
	{ "kmem_cache_alloc_node", KMA_KIND_CACHE, false, KMA_SLAB_ALLOC },
	{ "kmem_cache_free", KMA_KIND_CACHE, true, KMA_SLAB_FREE },
	{ "mm_page_alloc", KMA_KIND_PAGE, false, KMA_PAGES },
	{ "mm_page_free", KMA_KIND_PAGE, true, KMA_PAGES },
	{ "percpu_alloc_percpu", KMA_KIND_PERCPU, false, KMA_FTRACE_HAS_PTR | KMA_FTRACE_HAS_SIZE },
	{ "percpu_free_percpu", KMA_KIND_PERCPU, true, KMA_FTRACE_HAS_PTR },
};

static const struct kma_ftrace_event *event_named(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(kma_ftrace_events); i++)
		if (strlen(kma_ftrace_events[i].name) == len &&
		    !memcmp(kma_ftrace_events[i].name, name, len))
			return &kma_ftrace_events[i];
	return NULL;
}

/*
 * Does a value end here? A blank, the '\r' of a CRLF line end or the end of a whole line follows.
 */
static bool ends(const struct kma_line_cursor *cur, bool whole)
{
	return cur->p < cur->end ? *cur->p == ' ' || *cur->p == '\t' || *cur->p == '\r' : whole;
}

/* Read a call site: "sym+0x1/0x2", "sym+0x1/0x2 [module]", "c104dd2f" or "0xffffffff8104dd2f". */
static bool value_site(struct kma_line_cursor *cur, bool whole, struct kma_ftrace_line *ret)
{
	const char *from = cur->p, *digits;
	bool hex = true;

	kma_pass(cur, "0x");
	digits = cur->p;
	for (; cur->p < cur->end && (unsigned char)*cur->p > ' '; cur->p++)
		hex = hex && kma_hex_value(*cur->p) >= 0;
	ret->address = hex && cur->p - digits <= 16;
	ret->site = ret->address ? digits : from;
	ret->site_len = cur->p - ret->site;
	if (cur->end - cur->p > 2 && cur->p[0] == ' ' && cur->p[1] == '[') {
		cur->p++;
		while (cur->p < cur->end && (unsigned char)*cur->p > ' ' && *cur->p != ']')
			cur->p++;
		if (!kma_pass(cur, "]"))
			return false;
		ret->site_len = cur->p - ret->site;
	}
	return ret->site_len && ret->site_len <= KMA_SITE_MAX && ends(cur, whole);
}

/* Texts that %p prints for a null pointer; the address is then 0. */
static const char *const nulls[] = { "(null)", "(nil)" };
/* Texts that %p prints for an address that the kernel hides. */
static const char *const hidden[] = { "(____ptrval____)", "(ptrval)", "(efault)" };

static bool value_ptr(struct kma_line_cursor *cur, bool whole, struct kma_ftrace_line *ret)
{
	const char *from;
	bool full;

	kma_skip(cur, ' ');
	for (size_t i = 0; i < ARRAY_SIZE(nulls); i++)
		if (kma_pass(cur, nulls[i]))
			return ends(cur, whole);
	for (size_t i = 0; i < ARRAY_SIZE(hidden); i++)
		if (kma_pass(cur, hidden[i])) {
			ret->what = KMA_FTRACE_NO_PTR;
			return ends(cur, whole);
		}
	kma_pass(cur, "0x");
	from = cur->p;
	if (!kma_number(cur, 16, &ret->ptr))
		return false;
	full = cur->p - from == 16;
	ret->hashed = full && ret->ptr && !(ret->ptr >> 32);
	/* more digits cannot follow */
	return ends(cur, whole || full);
}

/* Read a number: "12", or "0xc (12)" with trace option fields, of which "0xc" is read. */
static bool value_number(struct kma_line_cursor *cur, bool whole, uint64_t *ret)
{
	unsigned int base = kma_pass(cur, "0x") ? 16 : 10;

	return kma_number(cur, base, ret) && ends(cur, whole);
}

static bool value_req(struct kma_line_cursor *cur, bool whole, struct kma_ftrace_line *ret)
{
	return value_number(cur, whole, &ret->req);
}

static bool value_alloc(struct kma_line_cursor *cur, bool whole, struct kma_ftrace_line *ret)
{
	return value_number(cur, whole, &ret->alloc);
}

static bool value_pfn(struct kma_line_cursor *cur, bool whole, struct kma_ftrace_line *ret)
{
	if (!value_number(cur, whole, &ret->ptr))
		return false;
	/* No page was allocated: -1 in trace-cmd report -R, else 0. */
	ret->ptr = ret->ptr + 1 ? ret->ptr : 0;
	return true;
}

/* The name of a cache, which may have blanks, comes before the sizes. */
static bool value_cache(struct kma_line_cursor *cur, bool whole, struct kma_ftrace_line *ret)
{
	static const char sizes[] = " bytes_req=";
	const char *end = memmem(cur->p, cur->end - cur->p, sizes, strlen(sizes));

	ret->cache = cur->p;
	while (cur->p < cur->end && (end ? cur->p < end : (unsigned char)*cur->p > ' '))
		cur->p++;
	ret->cache_len = cur->p - ret->cache;
	return ret->cache_len <= KMA_SITE_MAX && ends(cur, whole);
}

#define KMA_MAX_ORDER 20 /* blocks of 4 GiB: larger than any kernel allocates */

static bool value_order(struct kma_line_cursor *cur, bool whole, struct kma_ftrace_line *ret)
{
	uint64_t order;

	if (!value_number(cur, whole, &order) || order > KMA_MAX_ORDER)
		return false;
	ret->req = ret->alloc = 4096UL << order;
	return true;
}

/*
 * The size of percpu_alloc_percpu is that for one CPU. Newer kernels add bytes_alloc, the bytes for
 * all CPUs.
 */
static const struct kma_ftrace_key {
	const char *name;
	unsigned int bit;
	bool (*value)(struct kma_line_cursor *cur, bool whole, struct kma_ftrace_line *ret);
} kma_ftrace_keys[] = {
	{ "call_site", KMA_FTRACE_HAS_SITE, value_site },
	{ "ptr", KMA_FTRACE_HAS_PTR, value_ptr },
	{ "bytes_req", KMA_FTRACE_HAS_REQ, value_req },
	{ "bytes_alloc", KMA_FTRACE_HAS_ALLOC, value_alloc },
	{ "size", KMA_FTRACE_HAS_SIZE, value_req },
	{ "pfn", KMA_FTRACE_HAS_PFN, value_pfn },
	{ "order", KMA_FTRACE_HAS_ORDER, value_order },
	{ "name", KMA_FTRACE_HAS_CACHE, value_cache },
};

/* Fields that an event can have. Another "key=" in its line is part of a cache's name or a flag. */
static unsigned int keys_of(const struct kma_ftrace_event *event)
{
	if (event->kind == KMA_KIND_PERCPU)
		return event->needs | KMA_FTRACE_HAS_SITE | KMA_FTRACE_HAS_ALLOC;
	return event->kind == KMA_KIND_CACHE && !event->is_free ?
		       event->needs | KMA_FTRACE_HAS_CACHE :
		       event->needs;
}

/*
 * Read the fields of @wants until all were found or the line ends; skip all other words. Return
 * false if a field has an invalid value.
 */
static bool fields(struct kma_line_cursor *cur, unsigned int wants, bool whole,
		   struct kma_ftrace_line *ret)
{
	while (cur->p < cur->end && wants & ~ret->has) {
		const char *word;

		if (*cur->p == ' ') {
			cur->p++;
			continue;
		}
		word = cur->p;
		while (cur->p < cur->end && kma_is_name(*cur->p))
			cur->p++;
		for (size_t i = 0; kma_at(cur, '=') && i < ARRAY_SIZE(kma_ftrace_keys); i++) {
			const struct kma_ftrace_key *key = &kma_ftrace_keys[i];

			if (!(wants & ~ret->has & key->bit) ||
			    strlen(key->name) != (size_t)(cur->p - word) ||
			    memcmp(key->name, word, cur->p - word))
				continue;
			cur->p++;
			if (!key->value(cur, whole, ret))
				return false;
			ret->has |= key->bit;
			break;
		}
		while (cur->p < cur->end && *cur->p != ' ')
			cur->p++;
	}
	return true;
}

/* "(demo_open+0x4f) " before the fields, which trace-cmd and perf print. */
static size_t named_site(const struct kma_line_cursor *cur, const char **ret)
{
	struct kma_line_cursor at = *cur;
	const char *end;

	kma_skip(&at, ' ');
	if (!kma_pass(&at, "("))
		return 0;
	*ret = at.p;
	while (at.p < at.end && (unsigned char)*at.p > ' ' && *at.p != ')')
		at.p++;
	end = at.p;
	return kma_pass(&at, ")") && memchr(*ret, '+', end - *ret) && end - *ret <= KMA_SITE_MAX ?
		       (size_t)(end - *ret) :
		       0;
}

static void parse_event(struct kma_line_cursor *cur, const struct kma_ftrace_event *event,
			bool whole, struct kma_ftrace_line *ret)
{
	const char *name = NULL;
	size_t len;

	ret->kind = event->kind;
	ret->is_free = event->is_free;
	ret->what = KMA_FTRACE_EVENT;
	len = named_site(cur, &name);
	if (!fields(cur, keys_of(event), whole, ret) || event->needs & ~ret->has) {
		ret->what = KMA_FTRACE_BAD;
		return;
	}
	if (ret->address && len) {
		ret->site = name;
		ret->site_len = len;
		ret->address = false;
	}
	if (event->kind == KMA_KIND_PERCPU) {
		if (!(ret->has & KMA_FTRACE_HAS_ALLOC))
			ret->alloc = ret->req;
		ret->req = ret->alloc;
	}
	if (event->is_free && event->kind != KMA_KIND_PAGE)
		ret->req = ret->alloc = 0;
	if (ret->alloc < ret->req)
		ret->what = KMA_FTRACE_BAD;
}

/* Skip the time since the previous event, as trace-cmd report --ts-diff prints it: "(+10)   ". */
static void pass_difference(struct kma_line_cursor *cur)
{
	struct kma_line_cursor try = *cur;
	uint64_t number;

	if (!kma_pass(&try, "(+") && !kma_pass(&try, "(-"))
		return;
	if (!kma_number(&try, 10, &number) || !kma_pass(&try, ")"))
		return;
	*cur = try;
	kma_skip(cur, ' ');
}

/* Skip the period of a sample, which perf script -F +period prints before the event's name. */
static void pass_period(struct kma_line_cursor *cur)
{
	struct kma_line_cursor try = *cur;
	uint64_t number;

	if (!kma_number(&try, 10, &number) || !kma_at(&try, ' '))
		return;
	kma_skip(&try, ' ');
	if (try.p < try.end && kma_is_name(*try.p) && !kma_is_digit(*try.p))
		*cur = try;
}

static bool parse_frame(struct kma_line_cursor *cur, bool whole, struct kma_ftrace_line *ret);

/* Read what follows the time: "event: fields", "<stack trace>", or the line of a tracer. */
static void parse_rest(struct kma_line_cursor *cur, bool whole, struct kma_ftrace_line *ret)
{
	const struct kma_ftrace_event *event;
	const char *name;

	ret->what = KMA_FTRACE_OTHER;
	kma_skip(cur, ' ');
	pass_difference(cur);
	pass_period(cur);
	if (kma_pass(cur, "<stack trace>")) {
		ret->what = KMA_FTRACE_STACK;
		return;
	}
	name = cur->p;
	while (cur->p < cur->end && kma_is_name(*cur->p))
		cur->p++;
	if (!kma_at(cur, ':')) {
		/* truncated, or a tracer's own line */
		if (!whole)
			ret->what = KMA_FTRACE_BAD;
		return;
	}
	if (cur->p - name == 12 && !memcmp(name, "kernel_stack", 12)) {
		/* trace-cmd report -N prints the first frame after the name. */
		cur->p++;
		parse_frame(cur, whole, ret);
		ret->what = KMA_FTRACE_STACK;
		return;
	}
	/* "kmem:kmalloc: " of perf script */
	if (cur->end - cur->p > 1 && kma_is_name(cur->p[1])) {
		name = ++cur->p;
		while (cur->p < cur->end && kma_is_name(*cur->p))
			cur->p++;
		if (!kma_at(cur, ':'))
			return;
	}
	event = event_named(name, cur->p - name);
	cur->p++;
	if (event)
		parse_event(cur, event, whole, ret);
}

/*
 * A line of trace_options nocontext-info: "kmalloc: fields"; or of perf script -F event,trace:
 * "kmem:kmalloc: fields". Its CPU is unknown, so a stack in such a log belongs to no event.
 */
static bool parse_bare(struct kma_line_cursor *cur, bool whole, struct kma_ftrace_line *ret)
{
	const struct kma_ftrace_event *event;
	const char *name;

	if (kma_pass(cur, "<stack trace>")) {
		ret->what = KMA_FTRACE_OTHER;
		return true;
	}
	kma_pass(cur, "kmem:");
	name = cur->p;
	while (cur->p < cur->end && kma_is_name(*cur->p))
		cur->p++;
	event = event_named(name, cur->p - name);
	if (!event || !kma_pass(cur, ": "))
		return false;
	ret->no_cpu = true;
	parse_event(cur, event, whole, ret);
	return true;
}

static void skip_blanks(struct kma_line_cursor *cur)
{
	while (cur->p < cur->end && (*cur->p == ' ' || *cur->p == '\t'))
		cur->p++;
}

/* " => function", " => function+0x1/0x2 <address>", "=> function [module] (address)" */
static bool parse_frame(struct kma_line_cursor *cur, bool whole, struct kma_ftrace_line *ret)
{
	skip_blanks(cur);
	if (!kma_pass(cur, "=>"))
		return false;
	kma_skip(cur, ' ');
	ret->what = KMA_FTRACE_FRAME;
	if (!value_site(cur, whole, ret))
		ret->site_len = 0;
	return true;
}

/*
 * A frame of perf script: "\tffffffff8164efd5 function+0x1 ([kernel.kallsyms])", "... ([ext4])",
 * "... [unknown] (/bin/sh)".
 */
static bool parse_perf_frame(struct kma_line_cursor *cur, struct kma_ftrace_line *ret)
{
	const char *from = cur->p, *digits, *open;
	uint64_t address;

	skip_blanks(cur);
	digits = cur->p;
	if (cur->p == from || !kma_number(cur, 16, &address))
		return false;
	ret->what = KMA_FTRACE_FRAME;
	ret->perf = true;
	ret->address = true;
	ret->site = digits;
	ret->site_len = cur->p - digits;
	if (cur->p == cur->end)
		return true;
	open = memrchr(cur->p, '(', cur->end - cur->p);
	if (*cur->p != ' ' || !open || cur->end[-1] != ')' || open < cur->p + 2 ||
	    open[-1] != ' ') {
		ret->what = KMA_FTRACE_NOTHING;
		ret->perf = ret->address = false;
		return false;
	}
	cur->p++;
	if (*cur->p == '[') /* "[unknown]" */
		return true;
	ret->address = false;
	ret->site = cur->p;
	ret->site_len = open - 1 - cur->p;
	if (cur->end - open > 4 && open[1] == '[' && cur->end[-2] == ']' &&
	    !memchr(open, '.', cur->end - open)) {
		ret->module = open + 2;
		ret->module_len = cur->end - 2 - ret->module;
	}
	return true;
}

/* "CPU:1 [LOST 12 EVENTS]", "CPU:1 [12 EVENTS DROPPED]", both also without a number */
static bool parse_lost(struct kma_line_cursor *cur, struct kma_ftrace_line *ret)
{
	uint64_t cpu;

	kma_skip(cur, ' ');
	if (!kma_pass(cur, "CPU:") || !kma_number(cur, 10, &cpu) || !kma_pass(cur, " ["))
		return false;
	if (kma_pass(cur, "LOST "))
		kma_number(cur, 10, &ret->lost);
	else if (kma_number(cur, 10, &ret->lost))
		kma_skip(cur, ' ');
	kma_skip(cur, ' ');
	if (!kma_pass(cur, "EVENTS"))
		return false;
	ret->what = KMA_FTRACE_LOST;
	ret->placed = cpu <= UINT16_MAX;
	ret->cpu = ret->placed ? cpu : 0;
	return true;
}

/* "# entries-in-buffer/entries-written: 140/11540   #P:1" */
static bool parse_entries(struct kma_line_cursor *cur, struct kma_ftrace_line *ret)
{
	uint64_t in, written;

	if (!kma_pass(cur, "# entries-in-buffer/entries-written:"))
		return false;
	kma_skip(cur, ' ');
	if (!kma_number(cur, 10, &in) || !kma_pass(cur, "/") || !kma_number(cur, 10, &written))
		return false;
	if (written > in) {
		ret->what = KMA_FTRACE_LOST;
		ret->lost = written - in;
	}
	return true;
}

/* Skip the name of an input or a buffer: "guest1: ". */
static size_t pass_source(struct kma_line_cursor *cur)
{
	struct kma_line_cursor try = *cur;
	size_t len;

	while (try.p < try.end && (kma_is_name(*try.p) || (*try.p && strchr(".-/", *try.p))))
		try.p++;
	len = try.p - cur->p;
	if (!len || len >= KMA_FTRACE_SOURCE || !kma_pass(&try, ": "))
		return 0;
	*cur = try;
	return len;
}

size_t kma_ftrace_source(const char *line, size_t len, const char **ret)
{
	size_t number;
	struct kma_line_cursor cur = { line, line + len };
	uint16_t cpu;

	kma_skip(&cur, ' ');
	*ret = cur.p;
	len = pass_source(&cur);
	/* a line number of grep -n */
	for (number = 0; number < len && (*ret)[number] >= '0' && (*ret)[number] <= '9'; number++)
		;
	if (number == len)
		return 0;
	/* In a line without a prefix it is the name of the event. */
	return len && kma_ftrace_prefix(&cur, &cpu) ? len : 0;
}

bool kma_ftrace_shape(const char *line, size_t len)
{
	static const char site[] = "call_site=";
	const char *p = line, *end = line + len;

	if (memmem(line, len, site, strlen(site)))
		return true;
	for (; (p = memchr(p, ':', end - p)); p++) {
		const struct kma_ftrace_event *event;
		const char *name = p;

		while (name > line && kma_is_name(name[-1]))
			name--;
		event = event_named(name, p - name);
		if (event && memchr(p, '=', end - p))
			return true;
	}
	return false;
}

/*
 * A line of perf script without the CPU: "fio  3833   907.120973: kmem:kmalloc: fields". It is
 * found by the group of the event after the time.
 */
static bool parse_no_cpu(struct kma_line_cursor *cur, bool whole, struct kma_ftrace_line *ret)
{
	static const char *const groups[] = { " kmem:", " percpu:" };
	struct kma_line_cursor try;
	const char *p = NULL;
	uint64_t number;

	for (size_t i = 0; i < ARRAY_SIZE(groups) && !p; i++)
		p = memmem(cur->p, cur->end - cur->p, groups[i], strlen(groups[i]));
	if (!p)
		return false;
	try = (struct kma_line_cursor){ p, cur->end };
	/* back to the start of the time, over the period */
	while (p > cur->p && (p[-1] == ' ' || kma_is_digit(p[-1])))
		p--;
	if (p == cur->p || p[-1] != ':')
		return false;
	for (p--; p > cur->p && (kma_is_digit(p[-1]) || p[-1] == '.'); p--)
		;
	cur->p = p;
	if (!kma_number(cur, 10, &number) || !kma_pass(cur, ".") || !kma_number(cur, 10, &number) ||
	    !kma_pass(cur, ":"))
		return false;
	ret->no_cpu = true;
	parse_rest(&try, whole, ret);
	return true;
}

/* Lines of trace-cmd report that are not events. */
static bool parse_note(struct kma_line_cursor cur)
{
	uint64_t number;

	kma_skip(&cur, ' ');
	if (cur.p == cur.end || kma_at(&cur, '#'))
		return true;
	if (kma_pass(&cur, "CPU "))
		return kma_number(&cur, 10, &number) && kma_pass(&cur, " is empty");
	pass_source(&cur);
	if (kma_pass(&cur, "cpus="))
		return kma_number(&cur, 10, &number) && cur.p == cur.end;
	return kma_pass(&cur, "version = ");
}

void kma_ftrace_parse(const char *line, size_t len, bool whole, struct kma_ftrace_line *ret)
{
	struct kma_line_cursor cur = { line, line + len }, all;

	memset(ret, 0, sizeof(*ret));
	ret->what = KMA_FTRACE_NOTHING;
	if (len && line[len - 1] == '\r')
		cur.end--;
	all = cur;
	if (kma_at(&cur, '#')) {
		parse_entries(&cur, ret);
		return;
	}
	if (parse_bare(&cur, whole, ret))
		return;
	cur = all;
	if (kma_at(&cur, '\t') && parse_perf_frame(&cur, ret))
		return;
	cur = all;
	ret->placed = kma_ftrace_prefix(&cur, &ret->cpu);
	if (ret->placed) {
		parse_rest(&cur, whole, ret);
		return;
	}
	cur = all;
	if (parse_frame(&cur, whole, ret))
		return;
	cur = all;
	if (parse_perf_frame(&cur, ret))
		return;
	cur = all;
	if (parse_lost(&cur, ret))
		return;
	cur = all;
	if (parse_no_cpu(&cur, whole, ret))
		return;
	if (!parse_note(all))
		ret->what = KMA_FTRACE_BAD;
}

bool kma_ftrace_is_log(const char *text, size_t len)
{
	const char *end = text + len, *nl;

	if (len >= 10 && !memcmp(text, "# tracer: ", 10))
		return true;
	for (const char *p = text; p < end; p = nl + 1) {
		struct kma_ftrace_line line;

		nl = memchr(p, '\n', end - p);
		if (!nl)
			nl = end;
		kma_ftrace_parse(p, nl - p, nl < end, &line);
		if (line.what > KMA_FTRACE_NOTHING && line.what != KMA_FTRACE_FRAME)
			return true;
	}
	return false;
}

bool kma_ftrace_has_events(const char *text, size_t len)
{
	const char *end = text + len, *nl;

	for (; text < end && (nl = memchr(text, '\n', end - text)); text = nl + 1) {
		struct kma_ftrace_line line;

		kma_ftrace_parse(text, nl - text, true, &line);
		if (line.what == KMA_FTRACE_EVENT || line.what == KMA_FTRACE_NO_PTR)
			return true;
	}
	return false;
}
