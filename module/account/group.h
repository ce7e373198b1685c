/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group.h - groups of objects, which distinguish the objects of one call site.
 *
 * While the switch cgroup or node is on, each object belongs to a group, for example to one
 * cgroup. The account only knows the numbers of groups. A group is a part of a class (class.h),
 * so groups need no counters of their own. watch/group.h gives a number to each group, and
 * sets the function that finds the group of an object.
 *
 * An object that memcg is asked to charge has KMA_GROUP_CHARGED beside the number of its group. To
 * the account, this is another group; when groups die, both have the same heir.
 */
#ifndef KMA_GROUP_H
#define KMA_GROUP_H

#include <linux/compiler.h>
#include <linux/types.h>

#define KMA_GROUP_NONE		0u	/* allocated while no switch was on */
#define KMA_GROUP_OTHER		1u	/* no number was free for the group, or for the class */
#define KMA_GROUP_FIRST		2u

#define KMA_GROUP_NUMBER	0x1fffu	/* mask of the number in a group's 16 bits */
#define KMA_GROUP_CHARGED	0x8000u	/* memcg was asked to charge the object */

/*
 * Set the function that finds the group of an object, with the arguments of kma_group_of(); NULL
 * for group 0. Context: process; events in progress may still use the previous function.
 */
void kma_group_use(unsigned int (*of)(unsigned long addr, unsigned int charged));

/*
 * The group of an object that is being allocated, and @charged if there is somebody to charge.
 * @addr is its address; for a block of pages, that of the first page in the direct map; 0 for a
 * per-CPU object. @charged is KMA_GROUP_CHARGED if the allocation asks memcg to charge it, else 0.
 * Any context but NMI, irqs off.
 */
unsigned int kma_group_of(unsigned long addr, unsigned int charged);

#endif /* KMA_GROUP_H */
