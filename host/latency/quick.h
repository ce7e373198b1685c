/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * quick.h - a fast reader for lines of function_graph text in their usual form.
 */
#ifndef KMA_LATENCY_QUICK_H
#define KMA_LATENCY_QUICK_H

#include "line.h"

/**
 * kma_lat_quick() - read a line in the usual form
 * @line: its bytes, followed by a newline
 * @len: how many, without the newline
 * @limit: end of the bytes that may be read, after the newline or after later lines
 * @ret: content of the line, as from kma_lat_parse(); undefined if false is returned
 *
 * Return: false if the line needs kma_lat_parse().
 */
bool kma_lat_quick(const char *line, size_t len, const char *limit, struct kma_lat_line *ret);

#endif /* KMA_LATENCY_QUICK_H */
