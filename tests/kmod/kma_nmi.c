// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_nmi.c - events of the allocator that come from NMIs.
 *
 *	echo N > /proc/kma_nmi		sends N NMIs to each CPU that is online
 *
 * Each NMI tells the tracepoints of kmalloc() and kfree() of an object that does
 * not exist: two events, which must be refused and counted. (Allocating in an
 * NMI is forbidden; what a probe sees of it is this.) The write returns when all
 * have been handled, or fails with ETIMEDOUT.
 */
#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <asm/apic.h>
#include <asm/nmi.h>
#include <trace/events/kmem.h>

#include "compat.h"

#define NMI_NAME "kma_nmi"

static DEFINE_PER_CPU(atomic_t, fire_asked);
static char fire_object[64];

static int fire_handler(unsigned int type, struct pt_regs *regs)
{
	if (!atomic_xchg(this_cpu_ptr(&fire_asked), 0))
		return NMI_DONE;
	known_trace_kmalloc(_THIS_IP_, fire_object, sizeof(fire_object),
			    sizeof(fire_object));
	trace_kfree(_THIS_IP_, fire_object);
	return NMI_HANDLED;
}

/* One at a time: NMIs that a CPU has not taken yet are one NMI to it. */
static int fire_send(int cpu)
{
	atomic_t *asked = per_cpu_ptr(&fire_asked, cpu);
	unsigned long end = jiffies + 10 * HZ;

	atomic_set(asked, 1);
	apic->send_IPI(cpu, NMI_VECTOR);
	while (atomic_read(asked)) {
		if (time_after(jiffies, end))
			return -ETIMEDOUT;
		cpu_relax();
	}
	return 0;
}

static ssize_t fire_write(struct file *file, const char __user *user, size_t len, loff_t *pos)
{
	unsigned int n;
	int cpu, err;

	err = kstrtouint_from_user(user, len, 0, &n);
	if (err)
		return err;
	cpus_read_lock();
	while (n-- && !err) {
		for_each_online_cpu(cpu) {
			err = fire_send(cpu);
			if (err)
				break;
		}
		cond_resched();
	}
	cpus_read_unlock();
	return err ?: len;
}

static const struct proc_ops fire_ops = {
	.proc_write = fire_write,
};

static int __init fire_init(void)
{
	int err;

	err = register_nmi_handler(NMI_LOCAL, fire_handler, 0, NMI_NAME);
	if (err)
		return err;
	if (proc_create(NMI_NAME, 0200, NULL, &fire_ops))
		return 0;
	unregister_nmi_handler(NMI_LOCAL, NMI_NAME);
	return -ENOMEM;
}

static void __exit fire_exit(void)
{
	remove_proc_entry(NMI_NAME, NULL);
	unregister_nmi_handler(NMI_LOCAL, NMI_NAME);
}

module_init(fire_init);
module_exit(fire_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Events of the allocator that come from NMIs");
