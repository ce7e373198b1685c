/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * atend.h - the incomplete output files and the mapped input files, for a signal handler that ends
 * the program at once. This file installs no handler; commands do that (lib/signals.c), so that
 * tests and other programs are not affected.
 *
 * Locking: each slot of the two tables is claimed and released by an atomic exchange; a handler
 * only reads. A name is freed only after the threads of readers have ended, so no handler in
 * another thread can still read it.
 */
#ifndef KMA_LIB_ATEND_H
#define KMA_LIB_ATEND_H

#include <stddef.h>

/**
 * kma_atend_unlink() - remove this file if the program is ended
 * @path: its name, copied; with no place left in the table it is not remembered
 */
void kma_atend_unlink(const char *path);

/**
 * kma_atend_keep() - the file is complete, or gone
 * @path: as given to kma_atend_unlink()
 */
void kma_atend_keep(const char *path);

/**
 * kma_atend_sweep() - remove the files that are not complete
 *
 * May be called by a handler of a signal.
 */
void kma_atend_sweep(void);

/**
 * kma_atend_map() - a file is mapped
 * @map: where
 * @len: its bytes
 * @name: of the file, for a message; has to live until kma_atend_unmap()
 */
void kma_atend_map(const void *map, size_t len, const char *name);

/**
 * kma_atend_unmap() - it is not any more
 * @map: as given to kma_atend_map()
 */
void kma_atend_unmap(const void *map);

/**
 * kma_atend_mapped() - find the mapped file that contains a fault
 * @addr: address of a fault
 *
 * May be called by a handler of a signal.
 *
 * Return: name of the file, NULL if the address is not in a mapped file.
 */
const char *kma_atend_mapped(const void *addr);

#endif /* KMA_LIB_ATEND_H */
