/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debug.h - files of call sites by the debugging information of a vmlinux and its modules.
 */
#ifndef KMA_TREE_DEBUG_H
#define KMA_TREE_DEBUG_H

#include "source.h"

/**
 * kma_debug_create() - look up by a kernel image
 * @vmlinux: kernel image with debugging information, or with symbols; or its System.map
 * @modules: directory to find modules in; NULL looks where packages put them beside @vmlinux
 * @ret: the source
 *
 * An image without symbols takes those of the System.map beside it. Without debugging
 * information files are known by name only, and not all (origin.h).
 *
 * Return: NULL; or an error: not readable, neither ELF nor System.map, or without symbols.
 */
struct kma_err *kma_debug_create(const char *vmlinux, const char *modules, struct kma_source **ret);

#endif /* KMA_TREE_DEBUG_H */
