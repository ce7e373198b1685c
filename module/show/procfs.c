// SPDX-License-Identifier: GPL-2.0
/*
 * procfs.c - /proc/kmem_account.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>

#include "control.h"
#include "show/procfs.h"
#include "show/report.h"
#include "show/report_text.h"
#include "show/snapshot.h"

#define KMA_PROC_NAME	"kmem_account"

static const unsigned int *kma_proc_sort;

static const struct kma_format kma_proc_format = {
	.header = kma_report_show_header,
	.row = kma_report_show_row,
};

static int kma_proc_open(struct inode *inode, struct file *file)
{
	return kma_snapshot_open(file, &kma_proc_format,
				 READ_ONCE(*kma_proc_sort));
}

static ssize_t kma_proc_write(struct file *file, const char __user *user,
			      size_t len, loff_t *pos)
{
	char command[16];
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
	.proc_read_iter = seq_read_iter,
	.proc_write = kma_proc_write,
	.proc_lseek = seq_lseek,
	.proc_release = kma_snapshot_release,
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
