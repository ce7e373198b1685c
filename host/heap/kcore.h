/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kcore.h - the memory of the running kernel: /proc/kcore and /proc/kpageflags.
 *
 * A scan reads the direct map, which has each page of RAM once: the kernel's image, per-CPU areas,
 * stacks, slabs, and all pages behind vmalloc(). It leaves out pages whose flags say that they hold
 * no data of the kernel: free pages, pages of processes and of the page cache. Flags are read just
 * before the pages.
 *
 * /proc/kcore copies through a page of its own for each open file, which holds what was read last.
 * All files of the scan are opened by kma_kcore_open(), so that the list of live objects that is
 * read later has these pages, by their call site open_kcore().
 *
 * Locking: the readers of kma_kcore_memory() may be used by different threads; all other functions
 * by one thread.
 */
#ifndef KMA_HEAP_KCORE_H
#define KMA_HEAP_KCORE_H

#include "memory.h"

struct kma_kcore;

/**
 * kma_kcore_open() - open the memory of the running kernel
 * @ret: set to the memory, to be freed with kma_kcore_close()
 *
 * Return: NULL; &kma_enomem; an error that says which right is missing, or that the kernel is not
 * supported.
 */
struct kma_err *kma_kcore_open(struct kma_kcore **ret);

/**
 * kma_kcore_close() - wipe and free what was read, and close the files
 * @kcore: from kma_kcore_open(); NULL is fine
 */
void kma_kcore_close(struct kma_kcore *kcore);

/**
 * kma_kcore_find() - find the direct map
 * @kcore: the memory
 * @heap: address of an object in the direct map
 *
 * Return: NULL or an error: @heap is not in the direct map.
 */
struct kma_err *kma_kcore_find(struct kma_kcore *kcore, uint64_t heap);

/**
 * kma_kcore_memory() - get the target of a scan
 * @kcore: after kma_kcore_find()
 *
 * Return: the target, owned by @kcore. At most KMA_HEAP_THREADS readers are open at a time.
 */
const struct kma_memory *kma_kcore_memory(struct kma_kcore *kcore);

/**
 * kma_kcore_word() - read an aligned word at any address of the kernel
 * @arg: a struct kma_kcore
 * @addr: the address
 * @ret: set to the word
 *
 * The page of the word is kept, so later words of the page are as old as the first one.
 *
 * Return: true; false if nothing can be read there.
 */
bool kma_kcore_word(void *arg, uint64_t addr, uint64_t *ret);

/**
 * kma_kcore_direct() - get an address in the direct map
 * @kcore: after kma_kcore_find()
 * @physical: physical address
 *
 * Return: the address, where nothing may be readable.
 */
uint64_t kma_kcore_direct(const struct kma_kcore *kcore, uint64_t physical);

/**
 * kma_kcore_variable() - find the address of a variable
 * @kcore: after kma_kcore_find()
 * @addr: an address in the direct map
 *
 * Return: the address at which the kernel's image has @addr; 0 if it is not in the image.
 */
uint64_t kma_kcore_variable(const struct kma_kcore *kcore, uint64_t addr);

/* What a page is used for. */
enum kma_kcore_use {
	KMA_KCORE_OTHER,
	KMA_KCORE_SLAB,
	KMA_KCORE_RESERVED, /* since boot: the kernel's image, large tables */
};

/**
 * kma_kcore_use() - find out what the page of an address is used for now
 * @kcore: after kma_kcore_find()
 * @addr: an address in the direct map
 *
 * Return: the use.
 */
enum kma_kcore_use kma_kcore_use(const struct kma_kcore *kcore, uint64_t addr);

/**
 * kma_kcore_forget() - wipe the pages that kma_kcore_word() has kept
 * @kcore: the memory
 */
void kma_kcore_forget(struct kma_kcore *kcore);

#endif /* KMA_HEAP_KCORE_H */
