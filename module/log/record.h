/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.h - writes the records of the event log into a buffer.
 *
 * A stream is the output of one CPU in the format of uapi/kmem_account.h: numbered records,
 * in blocks. The owner of the buffers provides the memory of each block (@refill of the
 * stream).
 *
 * An event is one record, which is written or lost as a whole. The common case is inline: the
 * block has space, the time is less than 2^32 units after the base time of the block, and
 * the call site and the sizes fit in 32 bits. In other cases a record with a new base time
 * is written before the event, or another block is requested. If there is no block, the
 * event is counted as lost. Its number is not used again, so that a reader sees how many
 * records are missing, and where.
 *
 * Never done here: allocating, sleeping, printing, taking a lock.
 *
 * Locking: none; a stream is written by its own CPU with interrupts off, or by another task
 * after that CPU has stopped writing.
 */
#ifndef KMA_RECORD_H
#define KMA_RECORD_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/types.h>

#include "uapi/kmem_account.h"

/**
 * struct kma_stream - the output position of a CPU
 * @at: position of the next record; NULL if there is no block
 * @end: end of the block
 * @since: base time of the deltas
 * @seq: number of the next record
 * @lost: number of lost events
 * @reported: number of lost events that a KMA_LOG_LOST record has reported
 * @nmi: number of events that were refused because they came from an NMI; they have no record
 *	number
 * @ready: number of complete blocks, for the owner of the buffers
 * @refill: gets another block for a stream whose block is complete, or which has none; @now is
 *	the time. Called in any context but NMI, with interrupts off. Returns true after
 *	kma_stream_begin(), with space for any record; false with @at and @end NULL, if there
 *	is no free buffer
 * @cpu: the CPU of the stream
 * @first: the START record for the first block; NULL after it was written, or if there is none
 * @ended: the END record was written
 */
struct kma_stream {
	char *at;
	char *end;
	u64 since;
	u64 seq;
	u64 lost;
	u64 reported;
	u64 nmi;
	size_t ready;
	bool (*refill)(struct kma_stream *s, u64 now);
	u32 cpu;
	bool ended;
	const struct kma_log_bound *first;
};

/**
 * struct kma_record_event - an allocation or a free
 * @site: return address into the caller; 0 if unknown
 * @ptr: the object; 0 if the allocation failed
 * @req: bytes requested; unused for a free
 * @bytes: bytes allocated; for a free of pages, bytes freed
 * @base: base address of call sites
 * @gfp: GFP flags; 0 if unknown
 * @node: requested node, or -1
 * @tid: ID of the current task
 * @kind: enum kma_log_kind
 * @quiet: KMA_LOG_QUIET
 */
struct kma_record_event {
	unsigned long site;
	unsigned long ptr;
	size_t req;
	size_t bytes;
	unsigned long base;
	u32 gfp;
	int node;
	u32 tid;
	enum kma_log_kind kind;
	bool quiet;
};

/* The largest head of a block. */
#define KMA_STREAM_HEAD							\
	(sizeof(struct kma_log_block) + sizeof(struct kma_log_lost) +	\
	 sizeof(struct kma_log_bound))

/* The longest record: a module with a name of 63 bytes. */
#define KMA_RECORD_MAX	(sizeof(struct kma_log_module) + 64)

/**
 * kma_stream_begin() - begin a block
 * @s: the stream
 * @room: memory of the block, aligned to 8
 * @size: bytes of the block, more than KMA_STREAM_HEAD and KMA_RECORD_MAX
 * @now: the time
 *
 * If events were lost since the previous block, a LOST record comes first. In the first block
 * of a stream the START record follows.
 *
 * Context: any but NMI, irqs off.
 */
void kma_stream_begin(struct kma_stream *s, void *room, size_t size, u64 now);

/**
 * kma_stream_empty() - check whether a block has no record
 * @s: the stream, which has a block
 * @room: start of the block
 *
 * Return: true if only the head of the block was written.
 */
static inline bool kma_stream_empty(const struct kma_stream *s, const void *room)
{
	return s->at == (const char *)room + sizeof(struct kma_log_block);
}

/**
 * kma_record_end() - write the END record of a stream
 * @s: the stream
 * @end: the END record, without the numbers of the stream
 * @now: the time, in units of the clock
 *
 * Sets @s->ended. An END that finds no space is not counted as a lost event: the caller
 * tries again when the reader has emptied a block.
 *
 * Context: any but NMI, irqs off, or the stream's CPU writes no more.
 * Return: true if the END is in the stream; false if there was no space for it.
 */
bool kma_record_end(struct kma_stream *s, const struct kma_log_bound *end,
		    u64 now);

/**
 * kma_record_module() - record that a module is loaded or unloaded
 * @s: the stream
 * @module: the record, without its header
 * @name: name of the module; cut after 63 bytes
 * @flags: KMA_LOG_GONE, KMA_LOG_INIT
 * @now: the time
 *
 * Context: any but NMI, irqs off.
 */
void kma_record_module(struct kma_stream *s,
		       const struct kma_log_module *module, const char *name,
		       unsigned int flags, u64 now);

/**
 * kma_record_module_fill() - write the record of a module into memory outside of a stream
 * @to: memory of KMA_RECORD_MAX bytes
 * @module: the record, without its header
 * @name: name of the module; cut after 63 bytes
 * @flags: KMA_LOG_GONE, KMA_LOG_INIT
 *
 * Return: number of bytes of the record.
 */
size_t kma_record_module_fill(struct kma_log_module *to,
			      const struct kma_log_module *module,
			      const char *name, unsigned int flags);

/* Record an allocation, or a failed one. Context: any but NMI, irqs off. */
void kma_record_alloc(struct kma_stream *s, const struct kma_record_event *e,
		      u64 now);

/* Record a free. Context: any but NMI, irqs off. */
void kma_record_free(struct kma_stream *s, const struct kma_record_event *e,
		     u64 now);

/* The flags of a record, without KMA_LOG_FAILED. */
static __always_inline unsigned int
kma_record_flags(const struct kma_record_event *e)
{
	return e->kind | (e->quiet ? KMA_LOG_QUIET : 0) |
	       (e->node + 1u) << KMA_LOG_NODE_SHIFT;
}

/* Not 0 if the current code runs in an interrupt or a softirq, and not in the current task. */
static __always_inline u32 kma_record_irq(void)
{
	return preempt_count() & (SOFTIRQ_OFFSET | HARDIRQ_MASK);
}

/* Fill in a KMA_LOG_ALLOC record; field by field, so that the compiler writes in place. */
static __always_inline void
kma_record_put_alloc(struct kma_log_alloc *r, const struct kma_record_event *e,
		     unsigned int flags, s32 site, u32 delta)
{
	r->r.type = KMA_LOG_ALLOC;
	r->r.words = sizeof(*r) / 8;
	r->r.flags = flags;
	r->r.delta = delta;
	r->ptr = e->ptr;
	r->site = site;
	r->tid = e->tid;
	r->req = e->req;
	r->alloc = e->bytes;
	r->gfp = e->gfp;
	r->irq = kma_record_irq();
}

/* Fill in a KMA_LOG_FREE record. */
static __always_inline void
kma_record_put_free(struct kma_log_free *r, const struct kma_record_event *e,
		    s32 site, u32 delta)
{
	r->r.type = KMA_LOG_FREE;
	r->r.words = sizeof(*r) / 8;
	r->r.flags = kma_record_flags(e);
	r->r.delta = delta;
	r->ptr = e->ptr;
	r->site = site;
	r->tid = e->tid;
}

/*
 * Reserve the next @len bytes and a record number, if the block has space and @small is less
 * than 2^32. Otherwise change nothing and return false.
 */
static __always_inline bool kma_record_next(struct kma_stream *s, size_t len,
					    u64 small, char **at)
{
	*at = s->at;
	if (unlikely(small >> 32 || *at + len > s->end))
		return false;
	s->at = *at + len;
	s->seq++;
	return true;
}

/**
 * kma_record_alloc_short() - record an allocation in the common case
 * @s: the stream
 * @e: the event, with a known call site
 * @now: the time
 *
 * Inline, because it is the body of a probe.
 *
 * Context: any but NMI, interrupts off.
 * Return: true if the event is recorded; false if kma_record_alloc() must be called, with
 * nothing changed.
 */
static __always_inline bool
kma_record_alloc_short(struct kma_stream *s, const struct kma_record_event *e,
		       u64 now)
{
	long site = e->site - e->base;
	u64 delta = now - s->since;
	char *at;

	if (unlikely(!e->ptr || site != (s32)site))
		return false;
	/* one test for all three */
	if (unlikely(!kma_record_next(s, sizeof(struct kma_log_alloc),
				      delta | e->req | e->bytes, &at)))
		return false;
	kma_record_put_alloc((void *)at, e, kma_record_flags(e), site, delta);
	return true;
}

/**
 * kma_record_free_short() - record a free in the common case
 * @s: the stream
 * @e: the event, with a known call site and without a size
 * @now: the time
 *
 * Inline, because it is the body of a probe.
 *
 * Context: any but NMI, interrupts off.
 * Return: true if the event is recorded; false if kma_record_free() must be called, with
 * nothing changed.
 */
static __always_inline bool
kma_record_free_short(struct kma_stream *s, const struct kma_record_event *e,
		      u64 now)
{
	long site = e->site - e->base;
	u64 delta = now - s->since;
	char *at;

	if (unlikely(site != (s32)site))
		return false;
	if (unlikely(!kma_record_next(s, sizeof(struct kma_log_free), delta,
				      &at)))
		return false;
	kma_record_put_free((void *)at, e, site, delta);
	return true;
}

#endif /* KMA_RECORD_H */
