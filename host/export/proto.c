// SPDX-License-Identifier: GPL-2.0-only
/*
 * proto.c - the wire format of protocol buffers.
 *
 * A message is a sequence of fields. A field is a tag, which has the number of the field and the
 * wire type, and a value. Only two wire types are written: numbers (varint) and bytes with a length
 * in front of them, which are texts, packed lists and messages. pprof's profile.proto needs no
 * others.
 *
 * Numbers are written without a sign: a negative int64 takes ten bytes, as the format requires; the
 * zigzag form (sint64) is not supported. A number that is 0 is left out, because 0 is the default.
 * Nothing is read back and nothing is checked against a schema: the callers know the numbers and
 * types of their fields.
 */
#include <string.h>

#include "proto.h"

/* How the value of a field is written: the low three bits of its tag. */
enum { KMA_PROTO_VARINT = 0, KMA_PROTO_BYTES = 2 };

void kma_proto_varint(struct kma_strbuf *out, uint64_t value)
{
	char bytes[10];
	size_t len = 0;

	/* Seven bits in a byte, the lowest first; the top bit says that more follow. */
	for (; value > 0x7f; value >>= 7)
		bytes[len++] = value | 0x80;
	bytes[len++] = value;
	kma_strbuf_add(out, bytes, len);
}

static void kma_proto_tag(struct kma_strbuf *out, unsigned int field, unsigned int type)
{
	kma_proto_varint(out, field << 3 | type);
}

void kma_proto_number(struct kma_strbuf *out, unsigned int field, uint64_t value)
{
	if (!value)
		return;
	kma_proto_tag(out, field, KMA_PROTO_VARINT);
	kma_proto_varint(out, value);
}

static void kma_proto_bytes(struct kma_strbuf *out, unsigned int field, const char *bytes,
			    size_t len)
{
	kma_proto_tag(out, field, KMA_PROTO_BYTES);
	kma_proto_varint(out, len);
	kma_strbuf_add(out, bytes, len);
}

void kma_proto_text(struct kma_strbuf *out, unsigned int field, const char *text)
{
	kma_proto_bytes(out, field, text, strlen(text));
}

void kma_proto_message(struct kma_strbuf *out, unsigned int field, struct kma_strbuf *message)
{
	kma_proto_bytes(out, field, message->str ?: "", message->len);
	message->len = 0;
}
