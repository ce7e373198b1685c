/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace-dat-tasks.h - numbers of the call sites of a trace.dat if tasks are distinguished: each
 * pair of a call site and a task has a number. Used only in the child, by trace-dat*.c.
 *
 * Locking: none; the child has one thread.
 */
#ifndef KMA_TRACE_TRACE_DAT_TASKS_H
#define KMA_TRACE_TRACE_DAT_TASKS_H

#include <event-parse.h>

#include "trace-dat.h"

/* The process number of an event within an interrupt. */
#define KMA_DAT_IRQ -1

struct kma_dat_tasks;

/**
 * kma_dat_tasks_create() - create an empty table
 *
 * Return: the table, or NULL if memory cannot be allocated.
 */
struct kma_dat_tasks *kma_dat_tasks_create(void);

/**
 * kma_dat_tasks_who() - get the task of an event
 * @tep: handle of the file
 * @record: the event
 *
 * Return: the process number, or KMA_DAT_IRQ.
 */
int kma_dat_tasks_who(struct tep_handle *tep, struct tep_record *record);

/**
 * kma_dat_tasks_slot() - find or add a pair of a call site and a task
 * @tasks: the table
 * @site: number of the call site
 * @who: process number, or KMA_DAT_IRQ
 *
 * Return: where the number of the pair is stored, KMA_DAT_NONE for a new pair, valid until the next
 * call; NULL if the table is full or memory cannot be allocated.
 */
uint32_t *kma_dat_tasks_slot(struct kma_dat_tasks *tasks, uint32_t site, int who);

/**
 * kma_dat_tasks_text() - write the text of a call site for a task, as kma_intern_grouped() does
 * @tep: handle of the file
 * @site: text of the call site
 * @who: process number, or KMA_DAT_IRQ
 * @buf: KMA_DAT_SITE_MAX + KMA_FTRACE_TASK bytes
 */
void kma_dat_tasks_text(struct tep_handle *tep, const char *site, int who, char *buf);

#endif /* KMA_TRACE_TRACE_DAT_TASKS_H */
