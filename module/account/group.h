/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group.h - groups of objects: what else than its call site tells an object apart.
 *
 * While the switch cgroup or node is on, each object is of a group, for example of one cgroup.
 * The account only knows the numbers of groups: a group is a part of a class (class.h), so
 * what was counted of it needs no counters of its own. Who gives the numbers out
 * (watch/group.h) sets the function that says which group an object is of.
 *
 * Never done here: nothing is looked up.
 */
#ifndef KMA_GROUP_H
#define KMA_GROUP_H

#include <linux/compiler.h>
#include <linux/types.h>

#define KMA_GROUP_NONE		0u	/* allocated while no switch was on */
#define KMA_GROUP_OTHER		1u	/* there was no number for its group, or for its class */
#define KMA_GROUP_FIRST		2u

/**
 * kma_group_use() - set what says the group of an object
 * @of: the function; NULL for group 0. Called in any context but NMI, irqs off, with the
 *	object's address, or 0 if it is in more than one place.
 *
 * Context: process. Events that are under way may go on as before for a while.
 */
void kma_group_use(unsigned int (*of)(unsigned long addr));

/**
 * kma_group_of() - the group of an object that is allocated now
 * @addr: its address; of a block of pages, that of its first page in the direct map; 0 for a
 *	per-CPU object
 *
 * Context: any but NMI, irqs off.
 * Return: the group.
 */
unsigned int kma_group_of(unsigned long addr);

#endif /* KMA_GROUP_H */
