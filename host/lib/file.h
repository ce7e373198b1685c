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

/**
 * kma_file_reads() - register an input of the command, which none of its outputs may replace
 * @st: of the open input; ignored unless it is a regular file
 *
 * The last KMA_FILE_INPUTS inputs are remembered, until the program ends.
 */
void kma_file_reads(const struct stat *st);

/* Inputs that are remembered. */
#define KMA_FILE_INPUTS 1024

/**
 * kma_file_same() - check whether two names are the same output
 * @a: name of a file, which need not exist; "-" is the standard output
 * @b: the same; the kernel follows links in both
 *
 * Return: true if both are one regular file, or will be; false for devices, pipes, terminals
 * and the standard output.
 */
bool kma_file_same(const char *a, const char *b);

/* Files that may be opened for reading. Devices, directories and sockets are always refused. */
enum kma_file_kind {
	KMA_FILE_REGULAR, /* files that the program finds by itself, or maps or reads twice */
	KMA_FILE_OR_PIPE, /* files that the user named and that are read from begin to end */
};

/**
 * kma_file_open() - open a file for reading
 * @dir: directory of a relative @path, or AT_FDCWD
 * @path: name of the file
 * @kind: what the file may be
 * @fd: set to the file, without O_NONBLOCK; -1 after an error
 * @ret: set to the status of the open file; may be NULL
 *
 * All inputs are opened by this function, so a pipe or a device in the place of a file neither
 * blocks the program nor is changed by it. A pipe that the user named has some seconds in which
 * another process has to open it for writing; its data may come at any time.
 *
 * Return: NULL, or an error of kind KMA_ERR_NOT_READABLE that names @path. errno is then set.
 */
struct kma_err *kma_file_open(int dir, const char *path, enum kma_file_kind kind, int *fd,
			      struct stat *ret);

/**
 * kma_file_stream() - open a file for reading as a stream
 * @path: name of the file
 * @kind: what the file may be
 * @ret: set to the stream, which the caller has to close; NULL after an error
 *
 * Return: as kma_file_open().
 */
struct kma_err *kma_file_stream(const char *path, enum kma_file_kind kind, FILE **ret);

/**
 * kma_file_slurp() - read a whole file
 * @path: name of the file or pipe; "-" is the standard input
 * @ret: set to the content with a final zero byte, which the caller has to free
 * @len: set to the bytes of the content, without the zero byte
 *
 * Return: NULL, or an error of kind KMA_ERR_NOT_READABLE that names @path.
 */
struct kma_err *kma_file_slurp(const char *path, char **ret, size_t *len);

/**
 * kma_file_slurp_regular() - read a whole regular file
 * @path: name of the file; "-" is a name like any other
 * @ret: set to the content with a final zero byte, which the caller has to free
 * @len: set to the bytes of the content, without the zero byte
 *
 * For files that the program finds by itself, see KMA_FILE_REGULAR.
 *
 * Return: as kma_file_slurp(); a file that is not regular is not readable.
 */
struct kma_err *kma_file_slurp_regular(const char *path, char **ret, size_t *len);

/**
 * kma_file_scratch_dir() - get the directory of files without a name
 *
 * Return: the environment variable TMPDIR, or "/tmp".
 */
const char *kma_file_scratch_dir(void);

/**
 * kma_file_scratch() - create a file without a name, which ends with the program
 * @name: what the file is for, for the message
 * @fd: set to the file, open for reading and writing
 *
 * Return: NULL, or an error that names @name and the directory.
 */
struct kma_err *kma_file_scratch(const char *name, int *fd);

/* Who may read an output file. */
enum kma_outfile_access {
	KMA_OUTFILE_USUAL,   /* as umask, or the file that is replaced, says */
	KMA_OUTFILE_PRIVATE, /* only the owner: the content has addresses of the kernel */
};

/**
 * kma_outfile_create() - start to write a file
 * @path: name that the file gets at the commit; "-" or NULL is the standard output
 * @access: who may read the file, unless it is written in place
 * @ret: the file, to be freed with kma_outfile_destroy()
 *
 * If @path exists and is not a regular file (a terminal, a pipe, /dev/null), or is a link of /proc
 * to an open file (/dev/stdout), it is written in place. A symbolic link stays; the file that it
 * points to is replaced. A link to a missing file is an error.
 *
 * Return: NULL, or an error that names @path, also if @path is an input (kma_file_reads()).
 */
struct kma_err *kma_outfile_create(const char *path, enum kma_outfile_access access,
				   struct kma_outfile **ret);

/* Free the state of a file; remove the file if it was not committed. */
void kma_outfile_destroy(struct kma_outfile *out);

static inline void kma_cleanup_outfile(struct kma_outfile **out)
{
	kma_outfile_destroy(*out);
}
#define _cleanup_outfile_ __attribute__((cleanup(kma_cleanup_outfile)))

/**
 * kma_outfile_stream() - get the stream of a file
 * @out: not committed
 *
 * Return: the stream, owned by @out.
 */
FILE *kma_outfile_stream(struct kma_outfile *out);

/**
 * kma_outfile_text() - write text
 * @out: not committed
 * @text: any bytes
 * @len: number of bytes
 *
 * If the file is a terminal, control characters except newlines and tabs are replaced: names in
 * logs and files may contain commands for the terminal. kma_outfile_commit() reports errors.
 */
void kma_outfile_text(struct kma_outfile *out, const char *text, size_t len);

/**
 * kma_outfile_commit() - flush and close a file, and rename it to its final name
 * @out: the file; it still has to be destroyed
 *
 * Return: NULL; or an error (disk full, no permission, the name is an input):
 * kma_outfile_destroy() then removes the file.
 */
struct kma_err *kma_outfile_commit(struct kma_outfile *out);

/**
 * kma_outfile_keep() - leave the temporary file where it is, after an error of the commit
 * @out: kma_outfile_commit() has failed
 *
 * For data that cannot be made again.
 *
 * Return: name of the file, owned by @out; NULL if there is no temporary file.
 */
const char *kma_outfile_keep(struct kma_outfile *out);

/**
 * kma_outfile_dir() - get the directory of a file that gets its name at the commit
 * @out: the file
 *
 * Return: a descriptor with O_PATH, owned by @out; -1 if the file is written in place.
 */
int kma_outfile_dir(const struct kma_outfile *out);

/**
 * kma_outfile_write_as() - write a whole file
 * @path: as for kma_outfile_create()
 * @access: as for kma_outfile_create()
 * @text: the whole text; a text for which memory ran out is an error
 *
 * Return: NULL; or an error: @path is then unchanged.
 */
struct kma_err *kma_outfile_write_as(const char *path, enum kma_outfile_access access,
				     const struct kma_strbuf *text);

/**
 * kma_outfile_write() - write a whole file with the usual access
 * @path: as for kma_outfile_create()
 * @text: as for kma_outfile_write_as()
 *
 * Return: as kma_outfile_write_as().
 */
struct kma_err *kma_outfile_write(const char *path, const struct kma_strbuf *text);

/**
 * kma_file_pread() - read bytes at a place of a file, again after a signal
 * @fd: the file
 * @buf: gets the bytes
 * @len: how many
 * @off: where they begin
 *
 * Return: false if not all of them can be read.
 */
bool kma_file_pread(int fd, void *buf, size_t len, uint64_t off);

/**
 * kma_file_is_dir() - test whether a path is a directory
 * @path: any path, which need not exist
 *
 * Return: true if it is.
 */
bool kma_file_is_dir(const char *path);

/**
 * kma_file_is_regular() - test whether a path is a regular file, which can be read twice
 * @path: any path, which need not exist
 *
 * Return: true if it is.
 */
bool kma_file_is_regular(const char *path);

#endif /* KMA_LIB_FILE_H */
