/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name.h - the kind of a function, by its name.
 *
 * Functions of the allocators, and functions around them, are recognised by their names:
 * name.c has tables of them. Wrappers are in a list that a user writes. Names are compared as
 * in the source: the suffixes of a compiler (.isra.0, .constprop.0, .part.0, .cold) and the
 * _noprof of newer kernels are cut off.
 *
 * Events never compare names: symbol.c has the addresses of the functions in a table.
 *
 * Locking: none. A table of names does not change.
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

struct kma_names;

/*
 * A table of all names that have a kind, with wrappers that are separated by commas; the word
 * "default" stands for the list in name.c. NULL for no wrappers.
 *
 * Context: process, may sleep. ERR_PTR(): -ENOMEM, or -EINVAL if there are too many wrappers, with
 * a line in the kernel log.
 */
struct kma_names *kma_names_create(const char *wrappers);

void kma_names_free(struct kma_names *names);

/*
 * KMA_FRAME_* flags of a name after kma_name_cut(), without KMA_FRAME_TRACE for our own functions.
 */
unsigned int kma_name_kind(const struct kma_names *names, const char *name);

/* Reduce a symbol of kallsyms, without an offset, to the name in the source; in place. */
void kma_name_cut(char *symbol);

#endif /* KMA_NAME_H */
