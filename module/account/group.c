// SPDX-License-Identifier: GPL-2.0-only
/*
 * group.c - groups of objects, which distinguish the objects of one call site.
 *
 * The design is in group.h.
 */
#include "account/group.h"

static unsigned int (*kma_group_by)(unsigned long addr, unsigned int charged);

void kma_group_use(unsigned int (*of)(unsigned long addr, unsigned int charged))
{
	WRITE_ONCE(kma_group_by, of);
}

unsigned int kma_group_of(unsigned long addr, unsigned int charged)
{
	unsigned int (*by)(unsigned long addr, unsigned int charged) = READ_ONCE(kma_group_by);

	return by ? by(addr, charged) : KMA_GROUP_NONE;
}
