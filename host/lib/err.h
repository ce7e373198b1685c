/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * err.h - the one error type. A function that can fail returns a struct kma_err pointer; NULL means
 * success. An error has the input file and the line, so that the printed message is always
 * FILE:LINE: sentence.
 */
#ifndef KMA_LIB_ERR_H
#define KMA_LIB_ERR_H

#include <stdbool.h>

/* The kind of an error, for callers that continue after some kinds. */
enum kma_err_kind {
	KMA_ERR_DATA,	      /* any other error; no caller may ignore it */
	KMA_ERR_NO_MEMORY,    /* kma_enomem alone */
	KMA_ERR_NOT_FOUND,    /* the data has nothing of the name that the user gave */
	KMA_ERR_NOT_READABLE, /* a file cannot be opened or read */
	KMA_ERR_OTHER_FORMAT, /* a file is of another format, which another reader may know */
	KMA_ERR_DAMAGED,      /* a file is corrupt or truncated */
	KMA_ERR_USAGE,	      /* the command line asks for what is not possible */
};

struct kma_err {
	enum kma_err_kind kind;
	char *file;	   /* name of the input, or NULL */
	unsigned int line; /* line in that input, 0 when it has none */
	char *message;	   /* a sentence without file and line */
};

/* Out of memory: static, because there is no memory for another one. */
extern struct kma_err kma_enomem;

/**
 * kma_err_create() - make an error
 * @file: name of the input, copied; NULL without an input
 * @line: line in @file from 1, or 0
 * @fmt: printf format of the sentence
 *
 * Return: the error, &kma_enomem when there is no memory for it; never NULL.
 */
struct kma_err *kma_err_create(const char *file, unsigned int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * kma_err_create_kind() - make an error of a kind
 * @kind: not KMA_ERR_NO_MEMORY
 * @file: as for kma_err_create()
 * @line: as for kma_err_create()
 * @fmt: printf format of the sentence
 *
 * Return: as kma_err_create(), whose errors are KMA_ERR_DATA.
 */
struct kma_err *kma_err_create_kind(enum kma_err_kind kind, const char *file, unsigned int line,
				    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/**
 * kma_err_is() - is an error of a kind?
 * @err: an error, may be NULL
 * @kind: the kind
 *
 * Return: false without an error.
 */
static inline bool kma_err_is(const struct kma_err *err, enum kma_err_kind kind)
{
	return err && err->kind == kind;
}

/**
 * kma_err_is_of_file() - test whether an error concerns a single file
 * @err: an error, may be NULL
 *
 * The kinds that a caller may count as a gap (notes.h) or go on after, because other files
 * are still of use.
 *
 * Return: true if the file is not readable, of another format, or corrupt.
 */
static inline bool kma_err_is_of_file(const struct kma_err *err)
{
	return kma_err_is(err, KMA_ERR_NOT_READABLE) || kma_err_is(err, KMA_ERR_OTHER_FORMAT) ||
	       kma_err_is(err, KMA_ERR_DAMAGED);
}

/**
 * kma_err_destroy() - free an error
 * @err: from kma_err_create(); NULL and &kma_enomem are fine
 */
void kma_err_destroy(struct kma_err *err);

/**
 * kma_err_text() - the whole message, FILE:LINE: sentence
 * @err: an error
 *
 * Return: text to be freed by the caller, NULL without memory.
 */
char *kma_err_text(const struct kma_err *err);

#endif /* KMA_LIB_ERR_H */
