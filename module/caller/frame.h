/* SPDX-License-Identifier: GPL-2.0 */
/*
 * frame.h - to what kind of function a return address belongs.
 *
 * Who walks over a stack wants the owner of the memory: the first function that
 * is not the allocator's, not a helper's and not ours. Functions are known by
 * their names, in one table here and in the list of parameter wrappers=. A
 * name is compared as its author wrote it: what a compiler appends (.isra.0,
 * .constprop.0, .part.0, .cold) and the _noprof of newer kernels is cut off.
 *
 * A name costs some thousand instructions, so what came of it is kept, by
 * address: in a cache of four ways, not in a table that can be full. Probes read
 * and write it without a lock, for a slot is 64 bits, an address and its kinds:
 * one load has both or neither. An entry that was pushed out, or written twice,
 * costs a look-up and is never wrong.
 *
 * Addresses of a module mean another thing when it is gone: kma_frame_forget().
 *
 * Never done here: no stack is walked, nothing is allocated after
 * kma_frame_init().
 *
 * Locking: none. kallsyms reads its tables under RCU or with preemption off, in
 * any context; irqs are off, so the buffer for names is this CPU's own.
 */
#ifndef KMA_FRAME_H
#define KMA_FRAME_H

#include <linux/types.h>

/*
 * Kinds of functions; one may be of several, most are of none.
 *  TRACE    ourselves, and what stands between an event and our probe
 *  PAGE     the page allocator: passes pages on to its caller
 *  SLAB     the slab allocator: takes pages for its objects, or for large ones
 *  PERCPU   the percpu allocator: takes pages for its chunks
 *  RECLAIM  makes room for who asks for memory, or charges it to a memory cgroup
 *  WRAPPER  in the list of wrappers: allocates for its caller
 *  ENTRY    an interrupt, a trap or a system call begins there: what lies
 *           beyond it is another one's business, unless it is TRACE, too, or
 *           others led from there to one that is TRACE
 */
#define KMA_FRAME_TRACE		0x01u
#define KMA_FRAME_PAGE		0x02u
#define KMA_FRAME_SLAB		0x04u
#define KMA_FRAME_PERCPU	0x08u
#define KMA_FRAME_WRAPPER	0x10u
#define KMA_FRAME_ENTRY		0x20u
#define KMA_FRAME_RECLAIM	0x40u

/**
 * kma_frame_init() - reserve the memo and the buffers; there are no wrappers
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or -EOPNOTSUPP if the kernel knows no names of functions. Nothing
 * is reserved then.
 */
int kma_frame_init(void);

/**
 * kma_frame_wrap() - replace the list of wrappers
 * @list: symbols, separated by commas; "default" among them stands for the list in
 *	frame.c. NULL for no wrappers
 *
 * Events that are under way may still use the old list: kma_frame_settle() must follow
 * after them.
 *
 * Context: process, may sleep; after kma_frame_init(), serialised by the caller.
 * Return: 0, -EINVAL if there are more names than have room, with a line in the kernel
 * log, or -ENOMEM. The list stays as it is then.
 */
int kma_frame_wrap(const char *list);

/**
 * kma_frame_settle() - release the list of before, and look up all addresses again
 *
 * Context: process, may sleep. No event is under way that began before
 * kma_frame_wrap().
 */
void kma_frame_settle(void);

/**
 * kma_frame_deinit() - release them; also after kma_frame_init() failed
 *
 * Context: process, may sleep.
 */
void kma_frame_deinit(void);

/**
 * kma_frame_kind() - what kind of function a return address lies in
 * @addr: the return address
 *
 * Context: any but NMI, irqs off; after kma_frame_init().
 * Return: KMA_FRAME_* flags, or 0 for an ordinary function.
 */
unsigned int kma_frame_kind(unsigned long addr);

/**
 * kma_frame_named() - what kind a function of a name is
 * @name: the name, as kma_frame_cut() leaves it
 *
 * Context: any.
 * Return: KMA_FRAME_* flags, without KMA_FRAME_TRACE for our own functions.
 */
unsigned int kma_frame_named(const char *name);

/**
 * kma_frame_cut() - reduce a symbol to the name that its author gave it
 * @symbol: as kallsyms print it, without an offset; cut in place
 *
 * Context: any.
 */
void kma_frame_cut(char *symbol);

/**
 * kma_frame_forget() - code comes or goes: its addresses are to be looked up
 * @inside: tells whether an address is in that code
 * @arg: handed to @inside
 *
 * Context: process. None of that code may run.
 */
void kma_frame_forget(bool (*inside)(unsigned long addr, void *arg), void *arg);

/**
 * kma_frame_memory() - what memo and names take
 *
 * Return: bytes.
 */
size_t kma_frame_memory(void);

#endif /* KMA_FRAME_H */
