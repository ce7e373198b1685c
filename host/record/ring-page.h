/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring-page.h - read the events in a page of ftrace's ring buffer, as read from trace_pipe_raw.
 *
 * The text form of a trace cannot be used, because a task's name may contain newlines, and so
 * whole lines that look like other events.
 *
 * Every length is checked against the page. An invalid entry ends the page; the events before it
 * are returned.
 *
 * Locking: none.
 */
#ifndef KMA_RECORD_RING_PAGE_H
#define KMA_RECORD_RING_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kma_ring_page {
	const unsigned char *p, *end; /* the unread part */
	uint64_t time;		      /* time of the last event, in units of the trace's clock */
	uint64_t lost;		      /* events lost before the page; 1: number unknown */
};

struct kma_ring_event {
	uint64_t time; /* in units of the trace's clock */
	const unsigned char *data;
	size_t len; /* bytes of @data */
};

/*
 * Begins to read a page, in this machine's byte order, which must live as long as @page. @head is
 * the number of bytes before the events, from "events/header_page": 16, or 12 on 32 bits. False if
 * this is not a page.
 */
bool kma_ring_page_init(struct kma_ring_page *page, const void *bytes, size_t len, size_t head);

/*
 * The next event; its data point into the page. False at the end of the page, or at bytes that are
 * not an event.
 */
bool kma_ring_page_next(struct kma_ring_page *page, struct kma_ring_event *ret);

/* Where a field of an event is. */
struct kma_ring_field {
	size_t offset, size; /* size 0: the event has no such field */
};

/*
 * Finds fields of an event in the text of its file "format". @names ends with NULL, and @ret has an
 * element for each. Returns the number of the event; -1 if the text has none.
 */
int kma_ring_format(const char *format, const char *const *names, struct kma_ring_field *ret);

/* The value of a field of 1, 2, 4 or 8 bytes without a sign; 0 if the event has no such field. */
uint64_t kma_ring_number(const struct kma_ring_event *event, const struct kma_ring_field *field);

/*
 * The text of an array of characters, not terminated; empty if the event has no such field.
 * @dynamic: the field has the offset and length of the text, which is elsewhere in the event.
 */
const char *kma_ring_text(const struct kma_ring_event *event, const struct kma_ring_field *field,
			  bool dynamic, size_t *len);

#endif /* KMA_RECORD_RING_PAGE_H */
