/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * kmem_account.h - the event log: what the module writes and any host reads.
 *
 * A log file is a struct kma_log_header, then records up to its @header_len (one
 * KMA_LOG_MODULE for each module that is loaded), then chunks: struct kma_log_chunk
 * and @len bytes of the stream of one CPU, as read from debugfs trace/cpuN, in any
 * grouping (a record may lie across two chunks of its CPU). debugfs trace/header
 * has all that comes before the chunks.
 *
 * A stream is records. Each begins with struct kma_log_record: its type and its
 * length in units of 8 bytes, so that a reader skips types that it does not know,
 * and fields that were appended to those that it knows. All is in the byte order of
 * the machine, aligned to 8.
 *
 * A stream begins with a KMA_LOG_BLOCK, as does each sub-buffer: where bytes are
 * damaged the reader goes on at the next one. Each record but BLOCK has the next
 * number. Events that were lost have numbers, too; the first record after them is a
 * KMA_LOG_LOST. A stream begins with a KMA_LOG_START, in its first block, and ends with a
 * KMA_LOG_END.
 *
 * Documentation/format/log.rst describes each field, and how versions are kept.
 */
#ifndef _UAPI_KMEM_ACCOUNT_H
#define _UAPI_KMEM_ACCOUNT_H

#include <linux/types.h>

#define KMA_LOG_MAGIC		"KMALOG\r\n"
#define KMA_LOG_ORDER		0x01020304
#define KMA_LOG_VERSION		2	/* times are in units of @rate */
#define KMA_LOG_VERSION_NS	1	/* times are ns, whether there is a @rate or not */
#define KMA_LOG_CHUNK_MAGIC	0x48434d4b	/* "KMCH" */
#define KMA_LOG_SYMBOLS_MAGIC	0x59534d4b	/* "KMSY": text of /proc/kallsyms */
#define KMA_LOG_BLOCK_MAGIC	0x4b4d4142	/* "BAMK" */

enum kma_log_clock {
	KMA_LOG_CLOCK_LOCAL,	/* local_clock(), ns */
	KMA_LOG_CLOCK_MONO,	/* ktime_get_mono_fast_ns() */
	KMA_LOG_CLOCK_COUNTER,	/* of the machine: x86's TSC, arm64's CNTVCT_EL0 */
};

struct kma_log_header {
	__u8	magic[8];	/* KMA_LOG_MAGIC without its end */
	__u32	order;		/* KMA_LOG_ORDER in the machine's byte order */
	__u16	version;	/* KMA_LOG_VERSION*; another one may not be readable */
	__u16	fixed_len;	/* bytes of this struct */
	__u32	header_len;	/* bytes up to the first chunk, a multiple of 8 */
	__u8	word_bits;	/* 32, 64 */
	__u8	page_shift;
	__u8	clock;		/* enum kma_log_clock */
	__u8	kinds;		/* bit per allocator: 1 slab, 2 pages, 4 per-CPU */
	__u32	nr_cpus;	/* CPUs that are possible: all numbers are below */
	__u32	nr_nodes;	/* the same of nodes */
	__u64	start;		/* the clock, when the log was switched on */
	__u64	wall;		/* real time then, ns since 1970 */
	__u64	stext;		/* address of _stext; 0 if not known */
	__u64	etext;		/* no code of vmlinux is at or above it; or 0 */
	__u8	build_id[20];	/* of vmlinux */
	__u8	build_id_len;	/* 0 if not known */
	__u8	bounds;		/* 1: each stream has a START and an END */
	__u8	totals;		/* 1, by the recorder: text of totals ends the file */
	__u8	pad;
	char	release[64];	/* as uname -r */
	char	machine[32];	/* as uname -m */
	/* not in the first logs of version 1: their fixed_len says so */
	__u64	rate;		/* units of the clock in a second */
	__u64	mono;		/* CLOCK_MONOTONIC at @start, ns */
};

struct kma_log_chunk {
	__u32	magic;		/* KMA_LOG_CHUNK_MAGIC */
	__u32	cpu;
	__u64	len;
};

enum kma_log_type {
	KMA_LOG_BLOCK = 1,
	KMA_LOG_ALLOC,
	KMA_LOG_FREE,
	KMA_LOG_LOST,
	KMA_LOG_TIME,
	KMA_LOG_MODULE,
	KMA_LOG_ALLOC_WIDE,
	KMA_LOG_FREE_WIDE,
	KMA_LOG_START,
	KMA_LOG_END,
};

struct kma_log_record {
	__u8	type;		/* enum kma_log_type */
	__u8	words;		/* length / 8, with this */
	__u16	flags;
	__u32	delta;		/* since the time of the BLOCK or TIME before */
};

/* Its delta is KMA_LOG_BLOCK_MAGIC. */
struct kma_log_block {
	struct kma_log_record r;
	__u64	time;		/* that deltas count from */
	__u64	seq;		/* number of the record behind it */
	__u64	lost;		/* events of this CPU that were lost so far */
	__u32	cpu;
	__u32	pad;
};

/* Flags of ALLOC and FREE, the wide ones as well. */
#define KMA_LOG_KIND		0x000f	/* enum kma_log_kind */
#define KMA_LOG_QUIET		0x0010	/* see below */
#define KMA_LOG_FAILED		0x0020	/* an allocation that got nothing; ptr is 0 */
#define KMA_LOG_NODE_SHIFT	6	/* of an allocation: node that was asked for + 1 */

/*
 * What was allocated; of a free, by what it was freed.
 *
 * The address of pages is the physical one, which is never that of an object.
 *
 * QUIET: a free is not one if the object is unknown: kfree_rcu() told of it before
 * (KMA_LOG_DEFERRED). An allocation is none if the page is known: it was told of
 * before, as a single page.
 */
enum kma_log_kind {
	KMA_LOG_DEFERRED,	/* a free: kfree_rcu() was asked to; by a hook: any */
	KMA_LOG_KMALLOC,
	KMA_LOG_CACHE,
	KMA_LOG_PAGE,
	KMA_LOG_PERCPU,		/* all copies */
	/*
	 * A kmalloc() that may be told of twice: if ptr and req are as those of the
	 * CPU's last LARGE one, this is the same, and this site is its owner.
	 */
	KMA_LOG_LARGE,
	KMA_LOG_SLAB_PAGE,	/* pages that the slab allocator has taken */
	KMA_LOG_PERCPU_PAGE,	/* the same of the per-CPU allocator */
};

struct kma_log_alloc {
	struct kma_log_record r;
	__u64	ptr;
	__s32	site;		/* call site - stext; 0: not told */
	__u32	tid;		/* of the task that ran, in an interrupt as well */
	__u32	req;		/* bytes asked for */
	__u32	alloc;		/* bytes given */
	__u32	gfp;		/* as the kernel's headers have it; 0 if not told */
	__u32	cache;		/* 0 */
};

struct kma_log_free {
	struct kma_log_record r;
	__u64	ptr;
	__s32	site;		/* as of an allocation */
	__u32	tid;
};

/* A site, or sizes, that do not fit. */
struct kma_log_alloc_wide {
	struct kma_log_record r;
	__u64	ptr;
	__u64	site;		/* the address itself; 0: not told */
	__u64	req;
	__u64	alloc;
	__u32	tid;
	__u32	gfp;
};

/* The same, and frees of pages. */
struct kma_log_free_wide {
	struct kma_log_record r;
	__u64	ptr;
	__u64	site;
	__u64	bytes;		/* of pages; else 0 */
	__u32	tid;
	__u32	pad;
};

struct kma_log_lost {
	struct kma_log_record r;
	__u64	events;		/* since the record before; the buffer was full */
};

/*
 * A START and an END are the boundaries of a log. START is the first record of its
 * stream, but for a LOST; END is the last one. Each event of the log happened between
 * the two moments, and each event between them is in the log, or is counted as lost,
 * refused or missed. Both records have the same @time, @mono and @wall in all streams.
 */
struct kma_log_bound {
	struct kma_log_record r;
	__u64	time;		/* the clock: START: the log begins, END: it has ended */
	__u64	mono;		/* CLOCK_MONOTONIC at @time, ns */
	__u64	wall;		/* real time at @time, ns since 1970 */
	__u64	records;	/* of this CPU, before this one, without BLOCKs */
	__u64	lost;		/* events of this CPU that were lost so far */
	__u64	nmi;		/* events of this CPU that were refused: an NMI's */
	__u64	missed;		/* of all CPUs: calls that no kprobe saw; START: 0 */
	__u32	streams;	/* how many streams have an END; START: 0 */
	__u8	clock;		/* enum kma_log_clock */
	__u8	pad[3];
};

struct kma_log_time {
	struct kma_log_record r;
	__u64	time;		/* deltas count from here */
};

/* Flags of MODULE */
#define KMA_LOG_GONE		0x0001	/* it goes; else it comes, or was there */
#define KMA_LOG_INIT		0x0002	/* the text that goes when its init has run */

struct kma_log_module {
	struct kma_log_record r;
	__u64	base;		/* of its text; as in /proc/modules */
	__u64	size;		/* of its text */
	__u8	build_id[20];
	__u8	build_id_len;	/* 0 if not known */
	__u8	name_len;
	__u8	pad[2];
	char	name[];		/* padded with 0 to a multiple of 8, at least one */
};

#endif /* _UAPI_KMEM_ACCOUNT_H */
