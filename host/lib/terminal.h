/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * terminal.h - test whether a file is a terminal, and get its size.
 */
#ifndef KMA_LIB_TERMINAL_H
#define KMA_LIB_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

struct kma_terminal {
	size_t columns, lines;
};

/**
 * kma_terminal_size() - get the size of the terminal of a file
 * @fd: the file
 * @ret: set to its size: $COLUMNS and $LINES if they are numbers, otherwise that of the terminal;
 *	80 columns and 24 lines if it is unknown
 *
 * Return: false if the file is not a terminal.
 */
bool kma_terminal_size(int fd, struct kma_terminal *ret);

#endif /* KMA_LIB_TERMINAL_H */
