/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debug.h - a source of places (source.h) that uses a vmlinux and its modules.
 */
#ifndef KMA_TREE_DEBUG_H
#define KMA_TREE_DEBUG_H

#include "source.h"

/**
 * kma_debug_create() - open a kernel image as a source of places
 * @vmlinux: kernel image with debugging information, or with symbols; or its System.map. The text
 *	has to live as long as @ret
 * @modules: directory to search for modules; NULL: where packages install them relative to @vmlinux
 * @ret: the source, to be freed by kma_source_destroy()
 *
 * For an image without symbols, those of the System.map in the same directory are read. Without
 * debugging information only the names of files are known, and not of all functions (origin.h).
 *
 * Return: NULL; or an error: not readable, neither ELF nor System.map, or without symbols.
 */
struct kma_err *kma_debug_create(const char *vmlinux, const char *modules, struct kma_source **ret);

#endif /* KMA_TREE_DEBUG_H */
