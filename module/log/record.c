// SPDX-License-Identifier: GPL-2.0-only
/*
 * record.c - writes the records of the event log: all cases, also the common one.
 *
 * The design is in record.h.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "log/record.h"

static struct kma_log_record kma_head(enum kma_log_type type, size_t len,
				      unsigned int flags, u32 delta)
{
	return (struct kma_log_record){
		.type = type, .words = len / 8, .flags = flags, .delta = delta,
	};
}

/* Reserve the next record; the block has space for it. */
static void *kma_record_take(struct kma_stream *s, size_t len)
{
	void *at = s->at;

	s->at += len;
	s->seq++;
	return at;
}

/* Set the base time of the deltas to @now. */
static void kma_record_time(struct kma_stream *s, u64 now)
{
	struct kma_log_time *t = kma_record_take(s, sizeof(*t));

	t->r = kma_head(KMA_LOG_TIME, sizeof(*t), 0, 0);
	t->time = now;
	s->since = now;
}

/* Write a START or an END as the next record; the block has space for it. */
static void kma_record_bound(struct kma_stream *s, enum kma_log_type type,
			     const struct kma_log_bound *bound, u32 delta)
{
	u64 records = s->seq - s->lost;
	struct kma_log_bound *b = kma_record_take(s, sizeof(*b));

	*b = *bound;
	b->r = kma_head(type, sizeof(*b), 0, delta);
	b->records = records;
	b->lost = s->lost;
	b->nmi = s->nmi;
}

static void kma_stream_tell_lost(struct kma_stream *s)
{
	struct kma_log_lost *lost;

	if (s->lost == s->reported)
		return;
	lost = kma_record_take(s, sizeof(*lost));
	lost->r = kma_head(KMA_LOG_LOST, sizeof(*lost), 0, 0);
	lost->events = s->lost - s->reported;
	s->reported = s->lost;
}

void kma_stream_begin(struct kma_stream *s, void *room, size_t size, u64 now)
{
	struct kma_log_block *block = room;

	*block = (struct kma_log_block){
		.r = kma_head(KMA_LOG_BLOCK, sizeof(*block), 0, KMA_LOG_BLOCK_MAGIC),
		.time = now, .seq = s->seq, .lost = s->lost, .cpu = s->cpu,
	};
	s->at = room + sizeof(*block);
	s->end = room + size;
	s->since = now;
	kma_stream_tell_lost(s);
	if (s->first)
		kma_record_bound(s, KMA_LOG_START, s->first, 0);
	s->first = NULL;
}

/*
 * Make space for @len bytes. If the base time is too long ago, write a record with a new base
 * time before them. False if there is no space.
 */
static bool kma_record_make_room(struct kma_stream *s, size_t len, u64 now)
{
	size_t time = (now - s->since) >> 32 ? sizeof(struct kma_log_time) : 0;

	/* without a block both pointers are NULL, so there is no space */
	if (s->end - s->at < (ptrdiff_t)(len + time))
		return s->refill(s, now);
	if (time)
		kma_record_time(s, now);
	return true;
}

/* Reserve space and a number for the record of an event. NULL if the event is lost, and counted. */
static void *kma_record_room(struct kma_stream *s, size_t len, u64 now)
{
	if (kma_record_make_room(s, len, now))
		return kma_record_take(s, len);
	s->lost++;
	s->seq++;
	return NULL;
}

bool kma_record_end(struct kma_stream *s, const struct kma_log_bound *end, u64 now)
{
	if (!kma_record_make_room(s, sizeof(*end), now))
		return false;
	kma_record_bound(s, KMA_LOG_END, end, now - s->since);
	s->ended = true;
	return true;
}

/* The call site relative to @base, if it fits in 32 bits; 0 for an unknown site. */
static long kma_record_site(const struct kma_record_event *e)
{
	return e->site ? (long)(e->site - e->base) : 0;
}

static void kma_alloc_narrow(struct kma_stream *s, const struct kma_record_event *e,
			     unsigned int flags, u64 now)
{
	struct kma_log_alloc *r = kma_record_room(s, sizeof(*r), now);

	if (r)
		kma_record_put_alloc(r, e, flags, kma_record_site(e), now - s->since);
}

static void kma_alloc_wide(struct kma_stream *s, const struct kma_record_event *e,
			   unsigned int flags, u64 now)
{
	struct kma_log_alloc_wide *r = kma_record_room(s, sizeof(*r), now);

	if (!r)
		return;
	*r = (struct kma_log_alloc_wide){
		.r = kma_head(KMA_LOG_ALLOC_WIDE, sizeof(*r), flags, now - s->since),
		.ptr = e->ptr, .site = e->site, .req = e->req,
		.alloc = e->bytes, .tid = e->tid, .gfp = e->gfp,
		.irq = kma_record_irq(),
	};
}

void kma_record_alloc(struct kma_stream *s, const struct kma_record_event *e, u64 now)
{
	unsigned int flags = kma_record_flags(e) |
			     (e->ptr ? 0 : KMA_LOG_FAILED);
	long site = kma_record_site(e);

	if (site == (s32)site && !((u64)(e->req | e->bytes) >> 32))
		kma_alloc_narrow(s, e, flags, now);
	else
		kma_alloc_wide(s, e, flags, now);
}

static void kma_free_narrow(struct kma_stream *s, const struct kma_record_event *e, u64 now)
{
	struct kma_log_free *r = kma_record_room(s, sizeof(*r), now);

	if (r)
		kma_record_put_free(r, e, kma_record_site(e), now - s->since);
}

static void kma_free_wide(struct kma_stream *s, const struct kma_record_event *e, u64 now)
{
	struct kma_log_free_wide *r = kma_record_room(s, sizeof(*r), now);

	if (!r)
		return;
	*r = (struct kma_log_free_wide){
		.r = kma_head(KMA_LOG_FREE_WIDE, sizeof(*r), kma_record_flags(e), now - s->since),
		.ptr = e->ptr, .site = e->site, .bytes = e->bytes,
		.tid = e->tid,
	};
}

void kma_record_free(struct kma_stream *s, const struct kma_record_event *e, u64 now)
{
	long site = kma_record_site(e);

	if (site == (s32)site && !e->bytes)
		kma_free_narrow(s, e, now);
	else
		kma_free_wide(s, e, now);
}

/* The name ends with at least one 0. */
static size_t kma_record_module_len(size_t name_len)
{
	return sizeof(struct kma_log_module) + ALIGN(name_len + 1, 8);
}

size_t kma_record_module_fill(struct kma_log_module *to, const struct kma_log_module *module,
			      const char *name, unsigned int flags)
{
	size_t name_len = strnlen(name, 63);
	size_t len = kma_record_module_len(name_len);

	memset(to, 0, len);
	*to = *module;
	to->r = kma_head(KMA_LOG_MODULE, len, flags, 0);
	to->name_len = name_len;
	memcpy(to->name, name, name_len);
	return len;
}

void kma_record_module(struct kma_stream *s, const struct kma_log_module *module, const char *name,
		       unsigned int flags, u64 now)
{
	size_t len = kma_record_module_len(strnlen(name, 63));
	struct kma_log_module *r = kma_record_room(s, len, now);

	if (!r)
		return;
	kma_record_module_fill(r, module, name, flags);
	r->r.delta = now - s->since;
}
