/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace-line.h - one line of ftrace text, as the kernel (files trace and trace_pipe),
 * trace-cmd report and perf script print it:
 *
 *	            task-1234    [003] d..1.   12.345678: kmalloc: call_site=... ptr=...
 *	            task  1234 [003]    12.345678:      kmem:kmalloc: call_site=... ptr=...
 *
 * Kernels before 5.x print a call site as an address, before which trace-cmd and perf print its
 * symbol in parentheses; the symbol is then the call site.
 *
 * (perf script does not pad the task of an event with a call graph. trace-cmd report --ts-diff adds
 * the time since the previous event, "(+10)", before the event's name, and if it has several inputs
 * or buffers, each line begins with the name of its input, "guest1: ".)
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
	KMA_FTRACE_BAD,	    /* the line has no known form */
	KMA_FTRACE_NOTHING, /* a comment, a note of trace-cmd or an empty line */
	KMA_FTRACE_EVENT,   /* an allocation or a free */
	KMA_FTRACE_OTHER,   /* another event */
	KMA_FTRACE_NO_PTR,  /* an allocation or a free whose address the kernel hid */
	KMA_FTRACE_STACK,   /* head of the stack of the previous event on this CPU */
	KMA_FTRACE_FRAME,   /* one frame of such a stack, or of one of perf script */
	KMA_FTRACE_LOST,    /* a note that events were lost */
};

/* The fields ("keys") that a line has. Their set also shows the kernel's version. */
enum {
	KMA_FTRACE_HAS_SITE = 1 << 0,
	KMA_FTRACE_HAS_PTR = 1 << 1,
	KMA_FTRACE_HAS_REQ = 1 << 2,
	KMA_FTRACE_HAS_ALLOC = 1 << 3,
	KMA_FTRACE_HAS_SIZE = 1 << 4,
	KMA_FTRACE_HAS_PFN = 1 << 5,
	KMA_FTRACE_HAS_ORDER = 1 << 6,
	KMA_FTRACE_HAS_CACHE = 1 << 7,
};

struct kma_ftrace_line {
	enum kma_ftrace_what what;
	/* of EVENT, OTHER, NO_PTR, STACK and LOST */
	bool placed; /* cpu is known; kma_ftrace_quick() leaves it unset but always sets cpu */
	uint16_t cpu;
	bool no_cpu; /* the form has no CPU (nocontext-info); cpu is 0 */
	/* of EVENT and NO_PTR */
	enum kma_kind kind;
	bool is_free;
	unsigned int has;    /* the fields of the line, KMA_FTRACE_HAS_... */
	uint64_t ptr;	     /* address as printed; of pages: the page frame number */
	uint64_t req, alloc; /* bytes */
	bool hashed;	     /* ptr has 16 digits, of which the first 8 are 0 */
	bool address;	     /* site is a hexadecimal number; a leading 0x is left out */
	/*
	 * call site, or function of a FRAME or of the first frame of a STACK; points into the line
	 */
	const char *site;
	size_t site_len;
	const char *cache; /* of an allocation from a slab cache: its name, which is in the line */
	size_t cache_len;  /* 0: unknown; printed from 6.18 on */
	/* of a FRAME: of perf script, which prints no head before the frames of an event */
	bool perf;
	const char *module; /* module of such a frame; points into the line */
	size_t module_len;  /* 0: no module */
	/* of LOST: number of events; 0 if the line does not report it */
	uint64_t lost;
};

/*
 * Reads a line of any form, without the newline. @whole: a newline follows; without it a number at
 * the end may be incomplete. Every member of @ret is set.
 */
void kma_ftrace_parse(const char *line, size_t len, bool whole, struct kma_ftrace_line *ret);

/*
 * For a line that kma_ftrace_parse() does not read as an event: does it have the shape of an
 * allocation or a free, that is the field call_site=, or the name of an event of pages or per-CPU
 * memory with a field? Such lines are missing in the account.
 */
bool kma_ftrace_shape(const char *line, size_t len);

#define KMA_FTRACE_SOURCE 64 /* bytes of the name of an input, including the NUL */

/*
 * The name of the input or buffer that trace-cmd report prints first in a line with an event. @ret
 * points into the line. Returns the bytes of the name; 0 if there is none.
 */
size_t kma_ftrace_source(const char *line, size_t len, const char **ret);

/* Number of bytes from the start of a line that kma_ftrace_quick() may read. */
#define KMA_FTRACE_ROOM 2048

/*
 * Is a text an ftrace log? At least one line is then an event, a head of a stack or a note of lost
 * events, or the text begins with "# tracer: ".
 */
bool kma_ftrace_is_log(const char *text, size_t len);

/* Is one of the lines that end with a newline an allocation or a free? */
bool kma_ftrace_has_events(const char *text, size_t len);

#endif /* KMA_TRACE_FTRACE_LINE_H */
