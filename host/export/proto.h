/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * proto.h - the wire format of protocol buffers, as far as writing pprof needs it
 * (protobuf.dev/programming-guides/encoding). A message in a message is made in a string of its
 * own, because its length stands before it.
 */
#ifndef KMA_EXPORT_PROTO_H
#define KMA_EXPORT_PROTO_H

#include <stddef.h>
#include <stdint.h>

#include "lib/strbuf.h"

/**
 * kma_proto_varint() - append a number without a field, as packed lists have it
 * @out: where to
 * @value: a negative one has ten bytes
 */
void kma_proto_varint(struct kma_strbuf *out, uint64_t value);

/**
 * kma_proto_number() - append a field with a number
 * @out: where to
 * @field: number of the field
 * @value: its value; 0 is the default of all fields, and nothing is written
 */
void kma_proto_number(struct kma_strbuf *out, unsigned int field, uint64_t value);

/**
 * kma_proto_text() - append a field with a text
 * @out: where to
 * @field: number of the field
 * @text: terminated, UTF-8; an empty one is written, as lists have such
 */
void kma_proto_text(struct kma_strbuf *out, unsigned int field, const char *text);

/**
 * kma_proto_message() - append a field with a message or a packed list, and empty that
 * @out: where to
 * @field: number of the field
 * @message: its bytes; is empty afterwards, so that it can be used again
 */
void kma_proto_message(struct kma_strbuf *out, unsigned int field, struct kma_strbuf *message);

#endif /* KMA_EXPORT_PROTO_H */
