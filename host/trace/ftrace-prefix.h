/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace-prefix.h - the text before the name of an event: task, CPU, flags and time.
 */
#ifndef KMA_TRACE_FTRACE_PREFIX_H
#define KMA_TRACE_FTRACE_PREFIX_H

#include "line-cursor.h"

/**
 * kma_ftrace_prefix() - skip the prefix of an event, in any form with a CPU
 * @cur: at the start of the line; unchanged if there is no prefix
 * @cpu: its CPU
 *
 * Return: true if there is one.
 */
bool kma_ftrace_prefix(struct kma_line_cursor *cur, uint16_t *cpu);

#endif /* KMA_TRACE_FTRACE_PREFIX_H */
