/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - in which file, and where in the file, the code at an address is.
 *
 * An address means nothing to another machine, or after the next boot. The file
 * (vmlinux or a module), the offset in its text and its build ID do: a host
 * that has the file finds the line.
 */
#ifndef KMA_PLACE_H
#define KMA_PLACE_H

#include <linux/kallsyms.h>
#include <linux/types.h>

/* A symbol; a module's name, an offset and a build ID; three tabs. */
#define KMA_PLACE_LEN	(KSYM_SYMBOL_LEN + 128)

/**
 * kma_place_print() - describe an address
 * @addr: the address
 * @buf: set to "FILE\tOFFSET\tBUILD-ID\tSYMBOL"; what is unknown is "-"
 * @held: the caller is a module notifier: also a module that goes is whole
 *
 * Context: process, may sleep; a module that is not going yet cannot go
 * meanwhile, as its notifier waits for the caller.
 */
void kma_place_print(unsigned long addr, char buf[KMA_PLACE_LEN], bool held);

#endif /* KMA_PLACE_H */
