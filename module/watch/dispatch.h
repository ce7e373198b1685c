/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dispatch.h - the long path of events, for features that are off by default.
 *
 * Features that cost more than a probe of account.h may cost are called here. Each probe has
 * two paths: the short path, inline in account.h, and the long path, a call of this file
 * behind a static key that is off by default. An event tests the key once. So it is counted
 * once, by one of the paths, whenever the key is switched. Features that are off cost one
 * instruction together. The kprobes of kprobe.c are rarer and always take the long path.
 *
 * An allocation of an object in a group (group.h) finds the group first, and takes the short
 * path: behind the key, a second key tells whether no other feature is on. While stacks are
 * sampled (sample.h), an allocation counts down, and most allocations then take the short path. A
 * free needs neither: it tests only the key of the long path.
 *
 * Events on all paths may run at once while a feature only chooses the site of an event
 * (caller.h). A feature that keeps more of each object (errors.h, birth.h) starts after the last
 * event on the short path has ended: the caller of kma_dispatch_use() waits for that.
 *
 * kma_dispatch_alloc() and kma_dispatch_free() turn interrupts off, call each feature that
 * is on, and count the event with kma_account_alloc_at() or kma_account_free_as(). Events
 * in NMIs are refused.
 *
 * The tables of the features are in their own files.
 */
#ifndef KMA_DISPATCH_H
#define KMA_DISPATCH_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/types.h>

#include "account/account.h"

DECLARE_STATIC_KEY_FALSE(kma_dispatch_key);
DECLARE_STATIC_KEY_FALSE(kma_dispatch_long_key);
DECLARE_STATIC_KEY_FALSE(kma_dispatch_groups_key);
DECLARE_STATIC_KEY_FALSE(kma_dispatch_only_groups_key);

struct module;

/* The features that need the long path. */
#define KMA_DISPATCH_CALLER	BIT(0)	/* caller.h: wrappers, stacks */
#define KMA_DISPATCH_OBJECTS	BIT(1)	/* lifetime.h: a map with births */
#define KMA_DISPATCH_ERRORS	BIT(2)	/* errors.h */
#define KMA_DISPATCH_GROUPS	BIT(3)	/* group.h: needs only another inline half */
#define KMA_DISPATCH_SAMPLES	BIT(4)	/* sample.h: the long path for some allocations */

/**
 * struct kma_features - features that the parameters enable
 * @wrappers: symbols of functions whose allocations are charged to their callers, separated
 *	by commas; NULL or empty for none
 * @stack_depth: number of return addresses by which sites are distinguished, at most
 *	KMA_PATH_DEPTH_MAX; 0 or 1 for the call site alone
 * @origins: find the callers of events that do not report them (origin.h)
 * @objects: keep the birth of each object (lifetime.h)
 */
struct kma_features {
	const char *wrappers;
	unsigned int stack_depth;
	bool origins;
	bool objects;
};

/*
 * Reserve the tables of features and start them.
 * Context: process, may sleep; after kma_site_init(), before the account is on.
 * Return: 0; or a negative error with a line in the kernel log, and nothing reserved.
 */
int kma_dispatch_init(const struct kma_features *features);

/*
 * Stop all features and release their tables.
 * Context: process, may sleep; no event is in progress.
 */
void kma_dispatch_deinit(void);

/*
 * Set all numbers of the features to 0.
 * Context: process, may sleep; after kma_account_reset(), with the map closed and no event in
 * progress.
 */
void kma_dispatch_reset(void);

/* Get the size of the tables that find callers. Return: bytes. */
size_t kma_dispatch_memory(void);

/**
 * kma_dispatch_forget() - drop data about addresses of code that is loaded or unloaded
 * @inside: tells whether an address is in that code
 * @arg: passed to @inside
 *
 * Context: process, may sleep. None of that code may run.
 */
void kma_dispatch_forget(bool (*inside)(unsigned long addr, void *arg),
			 void *arg);

/*
 * Check whether events must take the long path.
 * Context: any, with preemption off or in the probe of a tracepoint until the event is counted:
 * kma_dispatch_use() and its caller wait for such events.
 * Return: true if a feature needs more; kma_dispatch_long() says which path events take.
 */
static __always_inline bool kma_dispatch_wanted(void)
{
	return static_branch_unlikely(&kma_dispatch_key);
}

/*
 * Check whether events go to kma_dispatch_alloc() and _free().
 * Context: as kma_dispatch_wanted(), which has returned true; or a free.
 * Return: true if they do.
 */
static __always_inline bool kma_dispatch_long(void)
{
	return static_branch_unlikely(&kma_dispatch_long_key);
}

/*
 * Check whether objects belong to groups.
 * Context: as kma_dispatch_wanted().
 * Return: true if they do.
 */
static __always_inline bool kma_dispatch_grouped(void)
{
	return static_branch_unlikely(&kma_dispatch_groups_key);
}

/*
 * Check whether objects belong to groups and no other feature is on.
 * Context: as kma_dispatch_wanted(), which has returned true.
 * Return: true if so.
 */
static __always_inline bool kma_dispatch_only_grouped(void)
{
	return static_branch_likely(&kma_dispatch_only_groups_key);
}

/*
 * Reserve the tables that find the caller of an event. They stay reserved until
 * kma_dispatch_deinit().
 * Context: process, may sleep; serialised by the caller.
 * Return: 0; or a negative error with a line in the kernel log.
 */
int kma_dispatch_origins(void);

/**
 * kma_dispatch_wrap() - replace the list of wrappers
 * @wrappers: as kma_symbol_wrap() takes it
 *
 * Reserves the tables as kma_dispatch_origins() does. Events in progress may still use the old
 * list. The caller waits for them, and then calls kma_frame_settle().
 *
 * Context: process, may sleep; serialised by the caller.
 * Return: as kma_symbol_wrap().
 */
int kma_dispatch_wrap(const char *wrappers);

/**
 * kma_dispatch_learn() - find the kinds of functions of a module that is being loaded
 * @mod: the module, which the caller keeps loaded
 * @unused: not used
 *
 * Context: process, may sleep; after kma_dispatch_forget() for its addresses.
 */
void kma_dispatch_learn(struct module *mod, void *unused);

/**
 * kma_dispatch_use() - set whether a feature needs the long path
 * @feature: one of KMA_DISPATCH_*
 * @on: true if it does
 *
 * Events in progress may still take the other path. The caller waits for them before it
 * starts the feature.
 *
 * Context: process, may sleep; serialised by the caller.
 * Return: true if the path of events has not changed.
 */
bool kma_dispatch_use(unsigned int feature, bool on);

/* Count an allocation, with all features that are on. Context: any. NMI is counted as dropped. */
void kma_dispatch_alloc(const struct kma_event *e);

/* Count a free, with all features that are on. Context: any. NMI is counted as dropped. */
void kma_dispatch_free(const struct kma_event *e);

/*
 * Count a free, and the lifetime of the object.
 * Context: any but NMI, irqs off.
 * Return: as kma_account_free_as().
 */
bool kma_dispatch_free_as(const struct kma_event *e);

#endif /* KMA_DISPATCH_H */
