/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * events.h - which allocators are accounted: parameter events.
 *
 * The allocators are chosen once, when the module is loaded. tracepoint.c attaches probes
 * for the chosen allocators only, so the other allocators cost nothing.
 */
#ifndef KMA_EVENTS_H
#define KMA_EVENTS_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/types.h>

#define KMA_EVENTS_SLAB		BIT(0)
#define KMA_EVENTS_PAGE		BIT(1)
#define KMA_EVENTS_PERCPU	BIT(2)

#define KMA_EVENTS_LEN		32	/* all names, commas and the end */

extern unsigned int kma_events;

/* Is one of these KMA_EVENTS_* flags set? */
static inline bool kma_events_wanted(unsigned int which)
{
	return kma_events & which;
}

/*
 * Choose allocators: slab, page, percpu, separated by commas; a newline may follow. Context:
 * process, before kma_control_init(). Returns -EINVAL with the choice unchanged, if a name is
 * unknown or there is none.
 */
int kma_events_parse(const char *names);
void kma_events_print(char buf[KMA_EVENTS_LEN]);

#endif /* KMA_EVENTS_H */
