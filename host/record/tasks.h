/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tasks.h - names and cgroups of the tasks of a recording: those of the tasks that exist when it
 * begins, and the changes while it runs.
 *
 * An event of the log has only the number of its thread. The names and cgroups are written once,
 * and again when they change; nothing is added to an event. If the changes cannot be followed
 * (task-events.h), the log says that only the state at the start is known.
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
 * kma_tasks_create() - begin to follow the tasks, and scan those that exist
 * @root: where /proc is: "" for this machine
 * @tracing: directory of tracefs
 * @err: the reason if the changes cannot be followed, for the caller to destroy; otherwise NULL
 *
 * If the changes cannot be followed, the existing tasks are recorded anyway.
 */
struct kma_tasks *kma_tasks_create(const char *root, const char *tracing, struct kma_err **err);

/**
 * kma_tasks_begin() - adopt the clock of the log, which is on
 * @tasks: the tasks; NULL is fine
 * @header: header of the log
 */
void kma_tasks_begin(struct kma_tasks *tasks, const struct kma_log_header *header);

/**
 * kma_tasks_text() - get the lines since the last call, as text of a log
 * @tasks: the tasks; NULL is fine
 *
 * Return: the text, valid until the next call; NULL if @tasks is NULL.
 */
const struct kma_strbuf *kma_tasks_text(struct kma_tasks *tasks);

/* Stop following, free all. */
void kma_tasks_destroy(struct kma_tasks *tasks);

#endif /* KMA_RECORD_TASKS_H */
