// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_shrink.c - pressure, and a shrinker whose time is known. The module fills memory with
 * pages that its shrinker gives back, and then allocates blocks of order 4, which have to
 * wait for reclaim. Each run of the shrinker sleeps; what that took is in
 * /proc/kma_shrink: "RUNS TOTAL_NS MAX_NS WAITED_NS WAITED_MAX_NS", and only there. The last
 * two are of the same runs from the kernel's event of the begin to that of the end, by this
 * module's own probes: before and behind the shrinker the task may lose the CPU
 * (cond_resched()).
 *
 * A write of N to the file does such allocations, each after memory was filled anew, until N
 * of them have waited: others may give back pages just then. The second line is theirs,
 * "RUNS TOTAL_NS MAX_NS ALLOC_NS ALLOC_MAX_NS": the shrinker's runs in the task that writes,
 * and how long its allocations took as a whole. What they waited for reclaim lies between the
 * two.
 *
 * Locking: the list of pages is under a spinlock, which is not held over the sleep; the
 * sums are under another.
 */
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/shrinker.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>

#define KMA_SHRINK_BATCH 256
#define KMA_SHRINK_ORDER 4
#define KMA_SHRINK_TRIES 100
#define KMA_SHRINK_TASKS 16
#define KMA_FILL_ORDER	 2 /* of what it fills memory with */

static unsigned int sleep_us = 3000;
module_param(sleep_us, uint, 0400);

static LIST_HEAD(kma_pages);
static unsigned long kma_nr_pages;
static DEFINE_SPINLOCK(kma_pages_lock);

struct kma_sum {
	u64 runs, total, max;
};

static struct kma_sum kma_all, kma_waited, kma_direct, kma_allocs;
static struct task_struct *kma_writer;
static DEFINE_SPINLOCK(kma_sums_lock);

static void kma_add(struct kma_sum *sum, u64 took)
{
	sum->runs++;
	sum->total += took;
	sum->max = max(sum->max, took);
}

/* When the kernel began with the shrinker; more tasks than that do not shrink at once. */
static struct {
	struct task_struct *task;
	u64 at;
} kma_begun[KMA_SHRINK_TASKS];

static void kma_begin(u64 now)
{
	size_t i, slot = ARRAY_SIZE(kma_begun);

	spin_lock(&kma_sums_lock);
	for (i = 0; i < ARRAY_SIZE(kma_begun); i++) {
		if (kma_begun[i].task == current) {
			slot = i;
			break;
		}
		if (!kma_begun[i].task)
			slot = i;
	}
	if (slot < ARRAY_SIZE(kma_begun)) {
		kma_begun[slot].task = current;
		kma_begun[slot].at = now;
	}
	spin_unlock(&kma_sums_lock);
}

static void kma_end(u64 now)
{
	size_t i;

	spin_lock(&kma_sums_lock);
	for (i = 0; i < ARRAY_SIZE(kma_begun); i++) {
		if (kma_begun[i].task != current)
			continue;
		kma_begun[i].task = NULL;
		kma_add(&kma_waited, now - kma_begun[i].at);
		break;
	}
	spin_unlock(&kma_sums_lock);
}

static unsigned long kma_shrink_count(struct shrinker *shrinker, struct shrink_control *sc)
{
	/* Without seeks half of it is asked for: one scan a run. */
	return READ_ONCE(kma_nr_pages) ? 2 * KMA_SHRINK_BATCH : SHRINK_EMPTY;
}

static unsigned long kma_free_pages(unsigned long nr)
{
	unsigned long freed = 0;
	struct page *page;

	while (freed < nr) {
		spin_lock(&kma_pages_lock);
		page = list_first_entry_or_null(&kma_pages, struct page, lru);
		if (page) {
			list_del(&page->lru);
			kma_nr_pages--;
		}
		spin_unlock(&kma_pages_lock);
		if (!page)
			break;
		__free_pages(page, KMA_FILL_ORDER);
		freed++;
	}
	return freed;
}

/* All that it does is inside of what it measures. */
static unsigned long kma_shrink_scan(struct shrinker *shrinker, struct shrink_control *sc)
{
	u64 began = ktime_get_ns(), now;
	unsigned long freed;

	usleep_range(sleep_us, sleep_us + 10);
	freed = kma_free_pages(sc->nr_to_scan);
	sc->nr_scanned = sc->nr_to_scan;
	now = ktime_get_ns();
	spin_lock(&kma_sums_lock);
	kma_add(&kma_all, now - began);
	if (kma_writer == current)
		kma_add(&kma_direct, now - began);
	spin_unlock(&kma_sums_lock);
	return freed ?: SHRINK_STOP;
}

#ifdef KMA_SHRINKER_ALLOC
static struct shrinker *kma_shrinker;

static int kma_shrinker_begin(void)
{
	kma_shrinker = shrinker_alloc(0, "kma-shrink");
	if (!kma_shrinker)
		return -ENOMEM;
	kma_shrinker->count_objects = kma_shrink_count;
	kma_shrinker->scan_objects = kma_shrink_scan;
	kma_shrinker->batch = KMA_SHRINK_BATCH;
	kma_shrinker->seeks = 0;
	shrinker_register(kma_shrinker);
	return 0;
}

static void kma_shrinker_end(void)
{
	shrinker_free(kma_shrinker);
}
#else
static struct shrinker kma_shrinker = {
	.count_objects = kma_shrink_count,
	.scan_objects = kma_shrink_scan,
	.batch = KMA_SHRINK_BATCH,
	.seeks = 0,
};

static int kma_shrinker_begin(void)
{
#ifdef KMA_SHRINKER_NAMES
	return register_shrinker(&kma_shrinker, "kma-shrink");
#else
	return register_shrinker(&kma_shrinker);
#endif
}

static void kma_shrinker_end(void)
{
	unregister_shrinker(&kma_shrinker);
}
#endif

static bool kma_is_ours(const struct shrinker *shrinker)
{
#ifdef KMA_SHRINKER_ALLOC
	return shrinker == kma_shrinker;
#else
	return shrinker == &kma_shrinker;
#endif
}

/* The events have more arguments, which differ from kernel to kernel. */
static void kma_probe_start(void *data, struct shrinker *shrinker)
{
	if (kma_is_ours(shrinker))
		kma_begin(ktime_get_ns());
}

static void kma_probe_end(void *data, struct shrinker *shrinker)
{
	if (kma_is_ours(shrinker))
		kma_end(ktime_get_ns());
}

static struct kma_probe {
	const char *event;
	void *probe;
	struct tracepoint *tp;
} kma_probes[] = {
	{ "mm_shrink_slab_end", kma_probe_end },
	{ "mm_shrink_slab_start", kma_probe_start },
};

static void kma_find_event(struct tracepoint *tp, void *data)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kma_probes); i++)
		if (!strcmp(tp->name, kma_probes[i].event))
			kma_probes[i].tp = tp;
}

static void kma_probes_end(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kma_probes); i++)
		if (kma_probes[i].tp)
			tracepoint_probe_unregister(kma_probes[i].tp, kma_probes[i].probe, NULL);
	tracepoint_synchronize_unregister();
}

static int kma_probes_begin(void)
{
	size_t i;
	int ret;

	for_each_kernel_tracepoint(kma_find_event, NULL);
	for (i = 0; i < ARRAY_SIZE(kma_probes); i++) {
		ret = kma_probes[i].tp ? tracepoint_probe_register(kma_probes[i].tp,
								   kma_probes[i].probe, NULL) :
					 -ENOENT;
		if (ret) {
			kma_probes[i].tp = NULL;
			kma_probes_end();
			return ret;
		}
	}
	return 0;
}

/* Until there is no more without reclaim; kswapd is not told. */
static void kma_fill(void)
{
	struct page *page;

	while ((page = alloc_pages(__GFP_NOWARN, KMA_FILL_ORDER))) {
		spin_lock(&kma_pages_lock);
		list_add(&page->lru, &kma_pages);
		kma_nr_pages++;
		spin_unlock(&kma_pages_lock);
		cond_resched();
	}
}

static void kma_set_writer(struct task_struct *task)
{
	spin_lock(&kma_sums_lock);
	kma_writer = task;
	spin_unlock(&kma_sums_lock);
}

static ssize_t kma_shrink_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	unsigned int nr, tries;
	int ret = kstrtouint_from_user(buf, len, 0, &nr);

	if (ret)
		return ret;
	kma_set_writer(current);
	for (tries = 0; nr && tries < KMA_SHRINK_TRIES; tries++) {
		u64 began, runs = kma_direct.runs; /* this task adds to it */
		struct page *block;

		kma_fill();
		began = ktime_get_ns();
		block = alloc_pages(GFP_KERNEL | __GFP_NOWARN, KMA_SHRINK_ORDER);
		kma_add(&kma_allocs, ktime_get_ns() - began);
		if (block)
			__free_pages(block, KMA_SHRINK_ORDER);
		kma_free_pages(KMA_SHRINK_BATCH);
		nr -= kma_direct.runs != runs;
	}
	kma_set_writer(NULL);
	kma_free_pages(ULONG_MAX);
	return nr ? -EAGAIN : len;
}

static ssize_t kma_shrink_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	char text[200];
	int n;

	spin_lock(&kma_sums_lock);
	n = scnprintf(text, sizeof(text), "%llu %llu %llu %llu %llu\n%llu %llu %llu %llu %llu\n",
		      kma_all.runs, kma_all.total, kma_all.max, kma_waited.total, kma_waited.max,
		      kma_direct.runs, kma_direct.total, kma_direct.max, kma_allocs.total,
		      kma_allocs.max);
	spin_unlock(&kma_sums_lock);
	return simple_read_from_buffer(buf, len, pos, text, n);
}

static const struct proc_ops kma_shrink_ops = {
	.proc_read = kma_shrink_read,
	.proc_write = kma_shrink_write,
};

static int __init kma_shrink_init(void)
{
	int ret = kma_probes_begin();

	if (ret)
		return ret;
	ret = kma_shrinker_begin();
	if (!ret && !proc_create("kma_shrink", 0600, NULL, &kma_shrink_ops)) {
		kma_shrinker_end();
		ret = -ENOMEM;
	}
	if (ret)
		kma_probes_end();
	return ret;
}

static void __exit kma_shrink_exit(void)
{
	remove_proc_entry("kma_shrink", NULL);
	kma_probes_end();
	kma_shrinker_end();
	kma_free_pages(ULONG_MAX);
}

module_init(kma_shrink_init);
module_exit(kma_shrink_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("pressure, and a shrinker whose time is known");
