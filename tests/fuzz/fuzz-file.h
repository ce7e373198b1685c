/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz-file.h - the bytes of a run as a file that has a name: for what libraries open
 * themselves. One file in memory for all runs.
 */
#ifndef KMA_FUZZ_FILE_H
#define KMA_FUZZ_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/**
 * kma_fuzz_file() - the file with these bytes, and no others
 * @data: bytes
 * @size: how many
 *
 * Return: its name, the same in each run.
 */
static inline const char *kma_fuzz_file(const uint8_t *data, size_t size)
{
	static char path[32];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("fuzz", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	return path;
}

#endif /* KMA_FUZZ_FILE_H */
