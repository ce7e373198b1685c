/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * maintainers.h - the subsystem of a file, by the kernel's MAINTAINERS.
 *
 * F:, X: and N: patterns have the same meaning as for scripts/get_maintainer.pl. That script lists
 * all subsystems of a file; here one subsystem gets its bytes, the one whose pattern is the most
 * specific, that is
 *
 *	1. goes deepest, as get_maintainer.pl itself orders them: by the number of slashes, a
 *	   file counting as one more than its directory; N: patterns come after those, and
 *	   F: patterns that start with "*" last;
 *	2. of these, has the most characters that are not wildcards;
 *	3. of these, comes first in MAINTAINERS.
 *
 * Patterns that match every file ("*" and "*" "/": THE REST) are not used.
 */
#ifndef KMA_TREE_MAINTAINERS_H
#define KMA_TREE_MAINTAINERS_H

#include "node.h"

struct kma_maintainers;

/**
 * kma_maintainers_create() - read a MAINTAINERS file
 * @path: the file
 * @ret: its entries
 *
 * Return: NULL, or an error that names @path: cannot be read, has no entry with a pattern.
 */
struct kma_err *kma_maintainers_create(const char *path, struct kma_maintainers **ret);

/**
 * kma_maintainers_destroy() - free the entries of a MAINTAINERS file
 * @list: from kma_maintainers_create(); NULL is fine
 */
void kma_maintainers_destroy(struct kma_maintainers *list);

/**
 * kma_maintainers_owner() - find the subsystem of a file
 * @list: the entries; patterns are compiled when they are first needed
 * @path: path of the file from the top of the source
 *
 * Return: heading of the entry ("EXT4 FILE SYSTEM"), which belongs to @list; NULL when no
 * pattern matches the file.
 */
const char *kma_maintainers_owner(struct kma_maintainers *list, const char *path);

/**
 * kma_maintainers_apply() - set the owner of each file of a tree to its subsystem
 * @list: the entries; has to live as long as the tree, which refers to its texts
 * @root: root of the tree
 */
void kma_maintainers_apply(struct kma_maintainers *list, struct kma_node *root);

#endif /* KMA_TREE_MAINTAINERS_H */
