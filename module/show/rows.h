/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.h - files that show a copy that is taken when they are opened: a header, then rows.
 *
 * Opening the file takes the copy, so a program that reads the file slowly, or in small pieces,
 * reads one account. A table of functions takes the copy and prints it. A file that is not
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
 * struct kma_rows - the functions of a kind of file
 * @create: takes the copy, and returns it or an ERR_PTR; NULL if the opener has the copy
 * @locked: kma_serial_lock() is held while @create runs
 * @destroy: releases the copy, which may be NULL
 * @nr: returns the number of rows; NULL if there are none
 * @header: prints the header
 * @row: prints a row, whose number is below @nr
 */
struct kma_rows {
	void *(*create)(void);
	bool locked;
	void (*destroy)(void *data);
	size_t (*nr)(const void *data);
	void (*header)(struct seq_file *m, const void *data);
	void (*row)(struct seq_file *m, const void *data, size_t row);
};

/**
 * kma_rows_begin() - in a file's open: prepare a copy to be printed when the file is read
 * @file: the file
 * @rows: the kind of file
 * @data: the copy, which belongs to the file even after an error; NULL to print nothing
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int kma_rows_begin(struct file *file, const struct kma_rows *rows, void *data);

/**
 * kma_rows_open() - the open function of struct kma_access_file: take a copy to print
 * @file: the file
 * @f: has the kind of file in @f->rows
 *
 * Context: process, may sleep.
 * Return: 0 or a negative error.
 */
int kma_rows_open(struct file *file, const struct kma_access_file *f);

/**
 * kma_rows_release() - the release function of a file
 * @inode: not used
 * @file: the file
 *
 * Return: 0.
 */
int kma_rows_release(struct inode *inode, struct file *file);

#endif /* KMA_ROWS_H */
