/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shim.h - the part of KUnit that these tests use, for modules.
 *
 * KUnit cannot be added to a kernel as a module, because its option changes task_struct. So
 * that the same sources run in a distribution's kernel, this header has its macros with
 * the same names, and shim.c has a runner that prints KTAP to the kernel log as KUnit does.
 * Each case runs in its own thread, which a failed assertion ends. A kernel with KUnit
 * would run the suites of a module within a module notifier, where the tests cannot
 * register a notifier. A module therefore uses the shim in such a kernel as well.
 *
 * The shim lacks what the tests do not use. The module's parameter "kunit" starts
 * the suites of the table below, and reports when they have ended.
 */
#ifndef KMA_TEST_SHIM_H
#define KMA_TEST_SHIM_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>

#define KUNIT_PARAM_DESC_SIZE	128

struct kunit {
	const void *param_value;
	const char *name;
	bool failed;
	struct list_head actions;
	struct completion ended;
};

struct kunit_case {
	void (*run_case)(struct kunit *test);
	const char *name;
	const void *(*generate_params)(const void *prev, char *desc);
};

struct kunit_suite {
	const char *name;
	struct kunit_case *test_cases;
};

/* The table of suites. A module has no section in which a runner could find them. */
extern struct kunit_suite *const kma_test_param_suite_shim;
extern struct kunit_suite *const kma_test_site_suite_shim;
extern struct kunit_suite *const kma_test_live_suite_shim;
extern struct kunit_suite *const kma_test_report_suite_shim;
extern struct kunit_suite *const kma_test_proc_suite_shim;
extern struct kunit_suite *const kma_test_event_suite_shim;
extern struct kunit_suite *const kma_test_latency_suite_shim;
extern struct kunit_suite *const kma_test_log_suite_shim;

#define kunit_test_suite(suite)	struct kunit_suite *const suite##_shim = &(suite)

#define KUNIT_CASE(fn)	{ .run_case = fn, .name = #fn }
#define KUNIT_CASE_PARAM(fn, gen)	\
	{ .run_case = fn, .name = #fn, .generate_params = gen }

#define KUNIT_ARRAY_PARAM(prefix, array, describe)			\
	static const void *prefix##_gen_params(const void *prev, char *desc) \
	{								\
		const typeof(array)(*all) = &(array);				\
		const typeof((*all)[0])(*next) = prev;			\
									\
		next = next ? next + 1 : *all;				\
		if (next == *all + ARRAY_SIZE(*all))			\
			return NULL;					\
		describe(next, desc);					\
		return next;						\
	}

/**
 * kunit_add_action_or_reset() - call a function when the test ends
 * @test: the test
 * @fn: the function; the last one added is called first. Called at once if this call fails
 * @arg: argument of @fn
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int kunit_add_action_or_reset(struct kunit *test, void (*fn)(void *arg),
			      void *arg);

/**
 * kunit_kzalloc() - allocate memory that is freed when the test ends
 * @test: the test
 * @size: bytes
 * @gfp: as for kzalloc()
 *
 * Context: process, may sleep.
 * Return: the memory, or NULL.
 */
void *kunit_kzalloc(struct kunit *test, size_t size, gfp_t gfp);

static inline void *kunit_kcalloc(struct kunit *test, size_t n, size_t size,
				  gfp_t gfp)
{
	return kunit_kzalloc(test, array_size(n, size), gfp);
}

/**
 * kma_shim_failed() - print an expectation that was not met
 * @test: the test
 * @fatal: true to end the case: this function does not return to its caller
 * @where: file and line
 * @what: the expectation
 * @left: value of its left side
 * @right: value of its right side
 * @fmt: format of a further message, or NULL
 *
 * Context: process.
 */
void kma_shim_failed(struct kunit *test, bool fatal, const char *where,
		     const char *what, long long left, long long right,
		     const char *fmt, ...) __printf(7, 8);

#define KMA_SHIM_WHERE	__FILE__ ":" __stringify(__LINE__)

#define KMA_SHIM_CMP(test, fatal, left, op, right, fmt, ...)		\
	do {								\
		const typeof(left) shim_left = (left);			\
		const typeof(right) shim_right = (right);		\
									\
		if (!(shim_left op shim_right))				\
			kma_shim_failed(test, fatal, KMA_SHIM_WHERE,	\
					#left " " #op " " #right,	\
					(long long)shim_left,		\
					(long long)shim_right,		\
					fmt, ##__VA_ARGS__);		\
	} while (0)

#define KUNIT_EXPECT_EQ(t, a, b)	KMA_SHIM_CMP(t, 0, a, ==, b, NULL)
#define KUNIT_EXPECT_NE(t, a, b)	KMA_SHIM_CMP(t, 0, a, !=, b, NULL)
#define KUNIT_EXPECT_LT(t, a, b)	KMA_SHIM_CMP(t, 0, a, <, b, NULL)
#define KUNIT_EXPECT_LE(t, a, b)	KMA_SHIM_CMP(t, 0, a, <=, b, NULL)
#define KUNIT_EXPECT_GT(t, a, b)	KMA_SHIM_CMP(t, 0, a, >, b, NULL)
#define KUNIT_EXPECT_GE(t, a, b)	KMA_SHIM_CMP(t, 0, a, >=, b, NULL)
#define KUNIT_ASSERT_EQ(t, a, b)	KMA_SHIM_CMP(t, 1, a, ==, b, NULL)
#define KUNIT_ASSERT_LT(t, a, b)	KMA_SHIM_CMP(t, 1, a, <, b, NULL)
#define KUNIT_ASSERT_GE(t, a, b)	KMA_SHIM_CMP(t, 1, a, >=, b, NULL)
#define KUNIT_EXPECT_TRUE(t, a)		KMA_SHIM_CMP(t, 0, !!(a), ==, true, NULL)
#define KUNIT_EXPECT_FALSE(t, a)	KMA_SHIM_CMP(t, 0, !!(a), ==, false, NULL)
#define KUNIT_ASSERT_FALSE(t, a)	KMA_SHIM_CMP(t, 1, !!(a), ==, false, NULL)
#define KUNIT_EXPECT_NOT_NULL(t, a)	KMA_SHIM_CMP(t, 0, !(a), ==, false, NULL)
#define KUNIT_ASSERT_NOT_NULL(t, a)	KMA_SHIM_CMP(t, 1, !(a), ==, false, NULL)
#define KUNIT_EXPECT_EQ_MSG(t, a, b, fmt, ...)				\
	KMA_SHIM_CMP(t, 0, a, ==, b, fmt, ##__VA_ARGS__)
#define KUNIT_EXPECT_TRUE_MSG(t, a, fmt, ...)				\
	KMA_SHIM_CMP(t, 0, !!(a), ==, true, fmt, ##__VA_ARGS__)
#define KUNIT_ASSERT_FALSE_MSG(t, a, fmt, ...)				\
	KMA_SHIM_CMP(t, 1, !!(a), ==, false, fmt, ##__VA_ARGS__)
#define KUNIT_EXPECT_STREQ(t, a, b)	\
	KMA_SHIM_CMP(t, 0, strcmp(a, b), ==, 0, NULL)

/**
 * kma_shim_run() - run all suites, and print their results
 *
 * Context: process, may sleep; not within a test.
 */
void kma_shim_run(void);

#endif /* KMA_TEST_SHIM_H */
