/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * refresh.h - one input that is read again and again, for a live view: each time into
 * struct kma_rates, with the place of each call site as far as a kernel knows it.
 *
 * The kernel is opened once. It is asked again only when call sites come that it was not asked
 * about.
 */
#ifndef KMA_SESSION_REFRESH_H
#define KMA_SESSION_REFRESH_H

#include "model/rates.h"
#include "tree/kernel.h"

struct kma_refresh {
	const char *path;	       /* of the input, for example /proc/kmem_account */
	struct kma_kernel_query query; /* where files are known; may be empty */
	struct kma_kernel kernel;      /* of @query, when it was found */
	bool has_kernel;	       /* it was looked for */
	bool has_files;		       /* files of call sites are known */
	bool has_ages;		       /* of objects, in the last account */
	bool has_caches;	       /* slab caches of call sites, in the last account */
	bool has_cgroups;	       /* the last account has them */
	bool needs_cgroups;	       /* set by the caller: an account without them is an error */
	struct kma_rates *rates;       /* what is read */
	struct kma_rates *cgroups;     /* the same by call site and cgroup, if accounts have them */
	unsigned int metrics;	       /* of the last account */
	unsigned int cgroup_metrics;   /* of @cgroups */
	uint64_t losses[KMA_NR_LOSSES]; /* of the last account */
	uint64_t read_ns;		/* what reading and adding up took */
	char release[64];		/* of the kernel, if the input says it */
};

/**
 * kma_refresh_init() - read nothing yet
 * @refresh: owned by the caller
 * @path: of the input; stays the caller's
 * @query: where files are known
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_refresh_init(struct kma_refresh *refresh, const char *path,
				 const struct kma_kernel_query *query);

/**
 * kma_refresh_deinit() - free all
 * @refresh: as initialised
 */
void kma_refresh_deinit(struct kma_refresh *refresh);

/**
 * kma_refresh_restart() - forget all numbers, for accounts that come in another order
 * @refresh: as initialised; the kernel stays open
 *
 * Return: NULL or an error (memory).
 */
struct kma_err *kma_refresh_restart(struct kma_refresh *refresh);

/**
 * kma_refresh_rebase() - make the last account the baseline
 * @refresh: was read
 */
void kma_refresh_rebase(struct kma_refresh *refresh);

/**
 * kma_refresh_take() - take the next account from elsewhere than the input
 * @refresh: as initialised
 * @account: finished; not needed afterwards
 * @ns: when it was read, by a clock that does not jump
 * @notes: as for kma_refresh_read()
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_refresh_take(struct kma_refresh *refresh, const struct kma_account *account,
				 uint64_t ns, struct kma_notes *notes);

/**
 * kma_refresh_read() - read the input once
 * @refresh: as initialised
 * @notes: the reason why a kernel cannot be used, once
 *
 * After an error all numbers are those of the previous read.
 *
 * Return: NULL or an error: of the input, or of a kernel that cannot be opened.
 */
struct kma_err *kma_refresh_read(struct kma_refresh *refresh, struct kma_notes *notes);

#endif /* KMA_SESSION_REFRESH_H */
