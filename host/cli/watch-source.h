/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * watch-source.h - what watch and bundle read: the module's snapshot, or another account of this
 * machine, with what the host alone sees: which modules are loaded, which caches are reclaimable.
 */
#ifndef KMA_CLI_WATCH_SOURCE_H
#define KMA_CLI_WATCH_SOURCE_H

#include "lib/strbuf.h"
#include "model/account.h"

struct kma_watch_source {
	const char *path;
	uint64_t allocs;     /* number of allocations in the account before */
	uint64_t generation; /* for accounts without a generation: counts the decreases of @allocs */
};

/**
 * kma_watch_source_init() - choose the file
 * @source: filled in
 * @path: as the user gave it; NULL: the snapshot, or /proc if that cannot be read
 *
 * Return: NULL or an error: none of them can be read.
 */
struct kma_err *kma_watch_source_init(struct kma_watch_source *source, const char *path);

/**
 * kma_watch_source_read() - read it once
 * @source: as initialised
 * @ret: its account, with a moment
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_watch_source_read(struct kma_watch_source *source, struct kma_account **ret);

/**
 * kma_watch_modules() - the modules that are loaded
 * @list: names are appended, each followed by a blank
 *
 * Return: false if they are not known.
 */
bool kma_watch_modules(struct kma_strbuf *list);

/**
 * kma_watch_reclaimable() - the caches whose objects a shrinker frees, by the kernel's flag
 * @list: names are appended, each followed by a blank
 *
 * Return: false if they are not known.
 */
bool kma_watch_reclaimable(struct kma_strbuf *list);

#endif /* KMA_CLI_WATCH_SOURCE_H */
