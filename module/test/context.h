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
 * @KMA_TEST_KTHREAD: a kernel thread of its own
 * @KMA_TEST_WORKER: a worker of a workqueue
 * @KMA_TEST_NR_CONTEXTS: number of these
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
 * @test: the test, which fails if the context is not what it should be
 * @context: where
 * @fn: what to call, once
 * @arg: its argument
 *
 * Context: process, may sleep.
 */
void kma_test_in(struct kunit *test, enum kma_test_context context,
		 void (*fn)(void *arg), void *arg);

/**
 * kma_test_gfp() - how may memory be allocated here?
 *
 * Context: any.
 * Return: GFP_KERNEL where sleeping is allowed, else GFP_ATOMIC.
 */
gfp_t kma_test_gfp(void);

/**
 * kma_test_threads() - call a function in several threads at once
 * @test: the test, which fails if there is no memory
 * @nr: how many threads: each has its CPU, from the first one on, and round again
 * @fn: what to call; @thread is 0 to @nr - 1
 * @arg: its argument
 *
 * They begin together, and all have ended on return.
 *
 * Context: process, may sleep.
 */
void kma_test_threads(struct kunit *test, unsigned int nr,
		      void (*fn)(unsigned int thread, void *arg), void *arg);

/**
 * kma_test_storm() - have each CPU interrupted all the time, until the test ends
 * @test: the test
 * @fn: what each interrupt calls; with interrupts off
 * @arg: its argument
 *
 * Context: process, may sleep.
 */
void kma_test_storm(struct kunit *test, void (*fn)(void *arg), void *arg);

/**
 * kma_test_storm_end() - end kma_test_storm() now
 *
 * Context: process, may sleep.
 * Return: how many interrupts there were.
 */
unsigned long kma_test_storm_end(void);

#endif /* KMA_TEST_CONTEXT_H */
