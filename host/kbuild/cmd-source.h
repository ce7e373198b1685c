/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cmd-source.h - the source file that a .cmd file names.
 */
#ifndef KMA_KBUILD_CMD_SOURCE_H
#define KMA_KBUILD_CMD_SOURCE_H

#include "lib/err.h"

/**
 * kma_cmd_source() - find the file that an object was compiled from
 * @cmd_path: the .cmd file of the object
 * @ret: as the compiler was given it, to be freed; NULL if the object was not compiled,
 *	but linked from others
 *
 * Return: NULL or an error: the .cmd file cannot be read, or it is truncated.
 */
struct kma_err *kma_cmd_source(const char *cmd_path, char **ret);

#endif /* KMA_KBUILD_CMD_SOURCE_H */
