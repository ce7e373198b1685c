// SPDX-License-Identifier: GPL-2.0-only
/*
 * refuse-open.c - for LD_PRELOAD: open(2) and openat(2) of the file REFUSED below a directory trace/
 * fail with the error number WHY, as the module refuses its files.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool refused(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && strstr(path, "/trace/") && !strcmp(name + 1, getenv("REFUSED"));
}

static int open_as(const char *name, const char *path, int flags, va_list args)
{
	typeof(open) *real = dlsym(RTLD_NEXT, name);

	if (!refused(path))
		return real(path, flags, flags & O_CREAT ? va_arg(args, int) : 0);
	errno = atoi(getenv("WHY"));
	return -1;
}

int open(const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = open_as("open", path, flags, args);
	va_end(args);
	return fd;
}

int open64(const char *path, int flags, ...)
{
	va_list args;
	int fd;

	va_start(args, flags);
	fd = open_as("open64", path, flags, args);
	va_end(args);
	return fd;
}

int openat(int dir, const char *path, int flags, ...)
{
	typeof(openat) *real = dlsym(RTLD_NEXT, "openat");
	va_list args;
	int mode;

	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, int) : 0;
	va_end(args);
	if (!refused(path))
		return real(dir, path, flags, mode);
	errno = atoi(getenv("WHY"));
	return -1;
}

int openat64(int dir, const char *path, int flags, ...) __attribute__((alias("openat")));
