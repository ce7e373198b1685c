/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * objects.h - the objects that a built kernel tree was made of: which file each one was compiled
 * from, and which module it belongs to. They are found by the files that kbuild leaves next to
 * them; the objects themselves are not opened here.
 *
 * What cannot be read in the tree is counted by kind (struct kma_gaps) and does not end the search.
 */
#ifndef KMA_KBUILD_OBJECTS_H
#define KMA_KBUILD_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/err.h"
#include "lib/notes.h"

struct kma_object {
	char *path;	    /* relative to the top of the tree: "fs/foo.o" */
	char *source;	    /* relative to the top of the source: "fs/foo.c" */
	const char *module; /* as the kernel prints it; NULL for the kernel proper */
	const char *whole;  /* the object that the kernel was linked from: @path, or one by ld -r */
	bool linked; /* an archive of the kernel contains it; false: it does not, or unknown */
};

struct kma_objects;

/* @dir is the top of a tree that was built (the O= directory). */
struct kma_err *kma_objects_create(const char *dir, struct kma_objects **ret);

void kma_objects_destroy(struct kma_objects *objs);

/* Sorted by path, at least one. This and all below is valid as long as @objs. */
const struct kma_object *kma_objects_list(const struct kma_objects *objs, size_t *nr);

/* The top of the tree, without a final slash. */
const char *kma_objects_dir(const struct kma_objects *objs);

/* Directories, .cmd files, archives and modules that cannot be read. */
const struct kma_gaps *kma_objects_gaps(const struct kma_objects *objs);

/* @module is its name as the kernel prints it. */
bool kma_objects_have_module(const struct kma_objects *objs, const char *module);

/*
 * The path of a linked module (.ko), which need not exist; NULL if the module was not built in this
 * tree.
 */
const char *kma_objects_module_file(const struct kma_objects *objs, const char *module);

#endif /* KMA_KBUILD_OBJECTS_H */
