// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloc.c - memory that is always there.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "alloc.h"

#define KMA_ALLOC_STEP	(64U << 10)  /* bytes that are given back at once */
#define KMA_ALLOC_LARGE (256U << 10) /* bytes of an array that is worth it */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects @reserve */
static void *reserve;
static atomic_bool low; /* the reserve was spent */

void kma_alloc_reserve(size_t size)
{
	void *mem = kma_xmalloc(size);

	pthread_mutex_lock(&lock);
	free(reserve);
	reserve = mem;
	pthread_mutex_unlock(&lock);
}

bool kma_alloc_is_low(void)
{
	return atomic_load(&low);
}

/* Free the reserve. Another try is of use once for each caller, if this thread or another has freed it. */
static bool spend(bool *tried)
{
	bool again;

	pthread_mutex_lock(&lock);
	if (reserve)
		atomic_store(&low, true);
	free(reserve);
	reserve = NULL;
	again = atomic_load(&low) && !*tried;
	pthread_mutex_unlock(&lock);
	*tried = true;
	return again;
}

/* malloc(0) may return NULL without lack of memory; glibc and musl return a block. */
void *kma_xmalloc(size_t size)
{
	bool tried = false;
	void *mem;

	do
		mem = malloc(size ?: 1);
	while (!mem && spend(&tried));
	return kma_xmem(mem);
}

void *kma_xcalloc(size_t nr, size_t size)
{
	bool tried = false;
	void *mem;

	do
		mem = calloc(nr ?: 1, size ?: 1);
	while (!mem && spend(&tried));
	return kma_xmem(mem);
}

void *kma_xrealloc(void *mem, size_t nr, size_t size)
{
	bool tried = false;
	void *bigger;

	do
		bigger = reallocarray(mem, nr ?: 1, size ?: 1);
	while (!bigger && spend(&tried));
	return kma_xmem(bigger);
}

char *kma_xstrdup(const char *text)
{
	return kma_xstrndup(text, strlen(text));
}

char *kma_xstrndup(const char *text, size_t len)
{
	char *copy;

	len = strnlen(text, len);
	copy = kma_xmalloc(len + 1);
	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

char *kma_xvasprintf(const char *fmt, va_list ap)
{
	bool tried = false;
	va_list copy;
	char *text;
	int len;

	do {
		va_copy(copy, ap);
		len = vasprintf(&text, fmt, copy);
		va_end(copy);
	} while (len < 0 && spend(&tried));
	if (len < 0)
		kma_atend_no_memory();
	return text;
}

char *kma_xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = kma_xvasprintf(fmt, ap);
	va_end(ap);
	return text;
}

void kma_drop_pages(void *mem, size_t len)
{
	size_t page = sysconf(_SC_PAGESIZE), skip = -(uintptr_t)mem & (page - 1), part;
	char *at = (char *)mem + skip;

	len = len < skip ? 0 : (len - skip) & ~(page - 1);
	for (; len; at += part, len -= part) {
		part = len < KMA_ALLOC_STEP ? len : KMA_ALLOC_STEP;
		madvise(at, part, MADV_DONTNEED);
	}
}

void kma_free_large(void *mem)
{
	size_t size = malloc_usable_size(mem);

	if (size >= KMA_ALLOC_LARGE)
		kma_drop_pages(mem, size);
	free(mem);
}
