// SPDX-License-Identifier: GPL-2.0-only
/*
 * group.c - groups of objects, which distinguish the objects of one call site.
 *
 * The design is in group.h.
 */
#include "account/group.h"

static unsigned int (*kma_group_by)(unsigned long addr);

void kma_group_use(unsigned int (*of)(unsigned long addr))
{
	WRITE_ONCE(kma_group_by, of);
}

unsigned int kma_group_of(unsigned long addr)
{
	unsigned int (*by)(unsigned long addr) = READ_ONCE(kma_group_by);

	return by ? by(addr) : KMA_GROUP_NONE;
}
