/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * quick.h - the usual lines of function_graph text, fast.
 */
#ifndef KMA_LATENCY_QUICK_H
#define KMA_LATENCY_QUICK_H

#include "line.h"

/**
 * kma_lat_quick() - read a line, if it is a usual one
 * @line: its bytes, with a newline behind them
 * @len: how many, without the newline
 * @limit: behind what may be read: the newline, or lines behind it
 * @ret: what it says, as kma_lat_parse() would, when true is returned
 *
 * Return: false: it is for kma_lat_parse() to read.
 */
bool kma_lat_quick(const char *line, size_t len, const char *limit, struct kma_lat_line *ret);

#endif /* KMA_LATENCY_QUICK_H */
