/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * commands.h - the commands that kbuild keeps in .cmd files: from which source an object was compiled
 * (.open.o.cmd), and which members an archive has (.built-in.a.cmd). From the commands of the archives
 * follows which objects a kernel was linked from. The archives themselves are not opened: they are
 * thin, a list of names, which these commands have, too.
 */
#ifndef KMA_KBUILD_COMMANDS_H
#define KMA_KBUILD_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/err.h"

struct kma_archives;
struct kma_gaps;

/**
 * kma_cmd_source() - find the file that an object was compiled from
 * @cmd_path: the .cmd file of the object
 * @ret: as the compiler was given it, to be freed; NULL if the object was not compiled,
 *	but linked from others
 *
 * Return: NULL or an error: the .cmd file cannot be read, or it is truncated.
 */
struct kma_err *kma_cmd_source(const char *cmd_path, char **ret);

/**
 * kma_cmd_inputs() - objects and archives that a kept command names
 * @dir: top of the tree
 * @path: what the command made, which is not in the list
 * @ret: NULL-terminated, one allocation with its texts; NULL when there is no command
 *
 * Understands `ar ... path/a.o path/b.o`, `printf "path/%s " a.o b.o | xargs ar ...` and
 * `ld -r`. What it does not understand, it leaves out.
 *
 * Return: NULL or an error: the command is there, but it cannot be read, or it is damaged.
 */
struct kma_err *kma_cmd_inputs(const char *dir, const char *path, char ***ret);

/**
 * kma_archives_read() - follow the archives from vmlinux down
 * @dir: top of the tree that was built
 * @ret: their contents; NULL if the tree has incomplete data (kernels before 6.1, and partly built
 *	 trees), so that no object can be classified
 * @gaps: commands that cannot be read are added; that of vmlinux.o may be missing
 *
 * Return: NULL or an error.
 */
struct kma_err *kma_archives_read(const char *dir, struct kma_archives **ret,
				  struct kma_gaps *gaps);

/**
 * kma_archives_destroy() - forget them
 * @archives: from kma_archives_read(); NULL is fine
 */
void kma_archives_destroy(struct kma_archives *archives);

/**
 * kma_archives_list() - all objects in them
 * @archives: the archives
 * @nr: how many
 *
 * Of a lib.a the linker may have left out some.
 *
 * Return: paths from the top, in the order of the linker; they stay with @archives.
 */
char *const *kma_archives_list(const struct kma_archives *archives, size_t *nr);

#endif /* KMA_KBUILD_COMMANDS_H */
