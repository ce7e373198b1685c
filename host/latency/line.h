/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * line.h - one line of function_graph text, as the files trace and trace_pipe have it:
 *
 *	  155.119537 |   0)    bash-1234  | ! 134.500 us  |  }
 *
 * Each column except the last one is an option of the tracer and may be missing. Columns are
 * therefore recognised by their content, not by their number. Lines of trace-cmd report and of
 * other tracers ("task-pid [cpu] flags time: event: ...") are read as well.
 */
#ifndef KMA_LATENCY_LINE_H
#define KMA_LATENCY_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum kma_lat_what {
	KMA_LAT_BAD,	 /* not recognised */
	KMA_LAT_NOTHING, /* a comment, a rule, an interrupt's arrow or an empty line */
	KMA_LAT_EVENT,	 /* a tracepoint */
	KMA_LAT_ENTRY,	 /* "f() {": a function begins */
	KMA_LAT_EXIT,	 /* "}", perhaps with the name: a function ends */
	KMA_LAT_LEAF,	 /* "f();": a whole call */
	KMA_LAT_SWITCH,	 /* another task is on the CPU */
	KMA_LAT_LOST,	 /* events of the CPU were lost */
	KMA_LAT_STACK,	 /* head of the stack of the previous event */
	KMA_LAT_FRAME,	 /* "=> function+0x12/0x34", a frame of it, the innermost one first */
};

/* Limit of CPU numbers; no kernel has more. */
#define KMA_LAT_MAX_CPUS 8192

struct kma_lat_text {
	const char *str; /* in the line; not terminated */
	size_t len;
};

/* Initialiser of a struct kma_lat_text from a string literal. */
#define KMA_LAT_NAME(name)             \
	{                              \
		name, sizeof(name) - 1 \
	}

struct kma_lat_line {
	enum kma_lat_what what;
	bool has_time, has_cpu, has_pid, has_duration;
	uint64_t time, duration; /* ns */
	uint64_t lost;		 /* number of lost events; 0: unknown */
	unsigned int cpu, pid;	 /* @pid of a SWITCH: the task that gets the CPU */
	struct kma_lat_text comm;
	struct kma_lat_text name; /* name of the event, function or frame; empty: only a } */
	struct kma_lat_text args; /* the text after the name of an event */
};

/* Read a line of any form, without its newline. Every member of @ret is set. */
void kma_lat_parse(const char *line, size_t len, struct kma_lat_line *ret);

static inline bool kma_lat_same(const struct kma_lat_text *a, const struct kma_lat_text *b)
{
	return a->len == b->len && (!a->len || !memcmp(a->str, b->str, a->len));
}

static inline bool kma_lat_is(const struct kma_lat_text *text, const char *str)
{
	return kma_lat_same(text, &(struct kma_lat_text){ str, strlen(str) });
}

/*
 * Find "KEY=value" or "KEY value" among the arguments of an event. @key includes its "=" or blank;
 * @ret is the value up to the next blank, empty if there is none.
 */
bool kma_lat_value(const struct kma_lat_text *args, const char *key, struct kma_lat_text *ret);

#endif /* KMA_LATENCY_LINE_H */
