/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * answer.h - the answer of a Prometheus server to a query over an interval: series with labels and
 * points.
 */
#ifndef KMA_PROMETHEUS_ANSWER_H
#define KMA_PROMETHEUS_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/err.h"
#include "lib/strbuf.h"

struct kma_answer;

/**
 * kma_answer_parse() - parse an answer
 * @name: name of the server, for messages
 * @status: its HTTP status
 * @text: the answer
 * @ret: the parsed answer, for kma_answer_destroy(); NULL after an error
 *
 * Return: NULL, or an error: the server has refused the query, or the answer has another form.
 */
struct kma_err *kma_answer_parse(const char *name, long status, const struct kma_strbuf *text,
				 struct kma_answer **ret);

/* Free an answer. */
void kma_answer_destroy(struct kma_answer *answer);

/**
 * kma_answer_nr() - get the number of series
 * @answer: from kma_answer_parse()
 *
 * Return: the number.
 */
size_t kma_answer_nr(const struct kma_answer *answer);

/**
 * kma_answer_label() - get a label of a series
 * @answer: from kma_answer_parse()
 * @i: index of the series
 * @name: name of the label
 *
 * Return: its value, valid as long as @answer; "" if the series has no such label.
 */
const char *kma_answer_label(const struct kma_answer *answer, size_t i, const char *name);

/**
 * kma_answer_labels() - write the labels of a series as a matcher
 * @answer: from kma_answer_parse()
 * @i: index of the series
 * @out: appended: 'instance="host:9770",job="kmem-account"', without the metric's name
 */
void kma_answer_labels(const struct kma_answer *answer, size_t i, struct kma_strbuf *out);

/**
 * kma_answer_points() - get the number of points of a series
 * @answer: from kma_answer_parse()
 * @i: index of the series
 *
 * Return: the number.
 */
size_t kma_answer_points(const struct kma_answer *answer, size_t i);

/**
 * kma_answer_point() - get a point of a series
 * @answer: from kma_answer_parse()
 * @i: index of the series
 * @n: index of the point
 * @time: s since 1970
 * @value: its value
 *
 * Return: false if the value is not a finite number of at least 0, which memory cannot be.
 */
bool kma_answer_point(const struct kma_answer *answer, size_t i, size_t n, double *time,
		      double *value);

#endif /* KMA_PROMETHEUS_ANSWER_H */
