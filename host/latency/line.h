/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * line.h - one line of function_graph text, as the files trace and trace_pipe have it:
 *
 *	  155.119537 |   0)    bash-1234  | ! 134.500 us  |  }
 *
 * Each column but the last may be missing, for each is an option of the tracer. So no
 * column is counted: a field is known by what is in it. The lines of trace-cmd report
 * and of other tracers (task-pid [cpu] flags time: event: ...) are read as well.
 */
#ifndef KMA_LATENCY_LINE_H
#define KMA_LATENCY_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum kma_lat_what {
	KMA_LAT_BAD,	 /* not recognised */
	KMA_LAT_NOTHING, /* a comment, a rule, an interrupt's arrow, an empty line */
	KMA_LAT_EVENT,	 /* a tracepoint */
	KMA_LAT_ENTRY,	 /* f() { */
	KMA_LAT_EXIT,	 /* } or } with its name */
	KMA_LAT_LEAF,	 /* f(); */
	KMA_LAT_SWITCH,	 /* another task is on the CPU */
	KMA_LAT_LOST,	 /* events of the CPU are lost */
	KMA_LAT_STACK,	 /* <stack trace>, of the event before it */
	KMA_LAT_FRAME,	 /* => function+0x12/0x34, one of its lines, the innermost first */
};

/* More CPUs no kernel has. */
#define KMA_LAT_MAX_CPUS 8192

struct kma_lat_text {
	const char *str; /* in the line; not terminated */
	size_t len;
};

/* A text of a name that is known when the program is compiled. */
#define KMA_LAT_NAME(name)             \
	{                              \
		name, sizeof(name) - 1 \
	}

struct kma_lat_line {
	enum kma_lat_what what;
	bool has_time, has_cpu, has_pid, has_duration;
	uint64_t time, duration; /* ns */
	uint64_t lost;		 /* events; 0: how many is not said */
	unsigned int cpu, pid;	 /* the task that gets the CPU, in a sched_switch */
	struct kma_lat_text comm;
	struct kma_lat_text name; /* name of the event, function or frame; empty: only a } */
	struct kma_lat_text args; /* the text after the name of an event */
};

/**
 * kma_lat_parse() - read a line
 * @line: its bytes, without the newline
 * @len: how many
 * @ret: its content
 */
void kma_lat_parse(const char *line, size_t len, struct kma_lat_line *ret);

/**
 * kma_lat_is() - is a text this one?
 * @text: in a line
 * @str: terminated
 *
 * Return: true if they are equal.
 */
bool kma_lat_is(const struct kma_lat_text *text, const char *str);

/**
 * kma_lat_same() - are two texts equal?
 * @a: one
 * @b: another
 *
 * Return: true if they are.
 */
static inline bool kma_lat_same(const struct kma_lat_text *a, const struct kma_lat_text *b)
{
	return a->len == b->len && (!a->len || !memcmp(a->str, b->str, a->len));
}

/**
 * kma_lat_value() - find KEY=value, or "KEY value", among the arguments of an event
 * @args: as in the line
 * @key: with its "=" or blank, and the text before the value
 * @ret: the value, up to the next blank; empty if there is none
 *
 * Return: false if there is none.
 */
bool kma_lat_value(const struct kma_lat_text *args, const char *key, struct kma_lat_text *ret);

#endif /* KMA_LATENCY_LINE_H */
