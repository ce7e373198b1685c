// SPDX-License-Identifier: GPL-2.0-only
/*
 * scrapes.c - read series of a Prometheus server as accounts.
 *
 * Two queries are sent over the same steps. The first one gets the times of the scrapes:
 * timestamp() of a metric that each scrape has. The second one gets all series. Their numbers are
 * stored as a table with a row for each call site and a column for each step; NAN means "no series
 * at that step". The table takes 32 bytes for each site and step.
 *
 * A call site gets series when it becomes one of the largest (export/picks.h), and its counters
 * begin then. Its number of allocations therefore does not match its live objects. Allocations are
 * computed as frees plus live objects, whose differences between scrapes are right. If a counter of
 * one site falls, because the site lost its series and got them again, it is continued from where
 * it was, as rate() does. If the counters of the whole account fall, the account was restarted.
 */
#include <curl/curl.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/array.h"
#include "lib/cleanup.h"
#include "lib/err.h"
#include "lib/escape.h"
#include "lib/library.h"
#include "lib/plural.h"
#include "lib/strbuf.h"
#include "scrapes.h"

/*
 * Send one request to an HTTP server, with bounds for its time and its size.
 *
 * Never done here: following a redirect; taking a user or password from the command line, where
 * other users of the machine could read it. ~/.netrc may have them.
 */

#define KMA_HTTP_CONNECT 10	    /* s within which the server must accept the connection */
#define KMA_HTTP_SILENCE 30	    /* s without bytes after which the request ends */
#define KMA_HTTP_WHOLE	 300	    /* s for the whole answer */
#define KMA_HTTP_BYTES	 (32 << 20) /* bytes of an answer after decompression */

/* A field of the query, NAME=VALUE. The value is escaped here. */
struct kma_http_field {
	const char *name, *value;
};

#define CURL_DISABLE_TYPECHECK

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

/* Check the address of a server. */
static struct kma_err *http_check(const char *url)
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

/* Send a query and get the answer. */
static struct kma_err *http_get(const char *url, const char *path,
				const struct kma_http_field *fields, size_t nr, long *status,
				struct kma_strbuf *ret)
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

/*
 * The answer of a Prometheus server to a query over an interval: series with labels and
 * points.
 */

struct kma_answer;

static void answer_destroy(struct kma_answer *answer);

struct kma_answer {
	json_t *root;
	const json_t *series; /* in @root */
};

static const char *answer_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key)) ?: "";
}

/* The error for a refused query. The server's sentence may contain anything, so it is escaped. */
static struct kma_err *answer_refused(const char *name, long status, const json_t *root)
{
	_cleanup_strbuf_ struct kma_strbuf plain = { 0 };
	const char *why = answer_text(root, "error");

	if (*why) {
		kma_escape_plain(&plain, why);
		return kma_err_create(name, 0, "the server refuses the query: %s", plain.str);
	}
	return kma_err_create(
		name, 0,
		"the server answers with HTTP status %ld; give the address of a Prometheus server, with the path that a proxy adds",
		status);
}

/* Has each series labels and points? The points are checked one by one when they are read. */
static bool answer_is_whole(const json_t *series)
{
	if (!json_is_array(series))
		return false;
	for (size_t i = 0; i < json_array_size(series); i++) {
		const json_t *one = json_array_get(series, i);

		if (!json_is_object(json_object_get(one, "metric")) ||
		    !json_is_array(json_object_get(one, "values")))
			return false;
	}
	return true;
}

static struct kma_err *answer_take(const char *name, long status, struct kma_answer *answer)
{
	const json_t *data = json_object_get(answer->root, "data");

	if (status != 200 || strcmp(answer_text(answer->root, "status"), "success") != 0)
		return answer_refused(name, status, answer->root);
	answer->series = json_object_get(data, "result");
	if (strcmp(answer_text(data, "resultType"), "matrix") != 0 ||
	    !answer_is_whole(answer->series))
		return kma_err_create(
			name, 0,
			"the answer has no series; give the address of a Prometheus server");
	return NULL;
}

/*
 * It is an error if the server has refused the query (@status of HTTP), or the answer has another
 * form. @name is that of the server. @ret is NULL then.
 */
static struct kma_err *answer_parse(const char *name, long status, const struct kma_strbuf *text,
				    struct kma_answer **ret)
{
	struct kma_answer *answer;
	struct kma_err *err;
	json_error_t where;
	json_t *root;

	*ret = NULL;
	root = json_loadb(text->str ?: "", text->len, JSON_REJECT_DUPLICATES, &where);
	if (!root && json_error_code(&where) == json_error_out_of_memory)
		kma_atend_no_memory();
	if (!root && status != 200)
		return answer_refused(name, status, NULL);
	if (!root)
		return kma_err_create(
			name, 0,
			"the answer is not JSON at byte %d; give the address of a Prometheus server",
			where.position);
	answer = kma_xcalloc(1, sizeof(*answer));
	answer->root = root;
	err = answer_take(name, status, answer);
	if (err) {
		answer_destroy(answer);
		return err;
	}
	*ret = answer;
	return NULL;
}

static void answer_destroy(struct kma_answer *answer)
{
	if (!answer)
		return;
	json_decref(answer->root);
	free(answer);
}

static size_t answer_nr(const struct kma_answer *answer)
{
	return json_array_size(answer->series);
}

static const json_t *answer_member(const struct kma_answer *answer, size_t i, const char *key)
{
	return json_object_get(json_array_get(answer->series, i), key);
}

/* Valid as long as @answer; "" if series @i has no such label. */
static const char *answer_label(const struct kma_answer *answer, size_t i, const char *name)
{
	return answer_text(answer_member(answer, i, "metric"), name);
}

/*
 * Appends the labels of series @i as a matcher: 'instance="host:9770",job="kmem-account"', without
 * the metric's name.
 */
static void answer_labels(const struct kma_answer *answer, size_t i, struct kma_strbuf *out)
{
	const json_t *labels = answer_member(answer, i, "metric"), *value;
	const char *key, *comma = "";

	json_object_foreach((json_t *)labels, key, value)
	{
		_cleanup_strbuf_ struct kma_strbuf plain = { 0 };

		if (!strcmp(key, "__name__"))
			continue;
		kma_escape_plain(&plain, json_string_value(value) ?: "");
		kma_strbuf_printf(out, "%s%s=\"%s\"", comma, key, plain.str ?: "");
		comma = ",";
	}
}

static size_t answer_points(const struct kma_answer *answer, size_t i)
{
	return json_array_size(answer_member(answer, i, "values"));
}

/*
 * Point @n of series @i; @time is in s since 1970. False if the value is not a finite number of at
 * least 0: memory cannot be such.
 */
static bool answer_point(const struct kma_answer *answer, size_t i, size_t n, double *time,
			 double *value)
{
	const json_t *point = json_array_get(answer_member(answer, i, "values"), n);
	const char *text = json_string_value(json_array_get(point, 1));
	char *end;

	if (!json_is_number(json_array_get(point, 0)) || !text)
		return false;
	*time = json_number_value(json_array_get(point, 0));
	*value = strtod(text, &end);
	return end != text && !*end && isfinite(*value) && *value >= 0;
}

#define KMA_SCRAPES_PATH  "/api/v1/query_range"
#define KMA_SCRAPES_SHOWN 4 /* machines that an error message names */

enum kma_scrapes_number {
	KMA_SCRAPES_LIVE,
	KMA_SCRAPES_OBJECTS,
	KMA_SCRAPES_ALLOCS,
	KMA_SCRAPES_FREES,
	KMA_NR_SCRAPES_NUMBERS,
};

/* The metrics that are queried. The allocations of a call site are not, see above. */
static const struct {
	const char *name;
	enum kma_scrapes_number number;
	bool of_site; /* of a call site; otherwise of the whole account */
} kma_scrapes_metrics[] = {
	{ "kmem_account_live_bytes", KMA_SCRAPES_LIVE, false },
	{ "kmem_account_live_objects", KMA_SCRAPES_OBJECTS, false },
	{ "kmem_account_allocs_total", KMA_SCRAPES_ALLOCS, false },
	{ "kmem_account_frees_total", KMA_SCRAPES_FREES, false },
	{ "kmem_account_site_live_bytes", KMA_SCRAPES_LIVE, true },
	{ "kmem_account_site_live_objects", KMA_SCRAPES_OBJECTS, true },
	{ "kmem_account_site_frees_total", KMA_SCRAPES_FREES, true },
};

/* A call site, or the whole account: numbers for each step. */
struct kma_scrapes_row {
	char *caller; /* NULL: the whole account */
	enum kma_kind kind;
	double *numbers[KMA_NR_SCRAPES_NUMBERS]; /* by step; NAN: no series at that step */
};

struct kma_scrapes {
	const struct kma_scrapes_query *query;
	uint64_t begin, step; /* time of the first step, s since 1970; s between two steps */
	size_t nr_steps;
	double *times; /* s since 1970: time of the scrape of each step; NAN: no new scrape */
	struct kma_scrapes_row whole;
	struct kma_scrapes_row *rows;
	size_t nr, room;
	char **releases, **builds; /* of the kernel at each step; NULL: unknown */
	size_t odd;		   /* points with an invalid value, or outside all steps */
};

static double *scrapes_no_numbers(size_t steps)
{
	double *numbers = kma_xcalloc(steps, sizeof(*numbers));

	for (size_t i = 0; i < steps; i++)
		numbers[i] = NAN;
	return numbers;
}

static void scrapes_row_init(struct kma_scrapes_row *row, size_t steps)
{
	*row = (struct kma_scrapes_row){ 0 };
	for (unsigned int i = 0; i < KMA_NR_SCRAPES_NUMBERS; i++)
		row->numbers[i] = scrapes_no_numbers(steps);
}

static void scrapes_row_deinit(struct kma_scrapes_row *row)
{
	for (unsigned int i = 0; i < KMA_NR_SCRAPES_NUMBERS; i++)
		free(row->numbers[i]);
	free(row->caller);
}

static void scrapes_init(struct kma_scrapes *scrapes, const struct kma_scrapes_query *query)
{
	uint64_t covers = query->to - query->from;

	*scrapes = (struct kma_scrapes){ .query = query };
	scrapes->step = (covers + query->max - 1) / query->max ?: 1;
	scrapes->nr_steps = covers / scrapes->step + 1;
	scrapes->begin = query->to - (scrapes->nr_steps - 1) * scrapes->step;
	scrapes->times = scrapes_no_numbers(scrapes->nr_steps);
	scrapes->releases = kma_xcalloc(scrapes->nr_steps, sizeof(*scrapes->releases));
	scrapes->builds = kma_xcalloc(scrapes->nr_steps, sizeof(*scrapes->builds));
	scrapes_row_init(&scrapes->whole, scrapes->nr_steps);
}

static void scrapes_deinit(struct kma_scrapes *scrapes)
{
	for (size_t i = 0; i < scrapes->nr; i++)
		scrapes_row_deinit(&scrapes->rows[i]);
	for (size_t i = 0; i < scrapes->nr_steps; i++) {
		free(scrapes->releases[i]);
		free(scrapes->builds[i]);
	}
	scrapes_row_deinit(&scrapes->whole);
	free(scrapes->rows);
	free(scrapes->times);
	free(scrapes->releases);
	free(scrapes->builds);
}

static struct kma_err *scrapes_ask(const struct kma_scrapes *scrapes, const char *expression,
				   struct kma_answer **ret)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	char begin[24], end[24], step[24];
	const struct kma_http_field fields[] = {
		{ "query", expression },
		{ "start", begin },
		{ "end", end },
		{ "step", step },
	};
	struct kma_err *err;
	long status;

	snprintf(begin, sizeof(begin), "%" PRIu64, scrapes->begin);
	snprintf(end, sizeof(end), "%" PRIu64, scrapes->query->to);
	snprintf(step, sizeof(step), "%" PRIu64, scrapes->step);
	err = http_get(scrapes->query->url, KMA_SCRAPES_PATH, fields, ARRAY_SIZE(fields), &status,
		       &text);
	return err ?: answer_parse(scrapes->query->url, status, &text, ret);
}

/* Get the step and the value of a point; false, and counted, if it cannot be used. */
static bool scrapes_point(struct kma_scrapes *scrapes, const struct kma_answer *answer, size_t i,
			  size_t n, size_t *step, double *value)
{
	double time, at;

	if (answer_point(answer, i, n, &time, value)) {
		at = (time - scrapes->begin) / scrapes->step;
		if (at > -0.5 && at < scrapes->nr_steps - 0.5) {
			*step = llround(at);
			return true;
		}
	}
	scrapes->odd++;
	return false;
}

/* Refuse series of several machines: they cannot be added, and none of them is the right one. */
static struct kma_err *scrapes_one(const struct kma_scrapes *scrapes,
				   const struct kma_answer *answer)
{
	const struct kma_scrapes_query *query = scrapes->query;
	_cleanup_strbuf_ struct kma_strbuf names = { 0 };
	size_t nr = answer_nr(answer);

	if (!nr)
		return kma_err_create_kind(
			KMA_ERR_NOT_FOUND, query->url, 0,
			"no series kmem_account_live_bytes%s%s%s in this interval; let Prometheus scrape 'kmem-account serve', or choose another interval with --from and --to",
			query->match ? "{" : "", query->match ?: "", query->match ? "}" : "");
	if (nr == 1)
		return NULL;
	for (size_t i = 0; i < nr && i < KMA_SCRAPES_SHOWN; i++) {
		kma_strbuf_puts(&names, i ? " or '" : "'");
		answer_labels(answer, i, &names);
		kma_strbuf_puts(&names, "'");
	}
	return kma_err_create(query->url, 0,
			      "the series are of %zu machines; choose one with --match %s%s", nr,
			      names.str, nr > KMA_SCRAPES_SHOWN ? " or another" : "");
}

/* Get the time of the scrape of each step. A step without a new scrape repeats the last one. */
static struct kma_err *scrapes_times(struct kma_scrapes *scrapes)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	struct kma_answer *answer = NULL;
	double value, last = -1;
	struct kma_err *err;
	size_t step;

	kma_strbuf_printf(&text, "timestamp(kmem_account_live_bytes{%s})",
			  scrapes->query->match ?: "");
	err = scrapes_ask(scrapes, text.str, &answer) ?: scrapes_one(scrapes, answer);
	for (size_t n = 0; !err && n < answer_points(answer, 0); n++)
		if (scrapes_point(scrapes, answer, 0, n, &step, &value) && value > last)
			scrapes->times[step] = last = value;
	answer_destroy(answer);
	return err;
}

static bool scrapes_is(const struct kma_scrapes_row *row, const char *caller, enum kma_kind kind)
{
	return row->kind == kind && !strcmp(row->caller, caller);
}

static enum kma_kind scrapes_kind(const char *name)
{
	for (unsigned int i = 0; i < KMA_NR_KINDS; i++)
		if (!strcmp(kma_kind_names[i], name))
			return i;
	return KMA_KIND_UNKNOWN;
}

/* Find or add the row of a series. Call sites that differ only in their directory share a row. */
static struct kma_scrapes_row *scrapes_row_of(struct kma_scrapes *scrapes,
					      const struct kma_answer *answer, size_t i)
{
	enum kma_kind kind = scrapes_kind(answer_label(answer, i, "kind"));
	const char *module = answer_label(answer, i, "module");
	_cleanup_strbuf_ struct kma_strbuf caller = { 0 };
	struct kma_scrapes_row *row;

	kma_strbuf_puts(&caller, answer_label(answer, i, "site"));
	if (*module && strcmp(module, "vmlinux") != 0)
		kma_strbuf_printf(&caller, " [%s]", module);
	for (size_t n = 0; n < scrapes->nr; n++)
		if (scrapes_is(&scrapes->rows[n], caller.str ?: "", kind))
			return &scrapes->rows[n];
	kma_array_room(scrapes->rows, scrapes->nr, scrapes->room);
	row = &scrapes->rows[scrapes->nr++];
	scrapes_row_init(row, scrapes->nr_steps);
	row->kind = kind;
	row->caller = kma_xstrdup(caller.str ?: "");
	return row;
}

static void scrapes_series(struct kma_scrapes *scrapes, const struct kma_answer *answer, size_t i,
			   double *to)
{
	double value;
	size_t step;

	for (size_t n = 0; n < answer_points(answer, i); n++)
		if (scrapes_point(scrapes, answer, i, n, &step, &value))
			to[step] = (isnan(to[step]) ? 0 : to[step]) + value;
}

static void scrapes_info(struct kma_scrapes *scrapes, const struct kma_answer *answer, size_t i)
{
	double value;
	size_t step;

	for (size_t n = 0; n < answer_points(answer, i); n++) {
		if (!scrapes_point(scrapes, answer, i, n, &step, &value))
			continue;
		free(scrapes->releases[step]);
		free(scrapes->builds[step]);
		scrapes->releases[step] = kma_xstrdup(answer_label(answer, i, "release"));
		scrapes->builds[step] = kma_xstrdup(answer_label(answer, i, "build_id"));
	}
}

static void scrapes_take(struct kma_scrapes *scrapes, const struct kma_answer *answer, size_t i)
{
	const char *name = answer_label(answer, i, "__name__");
	struct kma_scrapes_row *row = &scrapes->whole;

	if (!strcmp(name, "kmem_account_info")) {
		scrapes_info(scrapes, answer, i);
		return;
	}
	for (size_t n = 0; n < ARRAY_SIZE(kma_scrapes_metrics); n++) {
		if (strcmp(kma_scrapes_metrics[n].name, name) != 0)
			continue;
		/*
		 * Skip the series of all other sites: it is the sum of different sites each time.
		 */
		if (kma_scrapes_metrics[n].of_site &&
		    !strcmp(answer_label(answer, i, "site"), "other"))
			return;
		if (kma_scrapes_metrics[n].of_site)
			row = scrapes_row_of(scrapes, answer, i);
		scrapes_series(scrapes, answer, i, row->numbers[kma_scrapes_metrics[n].number]);
	}
}

static struct kma_err *scrapes_numbers(struct kma_scrapes *scrapes)
{
	_cleanup_strbuf_ struct kma_strbuf text = { 0 };
	const char *match = scrapes->query->match;
	struct kma_answer *answer;
	struct kma_err *err;

	kma_strbuf_puts(&text, "{__name__=~\"kmem_account_info");
	for (size_t i = 0; i < ARRAY_SIZE(kma_scrapes_metrics); i++)
		kma_strbuf_printf(&text, "|%s", kma_scrapes_metrics[i].name);
	kma_strbuf_printf(&text, "\"%s%s}", match ? "," : "", match ?: "");
	err = scrapes_ask(scrapes, text.str, &answer);
	if (err)
		return err;
	for (size_t i = 0; i < answer_nr(answer); i++)
		scrapes_take(scrapes, answer, i);
	answer_destroy(answer);
	return NULL;
}

/* If a counter of a call site falls, but not those of the account, continue it. */
static void scrapes_go_on(struct kma_scrapes *scrapes, double *counter)
{
	const double *whole = scrapes->whole.numbers[KMA_SCRAPES_ALLOCS];
	double before = 0, last = 0, allocs = 0;

	for (size_t i = 0; i < scrapes->nr_steps; i++) {
		double value = counter[i];

		/* The account was restarted, and all counters with it. */
		if (whole[i] < allocs)
			before = last = 0;
		if (!isnan(whole[i]))
			allocs = whole[i];
		if (isnan(value))
			continue;
		if (value < last)
			before += last;
		last = value;
		counter[i] = before + value;
	}
}

static uint64_t scrapes_u64(double number)
{
	return number < 1e18 ? (uint64_t)llround(number) : 1000000000000000000ULL;
}

/* Add a call site to the account of a step, unless it has no series at that step. */
static struct kma_err *scrapes_site(const struct kma_scrapes_row *row, size_t step, bool has_counts,
				    struct kma_account *account)
{
	struct kma_values values = { 0 };
	struct kma_err *err;

	if (isnan(row->numbers[KMA_SCRAPES_LIVE][step]))
		return NULL;
	values.current = scrapes_u64(row->numbers[KMA_SCRAPES_LIVE][step]);
	if (has_counts && !isnan(row->numbers[KMA_SCRAPES_OBJECTS][step]) &&
	    !isnan(row->numbers[KMA_SCRAPES_FREES][step])) {
		values.objects = scrapes_u64(row->numbers[KMA_SCRAPES_OBJECTS][step]);
		values.frees = scrapes_u64(row->numbers[KMA_SCRAPES_FREES][step]);
		values.allocs = values.frees + values.objects;
	}
	err = kma_account_add_site(account, row->caller, strlen(row->caller), &values);
	if (err)
		return err;
	kma_account_set_place(account, row->kind, NULL);
	return NULL;
}

static struct kma_err *scrapes_fill(const struct kma_scrapes *scrapes, size_t step,
				    struct kma_account *account)
{
	const struct kma_scrapes_row *whole = &scrapes->whole;
	bool has_counts = !isnan(whole->numbers[KMA_SCRAPES_ALLOCS][step]) &&
			  !isnan(whole->numbers[KMA_SCRAPES_FREES][step]) &&
			  !isnan(whole->numbers[KMA_SCRAPES_OBJECTS][step]);
	struct kma_values totals = { .current =
					     scrapes_u64(whole->numbers[KMA_SCRAPES_LIVE][step]) };
	struct kma_err *err;
	size_t nr;

	kma_account_put_note(account, KMA_NOTE_CHOSEN, "those with series");
	if (scrapes->releases[step] && *scrapes->releases[step])
		kma_account_put_note(account, KMA_NOTE_RELEASE, scrapes->releases[step]);
	if (scrapes->builds[step] && *scrapes->builds[step])
		kma_account_put_note(account, KMA_NOTE_BUILD_ID, scrapes->builds[step]);
	for (size_t i = 0; i < scrapes->nr; i++) {
		err = scrapes_site(&scrapes->rows[i], step, has_counts, account);
		if (err)
			return err;
	}
	if (has_counts) {
		totals.objects = scrapes_u64(whole->numbers[KMA_SCRAPES_OBJECTS][step]);
		totals.allocs = scrapes_u64(whole->numbers[KMA_SCRAPES_ALLOCS][step]);
		totals.frees = scrapes_u64(whole->numbers[KMA_SCRAPES_FREES][step]);
	}
	kma_account_set_metrics(
		account,
		1U << KMA_CURRENT |
			(has_counts ? 1U << KMA_ALLOCS | 1U << KMA_FREES | 1U << KMA_OBJECTS : 0));
	kma_account_sites(account, &nr);
	kma_account_set_totals(account, &totals, nr);
	return kma_account_finish(account);
}

static struct kma_err *
scrapes_step(const struct kma_scrapes *scrapes, size_t step,
	     struct kma_err *(*fn)(void *arg, struct kma_account *account, double time), void *arg)
{
	struct kma_account *account;
	struct kma_err *err;

	if (isnan(scrapes->times[step]) || isnan(scrapes->whole.numbers[KMA_SCRAPES_LIVE][step]))
		return NULL;
	account = kma_account_create(scrapes->query->url);
	err = scrapes_fill(scrapes, step, account);
	if (err) {
		kma_account_destroy(account);
		return err;
	}
	return fn(arg, account, scrapes->times[step]);
}

struct kma_err *kma_scrapes_each(const struct kma_scrapes_query *query,
				 struct kma_err *(*fn)(void *arg, struct kma_account *account,
						       double time),
				 void *arg, struct kma_notes *notes)
{
	struct kma_scrapes scrapes;
	struct kma_err *err;

	err = http_check(query->url);
	if (err)
		return err;
	scrapes_init(&scrapes, query);
	err = scrapes_times(&scrapes) ?: scrapes_numbers(&scrapes);
	for (size_t i = 0; i < scrapes.nr && !err; i++)
		scrapes_go_on(&scrapes, scrapes.rows[i].numbers[KMA_SCRAPES_FREES]);
	for (size_t i = 0; i < scrapes.nr_steps && !err; i++)
		err = scrapes_step(&scrapes, i, fn, arg);
	if (!err && scrapes.odd)
		kma_notes_add(notes, "%s: left out %zu %s with an invalid value or time",
			      query->url, scrapes.odd, kma_plural(scrapes.odd, "point", "points"));
	scrapes_deinit(&scrapes);
	return err;
}
