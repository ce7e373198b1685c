/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * path.h - name what is at an offset of an object or of a variable: "inode.i_security",
 * "dentry.d_u.d_alias.next or dentry.d_u.d_rcu.next", "init_net.dev_name_head".
 */
#ifndef KMA_TYPES_PATH_H
#define KMA_TYPES_PATH_H

#include "lib/strbuf.h"
#include "table.h"

/**
 * kma_types_path() - name the members down to the word at an offset
 * @types: the table
 * @what: an object, whose type is @what->type, or a variable
 * @offset: bytes
 * @slots: write [] in place of the number of an element
 * @ret: the name is added; nothing if no member is there, or one of more than three in a union
 *
 * Of the members of a union those count that are likeliest to have an address.
 */
void kma_types_path(const struct kma_types *types, const struct kma_types_member *what,
		    uint64_t offset, bool slots, struct kma_strbuf *ret);

#endif /* KMA_TYPES_PATH_H */
