/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * web.h - an HTTP server for a few pages, with libmicrohttpd.
 *
 * Clients may hang, send half a request, not read their answer, or come in thousands. The server
 * therefore has one thread, and bounds for each socket: 256 connections, 4 KiB of headers for each,
 * 64 KiB of unsent bytes in the kernel (listen.c), and 30 s without a byte. From KMA_WEB_FULL
 * connections on, a new client takes the place of the oldest one. A scrape is therefore never
 * refused because others hang.
 *
 * A request is answered only if all of these hold: it is GET or HEAD; on loopback its Host header
 * names this machine, which stops DNS rebinding; a required client certificate is valid; and a user
 * has authenticated itself, if there are users.
 *
 * Locking: none; one thread runs everything, including the handler that makes answers.
 */
#ifndef KMA_SERVE_WEB_H
#define KMA_SERVE_WEB_H

#include <stdbool.h>
#include <stddef.h>

#include "body.h"
#include "lib/err.h"
#include "listen.h"
#include "webconfig.h"

/* A request that is permitted. */
struct kma_web_request {
	const char *path;   /* "/metrics" */
	const char *accept; /* its header Accept; "" without one */
	bool gzip;	    /* the client accepts gzip */
	bool trusted;	    /* a user, a verified certificate, or a guarded UNIX socket */
};

/* An answer. Body and texts belong to the handler, and must stay until it is called again. */
struct kma_web_answer {
	unsigned int status;   /* HTTP status */
	const char *type;      /* Content-Type */
	struct kma_body *body; /* clients that are still reading it are users of the body */
	const char *sentence;  /* text of an answer without a body; copied */
	bool gzip;	       /* the body is compressed with gzip */
	const char *file;      /* name under which a browser saves the answer, or NULL */
};

/* The handler, which makes the answer to a request. */
typedef void (*kma_web_fn)(void *arg, const struct kma_web_request *request,
			   struct kma_web_answer *ret);

/* Says where it listens, and answers requests until a signal ends the program, or returns an error. */
struct kma_err *kma_web_run(const struct kma_listeners *listeners,
			    const struct kma_webconfig *config, kma_web_fn answer, void *arg);

#endif /* KMA_SERVE_WEB_H */
