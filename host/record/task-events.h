/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * task-events.h - follow new tasks, new names and new cgroups while the log is on.
 *
 * The source is an instance of ftrace that belongs to the recorder alone, with the tracepoints
 * task_newtask, task_rename and, if there are cgroups, cgroup_attach_task. Its raw pages are read
 * (ring-page.h), because names in its text could contain newlines.
 *
 * The instance has the clock of the event log. On x86 this is the same counter, so the times of
 * both compare exactly. If ftrace does not have that clock, CLOCK_MONOTONIC is used and converted
 * to units of the counter; the error is a few millionths of the time since the log was switched on.
 *
 * The instance is removed at the end. If a killed recorder has left one, the next recorder removes
 * it. Events that ftrace lost are counted.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_RECORD_TASK_EVENTS_H
#define KMA_RECORD_TASK_EVENTS_H

#include "../../module/uapi/kmem_account.h"
#include "lib/err.h"
#include "task-lines.h"

struct kma_task_events;

/**
 * kma_task_events_open() - begin to follow the tasks
 * @root: where /proc is: "" for this machine
 * @tracing: directory of tracefs
 * @ret: the events, for kma_task_events_close(); NULL if there is an error
 *
 * Return: NULL, or an error: the kernel has no such events, or tracefs is not accessible.
 */
struct kma_err *kma_task_events_open(const char *root, const char *tracing,
				     struct kma_task_events **ret);

/* Stop following, and remove the instance. */
void kma_task_events_close(struct kma_task_events *events);

/**
 * kma_task_events_clock() - set the clock of the instance to that of the log
 * @events: the events
 * @header: header of the log
 *
 * Return: true if the instance had another clock: the events so far are lost, and the caller must
 * scan the tasks again.
 */
bool kma_task_events_clock(struct kma_task_events *events, const struct kma_log_header *header);

/**
 * kma_task_events_read() - add a line for each event since the last call
 * @events: the events, with a clock
 * @lines: the lines
 */
void kma_task_events_read(struct kma_task_events *events, struct kma_task_lines *lines);

/**
 * kma_task_events_lost() - get the number of lost events
 * @events: the events
 *
 * Return: the number; a lower bound if the kernel does not count them.
 */
uint64_t kma_task_events_lost(const struct kma_task_events *events);

#endif /* KMA_RECORD_TASK_EVENTS_H */
