/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan-file.h - read the lines of a file of kmem-account scan (Documentation/format/scan.rst). The
 * reader of accounts (scan.c) needs some kinds of lines, and heap/scan-read.c others; each gives a
 * function for those that it needs.
 *
 * Nothing in the file is trusted: the kinds of lines, their numbers of cells and the last line, which
 * counts the others, are checked here; what cells mean, by the functions.
 *
 * Locking: none.
 */
#ifndef KMA_READER_SCAN_FILE_H
#define KMA_READER_SCAN_FILE_H

#include "input/cursor.h"
#include "model/account.h"

#define KMA_SCAN_TITLE	 "kmem_account scan 1"
#define KMA_SCAN_SECTION "scan" /* of a bundle */

/* Notes of an account that have a line "kernel", and their names there. */
static const struct {
	const char *name, *note;
} kma_scan_kernel[] = {
	{ "release", KMA_NOTE_RELEASE },
	{ "machine", KMA_NOTE_MACHINE },
	{ "build_id", KMA_NOTE_BUILD_ID },
};

/* Cells of a line; writers make fewer. */
#define KMA_SCAN_CELLS 16

/* Kinds of lines, in their order in the file. */
enum kma_scan_kind {
	KMA_SCAN_KERNEL,
	KMA_SCAN_PLACE,
	KMA_SCAN_NOTE,
	KMA_SCAN_SITE,
	KMA_SCAN_ROOT,
	KMA_SCAN_OBJECT,
	KMA_SCAN_EDGE,
	KMA_SCAN_LIVE,
	KMA_SCAN_RETAINED_ROOT,
	KMA_SCAN_RETAINED_MODULE,
	KMA_SCAN_RETAINED_CALLER,
	KMA_SCAN_RETAINED_PART,
	KMA_SCAN_PASS,
	KMA_SCAN_LOST,
	KMA_SCAN_UNSEEN,
	KMA_SCAN_LOST_OBJECT,
	KMA_SCAN_NR_KINDS,
};

/* Numbers of a line "pass". */
#define KMA_SCAN_PASS_NR 8

struct kma_scan_file {
	struct kma_cursor cur;
	/* The cells of the current line, the kind of the line is the first. Functions may modify them. */
	char *cells[KMA_SCAN_CELLS];
	unsigned int nr;
	enum kma_scan_kind kind;
	uint64_t lines;
	bool ended;
	bool bundle; /* the file is one */
	bool inside; /* the current line is of the scan; in a bundle from its section on */
	bool closed; /* the line that ends a bundle was read */
	/* Also gets the lines of the file, which must not be a bundle then; or NULL. */
	struct kma_strbuf *text;
	/* By kind: reads the current line; NULL: such lines are not needed. */
	struct kma_err *(*const *read)(void *arg);
	void *arg;
};

/**
 * kma_scan_file_read() - read a file
 * @file: with @read, @arg and @text, all else zero
 * @input: nothing was consumed yet
 *
 * Return: NULL; the first error of a function; or an error that names file and line: it cannot be
 * read, is no scan, or is damaged.
 */
struct kma_err *kma_scan_file_read(struct kma_scan_file *file, struct kma_input *input);

/**
 * kma_scan_file_number() - read a number of the current line
 * @file: while a line is read
 * @cell: the cell
 * @max: largest number that is allowed
 * @none: value of "-"; 0: "-" is an error
 * @ret: set to the number
 *
 * Return: NULL; or an error: not a number, or too large.
 */
struct kma_err *kma_scan_file_number(struct kma_scan_file *file, unsigned int cell, uint64_t max,
				     uint64_t none, uint64_t *ret);

/**
 * kma_scan_file_kernel() - add the name of the kernel in the current line to an account
 * @file: while a line of kind KMA_SCAN_KERNEL is read
 * @account: not finished
 *
 * Return: NULL, or an error: unknown name.
 */
struct kma_err *kma_scan_file_kernel(struct kma_scan_file *file, struct kma_account *account);

/* The place of a call site, in a line of kind KMA_SCAN_PLACE. Texts belong to the line. */
struct kma_scan_place {
	const char *build_id; /* of its file; NULL: no place is known */
	uint64_t text;	      /* offset in the file */
	bool in_init;
	const char *caller;
};

/**
 * kma_scan_file_place() - read the place of a call site from the current line
 * @file: while a line of kind KMA_SCAN_PLACE is read
 * @ret: filled in
 */
struct kma_err *kma_scan_file_place(struct kma_scan_file *file, struct kma_scan_place *ret);

/* Numbers of lines of retained bytes, by root, by module and by call site. */
struct kma_scan_retained {
	uint64_t bytes, objects; /* retained */
	uint64_t direct; /* root, module: objects that its words refer to; call site: its own */
	uint64_t own;	 /* call site: bytes of its objects */
	bool rest;	 /* not a root or a module; @direct is not known */
	const char *name;
};

/**
 * kma_scan_file_retained() - read retained bytes from the current line
 * @file: while a line of such a kind is read
 * @ret: filled in
 */
struct kma_err *kma_scan_file_retained(struct kma_scan_file *file, struct kma_scan_retained *ret);

#endif /* KMA_READER_SCAN_FILE_H */
