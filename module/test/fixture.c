// SPDX-License-Identifier: GPL-2.0-only
/*
 * fixture.c - common functions of the KUnit tests of kmem_account.
 *
 * Files are read through the VFS, from private mounts: at boot, when
 * the tests run, no file system is mounted yet.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mount.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "account/live.h"
#include "account/sum.h"
#include "control.h"
#include "fixture.h"
#include "watch/dispatch.h"

#if !defined(KMA_KUNIT_SHIM) && defined(KMA_KUNIT_NO_ACTION)
/* KUnit has deferred actions since v6.5. */
struct kma_test_deferred {
	struct kunit_resource res;
	void (*fn)(void *arg);
	void *arg;
};

static void kma_test_deferred_run(struct kunit_resource *res)
{
	const struct kma_test_deferred *d = res->data;

	d->fn(d->arg);
}

void kma_test_defer(struct kunit *test, void (*fn)(void *arg), void *arg)
{
	struct kma_test_deferred *d = kunit_kzalloc(test, sizeof(*d),
						    GFP_KERNEL);

	if (!d)
		fn(arg);
	KUNIT_ASSERT_NOT_NULL(test, d);
	d->fn = fn;
	d->arg = arg;
	KUNIT_ASSERT_EQ(test, 0, kunit_add_resource(test, NULL,
						    kma_test_deferred_run,
						    &d->res, d));
}
#else
void kma_test_defer(struct kunit *test, void (*fn)(void *arg), void *arg)
{
	KUNIT_ASSERT_EQ(test, 0, kunit_add_action_or_reset(test, fn, arg));
}
#endif

static void kma_test_gate_close(void *unused)
{
	kma_live_close();
}

void kma_test_gate(struct kunit *test)
{
	kma_account_reset();
	kma_test_defer(test, kma_test_gate_close, NULL);
	kma_live_open();
}

void kma_test_on(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, 0, kma_control_command("on"));
}

void kma_test_alloc(unsigned long site, unsigned long ptr, size_t req,
		    size_t bytes)
{
	kma_account_alloc(site, (void *)ptr, req, bytes, KMA_KIND_PAGE);
}

bool kma_test_free(unsigned long ptr)
{
	const struct kma_event e = { .ptr = (void *)ptr, .quiet = true };
	unsigned long flags;
	bool found;

	local_irq_save(flags);
	found = kma_dispatch_free_as(&e);
	local_irq_restore(flags);
	return found;
}

void kma_test_neighbours(unsigned long *objects, unsigned int nr)
{
	unsigned int n;

	for (n = 0; n < nr; n++)
		objects[n] = PAGE_OFFSET + SZ_16M + n * 256ul;
}

unsigned int kma_test_site_of(struct kunit *test, unsigned long site)
{
	unsigned int nr = kma_site_nr(), found = KMA_SITE_NONE, n = 0, id;

	for (id = KMA_SITE_OTHER + 1; id < nr; id++) {
		if (kma_sites.sites[id].call_site != site)
			continue;
		found = id;
		n++;
	}
	KUNIT_ASSERT_EQ(test, n, 1u);
	return found;
}

struct kma_site_count kma_test_count(struct kunit *test, unsigned int id)
{
	struct kma_site_count *sums;

	KUNIT_ASSERT_LT(test, id, kma_site_nr());
	sums = kunit_kcalloc(test, id + 1, sizeof(*sums), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, sums);
	kma_site_fold(id + 1, sums);
	return sums[id];
}

u64 kma_test_drops(void)
{
	const struct kma_totals totals = kma_account_totals();
	u64 sum = 0;
	int i;

	for (i = 0; i < KMA_NR_DROPS; i++)
		sum += totals.drops[i];
	return sum;
}

static void kma_test_unmount(void *mnt)
{
	kern_unmount(mnt);
}

struct kma_test_closing {
	struct work_struct work;
	struct file *file;
};

static void kma_test_close_now(struct work_struct *work)
{
	__fput_sync(container_of(work, struct kma_test_closing, work)->file);
}

/*
 * Close a file in a kernel worker. fput() is deferred, so the file system would be unmounted
 * first. Only a kernel thread may close a file at once, and the cleanup after a failed assertion
 * may run in another task: up to v6.5 in init.
 */
static void kma_test_close(void *file)
{
	struct kma_test_closing closing = { .file = file };

	INIT_WORK_ONSTACK(&closing.work, kma_test_close_now);
	schedule_work(&closing.work);
	flush_work(&closing.work);
	destroy_work_on_stack(&closing.work);
}

struct file *kma_test_open(struct kunit *test, const char *type,
			   const char *path, int flags)
{
	struct file_system_type *fs = get_fs_type(type);
	struct vfsmount *mnt;
	struct file *file;

	KUNIT_ASSERT_NOT_NULL(test, fs);
	mnt = kern_mount(fs);
	module_put(fs->owner);
	KUNIT_ASSERT_FALSE(test, IS_ERR(mnt));
	kma_test_defer(test, kma_test_unmount, mnt);
	file = file_open_root_mnt(mnt, path, flags, 0);
	KUNIT_ASSERT_FALSE_MSG(test, IS_ERR(file), "%s: %ld", path,
			       PTR_ERR(file));
	kma_test_defer(test, kma_test_close, file);
	return file;
}

#define KMA_TEST_TEXT	SZ_1M

char *kma_test_read(struct kunit *test, struct file *file, size_t chunk)
{
	char *text = kunit_kzalloc(test, KMA_TEST_TEXT, GFP_KERNEL);
	size_t len = 0;
	loff_t pos = 0;
	ssize_t n;

	KUNIT_ASSERT_NOT_NULL(test, text);
	do {
		n = kernel_read(file, text + len,
				min_t(size_t, chunk, KMA_TEST_TEXT - 1 - len), &pos);
		KUNIT_ASSERT_GE(test, n, 0l);
		len += n;
	} while (n);
	KUNIT_ASSERT_LT(test, len, (size_t)KMA_TEST_TEXT - 1);
	return text;
}

const char *kma_test_row_parse(const char *line, struct kma_test_row *row)
{
	int at = 0;

	if (sscanf(line, "%llu %llu %llu %llu/%llu %n", &row->total,
		   &row->slack, &row->req, &row->allocs, &row->frees,
		   &at) < 5 || !at)
		return NULL;
	return line + at;
}

/* Check that a caller is an address in a function. */
static bool kma_test_caller_is(const char *caller, const char *function)
{
	size_t len = strlen(function);

	return !strncmp(caller, function, len) &&
	       !strncmp(caller + len, "+0x", 3);
}

unsigned int kma_test_rows(struct kunit *test, const char *function,
			   struct kma_test_row *sum)
{
	struct file *file = kma_test_open(test, "proc", "kmem_account",
					  O_RDONLY);
	char *text = kma_test_read(test, file, KMA_TEST_TEXT), *line;
	unsigned int rows = 0;

	*sum = (struct kma_test_row){};
	while ((line = strsep(&text, "\n"))) {
		struct kma_test_row row;
		const char *caller = kma_test_row_parse(line, &row);

		if (!caller || !kma_test_caller_is(caller, function))
			continue;
		sum->total += row.total;
		sum->slack += row.slack;
		sum->req += row.req;
		sum->allocs += row.allocs;
		sum->frees += row.frees;
		rows++;
	}
	return rows;
}
