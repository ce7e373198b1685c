/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs-file.h - files of tracefs, and the note of what is changed in them; for the files that
 * set tracing up.
 */
#ifndef KMA_LATENCY_TRACEFS_FILE_H
#define KMA_LATENCY_TRACEFS_FILE_H

#include <stdbool.h>

#include "lib/err.h"

struct kma_tracefs {
	char *top, *dir; /* @dir: the instance's, or @top */
	char *pipe, *note;
	int fd; /* of the note */
	/* kma_tracefs_names(): lists that were written; the probe is there; it is of no use */
	unsigned int lists;
	bool probed, nameless;
};

/**
 * kma_tracefs_error() - an error of errno
 * @path: a file
 * @what: a verb
 *
 * Return: the error.
 */
struct kma_err *kma_tracefs_error(const char *path, const char *what);

/**
 * kma_tracefs_path() - a file's name
 * @dir: of tracefs
 * @name: in it
 *
 * Return: for free(); NULL without memory.
 */
char *kma_tracefs_path(const char *dir, const char *name);

/**
 * kma_tracefs_write() - one write into a file
 * @path: the file
 * @value: what
 * @flags: of open(2): O_TRUNC sets, O_APPEND adds
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_tracefs_write(const char *path, const char *value, int flags);

/**
 * kma_tracefs_remember() - store the old content of a file
 * @fs: from kma_tracefs_open()
 * @path: the file, or the directory of an instance
 * @value: the text, in which tabs replace newlines; NULL: remove the instance when restoring
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_tracefs_remember(struct kma_tracefs *fs, const char *path, char *value);

/**
 * kma_tracefs_get() - what is in a file
 * @dir: of tracefs, or the instance's
 * @name: in it
 * @ret: the text without the newline at its end, for free()
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_tracefs_get(const char *dir, const char *name, char **ret);

/**
 * kma_tracefs_set() - note what is in a file, and change it
 * @fs: from kma_tracefs_open()
 * @dir: of tracefs, or the instance's
 * @name: in it
 * @value: what is to be in it
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_tracefs_set(struct kma_tracefs *fs, const char *dir, const char *name,
				const char *value);

#endif /* KMA_LATENCY_TRACEFS_FILE_H */
