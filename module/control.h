/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * control.h - the commands of /proc/kmem_account: the account, the event log, the switches.
 *
 * on      starts a new account, with all numbers 0: numbers over a gap in which events were
 *         not seen could not be exact.
 * off     ends the account and detaches the probes. Its numbers can still be read.
 * clear   sets all numbers to 0; an account that is on continues from there.
 *
 * log on    logs every event (relay.h), whether the account is on or not.
 * log off   ends the log; it can still be read.
 * log free  ends the log and frees its memory.
 * flush     makes the contents of partly filled sub-buffers readable.
 *
 * Switches work whether the account is on or not. Each keeps what the account knows, and
 * events are still counted, each exactly once:
 *
 * errors on|off                checks frees (errors.h). The rows stay after off. Frees of
 *                              objects that are older than the switch are not checked.
 * latency on|off               times waits for memory (latency.h) again, from zero.
 * cgroup on|off                counts objects by cgroup as well (group.h). Older objects, and
 *                              those that are allocated while it is off, are in the row
 *                              "[before]".
 * node on|off                  counts objects by NUMA node as well, in the same way.
 * stacks DEPTH|off             distinguishes sites by their stacks (path.h). Bytes of older
 *                              objects are in the row "[before]" of their call site.
 * wrappers default|LIST|off    charges events of these functions to their callers
 *                              (frame.h). Objects keep the site that they have.
 *
 * Parameters set the initial state of the switches.
 *
 * An unknown command or an invalid value is refused, with one line in the kernel log that
 * names it and the valid ones.
 *
 * Locking: kma_serial_lock_command() (serial.h) serialises all commands.
 */
#ifndef KMA_CONTROL_H
#define KMA_CONTROL_H

#include <linux/types.h>

struct kma_features;

/*
 * Reserve the tables: for @max_sites call sites, 1 to KMA_SITE_MAX - 1; and for @max_objects live
 * objects, 0 for as many as a thirty-second of the memory can hold. @untraced: also account calls
 * that have no tracepoint (kprobe.h).
 *
 * Context: process, may sleep. Returns 0, with the account off; or a negative error, with nothing
 * reserved.
 */
int kma_control_init(unsigned int max_sites, unsigned long max_objects,
		     bool untraced, const struct kma_features *features);

/*
 * Instead of kma_control_init(): reserve the tables, with @make, when they are needed first. Until
 * then the account is off and empty.
 */
void kma_control_later(int (*make)(void));

/* Turn the account off and release the tables. Context: process, may sleep. */
void kma_control_deinit(void);

/*
 * Run a command with its value, as above; a newline may follow. Context: process, may sleep.
 * Returns 0; -EINVAL for an unknown command or an invalid value; or the error of the command. Each
 * error has a line in the kernel log.
 */
int kma_control_command(const char *command);

/*
 * Turn the account on while the kernel boots, before there are work queues. The map does not grow,
 * peaks are not sampled and kprobes are not attached before kma_control_wake(): the tables must be
 * large enough until then. Returns 0; or a negative error, with the account off.
 */
int kma_control_begin(void);

/*
 * Start the kprobes and workers that kma_control_begin() has deferred, if it was called. Context:
 * process, may sleep; the kernel has work queues and kprobes.
 */
void kma_control_wake(void);

#endif /* KMA_CONTROL_H */
