/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log.h - the events of an event log of the module, ordered by time, then CPU, then number. For the
 * reader of accounts, and for commands that need more: the time, thread or node of each event.
 * Documentation/format/log.rst describes the format.
 *
 *	log-file	maps the file and finds the chunks of each CPU
 *	log-stream	decodes the records of one CPU
 *	log-ticks	converts the clock of the machine to ns
 *	log		merges the streams by time, checks values, names call sites
 *	log-symbols	the text of the log: symbols, nodes, totals
 *	log-tasks	the names and cgroups of tasks at the time of each event
 *	log-found	findings: what is wrong with the log
 *
 * The log may come from a machine of another byte order and word size. A compressed log, or one
 * from a pipe, is first decompressed into a temporary file, because the chunks of a CPU may be
 * anywhere in the file. The memory grows with CPUs (2 KiB each), chunks, symbols and tasks, not
 * with events.
 *
 * Streams are merged without sorting. If the time of a stream goes back, this is a finding: the
 * event gets the time of the one before it, and events keep their order. Corrupt bytes are skipped
 * up to the next block of the CPU; the record numbers on both sides give the number of missing
 * records. Nothing is skipped silently: each fault is passed to a function of the caller and added
 * to sums.
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
 * @arg: passed to @found
 * @ret: the log
 *
 * Return: NULL, or an error that names the input: not readable, not a log, an invalid header.
 */
struct kma_err *kma_log_open(struct kma_input *input, kma_log_found_fn *found, void *arg,
			     struct kma_log **ret);

/**
 * kma_log_open_memory() - open a log in memory, for tests
 * @name: name of the log for messages, copied
 * @bytes: uncompressed; must live as long as the log
 * @len: number of bytes
 * @found: as for kma_log_open()
 * @arg: passed to @found
 * @ret: the log
 *
 * Return: as kma_log_open().
 */
struct kma_err *kma_log_open_memory(const char *name, const void *bytes, size_t len,
				    kma_log_found_fn *found, void *arg, struct kma_log **ret);

/* Close a log, and free it. */
void kma_log_close(struct kma_log *log);

/**
 * kma_log_interval() - let the log end at the end of an interval
 * @log: no event was read yet
 * @interval: the interval, in ns since the start of the log
 *
 * Events before the interval are still returned: the caller needs them to know the live objects.
 *
 * Return: the time in ns at which @interval begins, in the clock of kma_log_item.time; 0: it begins
 * with the log, or there is no interval.
 */
uint64_t kma_log_interval(struct kma_log *log, const struct kma_interval *interval);

/**
 * kma_log_head() - get the header of a log
 * @log: a log
 *
 * Return: the header, owned by the log.
 */
const struct kma_log_head *kma_log_head(const struct kma_log *log);

/**
 * kma_log_sums() - get the sums over all that was read so far
 * @log: a log
 *
 * Return: the sums, owned by the log; they change with each event.
 */
const struct kma_log_sums *kma_log_sums(const struct kma_log *log);

/**
 * kma_log_next() - read the next event
 * @log: a log
 * @ret: set to the event, owned by the log, valid until the next call
 *
 * Events with invalid values are findings, and are returned anyway. After kma_input_stop() the
 * log ends.
 *
 * Return: false at the end.
 */
bool kma_log_next(struct kma_log *log, const struct kma_log_item **ret);

/**
 * kma_log_cpu_node() - get the NUMA node of a CPU
 * @log: a log
 * @cpu: number of the CPU
 *
 * Return: the node that the recorder has written into the log; KMA_LOG_NO_NODE if it has not.
 */
uint16_t kma_log_cpu_node(const struct kma_log *log, uint32_t cpu);

#define KMA_LOG_SITE_MAX 640 /* bytes: a symbol has at most 512, a module 64 */

/* A call site as %pS prints it, and its position in its file. */
struct kma_log_site {
	char text[KMA_LOG_SITE_MAX];
	char build_id[KMA_LOG_BUILD_ID_MAX]; /* "" if unknown; @offset is then not usable */
	uint64_t offset; /* bytes, as in debugfs' sites: from _stext, or from the module's base */
	bool in_init;	 /* @offset is in the part that is freed after initialisation */
};

/**
 * kma_log_site() - name a call site, with the modules that were loaded at the last event
 * @log: a log
 * @address: address of the call site
 * @ret: filled in
 *
 * The name is that of the log's symbols. Without a symbol it is a module and the offset in it, or
 * the address.
 */
void kma_log_site(const struct kma_log *log, uint64_t address, struct kma_log_site *ret);

/**
 * kma_log_has_tasks() - check whether the log has the names and cgroups of tasks
 * @log: a log
 *
 * Return: true if the recorder has written them into the log.
 */
bool kma_log_has_tasks(const struct kma_log *log);

/* Reasons why names and cgroups of a log's tasks may be wrong. */
struct kma_log_doubt {
	uint64_t lost; /* number of changes of names and cgroups that the recorder has lost */
	bool start;    /* only the names and cgroups at the start of the log are known */
	bool no_irq;   /* the log does not mark interrupts: their events count for tasks */
};

/**
 * kma_log_tasks_doubt() - get the reasons why names and cgroups of tasks may be wrong
 * @log: a log
 * @ret: filled in
 */
void kma_log_tasks_doubt(const struct kma_log *log, struct kma_log_doubt *ret);

/**
 * kma_log_owner() - get the task, or its cgroup, that caused the last event
 * @log: a log
 * @item: the last event
 * @cgroup: true: get the cgroup; false: get the name of the task
 * @name: set to the name, or to a name in brackets; owned by the log
 *
 * An allocation in an interrupt has no task. The log does not say whether a free was in an
 * interrupt.
 *
 * Return: a number that identifies @name.
 */
uint32_t kma_log_owner(const struct kma_log *log, const struct kma_log_item *item, bool cgroup,
		       const char **name);

#endif /* KMA_LOG_LOG_H */
