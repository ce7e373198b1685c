// SPDX-License-Identifier: GPL-2.0-only
/*
 * shim.c - runs KUnit suites in a module, without KUnit.
 *
 * The design is in shim.h.
 */
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/printk.h>

#include "shim.h"

struct kma_shim_action {
	struct list_head list;
	void (*fn)(void *arg);
	void *arg;
};

int kunit_add_action_or_reset(struct kunit *test, void (*fn)(void *arg),
			      void *arg)
{
	struct kma_shim_action *action = kzalloc(sizeof(*action), GFP_KERNEL);

	if (!action) {
		fn(arg);
		return -ENOMEM;
	}
	action->fn = fn;
	action->arg = arg;
	list_add(&action->list, &test->actions);
	return 0;
}

static void kma_shim_kfree(void *ptr)
{
	kfree(ptr);
}

void *kunit_kzalloc(struct kunit *test, size_t size, gfp_t gfp)
{
	void *ptr = kzalloc(size, gfp);

	if (!ptr || kunit_add_action_or_reset(test, kma_shim_kfree, ptr))
		return NULL;
	return ptr;
}

void kma_shim_failed(struct kunit *test, bool fatal, const char *where,
		     const char *what, long long left, long long right,
		     const char *fmt, ...)
{
	struct va_format vaf = { .fmt = fmt };
	va_list args;

	pr_info("    # %s: %s FAILED at %s\n", test->name,
		fatal ? "ASSERTION" : "EXPECTATION", where);
	pr_info("    # Expected %s, but they are %lld and %lld\n", what, left,
		right);
	if (fmt) {
		va_start(args, fmt);
		vaf.va = &args;
		pr_info("    # %pV\n", &vaf);
		va_end(args);
	}
	WRITE_ONCE(test->failed, true);
	if (fatal)
		kthread_complete_and_exit(&test->ended, 0);
}

struct kma_shim_call {
	struct kunit test;
	const struct kunit_case *c;
};

static int kma_shim_thread(void *data)
{
	struct kma_shim_call *call = data;

	call->c->run_case(&call->test);
	kthread_complete_and_exit(&call->test.ended, 0);
}

/* Run one case with one parameter. Return true if the case passed. */
static bool kma_shim_call(const struct kunit_case *c, const void *param)
{
	struct kma_shim_call call = {
		.test = { .param_value = param, .name = c->name, },
		.c = c,
	};
	struct task_struct *task;

	INIT_LIST_HEAD(&call.test.actions);
	init_completion(&call.test.ended);
	task = kthread_run(kma_shim_thread, &call, "kma_case");
	if (IS_ERR(task))
		return false;
	wait_for_completion(&call.test.ended);
	while (!list_empty(&call.test.actions)) {
		struct kma_shim_action *action;

		action = list_first_entry(&call.test.actions,
					  struct kma_shim_action, list);
		list_del(&action->list);
		action->fn(action->arg);
		kfree(action);
	}
	return !call.test.failed;
}

static bool kma_shim_case(const struct kunit_case *c)
{
	char desc[KUNIT_PARAM_DESC_SIZE] = "";
	const void *param = NULL;
	bool good = true;
	unsigned int n = 0;

	if (!c->generate_params)
		return kma_shim_call(c, NULL);
	while ((param = c->generate_params(param, desc))) {
		bool passed = kma_shim_call(c, param);

		pr_info("        %s %u %s\n", passed ? "ok" : "not ok", ++n,
			desc);
		good &= passed;
	}
	return good && n;
}

static bool kma_shim_suite(const struct kunit_suite *suite)
{
	const struct kunit_case *c;
	bool good = true;
	unsigned int n = 0;

	for (c = suite->test_cases; c->run_case; c++)
		n++;
	pr_info("    # Subtest: %s\n", suite->name);
	pr_info("    1..%u\n", n);
	for (c = suite->test_cases; c->run_case; c++) {
		bool passed = kma_shim_case(c);

		pr_info("    %s %u %s\n", passed ? "ok" : "not ok",
			(unsigned int)(c - suite->test_cases) + 1, c->name);
		good &= passed;
	}
	return good;
}

void kma_shim_run(void)
{
	struct kunit_suite *const suites[] = {
		kma_test_param_suite_shim, kma_test_site_suite_shim,
		kma_test_live_suite_shim, kma_test_report_suite_shim,
		kma_test_proc_suite_shim, kma_test_event_suite_shim,
		kma_test_latency_suite_shim,
#ifdef CONFIG_RELAY
		kma_test_log_suite_shim,
#endif
	};
	unsigned int i;

	pr_info("KTAP version 1\n");
	pr_info("1..%zu\n", ARRAY_SIZE(suites));
	for (i = 0; i < ARRAY_SIZE(suites); i++) {
		bool passed = kma_shim_suite(suites[i]);

		pr_info("%s %u %s\n", passed ? "ok" : "not ok", i + 1,
			suites[i]->name);
	}
}
