/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace-prefix.h - the text before the name of an event: task, CPU, flags and time.
 */
#ifndef KMA_TRACE_FTRACE_PREFIX_H
#define KMA_TRACE_FTRACE_PREFIX_H

#include "line-cursor.h"

#define KMA_FTRACE_TASK 64 /* bytes of a task's name, with a NUL */

/* Rows of allocations within interrupts, and of tasks whose names are not in the log. */
#define KMA_FTRACE_IRQ	   "[irq]"
#define KMA_FTRACE_NO_TASK "[task not in the log]"

/**
 * kma_ftrace_prefix() - skip the prefix of an event, in any form with a CPU
 * @cur: at the start of the line; unchanged if there is no prefix
 * @cpu: its CPU
 *
 * Return: true if there is one.
 */
bool kma_ftrace_prefix(struct kma_line_cursor *cur, uint16_t *cpu);

/**
 * kma_ftrace_task() - the task of a line
 * @line: its bytes, without the newline
 * @len: how many
 * @ret: its name; KMA_FTRACE_IRQ within an interrupt, if the line says so; KMA_FTRACE_NO_TASK
 *	of a form without a task, and where the kernel has forgotten the name ("<...>")
 */
void kma_ftrace_task(const char *line, size_t len, char ret[KMA_FTRACE_TASK]);

#endif /* KMA_TRACE_FTRACE_PREFIX_H */
