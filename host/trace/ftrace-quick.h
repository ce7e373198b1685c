/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace-quick.h - lines of ftrace as they usually are.
 */
#ifndef KMA_TRACE_FTRACE_QUICK_H
#define KMA_TRACE_FTRACE_QUICK_H

#include "ftrace-line.h"

/**
 * kma_ftrace_quick() - read the line of an allocation or free, if it is a usual one
 * @line: its first byte; KMA_FTRACE_ROOM bytes can be read
 * @ret: what it says, always KMA_FTRACE_EVENT
 *
 * Return: where the newline can be searched from, in this line; NULL to ask
 * kma_ftrace_parse().
 */
const char *kma_ftrace_quick(const char *line, struct kma_ftrace_line *ret);

#endif /* KMA_TRACE_FTRACE_QUICK_H */
