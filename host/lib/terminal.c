// SPDX-License-Identifier: GPL-2.0-only
/*
 * terminal.c - get the size of a terminal.
 */
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "terminal.h"

/* Columns or lines in the environment above this are treated as a mistake, and ignored. */
#define KMA_TERMINAL_MOST 10000

/* Number in a variable of the environment; 0: none. */
static size_t terminal_env(const char *name)
{
	const char *value = getenv(name);
	unsigned long number;
	char *end;

	if (!value)
		return 0;
	number = strtoul(value, &end, 10);
	return end == value || *end || number > KMA_TERMINAL_MOST ? 0 : number;
}

bool kma_terminal_size(int fd, struct kma_terminal *ret)
{
	struct winsize size = { 0 };

	if (!isatty(fd))
		return false;
	if (ioctl(fd, TIOCGWINSZ, &size))
		size = (struct winsize){ 0 };
	ret->columns = terminal_env("COLUMNS") ?: size.ws_col ?: 80;
	ret->lines = terminal_env("LINES") ?: size.ws_row ?: 24;
	return true;
}
