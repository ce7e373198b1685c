/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sizes.h - the static sizes of a built tree, or of the debug files of a kernel, loaded as
 * the options say; for the commands that show them.
 */
#ifndef KMA_SESSION_SIZES_H
#define KMA_SESSION_SIZES_H

#include "image/linked.h"
#include "image/package.h"
#include "image/stock.h"
#include "loaded.h"
#include "options.h"
#include "tree/footprint.h"
#include "tree/node.h"
#include "view/text/rows.h"

struct kma_sizes {
	const char *dir;
	struct kma_objects *objects;
	struct kma_static *st;
	struct kma_stock *stock;    /* of debug files: has @st, and there are no @objects */
	struct kma_package package; /* files of @stock, if @dir is a package */
	struct kma_linked *image;   /* NULL: objects alone */
	struct kma_node *root;
	struct kma_node *branch;	     /* where to begin, in @root */
	struct kma_maintainers *maintainers; /* of the subsystems in @root, or NULL */
	struct kma_account *account;	     /* without sites: views want one */
	struct kma_gaps gaps;		     /* files whose sizes are missing */
	unsigned int metrics;		     /* that there are */
	char release[128];		     /* of the kernel, "" when not known */
	bool no_image;			     /* it was requested but is not available: bad data */
};

/**
 * kma_sizes_is_kernel() - is a name that of a built tree or of a kernel's debug files?
 * @path: a directory, or an ELF file
 *
 * Return: true if kma_sizes_load() is to read it; false: it may be an account.
 */
bool kma_sizes_is_kernel(const char *path);

/**
 * kma_sizes_load() - read a built tree, or the debug files of a kernel
 * @opts: image, key, branch, package and vmlinux are looked at
 * @dir: top of the tree; or the directory of a package; or vmlinux
 * @plain: symbols of one name are one row
 * @ret: filled in; to be deinitialised in any case
 *
 * Objects that cannot be read, link-time optimisation, and a kernel that does not fit its objects
 * or cannot be used are reported on stderr. The sizes are those of the remaining objects.
 *
 * Return: NULL or an error. An unknown branch is an error; @ret is then complete except that its
 * branch is NULL.
 */
struct kma_err *kma_sizes_load(const struct kma_options *opts, const char *dir, bool plain,
			       struct kma_sizes *ret);

/**
 * kma_sizes_deinit() - free all that was loaded
 * @sizes: as filled in
 */
void kma_sizes_deinit(struct kma_sizes *sizes);

/**
 * kma_sizes_loaded() - sizes in the form of an input that charts are made of
 * @sizes: loaded
 * @key: what a row is
 * @ret: what it points at stays with @sizes; not to be unloaded
 */
void kma_sizes_loaded(const struct kma_sizes *sizes, enum kma_footprint_key key,
		      struct kma_loaded *ret);

/**
 * kma_sizes_by() - kind of rows that a tree of sizes is listed by
 * @key: what a row is
 *
 * Return: for kma_rows_init().
 */
enum kma_by kma_sizes_by(enum kma_footprint_key key);

#endif /* KMA_SESSION_SIZES_H */
