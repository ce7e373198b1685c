/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stock.h - the static sizes of a kernel that was built elsewhere, by its debug files alone.
 *
 * The result has the form of the static sizes of a built tree (kbuild/static.h), so the same code
 * shows both. An "object" is the bytes of one source file in vmlinux or in one module. Its sections
 * are those of the linked file. All objects of a file add up to its sections that take memory, to
 * the byte. Bytes without a source file are in objects whose source is a name in brackets
 * (assign.h). The texts of the result point into blocks of holdings (stock.c), which are mapped
 * from the cache or were computed.
 *
 * Locking: vmlinux is read first, by the calling thread, so that a bad file is reported at once.
 * Then up to KMA_STOCK_THREADS more threads read modules. Each takes the next module by an atomic
 * counter and writes only to that module's struct kma_stock_file. They are joined before anything
 * is added up or stored in the cache; so no lock is needed.
 */
#ifndef KMA_IMAGE_STOCK_H
#define KMA_IMAGE_STOCK_H

#include "kbuild/static.h"
#include "symbol/image.h"

struct kma_stock_file;

struct kma_stock {
	struct kma_static *st;	    /* the sizes */
	struct kma_object *objects; /* sources and modules of the objects of @st */
	size_t nr_objects;
	struct kma_stock_file *files; /* vmlinux, then its modules, sorted by path */
	size_t nr_files;
	char release[128];    /* of the kernel, "" when unknown */
	size_t nr_twice;      /* files of modules that other files have, too; they are left out */
	char *twice;	      /* the first of these and the other file; NULL: none */
	uint64_t missing;     /* compilation units that could not be read */
	struct kma_gaps gaps; /* modules and directories that could not be read */
};

/*
 * Reads the debug files of a kernel: @vmlinux with debugging information, and the modules below
 * @modules (NULL: the kernel alone). The result for each file is stored in the cache by its build
 * ID.
 *
 * A module that cannot be read is counted in the gaps. If several files have the name of one
 * module, one of them counts, because a kernel can load only one: a file with debugging information
 * before one without, then a file below a directory "updates", then the first one by path.
 *
 * It is an error if vmlinux has no debugging information or is corrupt, if there are no modules, or
 * if a module is of another kernel.
 */
struct kma_err *kma_stock_read(const char *vmlinux, const char *modules, struct kma_stock **ret);

void kma_stock_destroy(struct kma_stock *stock);

#endif /* KMA_IMAGE_STOCK_H */
