/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * access.h - who may read, who may command, and who may see addresses.
 *
 *  to read      CAP_PERFMON or CAP_SYS_ADMIN, when the file is opened. The mode of a file
 *               would not do: root of a container owns a file of /proc with mode 0400.
 *               Whoever is handed an open file reads what its opener could.
 *  to command   CAP_SYS_ADMIN, when the file is opened and at each write: of the opener
 *               and of the writer. So an open file that is handed on gives nobody access,
 *               and nobody can have a privileged program write for them.
 *  parameters   CAP_SYS_ADMIN or CAP_SYS_MODULE, when a parameter is written.
 *  addresses    CAP_SYSLOG when the file is opened, where %pK would not print zeros
 *               (sysctl kernel.kptr_restrict), and not under lockdown confidentiality.
 *               Other readers have 0 in place of each address, and "[no symbol]" in place
 *               of a name that is an address. Names, offsets and build IDs are for all
 *               readers. The event log, which is of no use without addresses, is
 *               refused to those who may not see them.
 *
 * All capabilities are those in the initial user namespace.
 *
 * At most KMA_ACCESS_READERS files are open for reading at a time, whoever has them open:
 * each holds a snapshot, which is charged to the memory cgroup of its reader.
 *
 * Never done here: sleeping, allocating; anything at an event.
 *
 * Locking: none; the readers are counted by one atomic.
 */
#ifndef KMA_ACCESS_H
#define KMA_ACCESS_H

#include <linux/fs.h>
#include <linux/types.h>

#define KMA_ACCESS_READERS	64	/* files open for reading */

/**
 * kma_access_open() - may the current task open a file of the account as it asks?
 * @file: the file, being opened for reading, for writing or for both
 *
 * Context: open() of a file. If it succeeds, kma_access_close() must follow.
 * Return: 0; -EPERM without the capability; -EBUSY if KMA_ACCESS_READERS files are open.
 */
int kma_access_open(const struct file *file);

/**
 * kma_access_close() - a file that kma_access_open() has let in is closed
 * @file: the file
 *
 * Context: release() of a file, or open() that fails afterwards.
 */
void kma_access_close(const struct file *file);

/**
 * kma_access_command() - may the current task write a command to a file?
 * @file: the file
 *
 * Context: write() of a file.
 * Return: 0, or -EPERM.
 */
int kma_access_command(struct file *file);

/**
 * kma_access_parameter() - check that the current task may set a parameter of the module
 *
 * A parameter in sysfs has a file mode alone, and root of a container without user
 * namespaces is its owner. CAP_SYS_MODULE is enough, because with it a task can load the
 * module with any parameter.
 *
 * Context: the set function of a parameter: while the module is loaded, while the kernel
 * boots, and at a write to sysfs.
 * Return: 0; or -EPERM without CAP_SYS_ADMIN and CAP_SYS_MODULE.
 */
int kma_access_parameter(void);

/**
 * kma_access_addresses() - may the current task see addresses of the kernel?
 *
 * Context: open() of a file: the answer holds for as long as the file is open.
 * Return: true if it may.
 */
bool kma_access_addresses(void);

/**
 * kma_access_log() - may the current task open a file of the event log?
 *
 * Records of the log are of no use without addresses: the log is whole, or refused. These
 * files are not counted, for there is one for each CPU, and they have no memory of their
 * own.
 *
 * Context: open() of a file.
 * Return: 0; -EPERM without the capability to read or to see addresses, with one line in
 * the kernel log if it is addresses alone.
 */
int kma_access_log(void);

/**
 * kma_access_locked() - does the kernel keep its memory confidential from root as well?
 *
 * Context: process. The kernel may print one line of its own if it does.
 * Return: true under lockdown confidentiality.
 */
bool kma_access_locked(void);

/**
 * struct kma_access_file - a file of debugfs that is open to readers
 * @open: as in struct file_operations, for a reader that kma_access_open() has let in
 * @release: as in struct file_operations
 *
 * The data of a file that is made with kma_access_fops. All such files share one struct
 * file_operations, which takes 280 bytes.
 */
struct kma_access_file {
	int (*open)(struct inode *inode, struct file *file);
	int (*release)(struct inode *inode, struct file *file);
};

/* debugfs takes a reference to the owner for each file that is open. */
extern const struct file_operations kma_access_fops;

#endif /* KMA_ACCESS_H */
