/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * body.h - the bytes of an answer, shared by all clients that get the same answer.
 *
 * A client that does not read keeps its answer until the server drops the client. If each client
 * had a copy, 192 such clients (KMA_WEB_FULL) would keep 192 copies.
 *
 * Locking: none; the one thread of the server counts the users.
 */
#ifndef KMA_SERVE_BODY_H
#define KMA_SERVE_BODY_H

#include <stddef.h>

#include "lib/err.h"
#include "lib/strbuf.h"

struct kma_body {
	unsigned int users; /* the last one frees the body */
	size_t len;	    /* bytes */
	char bytes[];
};

/* Copies @text into a body with one user. */
struct kma_body *kma_body_create(const struct kma_strbuf *text);

void kma_body_get(struct kma_body *body);

/* The last user frees the body. NULL is fine. */
void kma_body_put(struct kma_body *body);

/* The same for a user that knows only the member @bytes. */
void kma_body_put_bytes(void *bytes);

#endif /* KMA_SERVE_BODY_H */
