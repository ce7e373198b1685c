/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan-file.h - read the lines of a file of kmem-account scan (Documentation/format/scan.rst). The
 * reader of accounts (scan.c) needs some kinds of lines, and heap/scan-read.c others; each gives a
 * function for those that it needs.
 *
 * Nothing in the file is trusted: the kinds of lines, their numbers of cells and the last line,
 * which counts the others, are checked here; what cells mean, by the functions.
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
	/* The cells of the current line, first its kind. Functions may modify them. */
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

/*
 * @file is zero except for @read, @arg and @text. Nothing of @input was consumed. Returns the first
 * error of a function of @read, or an error that the file cannot be read, is not a scan, or is
 * damaged.
 */
struct kma_err *kma_scan_file_read(struct kma_scan_file *file, struct kma_input *input);

/*
 * Reads a number up to @max from a cell of the current line. @none is the value of "-"; 0: "-" is
 * an error.
 */
struct kma_err *kma_scan_file_number(struct kma_scan_file *file, unsigned int cell, uint64_t max,
				     uint64_t none, uint64_t *ret);

/*
 * Adds the current line, of kind KMA_SCAN_KERNEL, to the notes of an account that is not finished.
 * An unknown name is an error.
 */
struct kma_err *kma_scan_file_kernel(struct kma_scan_file *file, struct kma_account *account);

/* The place of a call site, in a line of kind KMA_SCAN_PLACE. Texts belong to the line. */
struct kma_scan_place {
	const char *build_id; /* of its file; NULL: no place is known */
	uint64_t text;	      /* offset in the file */
	bool in_init;
	const char *caller;
};

/* Reads the current line, of kind KMA_SCAN_PLACE. */
struct kma_err *kma_scan_file_place(struct kma_scan_file *file, struct kma_scan_place *ret);

/* Numbers of lines of retained bytes, by root, by module and by call site. */
struct kma_scan_retained {
	uint64_t bytes, objects; /* retained */
	uint64_t direct; /* root, module: objects that its words refer to; call site: its own */
	uint64_t own;	 /* call site: bytes of its objects */
	bool rest;	 /* not a root or a module; @direct is not known */
	const char *name;
};

/* Reads the current line, of one of the kinds KMA_SCAN_RETAINED_*. */
struct kma_err *kma_scan_file_retained(struct kma_scan_file *file, struct kma_scan_retained *ret);

#endif /* KMA_READER_SCAN_FILE_H */
