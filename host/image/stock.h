/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stock.h - the static sizes of a kernel that was built elsewhere, by its debug files alone.
 *
 * The result has the form of what a built tree's objects hold (kbuild/static.h): an
 * "object" is what one source file has of vmlinux, or of one module. Its sections are those
 * of the linked file, and add up to its allocated sections, to the byte. Bytes without a
 * source file are in objects whose source is a name in brackets (assign.h).
 *
 * Locking: modules are read by threads. Each takes the next module by an atomic counter and
 * writes to that module's place alone. They are joined before kma_stock_read() returns.
 */
#ifndef KMA_IMAGE_STOCK_H
#define KMA_IMAGE_STOCK_H

#include "kbuild/static.h"
#include "symbol/image.h"

struct kma_stock_file;

struct kma_stock {
	struct kma_static *st;
	struct kma_object *objects; /* that @st is of */
	size_t nr_objects;
	struct kma_stock_file *files; /* vmlinux, then its modules */
	size_t nr_files;
	char release[128];    /* of the kernel, "" when not known */
	uint64_t missing;     /* units that could not be read */
	struct kma_gaps gaps; /* modules that could not be read */
};

/**
 * kma_stock_read() - read the debug files of a kernel
 * @vmlinux: the kernel, with debugging information
 * @modules: directory below which its modules lie, or NULL: the kernel alone
 * @ret: what they hold
 *
 * What was found out of a file is kept in the cache, by its build ID. A module that cannot
 * be read is counted in the gaps.
 *
 * Return: NULL; or an error that names the file and says what to do: no debugging
 * information, damaged, cut short, modules of another kernel.
 */
struct kma_err *kma_stock_read(const char *vmlinux, const char *modules, struct kma_stock **ret);

/**
 * kma_stock_destroy() - forget it
 * @stock: from kma_stock_read(); NULL is fine
 */
void kma_stock_destroy(struct kma_stock *stock);

#endif /* KMA_IMAGE_STOCK_H */
