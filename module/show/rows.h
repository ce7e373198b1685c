/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.h - files that show a copy which is taken when they are opened: a header, then rows.
 *
 * Opening the file takes the copy; whoever reads it in small pieces, or slowly, reads one
 * account. What is copied and how it is printed is a table of functions. A file that is not
 * opened for reading has no copy.
 */
#ifndef KMA_ROWS_H
#define KMA_ROWS_H

#include <linux/types.h>

struct file;
struct inode;
struct kma_access_file;
struct seq_file;

/**
 * struct kma_rows - a kind of file
 * @create: takes the copy; ERR_PTR if that fails. NULL: the opener has it already
 * @destroy: releases it; NULL is fine
 * @nr: number of rows; NULL if there are none
 * @header: prints what comes first
 * @row: prints the row of a number below @nr
 */
struct kma_rows {
	void *(*create)(void);
	void (*destroy)(void *data);
	size_t (*nr)(const void *data);
	void (*header)(struct seq_file *m, const void *data);
	void (*row)(struct seq_file *m, const void *data, size_t row);
};

/**
 * kma_rows_begin() - a file's open: print a copy when the file is read
 * @file: the file
 * @rows: the kind of file
 * @data: the copy, which belongs to the file even if this fails; NULL: nothing is printed
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int kma_rows_begin(struct file *file, const struct kma_rows *rows, void *data);

/**
 * kma_rows_open() - the open of struct kma_access_file: take a copy and print it when read
 * @file: the file
 * @f: has the kind of file in its rows
 *
 * Context: process, may sleep.
 * Return: 0 or a negative error.
 */
int kma_rows_open(struct file *file, const struct kma_access_file *f);

/**
 * kma_rows_release() - a file's release
 * @inode: not used
 * @file: the file
 *
 * Return: 0.
 */
int kma_rows_release(struct inode *inode, struct file *file);

#endif /* KMA_ROWS_H */
