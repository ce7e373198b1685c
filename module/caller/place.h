/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - the file of the code at an address, and the offset in that file.
 *
 * An address has no meaning on another machine or after the next boot. The file (vmlinux or
 * a module), the offset in its text and its build ID have: a host with that file finds the
 * source line.
 */
#ifndef KMA_PLACE_H
#define KMA_PLACE_H

#include <linux/kallsyms.h>
#include <linux/types.h>

/* A symbol; a module's name, an offset and a build ID; three tabs. */
#define KMA_PLACE_LEN	(KSYM_SYMBOL_LEN + 128)

/*
 * Set @buf to "FILE\tOFFSET\tBUILD-ID\tSYMBOL"; an unknown field is "-". @held: the caller is a
 * module notifier, so a module that is being unloaded is still complete.
 *
 * Context: process, may sleep; the caller holds a lock that the module notifier takes, so no module
 * is unloaded while this function runs.
 */
void kma_place_print(unsigned long addr, char buf[KMA_PLACE_LEN], bool held);

#endif /* KMA_PLACE_H */
