/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * charge.h - whether an allocation asks memcg to charge the object.
 *
 * The kernel charges an object if its caller asks for that (__GFP_ACCOUNT), or if the cache does so
 * for all its objects (SLAB_ACCOUNT). This is what the events kmalloc and kmem_cache_alloc print
 * as "accounted". The account keeps the answer in the group of the object (group.h).
 *
 * Who is charged is not known here. Nobody is charged for a task of the root cgroup, and nobody
 * but the cgroup of set_active_memcg(), if that is set, for interrupts and kernel threads.
 */
#ifndef KMA_CHARGE_H
#define KMA_CHARGE_H

#include <linux/gfp.h>
#include <linux/types.h>

#include "account/group.h"
#include "account/kmem_cache.h"
#include "account/site.h"

/*
 * KMA_GROUP_CHARGED, or 0; always 0 if events do not report the cache. @cache is used if @kind is
 * KMA_KIND_CACHE. Context: any, after kma_cache_init().
 */
static __always_inline unsigned int
kma_charged(gfp_t gfp, enum kma_kind kind, const struct kmem_cache *cache)
{
	if (KMA_EVENTS_HAVE_CACHE &&
	    ((kind == KMA_KIND_CACHE && kma_cache_accounts(cache)) || gfp & __GFP_ACCOUNT))
		return KMA_GROUP_CHARGED;
	return 0;
}

#endif /* KMA_CHARGE_H */
