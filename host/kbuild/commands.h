/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * commands.h - the commands that kbuild keeps in .cmd files: from which source an object was
 * compiled (.open.o.cmd), and which members an archive has (.built-in.a.cmd).
 *
 * The commands of the archives, followed from vmlinux.o down, give the objects that a kernel was
 * linked from, in the order of the linker. The archives themselves are not opened: they are thin,
 * only a list of names, which these commands have, too.
 *
 * Only words that end in ".o" or ".a" are read from a command; no shell runs.
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
 * @ret: the file as it was given to the compiler, for free(3); NULL if the object was not compiled
 *	but linked from others
 *
 * Return: NULL, or an error: the .cmd file cannot be read, or it is truncated.
 */
struct kma_err *kma_cmd_source(const char *cmd_path, char **ret);

/**
 * kma_cmd_inputs() - get the objects and archives that a stored command names
 * @dir: top of the tree
 * @path: the output of the command, which is not in the list
 * @ret: NULL-terminated array, one allocation with its texts, for free(3); NULL if there is no
 *	command
 *
 * The forms `ar ... path/a.o path/b.o`, `printf "path/%s " a.o b.o | xargs ar ...` and `ld -r` are
 * understood. Other words of a command are ignored.
 *
 * Return: NULL, or an error: the command exists, but it cannot be read, or it is corrupt.
 */
struct kma_err *kma_cmd_inputs(const char *dir, const char *path, char ***ret);

/**
 * kma_archives_read() - follow the archives from vmlinux.o down
 * @dir: top of the tree that was built
 * @ret: their objects; NULL if the tree has incomplete data (kernels before 6.1, and partly built
 *	 trees), so that no object can be classified
 * @gaps: commands that cannot be read are added and are no error; that of vmlinux.o may be missing
 */
struct kma_err *kma_archives_read(const char *dir, struct kma_archives **ret,
				  struct kma_gaps *gaps);

/* Free the list. */
void kma_archives_destroy(struct kma_archives *archives);

/**
 * kma_archives_list() - get all objects in the archives
 * @archives: the archives
 * @nr: number of objects
 *
 * The linker may have left out some members of a lib.a.
 *
 * Return: paths from the top of the tree, in the order of the linker, valid as long as @archives.
 */
char *const *kma_archives_list(const struct kma_archives *archives, size_t *nr);

#endif /* KMA_KBUILD_COMMANDS_H */
