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

/* Which features are on. */
struct kma_switches {
	bool cgroup;	/* objects are counted by cgroup as well (group.h) */
	bool node;	/* by NUMA node as well */
	bool errors;	/* frees are checked while the account is on (errors.h) */
	bool latency;	/* waits for memory are timed (latency.h) */
	/* Addresses of an event's stack (path.h); 0 for the call site alone */
	unsigned int stack_depth;
	/* One event in so many has a stack (sample.h); 1 for all, while @stack_depth is not 0. */
	unsigned int stack_every;
	char *wrappers;	/* the list (name.h) as the user wrote it; NULL for none */
};

extern struct kma_switches kma_switches;

/* Keep the list of wrappers, which was allocated with kmalloc(); or NULL. */
void kma_switches_wrap(char *list);

void kma_switches_reset(void);

/*
 * Words separated by spaces, which the caller kfree()s; NULL if no feature is on, or if there is no
 * memory.
 */
char *kma_switches_text(void);

#endif /* KMA_SWITCHES_H */
