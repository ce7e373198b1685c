/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symbol.h - the kind of the function at an address, looked up by its symbol.
 *
 * kallsyms gives the symbol of the address, and name.h the kind of a function of that name.
 * A look-up costs some thousand instructions, so frame.h keeps its result.
 *
 * Never done here: remembering a result; allocating after kma_symbol_init().
 *
 * Locking: none. kallsyms reads its tables under RCU or with preemption off, in any
 * context. Interrupts are off, so no other user of this CPU writes its buffer.
 */
#ifndef KMA_SYMBOL_H
#define KMA_SYMBOL_H

#include <linux/types.h>

/**
 * kma_symbol_init() - reserve a buffer for a symbol on each possible CPU
 *
 * Context: process, may sleep.
 * Return: 0; -ENOMEM; or -EOPNOTSUPP with a line in the kernel log, if the kernel is built
 * without CONFIG_KALLSYMS. Nothing is reserved after an error.
 */
int kma_symbol_init(void);

/**
 * kma_symbol_deinit() - release the buffers
 *
 * Context: process, may sleep; no caller of kma_symbol_kind() runs. Without effect if no
 * buffers are reserved.
 */
void kma_symbol_deinit(void);

/**
 * kma_symbol_kind() - look up the kind of the function that a return address lies in
 * @addr: the return address
 *
 * Context: any but NMI, interrupts off; after kma_symbol_init().
 * Return: KMA_FRAME_* flags (name.h), or 0 for an ordinary function.
 */
unsigned int kma_symbol_kind(unsigned long addr);

#endif /* KMA_SYMBOL_H */
