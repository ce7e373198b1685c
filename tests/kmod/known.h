/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * known.h - what the modules of known answers share: commands, one word each, that
 * are written to a file in /proc, and caches of their own.
 *
 * For one source file of a module: the lock is static.
 *
 * Locking: known_lock is held while a command runs, so that there is one at a
 * time; commands may sleep.
 */
#ifndef KMA_KNOWN_H
#define KMA_KNOWN_H

#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

/*
 * With PREEMPT_RT the allocators' locks sleep. No object may be allocated or freed with
 * interrupts off, so what is an interrupt elsewhere is a thread there: a timer's softirq, or
 * a worker. The numbers of objects are the same.
 */
#define KNOWN_RT		IS_ENABLED(CONFIG_PREEMPT_RT)
#define KNOWN_TIMER		(KNOWN_RT ? HRTIMER_MODE_REL_SOFT : HRTIMER_MODE_REL_HARD)
#define KNOWN_TIMER_PINNED	(KNOWN_RT ? HRTIMER_MODE_REL_PINNED_SOFT : \
				 HRTIMER_MODE_REL_PINNED_HARD)

/**
 * struct known_command - a word, and what it has done
 * @word: at most 14 letters
 * @run: called in the context of the writer
 */
struct known_command {
	const char *word;
	void (*run)(void);
};

static DEFINE_MUTEX(known_lock);

/**
 * known_run() - run the command that user space has written
 * @commands: the known ones
 * @n: their number
 * @user: a word, maybe with a newline
 * @len: its bytes
 *
 * Return: @len, or -EINVAL for what is no command.
 */
static ssize_t known_run(const struct known_command *commands, size_t n,
			 const char __user *user, size_t len)
{
	char word[16] = {};
	size_t i;

	if (len >= sizeof(word) || copy_from_user(word, user, len))
		return -EINVAL;
	for (i = 0; i < n; i++) {
		if (!sysfs_streq(word, commands[i].word))
			continue;
		mutex_lock(&known_lock);
		commands[i].run();
		mutex_unlock(&known_lock);
		return len;
	}
	return -EINVAL;
}

/* NAME_write() and NAME_ops, for proc_create(), of the commands in NAME_commands. */
#define DEFINE_KNOWN_COMMANDS(name)					\
static ssize_t name##_write(struct file *file, const char __user *user,	\
			    size_t len, loff_t *pos)			\
{									\
	return known_run(name##_commands, ARRAY_SIZE(name##_commands),	\
			 user, len);					\
}									\
static const struct proc_ops name##_ops = {				\
	.proc_write = name##_write,					\
}

/* struct known_call - a call that known_on_cpu() makes on another CPU */
struct known_call {
	void (*run)(void *arg);
	void *arg;
};

static inline long known_call_run(void *data)
{
	const struct known_call *call = data;

	call->run(call->arg);
	return 0;
}

/**
 * known_on_cpu() - call a function on a CPU and wait until it has returned
 * @cpu: it is online, and stays so
 * @run: called with interrupts off, but with PREEMPT_RT by a worker
 * @arg: for @run
 */
static inline void known_on_cpu(int cpu, void (*run)(void *arg), void *arg)
{
	struct known_call call = { .run = run, .arg = arg };

	if (KNOWN_RT)
		work_on_cpu(cpu, known_call_run, &call);
	else
		smp_call_function_single(cpu, run, arg, 1);
}

static inline void known_ctor(void *object)
{
}

/**
 * known_cache_create() - a cache of objects of 200 bytes
 * @name: its name
 *
 * The constructor keeps it from being merged with another one.
 *
 * Return: the cache, or NULL.
 */
static inline struct kmem_cache *known_cache_create(const char *name)
{
	return kmem_cache_create(name, 200, 0, 0, known_ctor);
}

#endif /* KMA_KNOWN_H */
