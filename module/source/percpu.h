/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * percpu.h - how allocations and frees of per-CPU memory change the account.
 *
 * alloc_percpu() allocates one copy for each possible CPU. All copies are charged to the
 * call site. The live map has the bytes of one copy, under the key of the copy in the first
 * unit of the chunk (key.h). The event reports the size rounded up to words, so there is no
 * slack.
 *
 * Static per-CPU variables of modules come from the same allocator, with an event. Those of
 * the kernel have no event.
 */
#ifndef KMA_PERCPU_H
#define KMA_PERCPU_H

#include <linux/types.h>

/*
 * @addr is that of the copy in the first unit of the chunk, @bytes the size of one copy; @charged
 * is KMA_GROUP_CHARGED if memcg is asked to charge the object, else 0. Context: a probe. NMI is
 * counted as dropped.
 */
void kma_percpu_alloc(const void *addr, size_t bytes, unsigned int charged);

/* The free of an object that is older than the account is charged to the function that freed it. */
void kma_percpu_free(const void *addr);

#endif /* KMA_PERCPU_H */
