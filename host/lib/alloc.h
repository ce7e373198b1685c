/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * alloc.h - memory that is always there. If memory is missing, the program ends: it prints one
 * sentence, removes the output files that are not complete (atend.h) and exits with 1. So these
 * functions never return NULL, and a function that could only fail for lack of memory has nothing
 * to report.
 *
 * A size that an input states must be compared with the size of that input first. If it is too
 * large, that is an error of the input, with a sentence of its own.
 */
#ifndef KMA_LIB_ALLOC_H
#define KMA_LIB_ALLOC_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "atend.h"

void *kma_xmalloc(size_t size);
void *kma_xcalloc(size_t nr, size_t size);
void *kma_xrealloc(void *mem, size_t nr, size_t size); /* an array, as reallocarray(3) */
char *kma_xstrdup(const char *text);
char *kma_xstrndup(const char *text, size_t len);
char *kma_xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *kma_xvasprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/*
 * Returns the whole pages of @len bytes from @mem, which are zero afterwards, to the kernel, 64 KiB
 * at a time: it takes up to 2 MiB without letting other tasks of the CPU run, for 0.2 to 0.9 ms.
 */
void kma_drop_pages(void *mem, size_t len);

/* As free(), for arrays that may be large, by kma_drop_pages(). */
void kma_free_large(void *mem);

/*
 * Reserves @size bytes, 1 MiB or more. When memory is missing, they are freed, and the program
 * continues: kma_alloc_is_low() is then true, and the main loop has to end. For the recorder, which
 * has events to write and settings to restore.
 */
void kma_alloc_reserve(size_t size);
bool kma_alloc_is_low(void);

/* For memory of other functions, for example of a library: ends the program if @mem is NULL. */
static inline void *kma_xmem(void *mem)
{
	if (!mem)
		kma_atend_no_memory();
	return mem;
}

#endif /* KMA_LIB_ALLOC_H */
