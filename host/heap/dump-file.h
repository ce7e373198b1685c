/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump-file.h - a dump of a kernel's memory as a file: physical addresses, and the kernel's
 * VMCOREINFO.
 *
 * The file is an ELF core, as /proc/vmcore of a crash kernel, makedumpfile -E or QEMU's
 * dump-guest-memory write it. Its segments are used by their physical addresses. Or makedumpfile
 * has compressed it.
 *
 * Locking: kma_dump_file_read() may be called by different threads.
 */
#ifndef KMA_HEAP_DUMP_FILE_H
#define KMA_HEAP_DUMP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/err.h"

struct kma_dump_compressed; /* dump-file.c */

/* Some physical memory. */
struct kma_dump_range {
	uint64_t start, end;
	uint64_t off; /* of @start in the file */
};

struct kma_dump_file {
	char *path;
	int fd;
	struct kma_dump_compressed *compressed; /* NULL: an ELF core */
	struct kma_dump_range *data; /* that an ELF core has, sorted; they do not overlap */
	size_t nr_data;
	struct kma_dump_range *ram; /* that the file describes, with what was left out; sorted */
	size_t nr_ram;
	char *info; /* VMCOREINFO, lines "KEY=VALUE" */
};

/*
 * @ret has to be closed also after an error: the file cannot be read, is not a dump of an x86-64
 * kernel, is truncated, or has no VMCOREINFO.
 */
struct kma_err *kma_dump_file_open(const char *path, struct kma_dump_file *ret);

/* @file may be zeroed. */
void kma_dump_file_close(struct kma_dump_file *file);

/* Reads bytes at a physical address. False if the file does not have all of them. */
bool kma_dump_file_read(const struct kma_dump_file *file, uint64_t start, void *buf, size_t len);

/* After a read that failed: an error if the compressed dump is corrupt; else NULL. */
struct kma_err *kma_dump_file_broken(const struct kma_dump_file *file);

#endif /* KMA_HEAP_DUMP_FILE_H */
