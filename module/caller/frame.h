/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame.h - to what kind of function a return address belongs.
 *
 * A walk over a stack looks for the owner of the memory: the first function that is not part
 * of an allocator, not a wrapper and not part of this module. A function is known by its name
 * (name.h). symbol.h has the addresses of all functions that have a kind. A search there takes some
 * 100 instructions, so the kind of each return address is kept in a cache of four ways, the memo.
 * A cache cannot be full, as a table can.
 *
 * Probes read and write the memo without a lock: a slot is 64 bits with an address and its
 * kind, so that one load gets both or neither. An entry that is overwritten, or written
 * twice, costs another look-up and is never wrong.
 *
 * When a module is unloaded, its addresses may be used again: see kma_frame_forget().
 *
 * Never done here: walking a stack; allocating after kma_frame_init().
 *
 * Locking: none of its own (symbol.h). Interrupts are off where a kind is looked up.
 */
#ifndef KMA_FRAME_H
#define KMA_FRAME_H

#include <linux/types.h>

#include "caller/name.h"

struct module;

/**
 * kma_frame_init() - make the table of symbol.h and reserve the memo
 * @wrappers: as kma_symbol_wrap() takes it
 *
 * Context: process, may sleep.
 * Return: 0, or an error as that of kma_symbol_wrap(). Nothing is reserved after an error.
 */
int kma_frame_init(const char *wrappers);

/*
 * Release the previous table and empty the memo.
 * Context: process, may sleep. No event is in progress that began before kma_symbol_wrap().
 */
void kma_frame_settle(void);

/*
 * Release the memo and the table.
 * Context: process, may sleep. Also called after kma_frame_init() has failed.
 */
void kma_frame_deinit(void);

/*
 * Get the kind of the function that a return address lies in.
 * Context: any but NMI, interrupts off; after kma_frame_init().
 * Return: KMA_FRAME_* flags, or 0 for an ordinary function.
 */
unsigned int kma_frame_kind(unsigned long addr);

/**
 * kma_frame_forget() - drop the kinds of addresses in code that is loaded or unloaded
 * @inside: tells whether an address is in that code
 * @arg: passed to @inside
 *
 * Context: process. None of that code may run.
 */
void kma_frame_forget(bool (*inside)(unsigned long addr, void *arg), void *arg);

/**
 * kma_frame_learn() - find the kinds of functions of a module that is being loaded
 * @mod: the module, which the caller keeps loaded
 *
 * Context: process, may sleep; after kma_frame_forget() for its addresses.
 */
void kma_frame_learn(struct module *mod);

/*
 * Get the size of the memo and of the table.
 * Context: process, may sleep.
 * Return: bytes; 0 if the memo is not reserved.
 */
size_t kma_frame_memory(void);

#endif /* KMA_FRAME_H */
