/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz-alloc.h - included before all of the child that reads a trace.dat. The child
 * leaves it to its end to give back what it holds; a run of a fuzz target is not its
 * end. So its blocks are kept in a list and freed after each run. Its one map is a
 * block, too, which has no room behind it.
 */
#ifndef KMA_FUZZ_ALLOC_H
#define KMA_FUZZ_ALLOC_H

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>

void *kma_fuzz_calloc(size_t nr, size_t size);
void *kma_fuzz_realloc(void *p, size_t size);
void kma_fuzz_free(void *p);
void *kma_fuzz_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset);

#define calloc(nr, size)		       kma_fuzz_calloc(nr, size)
#define realloc(p, size)		       kma_fuzz_realloc(p, size)
#define free(p)				       kma_fuzz_free(p)
#define mmap(at, len, prot, flags, fd, offset) kma_fuzz_mmap(at, len, prot, flags, fd, offset)
/* Its timer would end all of us. */
#define setitimer(which, new_value, old_value) ((void)(new_value))

#endif /* KMA_FUZZ_ALLOC_H */
