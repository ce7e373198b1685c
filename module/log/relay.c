// SPDX-License-Identifier: GPL-2.0-only
/*
 * relay.c - the buffers and files of the event log, by relay channels.
 *
 * The design and the locking are in relay.h.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "account/budget.h"
#include "compat/relay.h"
#include "guard/access.h"
#include "log/clock.h"
#include "log/header.h"
#include "log/relay.h"
#include "log/relay_event.h"

#define KMA_SUBBUFS_MIN		2u
#define KMA_SUBBUFS_MAX		4096u
#define KMA_SUBBUF_SIZE_MAX	(64u << 20)
#define KMA_CPU_FILE		"cpu"

/* By default 4 MiB for each CPU that is online. */
unsigned int kma_relay_subbufs = 16;
unsigned int kma_relay_subbuf_size = 256 << 10;

static struct {
	const struct kma_log_sources *sources;
	struct rchan *chan;
	struct dentry *dir;
	struct debugfs_blob_wrapper header;
	size_t bytes;		/* that are taken from the budget */
	size_t cpu_bytes;	/* of them, a CPU's */
	unsigned int cpus;	/* that have buffers */
	enum kma_log_clock clock;
	struct kma_log_bound first, last;	/* START and END of all streams */
	unsigned long stext;
	unsigned long missed;
	bool running;		/* from before the gate opens until all ENDs are due */
} kma_relay;

/* Check whether a reader can read a sub-buffer: one that is complete and not consumed. */
static bool kma_relay_has(const struct kma_stream *s, const struct rchan_buf *buf)
{
	/* Pairs with the smp_store_release() in kma_relay_switch(). */
	return smp_load_acquire(&s->ready) != READ_ONCE(buf->subbufs_consumed);
}

/* End a sub-buffer and start the next one; false if the next one is not read yet. */
static bool kma_relay_switch(struct kma_stream *s, struct rchan_buf *buf)
{
	bool room;

	if (s->at)
		buf->offset = s->at - (char *)buf->data;
	room = relay_switch_subbuf(buf, 1);
	/* Pairs with the smp_load_acquire() in kma_relay_has(). */
	smp_store_release(&s->ready, buf->subbufs_produced);
	/*
	 * Readers that slept before @ready are seen here; later ones see @ready. Pairs
	 * with what orders poll_wait() before kma_relay_has() in kma_relay_poll().
	 */
	smp_mb();
	/* waitqueue_active() must come after the barrier */
	if (waitqueue_active(&buf->read_wait))
		irq_work_queue(&buf->wakeup_work);
	return room;
}

static bool kma_relay_refill(struct kma_stream *s, u64 now)
{
	struct rchan *chan = kma_relay.chan;
	struct rchan_buf *buf = chan ? *per_cpu_ptr(chan->buf, s->cpu) : NULL;

	if (unlikely(!buf))
		return false;
	/* not for the first sub-buffer, which relay has started already */
	if ((s->at || buf->offset) && !kma_relay_switch(s, buf)) {
		s->at = NULL;
		s->end = NULL;
		return false;
	}
	kma_stream_begin(s, buf->data, chan->subbuf_size, now);
	return true;
}

/* Called by relay before it starts a sub-buffer. */
static int kma_relay_subbuf_start(KMA_RELAY_START_ARGS)
{
	return !before || !relay_buf_full(buf);
}

static void kma_relay_end(struct kma_stream *s)
{
	const struct rchan_buf *buf;

	if (!s->at)
		return;
	buf = *per_cpu_ptr(kma_relay.chan->buf, s->cpu);
	if (!kma_stream_empty(s, buf->data))
		kma_relay_refill(s, kma_clock_now());
}

static void kma_relay_end_own(void *unused)
{
	kma_relay_end(this_cpu_ptr(&kma_streams));
}

/* After the end of the log: check whether LOST or END records still need space. */
static bool kma_relay_owes(const struct kma_stream *s)
{
	/* Pairs with the smp_store_release() in kma_relay_seal(). */
	return !smp_load_acquire(&kma_relay.running) && !s->ended;
}

static void kma_relay_seal_stream(struct kma_stream *s)
{
	if (kma_record_end(s, &kma_relay.last, kma_clock_now()))
		kma_relay_end(s);
}

/* The reader has read all, so there is space now: write the LOST and END records. */
static void kma_relay_epilogue(struct kma_stream *s)
{
	if (kma_relay_owes(s))
		kma_relay_seal_stream(s);
}

/* Copy from the oldest complete sub-buffer; 0 if there is none. */
static ssize_t kma_relay_copy(struct rchan_buf *buf, struct kma_stream *s,
			      char __user *user, size_t count)
{
	struct rchan *chan = buf->chan;
	size_t nr, left;

	if (!kma_relay_has(s, buf))
		kma_relay_epilogue(s);
	if (!kma_relay_has(s, buf))
		return 0;
	nr = buf->subbufs_consumed % chan->n_subbufs;
	left = chan->subbuf_size - buf->padding[nr] - buf->bytes_consumed;
	count = min(count, left);
	if (copy_to_user(user, buf->start + nr * chan->subbuf_size + buf->bytes_consumed, count))
		return -EFAULT;
	buf->bytes_consumed += count;
	if (count == left) {
		buf->bytes_consumed = 0;
		/*
		 * The copy must end before the sub-buffer is written again: pairs with the control
		 * dependency on relay_buf_full() in kma_relay_subbuf_start().
		 */
		smp_mb();
		relay_subbufs_consumed(chan, buf->cpu, 1);
	}
	return count;
}

static ssize_t kma_relay_read(struct file *file, char __user *user, size_t count, loff_t *pos)
{
	struct rchan_buf *buf = file->private_data;
	struct kma_stream *s = per_cpu_ptr(&kma_streams, buf->cpu);
	ssize_t done = 0, n;

	inode_lock(file_inode(file));
	do {
		n = kma_relay_copy(buf, s, user + done, count - done);
		if (n > 0)
			done += n;
		cond_resched();
	} while (n > 0 && done < count);
	inode_unlock(file_inode(file));
	return done ?: n;
}

static __poll_t kma_relay_poll(struct file *file, poll_table *wait)
{
	struct rchan_buf *buf = file->private_data;
	const struct kma_stream *s = per_cpu_ptr(&kma_streams, buf->cpu);

	poll_wait(file, &buf->read_wait, wait);
	if (kma_relay_has(s, buf))
		return EPOLLIN | EPOLLRDNORM;
	if (READ_ONCE(kma_relay.running))
		return 0;
	return kma_relay_owes(s) ? EPOLLIN | EPOLLRDNORM : EPOLLHUP;
}

/* Relay counts the open files of a buffer. */
static int kma_relay_file_open(struct inode *inode, struct file *file)
{
	return kma_access_log() ?: relay_file_operations.open(inode, file);
}

static int kma_relay_file_release(struct inode *inode, struct file *file)
{
	return relay_file_operations.release(inode, file);
}

static const struct file_operations kma_relay_fops = {
	.owner = THIS_MODULE,
	.open = kma_relay_file_open,
	.read = kma_relay_read,
	.poll = kma_relay_poll,
	.release = kma_relay_file_release,
};

/* Relay serialises these calls, also for a CPU that comes online later. */
static struct dentry *kma_relay_create_file(const char *name, struct dentry *parent, umode_t mode,
					    struct rchan_buf *buf, int *is_global)
{
	/* relay sets this later, but the file may be opened as soon as it exists */
	if (kstrtouint(name + strlen(KMA_CPU_FILE), 10, &buf->cpu))
		return NULL;
	/* an error would keep a CPU that comes online offline */
	if (++kma_relay.cpus * kma_relay.cpu_bytes > kma_relay.bytes) {
		kma_budget_add(kma_relay.cpu_bytes);
		WRITE_ONCE(kma_relay.bytes, kma_relay.bytes + kma_relay.cpu_bytes);
	}
	return debugfs_create_file(name, 0400, parent, buf, &kma_relay_fops);
}

static int kma_relay_remove_file(struct dentry *dentry)
{
	debugfs_remove(dentry);
	return 0;
}

static KMA_RELAY_CB_CONST struct rchan_callbacks kma_relay_callbacks = {
	.subbuf_start = kma_relay_subbuf_start,
	.create_buf_file = kma_relay_create_file,
	.remove_buf_file = kma_relay_remove_file,
};

/* On a 32-bit CPU the counts have two halves, so their CPU copies them, with irqs off. */
static void kma_overruns_copy(void *copy)
{
	memcpy(copy, this_cpu_ptr(&kma_streams), sizeof(struct kma_stream));
}

static int kma_overruns_show(struct seq_file *m, void *v)
{
	struct kma_stream copy;
	int cpu;

	seq_puts(m, "kmem_account overruns 1\n# cpu\trecords\tlost\tnmi\n");
	for_each_possible_cpu(cpu) {
		const struct kma_stream *s = per_cpu_ptr(&kma_streams, cpu);

		if (!IS_ENABLED(CONFIG_64BIT) &&
		    !smp_call_function_single(cpu, kma_overruns_copy, &copy, true))
			s = &copy;
		seq_printf(m, "%d\t%llu\t%llu\t%llu\n", cpu, READ_ONCE(s->seq),
			   READ_ONCE(s->lost), READ_ONCE(s->nmi));
	}
	return 0;
}

static int kma_overruns_open(struct file *file, const struct kma_access_file *f)
{
	return single_open(file, kma_overruns_show, NULL);
}

static struct kma_access_file kma_overruns = { kma_overruns_open, single_release };

/* debugfs_remove() waits for calls in progress, so it comes before the header is freed. */
static int kma_header_show(struct seq_file *m, void *v)
{
	seq_write(m, kma_relay.header.data, kma_relay.header.size);
	return 0;
}

static int kma_header_open(struct file *file, const struct kma_access_file *f)
{
	return kma_access_log() ?: single_open(file, kma_header_show, NULL);
}

static struct kma_access_file kma_header_file = { kma_header_open, single_release };

/* Check the current values of the parameters. */
struct kma_relay_sizes {
	unsigned int subbufs;
	unsigned int size;
};

static int kma_relay_check(struct kma_relay_sizes *sizes)
{
	unsigned int subbufs = READ_ONCE(kma_relay_subbufs);
	unsigned int size = READ_ONCE(kma_relay_subbuf_size);

	if (subbufs < KMA_SUBBUFS_MIN || subbufs > KMA_SUBBUFS_MAX) {
		pr_err("subbufs=%u: out of range (%u to %u)\n", subbufs,
		       KMA_SUBBUFS_MIN, KMA_SUBBUFS_MAX);
		return -EINVAL;
	}
	if (size < PAGE_SIZE || size > KMA_SUBBUF_SIZE_MAX) {
		pr_err("subbuf_size=%u: out of range (%lu to %u bytes)\n", size,
		       PAGE_SIZE, KMA_SUBBUF_SIZE_MAX);
		return -EINVAL;
	}
	if ((u64)subbufs * PAGE_ALIGN(size) * num_online_cpus() >
	    (u64)totalram_pages() << (PAGE_SHIFT - 1)) {
		pr_err("event log: the buffers would take more than half of the memory; reduce subbufs or subbuf_size\n");
		return -ENOMEM;
	}
	*sizes = (struct kma_relay_sizes){ subbufs, PAGE_ALIGN(size) };
	return 0;
}

static void kma_streams_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct kma_stream *s = per_cpu_ptr(&kma_streams, cpu);

		*s = (struct kma_stream){
			.cpu = cpu, .refill = kma_relay_refill,
			.first = &kma_relay.first,
		};
	}
}

static int kma_channel_open(struct dentry *parent, const struct kma_relay_sizes *sizes)
{
	size_t bytes;

	kma_relay.cpu_bytes = (size_t)sizes->size * sizes->subbufs;
	kma_relay.cpus = 0;
	kma_relay.dir = debugfs_create_dir("trace", parent);
	if (IS_ERR(kma_relay.dir)) {
		kma_relay.dir = NULL;
		return -ENODEV;
	}
	d_inode(kma_relay.dir)->i_mode = S_IFDIR | 0500;
	bytes = kma_relay.cpu_bytes * num_online_cpus();
	if (!kma_budget_take(bytes))
		return -ENOMEM;
	kma_relay.bytes = bytes;
	kma_relay.chan = relay_open(KMA_CPU_FILE, kma_relay.dir, sizes->size,
				    sizes->subbufs, &kma_relay_callbacks, NULL);
	if (!kma_relay.chan)
		return -ENOMEM;
	return 0;
}

int kma_relay_start(struct dentry *parent, const struct kma_log_sources *sources)
{
	struct kma_relay_sizes sizes;
	int err;

	if (!parent) {
		pr_err("event log: debugfs is not available, and the log is read from there\n");
		return -ENODEV;
	}
	err = kma_relay_check(&sizes) ?: kma_clock_pick(&kma_relay.clock);
	if (err)
		return err;
	kma_relay_free();
	kma_streams_reset();
	kma_relay.sources = sources;
	err = kma_channel_open(parent, &sizes);
	if (err) {
		pr_err("event log: cannot create the buffers (error %d)\n", err);
		kma_relay_free();
		return err;
	}
	static_branch_enable(&kma_relay_key);
	return 0;
}

/* The times of START are taken before the gate opens, so no event is earlier. */
static int kma_relay_begin(void)
{
	int err = kma_header_create(&kma_relay.header, kma_relay.clock);

	if (err)
		return err;
	kma_relay.stext = ((struct kma_log_header *)kma_relay.header.data)->stext;
	kma_relay.first = (struct kma_log_bound){ 0 };
	kma_relay.missed = 0;
	return 0;
}

/*
 * Wait for calls that began before their probes were attached. @wait of the sources waits for
 * those of tracepoints and kprobes. A call of an allocating function with a kretprobe ends
 * before its task is scheduled next, unless the call waits.
 */
static void kma_relay_quiesce(void)
{
	kma_relay.sources->wait();
	synchronize_rcu_tasks();
}

static void kma_relay_files(void)
{
	debugfs_create_file("overruns", 0400, kma_relay.dir, &kma_overruns,
			    &kma_access_fops);
	debugfs_create_file("header", 0400, kma_relay.dir, &kma_header_file,
			    &kma_access_fops);
}

int kma_relay_open(void)
{
	int err = kma_relay_begin();

	if (!err) {
		kma_relay_quiesce();
		/* calls that were skipped until now do not belong to the log */
		kma_relay.sources->settle();
		WRITE_ONCE(kma_relay.running, true);
		kma_clock_stamp(&kma_relay.first);
		/* Pairs with the smp_load_acquire() in kma_relay_base() (relay_event.c). */
		smp_store_release(&kma_relay_text, kma_relay.stext);
		err = kma_header_complete(&kma_relay.header);
	}
	if (err) {
		pr_err("event log: cannot create the header (error %d)\n", err);
		kma_relay_shut();
		WRITE_ONCE(kma_relay.running, false);
		return err;
	}
	kma_relay_files();
	return 0;
}

/* An event keeps interrupts off from before it reads the gate until its record is written. */
void kma_relay_shut(void)
{
	WRITE_ONCE(kma_relay_text, KMA_RELAY_CLOSED);
	kma_relay.sources->wait();
	kma_relay.sources->settle();
	kma_relay.last = (struct kma_log_bound){ 0 };
	kma_clock_stamp(&kma_relay.last);
}

static void kma_relay_seal_own(void *unused)
{
	struct kma_stream *s = this_cpu_ptr(&kma_streams);

	if (*this_cpu_ptr(kma_relay.chan->buf))
		kma_relay_seal_stream(s);
}

/* Each CPU by its own clock; a CPU that is offline has no other. */
static void kma_relay_seal_all(void)
{
	int cpu;

	on_each_cpu(kma_relay_seal_own, NULL, true);
	for_each_possible_cpu(cpu)
		if (!cpu_online(cpu) && *per_cpu_ptr(kma_relay.chan->buf, cpu))
			kma_relay_seal_stream(per_cpu_ptr(&kma_streams, cpu));
}

void kma_relay_seal(void)
{
	int cpu;

	kma_relay.last.missed = kma_relay.missed;
	/* no CPU may get a buffer while the ENDs are written */
	cpus_read_lock();
	for_each_possible_cpu(cpu)
		kma_relay.last.streams += !!*per_cpu_ptr(kma_relay.chan->buf, cpu);
	kma_relay_seal_all();
	/* Pairs with the smp_load_acquire() in kma_relay_owes(). */
	smp_store_release(&kma_relay.running, false);
	cpus_read_unlock();
	for_each_possible_cpu(cpu) {
		struct rchan_buf *buf = *per_cpu_ptr(kma_relay.chan->buf, cpu);

		if (buf)
			wake_up_interruptible(&buf->read_wait);
	}
}

/* Hooks and notifiers that saw the key on have interrupts off, or find the gate closed. */
void kma_relay_stop(void)
{
	static_branch_disable(&kma_relay_key);
	kma_relay.sources->wait();
}

void kma_relay_flush(void)
{
	int cpu;

	/* a CPU that is offline does not write */
	cpus_read_lock();
	on_each_cpu(kma_relay_end_own, NULL, true);
	for_each_possible_cpu(cpu)
		if (!cpu_online(cpu))
			kma_relay_end(per_cpu_ptr(&kma_streams, cpu));
	cpus_read_unlock();
}

void kma_relay_free(void)
{
	if (kma_relay.chan)
		relay_close(kma_relay.chan);
	kma_relay.chan = NULL;
	debugfs_remove(kma_relay.dir);
	kma_relay.dir = NULL;
	kma_header_destroy(&kma_relay.header);
	kma_budget_give(kma_relay.bytes);
	kma_relay.bytes = 0;
}

size_t kma_relay_memory(void)
{
	return READ_ONCE(kma_relay.bytes);
}

void kma_relay_missed(unsigned long n)
{
	if (kma_relay.running)
		WRITE_ONCE(kma_relay.missed, kma_relay.missed + n);
}

unsigned long kma_relay_missed_calls(void)
{
	return READ_ONCE(kma_relay.missed);
}
