/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * percpu.h - the rules for per-CPU memory.
 *
 * What alloc_percpu() gives is one copy for each possible CPU. Its site is
 * booked with all of them; the live map has the bytes of one, under the key of
 * the copy in the chunk's first unit (key.h). The kernel has rounded the size up
 * to words before it tells of it, so there is no slack.
 *
 * Per-CPU variables of the kernel and of modules are not allocated but laid out:
 * modules' by the same allocator, with an event; the kernel's without.
 */
#ifndef KMA_PERCPU_H
#define KMA_PERCPU_H

#include <linux/types.h>

/**
 * kma_percpu_alloc() - book an allocation
 * @addr: address of its copy in the chunk's first unit
 * @bytes: size of one copy
 *
 * Context: a probe. NMI is counted as dropped.
 */
void kma_percpu_alloc(const void *addr, size_t bytes);

/**
 * kma_percpu_free() - book a free
 * @addr: as kma_percpu_alloc()
 *
 * One that is older than the account is booked to the function that freed it.
 *
 * Context: a probe. NMI is counted as dropped.
 */
void kma_percpu_free(const void *addr);

#endif /* KMA_PERCPU_H */
