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

/* The functions of a kind of file. */
struct kma_rows {
	/* Takes the copy, or returns an ERR_PTR; NULL if the opener has the copy */
	void *(*create)(void);
	bool locked;			/* kma_serial_lock() is held while @create runs */
	void (*destroy)(void *data);	/* the copy may be NULL */
	size_t (*nr)(const void *data);	/* number of rows; NULL if there are none */
	void (*header)(struct seq_file *m, const void *data);
	void (*row)(struct seq_file *m, const void *data, size_t row);
};

/*
 * In a file's open: prepare a copy to be printed when the file is read; NULL to print nothing. The
 * copy belongs to the file even after an error. Returns 0 or -ENOMEM.
 */
int kma_rows_begin(struct file *file, const struct kma_rows *rows, void *data);

/* The open function of struct kma_access_file: take a copy by @f->rows. */
int kma_rows_open(struct file *file, const struct kma_access_file *f);

int kma_rows_release(struct inode *inode, struct file *file);

#endif /* KMA_ROWS_H */
