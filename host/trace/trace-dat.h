/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-dat.h - the start of a trace.dat, and the protocol of the two processes that read it. The
 * child uses libtracecmd, which crashes on corrupt files. The parent counts the events, and checks
 * each number of the child before it uses it.
 *
 * The child numbers its call sites in the order of their first use, from 0 up, and sends the text
 * of each in the slot of its first use.
 */
#ifndef KMA_TRACE_TRACE_DAT_H
#define KMA_TRACE_TRACE_DAT_H

#include "lib/shmring.h"
#include "model/event.h"

/* "\x17\x08\x44tracing"; followed by the version as text and a NUL. */
#define KMA_DAT_MAGIC "\027\010\104tracing"

#define KMA_DAT_SLOTS	  32
#define KMA_DAT_EVENTS	  1024
#define KMA_DAT_TEXT	  16384
#define KMA_DAT_MAX_SITES (1U << 20) /* further ones are kma_dat_rest */
#define KMA_DAT_SITE_MAX  640	     /* bytes of a call site's text */

/* The site of what is beyond KMA_DAT_MAX_SITES. */
#define KMA_DAT_REST UINT32_MAX

enum kma_dat_what {
	KMA_DAT_BOOK = 1, /* events, and texts of new sites */
	KMA_DAT_END,	  /* all was read */
	KMA_DAT_FAIL,	  /* text says why not */
};

/* Is a free by the function of another allocator a fault? The formats tell. */
enum kma_dat_wrong { KMA_DAT_WRONG_FAULT, KMA_DAT_WRONG_PERHAPS, KMA_DAT_WRONG_LEGAL };

/* What the file could not tell, and what was passed over. */
struct kma_dat_sums {
	uint64_t lost;	       /* events that the kernel says it dropped */
	uint64_t lost_unsaid;  /* times that it does not say how many */
	uint64_t other;	       /* events of other kinds */
	uint64_t doubled;      /* events that another buffer of the file has, too */
	uint64_t short_events; /* too short for their fields */
	uint64_t kinds;	       /* 1 << enum kma_kind of all events */
	uint64_t wrong;	       /* enum kma_dat_wrong */
	uint64_t no_symbols;   /* the file has no table of symbols */
};

struct kma_dat_slot {
	uint64_t seq;	/* number of the slot, from 0 */
	uint32_t what;	/* enum kma_dat_what */
	uint32_t nr;	/* events */
	uint32_t sites; /* new sites in text: their kind as a byte, text, a NUL each */
	uint32_t len;	/* bytes of text */
	uint64_t done;	/* bytes of records so far */
	struct kma_dat_sums sums;
	struct kma_event events[KMA_DAT_EVENTS];
	char text[KMA_DAT_TEXT];
};

#endif /* KMA_TRACE_TRACE_DAT_H */
