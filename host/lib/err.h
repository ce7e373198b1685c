/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * err.h - the error type of the program. A function that can fail returns a pointer to struct
 * kma_err; NULL means success. An error has the input file and the line, so that each printed
 * message has the form "FILE:LINE: sentence".
 *
 * The function that receives an error owns it: it returns the error to its caller, or frees it with
 * kma_err_destroy(). Only kma_fail() (say.h) prints errors. A caller that continues after some
 * errors distinguishes them by their kind, never by their text.
 */
#ifndef KMA_LIB_ERR_H
#define KMA_LIB_ERR_H

#include <stdbool.h>

/* The kind of an error, for callers that continue after some kinds. */
enum kma_err_kind {
	KMA_ERR_DATA,	      /* any other error; no caller may ignore it */
	KMA_ERR_NOT_FOUND,    /* the data lack the thing that was requested */
	KMA_ERR_NOT_READABLE, /* a file cannot be opened or read */
	KMA_ERR_OTHER_FORMAT, /* a file has another format, which another reader may recognise */
	KMA_ERR_DAMAGED,      /* a file is corrupt or truncated */
	KMA_ERR_USAGE,	      /* the command line is invalid */
};

struct kma_err {
	enum kma_err_kind kind;
	char *file;	   /* name of the input, or NULL */
	unsigned int line; /* line in that input from 1; 0: none */
	char *message;	   /* a sentence without file and line */
};

/*
 * An error of kind KMA_ERR_DATA. @file is copied; NULL without an input. @line counts from 1; 0 for
 * none.
 */
struct kma_err *kma_err_create(const char *file, unsigned int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

struct kma_err *kma_err_create_kind(enum kma_err_kind kind, const char *file, unsigned int line,
				    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* False for NULL. */
static inline bool kma_err_is(const struct kma_err *err, enum kma_err_kind kind)
{
	return err && err->kind == kind;
}

/*
 * Does the error concern a single file? A caller that reads many files may then count a gap
 * (notes.h) and continue.
 */
static inline bool kma_err_is_of_file(const struct kma_err *err)
{
	return kma_err_is(err, KMA_ERR_NOT_READABLE) || kma_err_is(err, KMA_ERR_OTHER_FORMAT) ||
	       kma_err_is(err, KMA_ERR_DAMAGED);
}

/* NULL is fine. */
void kma_err_destroy(struct kma_err *err);

/*
 * Replaces the file of an error, which may be a name in /proc/self/fd, by a name for users. NULL is
 * fine. Returns @err.
 */
struct kma_err *kma_err_rename(struct kma_err *err, const char *file);

/* "FILE:LINE: sentence", to be freed by the caller. */
char *kma_err_text(const struct kma_err *err);

#endif /* KMA_LIB_ERR_H */
