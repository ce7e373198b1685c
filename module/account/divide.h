/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * divide.h - a chain of the live map becomes two, or two chains become one.
 *
 * The map grows by splitting one bucket at a time (live.h). The objects of its chain go to
 * one of two buckets, by one bit of the hash of their addresses. An address is not stored:
 * the tag and the number of the bucket give it back. The map shrinks by the reverse.
 *
 * Never done here: locking; the caller has the locks of the chains.
 */
#ifndef KMA_DIVIDE_H
#define KMA_DIVIDE_H

#include <linux/types.h>

#include "account/bucket.h"

/**
 * kma_chain_divide() - move some entries of a chain to a new chain
 * @nr: number of the home bucket
 * @from: the bucket, locked
 * @first: the head of @from
 * @to: the new bucket, which no event can reach yet
 * @bit: entries whose hash has this bit move to @to
 * @spare: a list of as many overflow buckets as the chain of @from has; what is not used
 *	of it stays in the list
 *
 * Overflow buckets that become empty are released to the spares (spare.h).
 *
 * Context: process, irqs off.
 * Return: the new head of @from.
 */
u32 kma_chain_divide(u32 nr, struct kma_bucket *from, u32 first,
		     struct kma_bucket *to, u32 bit, u32 *spare);

/**
 * kma_chain_join() - move all entries of a chain to the end of another
 * @nr: number of @to
 * @to: home bucket of the chain that stays, locked
 * @first: the head of @to
 * @from: home bucket of the other chain, locked
 * @head: the head of @from; the contents of @from are undefined on return
 * @bit: by how much the number of @from is above @nr
 * @spare: a list of overflow buckets, one for each ten entries of @from and one more; what
 *	is not used of it stays in the list
 *
 * The overflow buckets of @from are released to the spares (spare.h).
 *
 * Context: process, irqs off.
 * Return: the new head of @to.
 */
u32 kma_chain_join(u32 nr, struct kma_bucket *to, u32 first, struct kma_bucket *from, u32 head,
		   u32 bit, u32 *spare);

#endif /* KMA_DIVIDE_H */
