/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tasks.h - names and cgroups of the tasks of a recording: those that exist when it begins, and what
 * changes while it goes on.
 *
 * An event of the log has the number of its thread. The names are sent once, and when they change;
 * nothing is added to an event.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_RECORD_TASKS_H
#define KMA_RECORD_TASKS_H

#include "../../module/uapi/kmem_account.h"
#include "lib/err.h"
#include "lib/strbuf.h"

struct kma_tasks;

/**
 * kma_tasks_create() - begin to follow the tasks
 * @root: where /proc is: "" for this machine
 * @tracing: directory of tracefs
 * @err: the reason if the changes cannot be followed; otherwise NULL
 *
 * Without the changes there are still the tasks that exist.
 *
 * Return: the tasks; NULL without memory.
 */
struct kma_tasks *kma_tasks_create(const char *root, const char *tracing, struct kma_err **err);

/**
 * kma_tasks_begin() - the log is on
 * @tasks: the tasks; NULL is fine
 * @header: of the log
 */
void kma_tasks_begin(struct kma_tasks *tasks, const struct kma_log_header *header);

/**
 * kma_tasks_text() - get what is new, as text of a log
 * @tasks: the tasks; NULL is fine
 *
 * Return: the text, until the next call; NULL if there are no tasks.
 */
const struct kma_strbuf *kma_tasks_text(struct kma_tasks *tasks);

/**
 * kma_tasks_destroy() - stop following
 * @tasks: from kma_tasks_create(); NULL is fine
 */
void kma_tasks_destroy(struct kma_tasks *tasks);

#endif /* KMA_RECORD_TASKS_H */
