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

/* Make an error from errno; @what is a verb. */
struct kma_err *kma_tracefs_error(const char *path, const char *what);

/* The path of a file, for free(3). */
char *kma_tracefs_path(const char *dir, const char *name);

/* Write with one write(2). @flags of open(2): O_TRUNC replaces the content, O_APPEND adds to it. */
struct kma_err *kma_tracefs_write(const char *path, const char *value, int flags);

/**
 * kma_tracefs_remember() - add a line to the note: how to restore a file
 * @fs: from kma_tracefs_open()
 * @path: the file, or the directory of an instance
 * @value: the text to write when restoring; newlines are replaced by tabs; NULL: remove the
 *	instance
 */
struct kma_err *kma_tracefs_remember(struct kma_tracefs *fs, const char *path, char *value);

/* Read a file of tracefs or an instance, without the newline at its end. @ret is for free(3). */
struct kma_err *kma_tracefs_get(const char *dir, const char *name, char **ret);

/* Note the content of a file, and change it. */
struct kma_err *kma_tracefs_set(struct kma_tracefs *fs, const char *dir, const char *name,
				const char *value);

#endif /* KMA_LATENCY_TRACEFS_FILE_H */
