/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * context.h - functions that run in any context, and on several CPUs at once.
 */
#ifndef KMA_TEST_CONTEXT_H
#define KMA_TEST_CONTEXT_H

#include "kunit.h"
#include <linux/gfp.h>

/**
 * enum kma_test_context - where code can run
 * @KMA_TEST_TASK: a task that may sleep
 * @KMA_TEST_IRQ_OFF: a task with interrupts off
 * @KMA_TEST_SOFTIRQ: a timer's softirq
 * @KMA_TEST_HARDIRQ: a timer's interrupt
 * @KMA_TEST_IRQ_WORK: an irq_work, in an interrupt as well
 * @KMA_TEST_KTHREAD: a new kernel thread
 * @KMA_TEST_WORKER: a worker of a workqueue
 * @KMA_TEST_NR_CONTEXTS: number of contexts
 */
enum kma_test_context {
	KMA_TEST_TASK,
	KMA_TEST_IRQ_OFF,
	KMA_TEST_SOFTIRQ,
	KMA_TEST_HARDIRQ,
	KMA_TEST_IRQ_WORK,
	KMA_TEST_KTHREAD,
	KMA_TEST_WORKER,
	KMA_TEST_NR_CONTEXTS,
};

extern const char *const kma_test_context_names[KMA_TEST_NR_CONTEXTS];

/**
 * kma_test_in() - call a function in a context, and wait for it
 * @test: the test, which fails if the context is not the requested one
 * @context: the context
 * @fn: the function, called once
 * @arg: argument of @fn
 *
 * Context: process, may sleep.
 */
void kma_test_in(struct kunit *test, enum kma_test_context context,
		 void (*fn)(void *arg), void *arg);

/**
 * kma_test_gfp() - get the flags with which memory can be allocated here
 *
 * Context: any.
 * Return: GFP_KERNEL where sleeping is allowed, else GFP_ATOMIC.
 */
gfp_t kma_test_gfp(void);

/**
 * kma_test_threads() - call a function in several threads at once
 * @test: the test, which fails if there is no memory
 * @nr: number of threads, which are bound to the online CPUs in turn
 * @fn: the function; its argument @thread is 0 to @nr - 1
 * @arg: argument of @fn
 *
 * The threads begin together, and all have ended on return.
 *
 * Context: process, may sleep.
 */
void kma_test_threads(struct kunit *test, unsigned int nr,
		      void (*fn)(unsigned int thread, void *arg), void *arg);

/**
 * kma_test_storm() - interrupt each CPU again and again, until the test ends
 * @test: the test
 * @fn: function that each interrupt calls, with interrupts off
 * @arg: argument of @fn
 *
 * Context: process, may sleep.
 */
void kma_test_storm(struct kunit *test, void (*fn)(void *arg), void *arg);

/**
 * kma_test_storm_end() - end kma_test_storm() now
 *
 * Context: process, may sleep.
 * Return: number of interrupts.
 */
unsigned long kma_test_storm_end(void);

#endif /* KMA_TEST_CONTEXT_H */
