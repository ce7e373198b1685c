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

/* It is an error if the file cannot be read, or has no entry with a pattern. */
struct kma_err *kma_maintainers_create(const char *path, struct kma_maintainers **ret);

/* NULL is fine. */
void kma_maintainers_destroy(struct kma_maintainers *list);

/*
 * The heading of the entry for a file ("EXT4 FILE SYSTEM"), owned by @list; NULL if no pattern
 * matches. @path is relative to the top of the source. Patterns are compiled when they are first
 * needed.
 */
const char *kma_maintainers_owner(struct kma_maintainers *list, const char *path);

/*
 * Sets the owner of each file of a tree to its subsystem. The tree refers to texts of @list, which
 * has to live as long.
 */
void kma_maintainers_apply(struct kma_maintainers *list, struct kma_node *root);

#endif /* KMA_TREE_MAINTAINERS_H */
