/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ktap.h - the whole of a user-space unit test: cases, expectations, KTAP.
 *
 * A test file defines its cases with TEST(name) { ... } and ends with
 * TEST_MAIN(). An expectation that fails prints what it saw as a "# " line,
 * marks the case as failed and goes on; REQUIRE() leaves the case at once. A
 * case without a single expectation fails: a test that cannot fail is a defect.
 *
 * Output is KTAP version 1 (Documentation/dev-tools/ktap.rst in the kernel
 * tree), which tests/check.sh counts.
 */
#ifndef KMA_KTAP_H
#define KMA_KTAP_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct ktap_case {
	const char *name;
	void (*run)(void);
	struct ktap_case *next;
};

static struct ktap_case *ktap_cases, **ktap_tail = &ktap_cases;
static bool ktap_case_failed;
static unsigned long ktap_expectations;

#define TEST(fn)							\
	static void fn(void);						\
	__attribute__((constructor)) static void ktap_add_##fn(void)	\
	{								\
		static struct ktap_case c = { #fn, fn, NULL };		\
									\
		*ktap_tail = &c;					\
		ktap_tail = &c.next;					\
	}								\
	static void fn(void)

/* A case about addresses that 32 bits do not have. */
#if __LONG_WIDTH__ == 64
#define TEST64(fn)	TEST(fn)
#else
#define TEST64(fn)	__attribute__((unused)) static void fn(void)
#endif

#define KTAP_FAIL(fmt, ...)						\
	(ktap_case_failed = true,					\
	 printf("# %s:%d: " fmt "\n", __FILE__, __LINE__, ##__VA_ARGS__))

#define EXPECT(cond)							\
	(ktap_expectations++, (cond) ? 0 : KTAP_FAIL("not true: %s", #cond))

#define EXPECT_EQ(got, want) do {					\
	long long g_ = (long long)(got), w_ = (long long)(want);	\
									\
	ktap_expectations++;						\
	if (g_ != w_)							\
		KTAP_FAIL("%s is %lld, expected %lld", #got, g_, w_);	\
} while (0)

#define EXPECT_STR(got, want) do {					\
	const char *g_ = (got), *w_ = (want);				\
									\
	ktap_expectations++;						\
	if (!g_ || strcmp(g_, w_))					\
		KTAP_FAIL("%s is \"%s\", expected \"%s\"", #got,	\
			  g_ ? g_ : "(null)", w_);			\
} while (0)

/* For what the rest of the case cannot do without. */
#define REQUIRE(cond) do {						\
	ktap_expectations++;						\
	if (!(cond)) {							\
		KTAP_FAIL("required: %s", #cond);			\
		return;							\
	}								\
} while (0)

static inline int ktap_run(void)
{
	unsigned int n = 0, failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (struct ktap_case *c = ktap_cases; c; c = c->next)
		n++;
	printf("KTAP version 1\n1..%u\n", n);
	n = 0;
	for (struct ktap_case *c = ktap_cases; c; c = c->next) {
		ktap_case_failed = false;
		ktap_expectations = 0;
		c->run();
		if (!ktap_expectations)
			KTAP_FAIL("%s expects nothing", c->name);
		failed += ktap_case_failed;
		printf("%s %u %s\n", ktap_case_failed ? "not ok" : "ok", ++n, c->name);
	}
	return failed ? 1 : 0;
}

#define TEST_MAIN() int main(void) { return ktap_run(); }

#endif /* KMA_KTAP_H */
