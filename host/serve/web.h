/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * web.h - a server of HTTP for a few pages, by libmicrohttpd.
 *
 * Clients may hang, send half a request, not read their answer, or come by the thousand. So there
 * is one thread, a limit of connections, little memory for each of them (in the kernel, too: see
 * listen.c) and a time limit; and a client that comes when the table is nearly full takes the place
 * of the one that came first. The next scrape is therefore always the last that would have to wait.
 *
 * Locking: none; one thread runs everything, the answers included.
 */
#ifndef KMA_SERVE_WEB_H
#define KMA_SERVE_WEB_H

#include <stdbool.h>
#include <stddef.h>

#include "body.h"
#include "lib/err.h"
#include "listen.h"
#include "webconfig.h"

/* Who sent the request. */
struct kma_web_request {
	const char *path;   /* "/metrics" */
	const char *accept; /* header, "" without one */
	bool gzip;	    /* the client takes gzip */
	bool trusted;	    /* a user, a verified certificate, or a UNIX socket with a mode */
};

/* What is answered. Body and texts stay with the handler until it is called again. */
struct kma_web_answer {
	unsigned int status;   /* of HTTP */
	const char *type;      /* Content-Type */
	struct kma_body *body; /* clients that still read it are users of the body */
	const char *sentence;  /* for an answer without a body; copied */
	bool gzip;	       /* the body is packed, which the client has to undo */
	const char *file;      /* name to save it by, or NULL */
};

typedef void (*kma_web_fn)(void *arg, const struct kma_web_request *request,
			   struct kma_web_answer *ret);

/**
 * kma_web_run() - answer requests until a signal ends the program
 * @listeners: sockets that listen
 * @config: TLS and users
 * @answer: makes an answer
 * @arg: is given to @answer
 *
 * Only GET and HEAD are answered. With users in @config each request needs one.
 *
 * Return: an error; otherwise it does not return.
 */
struct kma_err *kma_web_run(const struct kma_listeners *listeners,
			    const struct kma_webconfig *config, kma_web_fn answer, void *arg);

#endif /* KMA_SERVE_WEB_H */
