// SPDX-License-Identifier: GPL-2.0-only
/*
 * line.c - one line of function_graph text, in any form.
 *
 * A table has a function for each form of a line, the most frequent forms first. A function that
 * does not recognise the line leaves it to the next one. Nothing is allocated: texts point into the
 * line.
 */
#include <string.h>

#include "lib/cleanup.h"
#include "lib/line-cursor.h"
#include "line.h"

static void blanks(struct kma_line_cursor *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
		s->p++;
}

/* Read 123 or 123.456, times @unit, a power of ten. Digits below one unit are dropped. */
static bool decimal(struct kma_line_cursor *s, uint64_t unit, uint64_t *ret)
{
	uint64_t whole;

	if (!kma_number(s, 10, &whole) || whole > UINT64_MAX / 2 / unit)
		return false;
	*ret = whole * unit;
	if (s->p == s->end || *s->p != '.')
		return true;
	for (s->p++; s->p < s->end && kma_is_digit(*s->p); s->p++) {
		unit /= 10;
		*ret += unit * (*s->p - '0');
	}
	return true;
}

static struct kma_lat_text trimmed(const char *from, const char *end)
{
	while (from < end && (*from == ' ' || *from == '\t'))
		from++;
	while (end > from && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return (struct kma_lat_text){ from, end - from };
}

/* Read "comm-123". The last dash is the one before the process number. */
static bool task(struct kma_lat_text text, struct kma_lat_line *ret)
{
	const char *end = text.str + text.len, *p = end;
	struct kma_line_cursor digits;
	uint64_t pid;

	while (p > text.str && kma_is_digit(p[-1]))
		p--;
	if (p == end || p == text.str || p[-1] != '-')
		return false;
	digits = (struct kma_line_cursor){ p, end };
	if (!kma_number(&digits, 10, &pid) || pid > INT32_MAX)
		return false;
	ret->has_pid = true;
	ret->pid = pid;
	ret->comm = (struct kma_lat_text){ text.str, p - 1 - text.str };
	return true;
}

/* Read the column of durations: blank, or a mark and microseconds, or the arrow of an interrupt. */
static bool duration(struct kma_lat_text text, struct kma_lat_line *ret)
{
	struct kma_line_cursor s = { text.str, text.str + text.len };

	if (!text.len)
		return true;
	if (*s.p == '=' || *s.p == '<')
		return kma_pass(&s, "==========>") || kma_pass(&s, "<==========");
	if (strchr("+!#*@$", *s.p))
		s.p++;
	blanks(&s);
	if (!decimal(&s, 1000, &ret->duration))
		return false;
	blanks(&s);
	ret->has_duration = kma_pass(&s, "us") && s.p == s.end;
	return ret->has_duration;
}

/* The characters of function names. */
static const bool name_chars[256] = {
	['a' ... 'z'] = true, ['A' ... 'Z'] = true, ['0' ... '9'] = true, ['_'] = true,
	['.'] = true,	      ['$'] = true,	    [':'] = true,
};

static struct kma_lat_text name(struct kma_line_cursor *s)
{
	struct kma_lat_text name = { s->p, 0 };

	while (s->p < s->end && name_chars[(unsigned char)*s->p])
		s->p++;
	name.len = s->p - name.str;
	return name;
}

/* Read an event; the cursor is after the start of its comment. */
static bool event(struct kma_line_cursor *s, struct kma_lat_line *ret)
{
	const char *colon;

	blanks(s);
	colon = memchr(s->p, ':', s->end - s->p);
	/* The text of trace_printk() has any form; without a colon it is not an event. */
	ret->what = KMA_LAT_NOTHING;
	if (!colon)
		return true;
	if (s->end - colon >= 3 && !memcmp(s->end - 2, "*/", 2))
		s->end -= 2;
	ret->what = KMA_LAT_EVENT;
	ret->name = trimmed(s->p, colon);
	ret->args = trimmed(colon + 1, s->end);
	return true;
}

/* Parse the text after the columns. */
static bool body(struct kma_line_cursor *s, struct kma_lat_line *ret)
{
	blanks(s);
	ret->what = KMA_LAT_NOTHING;
	if (s->p == s->end)
		return true;
	if (kma_pass(s, "/*"))
		return event(s, ret);
	if (kma_pass(s, "}")) {
		ret->what = KMA_LAT_EXIT;
		blanks(s);
		if (kma_pass(s, "/*")) {
			blanks(s);
			ret->name = name(s);
		}
		return true;
	}
	ret->name = name(s);
	if (!ret->name.len)
		return (*s->p == '=' || *s->p == '<') && duration(trimmed(s->p, s->end), ret);
	if (!memchr(s->p, '(', s->end - s->p))
		return false;
	ret->what = ret->has_duration || memchr(s->p, ';', s->end - s->p) ? KMA_LAT_LEAF :
									    KMA_LAT_ENTRY;
	return true;
}

/*
 * Read the columns between the CPU and the body, each followed by a bar: the task, the flags of
 * latency-format, the duration. The duration is recognised by its form. A task's name may contain
 * bars, but its number follows the name.
 */
static bool columns(struct kma_line_cursor *s, struct kma_lat_line *ret)
{
	const char *from;
	bool any = false;

	/* Skip blanks once, so that they are not skipped again for each bar. */
	blanks(s);
	from = s->p;
	for (;;) {
		const char *bar = memchr(s->p, '|', s->end - s->p);
		struct kma_lat_text text;

		if (!bar)
			return any && body(s, ret);
		text = trimmed(s->p, bar);
		/* The line is not of function_graph, and the bar is in an event. */
		if (!ret->has_cpu && memmem(text.str, text.len, ": ", 2))
			return false;
		any = true;
		/* If there is no column of durations, this bar may be in the arguments. */
		if (text.len > 1 && (!memcmp(text.str, "/*", 2) ||
				     (ret->has_pid && memchr(text.str, '(', text.len))))
			return body(s, ret);
		s->p = bar + 1;
		if (duration(text, ret))
			return body(s, ret);
		/* After the task only flags can come, which are ignored. */
		if (!ret->has_pid)
			task(trimmed(from, bar), ret);
	}
}

/* Read "TIME | CPU) ...". The time is in seconds, or in us since the start of the buffer. */
static bool graph(const char *line, size_t len, struct kma_lat_line *ret)
{
	struct kma_line_cursor s = { line, line + len }, was;
	uint64_t number;

	/* "#    | task: -0 (uid:0)" of latency-format is a comment, "# 1000.123 us |" is not. */
	if (kma_pass(&s, "#")) {
		blanks(&s);
		if (s.p == s.end || !kma_is_digit(*s.p))
			return false;
		s.p = line;
	}
	blanks(&s);
	was = s;
	if (decimal(&s, 1000000000, &ret->time)) {
		bool relative;

		blanks(&s);
		relative = kma_pass(&s, "us");
		blanks(&s);
		/* A time is followed by more columns, a duration only by the body. */
		ret->has_time = kma_pass(&s, "|") &&
				(!relative || memchr(s.p, ')', s.end - s.p < 8 ? s.end - s.p : 8));
		if (relative)
			ret->time /= 1000000;
	}
	if (!ret->has_time)
		s = was;
	blanks(&s);
	was = s;
	if (kma_number(&s, 10, &number) && kma_pass(&s, ")") && number < KMA_LAT_MAX_CPUS) {
		ret->has_cpu = true;
		ret->cpu = number;
	} else {
		s = was;
	}
	return columns(&s, ret);
}

/*
 * Read "task-123". The name fills at least 16 columns, so a dash before that is part of the name,
 * if the line is wide enough.
 */
static bool plain_task(struct kma_line_cursor *s, struct kma_lat_line *ret)
{
	const char *from = s->p;
	bool wide = s->end - s->p > 17;

	for (const char *p = wide ? s->p + 16 : s->p; p + 1 < s->end; p++) {
		struct kma_line_cursor rest = { p + 1, s->end };
		uint64_t pid;

		if (*p != '-' || !kma_number(&rest, 10, &pid))
			continue;
		blanks(&rest);
		if (rest.p == rest.end || (*rest.p != '[' && *rest.p != '('))
			continue;
		ret->has_pid = pid <= INT32_MAX;
		ret->pid = pid;
		ret->comm = trimmed(from, p);
		*s = rest;
		return ret->has_pid;
	}
	return false;
}

/* Read "[003] d..1. 12.345678:". */
static bool plain_place(struct kma_line_cursor *s, struct kma_lat_line *ret)
{
	const char *close;
	uint64_t cpu;

	if (kma_pass(s, "(")) {
		close = memchr(s->p, ')', s->end - s->p);
		if (!close)
			return false;
		s->p = close + 1;
		blanks(s);
	}
	if (!kma_pass(s, "[") || !kma_number(s, 10, &cpu) || cpu >= KMA_LAT_MAX_CPUS ||
	    !kma_pass(s, "]"))
		return false;
	ret->has_cpu = true;
	ret->cpu = cpu;
	for (unsigned int words = 0; words < 3 && s->p < s->end; words++) {
		struct kma_line_cursor at;

		blanks(s);
		at = *s;
		ret->has_time = decimal(&at, 1000000000, &ret->time) && kma_pass(&at, ":");
		if (ret->has_time) {
			*s = at;
			return true;
		}
		while (s->p < s->end && *s->p != ' ')
			s->p++;
	}
	return false;
}

static bool plain(const char *line, size_t len, struct kma_lat_line *ret)
{
	struct kma_line_cursor s = { line, line + len }, stack;

	if (!plain_task(&s, ret) || !plain_place(&s, ret))
		return false;
	blanks(&s);
	stack = s;
	if (kma_pass(&stack, "kernel_stack:"))
		blanks(&stack);
	if (kma_pass(&stack, "<stack trace")) {
		ret->what = KMA_LAT_STACK;
		return true;
	}
	if (!event(&s, ret))
		return false;
	/* A line of trace-cmd report: the columns are the arguments of the event. */
	if (kma_lat_is(&ret->name, "funcgraph_entry") || kma_lat_is(&ret->name, "funcgraph_exit")) {
		s = (struct kma_line_cursor){ ret->args.str, line + len };
		ret->name.len = ret->args.len = 0;
		return columns(&s, ret);
	}
	return true;
}

/* Read a switch of tasks: " 0)    bash-1234   =>    kswapd0-56 ". */
static bool switched(const char *line, size_t len, struct kma_lat_line *ret)
{
	struct kma_line_cursor s = { line, line + len };
	const char *arrow;
	uint64_t cpu;

	blanks(&s);
	if (!kma_number(&s, 10, &cpu) || !kma_pass(&s, ")") || cpu >= KMA_LAT_MAX_CPUS)
		return false;
	arrow = memmem(s.p, s.end - s.p, "=>", 2);
	ret->has_cpu = true;
	ret->cpu = cpu;
	ret->what = KMA_LAT_SWITCH;
	return arrow && task(trimmed(arrow + 2, s.end), ret);
}

/*
 * Read "CPU:0 [LOST 12 EVENTS]" or trace-cmd's "CPU:0 [12 EVENTS DROPPED]"; without a number, too.
 */
static bool lost(const char *line, size_t len, struct kma_lat_line *ret)
{
	struct kma_line_cursor s = { line, line + len };
	const char *end;
	uint64_t cpu;

	if (!kma_pass(&s, "CPU:") || !kma_number(&s, 10, &cpu) || cpu >= KMA_LAT_MAX_CPUS ||
	    !kma_pass(&s, " ["))
		return false;
	end = kma_pass(&s, "LOST ") ? "EVENTS]" : "EVENTS DROPPED]";
	ret->has_cpu = true;
	ret->cpu = cpu;
	ret->what = KMA_LAT_LOST;
	return (kma_number(&s, 10, &ret->lost) && kma_pass(&s, " ") && kma_pass(&s, end)) ||
	       kma_pass(&s, end);
}

/* Read a frame: "=> function+0x12/0x34 [module]"; in trace-cmd's text the address follows. */
static bool frame(const char *line, size_t len, struct kma_lat_line *ret)
{
	struct kma_line_cursor s = { line, line + len };
	const char *paren;

	blanks(&s);
	if (!kma_pass(&s, "=> "))
		return false;
	paren = memmem(s.p, s.end - s.p, " (", 2);
	ret->what = KMA_LAT_FRAME;
	ret->name = trimmed(s.p, paren ?: s.end);
	return ret->name.len > 0;
}

/* Recognise the header, rules, and notes of the file trace and of trace-cmd. */
static bool note(const char *line, size_t len, struct kma_lat_line *ret)
{
	static const char *const begins[] = { "#", "-----", "##### CPU ", "cpus=", "CPU " };
	struct kma_line_cursor s = { line, line + len };

	blanks(&s);
	ret->what = KMA_LAT_NOTHING;
	if (s.p == s.end)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		if (kma_pass(&s, begins[i]))
			return true;
	return false;
}

/* The forms of a line, by their frequency. */
static bool (*const forms[])(const char *line, size_t len, struct kma_lat_line *ret) = {
	graph, frame, lost, note, switched, plain,
};

void kma_lat_parse(const char *line, size_t len, struct kma_lat_line *ret)
{
	if (len && line[len - 1] == '\r')
		len--;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		memset(ret, 0, sizeof(*ret));
		if (forms[i](line, len, ret))
			return;
	}
	memset(ret, 0, sizeof(*ret));
}

bool kma_lat_value(const struct kma_lat_text *args, const char *key, struct kma_lat_text *ret)
{
	const char *end = args->str + args->len;
	const char *at = memmem(args->str, args->len, key, strlen(key));

	*ret = (struct kma_lat_text){ "", 0 };
	/* Within a word, such as a task's name, it is not the key. */
	while (at && at > args->str && at[-1] != ' ')
		at = memmem(at + 1, end - at - 1, key, strlen(key));
	if (!at)
		return false;
	ret->str = at + strlen(key);
	while (ret->str + ret->len < end && ret->str[ret->len] != ' ')
		ret->len++;
	return ret->len > 0;
}
