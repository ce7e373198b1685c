/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ftrace-prefix.h - the prefix of an event's line, before the event's name: task, process number,
 * CPU, flags and time.
 */
#ifndef KMA_TRACE_FTRACE_PREFIX_H
#define KMA_TRACE_FTRACE_PREFIX_H

#include "lib/line-cursor.h"

#define KMA_FTRACE_TASK 64 /* bytes of a task's name, including the NUL; longer ones are cut */

/* Rows for allocations within interrupts, and for tasks whose names are not in the log. */
#define KMA_FTRACE_IRQ	   "[irq]"
#define KMA_FTRACE_NO_TASK "[task not in the log]"

/*
 * Moves the cursor from the start of a line to the event's name, after a prefix of any form with a
 * CPU. If there is none, the function returns false, the cursor does not move, and @cpu is
 * undefined.
 */
bool kma_ftrace_prefix(struct kma_line_cursor *cur, uint16_t *cpu);

/*
 * The name of the task in a line. KMA_FTRACE_IRQ if the line's flags report an interrupt;
 * KMA_FTRACE_NO_TASK if the form has no task, or if the kernel no longer knew the name ("<...>").
 */
void kma_ftrace_task(const char *line, size_t len, char ret[KMA_FTRACE_TASK]);

#endif /* KMA_TRACE_FTRACE_PREFIX_H */
