// SPDX-License-Identifier: GPL-2.0-only
/*
 * log-stream.c - decode the stream of one CPU of an event log. log-stream.h has the design.
 */
#include <string.h>

#include "lib/cleanup.h"
#include "log-stream.h"

/* Least length of a record of each type, in bytes. */
static const unsigned char kma_log_least[] = {
	[KMA_LOG_BLOCK] = sizeof(struct kma_log_block),
	[KMA_LOG_ALLOC] = sizeof(struct kma_log_alloc),
	[KMA_LOG_FREE] = sizeof(struct kma_log_free),
	[KMA_LOG_LOST] = sizeof(struct kma_log_lost),
	[KMA_LOG_TIME] = sizeof(struct kma_log_time),
	[KMA_LOG_MODULE] = sizeof(struct kma_log_module),
	[KMA_LOG_ALLOC_WIDE] = offsetof(struct kma_log_alloc_wide, irq),
	[KMA_LOG_FREE_WIDE] = sizeof(struct kma_log_free_wide),
	[KMA_LOG_START] = sizeof(struct kma_log_bound),
	[KMA_LOG_END] = sizeof(struct kma_log_bound),
};

/* Kinds by enum kma_log_kind. A free by kfree_rcu() may be of an object of any kind. */
static const unsigned char kma_log_kinds[16] = {
	[KMA_LOG_DEFERRED] = KMA_KIND_UNKNOWN, [KMA_LOG_KMALLOC] = KMA_KIND_KMALLOC,
	[KMA_LOG_CACHE] = KMA_KIND_CACHE,      [KMA_LOG_PAGE] = KMA_KIND_PAGE,
	[KMA_LOG_PERCPU] = KMA_KIND_PERCPU,    [KMA_LOG_LARGE] = KMA_KIND_KMALLOC,
	[KMA_LOG_SLAB_PAGE] = KMA_KIND_PAGE,   [KMA_LOG_PERCPU_PAGE] = KMA_KIND_PAGE,
};

#define KMA_LOG_KINDS (KMA_LOG_PERCPU_PAGE + 1)

/* An unknown type above this limit is not a record: few types will be added. */
#define KMA_LOG_TYPE_MAX 63

void kma_log_stream_init(struct kma_log_stream *stream, const struct kma_log_file *file,
			 uint32_t cpu)
{
	*stream = (struct kma_log_stream){
		.file = file,
		.cpu = cpu,
		.extents = &file->cpus[cpu],
		.base = KMA_LOG_GET64(file->map, kma_log_header, start, file->swap),
		.last = 0,
	};
}

/* Position of the next byte in the file. */
static uint64_t kma_log_pos(const struct kma_log_stream *stream)
{
	const struct kma_log_extents *extents = stream->extents;

	if (stream->at < extents->nr)
		return extents->all[stream->at].pos + stream->offset;
	return extents->nr ? extents->all[extents->nr - 1].pos + extents->all[extents->nr - 1].len :
			     0;
}

/*
 * Get the next @len bytes without consuming them; @len is reduced at the end of the stream. This is
 * the rare case: the bytes are in several extents, and are copied.
 */
static const unsigned char *kma_log_peek_far(struct kma_log_stream *stream, size_t *len)
{
	uint64_t offset = stream->offset;
	size_t have = 0;

	for (size_t i = stream->at; i < stream->extents->nr && have < *len; i++, offset = 0) {
		const struct kma_log_extent *extent = &stream->extents->all[i];
		size_t part = extent->len - offset;

		if (part > *len - have)
			part = *len - have;
		memcpy(stream->bounce + have, stream->file->map + extent->pos + offset, part);
		have += part;
	}
	*len = have;
	return stream->bounce;
}

/* Get the next @len bytes without consuming them. The usual case needs no copy. */
static inline const unsigned char *kma_log_peek(struct kma_log_stream *stream, size_t *len)
{
	const struct kma_log_extent *extent = &stream->extents->all[stream->at];

	if (stream->at < stream->extents->nr && extent->len - stream->offset >= *len)
		return stream->file->map + extent->pos + stream->offset;
	return kma_log_peek_far(stream, len);
}

static inline void kma_log_advance(struct kma_log_stream *stream, uint64_t len)
{
	stream->offset += len;
	while (stream->at < stream->extents->nr &&
	       stream->offset >= stream->extents->all[stream->at].len) {
		stream->offset -= stream->extents->all[stream->at].len;
		stream->at++;
	}
}

static bool kma_log_is_block(const struct kma_log_stream *stream, const unsigned char *p)
{
	bool swap = stream->file->swap;

	return p[0] == KMA_LOG_BLOCK && p[1] >= sizeof(struct kma_log_block) / 8 &&
	       KMA_LOG_GET32(p, kma_log_record, delta, swap) == KMA_LOG_BLOCK_MAGIC &&
	       KMA_LOG_GET32(p, kma_log_block, cpu, swap) == stream->cpu;
}

/* Distance in bytes to the next position within this extent at which a block may begin. */
static uint64_t kma_log_skip(const struct kma_log_stream *stream)
{
	const struct kma_log_extent *extent = &stream->extents->all[stream->at];
	const unsigned char *from = stream->file->map + extent->pos + stream->offset, *p;
	uint32_t magic = stream->file->swap ? __builtin_bswap32(KMA_LOG_BLOCK_MAGIC) :
					      KMA_LOG_BLOCK_MAGIC;
	uint64_t left = extent->len - stream->offset;
	const size_t before = offsetof(struct kma_log_record, delta), whole = 2 * before;

	/* The last bytes of an extent may be the first bytes of a block: try each of them. */
	if (left < whole + 1)
		return 1;
	p = memmem(from + 1 + before, left - 1 - before, &magic, sizeof(magic));
	return p ? (uint64_t)(p - before - from) : left - whole + 1;
}

/* The bytes are not valid records: continue at the next block. */
static bool kma_log_resync(struct kma_log_stream *stream)
{
	uint64_t pos = kma_log_pos(stream), skipped = 0;
	bool found = false;

	stream->synced = false;
	while (stream->at < stream->extents->nr && !found) {
		size_t len = sizeof(struct kma_log_block);
		const unsigned char *p;
		uint64_t step = kma_log_skip(stream);

		kma_log_advance(stream, step);
		skipped += step;
		p = kma_log_peek(stream, &len);
		found = len == sizeof(struct kma_log_block) && kma_log_is_block(stream, p);
	}
	kma_log_report(stream->file, KMA_LOG_BAD_STREAM, stream->cpu, pos, skipped);
	return found;
}

static void kma_log_lose(struct kma_log_stream *stream, uint64_t pos, uint64_t events)
{
	stream->lost += events;
	kma_log_report(stream->file, KMA_LOG_OVERRUN, stream->cpu, pos, events);
}

/*
 * Compare the numbers of a BLOCK with those read so far: report lost events, and missing records.
 */
static void kma_log_take_block(struct kma_log_stream *stream, const unsigned char *p, uint64_t pos)
{
	bool swap = stream->file->swap;
	uint64_t seq = KMA_LOG_GET64(p, kma_log_block, seq, swap);
	uint64_t lost = KMA_LOG_GET64(p, kma_log_block, lost, swap);
	uint64_t gap = seq - stream->seq, news = lost - stream->lost;

	stream->base = KMA_LOG_GET64(p, kma_log_block, time, swap);
	stream->unsaid = 0;
	if (seq < stream->seq) {
		kma_log_report(stream->file, KMA_LOG_BAD_SEQUENCE, stream->cpu, pos,
			       stream->seq - seq);
		stream->lost = lost;
	} else if (lost < stream->lost || news > gap) {
		kma_log_report(stream->file, KMA_LOG_BAD_LOST, stream->cpu, pos, news);
		stream->lost = lost;
		if (gap)
			kma_log_report(stream->file, KMA_LOG_MISSING, stream->cpu, pos, gap);
	} else {
		if (news)
			kma_log_lose(stream, pos, news);
		stream->unsaid = news;
		if (gap > news)
			kma_log_report(stream->file, KMA_LOG_MISSING, stream->cpu, pos, gap - news);
	}
	stream->seq = seq;
	stream->synced = true;
}

/* Count the loss of a LOST record, unless the BLOCK before it has stated the loss already. */
static void kma_log_take_lost(struct kma_log_stream *stream, const unsigned char *p, uint64_t pos,
			      struct kma_log_item *ret)
{
	uint64_t events = KMA_LOG_GET64(p, kma_log_lost, events, stream->file->swap);

	if (!stream->unsaid) {
		stream->seq += events;
		kma_log_lose(stream, pos, events);
	} else if (events != stream->unsaid) {
		kma_log_report(stream->file, KMA_LOG_BAD_LOST, stream->cpu, pos, events);
	}
	stream->unsaid = 0;
	ret->type = KMA_LOG_ITEM_LOST;
	ret->alloc = events;
}

/*
 * Set the time of a record. A time before that of the record before it is reported and corrected.
 */
static inline void kma_log_take_time(struct kma_log_stream *stream, uint64_t delta, uint64_t pos,
				     struct kma_log_item *ret)
{
	uint64_t time = kma_log_ticks_ns(&stream->file->ticks, stream->base + delta);

	if (__builtin_expect(time < stream->last, 0)) {
		kma_log_report(stream->file, KMA_LOG_BAD_TIME, stream->cpu, pos,
			       stream->last - time);
		time = stream->last;
	}
	stream->last = time;
	ret->time = time;
}

/* The STARTs of all streams have the same time. The first one that is read counts. */
static void kma_log_take_start(struct kma_log_stream *stream, const unsigned char *p)
{
	const struct kma_log_file *file = stream->file;
	uint64_t time =
		kma_log_ticks_ns(&file->ticks, KMA_LOG_GET64(p, kma_log_bound, time, file->swap));

	if (!file->sums->began)
		file->sums->began = time;
}

/*
 * Check the numbers of an END record. Calls that kprobes have missed are a number of the whole log,
 * which each END states: that of the first END counts.
 */
static void kma_log_take_end(struct kma_log_stream *stream, const unsigned char *p, uint64_t pos)
{
	struct kma_log_sums *sums = stream->file->sums;
	bool swap = stream->file->swap;
	uint64_t lost = KMA_LOG_GET64(p, kma_log_bound, lost, swap);
	uint64_t nmi = KMA_LOG_GET64(p, kma_log_bound, nmi, swap);
	uint64_t missed = KMA_LOG_GET64(p, kma_log_bound, missed, swap);

	if (stream->ended)
		return;
	stream->ended = true;
	if (lost != stream->lost)
		kma_log_report(stream->file, KMA_LOG_BAD_LOST, stream->cpu, pos, lost);
	if (nmi)
		kma_log_report(stream->file, KMA_LOG_REFUSED, stream->cpu, pos, nmi);
	if (missed && !sums->ends)
		kma_log_report(stream->file, KMA_LOG_MISSED, KMA_LOG_NO_CPU, pos, missed);
	sums->ends++;
	sums->streams = KMA_LOG_GET32(p, kma_log_bound, streams, swap);
}

/* Address of a call site that is stored as its distance from _stext; 0: unknown. */
static inline uint64_t kma_log_narrow(const struct kma_log_file *file, uint32_t site)
{
	uint64_t address = file->head.stext + (uint64_t)(int64_t)(int32_t)site;

	if (!site)
		return 0;
	return file->head.word_bits == 32 ? (uint32_t)address : address;
}

static inline void kma_log_take_flags(const struct kma_log_stream *stream, uint16_t flags,
				      uint64_t pos, struct kma_log_item *ret)
{
	unsigned int node = flags >> KMA_LOG_NODE_SHIFT;

	ret->kind = kma_log_kinds[flags & KMA_LOG_KIND];
	ret->part = flags & KMA_LOG_KIND;
	ret->quiet = flags & KMA_LOG_QUIET;
	ret->failed = flags & KMA_LOG_FAILED;
	ret->node = node ? node - 1 : KMA_LOG_NO_NODE;
	if (__builtin_expect((flags & KMA_LOG_KIND) >= KMA_LOG_KINDS, 0))
		kma_log_report(stream->file, KMA_LOG_BAD_VALUE, stream->cpu, pos,
			       KMA_LOG_VALUE_KIND);
}

/* Decode one of the four records of events: an allocation or a free, narrow or wide. */
static inline void kma_log_take_event(const struct kma_log_stream *stream, const unsigned char *p,
				      struct kma_log_item *ret)
{
	const struct kma_log_file *file = stream->file;
	bool swap = file->swap;

	ret->ptr = KMA_LOG_GET64(p, kma_log_alloc, ptr, swap);
	switch (p[0]) {
	case KMA_LOG_ALLOC:
		ret->type = KMA_LOG_ITEM_ALLOC;
		ret->site = kma_log_narrow(file, KMA_LOG_GET32(p, kma_log_alloc, site, swap));
		ret->tid = KMA_LOG_GET32(p, kma_log_alloc, tid, swap);
		ret->req = KMA_LOG_GET32(p, kma_log_alloc, req, swap);
		ret->alloc = KMA_LOG_GET32(p, kma_log_alloc, alloc, swap);
		ret->gfp = KMA_LOG_GET32(p, kma_log_alloc, gfp, swap);
		ret->irq = KMA_LOG_GET32(p, kma_log_alloc, irq, swap);
		break;
	case KMA_LOG_FREE:
		ret->type = KMA_LOG_ITEM_FREE;
		ret->site = kma_log_narrow(file, KMA_LOG_GET32(p, kma_log_free, site, swap));
		ret->tid = KMA_LOG_GET32(p, kma_log_free, tid, swap);
		ret->req = ret->alloc = 0;
		ret->gfp = 0;
		ret->irq = false;
		break;
	case KMA_LOG_ALLOC_WIDE:
		ret->type = KMA_LOG_ITEM_ALLOC;
		ret->site = KMA_LOG_GET64(p, kma_log_alloc_wide, site, swap);
		ret->req = KMA_LOG_GET64(p, kma_log_alloc_wide, req, swap);
		ret->alloc = KMA_LOG_GET64(p, kma_log_alloc_wide, alloc, swap);
		ret->tid = KMA_LOG_GET32(p, kma_log_alloc_wide, tid, swap);
		ret->gfp = KMA_LOG_GET32(p, kma_log_alloc_wide, gfp, swap);
		/* Older logs lack the field. */
		ret->irq = p[1] * 8U >= sizeof(struct kma_log_alloc_wide) &&
			   KMA_LOG_GET32(p, kma_log_alloc_wide, irq, swap);
		break;
	default:
		ret->type = KMA_LOG_ITEM_FREE;
		ret->site = KMA_LOG_GET64(p, kma_log_free_wide, site, swap);
		ret->alloc = KMA_LOG_GET64(p, kma_log_free_wide, bytes, swap);
		ret->req = 0;
		ret->tid = KMA_LOG_GET32(p, kma_log_free_wide, tid, swap);
		ret->gfp = 0;
		ret->irq = false;
	}
}

/* Process a complete record; true if it is an item for the caller. */
static inline bool kma_log_take_record(struct kma_log_stream *stream, const unsigned char *p,
				       uint64_t pos, struct kma_log_item *ret)
{
	struct kma_log_sums *sums = stream->file->sums;
	bool swap = stream->file->swap;
	uint64_t delta = KMA_LOG_GET32(p, kma_log_record, delta, swap);

	if (p[0] == KMA_LOG_BLOCK) {
		kma_log_take_block(stream, p, pos);
		return false;
	}
	ret->seq = stream->seq++;
	ret->pos = pos;
	ret->cpu = stream->cpu;
	switch (p[0]) {
	case KMA_LOG_ALLOC:
	case KMA_LOG_FREE:
	case KMA_LOG_ALLOC_WIDE:
	case KMA_LOG_FREE_WIDE:
		kma_log_take_flags(stream, KMA_LOG_GET16(p, kma_log_record, flags, swap), pos, ret);
		kma_log_take_event(stream, p, ret);
		kma_log_take_time(stream, delta, pos, ret);
		sums->records[ret->type]++;
		return true;
	case KMA_LOG_TIME:
		stream->base = KMA_LOG_GET64(p, kma_log_time, time, swap);
		sums->others++;
		return false;
	case KMA_LOG_LOST:
		kma_log_take_lost(stream, p, pos, ret);
		kma_log_take_time(stream, delta, pos, ret);
		sums->others++;
		return true;
	case KMA_LOG_START:
		kma_log_take_start(stream, p);
		sums->others++;
		return false;
	case KMA_LOG_END:
		kma_log_take_end(stream, p, pos);
		sums->others++;
		return false;
	case KMA_LOG_MODULE:
		ret->type = KMA_LOG_ITEM_MODULE;
		stream->raw = p;
		kma_log_take_time(stream, delta, pos, ret);
		sums->others++;
		return true;
	default:
		sums->unknown++;
		return false;
	}
}

/* Can these bytes be the head of a record, by their type and length? */
static inline bool kma_log_is_record(const struct kma_log_stream *stream, const unsigned char *p)
{
	if (!p[0] || p[0] > KMA_LOG_TYPE_MAX || !p[1])
		return false;
	if (p[0] < ARRAY_SIZE(kma_log_least) && p[1] * 8U < kma_log_least[p[0]])
		return false;
	if (!stream->synced && p[0] != KMA_LOG_BLOCK)
		return false;
	return p[0] != KMA_LOG_BLOCK ||
	       KMA_LOG_GET32(p, kma_log_record, delta, stream->file->swap) == KMA_LOG_BLOCK_MAGIC;
}

/* The stream ends within a record. */
static bool kma_log_end(struct kma_log_stream *stream, size_t have, size_t want)
{
	if (have)
		kma_log_report(stream->file, KMA_LOG_CUT, stream->cpu, kma_log_pos(stream) + have,
			       want - have);
	stream->at = stream->extents->nr;
	return false;
}

bool kma_log_stream_next(struct kma_log_stream *stream, struct kma_log_item *ret)
{
	while (stream->at < stream->extents->nr) {
		size_t want = sizeof(struct kma_log_record), len = want;
		const unsigned char *p = kma_log_peek(stream, &len);
		uint64_t pos;

		if (len == want && kma_log_is_record(stream, p)) {
			want = len = p[1] * 8;
			p = kma_log_peek(stream, &len);
		} else if (len == want) {
			if (!kma_log_resync(stream))
				return false;
			continue;
		}
		if (len < want)
			return kma_log_end(stream, len, want);
		if (p[0] == KMA_LOG_BLOCK && !kma_log_is_block(stream, p)) {
			if (!kma_log_resync(stream))
				return false;
			continue;
		}
		pos = kma_log_pos(stream);
		kma_log_advance(stream, len);
		if (kma_log_take_record(stream, p, pos, ret))
			return true;
	}
	return false;
}
