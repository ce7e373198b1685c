/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame.h - to what kind of function a return address belongs.
 *
 * A walk over a stack looks for the owner of the memory: the first function that
 * is not the allocator's, not a helper's and not ours. Functions are known by
 * their names (name.h).
 *
 * A name costs some thousand instructions, so the kind of a function is kept, by
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

#include "caller/name.h"

/**
 * kma_frame_init() - reserve the memo and the buffers
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or -EOPNOTSUPP if the kernel knows no names of functions. Nothing
 * is reserved then.
 */
int kma_frame_init(void);

/**
 * kma_frame_settle() - release the list of before, and look up all addresses again
 *
 * Context: process, may sleep. No event is under way that began before
 * kma_name_wrap().
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
