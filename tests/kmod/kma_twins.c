// SPDX-License-Identifier: GPL-2.0-only
/*
 * kma_twins.c - shrinkers of one function that names alone tell apart. Each run sleeps, as often
 * as its shrinker is to run; what that took is in /proc/kma_twins, "NAME RUNS TOTAL_NS" a line.
 * They have no memory: who wants them to run writes 2 to drop_caches.
 *
 * Locking: the sums are under a spinlock, which is not held over the sleep.
 */
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/shrinker.h>
#include <linux/spinlock.h>

#define KMA_TWINS_BATCH 64

#ifdef KMA_SHRINKER_ALLOC

static struct kma_twin {
	const char *name;
	unsigned int left, sleep_us;
	struct shrinker *shrinker;
	u64 runs, total;
} kma_twins[] = {
	{ "kma-twin:one", 3, 4000 },
	{ "kma-twin:two", 5, 9000 },
	{ "kma-twin:idle", 0, 0 },
};

static DEFINE_SPINLOCK(kma_twins_lock);

static unsigned long kma_twins_count(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct kma_twin *twin = shrinker->private_data;

	/* Without seeks half of it is asked for: one scan a run. */
	return READ_ONCE(twin->left) ? 2 * KMA_TWINS_BATCH : SHRINK_EMPTY;
}

static unsigned long kma_twins_scan(struct shrinker *shrinker, struct shrink_control *sc)
{
	struct kma_twin *twin = shrinker->private_data;
	u64 began = ktime_get_ns();

	usleep_range(twin->sleep_us, twin->sleep_us + 10);
	spin_lock(&kma_twins_lock);
	twin->left -= !!twin->left;
	twin->runs++;
	twin->total += ktime_get_ns() - began;
	spin_unlock(&kma_twins_lock);
	sc->nr_scanned = sc->nr_to_scan;
	return 1;
}

static int kma_twins_show(struct seq_file *m, void *v)
{
	spin_lock(&kma_twins_lock);
	for (unsigned int i = 0; i < ARRAY_SIZE(kma_twins); i++)
		seq_printf(m, "%s %llu %llu\n", kma_twins[i].name, kma_twins[i].runs,
			   kma_twins[i].total);
	spin_unlock(&kma_twins_lock);
	return 0;
}

static void kma_twins_exit(void)
{
	remove_proc_entry("kma_twins", NULL);
	for (unsigned int i = 0; i < ARRAY_SIZE(kma_twins); i++)
		shrinker_free(kma_twins[i].shrinker);
}

static int __init kma_twins_init(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(kma_twins); i++) {
		struct kma_twin *twin = &kma_twins[i];

		twin->shrinker = shrinker_alloc(0, "%s", twin->name);
		if (!twin->shrinker)
			goto fail;
		twin->shrinker->count_objects = kma_twins_count;
		twin->shrinker->scan_objects = kma_twins_scan;
		twin->shrinker->batch = KMA_TWINS_BATCH;
		twin->shrinker->seeks = 0;
		twin->shrinker->private_data = twin;
		shrinker_register(twin->shrinker);
	}
	if (proc_create_single("kma_twins", 0400, NULL, kma_twins_show))
		return 0;
fail:
	kma_twins_exit();
	return -ENOMEM;
}

#else /* before v6.7 */

static int __init kma_twins_init(void)
{
	return -EOPNOTSUPP;
}

static void kma_twins_exit(void)
{
}

#endif

module_init(kma_twins_init);
module_exit(kma_twins_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("shrinkers of one function that names alone tell apart");
