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

/**
 * kma_objects_create() - find the objects of a built tree
 * @dir: top of the tree that was built (the O= directory)
 * @ret: the objects
 *
 * Return: NULL, or an error: @dir cannot be read, or is not a built kernel tree.
 */
struct kma_err *kma_objects_create(const char *dir, struct kma_objects **ret);

/* Free the objects. */
void kma_objects_destroy(struct kma_objects *objs);

/**
 * kma_objects_list() - get all objects, sorted by path
 * @objs: the objects
 * @nr: number of objects, at least one
 *
 * Return: an array, valid as long as @objs.
 */
const struct kma_object *kma_objects_list(const struct kma_objects *objs, size_t *nr);

/**
 * kma_objects_dir() - get the top of the tree
 * @objs: the objects
 *
 * Return: the directory without a final slash, valid as long as @objs.
 */
const char *kma_objects_dir(const struct kma_objects *objs);

/**
 * kma_objects_gaps() - get what could not be read in the tree
 * @objs: the objects
 *
 * Return: directories, .cmd files, archives and modules, valid as long as @objs.
 */
const struct kma_gaps *kma_objects_gaps(const struct kma_objects *objs);

/**
 * kma_objects_unused() - get the number of objects that were compiled but are not in the list
 * @objs: the objects
 *
 * Return: objects that are in neither the kernel nor a module; 0 if that is unknown.
 */
size_t kma_objects_unused(const struct kma_objects *objs);

/**
 * kma_objects_have_module() - test whether a module was built in this tree
 * @objs: the objects
 * @module: name as the kernel prints it
 *
 * Return: true if it was.
 */
bool kma_objects_have_module(const struct kma_objects *objs, const char *module);

/**
 * kma_objects_module_file() - get the path of a linked module
 * @objs: the objects
 * @module: name as the kernel prints it
 *
 * Return: path of its .ko, which need not exist, valid as long as @objs; NULL if the module was not
 * built in this tree.
 */
const char *kma_objects_module_file(const struct kma_objects *objs, const char *module);

#endif /* KMA_KBUILD_OBJECTS_H */
