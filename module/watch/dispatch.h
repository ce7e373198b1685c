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
 *
 * Contexts: process, may sleep, serialised by the caller, unless stated.
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

/* Features that the parameters enable. */
struct kma_features {
	/*
	 * Symbols of functions whose allocations are charged to their callers, separated by commas;
	 * NULL or empty for none.
	 */
	const char *wrappers;
	/*
	 * Return addresses by which sites are distinguished, at most KMA_PATH_DEPTH_MAX; 0 or 1 for
	 * the call site alone.
	 */
	unsigned int stack_depth;
	bool origins;	/* find the callers of events that do not report them (origin.h) */
	bool objects;	/* keep the birth of each object (lifetime.h) */
};

/*
 * Reserve the tables of features and start them, after kma_site_init(), before the account is on.
 * Returns 0; or a negative error with a line in the kernel log, and nothing reserved.
 */
int kma_dispatch_init(const struct kma_features *features);

/* Only when no event is in progress. */
void kma_dispatch_deinit(void);

/*
 * Set all numbers of the features to 0, after kma_account_reset(), with the map closed and no event
 * in progress.
 */
void kma_dispatch_reset(void);

/* Of the tables that find callers. */
size_t kma_dispatch_memory(void);

/* Drop data about addresses of code that is loaded or unloaded. None of it may run. */
void kma_dispatch_forget(bool (*inside)(unsigned long addr, void *arg), void *arg);

/*
 * Must events take the long path? kma_dispatch_long() says which path they take. Context: any, with
 * preemption off or in the probe of a tracepoint until the event is counted: kma_dispatch_use() and
 * its caller wait for such events.
 */
static __always_inline bool kma_dispatch_wanted(void)
{
	return static_branch_unlikely(&kma_dispatch_key);
}

/*
 * Do events go to kma_dispatch_alloc() and _free()? After kma_dispatch_wanted() has returned true;
 * or for a free.
 */
static __always_inline bool kma_dispatch_long(void)
{
	return static_branch_unlikely(&kma_dispatch_long_key);
}

/* Do objects belong to groups? */
static __always_inline bool kma_dispatch_grouped(void)
{
	return static_branch_unlikely(&kma_dispatch_groups_key);
}

/* And no other feature is on? After kma_dispatch_wanted() has returned true. */
static __always_inline bool kma_dispatch_only_grouped(void)
{
	return static_branch_likely(&kma_dispatch_only_groups_key);
}

/*
 * Reserve the tables that find the caller of an event, until kma_dispatch_deinit(). Returns 0; or a
 * negative error with a line in the kernel log.
 */
int kma_dispatch_origins(void);

/*
 * Replace the list of wrappers, and reserve the tables as kma_dispatch_origins() does. Parameter
 * and result are those of kma_symbol_wrap(). Events in progress may still use the old list. The
 * caller waits for them, and then calls kma_frame_settle().
 */
int kma_dispatch_wrap(const char *wrappers);

/*
 * Find the kinds of functions of a module that is being loaded, and that the caller keeps loaded;
 * after kma_dispatch_forget() for its addresses.
 */
void kma_dispatch_learn(struct module *mod, void *unused);

/*
 * Set whether one feature of KMA_DISPATCH_* needs the long path. Events in progress may still take
 * the other path. The caller waits for them before it starts the feature. True if the path of
 * events has not changed.
 */
bool kma_dispatch_use(unsigned int feature, bool on);

/* Count an event, with all features that are on. Any context. NMI is counted as dropped. */
void kma_dispatch_alloc(const struct kma_event *e);

void kma_dispatch_free(const struct kma_event *e);

/* Count a free, and the lifetime of the object; as kma_account_free_as(). */
bool kma_dispatch_free_as(const struct kma_event *e);

#endif /* KMA_DISPATCH_H */
