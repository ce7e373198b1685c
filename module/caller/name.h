/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name.h - the kind of a function, by its name.
 *
 * Functions of the allocators, and functions around them, are recognised by their names:
 * name.c has tables of them. Wrappers are in a list that a user writes. Names are compared as
 * in the source: the suffixes of a compiler (.isra.0, .constprop.0, .part.0, .cold) and the
 * _noprof of newer kernels are cut off.
 *
 * Never done here: looking up an address (symbol.h does that).
 *
 * Locking: none. Events may read the list of wrappers while it is replaced; the old list
 * stays allocated until kma_name_settle().
 */
#ifndef KMA_NAME_H
#define KMA_NAME_H

#include <linux/types.h>

/*
 * Kinds of functions. A function may have several kinds; most functions have none.
 *  TRACE    this module, and the functions between an event and its probe
 *  PAGE     the page allocator: allocates pages for its caller
 *  SLAB     the slab allocator: allocates pages for its objects
 *  PERCPU   the percpu allocator: allocates pages for its chunks
 *  RECLAIM  reclaims memory for an allocation, or charges it to a memory cgroup
 *  WRAPPER  in the list of wrappers: allocates for its caller
 *  ENTRY    an interrupt, a trap or a system call starts here. The stack ends with this
 *           frame, because frames outside of it do not belong to the event; not if the frame
 *           is also TRACE, or follows such a frame through ENTRY frames only
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
 * @list: symbols, separated by commas; the word "default" stands for the list in name.c.
 *	NULL for no wrappers
 *
 * Events in progress may still use the old list. The caller waits for them, and then calls
 * kma_frame_settle().
 *
 * Context: process, may sleep; serialised by the caller.
 * Return: 0; -EINVAL if the list has too many names, with a line in the kernel log; or
 * -ENOMEM. After an error the old list stays in use.
 */
int kma_name_wrap(const char *list);

/**
 * kma_name_settle() - release the previous list
 *
 * Context: process, may sleep. No event is in progress that began before kma_name_wrap().
 */
void kma_name_settle(void);

/**
 * kma_name_release() - release the list, so that there are no wrappers
 *
 * Context: process, may sleep. No event is in progress.
 */
void kma_name_release(void);

/**
 * kma_name_kind() - get the kind of a function
 * @name: name of the function, after kma_name_cut()
 *
 * Context: any.
 * Return: KMA_FRAME_* flags, without KMA_FRAME_TRACE for our own functions.
 */
unsigned int kma_name_kind(const char *name);

/**
 * kma_name_cut() - reduce a symbol to the name in the source
 * @symbol: the symbol as kallsyms prints it, without an offset; cut in place
 *
 * Context: any.
 */
void kma_name_cut(char *symbol);

#endif /* KMA_NAME_H */
