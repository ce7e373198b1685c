/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace-line.h - one line of ftrace text, as the kernel (files trace and trace_pipe),
 * trace-cmd report and perf script print it:
 *
 *	            task-1234    [003] d..1.   12.345678: kmalloc: call_site=... ptr=...
 *	            task  1234 [003]    12.345678:      kmem:kmalloc: call_site=... ptr=...
 *
 * and, with the trace options latency-format, latency-format and verbose, nocontext-info:
 *
 *	    task-1234      3d..1.   12us+: kmalloc: call_site=... ptr=...
 *	            task    1234   3 1 00000001 0000002a [002dba6d] 24.446ms (+0.032ms): kmalloc: ...
 *	kmalloc: call_site=... ptr=...
 *
 * A line is read by its content, not by columns: kernels differ in the flags, in the process'
 * column and in the order of fields. A task may have any name, even "a-1 [0] 1.1: x:". The name is
 * right-aligned in 16 columns, so a dash after these columns is the one before the process number.
 * Only lines without such a dash are searched from the left.
 *
 * kma_ftrace_parse() reads all forms of lines. kma_ftrace_quick() reads only the usual forms of
 * lines with call sites, with the same result, in a tenth of the time. It leaves all other lines to
 * kma_ftrace_parse().
 */
#ifndef KMA_TRACE_FTRACE_LINE_H
#define KMA_TRACE_FTRACE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/account.h"

enum kma_ftrace_what {
	KMA_FTRACE_BAD,	    /* not recognised */
	KMA_FTRACE_NOTHING, /* a comment, a note, an empty line */
	KMA_FTRACE_EVENT,   /* an allocation or a free */
	KMA_FTRACE_OTHER,   /* another event */
	KMA_FTRACE_NO_PTR,  /* one of ours, but with an address that the kernel hid */
	KMA_FTRACE_STACK,   /* a stack begins, of the event before on its CPU */
	KMA_FTRACE_FRAME,   /* of that stack */
	KMA_FTRACE_LOST,    /* so many events are lost */
};

/* The keys of a line, which also indicate the version of the kernel. */
enum {
	KMA_FTRACE_HAS_SITE = 1 << 0,
	KMA_FTRACE_HAS_PTR = 1 << 1,
	KMA_FTRACE_HAS_REQ = 1 << 2,
	KMA_FTRACE_HAS_ALLOC = 1 << 3,
	KMA_FTRACE_HAS_SIZE = 1 << 4,
	KMA_FTRACE_HAS_PFN = 1 << 5,
	KMA_FTRACE_HAS_ORDER = 1 << 6,
};

struct kma_ftrace_line {
	enum kma_ftrace_what what;
	/* of an event, of a stack, of lost ones */
	bool placed; /* cpu is known; kma_ftrace_quick() does not say it, but it always is */
	uint16_t cpu;
	bool no_cpu; /* the form has no CPU (nocontext-info); cpu is 0 */
	/* of an event */
	enum kma_kind kind;
	bool is_free;
	unsigned int has;    /* keys, of those above */
	uint64_t ptr;	     /* as it stands there, or pfn */
	uint64_t req, alloc; /* bytes */
	bool hashed;	     /* ptr has 16 digits, of which the first 8 are 0 */
	bool address;	     /* site is a number without a 0x before it */
	const char *site;    /* call site, or function of a frame; in the line */
	size_t site_len;
	/* of lost ones; 0: how many is not said */
	uint64_t lost;
};

/**
 * kma_ftrace_parse() - read any line
 * @line: its bytes, without the newline
 * @len: how many
 * @whole: true if a newline follows; without it a number at the end may be incomplete
 * @ret: what it says
 */
void kma_ftrace_parse(const char *line, size_t len, bool whole, struct kma_ftrace_line *ret);

/* Number of bytes after the start of a line that kma_ftrace_quick() may read. */
#define KMA_FTRACE_ROOM 2048

/**
 * kma_ftrace_is_log() - does a text look like a log of ftrace?
 * @text: beginning of it
 * @len: its bytes
 *
 * Return: true if a line in it is one that only ftrace prints.
 */
bool kma_ftrace_is_log(const char *text, size_t len);

/**
 * kma_ftrace_has_events() - are allocations or frees in a text?
 * @text: beginning of a log
 * @len: its bytes
 *
 * Return: true if a whole line in it is of one.
 */
bool kma_ftrace_has_events(const char *text, size_t len);

#endif /* KMA_TRACE_FTRACE_LINE_H */
