/* SPDX-License-Identifier: GPL-2.0 */
/*
 * control.h - turns the account on and off, clears it, lets the live map grow,
 * looks at the peaks; turns the log on and off.
 *
 * on      starts a new account. Numbers over a gap in which nobody looked
 *         could not be exact, so the old ones go.
 * off     ends the account and detaches the probes. The numbers stay and can
 *         be read.
 * clear   forgets the numbers; an account that is on goes on from zero.
 *
 * log on    logs every event (relay.h), whether the account is on or not.
 * log off   ends the log; it can still be read.
 * log free  the same, and gives its memory back.
 * flush     lets be read what was logged until now.
 *
 * latency on   times waits for memory (latency.h) anew, whether the account is on or
 *              not; with parameter latency=1.
 * latency off  no longer; the times can still be read.
 *
 * Locking: kma_control_lock, a mutex, serialises all of these, growth, looks, and
 * the reports that read the account. Taken before kma_sites.names.
 */
#ifndef KMA_CONTROL_H
#define KMA_CONTROL_H

#include <linux/types.h>

struct kma_report;
struct kma_wish;

/* Milliseconds between two looks at the peaks; 0: reports alone look. */
extern unsigned int kma_peak_ms;

/**
 * kma_control_init() - reserve the tables
 * @max_sites: call sites that can be told apart, 1 to KMA_SITE_MAX - 1
 * @max_objects: live objects that must fit; 0 for what a sixteenth of the
 *	memory can hold
 * @untraced: also account what has no tracepoint (kprobe.h)
 * @wish: what costs more than the default (dispatch.h)
 *
 * Context: process, may sleep.
 * Return: 0 or a negative error; nothing is reserved then. The account is off.
 */
int kma_control_init(unsigned int max_sites, unsigned long max_objects,
		     bool untraced, const struct kma_wish *wish);

/**
 * kma_control_later() - the tables are reserved when the account is turned on first
 * @make: reserves them, by kma_control_init()
 *
 * Until then there is an account with nothing in it, that is off.
 *
 * Context: process, instead of kma_control_init().
 */
void kma_control_later(int (*make)(void));

/**
 * kma_control_deinit() - turn the account off and release the tables
 *
 * Context: process, may sleep.
 */
void kma_control_deinit(void);

/**
 * kma_control_command() - do what was written to /proc/kmem_account
 * @command: on, off, clear, "log on", "log off", "log free", flush, "latency on"
 *	or "latency off"; a newline may follow
 *
 * Context: process, may sleep.
 * Return: 0, -EINVAL for an unknown command, or the command's error.
 */
int kma_control_command(const char *command);

/**
 * kma_control_begin() - turn the account on while the kernel boots
 *
 * Growth of the map, looks at the peaks and kprobes wait for kma_control_wake():
 * what is reserved must do until then.
 *
 * Context: process, before there are work queues.
 * Return: 0 or a negative error; the account is off then.
 */
int kma_control_begin(void);

/**
 * kma_control_wake() - there are work queues and kprobes
 *
 * Without kma_control_begin() nothing has waited.
 *
 * Context: process, may sleep.
 */
void kma_control_wake(void);

/**
 * kma_control_settle() - wait for the growth that events have asked for
 *
 * For tests. Events go on, and may ask again.
 *
 * Context: process, may sleep; not after kma_control_begin() alone.
 */
void kma_control_settle(void);

/**
 * kma_control_report() - a snapshot that no clear or on cuts in two
 * @sort: a number from kma_report_sort_parse()
 * @all: as kma_report_create() says
 *
 * Context: process, may sleep.
 * Return: the report, to be released with kma_report_destroy(); ERR_PTR.
 */
struct kma_report *kma_control_report(unsigned int sort, bool all);

/**
 * kma_control_freeze() - hold off on, off, clear and growth, for a moment
 *
 * Events go on.
 *
 * Context: process, may sleep; kma_control_thaw() must follow.
 * Return: which account this is; on and clear begin another one.
 */
unsigned int kma_control_freeze(void);

/**
 * kma_control_thaw() - end kma_control_freeze()
 */
void kma_control_thaw(void);

#endif /* KMA_CONTROL_H */
