/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * watch-source.h - the input of watch and of a workload of leaks: the module's snapshot, or another
 * account of this machine.
 *
 * Each account gets notes with facts that later verdicts need and that no account has: the modules
 * that are loaded and the slab caches that are reclaimable. An account without a moment (time,
 * boot, generation) gets one, too.
 */
#ifndef KMA_CLI_WATCH_SOURCE_H
#define KMA_CLI_WATCH_SOURCE_H

#include "lib/strbuf.h"
#include "model/account.h"

struct kma_watch_source {
	const char *path;
	uint64_t allocs;     /* number of allocations in the account before */
	uint64_t generation; /* for accounts without a generation: counts the decreases of @allocs */
	/*
	 * Set by the user: accounts are of a short time, so that the slab caches are listed once. The
	 * list reads a file of sysfs for each, and the kernel allocates for that.
	 */
	bool list_once;
	struct kma_strbuf reclaimable; /* that list */
};

/*
 * Chooses the file to read. @path: as the user gave it; NULL: the snapshot, or /proc/kmem_account
 * if that cannot be read.
 */
struct kma_err *kma_watch_source_init(struct kma_watch_source *source, const char *path);

/* Reads the file once. The account has a moment and the notes. */
struct kma_err *kma_watch_source_read(struct kma_watch_source *source, struct kma_account **ret);

/* @source may be zeroed. */
void kma_watch_source_deinit(struct kma_watch_source *source);

#endif /* KMA_CLI_WATCH_SOURCE_H */
