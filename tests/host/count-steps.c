// SPDX-License-Identifier: GPL-2.0-only
/*
 * count-steps.c - for LD_PRELOAD: write the number of calls of sqlite3_step() to the file STEPS. A
 * program without such calls writes nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long steps;

int sqlite3_step(void *stmt)
{
	static int (*real)(void *);

	if (!real)
		real = (int (*)(void *))dlsym(RTLD_NEXT, "sqlite3_step");
	steps++;
	return real(stmt);
}

__attribute__((destructor)) static void finish(void)
{
	FILE *file = steps ? fopen(getenv("STEPS"), "w") : NULL;

	if (file && fprintf(file, "%lu\n", steps) > 0)
		fclose(file);
}
