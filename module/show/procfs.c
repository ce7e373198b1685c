// SPDX-License-Identifier: GPL-2.0-only
/*
 * procfs.c - /proc/kmem_account.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "guard/access.h"
#include "show/procfs.h"
#include "show/report.h"
#include "show/report_text.h"
#include "show/rows.h"
#include "show/snapshot.h"

#define KMA_PROC_NAME	"kmem_account"
#define KMA_PROC_COMMAND	4096	/* maximum length of a command in bytes */

static const unsigned int *kma_proc_sort;
static int (*kma_proc_command)(const char *command);

static const struct kma_rows kma_proc_rows = {
	.destroy = kma_report_destroy,
	.nr = kma_report_rows,
	.header = kma_report_show_header,
	.row = kma_report_show_row,
};

static int kma_proc_open(struct inode *inode, struct file *file)
{
	int err = kma_access_open(file);

	if (err)
		return err;
	err = kma_snapshot_open(file, &kma_proc_rows, READ_ONCE(*kma_proc_sort));
	if (err)
		kma_access_close(file);
	return err;
}

static int kma_proc_release(struct inode *inode, struct file *file)
{
	kma_access_close(file);
	return kma_rows_release(inode, file);
}

static ssize_t kma_proc_write(struct file *file, const char __user *user, size_t len, loff_t *pos)
{
	char *command;
	int err = kma_access_command(file);

	if (err)
		return err;
	if (*pos || !len || len > KMA_PROC_COMMAND) {
		pr_err("invalid command: a write of %zu bytes at offset %lld (expected one write at offset 0, of 1 to %d bytes)\n",
		       len, *pos, KMA_PROC_COMMAND);
		return -EINVAL;
	}
	command = memdup_user_nul(user, len);
	if (IS_ERR(command))
		return PTR_ERR(command);
	err = strlen(command) == len ? kma_proc_command(command) : -EINVAL;
	if (strlen(command) != len)
		pr_err("invalid command: contains a zero byte (expected text)\n");
	kfree(command);
	if (err)
		return err;
	*pos = len;
	return len;
}

static const struct proc_ops kma_proc_ops = {
	.proc_open = kma_proc_open,
	.proc_read_iter = seq_read_iter,
	.proc_write = kma_proc_write,
	.proc_lseek = seq_lseek,
	.proc_release = kma_proc_release,
};

int __init kma_procfs_init(const unsigned int *sort, int (*command)(const char *command))
{
	kma_proc_sort = sort;
	kma_proc_command = command;
	/* kma_access_open() refuses readers; a file mode would not stop root of a container */
	if (!proc_create(KMA_PROC_NAME, 0644, NULL, &kma_proc_ops))
		return -ENOMEM;
	return 0;
}

void kma_procfs_deinit(void)
{
	remove_proc_entry(KMA_PROC_NAME, NULL);
}
