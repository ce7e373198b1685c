// SPDX-License-Identifier: GPL-2.0-only
/*
 * http.c - send one request with libcurl. The library is loaded when it is needed: with all that it
 * needs, it would add two thirds to the time in which each command of this program starts.
 */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <dlfcn.h>
#include <string.h>

#include "http.h"
#include "lib/cleanup.h"

#define KMA_CURL(name) typeof(curl_##name) *name

/* The functions of libcurl that are used here. */
static struct {
	KMA_CURL(easy_init);
	KMA_CURL(easy_cleanup);
	KMA_CURL(easy_setopt);
	KMA_CURL(easy_perform);
	KMA_CURL(easy_getinfo);
	KMA_CURL(easy_strerror);
	KMA_CURL(easy_escape);
	KMA_CURL(free);
} kma_curl;

static const struct {
	const char *name;
	void **to;
} kma_curl_functions[] = {
	{ "curl_easy_init", (void **)&kma_curl.easy_init },
	{ "curl_easy_cleanup", (void **)&kma_curl.easy_cleanup },
	{ "curl_easy_setopt", (void **)&kma_curl.easy_setopt },
	{ "curl_easy_perform", (void **)&kma_curl.easy_perform },
	{ "curl_easy_getinfo", (void **)&kma_curl.easy_getinfo },
	{ "curl_easy_strerror", (void **)&kma_curl.easy_strerror },
	{ "curl_easy_escape", (void **)&kma_curl.easy_escape },
	{ "curl_free", (void **)&kma_curl.free },
};

/*
 * First the one with GnuTLS, which this program uses anyway; some distributions have only another.
 */
static const char *const kma_curl_names[] = { "libcurl-gnutls.so.4", "libcurl.so.4" };

/* Load the library, which stays loaded. */
static struct kma_err *kma_http_load(void)
{
	void *library = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(kma_curl_names) && !library; i++)
		library = dlopen(kma_curl_names[i], RTLD_NOW);
	if (!library)
		return kma_err_create(NULL, 0,
				      "cannot load libcurl: install libcurl3-gnutls or libcurl");
	for (size_t i = 0; i < ARRAY_SIZE(kma_curl_functions); i++) {
		*kma_curl_functions[i].to = dlsym(library, kma_curl_functions[i].name);
		if (!*kma_curl_functions[i].to)
			return kma_err_create(NULL, 0, "libcurl lacks the function %s",
					      kma_curl_functions[i].name);
	}
	return NULL;
}

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

static size_t kma_http_write(char *bytes, size_t size, size_t nr, void *arg)
{
	struct kma_http_body *body = arg;

	if (body->text->len + size * nr > KMA_HTTP_BYTES) {
		body->is_too_large = true;
		return 0;
	}
	kma_strbuf_add(body->text, bytes, size * nr);
	return kma_strbuf_ok(body->text) ? size * nr : 0;
}

static struct kma_err *kma_http_url(CURL *curl, const char *url, const char *path,
				    const struct kma_http_field *fields, size_t nr,
				    struct kma_strbuf *ret)
{
	size_t len = strlen(url);

	while (len && url[len - 1] == '/')
		len--;
	kma_strbuf_add(ret, url, len);
	kma_strbuf_puts(ret, path);
	for (size_t i = 0; i < nr; i++) {
		char *value = kma_curl.easy_escape(curl, fields[i].value, 0);

		if (!value)
			return &kma_enomem;
		kma_strbuf_printf(ret, "%c%s=%s", i ? '&' : '?', fields[i].name, value);
		kma_curl.free(value);
	}
	return kma_strbuf_ok(ret) ? NULL : &kma_enomem;
}

static struct kma_err *kma_http_error(const char *url, CURLcode code, const char *why,
				      const struct kma_http_body *body)
{
	if (!kma_strbuf_ok(body->text))
		return &kma_enomem;
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

static struct kma_err *kma_http_do(CURL *curl, const char *url, const char *whole, long *status,
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
	kma_curl.easy_setopt(curl, CURLOPT_WRITEFUNCTION, kma_http_write);
	kma_curl.easy_setopt(curl, CURLOPT_WRITEDATA, &body);
	code = kma_curl.easy_perform(curl);
	if (code)
		return kma_http_error(url, code, why, &body);
	kma_curl.easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
	return NULL;
}

struct kma_err *kma_http_get(const char *url, const char *path, const struct kma_http_field *fields,
			     size_t nr, long *status, struct kma_strbuf *ret)
{
	_cleanup_strbuf_ struct kma_strbuf whole = { 0 };
	struct kma_err *err = kma_http_load();
	CURL *curl;

	if (err)
		return err;
	curl = kma_curl.easy_init();
	if (!curl)
		return &kma_enomem;
	err = kma_http_url(curl, url, path, fields, nr, &whole);
	if (!err)
		err = kma_http_do(curl, url, whole.str, status, ret);
	kma_curl.easy_cleanup(curl);
	return err;
}
