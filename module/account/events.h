/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * events.h - which allocators are accounted: parameter events.
 *
 * Chosen once, when the module is loaded. tracepoint.c attaches the probes of those
 * that are chosen; nothing else costs.
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

/**
 * kma_events_wanted() - is one of some allocators accounted?
 * @which: KMA_EVENTS_*, or several of them
 *
 * Context: any.
 * Return: true if it was chosen.
 */
static inline bool kma_events_wanted(unsigned int which)
{
	return kma_events & which;
}

/**
 * kma_events_parse() - choose allocators by their names
 * @names: some of slab, page, percpu, separated by commas; a newline may follow
 *
 * Context: process, before kma_control_init().
 * Return: 0, or -EINVAL and nothing chosen anew: an unknown name, or none.
 */
int kma_events_parse(const char *names);

/**
 * kma_events_print() - the names of those that are chosen
 * @buf: where to print them, separated by commas
 *
 * Context: any.
 */
void kma_events_print(char buf[KMA_EVENTS_LEN]);

#endif /* KMA_EVENTS_H */
