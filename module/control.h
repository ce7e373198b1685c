/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * control.h - the commands of /proc/kmem_account: the account, the event log, the switches.
 *
 * on      starts a new account. Numbers over a gap in which events were not seen
 *         could not be exact, so the old ones go.
 * off     ends the account and detaches the probes. The numbers stay and can
 *         be read.
 * clear   forgets the numbers; an account that is on goes on from zero.
 *
 * log on    logs every event (relay.h), whether the account is on or not.
 * log off   ends the log; it can still be read.
 * log free  the same, and frees its memory.
 * flush     makes the contents of partly filled sub-buffers readable.
 *
 * Switches, whether the account is on or not. Each keeps what the account knows, and
 * events go on being counted, each once:
 *
 * errors on|off                checks frees (errors.h). The rows stay after off. Objects
 *                              that are older than the switch were not watched.
 * latency on|off               times waits for memory (latency.h) again, from zero.
 * stacks DEPTH|off             tells sites apart by their stacks (path.h). Bytes of older
 *                              objects are the row "[before]" of their call site.
 * wrappers default|LIST|off    charges events of these functions to their callers
 *                              (frame.h). Objects keep the site that they have.
 *
 * Parameters set the first state of the switches.
 *
 * An unknown command or a wrong value is refused, with one line in the kernel log that
 * names what was wrong and what is accepted.
 *
 * Locking: kma_serial_lock() (serial.h) serialises all of these.
 */
#ifndef KMA_CONTROL_H
#define KMA_CONTROL_H

#include <linux/types.h>

struct kma_features;

/**
 * kma_control_init() - reserve the tables
 * @max_sites: call sites that can be told apart, 1 to KMA_SITE_MAX - 1
 * @max_objects: live objects that must fit; 0 for what a thirty-second of the
 *	memory can hold
 * @untraced: also account what has no tracepoint (kprobe.h)
 * @features: what costs more than the default (dispatch.h)
 *
 * Context: process, may sleep.
 * Return: 0 or a negative error; nothing is reserved then. The account is off.
 */
int kma_control_init(unsigned int max_sites, unsigned long max_objects,
		     bool untraced, const struct kma_features *features);

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
 * @command: a command with its value, as above; a newline may follow
 *
 * Context: process, may sleep.
 * Return: 0, -EINVAL for an unknown command or a wrong value, or the command's error; each
 * with a line in the kernel log, but for those of on and "log on", which have their own.
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

#endif /* KMA_CONTROL_H */
