/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * caches.h - add the kernel's own numbers of slab caches to an account by cache.
 *
 * They give the memory that was allocated before the account started (/proc/slabinfo), and the
 * names of caches that the kernel merged (/sys/kernel/slab).
 */
#ifndef KMA_SESSION_CACHES_H
#define KMA_SESSION_CACHES_H

#include "model/account.h"
#include "options.h"

/**
 * kma_caches_load() - add rows for memory from before the account, and aliases of caches
 * @opts: options: account, slabinfo, slab, kinds, stacks
 * @account: finished
 * @ret: another account with all sites of @account, which the caller destroys; NULL if there is
 *	 nothing to add
 *
 * For an account of this machine (a file below /proc or /sys), /proc/slabinfo and /sys/kernel/slab
 * are read unless @opts names other files.
 *
 * Return: NULL or an error: a file that @opts names cannot be read.
 */
struct kma_err *kma_caches_load(const struct kma_load_options *opts,
				const struct kma_account *account, struct kma_account **ret);

#endif /* KMA_SESSION_CACHES_H */
