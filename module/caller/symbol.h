/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symbol.h - the kind of the function at an address: a table of addresses.
 *
 * kallsyms gives the symbol of an address, and name.h the kind of a function of that name. That
 * takes some thousand instructions for a function of vmlinux, and for one of a module some for
 * each of its symbols. Events have irqs off, so they do not do it. Instead, what switches a feature
 * on steps through the text of vmlinux and through the symbols of all modules, and makes a
 * table of the addresses of all functions that have a kind. An event searches the table. The table
 * follows modules that are loaded or unloaded.
 *
 * A symbol that comes without a module, as those of BPF programs do, has no kind.
 *
 * Never done here: remembering a result; looking up a symbol in an event.
 *
 * Locking: a mutex for what replaces the table. Events read the table with irqs off, without a
 * lock; an old table is released after they have ended.
 */
#ifndef KMA_SYMBOL_H
#define KMA_SYMBOL_H

#include <linux/types.h>

struct module;

/**
 * kma_symbol_wrap() - make the table, or make it again for other wrappers
 * @wrappers: as kma_names_create() takes it
 *
 * Events in progress may still use the old table. The caller waits for them, and then calls
 * kma_symbol_settle().
 *
 * Context: process, may sleep; serialised by the caller.
 * Return: 0; -ENOMEM, -EINVAL as kma_names_create(), or -EOPNOTSUPP with a line in the kernel log,
 * if the kernel is built without CONFIG_KALLSYMS. After an error the old table stays in use.
 */
int kma_symbol_wrap(const char *wrappers);

/*
 * Release the previous table.
 * Context: process, may sleep. No event is in progress that began before kma_symbol_wrap().
 */
void kma_symbol_settle(void);

/*
 * Release the table.
 * Context: process, may sleep; no caller of kma_symbol_kind() runs. Without effect if there is no
 * table.
 */
void kma_symbol_deinit(void);

/*
 * Look up the kind of the function that a return address lies in.
 * Context: any but NMI, interrupts off; after kma_symbol_wrap().
 * Return: KMA_FRAME_* flags (name.h), or 0 for an ordinary function.
 */
unsigned int kma_symbol_kind(unsigned long addr);

/**
 * kma_symbol_learn() - add the functions of a module to the table, if there is one
 * @mod: the module, which the caller keeps loaded
 *
 * If there is no memory, a line in the kernel log says so, and the functions have no kind.
 *
 * Context: process, may sleep.
 * Return: true if they were not in the table.
 */
bool kma_symbol_learn(struct module *mod);

/**
 * kma_symbol_forget() - remove addresses of code that is loaded or unloaded from the table
 * @inside: tells whether an address is in that code
 * @arg: passed to @inside
 *
 * Context: process, may sleep.
 */
void kma_symbol_forget(bool (*inside)(unsigned long addr, void *arg), void *arg);

/* Get the size of the table. Context: process, may sleep. Return: bytes; 0 if there is none. */
size_t kma_symbol_memory(void);

#endif /* KMA_SYMBOL_H */
