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
 *
 * Contexts: process, may sleep, serialised by the caller; unless stated.
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

/*
 * Reserve the table and set the number of addresses of a path, up to KMA_PATH_DEPTH_MAX; below 2 no
 * event gets a path, and nothing is reserved. After kma_site_init(). May be called again while
 * events continue; existing paths stay. Returns 0, or -ENOMEM with nothing changed.
 */
int kma_path_init(unsigned int depth);

/*
 * Mark the existing call sites as older than the switch. One in @every events gets a stack from now
 * on (sample.h). After kma_path_init(), and after the last event that used the previous depth.
 */
void kma_path_begin(unsigned int every);

/*
 * Can this account get stacks of one event in @every? @again: stacks are on now.
 *
 * A path does not store how many events it stands for, and objects without a stack do not store
 * when they were allocated. All paths of an account must therefore have the same @every, and a
 * value above 1 cannot be switched off and on again. After kma_path_reset() there are no paths.
 */
bool kma_path_fits(unsigned int every, bool again);

/*
 * The id below which sites may have objects from before the switch; 0 if stacks have been on since
 * the account began. Any context.
 */
unsigned int kma_path_before(void);

bool kma_path_reserved(void);

/* Only when no event uses paths. */
void kma_path_deinit(void);

/* Delete all paths. The caller also calls kma_site_reset(). No probe runs. */
void kma_path_reset(void);

/* Addresses of a path; 0 if events get no path. Any context. */
unsigned int kma_path_depth(void);

/*
 * Find a path, or add it: @nr return addresses, at least 1, from the call site outwards; those
 * beyond the depth are ignored. Any context but NMI, irqs off.
 *
 * Return: the id of the path. The id of the call site if one of these is true:
 * - events get no path;
 * - @nr is 1, the call site is not older than the switch, and all events get a stack;
 * - the table is full, which is counted (kma_path_full()).
 * KMA_SITE_OTHER if the call site has no id either.
 */
unsigned int kma_path_id(const unsigned long *addr, unsigned int nr, enum kma_kind kind);

/* Events whose path did not fit into the table, since the last reset. Any context. */
u64 kma_path_full(void);

/*
 * Add the sums of paths, which are 0 afterwards, to those of their call sites. @nr is at most
 * kma_site_nr(). Any context.
 */
void kma_path_merge(unsigned int nr, struct kma_site_count *sums);

/*
 * Copy KMA_PATH_DEPTH_MAX addresses for each of the first @nr ids; they are 0 for a site that is
 * not a path. Any context.
 */
void kma_path_copy(unsigned int nr, unsigned long *addr);

/*
 * A path as symbols, as %pS prints them, separated by ";", or "-" for none. @addr are its
 * addresses: after a kma_path_reset() another path may have the id.
 */
void kma_path_text(unsigned int id, const unsigned long *addr, char buf[KMA_PATH_LEN]);

/* Save the texts of paths through code that is about to be removed. Return: their number. */
unsigned int kma_path_retire(bool (*inside)(unsigned long addr, void *arg), void *arg);

size_t kma_path_memory(void);

#endif /* KMA_PATH_H */
