/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debug.h - a source of places (source.h) that uses a vmlinux and its modules.
 */
#ifndef KMA_TREE_DEBUG_H
#define KMA_TREE_DEBUG_H

#include "source.h"

/*
 * @vmlinux is a kernel image with debugging information, or with symbols, or its System.map; the
 * text has to live as long as @ret. @modules is searched for modules; NULL: where packages install
 * them relative to @vmlinux.
 *
 * For an image without symbols, those of the System.map in the same directory are read. Without
 * debugging information only the names of files are known, and not of all functions (origin.h). It
 * is an error if the file is not readable, neither ELF nor System.map, or without symbols.
 */
struct kma_err *kma_debug_create(const char *vmlinux, const char *modules, struct kma_source **ret);

#endif /* KMA_TREE_DEBUG_H */
