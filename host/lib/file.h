/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.h - reads and writes whole files. Output goes to a temporary file in the same directory and
 * gets its name only when it is complete, so there is never a partial file.
 */
#ifndef KMA_LIB_FILE_H
#define KMA_LIB_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "err.h"
#include "strbuf.h"

struct kma_outfile;

/**
 * kma_file_slurp() - read a whole file
 * @path: its name; "-" is the standard input
 * @ret: content with a terminating NUL that does not count; freed by the caller
 * @len: bytes in @ret
 *
 * Return: NULL, or an error that names @path.
 */
struct kma_err *kma_file_slurp(const char *path, char **ret, size_t *len);

/**
 * kma_file_slurp_regular() - read a whole regular file
 * @path: the file; "-" is a name like any other
 * @ret: the contents and a final zero byte, to be freed
 * @len: their length without the zero byte
 *
 * For files that the program finds by itself: never waits for a FIFO's writer.
 *
 * Return: NULL; or an error, KMA_ERR_NOT_READABLE if it is not a regular file, too.
 */
struct kma_err *kma_file_slurp_regular(const char *path, char **ret, size_t *len);

/**
 * kma_file_temp() - create a temporary file in the directory of a name
 * @path: the name that the file gets when it is complete
 * @ret: the temporary name, @path and six letters more; freed by the caller
 * @fd: the file, open for writing
 *
 * If the program is ended by a signal the file is removed, until kma_atend_keep(@ret).
 *
 * Return: NULL, or an error that names @path.
 */
struct kma_err *kma_file_temp(const char *path, char **ret, int *fd);

/**
 * kma_outfile_create() - start writing a file
 * @path: name that the file takes on commit; "-" or NULL is the standard output
 * @ret: the file being written
 *
 * If @path exists and is not a regular file (a terminal, a pipe, /dev/null), it is written in
 * place. A symbolic link stays; the file that it points to is replaced or created.
 *
 * Return: NULL, or an error that names @path.
 */
struct kma_err *kma_outfile_create(const char *path, struct kma_outfile **ret);

/**
 * kma_outfile_destroy() - drop a file that was not committed
 * @out: from kma_outfile_create(); NULL is fine
 */
void kma_outfile_destroy(struct kma_outfile *out);

/**
 * kma_outfile_stream() - where to write
 * @out: the file
 *
 * Return: its stream, which stays with @out.
 */
FILE *kma_outfile_stream(struct kma_outfile *out);

/**
 * kma_outfile_text() - write text
 * @out: the file
 * @text: any bytes
 * @len: how many
 *
 * A terminal gets no control characters but newlines and tabs: names in logs and files may
 * contain commands for it. Errors are reported by kma_outfile_commit().
 */
void kma_outfile_text(struct kma_outfile *out, const char *text, size_t len);

/**
 * kma_outfile_commit() - flush, close and rename into place
 * @out: the file; still has to be destroyed
 *
 * Return: NULL, or an error (disk full, no permission); then no file is left.
 */
struct kma_err *kma_outfile_commit(struct kma_outfile *out);

/**
 * kma_outfile_write() - write a whole file
 * @path: as for kma_outfile_create()
 * @text: the whole text; a text that is incomplete for lack of memory is an error
 *
 * Return: NULL or an error; then no file is left.
 */
struct kma_err *kma_outfile_write(const char *path, const struct kma_strbuf *text);

/**
 * kma_file_is_dir() - test whether a path is a directory
 * @path: of anything, or nothing
 *
 * Return: true if it is.
 */
bool kma_file_is_dir(const char *path);

/**
 * kma_file_is_regular() - test whether a path is a plain file, which can be read twice
 * @path: of anything, or nothing
 *
 * Return: true if it is.
 */
bool kma_file_is_regular(const char *path);

#endif /* KMA_LIB_FILE_H */
