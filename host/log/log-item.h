/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-item.h - the header and the events of an event log, in the byte order of this machine.
 */
#ifndef KMA_LOG_LOG_ITEM_H
#define KMA_LOG_LOG_ITEM_H

#include <stdbool.h>
#include <stdint.h>

#include "../../module/uapi/kmem_account.h"
#include "model/event.h"

#define KMA_LOG_BUILD_ID_MAX 41 /* bytes: 40 hexadecimal digits and a terminator */
#define KMA_LOG_NO_NODE	     UINT16_MAX

/* The header. */
struct kma_log_head {
	unsigned int version;
	bool big_endian;				  /* byte order of the recorded machine */
	unsigned int word_bits, page_shift, clock, kinds; /* as in struct kma_log_header */
	uint32_t nr_cpus, nr_nodes, header_len;
	bool bounds;		     /* each stream has a START and an END */
	bool contexts;		     /* allocations state whether they were in an interrupt */
	bool totals;		     /* the recorder writes totals at the end */
	uint64_t start;		     /* time at which the log began, in ns of the events' clock */
	uint64_t rate;		     /* units of the log's clock in a second */
	uint64_t wall, stext, etext; /* ns since 1970 at @start; addresses of the kernel's text */
	char build_id[KMA_LOG_BUILD_ID_MAX]; /* of the kernel in hex, "" if unknown */
	char release[65], machine[33];
};

enum kma_log_item_type {
	KMA_LOG_ITEM_ALLOC,
	KMA_LOG_ITEM_FREE,
	KMA_LOG_ITEM_LOST,   /* the CPU has lost events; their number is in @alloc */
	KMA_LOG_ITEM_MODULE, /* a module was loaded or unloaded: names of sites may change */
};

struct kma_log_item {
	uint64_t time;		/* ns, see log-ticks.h; not before the previous item of the CPU */
	uint64_t seq;		/* number of the record on its CPU */
	uint64_t pos;		/* position of the record in the file, in bytes */
	uint64_t ptr;		/* object, in the form of kma_event.ptr */
	uint64_t site;		/* address of the call site, 0 if unknown */
	uint64_t req, alloc;	/* bytes requested, and reserved by the allocator */
	uint32_t tid, gfp, cpu; /* thread ID; GFP flags of the recorded kernel; number of the CPU */
	uint16_t node;		/* requested NUMA node; KMA_LOG_NO_NODE: any, or unknown */
	uint8_t type;		/* enum kma_log_item_type */
	uint8_t kind;		/* enum kma_kind */
	uint8_t part;		/* enum kma_log_kind, which has more values than @kind */
	bool quiet, failed;	/* see struct kma_event; an allocation that failed */
	bool irq;		/* an allocation in an interrupt or a softirq */
};

#endif /* KMA_LOG_LOG_ITEM_H */
