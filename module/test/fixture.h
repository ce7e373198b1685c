/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fixture.h - what the KUnit tests of kmem_account stand on.
 *
 * There is one account in a kernel, so a test takes it over: the tables of the
 * module are released and made anew in the size that the test wants, and when the
 * test ends they are made as the parameters say. What was in the account is
 * lost. Tests run one after the other; nothing here is for two at once.
 *
 * Whatever a test takes is given back by KUnit itself, also if an assertion ends
 * the test early.
 */
#ifndef KMA_TEST_FIXTURE_H
#define KMA_TEST_FIXTURE_H

#include "kunit.h"
#include <linux/types.h>

#include "account/account.h"
#include "account/sum.h"

struct file;

/* Sites and objects that are enough for most tests. */
#define KMA_TEST_SITES		255
#define KMA_TEST_OBJECTS	1000

/**
 * kma_test_defer() - call a function when the test ends
 * @test: the test, which fails if there is no memory
 * @fn: what to call: the last one first
 * @arg: its argument
 *
 * Context: process, may sleep.
 */
void kma_test_defer(struct kunit *test, void (*fn)(void *arg), void *arg);

/**
 * kma_test_account() - replace the account, until the test ends
 * @test: the test, which fails if the tables cannot be made
 * @max_sites: as of kma_control_init()
 * @max_objects: as of kma_control_init()
 *
 * It is off.
 *
 * Context: process, may sleep.
 */
void kma_test_account(struct kunit *test, unsigned int max_sites,
		      unsigned long max_objects);

/**
 * kma_test_gate() - open the account for what the test tells it, and no event
 * @test: the test
 *
 * After kma_test_account(). Growth and reports are as ever; no probe is
 * attached, so that what the kernel allocates is not in it.
 *
 * Context: process, may sleep.
 */
void kma_test_gate(struct kunit *test);

/**
 * kma_test_on() - turn the account on, with its probes
 * @test: the test, which fails if that fails
 *
 * After kma_test_account().
 *
 * Context: process, may sleep.
 */
void kma_test_on(struct kunit *test);

/**
 * kma_test_alloc() - tell the account of an allocation
 * @site: its call site, any number, but two or more from another one
 * @ptr: the object's address, any but 0 in the direct map or beyond
 * @req: bytes asked for
 * @bytes: bytes given
 *
 * As of a kind of which nobody looks into the object, for there is none.
 *
 * Context: any but NMI.
 */
void kma_test_alloc(unsigned long site, unsigned long ptr, size_t req,
		    size_t bytes);

/**
 * kma_test_free() - tell the account of a free
 * @ptr: the object's address
 *
 * Context: any but NMI.
 * Return: true if it knew the object; else it is not booked at all.
 */
bool kma_test_free(unsigned long ptr);

/**
 * kma_test_neighbours() - objects that the smallest map has in one bucket
 * @objects: set to their addresses, 16 MiB and more into the direct map
 * @nr: how many
 *
 * By looking: the tests are not to know how addresses are mixed.
 */
void kma_test_neighbours(unsigned long *objects, unsigned int nr);

/**
 * kma_test_in_between() - has this interrupt come while an event was booked?
 * @object: an object of the bucket that the event is about
 *
 * No interrupt may. Where there are several CPUs the event may be another one's: then
 * the answer is no, and who goes on although it is this one's waits for ever.
 *
 * Context: interrupt.
 * Return: true if the one CPU that there is has the bucket.
 */
bool kma_test_in_between(unsigned long object);

/**
 * kma_test_site_of() - the id of a call site
 * @test: the test, which fails if there is none, or more than one
 * @site: the call site
 *
 * Context: process, no events meanwhile.
 * Return: the id.
 */
unsigned int kma_test_site_of(struct kunit *test, unsigned long site);

/**
 * kma_test_count() - what a site has counted, on all CPUs
 * @test: the test
 * @id: the site
 *
 * Context: process, may sleep.
 * Return: the sums.
 */
struct kma_site_count kma_test_count(struct kunit *test, unsigned int id);

/**
 * kma_test_drops() - events that were not recorded
 *
 * Context: any.
 * Return: their number, whatever the cause.
 */
u64 kma_test_drops(void);

/**
 * kma_test_open() - open a file of a file system that need not be mounted
 * @test: the test, which fails if there is no such file; it closes it
 * @type: the file system: proc, sysfs
 * @path: the file's path in it
 * @flags: as of open()
 *
 * Context: process, may sleep.
 * Return: the file.
 */
struct file *kma_test_open(struct kunit *test, const char *type,
			   const char *path, int flags);

/**
 * kma_test_read() - read all of a file
 * @test: the test, which fails if it cannot be read, and owns the text
 * @file: the file, read from its beginning
 * @chunk: bytes of each read()
 *
 * Context: process, may sleep.
 * Return: the text.
 */
char *kma_test_read(struct kunit *test, struct file *file, size_t chunk);

/**
 * struct kma_test_row - a row of /proc/kmem_account, as it is printed
 * @total: bytes
 * @slack: bytes
 * @req: bytes
 * @allocs: objects
 * @frees: objects
 */
struct kma_test_row {
	u64 total;
	u64 slack;
	u64 req;
	u64 allocs;
	u64 frees;
};

/**
 * kma_test_row_parse() - read a row
 * @line: the line
 * @row: set to its numbers
 *
 * Return: the caller, in @line; NULL if it is no row.
 */
const char *kma_test_row_parse(const char *line, struct kma_test_row *row);

/**
 * kma_test_rows() - what /proc/kmem_account says of a function, now
 * @test: the test
 * @function: its name
 * @sum: set to the sum of its rows
 *
 * Context: process, may sleep.
 * Return: the number of its rows.
 */
unsigned int kma_test_rows(struct kunit *test, const char *function,
			   struct kma_test_row *sum);

#endif /* KMA_TEST_FIXTURE_H */
