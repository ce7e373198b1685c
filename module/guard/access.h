/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * access.h - capabilities for reading, for commands, for parameters and for addresses.
 *
 *  reading      CAP_PERFMON or CAP_SYS_ADMIN, when the file is opened. The mode of a file is
 *               not enough: root of a container owns a file of /proc with mode 0400. A
 *               process that receives an open file can read what its opener could.
 *  commands     CAP_SYS_ADMIN of the opener and of the writer, when the file is opened and at
 *               each write. So passing on an open file gives no access, and a process cannot
 *               make a privileged program write for it.
 *  parameters   CAP_SYS_ADMIN or CAP_SYS_MODULE, when a parameter is written.
 *  addresses    CAP_SYSLOG when the file is opened, where %pK would not print zeros
 *               (sysctl kernel.kptr_restrict), and not under lockdown confidentiality.
 *               Other readers get 0 instead of each address, and "[no symbol]" instead of a
 *               name that is an address. All readers get names, offsets and build IDs. The
 *               event log is useless without addresses, so opening it needs the right to see
 *               addresses.
 *
 * All capabilities are those in the initial user namespace.
 *
 * At most KMA_ACCESS_READERS files are open for reading at a time, counted over all readers.
 * Each has a snapshot, which is charged to the memory cgroup of its reader.
 *
 * Never done here: sleeping, allocating; anything at an event.
 *
 * Locking: none; the readers are counted by one atomic.
 */
#ifndef KMA_ACCESS_H
#define KMA_ACCESS_H

#include <linux/fs.h>
#include <linux/types.h>

struct kma_rows;

#define KMA_ACCESS_READERS	64	/* files open for reading */

/**
 * kma_access_open() - check that the current task may open a file of the account
 * @file: the file, being opened for reading, for writing or for both
 *
 * Context: open() of a file. If it succeeds, kma_access_close() must follow.
 * Return: 0; -EPERM without the capability; -EBUSY if KMA_ACCESS_READERS files are open.
 */
int kma_access_open(const struct file *file);

/*
 * Count the close of a file that kma_access_open() has allowed.
 * Context: release() of a file, or open() that fails afterwards.
 */
void kma_access_close(const struct file *file);

/*
 * Check that the current task may write a command to a file.
 * Context: write() of a file.
 * Return: 0, or -EPERM.
 */
int kma_access_command(struct file *file);

/*
 * Check that the current task may set a parameter of the module. A parameter in sysfs has a file
 * mode alone, and root of a container without user namespaces is its owner. CAP_SYS_MODULE is
 * enough, because with it a task can load the module with any parameter.
 * Context: the set function of a parameter: while the module is loaded, while the kernel boots, and
 * at a write to sysfs.
 * Return: 0; or -EPERM without CAP_SYS_ADMIN and CAP_SYS_MODULE.
 */
int kma_access_parameter(void);

/*
 * Check whether the current task may see addresses of the kernel.
 * Context: open() of a file: the result is used while the file is open.
 * Return: true if it may.
 */
bool kma_access_addresses(void);

/*
 * Check that the current task may open a file of the event log. The records are useless without
 * addresses, so the log is either complete or refused. These files do not count for
 * KMA_ACCESS_READERS: there is one for each CPU, and they have no snapshot.
 * Context: open() of a file.
 * Return: 0; -EPERM without the capability to read or to see addresses. If only the latter is
 * missing, a line in the kernel log says so.
 */
int kma_access_log(void);

/*
 * Check whether the kernel is locked down for confidentiality.
 * Context: process. The kernel may print one line of its own if it does.
 * Return: true under lockdown confidentiality.
 */
bool kma_access_locked(void);

/**
 * struct kma_access_file - a file of debugfs that is open to readers
 * @open: opens the file for a reader that kma_access_open() has allowed; @f is this
 * @release: as in struct file_operations
 * @rows: what @open needs to know of a file that shows a copy (show/rows.h)
 *
 * The private data of a file that uses kma_access_fops. All such files share one struct
 * file_operations, which takes 280 bytes.
 */
struct kma_access_file {
	int (*open)(struct file *file, const struct kma_access_file *f);
	int (*release)(struct inode *inode, struct file *file);
	const struct kma_rows *rows;
};

/* debugfs takes a reference to the owner for each file that is open. */
extern const struct file_operations kma_access_fops;

#endif /* KMA_ACCESS_H */
