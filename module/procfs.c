// SPDX-License-Identifier: GPL-2.0
/*
 * procfs.c - /proc/kmem_account.
 *
 * Opening the file for reading takes the snapshot; whoever reads it in small
 * pieces, or slowly, reads one account.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

#include "control.h"
#include "procfs.h"
#include "report.h"

#define KMA_PROC_NAME	"kmem_account"

static const unsigned int *kma_proc_sort;

/* Position 0 is the header, position n the n-th row. */
static void *kma_seq_start(struct seq_file *m, loff_t *pos)
{
	return *pos <= kma_report_rows(m->private) ? pos : NULL;
}

static void *kma_seq_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return kma_seq_start(m, pos);
}

static void kma_seq_stop(struct seq_file *m, void *v)
{
}

static int kma_seq_show(struct seq_file *m, void *v)
{
	loff_t pos = *(loff_t *)v;

	if (pos)
		kma_report_show_row(m, m->private, pos - 1);
	else
		kma_report_show_header(m, m->private);
	return 0;
}

static const struct seq_operations kma_seq_ops = {
	.start = kma_seq_start,
	.next = kma_seq_next,
	.stop = kma_seq_stop,
	.show = kma_seq_show,
};

static int kma_proc_open(struct inode *inode, struct file *file)
{
	struct kma_report *report = NULL;
	int err;

	if (file->f_mode & FMODE_READ)
		report = kma_control_report(READ_ONCE(*kma_proc_sort));
	if (IS_ERR(report))
		return PTR_ERR(report);
	err = seq_open(file, &kma_seq_ops);
	if (err)
		kma_report_destroy(report);
	else
		((struct seq_file *)file->private_data)->private = report;
	return err;
}

static int kma_proc_release(struct inode *inode, struct file *file)
{
	kma_report_destroy(((struct seq_file *)file->private_data)->private);
	return seq_release(inode, file);
}

static ssize_t kma_proc_write(struct file *file, const char __user *user,
			      size_t len, loff_t *pos)
{
	char command[8];
	int err;

	if (!len || len >= sizeof(command))
		return -EINVAL;
	if (copy_from_user(command, user, len))
		return -EFAULT;
	command[len] = '\0';
	err = kma_control_command(command);
	return err ?: len;
}

static const struct proc_ops kma_proc_ops = {
	.proc_open = kma_proc_open,
	.proc_read = seq_read,
	.proc_write = kma_proc_write,
	.proc_lseek = seq_lseek,
	.proc_release = kma_proc_release,
};

int kma_procfs_init(const unsigned int *sort)
{
	kma_proc_sort = sort;
	if (!proc_create(KMA_PROC_NAME, 0400, NULL, &kma_proc_ops))
		return -ENOMEM;
	return 0;
}

void kma_procfs_deinit(void)
{
	remove_proc_entry(KMA_PROC_NAME, NULL);
}
