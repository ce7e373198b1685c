/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * path.h - sites told apart by their stack, for the switch stacks.
 *
 * A path is a call site with the return addresses beyond it, outwards, up to
 * the depth; a shorter stack ends with zeros. It has an id of its own, from the
 * same numbers as the sites, so that a live object and the counters know no
 * difference. The call site has an id as well, its base: what comes without a
 * stack is booked there (frees of unknown objects, a walk that failed, paths
 * beyond max_sites), and the rows of all paths with one base are one row of
 * /proc/kmem_account.
 *
 * The index is an open-addressed hash table, read without a lock. A slot is 64
 * bits, a hash and the id; whole paths are compared, so that a hash that two of
 * them share does no harm. It is at most half full.
 *
 * Stacks may be switched on while an account is on, and their depth may change. A path
 * keeps the addresses that it was given, and another depth makes other paths. Objects
 * that were allocated without a stack keep their call site as their site. To keep them
 * apart from events after the switch, an event whose stack is its call site alone has a
 * path of one address, if its call site is older than the switch (kma_path_before()).
 *
 * When code goes away each path through it keeps its text and is not found any
 * more, as with sites (kma_site_retire()).
 *
 * Never done here: no stack is walked, no allocation after kma_path_init(),
 * no deletion of a single path.
 *
 * Locking: kma_sites.lock for adding one, kma_sites.names for texts.
 *  A slot is written after the path, with a release that the search's acquire
 *  is the partner of.
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
 * kma_path_init() - reserve the table and set the depth; kma_site_init() comes before
 * @depth: addresses of a path, up to KMA_PATH_DEPTH_MAX; below 2 no event gets a
 *	path, and nothing is reserved
 *
 * May be called again, while events go on; paths stay.
 *
 * Context: process, may sleep; serialised by the caller.
 * Return: 0, or -ENOMEM with nothing changed.
 */
int kma_path_init(unsigned int depth);

/**
 * kma_path_begin() - call sites that exist now are older than the switch
 *
 * After kma_path_init(), and after the last event that knew the depth of before.
 *
 * Context: process, serialised by the caller.
 */
void kma_path_begin(void);

/**
 * kma_path_before() - ids below this one may have objects from before the switch
 *
 * Context: any.
 * Return: the id; 0 if stacks have been on since the account began.
 */
unsigned int kma_path_before(void);

/**
 * kma_path_reserved() - can there be paths?
 *
 * Context: process, serialised with kma_path_init().
 * Return: true if the table is reserved.
 */
bool kma_path_reserved(void);

/**
 * kma_path_deinit() - release the table; nobody may use it any more
 *
 * Context: process, may sleep.
 */
void kma_path_deinit(void);

/**
 * kma_path_reset() - forget all paths; kma_site_reset() comes with it
 *
 * Context: process, may sleep. No probe may run meanwhile.
 */
void kma_path_reset(void);

/**
 * kma_path_depth() - addresses of the path of an event now
 *
 * Context: any.
 * Return: the number; 0 if events get no path.
 */
unsigned int kma_path_depth(void);

/**
 * kma_path_id() - the id of a path, given out at its first event
 * @addr: return addresses, from the call site outwards
 * @nr: how many, at least 1; beyond the depth they do not matter
 * @kind: what the event is
 *
 * Context: any but NMI, irqs off.
 * Return: the id; that of the call site if events get no path, if @nr is 1 and the call
 * site is not older than the switch, or if the table is full, which is counted
 * (kma_path_full()); KMA_SITE_OTHER if not even the call site has one.
 */
unsigned int kma_path_id(const unsigned long *addr, unsigned int nr,
			 enum kma_kind kind);

/**
 * kma_path_full() - how many events found no room for their path
 *
 * Context: any.
 * Return: the sum over all CPUs since the last reset.
 */
u64 kma_path_full(void);

/**
 * kma_path_merge() - add what the paths counted to their call sites
 * @nr: length of @sums, at most kma_site_nr()
 * @sums: as kma_site_fold() gave them; paths have none afterwards
 *
 * Context: any.
 */
void kma_path_merge(unsigned int nr, struct kma_site_count *sums);

/**
 * kma_path_copy() - the addresses of the first paths
 * @nr: how many ids, at most kma_site_nr()
 * @addr: @nr times KMA_PATH_DEPTH_MAX addresses; those of a site that is no path
 *	are 0
 *
 * Context: any.
 */
void kma_path_copy(unsigned int nr, unsigned long *addr);

/**
 * kma_path_text() - a path as text
 * @id: the path
 * @addr: its addresses: since a kma_path_reset() the id may be another's
 * @buf: set to symbols as %pS prints them, separated by ";", or "-" for none
 *
 * Context: process, may sleep.
 */
void kma_path_text(unsigned int id, const unsigned long *addr,
		   char buf[KMA_PATH_LEN]);

/**
 * kma_path_retire() - keep the texts of paths through code that goes away
 * @inside: tells whether an address is in that code
 * @arg: handed to @inside
 *
 * Context: process, may sleep.
 * Return: number of paths retired.
 */
unsigned int kma_path_retire(bool (*inside)(unsigned long addr, void *arg),
			     void *arg);

/**
 * kma_path_memory() - what the table takes
 *
 * Return: bytes.
 */
size_t kma_path_memory(void);

#endif /* KMA_PATH_H */
