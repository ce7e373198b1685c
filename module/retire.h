/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * retire.h - call sites keep their names when the code that they lie in goes away.
 *
 * A notifier of modules: a module's own code goes when it is unloaded, and its __init
 * code when it is loaded. The names of the sites there are kept before, and what is
 * known of their addresses is forgotten.
 */
#ifndef KMA_RETIRE_H
#define KMA_RETIRE_H

/**
 * kma_retire_init() - watch modules come and go
 *
 * Context: process, may sleep; all tables are reserved.
 * Return: 0 or a negative error.
 */
int kma_retire_init(void);

/**
 * kma_retire_deinit() - watch them no more
 *
 * Context: process, may sleep; before the tables are released.
 */
void kma_retire_deinit(void);

#endif /* KMA_RETIRE_H */
