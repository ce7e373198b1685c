/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * switches.h - which features are on now.
 *
 * Parameters set the initial state, and commands change it (control.h). Probes do not read
 * this struct: each feature has its own flag.
 *
 * Locking: kma_serial_lock().
 */
#ifndef KMA_SWITCHES_H
#define KMA_SWITCHES_H

#include <linux/types.h>

/**
 * struct kma_switches - which features are on
 * @cgroup: objects are counted by cgroup as well (group.h)
 * @node: objects are counted by NUMA node as well
 * @errors: frees are checked while the account is on (errors.h)
 * @latency: waits for memory are timed (latency.h)
 * @stack_depth: addresses of the stack of an event (path.h); 0 for the call site alone
 * @stack_every: one event in so many has a stack (sample.h); 1 for all, while @stack_depth is not 0
 * @wrappers: the list of wrappers (name.h), as the user wrote it; NULL for none
 */
struct kma_switches {
	bool cgroup;
	bool node;
	bool errors;
	bool latency;
	unsigned int stack_depth;
	unsigned int stack_every;
	char *wrappers;
};

extern struct kma_switches kma_switches;

/**
 * kma_switches_wrap() - keep the text of the switch wrappers
 * @list: the text, allocated with kmalloc(), which this function takes over; or NULL
 *
 * Context: process, may sleep.
 */
void kma_switches_wrap(char *list);

/* Set all switches to off. Context: process, may sleep. */
void kma_switches_reset(void);

/*
 * Get the features that are on, as text.
 * Context: process, may sleep.
 * Return: words separated by spaces, which the caller releases with kfree(); NULL if no feature is
 * on, or if there is no memory.
 */
char *kma_switches_text(void);

#endif /* KMA_SWITCHES_H */
