/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - the file of the code at an address, and the offset in that file.
 *
 * An address means nothing on another machine or after the next boot. The file, the offset in
 * its text and its build ID do: with that file the source line can be found.
 */
#ifndef KMA_PLACE_H
#define KMA_PLACE_H

#include <linux/kallsyms.h>

/* A symbol; a module's name, an offset and a build ID; three tabs. */
#define KMA_PLACE_LEN	(KSYM_SYMBOL_LEN + 128)

/**
 * kma_place_print() - describe an address
 * @addr: the address
 * @buf: set to "FILE\tOFFSET\tBUILD-ID\tSYMBOL"; what is not known is "-"
 *
 * Context: process.
 */
void kma_place_print(unsigned long addr, char buf[KMA_PLACE_LEN]);

#endif /* KMA_PLACE_H */
