// SPDX-License-Identifier: GPL-2.0-only
/*
 * proto.c - the wire format of protocol buffers.
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
	out->failed |= message->failed;
	message->len = 0;
}
