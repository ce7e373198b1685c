/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.h - the records of the event log, into a buffer that is given.
 *
 * A stream is what one CPU writes, in the format of uapi/kmem_account.h: records,
 * numbered, in blocks. Who has the buffers gives a block's room when it is asked
 * for (kma_stream_refill()); nothing here knows where that is.
 *
 * An event is one record, and takes the place of its record or is lost as a whole.
 * The common case is inline: room for it, less than 2^32 units of the clock after the
 * time that the block counts from, a call site and sizes that fit 32 bits. Else a time of its own
 * goes before it, or another block is asked for; if there is none the event is
 * counted, and its number is not given to another, so that a reader sees how many are
 * missing where.
 *
 * Never done here: allocating, sleeping, printing, taking a lock.
 *
 * Locking: none; a stream is written by its own CPU with irqs off, or when that
 * CPU writes no more.
 */
#ifndef KMA_RECORD_H
#define KMA_RECORD_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/types.h>

#include "uapi/kmem_account.h"

/**
 * struct kma_stream - where a CPU is with its records
 * @at: the place of the next record; NULL if there is no block
 * @end: end of the block's room
 * @since: the time that deltas count from
 * @seq: number of the next record
 * @lost: events that found no room
 * @reported: of these, those that a KMA_LOG_LOST reported
 * @nmi: events that were refused, as they came from an NMI; they have no number
 * @ready: for who has the buffers: blocks that are done
 * @cpu: whose it is
 * @first: the START that its first block begins with; NULL once it was written, or if
 *	there is to be none
 * @ended: the END was written
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
	u32 cpu;
	bool ended;
	const struct kma_log_bound *first;
};

/**
 * struct kma_record_event - what is said of an allocation or a free
 * @site: return address into the caller; 0 if it is not known
 * @ptr: the object; 0 if the allocation failed
 * @req: bytes asked for; not of a free
 * @bytes: bytes given; of a free, those of pages
 * @base: the address that sites are counted from
 * @gfp: flags; 0 if they are not known
 * @node: that was asked for, or -1
 * @tid: of the task that runs
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

/* What a block may begin with. */
#define KMA_STREAM_HEAD							\
	(sizeof(struct kma_log_block) + sizeof(struct kma_log_lost) +	\
	 sizeof(struct kma_log_bound))

/* The longest record: of a module whose name has 63 bytes. */
#define KMA_RECORD_MAX	(sizeof(struct kma_log_module) + 64)

/**
 * kma_stream_refill() - another block for a stream; defined by who has the buffers
 * @s: the stream; it is done with its block, if it has one
 * @now: the time
 *
 * Context: any but NMI, irqs off.
 * Return: true after kma_stream_begin(), with room for any record; false if there is
 * no buffer, and @s->at is NULL.
 */
bool kma_stream_refill(struct kma_stream *s, u64 now);

/**
 * kma_stream_begin() - begin a block
 * @s: the stream
 * @room: where; aligned to 8
 * @size: its bytes; more than KMA_STREAM_HEAD and KMA_RECORD_MAX
 * @now: the time
 *
 * If events were lost since the block before, a LOST is its first record. The first
 * block of a stream has the START of the stream after that.
 *
 * Context: any but NMI, irqs off.
 */
void kma_stream_begin(struct kma_stream *s, void *room, size_t size, u64 now);

/**
 * kma_stream_empty() - has a block no record?
 * @s: the stream, which has a block
 * @room: where that begins
 *
 * Return: true if nothing but its head was written.
 */
static inline bool kma_stream_empty(const struct kma_stream *s, const void *room)
{
	return s->at == (const char *)room + sizeof(struct kma_log_block);
}

/**
 * kma_record_end() - write the END of a stream
 * @s: the stream
 * @end: what the END says, without the numbers of the stream
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
 * kma_record_module() - say that a module comes or goes
 * @s: the stream
 * @module: what is said, but for the header of the record
 * @name: its name; what is beyond 63 bytes is cut off
 * @flags: KMA_LOG_GONE, KMA_LOG_INIT
 * @now: the time
 *
 * Context: any but NMI, irqs off.
 */
void kma_record_module(struct kma_stream *s,
		       const struct kma_log_module *module, const char *name,
		       unsigned int flags, u64 now);

/**
 * kma_record_module_fill() - the same, into memory that is no stream's
 * @to: of KMA_RECORD_MAX bytes
 * @module: what is said, but for the header of the record
 * @name: its name; what is beyond 63 bytes is cut off
 * @flags: KMA_LOG_GONE, KMA_LOG_INIT
 *
 * Return: how many bytes the record has.
 */
size_t kma_record_module_fill(struct kma_log_module *to,
			      const struct kma_log_module *module,
			      const char *name, unsigned int flags);

/**
 * kma_record_alloc() - say that something was allocated, or could not be
 * @s: the stream
 * @e: the event
 * @now: the time
 *
 * Context: any but NMI, irqs off.
 */
void kma_record_alloc(struct kma_stream *s, const struct kma_record_event *e,
		      u64 now);

/**
 * kma_record_free() - say that something was freed
 * @s: the stream
 * @e: the event
 * @now: the time
 *
 * Context: any but NMI, irqs off.
 */
void kma_record_free(struct kma_stream *s, const struct kma_record_event *e,
		     u64 now);

/* Of its flags all but KMA_LOG_FAILED. */
static __always_inline unsigned int
kma_record_flags(const struct kma_record_event *e)
{
	return e->kind | (e->quiet ? KMA_LOG_QUIET : 0) |
	       (e->node + 1u) << KMA_LOG_NODE_SHIFT;
}

/* What a KMA_LOG_ALLOC has; field by field, for the compiler to do it in place. */
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
	r->cache = 0;
}

/* The same of a KMA_LOG_FREE. */
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
 * If there is room, and @small is less than 2^32: the next @len bytes, with the
 * record's number. Else nothing has changed.
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
 * kma_record_alloc_short() - the same as kma_record_alloc(), if it is the common case
 * @s: the stream
 * @e: the event; its call site is known
 * @now: the time
 *
 * Inline, as a whole: the body of a probe.
 *
 * Context: any but NMI, irqs off.
 * Return: true if it was, and is done; false if nothing was.
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
 * kma_record_free_short() - the same as kma_record_free(), if it is the common case
 * @s: the stream
 * @e: the event; its call site is known, its size is not
 * @now: the time
 *
 * Inline, as a whole: the body of a probe.
 *
 * Context: any but NMI, irqs off.
 * Return: true if it was, and is done; false if nothing was.
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
