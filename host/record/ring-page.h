/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring-page.h - events of a page of ftrace's ring buffer, as read from trace_pipe_raw.
 *
 * The text of a trace cannot be used: a task's name may contain line ends, and so other lines.
 *
 * Locking: none.
 */
#ifndef KMA_RECORD_RING_PAGE_H
#define KMA_RECORD_RING_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kma_ring_page {
	const unsigned char *p, *end; /* what is not read yet */
	uint64_t time;		      /* of the last event */
	uint64_t lost;		      /* events before this page; at least 1 if there are any */
};

struct kma_ring_event {
	uint64_t time; /* of the trace's clock */
	const unsigned char *data;
	size_t len;
};

/**
 * kma_ring_page_init() - begin with a page
 * @page: filled in
 * @bytes: of this machine's byte order
 * @len: how many bytes
 * @head: bytes before the events, as "events/header_page" has it: 16, or 12 on 32 bits
 *
 * Return: false if this is not a page.
 */
bool kma_ring_page_init(struct kma_ring_page *page, const void *bytes, size_t len, size_t head);

/**
 * kma_ring_page_next() - get the next event
 * @page: the page
 * @ret: filled in; its data stay with the page
 *
 * Return: false at the end, or at bytes that are not an event.
 */
bool kma_ring_page_next(struct kma_ring_page *page, struct kma_ring_event *ret);

/* Where a field of an event is. */
struct kma_ring_field {
	size_t offset, size; /* size 0: the event has no such field */
};

/**
 * kma_ring_format() - find fields of an event by its file "format"
 * @format: text of the file
 * @names: of the fields; ends with NULL
 * @ret: as many as there are names
 *
 * Return: number of the event; -1 if there is none.
 */
int kma_ring_format(const char *format, const char *const *names, struct kma_ring_field *ret);

/**
 * kma_ring_number() - value of a field
 * @event: the event
 * @field: with 1, 2, 4 or 8 bytes
 *
 * Return: the value without a sign; 0 if the event has no such field.
 */
uint64_t kma_ring_number(const struct kma_ring_event *event, const struct kma_ring_field *field);

/**
 * kma_ring_text() - text of a field
 * @event: the event
 * @field: an array of characters
 * @dynamic: the field has the place of the text
 * @len: bytes of the text
 *
 * Return: the text, not terminated; empty if the event has no such field.
 */
const char *kma_ring_text(const struct kma_ring_event *event, const struct kma_ring_field *field,
			  bool dynamic, size_t *len);

#endif /* KMA_RECORD_RING_PAGE_H */
