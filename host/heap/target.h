/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target.h - the contract between a scan and the kernel whose memory it reads: the running kernel
 * (kcore.h), or a dump (dump.h).
 *
 * A scan reads the direct map, which has each page of RAM once: the kernel's image, per-CPU areas,
 * stacks, slabs, and all pages behind vmalloc(). It leaves out pages whose flags say that they hold
 * no data of the kernel.
 *
 * Locking: the readers of memory() may be used by different threads; all other functions by one
 * thread.
 */
#ifndef KMA_HEAP_TARGET_H
#define KMA_HEAP_TARGET_H

#include "lib/notes.h"
#include "memory.h"
#include "symbol/btf.h"

/* What a page is used for. */
enum kma_page_use {
	KMA_PAGE_USE_OTHER,
	KMA_PAGE_USE_SLAB,
	KMA_PAGE_USE_RESERVED, /* since boot: the kernel's image, large tables */
};

/* Gets the address of a page in the direct map, and that of its struct page, or struct slab. */
typedef void (*kma_page_fn)(void *arg, uint64_t addr, uint64_t page);

struct kma_heap_target;

/*
 * The kernel to scan, and the tables of its module; zeroed: the running kernel. A program that
 * reads no dumps (make record-static) does not have kma_dump_open(), so a source brings it.
 */
struct kma_heap_source {
	const char *vmcore; /* a dump; NULL: the running kernel */
	const char *tables; /* with @vmcore: directory with the files live, sites and kallsyms */
	/* With @vmcore: kma_dump_open(). */
	struct kma_err *(*open)(const char *vmcore, const char *kallsyms,
				struct kma_heap_target *ret);
	bool before; /* take the objects that are older than the module, too (census.h) */
};

struct kma_target_ops {
	/* Free all. */
	void (*close)(void *arg);
	/*
	 * Find the direct map. @heap is the address of an object in it. The functions below, except
	 * word(), need this. Fails if @heap is not in the direct map.
	 */
	struct kma_err *(*find)(void *arg, uint64_t heap);
	/* Get the memory of the direct map. */
	const struct kma_memory *(*memory)(void *arg);
	/*
	 * Read the aligned word at any address of the kernel; false if nothing can be read there.
	 * The page of the word may be kept, so that later words of the page are as old as the first
	 * one.
	 */
	bool (*word)(void *arg, uint64_t addr, uint64_t *ret);
	/* Bytes of a page of the kernel, a multiple of KMA_HEAP_PAGE. Needs no find(). */
	uint64_t (*page)(const void *arg);
	/* The address of physical address 0 in the direct map. */
	uint64_t (*base)(const void *arg);
	/* The address at which the kernel's image has @addr of the direct map; 0 if it has not. */
	uint64_t (*variable)(const void *arg, uint64_t addr);
	/* The address of a symbol by VMCOREINFO, which has some that kallsyms can lack. */
	bool (*symbol)(void *arg, const char *name, uint64_t *ret);
	/*
	 * The word at an offset of this process' struct task_struct; NULL: the kernel does not run.
	 */
	bool (*task)(void *arg, uint64_t offset, uint64_t *ret);
	/* What the page of @addr in the direct map is used for now. */
	enum kma_page_use (*use)(const void *arg, uint64_t addr);
	/* Call @fn for each slab, in the order of their addresses. */
	struct kma_err *(*slabs)(void *arg, kma_page_fn fn, void *fn_arg);
	/*
	 * Call @fn for each page of the direct map that is no slab, in the order of their addresses.
	 * Free pages may be left out.
	 */
	struct kma_err *(*pages)(void *arg, kma_page_fn fn, void *fn_arg);
	/* Read the types of the kernel; NULL if there are none. */
	struct kma_btf *(*types)(void *arg);
	/* Number of possible CPUs, and of possible NUMA nodes. */
	unsigned int (*cpus)(void *arg);
	unsigned int (*nodes)(void *arg);
	/* The kernel's release, as uname() has it; "" if it is not known. */
	const char *(*release)(const void *arg);
	/* Wipe what word() has kept. */
	void (*forget)(void *arg);
	/* Add sentences about what the scan could not read. NULL: nothing to say. */
	void (*lacks)(const void *arg, struct kma_notes *notes);
};

struct kma_heap_target {
	const struct kma_target_ops *ops; /* NULL: not open */
	void *arg;
};

/* The longest BTF that is read. */
#define KMA_TARGET_BTF_MAX (UINT64_C(256) << 20)

/* Most CPUs and nodes of a kernel. */
#define KMA_TARGET_CPUS 65536

static inline bool kma_target_word(const struct kma_heap_target *target, uint64_t addr,
				   uint64_t *ret)
{
	return target->ops->word(target->arg, addr, ret);
}

static inline uint64_t kma_target_page(const struct kma_heap_target *target)
{
	return target->ops->page(target->arg);
}

static inline uint64_t kma_target_base(const struct kma_heap_target *target)
{
	return target->ops->base(target->arg);
}

static inline void kma_target_forget(const struct kma_heap_target *target)
{
	target->ops->forget(target->arg);
}

#endif /* KMA_HEAP_TARGET_H */
