/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name.h - what kind a function of a name is.
 *
 * Functions of the allocators and of what stands around them are known by their names, in
 * tables in name.c, and wrappers in a list that a user writes. A name is compared as its
 * author wrote it: what a compiler appends (.isra.0, .constprop.0, .part.0, .cold) and the
 * _noprof of newer kernels is cut off.
 *
 * Never done here: looking up an address (symbol.h does that).
 *
 * Locking: none. Events read the list of wrappers while it is replaced; the old one stays
 * until kma_name_settle().
 */
#ifndef KMA_NAME_H
#define KMA_NAME_H

#include <linux/types.h>

/*
 * Kinds of functions; one may be of several, most are of none.
 *  TRACE    ourselves, and what stands between an event and our probe
 *  PAGE     the page allocator: passes pages on to its caller
 *  SLAB     the slab allocator: takes pages for its objects, or for large ones
 *  PERCPU   the percpu allocator: takes pages for its chunks
 *  RECLAIM  makes room for whoever asks for memory, or charges it to a memory cgroup
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
 * kma_name_wrap() - replace the list of wrappers
 * @list: symbols, separated by commas; "default" among them stands for the list in
 *	name.c. NULL for no wrappers
 *
 * Events that are under way may still use the old list: kma_frame_settle() must follow
 * after them.
 *
 * Context: process, may sleep; serialised by the caller.
 * Return: 0, -EINVAL if there are more names than have room, with a line in the kernel
 * log, or -ENOMEM. The list stays as it is then.
 */
int kma_name_wrap(const char *list);

/**
 * kma_name_settle() - release the list of before
 *
 * Context: process, may sleep. No event is under way that began before
 * kma_name_wrap().
 */
void kma_name_settle(void);

/**
 * kma_name_release() - release the list: there are no wrappers any more
 *
 * Context: process, may sleep. No event is under way.
 */
void kma_name_release(void);

/**
 * kma_name_kind() - what kind a function of a name is
 * @name: the name, as kma_name_cut() leaves it
 *
 * Context: any.
 * Return: KMA_FRAME_* flags, without KMA_FRAME_TRACE for our own functions.
 */
unsigned int kma_name_kind(const char *name);

/**
 * kma_name_cut() - reduce a symbol to the name that its author gave it
 * @symbol: as kallsyms print it, without an offset; cut in place
 *
 * Context: any.
 */
void kma_name_cut(char *symbol);

#endif /* KMA_NAME_H */
