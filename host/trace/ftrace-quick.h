/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace-quick.h - a fast reader for lines of ftrace text in their usual forms.
 */
#ifndef KMA_TRACE_FTRACE_QUICK_H
#define KMA_TRACE_FTRACE_QUICK_H

#include "ftrace-line.h"

/**
 * kma_ftrace_quick() - read the line of an allocation or free in a usual form
 * @line: its first byte; KMA_FTRACE_ROOM bytes from here on must be readable
 * @ret: content of the line, always KMA_FTRACE_EVENT; undefined if NULL is returned
 *
 * Return: position in this line from which to search for the newline; NULL if the line needs
 * kma_ftrace_parse(). Without SSE2 always NULL.
 */
const char *kma_ftrace_quick(const char *line, struct kma_ftrace_line *ret);

#endif /* KMA_TRACE_FTRACE_QUICK_H */
