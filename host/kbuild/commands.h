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

/*
 * Finds the file that an object was compiled from, as it was given to the compiler, for free(3);
 * NULL if the object was linked from others. @cmd_path is its .cmd file; it is an error if that
 * cannot be read, or is truncated.
 */
struct kma_err *kma_cmd_source(const char *cmd_path, char **ret);

/*
 * Finds the objects and archives that the command for @path names, without @path itself: a
 * NULL-terminated array, one allocation with its texts, for free(3); NULL if there is no command.
 * The forms `ar ... path/a.o path/b.o`, `printf "path/%s " a.o b.o | xargs ar ...` and `ld -r` are
 * recognised. It is an error if the command exists, but cannot be read or is corrupt.
 */
struct kma_err *kma_cmd_inputs(const char *dir, const char *path, char ***ret);

/*
 * Follows the archives of the built tree @dir from vmlinux.o down. @ret is NULL if the tree has
 * incomplete data (kernels before 6.1, and partly built trees), so that no object can be
 * classified. Commands that cannot be read are gaps, not an error; that of vmlinux.o may be
 * missing.
 */
struct kma_err *kma_archives_read(const char *dir, struct kma_archives **ret,
				  struct kma_gaps *gaps);

void kma_archives_destroy(struct kma_archives *archives);

/*
 * Paths from the top of the tree, in the order of the linker, valid as long as @archives. The
 * linker may have left out some members of a lib.a.
 */
char *const *kma_archives_list(const struct kma_archives *archives, size_t *nr);

#endif /* KMA_KBUILD_COMMANDS_H */
