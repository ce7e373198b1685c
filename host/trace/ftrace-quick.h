/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace-quick.h - lines of ftrace as they usually are.
 */
#ifndef KMA_TRACE_FTRACE_QUICK_H
#define KMA_TRACE_FTRACE_QUICK_H

#include "ftrace-line.h"

/**
 * kma_ftrace_quick() - read the line of an allocation or free in a usual form
 * @line: its first byte; KMA_FTRACE_ROOM bytes can be read
 * @ret: its content, always KMA_FTRACE_EVENT
 *
 * Return: position in this line from which to search for the newline; NULL if the line needs
 * kma_ftrace_parse().
 */
const char *kma_ftrace_quick(const char *line, struct kma_ftrace_line *ret);

#endif /* KMA_TRACE_FTRACE_QUICK_H */
