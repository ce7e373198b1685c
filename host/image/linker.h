/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * linker.h - finds the linker that made a kernel, to know how it merges constants.
 */
#ifndef KMA_IMAGE_LINKER_H
#define KMA_IMAGE_LINKER_H

#include "constants.h"
#include "lib/err.h"
#include "vmlinux.h"

/**
 * kma_linker_find() - find out how the linker of a kernel merges constants
 * @dir: the built tree
 * @priv: its image, with sections and sorted symbols
 * @ret: the linker
 *
 * LLVM's linker is known by the image's .comment. The version of GNU ld is CONFIG_LD_VERSION in
 * include/config/auto.conf, else the one in the image's linux_banner. If neither has it, the
 * linker is taken for one before 2.41.
 *
 * Return: NULL, or an error: no memory.
 */
struct kma_err *kma_linker_find(const char *dir, const struct kma_vmlinux *priv,
				enum kma_constants_linker *ret);

#endif /* KMA_IMAGE_LINKER_H */
