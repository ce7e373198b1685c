/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * http.h - send one request to an HTTP server, with bounds for its time and its size.
 *
 * Never done here: following a redirect; taking a user or password from the command line, where
 * other users of the machine could read it. ~/.netrc may have them.
 */
#ifndef KMA_PROMETHEUS_HTTP_H
#define KMA_PROMETHEUS_HTTP_H

#include "lib/err.h"
#include "lib/strbuf.h"

#define KMA_HTTP_CONNECT 10	    /* s within which the server must accept the connection */
#define KMA_HTTP_SILENCE 30	    /* s without bytes after which the request ends */
#define KMA_HTTP_WHOLE	 300	    /* s for the whole answer */
#define KMA_HTTP_BYTES	 (32 << 20) /* bytes of an answer after decompression */

/* A field of the query, NAME=VALUE. The value is escaped here. */
struct kma_http_field {
	const char *name, *value;
};

/**
 * kma_http_check() - check the address of a server
 * @url: http://HOST[:PORT][/PATH], or https
 *
 * Return: NULL or an error of kind KMA_ERR_USAGE.
 */
struct kma_err *kma_http_check(const char *url);

/**
 * kma_http_get() - send a query and get the answer
 * @url: address of the server
 * @path: path of the query, begins with "/"
 * @fields: fields of the query
 * @nr: number of fields
 * @status: HTTP status of the answer, for example 200
 * @ret: the answer is appended
 *
 * Return: NULL, or an error: no connection, no answer in time, or an answer that is too large. An
 * HTTP status other than 200 is not an error here.
 */
struct kma_err *kma_http_get(const char *url, const char *path, const struct kma_http_field *fields,
			     size_t nr, long *status, struct kma_strbuf *ret);

#endif /* KMA_PROMETHEUS_HTTP_H */
