// SPDX-License-Identifier: GPL-2.0-only
/*
 * ftrace-prefix.c - the prefix of an event's line.
 *
 * A task may have any name, so the prefix cannot be split at the first dash or bracket. The kernel
 * pads the name to a fixed width: 16 columns, or 8 with latency-format. A reader is first applied
 * at exactly that column. If no form fits there, the name is longer than the column, or another
 * program printed the line; then each dash of the line, from the left, is tried as the one before
 * the process number. That search can be misled by a name such as "a-1 [0] 1.1: x:", but only in
 * lines whose columns are not the kernel's. The dashes are also tried as those of latency-format,
 * because trace-cmd report may print the name of a buffer first. Last, each number after a blank is
 * tried as the process number: perf script does not pad the task of an event with a call graph,
 * "task 1234 [003] ...".
 */
#include <stdio.h>
#include <string.h>

#include "ftrace-prefix.h"
#include "lib/cleanup.h"

#define KMA_TASK_WIDTH	       16
#define KMA_LATENCY_TASK_WIDTH 8
#define KMA_LATENCY_FLAGS_MAX  8  /* letters of the flags of latency-format; 7.x prints six */
#define KMA_FLAG_HARDIRQ       8  /* TRACE_FLAG_HARDIRQ, as verbose prints the flags in hex */
#define KMA_FLAG_SOFTIRQ       16 /* TRACE_FLAG_SOFTIRQ */
#define KMA_FLAGS_MAX	       48 /* most bytes between the CPU and the end of the time */

/* What a prefix contains in addition to the CPU. */
struct kma_prefix_said {
	const char *name; /* of the task, with blanks around it */
	const char *end;  /* end of the name */
	bool irq;	  /* the event was within an interrupt */
};

/* Does the third of the flags "d.h1." report an interrupt, hard or soft? */
static bool flags_irq(const char *flags, const char *end)
{
	return end - flags > 2 && flags[2] && strchr("hHszZ", flags[2]);
}

/* Skip the process number: "-1234", or " 1234" and " 1234/1230" of perf script. */
static bool pid(struct kma_line_cursor *cur)
{
	uint64_t number;

	if (kma_pass(cur, "-"))
		return kma_number(cur, 10, &number);
	if (!kma_pass(cur, " "))
		return false;
	kma_skip(cur, ' ');
	if (!kma_number(cur, 10, &number))
		return false;
	return !kma_pass(cur, "/") || kma_number(cur, 10, &number);
}

/* Skip "-1234 [003] d..1. 12.345678: ", from the dash on. */
static bool prefix(struct kma_line_cursor *cur, uint16_t *cpu, struct kma_prefix_said *said)
{
	const char *limit, *flags;
	uint64_t number;

	if (!pid(cur))
		return false;
	kma_skip(cur, ' ');
	if (kma_pass(cur, "(")) { /* thread group */
		while (cur->p < cur->end &&
		       (kma_is_digit(*cur->p) || *cur->p == '-' || *cur->p == ' '))
			cur->p++;
		if (!kma_pass(cur, ")"))
			return false;
		kma_skip(cur, ' ');
	}
	if (!kma_pass(cur, "[") || !kma_number(cur, 10, &number) || number > UINT16_MAX ||
	    !kma_pass(cur, "]"))
		return false;
	*cpu = number;
	flags = cur->p + kma_at(cur, ' ');
	/* Flags are optional and can have any form, but contain no colon. */
	limit = cur->p + KMA_FLAGS_MAX;
	while (cur->p < cur->end && cur->p < limit && *cur->p != ':')
		cur->p++;
	if (!kma_at(cur, ':') || !kma_is_digit(cur->p[-1]))
		return false;
	said->irq = flags_irq(flags, cur->p);
	cur->p++;
	return kma_pass(cur, " ");
}

/* Skip the time of latency-format: "12us : ", "12us+: ", "12: " or "12.345678: ". */
static bool latency_time(struct kma_line_cursor *cur)
{
	uint64_t number;

	kma_skip(cur, ' ');
	kma_pass(cur, "-"); /* before the trace's own start */
	if (!kma_number(cur, 10, &number))
		return false;
	if (kma_pass(cur, ".")) /* of trace-cmd report -l: seconds */
		return kma_number(cur, 10, &number) && kma_pass(cur, ": ");
	if (kma_pass(cur, "us")) {
		if (cur->p == cur->end)
			return false;
		cur->p++; /* the mark of a long wait */
	}
	return kma_pass(cur, ": ");
}

/* Skip "-1234      3d..1.   12us+: " of trace option latency-format, from the dash on. */
static bool latency_prefix(struct kma_line_cursor *cur, uint16_t *cpu, struct kma_prefix_said *said)
{
	uint64_t number;
	const char *p;

	if (!kma_pass(cur, "-") || !kma_number(cur, 10, &number))
		return false;
	kma_skip(cur, ' ');
	if (!kma_number(cur, 10, &number) || number > UINT16_MAX)
		return false;
	*cpu = number;
	/* flags follow the CPU without a space */
	for (p = cur->p; p < cur->end && (unsigned char)*p > ' ' && *p != ':'; p++)
		;
	if (p == cur->p || p - cur->p > KMA_LATENCY_FLAGS_MAX)
		return false;
	said->irq = flags_irq(cur->p, p);
	cur->p = p;
	return latency_time(cur);
}

/*
 * Skip "    1234   3 0 00000001 00000002 [002dba6d] 24.446ms (+0.032ms): " of the trace options
 * latency-format and verbose.
 */
static bool verbose_prefix(struct kma_line_cursor *cur, uint16_t *cpu, struct kma_prefix_said *said)
{
	uint64_t numbers[5];
	const char *limit;

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (!kma_pass(cur, " "))
			return false;
		kma_skip(cur, ' ');
		if (!kma_number(cur, i < 2 ? 10 : 16, &numbers[i]))
			return false;
	}
	if (numbers[1] > UINT16_MAX || !kma_pass(cur, " [") || !kma_number(cur, 16, numbers) ||
	    !kma_pass(cur, "] "))
		return false;
	*cpu = numbers[1];
	said->irq = numbers[2] & (KMA_FLAG_HARDIRQ | KMA_FLAG_SOFTIRQ);
	limit = cur->p + KMA_FLAGS_MAX;
	while (cur->p < cur->end && cur->p < limit && *cur->p != ':')
		cur->p++;
	return kma_pass(cur, ": ");
}

typedef bool (*kma_prefix_reader)(struct kma_line_cursor *cur, uint16_t *cpu,
				  struct kma_prefix_said *said);

/* The forms of a prefix. A form is read only at the column where it has the end of the name. */
static const struct kma_prefix_form {
	ptrdiff_t width;
	kma_prefix_reader read;
} kma_prefix_forms[] = {
	{ KMA_TASK_WIDTH, prefix },
	{ KMA_LATENCY_TASK_WIDTH, latency_prefix },
	{ KMA_TASK_WIDTH, verbose_prefix },
};

/* Try a form at each @mark that does not follow another one. */
static bool prefix_search(struct kma_line_cursor *cur, char mark, kma_prefix_reader read,
			  uint16_t *cpu, struct kma_prefix_said *said)
{
	struct kma_line_cursor try = *cur;

	for (const char *p = cur->p; p < cur->end; p++) {
		p = memchr(p, mark, cur->end - p);
		if (!p)
			break;
		if (mark == ' ' && p > cur->p && p[-1] == ' ')
			continue;
		said->end = try.p = p;
		if (read(&try, cpu, said)) {
			*cur = try;
			return true;
		}
	}
	return false;
}

static bool prefix_of(struct kma_line_cursor *cur, uint16_t *cpu, struct kma_prefix_said *said)
{
	struct kma_line_cursor try = *cur;

	said->name = cur->p;
	for (size_t i = 0; i < ARRAY_SIZE(kma_prefix_forms); i++) {
		if (cur->end - cur->p <= kma_prefix_forms[i].width)
			continue;
		said->end = try.p = cur->p + kma_prefix_forms[i].width;
		if (kma_prefix_forms[i].read(&try, cpu, said)) {
			*cur = try;
			return true;
		}
	}
	return prefix_search(cur, '-', prefix, cpu, said) ||
	       prefix_search(cur, '-', latency_prefix, cpu, said) ||
	       /* perf script: a name that is not padded has no blank in front */
	       (!kma_at(cur, ' ') && prefix_search(cur, ' ', prefix, cpu, said));
}

bool kma_ftrace_prefix(struct kma_line_cursor *cur, uint16_t *cpu)
{
	struct kma_prefix_said said;

	return prefix_of(cur, cpu, &said);
}

void kma_ftrace_task(const char *line, size_t len, char ret[KMA_FTRACE_TASK])
{
	struct kma_line_cursor cur = { line, line + len };
	struct kma_prefix_said said;
	const char *row = NULL;
	uint16_t cpu;

	if (!prefix_of(&cur, &cpu, &said)) {
		snprintf(ret, KMA_FTRACE_TASK, "%s", KMA_FTRACE_NO_TASK);
		return;
	}
	while (said.name < said.end && *said.name == ' ')
		said.name++;
	while (said.name < said.end && said.end[-1] == ' ')
		said.end--;
	if (said.irq)
		row = KMA_FTRACE_IRQ;
	else if (said.end - said.name == 5 && !memcmp(said.name, "<...>", 5))
		row = KMA_FTRACE_NO_TASK;
	snprintf(ret, KMA_FTRACE_TASK, "%.*s", row ? (int)strlen(row) : (int)(said.end - said.name),
		 row ?: said.name);
}
