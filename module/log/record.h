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
 *
 * Contexts: any but NMI, irqs off, unless stated. @now is in units of the clock.
 */
#ifndef KMA_RECORD_H
#define KMA_RECORD_H

#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/preempt.h>
#include <linux/types.h>

#include "uapi/kmem_account.h"

/* The output position of a CPU. */
struct kma_stream {
	char *at;	/* of the next record; NULL if there is no block */
	char *end;	/* of the block */
	u64 since;	/* base time of the deltas */
	u64 seq;	/* number of the next record */
	u64 lost;	/* events */
	u64 reported;	/* those that a KMA_LOG_LOST record has reported */
	/* Events refused because they came from an NMI; they have no record number */
	u64 nmi;
	size_t ready;	/* complete blocks, for the owner of the buffers */
	/*
	 * Gets another block for a stream whose block is complete, or which has none. Called in any
	 * context but NMI, with interrupts off. Returns true after kma_stream_begin(), with space
	 * for any record; false with @at and @end NULL, if there is no free buffer.
	 */
	bool (*refill)(struct kma_stream *s, u64 now);
	u32 cpu;
	bool ended;	/* the END record was written */
	/* The START record for the first block; NULL after it was written, or if there is none. */
	const struct kma_log_bound *first;
};

/* An allocation or a free. */
struct kma_record_event {
	unsigned long site;	/* return address into the caller; 0 if unknown */
	unsigned long ptr;	/* 0 if the allocation failed */
	size_t req;		/* requested; unused for a free */
	size_t bytes;		/* allocated; for a free of pages, freed */
	unsigned long base;	/* of call sites */
	u32 gfp;		/* 0 if unknown */
	int node;		/* requested, or -1 */
	u32 tid;		/* of the current task */
	enum kma_log_kind kind;
	bool quiet;		/* KMA_LOG_QUIET */
};

/* The largest head of a block. */
#define KMA_STREAM_HEAD							\
	(sizeof(struct kma_log_block) + sizeof(struct kma_log_lost) +	\
	 sizeof(struct kma_log_bound))

/* The longest record: a module with a name of 63 bytes. */
#define KMA_RECORD_MAX	(sizeof(struct kma_log_module) + 64)

/*
 * Begin a block in memory that is aligned to 8, and larger than KMA_STREAM_HEAD and KMA_RECORD_MAX.
 * If events were lost since the previous block, a LOST record comes first. In the first block of a
 * stream the START record follows.
 */
void kma_stream_begin(struct kma_stream *s, void *room, size_t size, u64 now);

/* Was only the head of the block at @room written? */
static inline bool kma_stream_empty(const struct kma_stream *s, const void *room)
{
	return s->at == (const char *)room + sizeof(struct kma_log_block);
}

/*
 * Write the END record, which has no numbers of the stream yet, and set @s->ended. An END that
 * finds no space is not counted as a lost event: the result is false, and the caller tries again
 * when the reader has emptied a block. Also when the stream's CPU writes no more.
 */
bool kma_record_end(struct kma_stream *s, const struct kma_log_bound *end, u64 now);

/*
 * Record that a module is loaded or unloaded; @module has no header yet. The name is cut after 63
 * bytes. Flags are KMA_LOG_GONE, KMA_LOG_INIT.
 */
void kma_record_module(struct kma_stream *s, const struct kma_log_module *module, const char *name,
		       unsigned int flags, u64 now);

/* The same into KMA_RECORD_MAX bytes outside of a stream. Return: bytes of the record. */
size_t kma_record_module_fill(struct kma_log_module *to, const struct kma_log_module *module,
			      const char *name, unsigned int flags);

/* Record an event in any case, also a failed allocation. */
void kma_record_alloc(struct kma_stream *s, const struct kma_record_event *e, u64 now);
void kma_record_free(struct kma_stream *s, const struct kma_record_event *e, u64 now);

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
kma_record_put_free(struct kma_log_free *r, const struct kma_record_event *e, s32 site, u32 delta)
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
static __always_inline bool kma_record_next(struct kma_stream *s, size_t len, u64 small, char **at)
{
	*at = s->at;
	if (unlikely(small >> 32 || *at + len > s->end))
		return false;
	s->at = *at + len;
	s->seq++;
	return true;
}

/*
 * Record an event in the common case, whose call site is known; a free has no size. Inline, because
 * it is the body of a probe. False with nothing changed, if the function above must be called.
 */
static __always_inline bool
kma_record_alloc_short(struct kma_stream *s, const struct kma_record_event *e, u64 now)
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

static __always_inline bool
kma_record_free_short(struct kma_stream *s, const struct kma_record_event *e, u64 now)
{
	long site = e->site - e->base;
	u64 delta = now - s->since;
	char *at;

	if (unlikely(site != (s32)site))
		return false;
	if (unlikely(!kma_record_next(s, sizeof(struct kma_log_free), delta, &at)))
		return false;
	kma_record_put_free((void *)at, e, site, delta);
	return true;
}

#endif /* KMA_RECORD_H */
