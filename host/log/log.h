/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log.h - events of a log of the module, ordered by time, then CPU, then number. For the reader of
 * accounts, and for commands that need more: the time, thread or node of each event.
 *
 * The log may come from a machine of another byte order and word size. A compressed log, or one
 * from a pipe, is first decompressed into a temporary file. The memory then grows with CPUs and
 * chunks, not with events. Streams are merged without sorting: if the time of a stream goes back,
 * this is a finding, and its events keep their order.
 *
 * Corrupt bytes are skipped up to the next block of the CPU. The record numbers on both sides give
 * the number of skipped records.
 *
 * Locking: none; one thread.
 */
#ifndef KMA_LOG_LOG_H
#define KMA_LOG_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/input.h"
#include "log-found.h"
#include "log-item.h"

struct kma_log;

/**
 * kma_log_open() - open a log
 * @input: nothing was consumed yet; owned by the caller, must outlive the log
 * @found: called for each finding, also while events are read; NULL: findings are only counted
 * @arg: for @found
 * @ret: the log
 *
 * Return: NULL, or an error that names the input: not readable, not a log, an invalid header.
 */
struct kma_err *kma_log_open(struct kma_input *input, kma_log_found_fn *found, void *arg,
			     struct kma_log **ret);

/**
 * kma_log_open_memory() - a log in memory, for tests
 * @name: for messages
 * @bytes: plain; have to live as long as the log
 * @len: how many
 * @found: as for kma_log_open()
 * @arg: the same
 * @ret: the log
 *
 * Return: as kma_log_open().
 */
struct kma_err *kma_log_open_memory(const char *name, const void *bytes, size_t len,
				    kma_log_found_fn *found, void *arg, struct kma_log **ret);

/**
 * kma_log_close() - close it
 * @log: from kma_log_open(); NULL is fine
 */
void kma_log_close(struct kma_log *log);

/**
 * kma_log_interval() - let the log end early
 * @log: nothing was read yet
 * @interval: its end is where the log ends
 *
 * Return: the time at which @interval begins; 0: it is all from the beginning on.
 */
uint64_t kma_log_interval(struct kma_log *log, const struct kma_interval *interval);

/**
 * kma_log_head() - what the header says
 * @log: a log
 *
 * Return: it stays with the log.
 */
const struct kma_log_head *kma_log_head(const struct kma_log *log);

/**
 * kma_log_sums() - what was read so far
 * @log: a log
 *
 * Return: it stays with the log and changes with each event.
 */
const struct kma_log_sums *kma_log_sums(const struct kma_log *log);

/**
 * kma_log_next() - the next event
 * @log: a log
 * @ret: valid until the next call
 *
 * Events with invalid values are findings, and are returned unchanged if their kind is known. After
 * kma_input_stop() the log ends.
 *
 * Return: false at the end.
 */
bool kma_log_next(struct kma_log *log, const struct kma_log_item **ret);

/**
 * kma_log_cpu_node() - node of a CPU
 * @log: a log
 * @cpu: its number
 *
 * Return: as the recorder has written it down; KMA_LOG_NO_NODE when it has not.
 */
uint16_t kma_log_cpu_node(const struct kma_log *log, uint32_t cpu);

#define KMA_LOG_SITE_MAX 640

/* A call site as %pS prints it, and where it lies in its file. */
struct kma_log_site {
	char text[KMA_LOG_SITE_MAX];
	char build_id[KMA_LOG_BUILD_ID_MAX]; /* "" if unknown; there is then no offset */
	uint64_t offset; /* offset as in debugfs' sites: from _stext, or from the module's base */
	bool in_init;	 /* start of the init part, which is freed after initialisation */
};

/**
 * kma_log_site() - name a call site, as of the last event that was read
 * @log: a log
 * @address: of the call site
 * @ret: filled in
 *
 * Names are those of the symbols that the log has; without them it is an address, or a
 * module and the offset in it.
 */
void kma_log_site(const struct kma_log *log, uint64_t address, struct kma_log_site *ret);

/**
 * kma_log_has_tasks() - does the log have the names and cgroups of tasks?
 * @log: a log
 *
 * Return: true if the recorder has written them down.
 */
bool kma_log_has_tasks(const struct kma_log *log);

/* What is not known of the tasks of a log. */
struct kma_log_doubt {
	uint64_t lost; /* changes of names and cgroups */
	bool start;    /* only the names and cgroups of the beginning are known */
	bool no_irq;   /* events of interrupts are of the interrupted tasks */
};

/**
 * kma_log_tasks_doubt() - what is not known of the tasks
 * @log: a log
 * @ret: filled in
 */
void kma_log_tasks_doubt(const struct kma_log *log, struct kma_log_doubt *ret);

/**
 * kma_log_owner() - the task, or its cgroup, that caused the last event that was read
 * @log: a log
 * @item: the event
 * @cgroup: the cgroup, otherwise the task by its name
 * @name: its name, or a row in brackets; stays with the log
 *
 * The event of an interrupt has no task. Whether a free is of an interrupt is not known.
 *
 * Return: a number of the name.
 */
uint32_t kma_log_owner(const struct kma_log *log, const struct kma_log_item *item, bool cgroup,
		       const char **name);

#endif /* KMA_LOG_LOG_H */
