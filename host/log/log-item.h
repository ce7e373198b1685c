/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log-item.h - a log's head and its events, as this machine has them.
 */
#ifndef KMA_LOG_LOG_ITEM_H
#define KMA_LOG_LOG_ITEM_H

#include <stdbool.h>
#include <stdint.h>

#include "../../module/uapi/kmem_account.h"
#include "model/event.h"

#define KMA_LOG_BUILD_ID_MAX 41
#define KMA_LOG_NO_NODE	     UINT16_MAX

/* The header, in this machine's byte order. */
struct kma_log_head {
	unsigned int version;
	bool big_endian;
	unsigned int word_bits, page_shift, clock, kinds;
	uint32_t nr_cpus, nr_nodes, header_len;
	bool bounds;	/* each stream has a START and an END */
	bool contexts;	/* allocations say whether they are of an interrupt */
	bool totals;	/* the recorder writes totals at the end */
	uint64_t start; /* time at which the log was switched on, as those of its events */
	uint64_t rate;	/* units of its clock in a second */
	uint64_t wall, stext, etext;
	char build_id[KMA_LOG_BUILD_ID_MAX]; /* hex, "" when not known */
	char release[65], machine[33];
};

enum kma_log_item_type {
	KMA_LOG_ITEM_ALLOC,
	KMA_LOG_ITEM_FREE,
	KMA_LOG_ITEM_LOST,   /* events of this CPU are not there: number is in @alloc */
	KMA_LOG_ITEM_MODULE, /* a module was loaded or unloaded: sites may change */
};

struct kma_log_item {
	uint64_t time; /* ns, see log-ticks.h; never before that of the CPU's last one */
	uint64_t seq;  /* number on its CPU */
	uint64_t pos;  /* in the file */
	uint64_t ptr;  /* in the form of struct kma_event */
	uint64_t site; /* address of the call site, 0 if unknown */
	uint64_t req, alloc;
	uint32_t tid, gfp, cpu;
	uint16_t node; /* requested node, or node of the object; or KMA_LOG_NO_NODE */
	uint8_t type;  /* enum kma_log_item_type */
	uint8_t kind;  /* enum kma_kind */
	uint8_t part;  /* enum kma_log_kind: more exactly */
	bool quiet, failed;
	bool irq; /* of an allocation: in an interrupt or a softirq */
};

#endif /* KMA_LOG_LOG_ITEM_H */
