/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * kmem_account.h - the format of the event log, which the module writes and any host reads.
 *
 * A log file has three parts: a struct kma_log_header; records up to its @header_len (one
 * KMA_LOG_MODULE for each loaded module); and chunks. A chunk is a struct kma_log_chunk and
 * @len bytes of the stream of one CPU, as read from debugfs trace/cpuN. A record may extend
 * over several chunks of its CPU. debugfs trace/header has the two parts before the chunks.
 *
 * A stream is a sequence of records. Each starts with struct kma_log_record, which has the
 * type and the length in units of 8 bytes. So a reader can skip types that it does not know,
 * and fields that were appended to known types. All data is in the byte order of the
 * machine, aligned to 8.
 *
 * A stream starts with a KMA_LOG_BLOCK, and so does each sub-buffer: a reader that finds
 * corrupt bytes continues at the next one. Each record except BLOCK has the next number.
 * Lost events have numbers too; the first record after them is a KMA_LOG_LOST. The first
 * block of a stream has a KMA_LOG_START, and the stream ends with a KMA_LOG_END.
 *
 * Documentation/format/log.rst describes each field, and the rules for versions.
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
	KMA_LOG_CLOCK_COUNTER,	/* counter of the CPU: TSC of x86, CNTVCT_EL0 of arm64 */
};

struct kma_log_header {
	__u8	magic[8];	/* KMA_LOG_MAGIC without the final zero byte */
	__u32	order;		/* KMA_LOG_ORDER in the machine's byte order */
	__u16	version;	/* KMA_LOG_VERSION*; other versions may not be readable */
	__u16	fixed_len;	/* bytes of this struct */
	__u32	header_len;	/* bytes up to the first chunk, a multiple of 8 */
	__u8	word_bits;	/* 32, 64 */
	__u8	page_shift;
	__u8	clock;		/* enum kma_log_clock */
	__u8	kinds;		/* bit per allocator: 1 slab, 2 pages, 4 per-CPU */
	__u32	nr_cpus;	/* possible CPUs; every CPU number is below */
	__u32	nr_nodes;	/* possible nodes; every node number is below */
	__u64	start;		/* the clock, when the log was switched on */
	__u64	wall;		/* real time at @start, ns since 1970 */
	__u64	stext;		/* address of _stext; 0 if unknown */
	__u64	etext;		/* all code of vmlinux is below; 0 if unknown */
	__u8	build_id[20];	/* of vmlinux */
	__u8	build_id_len;	/* 0 if unknown */
	__u8	bounds;		/* 1: each stream has a START and an END */
	__u8	totals;		/* 1: the recorder has added a text of totals at the end */
	__u8	contexts;	/* 1: allocations have their @irq */
	char	release[64];	/* as uname -r */
	char	machine[32];	/* as uname -m */
	/* the first logs of version 1 lack these fields, and have a smaller fixed_len */
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
	__u8	words;		/* length / 8, including this struct */
	__u16	flags;
	__u32	delta;		/* time since that of the previous BLOCK or TIME */
};

/* The delta of a BLOCK is KMA_LOG_BLOCK_MAGIC. */
struct kma_log_block {
	struct kma_log_record r;
	__u64	time;		/* base time of the deltas */
	__u64	seq;		/* number of the record that follows */
	__u64	lost;		/* events that this CPU has lost so far */
	__u32	cpu;
	__u32	pad;
};

/* Flags of ALLOC, FREE, ALLOC_WIDE and FREE_WIDE. */
#define KMA_LOG_KIND		0x000f	/* enum kma_log_kind */
#define KMA_LOG_QUIET		0x0010	/* see below */
#define KMA_LOG_FAILED		0x0020	/* a failed allocation; ptr is 0 */
#define KMA_LOG_NODE_SHIFT	6	/* of an allocation: requested node + 1 */

/*
 * The kind of an allocation; for a free, the function that frees.
 *
 * The address of pages is the physical one, which never equals that of an object.
 *
 * QUIET: a free does not count if the object is unknown, because kfree_rcu() has reported it
 * before (KMA_LOG_DEFERRED). An allocation does not count if the page is known, because it
 * was reported before as a single page.
 */
enum kma_log_kind {
	KMA_LOG_DEFERRED,	/* a free by kfree_rcu(); from a hook, any free */
	KMA_LOG_KMALLOC,
	KMA_LOG_CACHE,
	KMA_LOG_PAGE,
	KMA_LOG_PERCPU,		/* all copies */
	/*
	 * A kmalloc() that may be reported twice. If ptr and req equal those of the
	 * previous LARGE record of the CPU, both are the same allocation, and this
	 * site is its owner.
	 */
	KMA_LOG_LARGE,
	KMA_LOG_SLAB_PAGE,	/* pages for the slab allocator */
	KMA_LOG_PERCPU_PAGE,	/* pages for the per-CPU allocator */
};

struct kma_log_alloc {
	struct kma_log_record r;
	__u64	ptr;
	__s32	site;		/* call site - stext; 0: unknown */
	__u32	tid;		/* ID of the current task, also in an interrupt */
	__u32	req;		/* bytes requested */
	__u32	alloc;		/* bytes allocated */
	__u32	gfp;		/* GFP flags of this kernel; 0 if unknown */
	__u32	irq;		/* 0 in a task; not 0 in an interrupt or a softirq */
};

struct kma_log_free {
	struct kma_log_record r;
	__u64	ptr;
	__s32	site;		/* as in kma_log_alloc */
	__u32	tid;
};

/* An allocation whose site or sizes do not fit in 32 bits. */
struct kma_log_alloc_wide {
	struct kma_log_record r;
	__u64	ptr;
	__u64	site;		/* address of the call site; 0: unknown */
	__u64	req;
	__u64	alloc;
	__u32	tid;
	__u32	gfp;
	__u32	irq;		/* the first logs lack this field and the next */
	__u32	pad;
};

/* A free whose site does not fit in 32 bits, or a free of pages. */
struct kma_log_free_wide {
	struct kma_log_record r;
	__u64	ptr;
	__u64	site;
	__u64	bytes;		/* size of the pages; else 0 */
	__u32	tid;
	__u32	pad;
};

struct kma_log_lost {
	struct kma_log_record r;
	__u64	events;		/* lost since the previous record, because the buffer was full */
};

/*
 * START and END are the boundaries of a log. START is the first record of its stream, except
 * for a LOST, and END is the last one. Each event of the log happened between the two times,
 * and each event between them is in the log or is counted as lost, refused or missed. Each of
 * the two records has the same @time, @mono and @wall in all streams.
 */
struct kma_log_bound {
	struct kma_log_record r;
	__u64	time;		/* time of the clock when the log started (START) or ended (END) */
	__u64	mono;		/* CLOCK_MONOTONIC at @time, ns */
	__u64	wall;		/* real time at @time, ns since 1970 */
	__u64	records;	/* records of this CPU before this one, without BLOCKs */
	__u64	lost;		/* events that this CPU has lost so far */
	__u64	nmi;		/* events of this CPU that were refused because of an NMI */
	__u64	missed;		/* calls on all CPUs that kprobes have missed; START: 0 */
	__u32	streams;	/* number of streams with an END; START: 0 */
	__u8	clock;		/* enum kma_log_clock */
	__u8	pad[3];
};

struct kma_log_time {
	struct kma_log_record r;
	__u64	time;		/* new base time of the deltas */
};

/* Flags of MODULE */
#define KMA_LOG_GONE		0x0001	/* the module is unloaded; otherwise it is loaded */
#define KMA_LOG_INIT		0x0002	/* the text that is freed after its init has run */

struct kma_log_module {
	struct kma_log_record r;
	__u64	base;		/* start of its text, as in /proc/modules */
	__u64	size;		/* bytes of its text */
	__u8	build_id[20];
	__u8	build_id_len;	/* 0 if unknown */
	__u8	name_len;
	__u8	pad[2];
	char	name[];		/* padded with at least one 0 to a multiple of 8 */
};

#endif /* _UAPI_KMEM_ACCOUNT_H */
