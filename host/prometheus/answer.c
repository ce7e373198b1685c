// SPDX-License-Identifier: GPL-2.0-only
/*
 * answer.c - parse the JSON of /api/v1/query_range, with libjansson:
 *
 *	{"status": "success", "data": {"resultType": "matrix", "result": [
 *	 {"metric": {"__name__": "...", "LABEL": "VALUE"}, "values": [[TIME, "VALUE"], ...]}, ...]}}
 *
 * An error of the server has "status": "error" and a sentence in "error". The answer comes from
 * another machine: its form is checked, and its texts are escaped before they are shown.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "lib/alloc.h"
#include "lib/cleanup.h"
#include "lib/escape.h"

struct kma_answer {
	json_t *root;
	const json_t *series; /* in @root */
};

static const char *kma_answer_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key)) ?: "";
}

/* The error for a refused query. The server's sentence may contain anything, so it is escaped. */
static struct kma_err *kma_answer_refused(const char *name, long status, const json_t *root)
{
	_cleanup_strbuf_ struct kma_strbuf plain = { 0 };
	const char *why = kma_answer_text(root, "error");

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
static bool kma_answer_is_whole(const json_t *series)
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

static struct kma_err *kma_answer_take(const char *name, long status, struct kma_answer *answer)
{
	const json_t *data = json_object_get(answer->root, "data");

	if (status != 200 || strcmp(kma_answer_text(answer->root, "status"), "success") != 0)
		return kma_answer_refused(name, status, answer->root);
	answer->series = json_object_get(data, "result");
	if (strcmp(kma_answer_text(data, "resultType"), "matrix") != 0 ||
	    !kma_answer_is_whole(answer->series))
		return kma_err_create(
			name, 0,
			"the answer has no series; give the address of a Prometheus server");
	return NULL;
}

struct kma_err *kma_answer_parse(const char *name, long status, const struct kma_strbuf *text,
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
		return kma_answer_refused(name, status, NULL);
	if (!root)
		return kma_err_create(
			name, 0,
			"the answer is not JSON at byte %d; give the address of a Prometheus server",
			where.position);
	answer = kma_xcalloc(1, sizeof(*answer));
	answer->root = root;
	err = kma_answer_take(name, status, answer);
	if (err) {
		kma_answer_destroy(answer);
		return err;
	}
	*ret = answer;
	return NULL;
}

void kma_answer_destroy(struct kma_answer *answer)
{
	if (!answer)
		return;
	json_decref(answer->root);
	free(answer);
}

size_t kma_answer_nr(const struct kma_answer *answer)
{
	return json_array_size(answer->series);
}

static const json_t *kma_answer_member(const struct kma_answer *answer, size_t i, const char *key)
{
	return json_object_get(json_array_get(answer->series, i), key);
}

const char *kma_answer_label(const struct kma_answer *answer, size_t i, const char *name)
{
	return kma_answer_text(kma_answer_member(answer, i, "metric"), name);
}

void kma_answer_labels(const struct kma_answer *answer, size_t i, struct kma_strbuf *out)
{
	const json_t *labels = kma_answer_member(answer, i, "metric"), *value;
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

size_t kma_answer_points(const struct kma_answer *answer, size_t i)
{
	return json_array_size(kma_answer_member(answer, i, "values"));
}

bool kma_answer_point(const struct kma_answer *answer, size_t i, size_t n, double *time,
		      double *value)
{
	const json_t *point = json_array_get(kma_answer_member(answer, i, "values"), n);
	const char *text = json_string_value(json_array_get(point, 1));
	char *end;

	if (!json_is_number(json_array_get(point, 0)) || !text)
		return false;
	*time = json_number_value(json_array_get(point, 0));
	*value = strtod(text, &end);
	return end != text && !*end && isfinite(*value) && *value >= 0;
}
