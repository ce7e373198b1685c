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
 * Locking: none of its own (symbol.h). Interrupts are off where a kind is looked up.
 *
 * Contexts: process, may sleep, unless stated.
 */
#ifndef KMA_FRAME_H
#define KMA_FRAME_H

#include <linux/types.h>

#include "caller/name.h"

struct module;

/*
 * Make the table of symbol.h, and reserve the memo. @wrappers and errors are those of
 * kma_symbol_wrap(); nothing is reserved after an error. kma_frame_deinit() may be called then,
 * too.
 */
int kma_frame_init(const char *wrappers);

/*
 * Release the previous table and empty the memo. No event is in progress that began before
 * kma_symbol_wrap().
 */
void kma_frame_settle(void);

void kma_frame_deinit(void);

/*
 * KMA_FRAME_* flags of the function that a return address lies in, or 0. Any context but NMI, irqs
 * off.
 */
unsigned int kma_frame_kind(unsigned long addr);

/* Drop the kinds of addresses in code that is loaded or unloaded. None of it may run. */
void kma_frame_forget(bool (*inside)(unsigned long addr, void *arg), void *arg);

/*
 * Find the kinds of functions of a module that is being loaded, and that the caller keeps loaded;
 * after kma_frame_forget() for its addresses.
 */
void kma_frame_learn(struct module *mod);

/* Of the memo and the table; 0 if the memo is not reserved. */
size_t kma_frame_memory(void);

#endif /* KMA_FRAME_H */
