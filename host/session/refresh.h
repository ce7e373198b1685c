/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * refresh.h - read one input repeatedly, for a live view.
 *
 * Each read updates struct kma_rates (values, changes and rates of all call sites), and a second
 * one by call site and cgroup if the accounts have cgroups. The place of a site (file, line,
 * function) is looked up once: the kernel is opened for the first account, and searched again only
 * when new call sites appear. Accounts are not stored.
 */
#ifndef KMA_SESSION_REFRESH_H
#define KMA_SESSION_REFRESH_H

#include "model/rates.h"
#include "model/unread.h"
#include "tree/kernel.h"

struct kma_refresh {
	const char *path;		/* path of the input, for example /proc/kmem_account */
	struct kma_kernel_query query;	/* the kernel's files; may be empty */
	struct kma_kernel kernel;	/* the kernel of @query; has the places of all sites */
	bool has_kernel;		/* kma_kernel_find() was called for @kernel */
	bool has_files;			/* files of call sites are known */
	bool has_ages;			/* the last account has ages of objects */
	bool has_caches;		/* the last account has slab caches of call sites */
	bool has_cgroups;		/* the last account has cgroups */
	bool needs_cgroups;		/* set by the caller: an account without them is an error */
	struct kma_rates *rates;	/* numbers of call sites */
	struct kma_rates *cgroups;	/* numbers by call site and cgroup, if accounts have them */
	unsigned int metrics;		/* of the last account: set of 1 << enum kma_metric_id */
	unsigned int cgroup_metrics;	/* the same of @cgroups */
	uint64_t losses[KMA_NR_LOSSES]; /* events lost, of the last account */
	struct kma_unread unread;	/* event lines that the last account lacks */
	uint64_t read_ns;		/* duration of the last read, with adding up */
	char release[64];		/* of the kernel, "" if the input does not have it */
};

/* Nothing is read yet. @path has to live as long as @refresh; @query is copied. */
void kma_refresh_init(struct kma_refresh *refresh, const char *path,
		      const struct kma_kernel_query *query);

void kma_refresh_deinit(struct kma_refresh *refresh);

/* Drops all numbers, before accounts that do not follow the last one. The kernel stays open. */
void kma_refresh_restart(struct kma_refresh *refresh);

/* Makes the last account the baseline. */
void kma_refresh_rebase(struct kma_refresh *refresh);

/*
 * Adds an account that the caller has read: finished, resolved, and not needed afterwards. @ns is
 * its time by any clock that does not jump.
 */
struct kma_err *kma_refresh_take(struct kma_refresh *refresh, struct kma_account *account,
				 uint64_t ns, struct kma_notes *notes);

/*
 * Reads the input once. @notes gets the reason why a kernel cannot be used, at the first read only.
 * After an error all numbers are those of the previous read.
 */
struct kma_err *kma_refresh_read(struct kma_refresh *refresh, struct kma_notes *notes);

#endif /* KMA_SESSION_REFRESH_H */
