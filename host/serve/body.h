/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * body.h - the bytes of an answer, shared by all clients that get the same answer.
 *
 * A client that does not read keeps its answer until the server drops the client. If each client had a
 * copy, 192 such clients would keep 192 copies.
 *
 * Locking: none; the users are counted by the one thread of the server.
 */
#ifndef KMA_SERVE_BODY_H
#define KMA_SERVE_BODY_H

#include <stddef.h>

#include "lib/err.h"
#include "lib/strbuf.h"

struct kma_body {
	unsigned int users;
	size_t len;
	char bytes[];
};

/**
 * kma_body_create() - make a body with one user
 * @text: its bytes, which are copied
 * @ret: the body; to be given to kma_body_put()
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_body_create(const struct kma_strbuf *text, struct kma_body **ret);

/**
 * kma_body_get() - add a user
 * @body: the body
 */
void kma_body_get(struct kma_body *body);

/**
 * kma_body_put() - remove a user; the last one frees the body
 * @body: the body; NULL is fine
 */
void kma_body_put(struct kma_body *body);

/**
 * kma_body_put_bytes() - the same, for a user that knows only the bytes
 * @bytes: member @bytes of a body
 */
void kma_body_put_bytes(void *bytes);

#endif /* KMA_SERVE_BODY_H */
