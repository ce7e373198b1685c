/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group.h - groups of objects, which distinguish the objects of one call site.
 *
 * While the switch cgroup or node is on, each object belongs to a group, for example to one
 * cgroup. The account only knows the numbers of groups. A group is a part of a class (class.h),
 * so groups need no counters of their own. watch/group.h gives a number to each group, and
 * sets the function that finds the group of an object.
 *
 * Never done here: looking up a cgroup or a node.
 */
#ifndef KMA_GROUP_H
#define KMA_GROUP_H

#include <linux/compiler.h>
#include <linux/types.h>

#define KMA_GROUP_NONE		0u	/* allocated while no switch was on */
#define KMA_GROUP_OTHER		1u	/* no number was free for the group, or for the class */
#define KMA_GROUP_FIRST		2u

/**
 * kma_group_use() - set the function that finds the group of an object
 * @of: the function; NULL for group 0. It is called in any context but NMI, with irqs off, with
 *	the object's address, or with 0 if the object has copies in several places.
 *
 * Context: process. Events in progress may still use the previous function.
 */
void kma_group_use(unsigned int (*of)(unsigned long addr));

/**
 * kma_group_of() - find the group of an object that is being allocated
 * @addr: address of the object; for a block of pages, the address of the first page in the
 *	direct map; 0 for a per-CPU object
 *
 * Context: any but NMI, irqs off.
 * Return: number of the group.
 */
unsigned int kma_group_of(unsigned long addr);

#endif /* KMA_GROUP_H */
