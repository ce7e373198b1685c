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
 * A line is read by what is in it, not by columns: kernels differ in the flags, in
 * the process' column and in the order of fields. A task may be called what it
 * likes, "a-1 [0] 1.1: x:" too; but it is right-aligned in 16 columns, so that a
 * dash behind these is the one before the process. Only lines without it are
 * searched from the left.
 *
 * kma_ftrace_parse() knows all lines. kma_ftrace_quick() knows only how the lines
 * with call sites usually look, gives the same for them and takes a tenth of the
 * time; what it does not know at a glance it leaves to the other.
 */
#ifndef KMA_TRACE_FTRACE_LINE_H
#define KMA_TRACE_FTRACE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/account.h"

enum kma_ftrace_what {
	KMA_FTRACE_BAD,	    /* not understood */
	KMA_FTRACE_NOTHING, /* a comment, a note, an empty line */
	KMA_FTRACE_EVENT,   /* an allocation or a free */
	KMA_FTRACE_OTHER,   /* another event */
	KMA_FTRACE_NO_PTR,  /* one of ours, but with an address that the kernel hid */
	KMA_FTRACE_STACK,   /* a stack begins, of the event before on its CPU */
	KMA_FTRACE_FRAME,   /* of that stack */
	KMA_FTRACE_LOST,    /* so many events are lost */
};

/* Which keys a line had; more than a version of the kernel can be told by. */
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
 * @whole: was there a newline? Without it a number at the end may be cut
 * @ret: what it says
 */
void kma_ftrace_parse(const char *line, size_t len, bool whole, struct kma_ftrace_line *ret);

/* So many bytes behind the beginning of its line kma_ftrace_quick() may look at. */
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
