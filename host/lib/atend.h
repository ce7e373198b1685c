/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * atend.h - what a handler of signals needs to know when the program ends at once: which
 * files are not complete, and which files are mapped. Nothing is installed here: the
 * commands do that (lib/signals.c), so a test or another program is not surprised.
 *
 * Locking: each place of the two tables is claimed and given back by an atomic exchange;
 * a handler only reads. A name is freed when nobody but a handler that is running in
 * another thread could read it: files are written when the threads of readers have ended.
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
 * kma_atend_mapped() - which file is it that cannot be read?
 * @addr: address of a fault
 *
 * May be called by a handler of a signal.
 *
 * Return: its name, NULL when it is none of those that are known.
 */
const char *kma_atend_mapped(const void *addr);

#endif /* KMA_LIB_ATEND_H */
