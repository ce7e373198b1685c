/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * site.h - the table of call sites: id, address, kind and slab cache of each.
 *
 * A call site is a return address: the instruction after a call of the
 * allocator. The first event of a site gives it a small number, its id, which
 * never changes while the account runs. The class of a live object therefore names
 * the site in 14 bits, and a free needs no search. There are two tables:
 *
 *  - the index, call site -> id: one open-addressed hash table that all CPUs
 *    read without a lock. It is written once per site, so its lines stay shared
 *    in every cache. A slot is 64 bits, the low half of the call site and the
 *    id: one load reads both. The index is at most half full, usually less
 *    than a quarter.
 *    Kernel text and modules lie within 4 GiB, so the low half identifies the call
 *    site, wherever KASLR has put them. On arm64 the BPF compiler may place its
 *    programs anywhere else. The slot of such a far site has KMA_SITE_FAR instead of
 *    the low half, and a search compares the whole address, which takes longer.
 *  - the sites, by id: the data of a site that an event does not need.
 *
 * The counters of a site are in the classes of its objects (class.h).
 *
 * When the table is full, all further sites share one row, KMA_SITE_OTHER: their
 * bytes are counted, and only their names are lost.
 *
 * The slab cache of a site is the cache of its first object. The cache may be
 * destroyed later, so its name is copied into a small table. All sites share this
 * table, because hundreds of sites use the same few caches. It is not
 * checked whether later objects come from the same cache: a check would cost time
 * in each event. All objects of a site had the same size if the bytes of the site
 * are the number of its objects times the size of the first object.
 *
 * Never done here: allocating after kma_site_init(), deleting a single site,
 * reusing an id before kma_site_reset().
 *
 * Locking:
 *  kma_sites.lock   raw spinlock, irqs off: adding a site, recording its cache, and
 *                   adding a class (class.h). Innermost: no lock is taken under it.
 *  kma_sites.names  mutex: names of sites whose code is unloaded. A report holds
 *                   the mutex while it prints a symbol, so that the text of the
 *                   module stays until the name is copied.
 *
 * Contexts: process, may sleep, unless stated.
 */
#ifndef KMA_SITE_H
#define KMA_SITE_H

#include <linux/compiler.h>
#include <linux/kallsyms.h>
#include <linux/kconfig.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "account/kmem_cache_layout.h"

#define KMA_SITE_OTHER		0	/* id of "[site table full]" */
#define KMA_SITE_NONE		(~0u)	/* the id of no site */
#define KMA_SITE_FAR		2u	/* in a far site's slot; no low half is 2 */
#define KMA_SITE_MAX		16384	/* an id has 14 bits in an owner (class.h) */
#define KMA_SITE_CACHES		512	/* names of caches; a kernel has about 200 */

/*
 * The kind of a call site's first event. A call site is a single call instruction, so a site rarely
 * has events of two kinds.
 */
enum kma_kind {
	KMA_KIND_FREE,		/* a free of an object that the account does not know */
	KMA_KIND_KMALLOC,	/* kmalloc() and related functions */
	KMA_KIND_CACHE,		/* kmem_cache_alloc() and related functions */
	KMA_KIND_PAGE,		/* pages of the page allocator (pages.h) */
	KMA_KIND_PERCPU,	/* alloc_percpu() and related functions (percpu.h) */
	KMA_NR_KINDS,
};

/*
 * The data of a site that an event does not need. @place is set when the code of the
 * site is about to be unloaded. @base is the id of the site itself; for a path (path.h),
 * @base is the id of the site of its call site.
 */
struct kma_site {
	unsigned long call_site;
	char *place;			/* printed by kma_place_print() */
	u32 base;
	u32 bytes;			/* size of the first object; 0 before it */
	u16 cache;			/* cache of the first object, for kma_site_cache() */
	u16 kind;			/* enum kma_kind */
	u16 classes;			/* number of classes with a size (class.h) */
	bool sampled;			/* for objects whose stack was not sampled (sample.h) */
};

struct kma_site_table {
	u32 max;			/* ids, KMA_SITE_OTHER among them */
	u32 nr;				/* ids in use */
	struct kma_site *sites;		/* by id */
	raw_spinlock_t lock;		/* adding sites and classes */
	struct mutex names;		/* names of code that is unloaded */
};

extern struct kma_site_table kma_sites;
extern u64 *kma_site_slots;
extern u32 kma_site_mask;	/* number of slots, a power of two, less one */

#ifndef KMA_TEXT	/* unit tests define another value */
#define KMA_TEXT		((unsigned long)sprint_symbol)
#endif

#ifndef CONFIG_64BIT
#define KMA_SITES_NEAR		1	/* there is no other code */
#define KMA_SITE_LOWEST		0ull
#elif defined(CONFIG_X86)
#define KMA_SITES_NEAR		1	/* there is no other code */
#define KMA_SITE_LOWEST		(-(u64)SZ_2G)
#else
#define KMA_SITES_NEAR		0
#define KMA_SITE_LOWEST		((u64)KMA_TEXT - SZ_2G)
#endif

/*
 * Is the call site within 2 GiB of the kernel's text, as the whole text of the kernel and of all
 * modules is: KMA_SITE_LOWEST, or above it by less than 2^32? Then its low half identifies it.
 * Always true on x86 and on 32-bit machines: there is no other code.
 */
static __always_inline bool kma_site_near(unsigned long call_site)
{
	return KMA_SITES_NEAR || !((call_site - KMA_SITE_LOWEST) >> 32);
}

/*
 * The id of a call site, below kma_sites.max, which is assigned at its first event; KMA_SITE_OTHER
 * when the table is full. Any context but NMI, irqs off.
 */
unsigned int kma_site_id(unsigned long call_site, enum kma_kind kind);

/*
 * Assign the next id. @base is the site of a path's call site (path.h), else the new id itself. The
 * caller has written all other data of the id, because readers see the id from now on.
 *
 * Context: any but NMI, irqs off, kma_sites.lock held and kma_sites.nr below kma_sites.max.
 */
void kma_site_new(unsigned long call_site, enum kma_kind kind, unsigned int base);

/* Was kma_site_learn() called for the site? Any context. */
static __always_inline bool kma_site_learnt(unsigned int id)
{
	/* Pairs with the smp_store_release() in kma_site_learn(). */
	return smp_load_acquire(&kma_sites.sites[id].bytes);
}

/*
 * Record size and cache of the first object of a site, and publish them; without effect for a later
 * one. The name may be empty. Any context but NMI, irqs off.
 */
void kma_site_learn(unsigned int id, size_t bytes, const char *cache);

/*
 * The name of a kma_site.cache; "-" if the object had none, or if the table of names was full.
 * Names outlive kma_site_reset().
 */
const char *kma_site_cache(unsigned int cache);

/*
 * @max is 1 to KMA_SITE_MAX - 1. Returns 0, or -ENOMEM with nothing reserved. After
 * kma_site_deinit() no event or report may use the tables.
 */
int kma_site_init(unsigned int max);
void kma_site_deinit(void);

/*
 * Empty the index, so that events no longer find their sites. The counts stay. Called before
 * kma_site_reset(), while events of an account that is closed may still be in progress; no event
 * may add a site meanwhile.
 */
void kma_site_hide(void);

/* Forget all sites and counts. No event is in progress. */
void kma_site_reset(void);

/* Ids in use, including KMA_SITE_OTHER: kma_site_fold() accepts all below. Any context. */
unsigned int kma_site_nr(void);

/*
 * Remove a call site from the index, because its code is unloaded, after its name was saved
 * (site_name.h); kma_sites.names is held. The site keeps its counts. Another one that later has the
 * same address gets an id of its own.
 */
void kma_site_retire(unsigned int id);

size_t kma_site_memory(void);

#endif /* KMA_SITE_H */
