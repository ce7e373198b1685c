/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group.h - groups of objects, which distinguish the objects of one call site.
 *
 * Each class (class.h) belongs to a group. There is one group so far. Counts by memory cgroup or
 * by node need one for each cgroup or node, and a kma_group_of() that finds it.
 */
#ifndef KMA_GROUP_H
#define KMA_GROUP_H

#define KMA_GROUP_NONE		0u	/* the group of all objects */
#define KMA_GROUP_OTHER		1u	/* no number was free for the group, or for the class */

#define KMA_GROUP_NUMBER	0x7fffu	/* mask of the number in a group's 16 bits */
#define KMA_GROUP_CHARGED	0x8000u	/* memcg was asked to charge the object */

/**
 * kma_group_of() - find the group of an object that is being allocated
 * @addr: address of the object
 * @charged: KMA_GROUP_CHARGED if the allocation asks memcg to charge the object, else 0
 *
 * Context: any.
 * Return: number of the group.
 */
static inline unsigned int kma_group_of(unsigned long addr, unsigned int charged)
{
	return KMA_GROUP_NONE;
}

#endif /* KMA_GROUP_H */
