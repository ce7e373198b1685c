/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * places.h - find the places of the call sites of an account, for an export: name, chain of
 * functions and lines, path, linked address. If the account has stacks, a site has a sample for
 * each stack.
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

/* A call site, or a frame of a stack. */
struct kma_export_site {
	const struct kma_site *site;
	const char *name;		/* "alloc_inode+0x59", "[site table full]"; not unique */
	const char *module;		/* NULL for the kernel proper, or if unknown */
	const char *path;		/* "fs/inode.c", "[unknown symbol]"; NULL without files */
	uint64_t addr;			/* address of the call, as linked; 0: unknown */
	const struct kma_frame *frames; /* innermost first, at least one */
	unsigned int nr_frames;
};

/* The numbers of one stack of a call site, or of the whole site if it has no stacks. */
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
	struct kma_export_site *callers; /* frames of stacks, by their number; without values */
	bool has_files;			 /* files are known */
	struct kma_arena arena;		 /* names, paths and frames */
};

/*
 * Finds the places of all call sites of a finished account, which has to live as long as @ret.
 * @source: finds files, functions and lines; NULL: only those of the account itself. @hide: replace
 * addresses of the running kernel by KMA_PLACE_ADDRESS. @ret has to be freed also after an error.
 */
struct kma_err *kma_places_find(const struct kma_account *account, struct kma_source *source,
				bool hide, struct kma_export_sites *ret);

void kma_places_deinit(struct kma_export_sites *sites);

/*
 * Is the binary of a site (vmlinux or a module) known? Not for rows in brackets, and for addresses
 * that are in no symbol.
 */
static inline bool kma_place_is_code(const struct kma_export_site *site)
{
	return site->module || site->site->symbol || site->site->path || site->addr;
}

/*
 * Bytes of a path ("fs/ext4/inode.c", "Kconfig", "[unknown symbol]") that are its directory; all
 * for a row in brackets, 0 for a file at the top.
 */
size_t kma_place_dir(const char *path);

#endif /* KMA_EXPORT_PLACES_H */
