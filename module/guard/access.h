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

/*
 * May the current task open this file of the account? If so, kma_access_close() must follow, in
 * release(), or in an open() that fails afterwards. Returns 0; -EPERM without the capability;
 * -EBUSY if KMA_ACCESS_READERS files are open.
 */
int kma_access_open(const struct file *file);
void kma_access_close(const struct file *file);

/* May the current task write a command to the file? Returns 0, or -EPERM. */
int kma_access_command(struct file *file);

/*
 * May the current task set a parameter of the module: while the module is loaded, while the kernel
 * boots, and at a write to sysfs? A parameter in sysfs has a file mode alone, and root of a
 * container without user namespaces is its owner. CAP_SYS_MODULE is enough, because with it a task
 * can load the module with any parameter. Returns 0; or -EPERM without CAP_SYS_ADMIN and
 * CAP_SYS_MODULE.
 */
int kma_access_parameter(void);

/*
 * May the current task see addresses of the kernel? In open(): the result is used while the file is
 * open.
 */
bool kma_access_addresses(void);

/*
 * May the current task open a file of the event log? The records are useless without addresses, so
 * the log is either complete or refused. These files do not count for KMA_ACCESS_READERS: there is
 * one for each CPU, and they have no snapshot. Returns 0; -EPERM without the capability to read or
 * to see addresses. If only the latter is missing, a line in the kernel log says so.
 */
int kma_access_log(void);

/*
 * Is the kernel locked down for confidentiality? The kernel may print one line of its own if it is.
 */
bool kma_access_locked(void);

/*
 * A file of debugfs that is open to readers: the private data of a file that uses kma_access_fops.
 * All such files share one struct file_operations, which takes 280 bytes.
 */
struct kma_access_file {
	/* For a reader that kma_access_open() has allowed; @f is this */
	int (*open)(struct file *file, const struct kma_access_file *f);
	int (*release)(struct inode *inode, struct file *file);
	/* What @open needs to know of a file that shows a copy (show/rows.h) */
	const struct kma_rows *rows;
};

/* debugfs takes a reference to the owner for each file that is open. */
extern const struct file_operations kma_access_fops;

#endif /* KMA_ACCESS_H */
