/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * proto.h - write the wire format of protocol buffers, as far as pprof needs it
 * (protobuf.dev/programming-guides/encoding). A message within a message is first written to a
 * string of its own, because its length comes before it.
 */
#ifndef KMA_EXPORT_PROTO_H
#define KMA_EXPORT_PROTO_H

#include <stddef.h>
#include <stdint.h>

#include "lib/strbuf.h"

/**
 * kma_proto_varint() - append a number without a field, as packed lists have it
 * @out: the bytes are appended
 * @value: the number; a negative one, cast to unsigned, takes ten bytes
 */
void kma_proto_varint(struct kma_strbuf *out, uint64_t value);

/**
 * kma_proto_number() - append a field with a number
 * @out: the bytes are appended
 * @field: number of the field
 * @value: its value; for 0, the default of all fields, nothing is written
 */
void kma_proto_number(struct kma_strbuf *out, unsigned int field, uint64_t value);

/**
 * kma_proto_text() - append a field with a text
 * @out: the bytes are appended
 * @field: number of the field
 * @text: terminated, UTF-8; an empty text is written, too, because lists contain such
 */
void kma_proto_text(struct kma_strbuf *out, unsigned int field, const char *text);

/**
 * kma_proto_message() - append a field with a message or a packed list
 * @out: the bytes are appended
 * @field: number of the field
 * @message: bytes of the message; emptied, so that it can be used again
 */
void kma_proto_message(struct kma_strbuf *out, unsigned int field, struct kma_strbuf *message);

#endif /* KMA_EXPORT_PROTO_H */
