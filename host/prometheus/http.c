// SPDX-License-Identifier: GPL-2.0-only
/*
 * http.c - send one request with libcurl, which is loaded for that.
 */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <string.h>

#include "http.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/library.h"

/* The functions of libcurl that are used here. */
/* clang-format off */
#define KMA_CURL_FUNCTIONS(F) \
	F(curl, easy_init) F(curl, easy_cleanup) F(curl, easy_setopt) F(curl, easy_perform) \
	F(curl, easy_getinfo) F(curl, easy_strerror) F(curl, easy_escape) F(curl, free)
/* clang-format on */

static struct {
	KMA_CURL_FUNCTIONS(KMA_LIBRARY_POINTER)
} kma_curl;

static const char *const curl_names[] = { KMA_CURL_FUNCTIONS(KMA_LIBRARY_NAME) };

/* First the one with GnuTLS, which serve uses, too; some distributions have only another. */
static const struct kma_library curl_library = {
	"libcurl",
	{ "libcurl-gnutls.so.4", "libcurl.so.4" },
	"libcurl3-gnutls or libcurl",
	KMA_LIBRARY_FUNCTIONS(kma_curl, curl_names),
};

/* The answer so far. */
struct kma_http_body {
	struct kma_strbuf *text;
	bool is_too_large;
};

struct kma_err *kma_http_check(const char *url)
{
	const char *host = strstr(url, "://");
	size_t len;

	if (!host || (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0) ||
	    !host[3])
		return kma_err_create_kind(KMA_ERR_USAGE, NULL, 0,
					   "invalid address '%s' (expected http://HOST:PORT)", url);
	host += 3;
	len = strcspn(host, "/");
	if (memchr(host, '@', len))
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"the address has a user or a password, which other users of this machine can read; put them into ~/.netrc");
	if (strpbrk(host, "?#"))
		return kma_err_create_kind(
			KMA_ERR_USAGE, NULL, 0,
			"invalid address '%s' (expected http://HOST:PORT without a query)", url);
	return NULL;
}

static size_t http_write(char *bytes, size_t size, size_t nr, void *arg)
{
	struct kma_http_body *body = arg;

	if (body->text->len + size * nr > KMA_HTTP_BYTES) {
		body->is_too_large = true;
		return 0;
	}
	kma_strbuf_add(body->text, bytes, size * nr);
	return size * nr;
}

static void http_url(CURL *curl, const char *url, const char *path,
		     const struct kma_http_field *fields, size_t nr, struct kma_strbuf *ret)
{
	size_t len = strlen(url);

	while (len && url[len - 1] == '/')
		len--;
	kma_strbuf_add(ret, url, len);
	kma_strbuf_puts(ret, path);
	for (size_t i = 0; i < nr; i++) {
		char *value = kma_xmem(kma_curl.easy_escape(curl, fields[i].value, 0));

		kma_strbuf_printf(ret, "%c%s=%s", i ? '&' : '?', fields[i].name, value);
		kma_curl.free(value);
	}
}

static struct kma_err *http_error(const char *url, CURLcode code, const char *why,
				  const struct kma_http_body *body)
{
	if (body->is_too_large)
		return kma_err_create(
			url, 0,
			"the answer is larger than %d MiB; choose a shorter interval with --from and --to",
			KMA_HTTP_BYTES >> 20);
	if (code == CURLE_OPERATION_TIMEDOUT)
		return kma_err_create(
			url, 0,
			"the server does not answer: no connection within %d s, or no data for %d s",
			KMA_HTTP_CONNECT, KMA_HTTP_SILENCE);
	return kma_err_create_kind(KMA_ERR_NOT_READABLE, url, 0, "cannot query this server: %s",
				   *why ? why : kma_curl.easy_strerror(code));
}

static struct kma_err *http_do(CURL *curl, const char *url, const char *whole, long *status,
			       struct kma_strbuf *ret)
{
	struct kma_http_body body = { .text = ret };
	char why[CURL_ERROR_SIZE] = "";
	CURLcode code;

	kma_curl.easy_setopt(curl, CURLOPT_URL, whole);
	kma_curl.easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
	kma_curl.easy_setopt(curl, CURLOPT_USERAGENT, "kmem-account");
	kma_curl.easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
	kma_curl.easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_OPTIONAL);
	kma_curl.easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	kma_curl.easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)KMA_HTTP_CONNECT);
	kma_curl.easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 10L);
	kma_curl.easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)KMA_HTTP_SILENCE);
	kma_curl.easy_setopt(curl, CURLOPT_TIMEOUT, (long)KMA_HTTP_WHOLE);
	kma_curl.easy_setopt(curl, CURLOPT_ERRORBUFFER, why);
	kma_curl.easy_setopt(curl, CURLOPT_WRITEFUNCTION, http_write);
	kma_curl.easy_setopt(curl, CURLOPT_WRITEDATA, &body);
	code = kma_curl.easy_perform(curl);
	if (code)
		return http_error(url, code, why, &body);
	kma_curl.easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
	return NULL;
}

struct kma_err *kma_http_get(const char *url, const char *path, const struct kma_http_field *fields,
			     size_t nr, long *status, struct kma_strbuf *ret)
{
	_cleanup_strbuf_ struct kma_strbuf whole = { 0 };
	struct kma_err *err = kma_library_load(&curl_library);
	CURL *curl;

	if (err)
		return err;
	curl = kma_xmem(kma_curl.easy_init());
	http_url(curl, url, path, fields, nr, &whole);
	err = http_do(curl, url, whole.str, status, ret);
	kma_curl.easy_cleanup(curl);
	return err;
}
