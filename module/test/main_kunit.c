// SPDX-License-Identifier: GPL-2.0-only
/*
 * main_kunit.c - tests of the parameters; and the start of the account for the other tests.
 *
 * Included by main.c, because it needs the static variables of main.c.
 */
#include <linux/fs.h>
#include <linux/kthread.h>

#include "test/fixture.h"
#include "watch/group.h"

static bool kma_test_was_on;

static void kma_test_make_again(void)
{
	int err = kma_control_init(kma_max_sites, kma_max_objects,
				   kma_untraced, &kma_features);

	if (!err && kma_test_was_on)
		err = kma_control_command("on");
	/* the files of the account must not exist without tables */
	WARN_ON(err);
}

/* Only tests make the account again in one kernel: the CPUs must not keep groups of the old one. */
static void kma_test_end(void)
{
	kma_control_deinit();
	kma_group_forget();
}

static void kma_test_give_back(void *unused)
{
	kma_test_end();
	kma_test_make_again();
}

void kma_test_account(struct kunit *test, unsigned int max_sites,
		      unsigned long max_objects)
{
	int err;

	kma_test_was_on = kma_live_is_open();
	kma_test_end();
	err = kma_control_init(max_sites, max_objects, kma_untraced, &kma_features);
	if (err)
		kma_test_make_again();
	KUNIT_ASSERT_EQ(test, err, 0);
	kma_test_defer(test, kma_test_give_back, NULL);
}

static const struct kma_test_param {
	const char *desc;
	unsigned int max_sites;
	bool errors;
	bool untraced;
	int err;
} kma_test_params[] = {
	{ "default", 0, false, true, 0 },
	{ "fewest sites", 16, false, true, 0 },
	{ "too few sites", 15, false, true, -EINVAL },
	{ "most sites", 16383, false, true, 0 },
	{ "too many sites", 16384, false, true, -EINVAL },
	{ "sites beyond int", UINT_MAX, false, true, -EINVAL },
	{ "events alone", 0, false, false, 0 },
	{ "errors", 0, true, true, 0 },
	{ "errors of events alone", 0, true, false, -EINVAL },
};

static void kma_test_param_desc(const struct kma_test_param *p, char *desc)
{
	strscpy(desc, p->desc, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kma_test_param, kma_test_params, kma_test_param_desc);

/* Check the results of kma_init() for some values of parameters. */
static void kma_test_param_check(struct kunit *test)
{
	const struct kma_test_param *p = test->param_value;
	unsigned int max_sites = kma_max_sites;
	bool errors = kma_errors_asked, untraced = kma_untraced;
	int err;

	kma_max_sites = p->max_sites;
	kma_errors_asked = p->errors;
	kma_untraced = p->untraced;
	err = kma_check_params();
	kma_max_sites = max_sites;
	kma_errors_asked = errors;
	kma_untraced = untraced;
	KUNIT_EXPECT_EQ(test, err, p->err);
}

#define KMA_TEST_PARAMETERS "module/" KBUILD_MODNAME "/parameters/"

static void kma_test_param_write(struct kunit *test, const char *name,
				 const char *value, ssize_t expected)
{
	struct file *file = kma_test_open(test, "sysfs", name, O_WRONLY);
	loff_t pos = 0;

	KUNIT_EXPECT_EQ_MSG(test, kernel_write(file, value, strlen(value),
					       &pos),
			    expected, "%s: %s", name, value);
}

static void kma_test_param_read(struct kunit *test, const char *name,
				const char *expected)
{
	struct file *file = kma_test_open(test, "sysfs", name, O_RDONLY);

	KUNIT_EXPECT_STREQ(test, kma_test_read(test, file, PAGE_SIZE),
			   expected);
}

static void kma_test_sort_back(void *unused)
{
	WRITE_ONCE(kma_sort, 0);
}

/* Change the parameter that can be changed, through sysfs. */
static void kma_test_param_sort(struct kunit *test)
{
	static const char name[] = KMA_TEST_PARAMETERS "sort";

	kma_test_defer(test, kma_test_sort_back, NULL);
	kma_test_param_read(test, name, "total\n");
	kma_test_param_write(test, name, "peak\n", 5);
	kma_test_param_read(test, name, "peak\n");
	kma_test_param_write(test, name, "nonsense\n", -EINVAL);
	kma_test_param_write(test, name, "peaks", -EINVAL);
	kma_test_param_read(test, name, "peak\n");
}

static const struct kma_test_mode {
	const char *name;
	umode_t mode;
} kma_test_modes[] = {
	{ "max_sites", 0400 }, { "max_objects", 0400 }, { "on", 0400 },
	{ "untraced", 0400 }, { "peak_ms", 0400 }, { "wrappers", 0400 },
	{ "stack_depth", 0400 }, { "events", 0400 }, { "age", 0400 },
	{ "errors", 0400 }, { "latency", 0400 },
	{ "latency_threshold_us", 0600 }, { "sort", 0644 },
};

static void kma_test_mode_desc(const struct kma_test_mode *m, char *desc)
{
	strscpy(desc, m->name, KUNIT_PARAM_DESC_SIZE);
}

KUNIT_ARRAY_PARAM(kma_test_mode, kma_test_modes, kma_test_mode_desc);

/* All parameters exist below the module's name, and only one can be changed. */
static void kma_test_param_mode(struct kunit *test)
{
	const struct kma_test_mode *m = test->param_value;
	struct file *file;
	char *path;

	path = kunit_kzalloc(test, 64, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, path);
	snprintf(path, 64, KMA_TEST_PARAMETERS "%s", m->name);
	file = kma_test_open(test, "sysfs", path, O_RDONLY);
	KUNIT_EXPECT_EQ(test, file_inode(file)->i_mode & 0777, (int)m->mode);
}

static struct kunit_case kma_test_param_cases[] = {
	KUNIT_CASE_PARAM(kma_test_param_check, kma_test_param_gen_params),
	KUNIT_CASE_PARAM(kma_test_param_mode, kma_test_mode_gen_params),
	KUNIT_CASE(kma_test_param_sort),
	{}
};

static struct kunit_suite kma_test_param_suite = {
	.name = "kma_param",
	.test_cases = kma_test_param_cases,
};

kunit_test_suite(kma_test_param_suite);
#ifdef KMA_KUNIT_SHIM

/* The parameter kunit of a module: "1" starts all suites, once. */
enum { KMA_SHIM_WAITING, KMA_SHIM_RUNNING, KMA_SHIM_DONE };

static int kma_shim_state = KMA_SHIM_WAITING;
static struct task_struct *kma_shim_task;

/* Runs in a thread, because the writer of the parameter holds a lock that the tests take. */
static int kma_shim_main(void *unused)
{
	kma_shim_run();
	WRITE_ONCE(kma_shim_state, KMA_SHIM_DONE);
	return 0;
}

static int kma_shim_set(const char *value, const struct kernel_param *kp)
{
	if (kma_shim_state != KMA_SHIM_WAITING || !sysfs_streq(value, "1"))
		return -EINVAL;
	kma_shim_task = kthread_create(kma_shim_main, NULL, "kma_shim");
	if (IS_ERR(kma_shim_task))
		return PTR_ERR(kma_shim_task);
	/* the code of the module must stay while the thread runs */
	__module_get(THIS_MODULE);
	kma_shim_state = KMA_SHIM_RUNNING;
	wake_up_process(kma_shim_task);
	return 0;
}

static int kma_shim_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%s\n", kma_shim_state == KMA_SHIM_DONE ?
			  "done" : "not yet");
}

static const struct kernel_param_ops kma_shim_ops = {
	.set = kma_shim_set,
	.get = kma_shim_get,
};

module_param_cb(kunit, &kma_shim_ops, NULL, 0600);
MODULE_PARM_DESC(kunit, "Write 1: run the tests; their results are in the log");

#endif
