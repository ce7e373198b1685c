// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring-page.c - read the events in a page of ftrace's ring buffer.
 *
 * A page begins with a time and the number of its bytes. Each entry begins with 32 bits: a type or
 * length in 5 bits, and the time since the last entry in 27. The kernel describes both in
 * "events/header_page" and "events/header_event".
 */
#include <stdio.h>
#include <string.h>

#include "ring-page.h"

enum kma_ring_type {
	KMA_RING_LONG, /* an event whose length follows; 1 to 28: an event of 4 * type bytes */
	KMA_RING_PADDING = 29,
	KMA_RING_EXTEND, /* more bits of the time since the last entry */
	KMA_RING_STAMP,	 /* a full time, without its upper 5 bits */
};

/* Bits in the number of bytes of a page. */
#define KMA_RING_MISSED	     (1U << 31) /* events were lost before this page */
#define KMA_RING_STORED	     (1U << 30) /* the number of lost events follows the events */
#define KMA_RING_BYTES	     0xfffffU
#define KMA_RING_TIME_BITS   27
#define KMA_RING_STAMP_UPPER (0xf8ULL << 56)

static uint64_t ring_get(const unsigned char *p, size_t size)
{
	uint8_t byte;
	uint16_t half;
	uint32_t word;
	uint64_t value = 0;

	switch (size) {
	case 1:
		memcpy(&byte, p, 1);
		return byte;
	case 2:
		memcpy(&half, p, 2);
		return half;
	case 4:
		memcpy(&word, p, 4);
		return word;
	case 8:
		memcpy(&value, p, 8);
	}
	return value;
}

bool kma_ring_page_init(struct kma_ring_page *page, const void *bytes, size_t len, size_t head)
{
	const unsigned char *p = bytes;
	uint64_t commit, count;

	if ((head != 12 && head != 16) || len < head)
		return false;
	commit = ring_get(p + 8, head - 8);
	count = commit & KMA_RING_BYTES;
	*page = (struct kma_ring_page){
		.p = p + head,
		.end = p + head + count,
		.time = ring_get(p, 8),
		.lost = commit & KMA_RING_MISSED ? 1 : 0,
	};
	if (count > len - head)
		return false;
	if (page->lost && commit & KMA_RING_STORED && len - head - count >= head - 8)
		page->lost = ring_get(page->end, head - 8);
	return true;
}

/* Complete a time without its upper 5 bits, which are those of the previous time. */
static uint64_t ring_stamp(uint64_t stamp, uint64_t before)
{
	stamp |= before & KMA_RING_STAMP_UPPER;
	return stamp < before ? stamp + (1ULL << 59) : stamp;
}

/* Take one entry of the page; @ret->data is NULL if the entry is not an event. */
static bool ring_take(struct kma_ring_page *page, struct kma_ring_event *ret)
{
	size_t left = page->end - page->p, len;
	unsigned int type;
	uint64_t delta, more = 0;
	uint32_t head;

	ret->data = NULL;
	if (left < 4)
		return false;
	head = ring_get(page->p, 4);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	type = head >> KMA_RING_TIME_BITS;
	delta = head & ((1U << KMA_RING_TIME_BITS) - 1);
#else
	type = head & 0x1f;
	delta = head >> 5;
#endif
	if (type == KMA_RING_LONG || type >= KMA_RING_PADDING) {
		if (left < 8)
			return false;
		more = ring_get(page->p + 4, 4);
	}
	len = type >= KMA_RING_EXTEND	      ? 8 :
	      type && type < KMA_RING_PADDING ? 4 + type * 4 :
						4 + more;
	/* A padding without a time fills the rest of the page. */
	if (len > left || len < 8 || (type == KMA_RING_PADDING && !delta))
		return false;
	if (type == KMA_RING_STAMP)
		page->time = ring_stamp(more << KMA_RING_TIME_BITS | delta, page->time);
	else if (type == KMA_RING_EXTEND)
		page->time += more << KMA_RING_TIME_BITS | delta;
	else if (type != KMA_RING_PADDING)
		page->time += delta;
	if (type < KMA_RING_PADDING) {
		ret->data = page->p + (type ? 4 : 8);
		ret->len = page->p + len - ret->data;
		ret->time = page->time;
	}
	page->p += (len + 3) & ~(size_t)3;
	if (page->p > page->end)
		page->p = page->end;
	return true;
}

bool kma_ring_page_next(struct kma_ring_page *page, struct kma_ring_event *ret)
{
	while (ring_take(page, ret))
		if (ret->data)
			return true;
	return false;
}

/* Parse "field:char comm[16]; offset:12; size:16; signed:0;" (with tabs) if it has this name. */
static bool ring_line(const char *line, const char *name, struct kma_ring_field *ret)
{
	const char *end = strpbrk(line, ";\n"), *at;
	size_t len = strlen(name);

	if (!end || *end != ';')
		return false;
	at = memchr(line, '[', end - line);
	/* The name is the last word. In "char[] comm" the bracket is not part of the name. */
	if (at && memchr(at, ' ', end - at))
		at = NULL;
	at = (at ?: end) - len;
	return at > line && at[-1] == ' ' && !memcmp(at, name, len) &&
	       sscanf(end, "; offset:%zu; size:%zu;", &ret->offset, &ret->size) == 2;
}

int kma_ring_format(const char *format, const char *const *names, struct kma_ring_field *ret)
{
	int id = -1;

	for (size_t i = 0; names[i]; i++)
		ret[i] = (struct kma_ring_field){ 0 };
	for (const char *line = format; line && *line; line = strchr(line, '\n')) {
		line += strspn(line, "\n\t ");
		if (id < 0 && sscanf(line, "ID: %d", &id) == 1)
			continue;
		for (size_t i = 0; names[i] && !strncmp(line, "field:", 6); i++)
			if (!ret[i].size)
				ring_line(line, names[i], &ret[i]);
	}
	return id;
}

static bool ring_has(const struct kma_ring_event *event, const struct kma_ring_field *field)
{
	return field->size && field->offset <= event->len &&
	       field->size <= event->len - field->offset;
}

uint64_t kma_ring_number(const struct kma_ring_event *event, const struct kma_ring_field *field)
{
	return ring_has(event, field) ? ring_get(event->data + field->offset, field->size) : 0;
}

const char *kma_ring_text(const struct kma_ring_event *event, const struct kma_ring_field *field,
			  bool dynamic, size_t *len)
{
	size_t offset = field->offset, size = field->size;
	const char *text;

	*len = 0;
	if (!ring_has(event, field))
		return "";
	if (dynamic) {
		/* Offset in the lower 16 bits, length in the upper ones. */
		uint64_t place = ring_get(event->data + offset, 4);

		offset = place & 0xffff;
		size = place >> 16;
		if (offset > event->len || size > event->len - offset)
			return "";
	}
	text = (const char *)event->data + offset;
	*len = strnlen(text, size);
	return text;
}
