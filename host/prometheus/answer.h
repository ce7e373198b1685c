/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * answer.h - the answer of a Prometheus to a query over time: series with labels and points.
 */
#ifndef KMA_PROMETHEUS_ANSWER_H
#define KMA_PROMETHEUS_ANSWER_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/err.h"
#include "lib/strbuf.h"

struct kma_answer;

/**
 * kma_answer_parse() - read an answer
 * @name: of the server, for messages
 * @status: of HTTP
 * @text: the answer
 * @ret: to be destroyed with kma_answer_destroy()
 *
 * Return: NULL or an error: the server's own, or no answer of this kind.
 */
struct kma_err *kma_answer_parse(const char *name, long status, const struct kma_strbuf *text,
				 struct kma_answer **ret);

/**
 * kma_answer_destroy() - free it
 * @answer: from kma_answer_parse(); NULL is fine
 */
void kma_answer_destroy(struct kma_answer *answer);

/**
 * kma_answer_nr() - count the series
 * @answer: from kma_answer_parse()
 *
 * Return: how many.
 */
size_t kma_answer_nr(const struct kma_answer *answer);

/**
 * kma_answer_label() - get a label of a series
 * @answer: from kma_answer_parse()
 * @i: number of the series
 * @name: of the label
 *
 * Return: its value, "" without such a label. Stays with the answer.
 */
const char *kma_answer_label(const struct kma_answer *answer, size_t i, const char *name);

/**
 * kma_answer_labels() - write the labels of a series as a matcher
 * @answer: from kma_answer_parse()
 * @i: number of the series
 * @out: 'instance="host:9770",job="kmem-account"' is appended, without the metric's name
 */
void kma_answer_labels(const struct kma_answer *answer, size_t i, struct kma_strbuf *out);

/**
 * kma_answer_points() - count the points of a series
 * @answer: from kma_answer_parse()
 * @i: number of the series
 *
 * Return: how many.
 */
size_t kma_answer_points(const struct kma_answer *answer, size_t i);

/**
 * kma_answer_point() - get a point of a series
 * @answer: from kma_answer_parse()
 * @i: number of the series
 * @n: number of the point
 * @time: s since 1970
 * @value: of the series
 *
 * Return: false if it is no number of 0 and up: such a point says nothing of memory.
 */
bool kma_answer_point(const struct kma_answer *answer, size_t i, size_t n, double *time,
		      double *value);

#endif /* KMA_PROMETHEUS_ANSWER_H */
