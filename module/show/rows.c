// SPDX-License-Identifier: GPL-2.0-only
/*
 * rows.c - files that show a copy that is taken when they are opened.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>

#include "guard/access.h"
#include "guard/serial.h"
#include "show/rows.h"

struct kma_rows_reader {
	const struct kma_rows *rows;
	void *data;
};

/* Position 0 is the header, position n is the n-th row. */
static void *kma_rows_start(struct seq_file *m, loff_t *pos)
{
	const struct kma_rows_reader *r = m->private;

	/* a file that is open for writing only has no copy, but lseek() calls this function */
	if (!r->data)
		return NULL;
	return *pos <= (r->rows->nr ? r->rows->nr(r->data) : 0) ? pos : NULL;
}

static void *kma_rows_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return kma_rows_start(m, pos);
}

static void kma_rows_stop(struct seq_file *m, void *v)
{
}

static int kma_rows_show(struct seq_file *m, void *v)
{
	const struct kma_rows_reader *r = m->private;
	loff_t pos = *(loff_t *)v;

	if (pos)
		r->rows->row(m, r->data, pos - 1);
	else
		r->rows->header(m, r->data);
	return 0;
}

static const struct seq_operations kma_rows_ops = {
	.start = kma_rows_start,
	.next = kma_rows_next,
	.stop = kma_rows_stop,
	.show = kma_rows_show,
};

int kma_rows_begin(struct file *file, const struct kma_rows *rows, void *data)
{
	struct kma_rows_reader *r = __seq_open_private(file, &kma_rows_ops, sizeof(*r));

	if (!r) {
		rows->destroy(data);
		return -ENOMEM;
	}
	r->rows = rows;
	r->data = data;
	return 0;
}

int kma_rows_open(struct file *file, const struct kma_access_file *f)
{
	bool locked = f->rows->locked;
	void *data;

	if (locked)
		kma_serial_lock();
	data = f->rows->create();
	if (locked)
		kma_serial_unlock();
	return IS_ERR(data) ? PTR_ERR(data) : kma_rows_begin(file, f->rows, data);
}

int kma_rows_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	const struct kma_rows_reader *r = m->private;

	r->rows->destroy(r->data);
	return seq_release_private(inode, file);
}
