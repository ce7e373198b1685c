/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name.h - the name of an output file, in a directory that is open.
 *
 * The kernel follows symbolic links, not the program: what it refuses (fs.protected_symlinks, a
 * loop) stays refused, and so does a link to a missing file. The directory of the file is opened
 * once, and the file is proven to be in it. The temporary file is created, renamed and removed
 * relative to that descriptor, so a directory or a link that is replaced meanwhile has no effect.
 *
 * In a sticky directory a file of another user is refused, as fs.protected_regular does.
 *
 * Locking: none.
 */
#ifndef KMA_LIB_NAME_H
#define KMA_LIB_NAME_H

#include <stdbool.h>
#include <sys/stat.h>

#include "cleanup.h"
#include "err.h"

struct kma_name {
	const char *path; /* as given, for messages; owned by the caller */
	int dir;	  /* directory of the file, O_PATH; -1: the file is written in place */
	int file;	  /* the file itself, O_PATH; -1: it does not exist */
	char *base;	  /* name of the file in @dir */
	char *temp;	  /* name of the temporary file in @dir; NULL: there is none */
	bool linked;	  /* @path is a symbolic link to the file */
	struct stat st;	  /* of @file */
};

/**
 * kma_name_open() - find the directory of an output, and the file that it replaces
 * @path: name of the output, which need not exist; must live as long as @name
 * @name: filled in; for kma_name_close() in any case
 *
 * A device, pipe, terminal or socket has @dir = -1, and so has a regular file that is named by a
 * link of /proc to an open file (/dev/stdout): such a file is written in place.
 *
 * Return: NULL, or an error that names @path.
 */
struct kma_err *kma_name_open(const char *path, struct kma_name *name);

/**
 * kma_name_in_place() - open a file that is written in place
 * @name: with @dir = -1
 * @fd: set to the file, open for writing
 *
 * Nothing is removed from a regular file: the output is added at its end. If the file is the
 * standard output or the standard error, @fd is a duplicate of that.
 *
 * Return: NULL, or an error that names the path.
 */
struct kma_err *kma_name_in_place(const struct kma_name *name, int *fd);

/**
 * kma_name_private() - take all access to the file from everybody but its owner
 * @name: with a file
 *
 * For files of which only a part is replaced; kma_name_temp() is for whole ones.
 *
 * Return: NULL, or an error that names the path.
 */
struct kma_err *kma_name_private(const struct kma_name *name);

/**
 * kma_name_temp() - create a temporary file in the directory
 * @name: with a directory, without a temporary file
 * @private: nobody but the owner gets access
 * @fd: set to the file, open for reading and writing
 *
 * A file of the caller that is replaced keeps its mode. A file of another user is replaced by one
 * that has no more than that mode. A new file gets what umask leaves. If a signal ends the program,
 * the temporary file is removed.
 *
 * Return: NULL, or an error that names the path.
 */
struct kma_err *kma_name_temp(struct kma_name *name, bool private, int *fd);

/**
 * kma_name_commit() - give the temporary file its name
 * @name: with a temporary file
 * @there: set to whether a file of that name was created meanwhile, which then stays; NULL: replace
 * such a file
 *
 * Return: NULL, or an error that names the path. The temporary file is then still there.
 */
struct kma_err *kma_name_commit(struct kma_name *name, bool *there);

/**
 * kma_name_keep() - leave the temporary file where it is
 * @name: with a temporary file
 *
 * Return: the path of the temporary file, to be freed; NULL if memory ran out.
 */
char *kma_name_keep(struct kma_name *name);

/**
 * kma_name_real() - get the path of the file without symbolic links
 * @name: with a directory
 *
 * For a library that opens files by name. The path is valid until a directory is renamed.
 *
 * Return: the path, to be freed; NULL if it is not known.
 */
char *kma_name_real(const struct kma_name *name);

/**
 * kma_name_beside() - check a file that a library would take for a part of this one
 * @name: with a directory
 * @suffix: what the file's name has behind the name of this one
 *
 * Return: NULL; or an error if the file belongs to another user, and the directory is sticky.
 */
struct kma_err *kma_name_beside(const struct kma_name *name, const char *suffix);

/**
 * kma_name_close() - close the descriptors, and remove a temporary file without a name
 * @name: from kma_name_open(), or all zero bytes; may be called twice
 */
void kma_name_close(struct kma_name *name);

#define _cleanup_name_ _cleanup_(kma_name_close)

#endif /* KMA_LIB_NAME_H */
