/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * places.h - the call sites of an account with all that an export says of them: name, chain of
 * functions and lines, directory, address as linked. And the stacks of the call sites, where the
 * account has them.
 */
#ifndef KMA_EXPORT_PLACES_H
#define KMA_EXPORT_PLACES_H

#include "lib/arena.h"
#include "model/account.h"
#include "model/stacks.h"
#include "symbol/inline-frame.h"
#include "tree/source.h"

/* The text that replaces a run-time address if addresses must not be shown. */
#define KMA_PLACE_ADDRESS "[unknown address]"

struct kma_export_site {
	const struct kma_site *site;
	const char *name;		/* "alloc_inode+0x59", "[site table full]"; not unique */
	const char *module;		/* NULL for the kernel proper, and where it is not known */
	const char *path;		/* "fs/inode.c", "[unknown symbol]"; NULL without files */
	uint64_t addr;			/* address of the call, as linked; 0: unknown */
	const struct kma_frame *frames; /* innermost first, at least one */
	unsigned int nr_frames;
};

/* A path to a call site, or a call site with unknown paths. */
struct kma_export_sample {
	const struct kma_export_site *site;
	const struct kma_export_site *const *callers; /* from the caller of @site outwards */
	unsigned int nr_callers;
	const struct kma_values *values;
};

/* Zero is empty. */
struct kma_export_sites {
	struct kma_export_site *list; /* by name, module, kind and build */
	size_t nr;
	struct kma_export_sample *samples; /* by site, then by callers; they add up to @list */
	size_t nr_samples;
	struct kma_export_site *callers; /* frames of stacks, by number; have no numbers */
	bool has_files;
	struct kma_arena arena; /* of the names, the paths and the frames */
};

/**
 * kma_places_find() - find the places of all call sites
 * @account: finished; stays with the caller, who keeps it as long as @ret
 * @source: of files, functions and lines; NULL: only what the account itself has
 * @hide: give no text that is an address of the running kernel
 * @ret: to be given to kma_places_deinit() in any case
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_places_find(const struct kma_account *account, struct kma_source *source,
				bool hide, struct kma_export_sites *ret);

/**
 * kma_places_deinit() - free them
 * @sites: as filled in
 */
void kma_places_deinit(struct kma_export_sites *sites);

/**
 * kma_place_is_code() - is it known which file with code a site is in?
 * @site: a site
 *
 * Return: false for named rows, and for addresses that no source knows.
 */
static inline bool kma_place_is_code(const struct kma_export_site *site)
{
	return site->module || site->site->symbol || site->site->path || site->addr;
}

/**
 * kma_place_dir() - the directory of a path
 * @path: "fs/ext4/inode.c", "Kconfig", "[unknown symbol]"
 *
 * Return: how many bytes of @path are the directory; all of a row in brackets, 0 for a file
 * at the top.
 */
size_t kma_place_dir(const char *path);

#endif /* KMA_EXPORT_PLACES_H */
