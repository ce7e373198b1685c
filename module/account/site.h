/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * site.h - the call sites of the kernel and what else is known of each.
 *
 * A call site is a return address: the instruction behind a call of the
 * allocator. The first event of a site gives it a small number, its id, and
 * the id never changes while the account runs, so that a live object names its
 * site in 16 bits and a free needs no search. Two tables:
 *
 *  - the index, call site -> id: one open-addressed hash table that all CPUs
 *    read without a lock. It is written once per site, so its lines stay shared
 *    in every cache. A slot is 64 bits, the low half of the call site and the
 *    id: one load has both, or neither. It is at most half full, usually less
 *    than a quarter.
 *    Kernel text and modules lie within 4 GiB, so the low half says which call
 *    site it is, wherever KASLR has put them. On arm64 the programs of BPF's
 *    compiler may be anywhere else: such a far site has no low half in its
 *    slot, and is known by its whole address, which takes longer.
 *  - the sites, by id: what is not needed for an event.
 *
 * What a site has counted is kept by the classes of its objects (class.h).
 *
 * When the table is full, further sites share one row, KMA_SITE_OTHER: their
 * bytes are counted, only the name is lost.
 *
 * The first object of a site says which slab cache it is asked for. The cache's
 * name is copied, for a cache may be destroyed, into a small table that all
 * sites share: hundreds of sites have the same few caches. Whether later objects
 * came from there as well is not watched, that would cost each event; all sizes
 * were alike if the bytes are the objects times the first one's size.
 *
 * Never done here: no allocation after kma_site_init(), no deletion of a
 * single site, no reuse of an id before kma_site_reset().
 *
 * Locking:
 *  kma_sites.lock   raw spinlock, irqs off: adding a site, learning its cache.
 *                   Innermost; nothing is called under it.
 *  kma_sites.names  mutex: names of sites whose code goes away; held by a
 *                   report while it prints a symbol, so that the module's
 *                   text stays until the name is taken.
 */
#ifndef KMA_SITE_H
#define KMA_SITE_H

#include <linux/compiler.h>
#include <linux/kallsyms.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "account/kmem_cache_layout.h"

#define KMA_SITE_OTHER		0	/* id of "[site table full]" */
#define KMA_SITE_NONE		(~0u)	/* the id of no site */
#define KMA_SITE_FAR		2u	/* for its low half; none ends so */
#define KMA_SITE_MAX		16384	/* an id has 14 bits in an owner (class.h) */
#define KMA_SITE_CACHES		512	/* names of caches; a kernel has 200 */

/**
 * enum kma_kind - by what a site was met first
 * @KMA_KIND_FREE: a free of an object that the account does not know
 * @KMA_KIND_KMALLOC: kmalloc() and its kin
 * @KMA_KIND_CACHE: kmem_cache_alloc() and its kin
 * @KMA_KIND_PAGE: pages of the page allocator (pages.h)
 * @KMA_KIND_PERCPU: alloc_percpu() and its kin (percpu.h)
 * @KMA_NR_KINDS: number of kinds
 *
 * A call site is one call, so it hardly ever is of two kinds.
 */
enum kma_kind {
	KMA_KIND_FREE,
	KMA_KIND_KMALLOC,
	KMA_KIND_CACHE,
	KMA_KIND_PAGE,
	KMA_KIND_PERCPU,
	KMA_NR_KINDS,
};

/*
 * The slow half of a site; @place is set when its code is about to go. @base is
 * the site itself, but for a path (path.h) that of its call site.
 */
struct kma_site {
	unsigned long call_site;
	char *place;			/* as kma_place_print() says it */
	u32 base;
	u32 bytes;			/* of its first object; 0 without one */
	u16 cache;			/* of that, for kma_site_cache() */
	u16 kind;			/* enum kma_kind */
	u16 classes;			/* of the site, with a size (class.h) */
	bool sampled;			/* of objects of a call site whose stack was not taken */
};

struct kma_site_table {
	u32 max;			/* ids, KMA_SITE_OTHER among them */
	u32 nr;				/* ids in use */
	struct kma_site *sites;		/* by id */
	raw_spinlock_t lock;		/* adding a site */
	struct mutex names;		/* names, and code that goes away */
};

extern struct kma_site_table kma_sites;
extern u64 *kma_site_slots;
extern u32 kma_site_mask;	/* number of slots, a power of two, less one */

#ifndef KMA_TEXT	/* tests in user space have another one */
#define KMA_TEXT		((unsigned long)sprint_symbol)
#endif

/**
 * kma_site_near() - is the low half of a call site enough?
 * @call_site: return address into the caller of the allocator
 *
 * Context: any.
 * Return: true if it is within 2 GiB of the kernel's text, as all of its text and
 * all modules are; on x86 and in 32 bits there is no other code.
 */
static __always_inline bool kma_site_near(unsigned long call_site)
{
#if defined(CONFIG_X86) || !defined(CONFIG_64BIT)
	return true;
#else
	return !((call_site - KMA_TEXT + SZ_2G) >> 32);
#endif
}

/**
 * kma_site_id() - the id of a call site, given out at its first event
 * @call_site: return address into the caller of the allocator
 * @kind: what that event is
 *
 * Context: any but NMI, irqs off.
 * Return: the id, below kma_sites.max; KMA_SITE_OTHER when the table is full.
 */
unsigned int kma_site_id(unsigned long call_site, enum kma_kind kind);

/**
 * kma_site_new() - give out the next id
 * @call_site: return address into the caller of the allocator
 * @kind: what the first event of it is
 * @base: id of the site that it is a part of; its own id if it is whole
 *
 * Context: any but NMI, irqs off, kma_sites.lock held and kma_sites.nr below
 * kma_sites.max. What else belongs to the id is written already: it is seen from
 * now on.
 */
void kma_site_new(unsigned long call_site, enum kma_kind kind,
		  unsigned int base);

/**
 * kma_site_learnt() - has the site had an object?
 * @id: the site
 *
 * Context: any.
 * Return: true if kma_site_learn() was called for the site.
 */
static __always_inline bool kma_site_learnt(unsigned int id)
{
	/* Pairs with the smp_store_release() in kma_site_learn(). */
	return smp_load_acquire(&kma_sites.sites[id].bytes);
}

/**
 * kma_site_learn() - keep what the first object of a site was; make it known
 * @id: the site; if it has had an object, nothing is done
 * @bytes: bytes given to it
 * @cache: name of its cache, or an empty string
 *
 * Context: any but NMI, irqs off.
 */
void kma_site_learn(unsigned int id, size_t bytes, const char *cache);

/**
 * kma_site_cache() - a name that was given to kma_site_learn()
 * @cache: from struct kma_site
 *
 * Names outlive kma_site_reset().
 *
 * Return: the name; "-" if there was none, or one too many.
 */
const char *kma_site_cache(unsigned int cache);

/**
 * kma_site_init() - reserve the tables
 * @max: number of sites that are counted separately, 1 to KMA_SITE_MAX - 1
 *
 * Context: process, may sleep.
 * Return: 0, or -ENOMEM with nothing reserved.
 */
int kma_site_init(unsigned int max);

/**
 * kma_site_deinit() - release the tables; nobody may use them any more
 *
 * Context: process, may sleep.
 */
void kma_site_deinit(void);

/**
 * kma_site_hide() - let no event find its site any more
 *
 * Counts stay. Before kma_site_reset(), while probes may still run for an account that
 * is closed.
 *
 * Context: process, may sleep. No probe may add a site meanwhile.
 */
void kma_site_hide(void);

/**
 * kma_site_reset() - forget all sites and counts
 *
 * Context: process, may sleep. No probe may run meanwhile.
 */
void kma_site_reset(void);

/**
 * kma_site_nr() - ids given out so far, KMA_SITE_OTHER among them
 *
 * Context: any.
 * Return: the number; ids below it may be folded.
 */
unsigned int kma_site_nr(void);

/**
 * kma_site_retire() - the code of a call site goes away
 * @id: the site, whose name was kept (site_name.h)
 *
 * The site keeps its counts; another site that later has the same address gets an
 * id of its own.
 *
 * Context: process, may sleep, kma_sites.names held.
 */
void kma_site_retire(unsigned int id);

/**
 * kma_site_memory() - what the tables take
 *
 * Return: bytes.
 */
size_t kma_site_memory(void);

#endif /* KMA_SITE_H */
