/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * selftest_note.h - keep the arguments of calls that the self-test makes (selftest.h).
 *
 * Handlers of kprobes and of ftrace pass on what they got. selftest.c says what it calls, and
 * compares.
 */
#ifndef KMA_SELFTEST_NOTE_H
#define KMA_SELFTEST_NOTE_H

#include <linux/compiler.h>
#include <linux/types.h>

struct task_struct;

/* Arguments of an event or of a function, at most. */
#define KMA_TEST_WORDS	10

/*
 * What the module calls, one at a time.
 *
 * The names are those of the events, or of the functions that have no event.
 */
enum kma_test {
	KMA_TEST_NONE,
	KMA_TEST_KMALLOC,
	KMA_TEST_KMALLOC_NODE,
	KMA_TEST_KFREE,
	KMA_TEST_CACHE_ALLOC,
	KMA_TEST_CACHE_ALLOC_NODE,
	KMA_TEST_CACHE_FREE,
	KMA_TEST_CACHE_FREE_ENTRY,
	KMA_TEST_PAGE_ALLOC,
	KMA_TEST_PAGE_FREE,
	KMA_TEST_PERCPU_ALLOC,
	KMA_TEST_PERCPU_FREE,
	KMA_TEST_ALLOC_BULK,
	KMA_TEST_FREE_BULK,
	KMA_TEST_PAGE_BULK,
	KMA_TEST_FREE_RCU,
	KMA_TEST_ALLOC_NOLOCK,
	KMA_TEST_FREE_NOLOCK,
	KMA_NR_TESTS,
};

#define KMA_TEST_SEEN	4	/* events of one call that are kept: one may cause others */

/* The calls of one event or function that the test has seen. */
struct kma_test_seen {
	unsigned int n;
	unsigned long words[KMA_TEST_SEEN][KMA_TEST_WORDS];
};

/* Of each enum kma_test; and the task that makes the test. Set by selftest.c alone. */
extern struct kma_test_seen *kma_test_seen;
extern struct task_struct *kma_test_task;

/* What the module calls now; KMA_TEST_NONE but for some microseconds of loading. */
extern enum kma_test kma_selftest_now;

/*
 * Keep KMA_TEST_WORDS arguments of a call, if this task makes it for the test; those that the call
 * does not have are 0. Any context.
 */
void kma_selftest_note(enum kma_test test, const unsigned long *words);

static __always_inline bool kma_selftest_calls(enum kma_test test)
{
	return unlikely(READ_ONCE(kma_selftest_now) == test);
}

/* As kma_selftest_note(), with almost no cost after loading. */
#define kma_selftest_see(test, ...)					\
do {									\
	enum kma_test test_ = test;					\
									\
	if (kma_selftest_calls(test_)) {				\
		const unsigned long words_[KMA_TEST_WORDS] = { __VA_ARGS__ }; \
									\
		kma_selftest_note(test_, words_);			\
	}								\
} while (0)

#endif /* KMA_SELFTEST_NOTE_H */
