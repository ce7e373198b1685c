/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * relay.h - the event log: its buffers and files, by relay channels.
 *
 * The event log records the events that the account counts, whether the account is on or
 * not. relay_event.h has the way of an event into the stream of its CPU, and the gate.
 *
 * Files in kmem_account/trace/ of debugfs, from the first "log on" on:
 *  header     the machine and its modules
 *  cpuN       the stream of a CPU; reading consumes it
 *  overruns   numbers of lost events, by CPU
 *
 * Relay provides the buffers, their order, and buffers of new CPUs. This module implements
 * read(), because that of relay may return bytes of a record that is not written yet, and
 * may skip a sub-buffer at the moment when the last one gets full. This read() returns only
 * complete sub-buffers.
 *
 * Locking:
 *  kma_serial_lock()  start, open, shut, seal, stop, flush, free
 *  a stream           written by its CPU alone while the gate is open; after the gate is
 *                     closed, by kma_relay_seal(); after that, by the reader of its file
 *  inode of a file    one reader at a time
 *  sub-buffers        the CPU marks them as complete (@ready of its stream, with release);
 *                     the reader returns them (relay_subbufs_consumed())
 *
 * Contexts: process, may sleep, unless stated.
 */
#ifndef KMA_RELAY_H
#define KMA_RELAY_H

#include <linux/errno.h>
#include <linux/types.h>

struct dentry;

/* Callbacks into the sources of events. */
struct kma_log_sources {
	void (*wait)(void);	/* waits for the events that are in progress at the call */
	/* Calls kma_relay_missed() with the calls that kprobes have missed */
	void (*settle)(void);
};

#ifdef CONFIG_RELAY

/* Parameters, used by the next kma_relay_start(). */
extern unsigned int kma_relay_subbufs;
extern unsigned int kma_relay_subbuf_size;

/*
 * Make the channel and its files below @parent, which is NULL if there is no debugfs; the gate is
 * closed. @sources are valid while the log is on. A previous channel is removed, with its unread
 * data.
 *
 * Return: 0; -ENODEV without debugfs, -EINVAL for invalid parameters, or -ENOMEM, each with a line
 * in the kernel log. After an error there is no channel.
 */
int kma_relay_start(struct dentry *parent, const struct kma_log_sources *sources);

/*
 * Open the gate, after kma_relay_start(), with all probes attached: record events from now on.
 * Waits for all calls that began before all probes were attached. The first record of each stream
 * is a START. Returns 0; or -ENOMEM with the gate closed.
 */
int kma_relay_open(void);

/* Close the gate, and wait until no event is being recorded. No probe is detached yet. */
void kma_relay_shut(void);

/*
 * Write the END record of each stream, when the gate is shut. Each stream can then be read to its
 * end. If there is no space for an END, it is written when the reader has emptied a sub-buffer.
 */
void kma_relay_seal(void);

/*
 * End the use of the log by hooks and notifiers, and wait for it. The gate is closed and the probes
 * of the log are detached.
 */
void kma_relay_stop(void);

/* Make all events that were logged until now readable. */
void kma_relay_flush(void);

/* Release the buffers, and remove the files, after kma_relay_stop(). */
void kma_relay_free(void);

size_t kma_relay_memory(void);

/*
 * Count calls that the kernel has skipped; ignored before the gate opens and after
 * kma_relay_seal(). With kma_serial_lock() held.
 */
void kma_relay_missed(unsigned long n);

/* Those since the log was switched on. */
unsigned long kma_relay_missed_calls(void);

#else /* no relay in this kernel */

static inline int kma_relay_start(struct dentry *parent, const struct kma_log_sources *sources)
{
	return -EOPNOTSUPP;
}

static inline int kma_relay_open(void)
{
	return -EOPNOTSUPP;
}

static inline void kma_relay_shut(void) { }
static inline void kma_relay_seal(void) { }
static inline void kma_relay_stop(void) { }
static inline void kma_relay_flush(void) { }
static inline void kma_relay_free(void) { }

static inline size_t kma_relay_memory(void)
{
	return 0;
}

static inline void kma_relay_missed(unsigned long n) { }

static inline unsigned long kma_relay_missed_calls(void)
{
	return 0;
}

#endif /* CONFIG_RELAY */

#endif /* KMA_RELAY_H */
