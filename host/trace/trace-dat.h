/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-dat.h - how the two processes that read a trace.dat work together.
 *
 * libtracecmd crashes on corrupt files, so a child process uses it (trace-dat-child.c). The child
 * converts records to events and writes them into a ring of slots in shared memory (shmring.h). The
 * parent (reader/trace-dat.c) books the events.
 *
 * The parent trusts nothing in a slot. Slots have consecutive numbers; a gap means that the child
 * is faulty. The parent copies events out of the slot before it checks them, because the child
 * could still change them. Each count, site number and kind is checked before its use.
 *
 * A call site is a number: the child counts them from 0 up. It sends the text of a number in the
 * slot of the first event that uses it, or in an earlier slot. The parent maps the numbers to those
 * of its own table (intern.h).
 *
 * A slot takes 48 KiB, the ring 1.5 MiB. Sites beyond KMA_DAT_MAX_SITES share the row KMA_DAT_REST.
 */
#ifndef KMA_TRACE_TRACE_DAT_H
#define KMA_TRACE_TRACE_DAT_H

#include "lib/shmring.h"
#include "model/event.h"

/* First bytes of a trace.dat; the version follows as text with a NUL. */
#define KMA_DAT_MAGIC "\027\010\104tracing"

#define KMA_DAT_SLOTS	  32
#define KMA_DAT_EVENTS	  1024
#define KMA_DAT_TEXT	  16384
#define KMA_DAT_MAX_SITES (1U << 20) /* sites with a row of their own; others: KMA_DAT_REST */
#define KMA_DAT_SITE_MAX  640	     /* bytes of a call site's text */

/* Number of the row for all sites beyond KMA_DAT_MAX_SITES. */
#define KMA_DAT_REST UINT32_MAX

enum kma_dat_what {
	KMA_DAT_BOOK = 1, /* the slot has events and the texts of new sites */
	KMA_DAT_END,	  /* the same; it is the last slot, and the whole file was read */
	KMA_DAT_FAIL,	  /* the file cannot be read; text has the reason */
};

/* Is a free by the function of another allocator a fault? The fields of the events tell. */
enum kma_dat_wrong { KMA_DAT_WRONG_FAULT, KMA_DAT_WRONG_PERHAPS, KMA_DAT_WRONG_LEGAL };

/* Sums since the start of the file: what is missing in it, and what was skipped. */
struct kma_dat_sums {
	uint64_t lost;	       /* events that the kernel dropped, where it reports how many */
	uint64_t lost_unsaid;  /* times that the kernel dropped an unknown number of events */
	uint64_t other;	       /* events that are neither an allocation nor a free */
	uint64_t doubled;      /* events that another buffer of the file has, too */
	uint64_t short_events; /* records too short for their fields, or with an invalid order */
	uint64_t kinds;	       /* kinds of all events, bits 1 << enum kma_kind */
	uint64_t wrong;	       /* enum kma_dat_wrong */
	uint64_t no_symbols;   /* 1 if the file has no table of symbols, else 0 */
};

struct kma_dat_slot {
	uint64_t seq;	/* number of the slot, from 0 */
	uint32_t what;	/* enum kma_dat_what */
	uint32_t nr;	/* number of events */
	uint32_t sites; /* number of new sites in text; each: its kind in one byte, text, a NUL */
	uint32_t len;	/* used bytes of text */
	uint64_t done;	/* bytes of records read so far, for the progress */
	struct kma_dat_sums sums;
	struct kma_event events[KMA_DAT_EVENTS];
	char text[KMA_DAT_TEXT];
};

#endif /* KMA_TRACE_TRACE_DAT_H */
