/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * objects.h - the objects that a built kernel tree was made of: which file each was compiled from,
 * and which module it belongs to. They are found by the files that kbuild leaves next to them; the
 * objects themselves are not opened here.
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
	bool part;	    /* path of another object that is linked instead */
	size_t order;	    /* of the linked ones: as the linker met them, from 0 */
	bool linked;	    /* an archive of the kernel contains it; false: not, or unknown */
};

struct kma_objects;

/**
 * kma_objects_create() - find the objects of a built tree
 * @dir: top of the tree that was built (the O= directory)
 * @ret: the objects
 *
 * Return: NULL; or an error: not readable, or no built kernel tree.
 */
struct kma_err *kma_objects_create(const char *dir, struct kma_objects **ret);

/**
 * kma_objects_destroy() - forget them
 * @objs: from kma_objects_create(); NULL is fine
 */
void kma_objects_destroy(struct kma_objects *objs);

/**
 * kma_objects_list() - all objects, by path
 * @objs: the objects
 * @nr: how many, at least one
 *
 * Return: an array that stays with @objs.
 */
const struct kma_object *kma_objects_list(const struct kma_objects *objs, size_t *nr);

/**
 * kma_objects_dir() - top of the tree
 * @objs: the objects
 *
 * Return: the directory without a final slash; stays with @objs.
 */
const char *kma_objects_dir(const struct kma_objects *objs);

/**
 * kma_objects_gaps() - what of the tree could not be read
 * @objs: the objects
 *
 * Return: directories, .cmd files, archives and modules; stays with @objs.
 */
const struct kma_gaps *kma_objects_gaps(const struct kma_objects *objs);

/**
 * kma_objects_unused() - objects that were compiled but are not in the list
 * @objs: the objects
 *
 * Return: how many are in neither the kernel nor a module; 0 when that is not known.
 */
size_t kma_objects_unused(const struct kma_objects *objs);

/**
 * kma_objects_have_module() - was this module built here?
 * @objs: the objects
 * @module: name as the kernel prints it
 *
 * Return: true if it was.
 */
bool kma_objects_have_module(const struct kma_objects *objs, const char *module);

/**
 * kma_objects_module_file() - the module as it was linked
 * @objs: the objects
 * @module: name as the kernel prints it
 *
 * Return: path of its .ko, which need not be there; stays with @objs. NULL when the module
 * was not built here.
 */
const char *kma_objects_module_file(const struct kma_objects *objs, const char *module);

#endif /* KMA_KBUILD_OBJECTS_H */
