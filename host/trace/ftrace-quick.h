/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace-quick.h - a fast reader for lines of ftrace text in their usual forms.
 */
#ifndef KMA_TRACE_FTRACE_QUICK_H
#define KMA_TRACE_FTRACE_QUICK_H

#include "ftrace-line.h"

/*
 * Reads the line of an allocation or free in a usual form, into KMA_FTRACE_EVENT. KMA_FTRACE_ROOM
 * bytes from @line on must be readable. Returns the position from which to search for the newline;
 * NULL if the line needs kma_ftrace_parse(), and always without SSE2; @ret is then undefined.
 */
const char *kma_ftrace_quick(const char *line, struct kma_ftrace_line *ret);

#endif /* KMA_TRACE_FTRACE_QUICK_H */
