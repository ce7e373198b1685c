/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dispatch.h - events for which more is done than by default.
 *
 * What costs more than a probe of account.h may, and is asked for by parameters,
 * is done here. If there is no such wish, the tracepoints have the probes of
 * account.h; else those of this file. So what nobody asked for costs nothing.
 * The rarer kprobes of kprobe.c always come here.
 *
 * An event is one call: kma_detail_alloc() or kma_detail_free() turns
 * interrupts off, lets the rooms that have a wish look at the event, and books
 * it by kma_account_alloc_at() or _free_as(). NMIs are refused as everywhere.
 *
 * Never done here: a table of its own; each wish has a room for that.
 */
#ifndef KMA_DETAIL_H
#define KMA_DETAIL_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "account/account.h"

extern bool kma_detail_on;

/**
 * struct kma_wish - what the parameters ask for besides the default
 * @wrappers: symbols whose call sites are booked to their callers, separated by
 *	commas; NULL or empty if there are none
 * @stack_depth: return addresses by which sites are told apart; 0 or 1 for the
 *	call site alone
 * @origins: the origin of events that do not name it (origin.h)
 * @objects: more is kept of each object (lifetime.h, errors.h)
 */
struct kma_wish {
	char *wrappers;
	unsigned int stack_depth;
	bool origins;
	bool objects;
};

/**
 * kma_detail_init() - make ready what is asked for
 * @wish: what that is
 *
 * Context: process, may sleep; after kma_site_init(), before the account is on.
 * Return: 0 or a negative error, with a line in the log; nothing is reserved
 * then.
 */
int kma_detail_init(const struct kma_wish *wish);

/**
 * kma_detail_deinit() - release it; nobody may ask for it any more
 *
 * Context: process, may sleep.
 */
void kma_detail_deinit(void);

/**
 * kma_detail_reset() - forget what was counted; kma_account_reset() comes with it
 *
 * Context: process, may sleep; the gate is closed and no event is under way.
 */
void kma_detail_reset(void);

/**
 * kma_detail_memory() - what it takes
 *
 * Return: bytes.
 */
size_t kma_detail_memory(void);

/**
 * kma_detail_forget() - code comes or goes, and its addresses with it
 * @inside: tells whether an address is in that code
 * @arg: handed to @inside
 *
 * Context: process, may sleep. None of that code may run.
 */
void kma_detail_forget(bool (*inside)(unsigned long addr, void *arg),
		       void *arg);

/**
 * kma_detail_wanted() - does a parameter ask for more than the default?
 *
 * Context: any. It does not change while the module is loaded.
 * Return: true if events go to kma_detail_alloc() and _free().
 */
static __always_inline bool kma_detail_wanted(void)
{
	return kma_detail_on;
}

/**
 * kma_detail_alloc() - book an allocation, with all that is asked for
 * @e: the event
 *
 * Context: any. NMI is counted as dropped.
 */
void kma_detail_alloc(const struct kma_event *e);

/**
 * kma_detail_free() - book a free, with all that is asked for
 * @e: the event
 *
 * Context: any. NMI is counted as dropped.
 */
void kma_detail_free(const struct kma_event *e);

#endif /* KMA_DETAIL_H */
