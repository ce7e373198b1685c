/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - the file of the code at an address, and the offset in that file.
 *
 * An address is valid only until the next boot of this machine. The name of the file, the offset
 * in its text and its build ID stay valid: a program that has the file finds the source line.
 */
#ifndef KMA_PLACE_H
#define KMA_PLACE_H

#include <linux/kallsyms.h>

/* Length of a text: the symbol, and 128 bytes for a module's name, offset, build ID and tabs. */
#define KMA_PLACE_LEN	(KSYM_SYMBOL_LEN + 128)

/**
 * kma_place_print() - print the file, the offset, the build ID and the symbol of an address
 * @addr: an address of code
 * @buf: set to "FILE\tOFFSET\tBUILD-ID\tSYMBOL". FILE is "vmlinux" or the name of a module. OFFSET
 *	has "init:" before it if it is in a module's init text. An unknown BUILD-ID is "-".
 *
 * Context: process.
 */
void kma_place_print(unsigned long addr, char buf[KMA_PLACE_LEN]);

#endif /* KMA_PLACE_H */
