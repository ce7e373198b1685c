/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dispatch.h - events for which more is done than by default.
 *
 * A feature that costs more than a probe of account.h may is done here. Each probe has
 * both: the inline half of account.h, and behind a static key, off by default, a call of
 * this file. An event passes the key once, so it is booked once, by one of the two,
 * whenever the key is switched; what no switch enables costs one instruction. The rarer
 * kprobes of kprobe.c always come here.
 *
 * Both halves may run at once while a feature only chooses the site of an event
 * (caller.h). A feature that keeps more of each object (errors.h) begins after the last
 * event of the inline half has ended, and its traces are gone from the map before the
 * next one begins: kma_dispatch_use() and the caller's kma_live_unwatch() see to that.
 *
 * An event is one call: kma_dispatch_alloc() or kma_dispatch_free() turns
 * interrupts off, lets each feature that is on look at the event, and books
 * it by kma_account_alloc_at() or _free_as(). NMIs are refused as everywhere.
 *
 * Never done here: a table of its own; each feature has a file for that.
 */
#ifndef KMA_DISPATCH_H
#define KMA_DISPATCH_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/types.h>

#include "account/account.h"

DECLARE_STATIC_KEY_FALSE(kma_dispatch_key);

/* The features that need events to come here. */
#define KMA_DISPATCH_CALLER	BIT(0)	/* caller.h: wrappers, stacks */
#define KMA_DISPATCH_OBJECTS	BIT(1)	/* lifetime.h: a map with births */
#define KMA_DISPATCH_ERRORS	BIT(2)	/* errors.h */

/**
 * struct kma_features - what the parameters ask for besides the default
 * @wrappers: symbols whose call sites are booked to their callers, separated by
 *	commas; NULL or empty if there are none
 * @stack_depth: return addresses by which sites are told apart; 0 or 1 for the
 *	call site alone
 * @origins: the origin of events that do not name it (origin.h)
 * @objects: more is kept of each object (lifetime.h)
 */
struct kma_features {
	const char *wrappers;
	unsigned int stack_depth;
	bool origins;
	bool objects;
};

/**
 * kma_dispatch_init() - make ready what is asked for
 * @features: what that is
 *
 * Context: process, may sleep; after kma_site_init(), before the account is on.
 * Return: 0 or a negative error, with a line in the log; nothing is reserved
 * then.
 */
int kma_dispatch_init(const struct kma_features *features);

/**
 * kma_dispatch_deinit() - release it; nobody may ask for it any more
 *
 * Context: process, may sleep.
 */
void kma_dispatch_deinit(void);

/**
 * kma_dispatch_reset() - forget what the switches have counted; after kma_account_reset()
 *
 * Context: process, may sleep; the gate is closed and no event is under way.
 */
void kma_dispatch_reset(void);

/**
 * kma_dispatch_memory() - what it takes
 *
 * Return: bytes.
 */
size_t kma_dispatch_memory(void);

/**
 * kma_dispatch_forget() - code comes or goes, and its addresses with it
 * @inside: tells whether an address is in that code
 * @arg: handed to @inside
 *
 * Context: process, may sleep. None of that code may run.
 */
void kma_dispatch_forget(bool (*inside)(unsigned long addr, void *arg),
			 void *arg);

/**
 * kma_dispatch_wanted() - does a feature need events to come here?
 *
 * Context: any, with preemption off or within a tracepoint's probe, until the event is
 * booked: kma_dispatch_use() and its caller wait for that.
 * Return: true if events go to kma_dispatch_alloc() and _free().
 */
static __always_inline bool kma_dispatch_wanted(void)
{
	return static_branch_unlikely(&kma_dispatch_key);
}

/**
 * kma_dispatch_origins() - reserve what finds the caller of an event
 *
 * Reserved until kma_dispatch_deinit().
 *
 * Context: process, may sleep; serialised with the other functions that may.
 * Return: 0, or a negative error with a line in the kernel log.
 */
int kma_dispatch_origins(void);

/**
 * kma_dispatch_use() - say whether a feature needs events to come here
 * @feature: one of KMA_DISPATCH_*
 * @on: whether it does
 *
 * Events that are under way may still take the other half: the caller waits for them
 * before the feature begins.
 *
 * Context: process, may sleep; serialised by the caller.
 * Return: true if other features need it as well, or none does any more and none did.
 */
bool kma_dispatch_use(unsigned int feature, bool on);

/**
 * kma_dispatch_alloc() - book an allocation, with all that is asked for
 * @e: the event
 *
 * Context: any. NMI is counted as dropped.
 */
void kma_dispatch_alloc(const struct kma_event *e);

/**
 * kma_dispatch_free() - book a free, with all that is asked for
 * @e: the event
 *
 * Context: any. NMI is counted as dropped.
 */
void kma_dispatch_free(const struct kma_event *e);

/**
 * kma_dispatch_free_as() - book a free, and count how long the object has lived
 * @e: the event
 *
 * Context: any but NMI, irqs off.
 * Return: as kma_account_free_as().
 */
struct kma_live_entry kma_dispatch_free_as(const struct kma_event *e);

#endif /* KMA_DISPATCH_H */
