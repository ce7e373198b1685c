/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * linker.h - find out which linker made a kernel, because linkers merge constants differently.
 */
#ifndef KMA_IMAGE_LINKER_H
#define KMA_IMAGE_LINKER_H

#include "constants.h"
#include "lib/err.h"
#include "vmlinux.h"

/**
 * kma_linker_find() - find out which linker made a kernel
 * @dir: top of the built tree
 * @priv: its image, with sections and sorted symbols
 * @ret: the linker
 *
 * LLVM's linker is recognised by the image's .comment. The version of GNU ld is CONFIG_LD_VERSION
 * in include/config/auto.conf, else the one in the image's linux_banner. If neither has a version,
 * the linker is treated as GNU ld before 2.41.
 *
 * Return: NULL; or an error that is not one of a file (kma_err_is_of_file()).
 */
struct kma_err *kma_linker_find(const char *dir, const struct kma_vmlinux *priv,
				enum kma_constants_linker *ret);

#endif /* KMA_IMAGE_LINKER_H */
