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
 *
 * Contexts: process, may sleep, unless stated.
 */
#ifndef KMA_SYMBOL_H
#define KMA_SYMBOL_H

#include <linux/types.h>

struct module;

/*
 * Make the table, or make it again for other wrappers (kma_names_create()). Events in progress may
 * still use the old table. The caller waits for them, and then calls kma_symbol_settle().
 *
 * Return: 0; -ENOMEM, -EINVAL as kma_names_create(), or -EOPNOTSUPP with a line in the kernel log,
 * if the kernel is built without CONFIG_KALLSYMS. After an error the old table stays in use.
 */
int kma_symbol_wrap(const char *wrappers);

/* Release the previous table. No event is in progress that began before kma_symbol_wrap(). */
void kma_symbol_settle(void);

/* Release the table, if there is one; no caller of kma_symbol_kind() runs. */
void kma_symbol_deinit(void);

/*
 * KMA_FRAME_* flags (name.h) of the function that a return address lies in, or 0. Any context but
 * NMI, irqs off.
 */
unsigned int kma_symbol_kind(unsigned long addr);

/*
 * Add the functions of a module, which the caller keeps loaded, to the table, if there is one. If
 * there is no memory, a line in the kernel log says so, and the functions have no kind. True if
 * they were not in the table.
 */
bool kma_symbol_learn(struct module *mod);

/* Remove addresses of code that is loaded or unloaded. */
void kma_symbol_forget(bool (*inside)(unsigned long addr, void *arg), void *arg);

size_t kma_symbol_memory(void);

#endif /* KMA_SYMBOL_H */
