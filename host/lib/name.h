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

/*
 * Finds the directory of an output, and the file that it replaces. @path need not exist, and must
 * live as long as @name, which needs kma_name_close() also after an error.
 *
 * A device, pipe, terminal or socket has @dir = -1, and so has a regular file that is named by a
 * link of /proc to an open file (/dev/stdout): such a file is written in place.
 */
struct kma_err *kma_name_open(const char *path, struct kma_name *name);

/*
 * Opens a file with @dir = -1 for writing. Nothing is removed from a regular file: the output is
 * added at its end. If the file is the standard output or the standard error, @fd is a duplicate of
 * that.
 */
struct kma_err *kma_name_in_place(const struct kma_name *name, int *fd);

/*
 * Takes all access to the file from everybody but its owner. For files of which only a part is
 * replaced; kma_name_temp() is for whole ones.
 */
struct kma_err *kma_name_private(const struct kma_name *name);

/*
 * Creates the temporary file; @fd is open for reading and writing. A file of the caller that is
 * replaced keeps its mode. A file of another user is replaced by one that has no more than that
 * mode. A new file gets what umask leaves. With @private only the owner gets access. If a
 * signal ends the program, the file is removed.
 */
struct kma_err *kma_name_temp(struct kma_name *name, bool private, int *fd);

/*
 * Gives the temporary file its name. If a file of that name was created in the meantime, it is
 * replaced if @there is NULL; otherwise it stays, and @there is set. After an error the temporary
 * file is still there.
 */
struct kma_err *kma_name_commit(struct kma_name *name, bool *there);

/* Leaves the temporary file where it is. Returns its path, to be freed. */
char *kma_name_keep(struct kma_name *name);

/*
 * The path without symbolic links, to be freed, for a library that opens files by name; NULL if it
 * is not known. It is valid until a directory is renamed.
 */
char *kma_name_real(const struct kma_name *name);

/*
 * Checks the file NAME@suffix, which a library would take for a part of this one. It is an error if
 * it belongs to another user, and the directory is sticky.
 */
struct kma_err *kma_name_beside(const struct kma_name *name, const char *suffix);

/*
 * Closes the descriptors, and removes a temporary file that was not committed. @name may be zeroed
 * or closed before.
 */
void kma_name_close(struct kma_name *name);

#define _cleanup_name_ _cleanup_(kma_name_close)

#endif /* KMA_LIB_NAME_H */
