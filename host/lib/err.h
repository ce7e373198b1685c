/* SPDX-License-Identifier: GPL-2.0 */
/*
 * err.h - the one error type. A function that can fail returns a struct
 * kma_err pointer; NULL means that all is well. An error knows the input file
 * and the line that it speaks of, so that the message a person reads is always
 * FILE:LINE: sentence.
 */
#ifndef KMA_LIB_ERR_H
#define KMA_LIB_ERR_H

struct kma_err {
	char *file;	   /* input the error speaks of, or NULL */
	unsigned int line; /* line in that input, 0 when it has none */
	char *message;	   /* a sentence without file and line */
};

/* Out of memory: static, because there is no memory for another one. */
extern struct kma_err kma_enomem;

/**
 * kma_err_create() - make an error
 * @file: input that the error speaks of, copied; NULL when there is none
 * @line: line in @file from 1, or 0
 * @fmt: printf format of the sentence
 *
 * Return: the error, &kma_enomem when there is no memory for it; never NULL.
 */
struct kma_err *kma_err_create(const char *file, unsigned int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

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
