// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloc.c - memory that is always there.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"

static void *_Atomic reserve;
static atomic_bool low;

void kma_alloc_reserve(size_t size)
{
	free(atomic_exchange(&reserve, kma_xmalloc(size)));
}

bool kma_alloc_is_low(void)
{
	return atomic_load(&low);
}

/* Free the reserve; false if there is none. */
static bool spend(void)
{
	void *mem = atomic_exchange(&reserve, NULL);

	if (mem)
		atomic_store(&low, true);
	free(mem);
	return mem;
}

/* malloc(0) may return NULL without lack of memory; glibc and musl return a block. */
void *kma_xmalloc(size_t size)
{
	void *mem;

	do
		mem = malloc(size ?: 1);
	while (!mem && spend());
	return kma_xmem(mem);
}

void *kma_xcalloc(size_t nr, size_t size)
{
	void *mem;

	do
		mem = calloc(nr ?: 1, size ?: 1);
	while (!mem && spend());
	return kma_xmem(mem);
}

void *kma_xrealloc(void *mem, size_t nr, size_t size)
{
	void *bigger;

	do
		bigger = reallocarray(mem, nr ?: 1, size ?: 1);
	while (!bigger && spend());
	return kma_xmem(bigger);
}

char *kma_xstrdup(const char *text)
{
	return kma_xmem(strdup(text));
}

char *kma_xstrndup(const char *text, size_t len)
{
	return kma_xmem(strndup(text, len));
}

char *kma_xvasprintf(const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0)
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
