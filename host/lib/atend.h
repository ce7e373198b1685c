/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * atend.h - what is done when a signal ends the program: incomplete output files are removed, and a
 * mapped input file that became shorter is named. Only main() installs the handlers, so tests and
 * other programs are not affected.
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
 * kma_atend_signals() - install handlers for signals that end the program
 *
 * See atend.c. Signals that are ignored stay so.
 */
void kma_atend_signals(void);

#endif /* KMA_LIB_ATEND_H */
