// SPDX-License-Identifier: GPL-2.0-only
/*
 * access.c - capabilities for reading, for commands, for parameters and for addresses.
 *
 * The design is in access.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/user_namespace.h>

#include "guard/access.h"

static atomic_t kma_access_readers;

int kma_access_open(const struct file *file)
{
	if ((file->f_mode & FMODE_WRITE) && !capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (!(file->f_mode & FMODE_READ))
		return 0;
	if (!perfmon_capable())
		return -EPERM;
	if (!atomic_add_unless(&kma_access_readers, 1, KMA_ACCESS_READERS))
		return -EBUSY;
	return 0;
}

void kma_access_close(const struct file *file)
{
	if (file->f_mode & FMODE_READ)
		atomic_dec(&kma_access_readers);
}

static int kma_access_file_open(struct inode *inode, struct file *file)
{
	const struct kma_access_file *f = inode->i_private;
	int err = kma_access_open(file);

	if (err)
		return err;
	err = f->open(file, f);
	if (err)
		kma_access_close(file);
	return err;
}

static int kma_access_file_release(struct inode *inode, struct file *file)
{
	const struct kma_access_file *f = inode->i_private;

	kma_access_close(file);
	return f->release(inode, file);
}

const struct file_operations kma_access_fops = {
	.owner = THIS_MODULE,
	.open = kma_access_file_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = kma_access_file_release,
};

int kma_access_command(struct file *file)
{
	return file_ns_capable(file, &init_user_ns, CAP_SYS_ADMIN) &&
	       capable(CAP_SYS_ADMIN) ? 0 : -EPERM;
}

int kma_access_parameter(void)
{
	return capable(CAP_SYS_ADMIN) || capable(CAP_SYS_MODULE) ? 0 : -EPERM;
}

/* True if %pK prints zeros. With kptr_restrict=0 it prints a hash. */
static bool kma_access_zeroed(void)
{
	char text[2 * sizeof(void *) + 8];

	snprintf(text, sizeof(text), "%pK", (void *)kma_access_addresses);
	return strspn(text, "0") == strlen(text);
}

bool kma_access_locked(void)
{
	return security_locked_down(LOCKDOWN_KCORE);
}

bool kma_access_addresses(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_SYSLOG) &&
	       !kma_access_zeroed() && !kma_access_locked();
}

int kma_access_log(void)
{
	if (!perfmon_capable())
		return -EPERM;
	if (kma_access_addresses())
		return 0;
	pr_warn_ratelimited("the event log contains addresses: reading needs CAP_SYSLOG, kernel.kptr_restrict=0 or 1, and no lockdown for confidentiality\n");
	return -EPERM;
}
