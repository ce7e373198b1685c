/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fixture.h - common functions of the KUnit tests of kmem_account.
 *
 * There is one account in a kernel, so a test takes it over: its tables are released
 * and reserved again in the size that the test needs. When the test ends, they get their
 * usual size. The contents of the account are lost. Tests run one after the other; these
 * functions do not support two tests at once.
 *
 * KUnit releases all resources of a test, also if an assertion ends
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
/* where the events of the kernel come as well: its slabs are all over the memory */
#define KMA_TEST_KERNEL_OBJECTS	100000

/**
 * kma_test_defer() - call a function when the test ends
 * @test: the test, which fails if there is no memory
 * @fn: the function; the last one that was deferred is called first
 * @arg: argument of @fn
 *
 * Context: process, may sleep.
 */
void kma_test_defer(struct kunit *test, void (*fn)(void *arg), void *arg);

/**
 * kma_test_account() - replace the account, until the test ends
 * @test: the test, which fails if the tables cannot be reserved
 * @max_sites: as for kma_control_init()
 * @max_objects: as for kma_control_init()
 *
 * The new account is off.
 *
 * Context: process, may sleep.
 */
void kma_test_account(struct kunit *test, unsigned int max_sites,
		      unsigned long max_objects);

/**
 * kma_test_gate() - open the account for the events of the test only
 * @test: the test
 *
 * After kma_test_account(). Growth and reports work as usual. The kernel
 * reports no events, so the account does not contain its allocations.
 *
 * Context: process, may sleep.
 */
void kma_test_gate(struct kunit *test);

/**
 * kma_test_on() - turn the account on, with its probes
 * @test: the test, which fails if the account cannot be turned on
 *
 * After kma_test_account().
 *
 * Context: process, may sleep.
 */
void kma_test_on(struct kunit *test);

/**
 * kma_test_alloc() - report an allocation to the account
 * @site: call site: any number that differs from other sites by two or more
 * @ptr: address of the object: any but 0, in the direct map or above
 * @req: bytes requested
 * @bytes: bytes allocated
 *
 * The event has a kind for which the account does not read the object, which does not exist.
 *
 * Context: any but NMI.
 */
void kma_test_alloc(unsigned long site, unsigned long ptr, size_t req,
		    size_t bytes);

/**
 * kma_test_free() - report a free to the account
 * @ptr: address of the object
 *
 * Context: any but NMI.
 * Return: true if the account knew the object; else the free is not counted.
 */
bool kma_test_free(unsigned long ptr);

/**
 * kma_test_neighbours() - get objects that are adjacent, in one page after the other
 * @objects: set to their addresses, 16 MiB and more above the start of the direct map
 * @nr: number of objects, of 256 bytes
 */
void kma_test_neighbours(unsigned long *objects, unsigned int nr);

/**
 * kma_test_site_of() - get the id of a call site
 * @test: the test, which fails if there is no such site, or more than one
 * @site: the call site
 *
 * Context: process, while there are no events.
 * Return: the id.
 */
unsigned int kma_test_site_of(struct kunit *test, unsigned long site);

/**
 * kma_test_count() - get the counts of a site, summed over all CPUs
 * @test: the test
 * @id: id of the site
 *
 * Context: process, may sleep.
 * Return: the sums.
 */
struct kma_site_count kma_test_count(struct kunit *test, unsigned int id);

/**
 * kma_test_drops() - get the number of events that were not recorded
 *
 * Context: any.
 * Return: the number, over all causes.
 */
u64 kma_test_drops(void);

/**
 * kma_test_open() - open a file of a file system that need not be mounted
 * @test: the test, which fails if there is no such file, and closes the file when it ends
 * @type: the file system: proc, sysfs
 * @path: path of the file in the file system
 * @flags: as for open()
 *
 * Context: process, may sleep.
 * Return: the file.
 */
struct file *kma_test_open(struct kunit *test, const char *type,
			   const char *path, int flags);

/**
 * kma_test_read() - read a whole file
 * @test: the test, which fails if the file cannot be read, and owns the text
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
 * kma_test_row_parse() - parse a row of /proc/kmem_account
 * @line: the line
 * @row: set to the numbers of the row
 *
 * Return: the caller, a part of @line; NULL if @line is not a row.
 */
const char *kma_test_row_parse(const char *line, struct kma_test_row *row);

/**
 * kma_test_rows() - get the current rows of a function in /proc/kmem_account
 * @test: the test
 * @function: name of the function
 * @sum: set to the sum of its rows
 *
 * Context: process, may sleep.
 * Return: number of rows.
 */
unsigned int kma_test_rows(struct kunit *test, const char *function,
			   struct kma_test_row *sum);

#endif /* KMA_TEST_FIXTURE_H */
