/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log.h - the events of an event log of the module, ordered by time, then CPU, then number. For the
 * reader of accounts, and for commands that need more: the time, thread or node of each event.
 * Documentation/format/log.rst describes the format.
 *
 *	log-file	maps the file and finds the chunks of each CPU
 *	log-ticks	converts the clock of the machine to ns
 *	log		decodes the records of each CPU, merges these streams by time, checks
 *			values, names call sites
 *	log		the text of the log: symbols, nodes, totals
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

/*
 * Opens a log in an input of which nothing was consumed, and which must outlive the log. @found is
 * called for each finding, also while events are read; NULL: findings are only counted. It is an
 * error if the input is not a log, or has an invalid header.
 */
struct kma_err *kma_log_open(struct kma_input *input, kma_log_found_fn *found, void *arg,
			     struct kma_log **ret);

/* The same for uncompressed bytes in memory, for tests. They must live as long as the log. */
struct kma_err *kma_log_open_memory(const char *name, const void *bytes, size_t len,
				    kma_log_found_fn *found, void *arg, struct kma_log **ret);

void kma_log_close(struct kma_log *log);

/*
 * Lets the log end at the end of an interval, before any event is read. Events before the interval
 * are still returned: the caller needs them to know the live objects. Returns the time at which the
 * interval begins, in the clock of kma_log_item.time (ns); 0: it begins with the log, or there is
 * no interval.
 */
uint64_t kma_log_interval(struct kma_log *log, const struct kma_interval *interval);

/* Owned by the log. The sums are over all that was read so far. */
const struct kma_log_head *kma_log_head(const struct kma_log *log);
const struct kma_log_sums *kma_log_sums(const struct kma_log *log);

/*
 * Reads the next event, which is valid until the next call. Events with invalid values are
 * findings, and are returned anyway. False at the end, also after kma_input_stop().
 */
bool kma_log_next(struct kma_log *log, const struct kma_log_item **ret);

/* The NUMA node of a CPU by the text of the log; KMA_LOG_NO_NODE if that does not have it. */
uint16_t kma_log_cpu_node(const struct kma_log *log, uint32_t cpu);

#define KMA_LOG_SITE_MAX 640 /* bytes: a symbol has at most 512, a module 64 */

/* A call site as %pS prints it, and its position in its file. */
struct kma_log_site {
	char text[KMA_LOG_SITE_MAX];
	char build_id[KMA_LOG_BUILD_ID_MAX]; /* "" if unknown; @offset is then not usable */
	uint64_t offset; /* bytes, as in debugfs' sites: from _stext, or from the module's base */
	bool in_init;	 /* @offset is in the part that is freed after initialisation */
};

/*
 * Names the call site at an address, with the modules that were loaded at the last event, by the
 * log's symbols. Without a symbol the name is a module and the offset in it, or the address.
 */
void kma_log_site(const struct kma_log *log, uint64_t address, struct kma_log_site *ret);

/* Does the log have the names and cgroups of tasks? */
bool kma_log_has_tasks(const struct kma_log *log);

/* Reasons why names and cgroups of a log's tasks may be wrong. */
struct kma_log_doubt {
	uint64_t lost; /* number of changes of names and cgroups that the recorder has lost */
	bool start;    /* only the names and cgroups at the start of the log are known */
	bool no_irq;   /* the log does not mark interrupts: their events count for tasks */
};

void kma_log_tasks_doubt(const struct kma_log *log, struct kma_log_doubt *ret);

/*
 * The task, or its cgroup, that caused the last event. @name is set to its name, or to a name in
 * brackets, which the log owns. An allocation in an interrupt has no task; the log does not say
 * whether a free was in an interrupt. Returns a number that identifies @name.
 */
uint32_t kma_log_owner(const struct kma_log *log, const struct kma_log_item *item, bool cgroup,
		       const char **name);

#endif /* KMA_LOG_LOG_H */
