/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * path.h - sites that are distinguished by their stacks, for the switch stacks.
 *
 * A path is a call site with the return addresses outside of it, up to the depth. A shorter
 * stack ends with zeros. A path has an id from the same numbers as the sites, so live objects
 * and counters treat both alike. The call site of a path, its base, also has an id. Events
 * without a stack are charged to the base: frees of unknown objects, events whose walk failed, and
 * paths beyond max_sites. The rows of all paths with one base are one row of
 * /proc/kmem_account.
 *
 * The index is an open-addressed hash table that is read without a lock. A slot is 64 bits:
 * a hash and the id. A search compares whole paths, so two paths may have the same hash. The table
 * is at most half full.
 *
 * Stacks may be switched on while an account is on, and their depth may change. A path keeps
 * its addresses, and another depth makes other paths. Objects that were allocated without a
 * stack keep their call site as their site. To distinguish them from events after the
 * switch, an event whose stack is its call site alone gets a path of one address, if its
 * call site is older than the switch (kma_path_before()). If only one event in N gets a stack, each
 * of the others gets such a path, whatever the age of its call site. The site that is the call site
 * itself then has only objects from before or after the time when stacks were on.
 *
 * When code is unloaded, the text of each path through it is saved, and searches no longer find
 * the path, as with sites (kma_site_retire()).
 *
 * Never done here: walking a stack; allocating after kma_path_init(); deleting a single path.
 *
 * Locking: kma_sites.lock for adding a path, kma_sites.names for texts.
 *  A slot is written after the path, with a release; its partner is the acquire of the
 *  search.
 */
#ifndef KMA_PATH_H
#define KMA_PATH_H

#include <linux/kallsyms.h>
#include <linux/types.h>

#include "account/class.h"
#include "account/site.h"
#include "account/sum.h"

#define KMA_PATH_DEPTH_MAX	16
#define KMA_PATH_LEN		(KMA_PATH_DEPTH_MAX * KSYM_SYMBOL_LEN)

/**
 * kma_path_init() - reserve the table and set the depth
 * @depth: number of addresses of a path, up to KMA_PATH_DEPTH_MAX; below 2 no event gets a
 *	path, and nothing is reserved
 *
 * May be called again while events continue; existing paths stay.
 *
 * Context: process, may sleep; serialised by the caller, after kma_site_init().
 * Return: 0, or -ENOMEM with nothing changed.
 */
int kma_path_init(unsigned int depth);

/**
 * kma_path_begin() - mark the existing call sites as older than the switch
 * @every: one in so many events gets a stack from now on (sample.h)
 *
 * Context: process, serialised by the caller; after kma_path_init(), and after the last event
 * that used the previous depth.
 */
void kma_path_begin(unsigned int every);

/**
 * kma_path_fits() - check whether this account can get stacks of one event in @every
 * @every: one in so many events is to get a stack
 * @again: stacks are on now
 *
 * A path does not store how many events it stands for, and objects without a stack do not store
 * when they were allocated. All paths of an account must therefore have the same @every, and a
 * value above 1 cannot be switched off and on again.
 *
 * Context: process, serialised by the caller.
 * Return: true; false if the account has paths of another kind. After kma_path_reset() it has none.
 */
bool kma_path_fits(unsigned int every, bool again);

/*
 * Get the id below which sites may have objects from before the switch.
 * Context: any.
 * Return: the id; 0 if stacks have been on since the account began.
 */
unsigned int kma_path_before(void);

/*
 * Check whether the table of paths is reserved.
 * Context: process, serialised with kma_path_init().
 * Return: true if the table is reserved.
 */
bool kma_path_reserved(void);

/* Release the table. Context: process, may sleep; no event uses paths. */
void kma_path_deinit(void);

/*
 * Delete all paths. The caller also calls kma_site_reset().
 * Context: process, may sleep. No probe runs.
 */
void kma_path_reset(void);

/*
 * Get the number of addresses of a path.
 * Context: any.
 * Return: the number; 0 if events get no path.
 */
unsigned int kma_path_depth(void);

/**
 * kma_path_id() - find a path, or add it
 * @addr: return addresses, from the call site outwards
 * @nr: number of addresses, at least 1; those beyond the depth are ignored
 * @kind: kind of the event
 *
 * Context: any but NMI, irqs off.
 * Return: the id of the path. The id of the call site if one of these is true:
 * - events get no path;
 * - @nr is 1, the call site is not older than the switch, and all events get a stack;
 * - the table is full, which is counted (kma_path_full()).
 * KMA_SITE_OTHER if the call site has no id either.
 */
unsigned int kma_path_id(const unsigned long *addr, unsigned int nr,
			 enum kma_kind kind);

/*
 * Get the number of events whose path did not fit into the table.
 * Context: any.
 * Return: the sum over all CPUs since the last reset.
 */
u64 kma_path_full(void);

/**
 * kma_path_merge() - add the sums of paths to those of their call sites
 * @nr: length of @sums, at most kma_site_nr()
 * @sums: the sums from kma_site_fold(); those of paths are 0 afterwards
 *
 * Context: any.
 */
void kma_path_merge(unsigned int nr, struct kma_site_count *sums);

/**
 * kma_path_copy() - copy the addresses of the first paths
 * @nr: number of ids, at most kma_site_nr()
 * @addr: array that receives KMA_PATH_DEPTH_MAX addresses for each id; they are 0 for a site
 *	that is not a path
 *
 * Context: any.
 */
void kma_path_copy(unsigned int nr, unsigned long *addr);

/**
 * kma_path_text() - get a path as text
 * @id: the path
 * @addr: addresses of the path. After a kma_path_reset() another path may have the id
 * @buf: set to symbols as %pS prints them, separated by ";", or "-" for none
 *
 * Context: process, may sleep.
 */
void kma_path_text(unsigned int id, const unsigned long *addr,
		   char buf[KMA_PATH_LEN]);

/**
 * kma_path_retire() - save the texts of paths through code that is about to be removed
 * @inside: tells whether an address is in that code
 * @arg: passed to @inside
 *
 * Context: process, may sleep.
 * Return: number of paths retired.
 */
unsigned int kma_path_retire(bool (*inside)(unsigned long addr, void *arg),
			     void *arg);

/* Get the memory that the tables take. Return: bytes. */
size_t kma_path_memory(void);

#endif /* KMA_PATH_H */
