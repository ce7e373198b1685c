// SPDX-License-Identifier: GPL-2.0-only
/*
 * program.c - what the program is to its shell.
 */
#include <fcntl.h>
#include <unistd.h>

#include "cleanup.h"
#include "program.h"

static const char *program_name = "kmem-account";

const char *kma_program(void)
{
	return program_name;
}

void kma_program_set(const char *name)
{
	program_name = name;
}

void kma_program_streams(void)
{
	static const int modes[] = {
		[STDIN_FILENO] = O_WRONLY,
		[STDOUT_FILENO] = O_RDONLY,
		[STDERR_FILENO] = O_WRONLY,
	};

	/* open() returns the lowest number that is free, which is @fd. */
	for (int fd = 0; fd < (int)ARRAY_SIZE(modes); fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) < 0)
			return; /* a system without /dev/null */
}
