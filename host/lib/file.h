/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.h - read and write whole files.
 *
 * Output goes to a temporary file, PATH and six letters more, in the same directory (name.h). The
 * file gets its name only when it is complete, so there is never a partial file, and an older file
 * stays until then. The temporary file is removed after an error and when a signal ends the program
 * (atend.h); SIGKILL leaves it. Devices, pipes and terminals are written in place.
 *
 * Locking: none. File names are registered for handlers of signals in atend.c. Any thread may
 * register an input; outputs are made by one thread.
 */
#ifndef KMA_LIB_FILE_H
#define KMA_LIB_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "err.h"
#include "strbuf.h"

struct kma_outfile;

/*
 * Registers an open input of the command, which none of its outputs may replace. @st is ignored
 * unless it is a regular file. The last KMA_FILE_INPUTS inputs are remembered, until the program
 * ends.
 */
void kma_file_reads(const struct stat *st);

#define KMA_FILE_INPUTS 1024

/*
 * Are two names the same output, links followed? The files need not exist; "-" is the standard
 * output. False for devices, pipes, terminals and the standard output.
 */
bool kma_file_same(const char *a, const char *b);

/* Files that may be opened for reading. Devices, directories and sockets are always refused. */
enum kma_file_kind {
	KMA_FILE_REGULAR, /* files that the program finds by itself, or maps or reads twice */
	KMA_FILE_OR_PIPE, /* files that the user named and that are read from begin to end */
};

/*
 * Opens a file for reading, relative to directory @dir or AT_FDCWD. @fd does not have O_NONBLOCK,
 * and is -1 after an error. @ret is the status of the open file; it may be NULL.
 *
 * All inputs are opened by this function, so a pipe or a device in the place of a file neither
 * blocks the program nor is changed by it. A pipe that the user named has some seconds in which
 * another process has to open it for writing; its data may come at any time.
 *
 * The error is of kind KMA_ERR_NOT_READABLE and names @path, and errno is set.
 */
struct kma_err *kma_file_open(int dir, const char *path, enum kma_file_kind kind, int *fd,
			      struct stat *ret);

/* As kma_file_open(). The caller closes the stream, which is NULL after an error. */
struct kma_err *kma_file_stream(const char *path, enum kma_file_kind kind, FILE **ret);

/*
 * Reads a whole file or pipe; "-" is the standard input. The caller frees @ret, which has a final
 * zero byte that @len does not count. An error is of kind KMA_ERR_NOT_READABLE.
 */
struct kma_err *kma_file_slurp(const char *path, char **ret, size_t *len);

/*
 * As kma_file_slurp(), for a file that the program finds by itself: "-" is a name like any other,
 * and a file that is not regular is not readable.
 */
struct kma_err *kma_file_slurp_regular(const char *path, char **ret, size_t *len);

/* $TMPDIR, or "/tmp". */
const char *kma_file_scratch_dir(void);

/*
 * Creates a file without a name, which disappears with the program. @name says what it is for, in
 * the error.
 */
struct kma_err *kma_file_scratch(const char *name, int *fd);

/* Who may read an output file. */
enum kma_outfile_access {
	KMA_OUTFILE_USUAL,   /* as umask, or the file that is replaced, says */
	KMA_OUTFILE_PRIVATE, /* only the owner: the content has addresses of the kernel */
};

/*
 * Starts to write a file, which gets the name @path at the commit; "-" or NULL is the standard
 * output.
 *
 * If @path exists and is not a regular file (a terminal, a pipe, /dev/null), or is a link of /proc
 * to an open file (/dev/stdout), it is written in place, and @access is ignored. A symbolic link
 * stays; the file that it points to is replaced. It is an error if @path is a link to a missing
 * file, or an input (kma_file_reads()).
 */
struct kma_err *kma_outfile_create(const char *path, enum kma_outfile_access access,
				   struct kma_outfile **ret);

/* Removes the file if it was not committed. */
void kma_outfile_destroy(struct kma_outfile *out);

static inline void kma_cleanup_outfile(struct kma_outfile **out)
{
	kma_outfile_destroy(*out);
}
#define _cleanup_outfile_ __attribute__((cleanup(kma_cleanup_outfile)))

/* Owned by @out. */
FILE *kma_outfile_stream(struct kma_outfile *out);

/*
 * If the file is a terminal, control characters except newlines and tabs are replaced: names in
 * logs and files may contain commands for the terminal. kma_outfile_commit() reports errors.
 */
void kma_outfile_text(struct kma_outfile *out, const char *text, size_t len);

/*
 * Flushes and closes the file, and gives it its name. @out still has to be destroyed; after an
 * error (disk full, no permission, the name is an input) this removes the file.
 */
struct kma_err *kma_outfile_commit(struct kma_outfile *out);

/*
 * After an error of the commit, for data that cannot be made again: leaves the temporary file where
 * it is. Returns its name, owned by @out; NULL if there is none.
 */
const char *kma_outfile_keep(struct kma_outfile *out);

/* The directory as a descriptor with O_PATH, owned by @out; -1 if the file is written in place. */
int kma_outfile_dir(const struct kma_outfile *out);

/* Writes a whole file, as kma_outfile_create() and a commit. After an error @path is unchanged. */
struct kma_err *kma_outfile_write_as(const char *path, enum kma_outfile_access access,
				     const struct kma_strbuf *text);
struct kma_err *kma_outfile_write(const char *path, const struct kma_strbuf *text);

/* False if not all of the @len bytes can be read. Goes on after a signal. */
bool kma_file_pread(int fd, void *buf, size_t len, uint64_t off);

/* False for a path that does not exist. */
bool kma_file_is_dir(const char *path);
bool kma_file_is_regular(const char *path);

#endif /* KMA_LIB_FILE_H */
