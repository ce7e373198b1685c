// SPDX-License-Identifier: GPL-2.0-only
/*
 * body.c - the bytes of an answer, with the number of their users.
 */
#include <stdlib.h>
#include <string.h>

#include "body.h"
#include "lib/alloc.h"

struct kma_body *kma_body_create(const struct kma_strbuf *text)
{
	struct kma_body *body = kma_xmalloc(sizeof(*body) + text->len);

	body->users = 1;
	body->len = text->len;
	if (text->len)
		memcpy(body->bytes, text->str, text->len);
	return body;
}

void kma_body_get(struct kma_body *body)
{
	body->users++;
}

void kma_body_put(struct kma_body *body)
{
	if (body && !--body->users)
		free(body);
}

void kma_body_put_bytes(void *bytes)
{
	kma_body_put((struct kma_body *)((char *)bytes - offsetof(struct kma_body, bytes)));
}
