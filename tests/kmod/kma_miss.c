// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_miss.c - frees that no kprobe sees.
 *
 *	echo N > /proc/kma_miss		N times two objects, freed by one call
 *
 * The kernel runs no kprobe within the handler of another one: it skips it, and counts
 * that. So the objects are freed in bulk by the handler of a kretprobe on a function of
 * our own: a call that has a kprobe alone to tell of it.
 */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#define MISS_NAME	"kma_miss"
#define MISS_OBJECTS	2

static void *miss_objects[MISS_OBJECTS];
static unsigned int miss_calls;

noinline __noclone void *miss_one(void);
noinline __noclone bool miss_allocate(void);

/* One call site for all. */
noinline __noclone void *miss_one(void)
{
	void *object = kmalloc(100, GFP_KERNEL);

	barrier();
	return object;
}

noinline __noclone bool miss_allocate(void)
{
	int i;

	for (i = 0; i < MISS_OBJECTS; i++) {
		miss_objects[i] = miss_one();
		if (!miss_objects[i]) {
			while (i--)
				kfree(miss_objects[i]);
			return false;
		}
	}
	/* its return is what the kretprobe is for */
	barrier();
	return true;
}

static int miss_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	if (!regs_return_value(regs))
		return 0;
	kfree_bulk(MISS_OBJECTS, miss_objects);
	miss_calls++;
	return 0;
}

static struct kretprobe miss_probe = {
	.kp.symbol_name = "miss_allocate",
	.handler = miss_return,
};

/* Fails if a call was not made: what is missed then is not what is expected. */
static ssize_t miss_write(struct file *file, const char __user *user, size_t len, loff_t *pos)
{
	unsigned int n, before = miss_calls;
	int err;

	err = kstrtouint_from_user(user, len, 0, &n);
	if (err)
		return err;
	before += n;
	while (n--)
		if (!miss_allocate())
			return -ENOMEM;
	return miss_calls == before ? len : -EIO;
}

static const struct proc_ops miss_ops = {
	.proc_write = miss_write,
};

static int __init miss_init(void)
{
	int err;

	err = register_kretprobe(&miss_probe);
	if (err)
		return err;
	if (proc_create(MISS_NAME, 0200, NULL, &miss_ops))
		return 0;
	unregister_kretprobe(&miss_probe);
	return -ENOMEM;
}

static void __exit miss_exit(void)
{
	remove_proc_entry(MISS_NAME, NULL);
	unregister_kretprobe(&miss_probe);
}

module_init(miss_init);
module_exit(miss_exit);

MODULE_LICENSE("GPL");
MODULE_AUTHOR("The kmem-account developers");
MODULE_DESCRIPTION("Frees that no kprobe sees");
