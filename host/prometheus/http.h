/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * http.h - one request of a server's interface, with bounds for its time and its size.
 *
 * Never done here: no redirect is followed, and no user or password is taken from the command line,
 * where other users of the machine can read it. ~/.netrc may have them.
 */
#ifndef KMA_PROMETHEUS_HTTP_H
#define KMA_PROMETHEUS_HTTP_H

#include "lib/err.h"
#include "lib/strbuf.h"

#define KMA_HTTP_CONNECT 10	    /* s until the server has to take the connection */
#define KMA_HTTP_SILENCE 30	    /* s without bytes, after which a server hangs */
#define KMA_HTTP_WHOLE	 300	    /* s for the whole answer */
#define KMA_HTTP_BYTES	 (32 << 20) /* of an unpacked answer */

/* A field of the query: NAME=VALUE, which is escaped here. */
struct kma_http_field {
	const char *name, *value;
};

/**
 * kma_http_check() - is a text an address that can be asked?
 * @url: http://HOST[:PORT][/PATH], or https
 *
 * Return: NULL or an error of kind KMA_ERR_USAGE.
 */
struct kma_err *kma_http_check(const char *url);

/**
 * kma_http_get() - ask a server
 * @url: of the server, without the path
 * @path: begins with "/"
 * @fields: of the query
 * @nr: how many
 * @status: of the answer, for example 200
 * @ret: the answer is appended
 *
 * Return: NULL or an error: no connection, no answer in time, an answer that is too large.
 */
struct kma_err *kma_http_get(const char *url, const char *path, const struct kma_http_field *fields,
			     size_t nr, long *status, struct kma_strbuf *ret);

#endif /* KMA_PROMETHEUS_HTTP_H */
