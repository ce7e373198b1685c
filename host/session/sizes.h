/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sizes.h - load the static sizes of a built tree, or of the debug files of a kernel, as the
 * options say.
 */
#ifndef KMA_SESSION_SIZES_H
#define KMA_SESSION_SIZES_H

#include "image/linked.h"
#include "image/stock.h"
#include "loaded.h"
#include "options.h"
#include "tree/footprint.h"
#include "tree/node.h"
#include "view/text/rows.h"
#include "lib/err.h"

/* The files of one kernel; the paths are allocated. */
struct kma_package {
	char *vmlinux; /* the kernel with debugging information */
	char *modules; /* directory of its modules with debugging information; NULL if missing */
};

struct kma_sizes {
	const char *dir;	     /* top of the tree, directory of a package, or vmlinux */
	struct kma_objects *objects; /* of a built tree; else NULL */
	struct kma_static *st;	     /* the sizes */
	struct kma_stock *stock;     /* of debug files: owns @st; else NULL */
	struct kma_package package;  /* files of @stock, if @dir is a package */
	struct kma_linked *image;    /* linked image of a built tree; NULL: objects alone */
	struct kma_node *root;	     /* the tree or the list of sizes */
	struct kma_node *branch;     /* node of @root to show; NULL if it was not found */
	struct kma_maintainers *maintainers; /* has the texts of subsystems in @root; or NULL */
	struct kma_account *account;	     /* without sites, because views need an account */
	struct kma_gaps gaps;		     /* files whose sizes are missing */
	unsigned int metrics;		     /* set of 1 << enum kma_metric_id that @root has */
	char release[128];		     /* of the kernel, "" when unknown */
	bool no_image; /* an image was requested but cannot be used: the data is incomplete */
};

/*
 * Reads a built tree, the directory of a package, or a vmlinux. @dir has to live as long as @ret,
 * which has to be deinitialised also after an error. @plain: all symbols of one name are one row.
 *
 * Objects that cannot be read, link-time optimisation, and a kernel that does not fit its objects
 * or cannot be used are reported on stderr. The sizes are those of the remaining objects. An
 * unknown branch is an error; @ret is then complete except that its branch is NULL.
 */
struct kma_err *kma_sizes_load(const struct kma_sizes_options *opts, const char *dir, bool plain,
			       struct kma_sizes *ret);

void kma_sizes_deinit(struct kma_sizes *sizes);

/* Converts sizes to a loaded account, for charts. @ret refers to @sizes, so do not unload it. */
void kma_sizes_loaded(const struct kma_sizes *sizes, enum kma_footprint_key key,
		      struct kma_loaded *ret);

/* The kind of rows for kma_rows_init(). */
struct kma_keys kma_sizes_by(enum kma_footprint_key key);

#endif /* KMA_SESSION_SIZES_H */
