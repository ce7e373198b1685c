/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * retire.h - keeps the names of call sites whose code is unloaded.
 *
 * The code of a module is removed when the module is unloaded, and its __init code after it
 * was loaded. Before that, a notifier of modules saves the names of the call sites in this
 * code, and drops what is known about their addresses.
 */
#ifndef KMA_RETIRE_H
#define KMA_RETIRE_H

/*
 * Register the notifier of modules, when all tables are reserved. Context: process, may sleep.
 * Returns 0 or a negative error.
 */
int kma_retire_init(void);

/* Before the tables are released. */
void kma_retire_deinit(void);

#endif /* KMA_RETIRE_H */
