/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs-file.h - read and write files of tracefs, and note their old values, for the files that
 * set tracing up.
 */
#ifndef KMA_LATENCY_TRACEFS_FILE_H
#define KMA_LATENCY_TRACEFS_FILE_H

#include <stdbool.h>

#include "lib/err.h"

struct kma_tracefs {
	char *top, *dir;   /* directory of tracefs; of the used instance, which may be @top */
	char *pipe, *note; /* paths of trace_pipe and of the note */
	int fd;		   /* of the note */
	/* state of kma_tracefs_names() */
	unsigned int lists;    /* lists of names that were written */
	bool probed, nameless; /* the probe exists; names are not available */
};

/**
 * kma_tracefs_error() - make an error from errno
 * @path: the file
 * @what: a verb
 *
 * Return: the error.
 */
struct kma_err *kma_tracefs_error(const char *path, const char *what);

/**
 * kma_tracefs_path() - make a path
 * @dir: directory of tracefs
 * @name: name of a file in it
 *
 * Return: the path, for free(3); NULL if memory cannot be allocated.
 */
char *kma_tracefs_path(const char *dir, const char *name);

/**
 * kma_tracefs_write() - write to a file with one write(2)
 * @path: the file
 * @value: the text
 * @flags: flags of open(2): O_TRUNC replaces the content, O_APPEND adds to it
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_tracefs_write(const char *path, const char *value, int flags);

/**
 * kma_tracefs_remember() - add a line to the note: how to restore a file
 * @fs: from kma_tracefs_open()
 * @path: the file, or the directory of an instance
 * @value: the text to write when restoring; newlines are replaced by tabs; NULL: remove the
 *	instance
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_tracefs_remember(struct kma_tracefs *fs, const char *path, char *value);

/**
 * kma_tracefs_get() - read a file
 * @dir: directory of tracefs, or of the instance
 * @name: name of the file in it
 * @ret: the text without the newline at its end, for free(3)
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_tracefs_get(const char *dir, const char *name, char **ret);

/**
 * kma_tracefs_set() - note the content of a file, and change it
 * @fs: from kma_tracefs_open()
 * @dir: directory of tracefs, or of the instance
 * @name: name of the file in it
 * @value: the new content
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_tracefs_set(struct kma_tracefs *fs, const char *dir, const char *name,
				const char *value);

#endif /* KMA_LATENCY_TRACEFS_FILE_H */
