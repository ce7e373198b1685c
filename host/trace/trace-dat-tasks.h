/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-dat-tasks.h - in the child that reads a trace.dat: numbers of call sites for each task;
 * only for trace-dat*.c.
 *
 * Locking: none; the child has one thread.
 */
#ifndef KMA_TRACE_TRACE_DAT_TASKS_H
#define KMA_TRACE_TRACE_DAT_TASKS_H

#include <event-parse.h>

#include "trace-dat.h"

/* Stands for the process number of an event within an interrupt. */
#define KMA_DAT_IRQ -1

struct kma_dat_tasks;

/**
 * kma_dat_tasks_create() - no numbers yet
 *
 * Return: NULL without memory.
 */
struct kma_dat_tasks *kma_dat_tasks_create(void);

/**
 * kma_dat_tasks_who() - get the task of an event
 * @tep: the file's
 * @record: the event
 *
 * Return: the number of the task, or KMA_DAT_IRQ.
 */
int kma_dat_tasks_who(struct tep_handle *tep, struct tep_record *record);

/**
 * kma_dat_tasks_slot() - find or add the number of a call site for a task
 * @tasks: the numbers
 * @site: number of the call site
 * @who: the task
 *
 * Return: where the number is kept, KMA_DAT_NONE if it has none yet; NULL without room. Valid
 * until the next call.
 */
uint32_t *kma_dat_tasks_slot(struct kma_dat_tasks *tasks, uint32_t site, int who);

/**
 * kma_dat_tasks_text() - the text of a call site for a task, as kma_intern_grouped() makes it
 * @tep: the file's
 * @site: text of the call site
 * @who: the task
 * @buf: KMA_DAT_SITE_MAX + KMA_FTRACE_TASK bytes
 */
void kma_dat_tasks_text(struct tep_handle *tep, const char *site, int who, char *buf);

#endif /* KMA_TRACE_TRACE_DAT_TASKS_H */
