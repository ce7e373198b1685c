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

/*
 * $COLUMNS and $LINES if they are numbers, otherwise the size of the terminal; 80 columns and 24
 * lines if it is unknown. False if the file is not a terminal.
 */
bool kma_terminal_size(int fd, struct kma_terminal *ret);

#endif /* KMA_LIB_TERMINAL_H */
